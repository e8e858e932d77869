/// Arranges the steps of writing an entity's objects in the order of the model. The keys that belong to one nested object
/// are together, at the position of the first of these keys.
struct ExportPlanner {
  let memory: KeptMemory
  let entity: EntityPlan
  private(set) var steps: [ExportStep] = []
  /// The maximum depth at which key paths nest objects inside one of the entity's objects, or ``unknown`` if an attribute can hold
  /// any JSON.
  private(set) var reach = 0
  /// A depth beyond any limit.
  static let unknown = 1 << 32

  /// The step of each key; nil for an object that several key paths share.
  private typealias Node = KeyTree<ExportStep?>

  /// - Parameters:
  ///   - representations: the forms of relationships, by slot, that override the model's.
  ///   - isChosen: a closure that returns whether a property is written.
  ///   - identities: a closure that returns the names of the identity attributes of a relationship's destination.
  init(
    _ memory: KeptMemory, _ entity: EntityPlan,
    representations: [Int: RelationshipDescription.JSONRepresentation] = [:],
    isChosen: (_ slot: Int) -> Bool = { _ in true },
    identities: (_ slot: Int) -> [String]
  ) {
    self.memory = memory
    self.entity = entity
    let root = Node("", nil)
    // Identifiers in several keys are placed last, because another property may also write one of their values.
    var late: [(slot: Int, parts: [RelationshipDescription.IdentifierKeyPath])] = []
    var unwritten: [Int] = []
    let mapper = DiscriminatorPlanner(memory, entity)
    if let mapper {
      var step = emptyStep(.discriminator)
      step.discriminator = mapper.discriminator
      place(mapper.keyPath, in: root).content = step
      reach = mapper.keyPath.keys.count - 1
    }
    var shared: ExportStep?
    for (slot, property) in entity.properties.enumerated() {
      if property.isShared {
        shared = emptyStep(.shared)
        shared?.slot = slot
        shared?.isIdentifier = (representations[slot] ?? property.relationship?.representation) == .identifier
        continue
      }
      let representation = representations[slot] ?? property.relationship?.representation
      let isWritten = representation != RelationshipDescription.JSONRepresentation.none && isChosen(slot)
      if let parts = property.relationship?.identifierKeyPaths, !parts.isEmpty {
        if isWritten, property.exportedKeyPath != nil { late.append((slot, parts)) } else { unwritten.append(slot) }
        continue
      }
      guard let exported = property.exportedKeyPath, !exported.isKeyWord || exported.isThroughArrays else { continue }
      let path = exported.segments.first.map { JSONKeyPath(keys: $0) } ?? exported
      // Every property is taken into account, so that the depth is never exceeded, regardless of the options of a call.
      let isJSON = property.attribute?.type == .json && property.writing == .plain
      let levels = path.keys.count - (property.attribute?.isList == true ? 0 : 1)
      reach = max(reach, isJSON ? ExportPlanner.unknown : levels)
      // The value that selects the entity is always written, because without it, an object would be read as an object of another entity.
      let selectsEntity = mapper.map { ExportPlanner.areSame($0.keyPath, path) } ?? false
      guard isWritten || selectsEntity else { continue }
      let node = place(path, in: root)
      var step = emptyStep(.attribute)
      step.slot = slot
      if node.content != nil { step.discriminator = mapper?.discriminator(at: slot) }
      if let relationship = property.relationship {
        step.action = relationship.isToMany ? .toMany : .toOne
        step.isIdentifier = representation == .identifier
      }
      step.writing = property.nulls.isEmpty || property.attribute == nil ? property.writing : .checked
      if let key = exported.elementKey {
        step.wrapper = memory.place(bytes: Array("{".utf8) + ExportPlanner.prefix(key))
        if property.attribute != nil { step.writing = .wrapped }
      }
      node.content = step
    }
    for (slot, parts) in late { place(parts, of: slot, in: root, identities(slot)) }
    emit(root)
    for (action, slots) in [(ExportStep.Action.reference, late.map(\.slot)), (.unwritten, unwritten)] {
      for slot in slots {
        var step = emptyStep(action)
        step.slot = slot
        steps.append(step)
      }
    }
    if let shared { steps.append(shared) }
  }

  private static func areSame(_ path: JSONKeyPath, _ other: JSONKeyPath) -> Bool {
    path.keys.elementsEqual(other.keys) { UTF8Key($0) == UTF8Key($1) }
  }

  private func emptyStep(_ action: ExportStep.Action) -> ExportStep {
    ExportStep(action: action, prefix: LentBytes())
  }

  /// Arranges the values of an identifier that no other property writes.
  private func place(
    _ parts: [RelationshipDescription.IdentifierKeyPath], of slot: Int, in root: Node, _ identity: [String]
  ) {
    for part in parts {
      var node = root
      // If the outer value is written as a whole, a value inside the outer value is written along with it.
      for key in part.keyPath.keys where node.content == nil { node = node.child(key) }
      if node.content?.action == .toOne { node.content?.sharesKey = true }
      guard node.content == nil, node.children.isEmpty else { continue }
      var step = emptyStep(.part)
      step.slot = slot
      step.part = identity.firstIndex(of: part.name) ?? -1
      node.content = step
    }
  }

  private func place(_ path: JSONKeyPath, in root: Node) -> Node { path.keys.reduce(root) { $0.child($1) } }

  private mutating func emit(_ node: Node) {
    for child in node.children {
      var step = child.content ?? emptyStep(.openGroup)
      step.prefix = memory.place(bytes: ExportPlanner.prefix(child.key))
      steps.append(step)
      if child.content == nil {
        emit(child)
        steps.append(emptyStep(.closeGroup))
      }
    }
  }

  /// Returns the text `"key":` for a key.
  private static func prefix(_ key: String) -> [UInt8] {
    var prefix: [UInt8] = []
    prefix.reserveCapacity(key.utf8.count + 3)
    JSONWriter.append(key, to: &prefix)
    prefix.append(UInt8(ascii: ":"))
    return prefix
  }
}
