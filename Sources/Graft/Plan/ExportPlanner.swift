/// Arranges the steps of writing an entity's objects in the order of the model. The keys that belong to one nested object
/// are together, at the position of the first.
struct ExportPlanner {
  let memory: KeptMemory
  let entity: EntityPlan
  private(set) var steps: [ExportStep] = []
  /// The maximum depth at which key paths nest objects inside one of the entity's, or ``unknown`` if an attribute can hold
  /// any JSON.
  private(set) var reach = 0
  /// A depth beyond any limit.
  static let unknown = 1 << 32

  private final class Node {
    let key: String
    var step: ExportStep?
    var children: [Node] = []

    init(_ key: String) { self.key = key }

    func child(_ key: String) -> Node {
      if let known = children.first(where: { UTF8Key($0.key) == UTF8Key(key) }) { return known }
      let node = Node(key)
      children.append(node)
      return node
    }
  }

  /// - Parameter representations: the forms of relationships, by slot, that override the model's.
  init(
    _ memory: KeptMemory, _ entity: EntityPlan,
    representations: [Int: RelationshipDescription.JSONRepresentation] = [:]
  ) {
    self.memory = memory
    self.entity = entity
    let root = Node("")
    let mapper = DiscriminatorPlanner(memory, entity)
    if let mapper {
      var step = emptyStep(.discriminator)
      step.discriminator = mapper.discriminator
      place(mapper.keyPath, in: root).step = step
      reach = mapper.keyPath.keys.count - 1
    }
    for (slot, property) in entity.properties.enumerated() {
      guard let path = property.exportedKeyPath, !path.isKeyWord else { continue }
      let representation = representations[slot] ?? property.relationship?.representation
      // Count every property, so that the depth is never exceeded, whatever options a call sets.
      let isJSON = property.attribute?.type == .json && property.writing == .plain
      let levels = path.keys.count - (property.attribute?.isList == true ? 0 : 1)
      reach = max(reach, isJSON ? ExportPlanner.unknown : levels)
      if representation == RelationshipDescription.JSONRepresentation.none { continue }
      let node = place(path, in: root)
      var step = emptyStep(.attribute)
      step.slot = slot
      if node.step != nil { step.discriminator = mapper?.discriminator(at: slot) }
      if let relationship = property.relationship {
        step.action = relationship.isToMany ? .toMany : .toOne
        step.isIdentifier = representation == .identifier
      }
      step.writing = property.writing
      node.step = step
    }
    emit(root)
  }

  private func emptyStep(_ action: ExportStep.Action) -> ExportStep {
    ExportStep(action: action, prefix: LentBytes())
  }

  private func place(_ path: JSONKeyPath, in root: Node) -> Node { path.keys.reduce(root) { $0.child($1) } }

  private mutating func emit(_ node: Node) {
    for child in node.children {
      var prefix: [UInt8] = []
      prefix.reserveCapacity(child.key.utf8.count + 3)
      JSONWriter.append(child.key, to: &prefix)
      prefix.append(UInt8(ascii: ":"))
      var step = child.step ?? emptyStep(.openGroup)
      step.prefix = memory.place(bytes: prefix)
      steps.append(step)
      if child.step == nil {
        emit(child)
        steps.append(emptyStep(.closeGroup))
      }
    }
  }
}
