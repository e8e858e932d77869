/// Puts the steps of writing an entity's objects in order: the model's order, with the keys of a key path's objects
/// together at the place of the first.
struct ExportPlanner {
  let plan: PlanBuilder
  let entity: EntityPlan

  private final class Node {
    let key: String
    var step: ExportStep?
    var children: [Node] = []

    init(_ key: String) { self.key = key }

    func child(_ key: String) -> Node {
      if let known = children.first(where: { $0.key.utf8.elementsEqual(key.utf8) }) { return known }
      let node = Node(key)
      children.append(node)
      return node
    }
  }

  func run() {
    let root = Node("")
    if let (path, value) = discriminator() { place(path, in: root).step = step(.discriminator, discriminator: value) }
    for (slot, property) in entity.properties.enumerated() {
      guard let path = property.keyPath, !path.isObjectKey, !path.isElementValue else { continue }
      let node = place(path, in: root)
      var step = ExportStep(action: .value, slot: slot)
      step.discriminator = node.step?.discriminator
      if let relationship = property.relationship {
        if relationship.representation == .none { continue }
        step.representation = relationship.representation
      } else if let transformer = property.transformer {
        if transformer.builtIn == .stringToInteger {
          step.writing = .quotedInteger
        } else if transformer.reverse != nil {
          step.writing = .reversed
        }
      }
      node.step = step
    }
    emit(root)
  }

  private func place(_ path: JSONKeyPath, in root: Node) -> Node {
    path.keys.reduce(root) { $0.child($1) }
  }

  private func emit(_ node: Node) {
    for child in node.children {
      var prefix: [UInt8] = []
      JSONWriter.append(child.key, to: &prefix)
      prefix.append(UInt8(ascii: ":"))
      if var step = child.step {
        step.prefix = prefix
        entity.exportSteps.append(step)
      } else if !child.children.isEmpty {
        entity.exportSteps.append(ExportStep(action: .openGroup, prefix: prefix))
        emit(child)
        entity.exportSteps.append(ExportStep(action: .closeGroup))
      }
    }
  }

  private func step(_ action: ExportStep.Action, discriminator: [UInt8]) -> ExportStep {
    ExportStep(action: action, discriminator: discriminator)
  }

  /// The key path of the declarative mapper that counts for this entity, and the value that stands for it (D4).
  private func discriminator() -> (JSONKeyPath, [UInt8])? {
    var candidate: EntityPlan? = entity
    while let described = candidate {
      if let mapper = described.description.entityMapper {
        guard let line = mapper.cases.first(where: { $0.entityName == entity.name }) else { return nil }
        return (mapper.keyPath, text(line.value, at: mapper.keyPath))
      }
      candidate = described.parent
    }
    return nil
  }

  /// A discriminator compares by its JSON text (D4); it is written as a string unless an attribute at the same key path
  /// says that it is a number or a boolean.
  private func text(_ value: String, at path: JSONKeyPath) -> [UInt8] {
    let attribute = entity.properties.lazy.compactMap(\.attribute).first { $0.keyPath == path }
    switch attribute?.type {
    case .integer16, .integer32, .integer64, .float, .double, .decimal, .boolean: return Array(value.utf8)
    default:
      var bytes: [UInt8] = []
      JSONWriter.append(value, to: &bytes)
      return bytes
    }
  }
}
