/// Writes a model as the text of a model file, in the layout of ``ModelFileFormatter``.
///
///     let hero = EntityDescription("Hero", attributes: [AttributeDescription("name", .string, keyPath: "name")])
///     print(ModelFileWriter().text(of: ModelDescription(name: "Comics", entities: [hero])))
///
///     // {
///     //   "name": "Comics",
///     //
///     //   "entities": {
///     //     "Hero": {
///     //       "attributes": {
///     //         "name": { "type": "string", "JSONKeyPath": "name" },
///     //       },
///     //     },
///     //   },
///     // }
///
/// If the model passes the checks, reading the text produces the same model. Default values are omitted, and user info
/// is sorted by key. A model contains no comments.
public struct ModelFileWriter: Sendable {
  /// The value of `$schema`, which editors use for completion. If it is nil, the key is omitted.
  public var schema: String?

  /// Creates a writer.
  public init(schema: String? = nil) { self.schema = schema }

  /// Returns the text of a model file for a model.
  public func text(of model: ModelDescription) -> String {
    let root = LayoutNode(json(model), as: .level(.model), depth: 0)
    return LayoutWriter.text(of: (LayoutItem(value: root), []))
  }

  private func json(_ model: ModelDescription) -> JSON {
    var members = ModelFileMembers()
    members.add(.schema, schema)
    members.add(.name, model.name)
    members.add(.version, model.version)
    members.add(.doc, model.documentation)
    if model.keyStrategy != .explicit { members.add(.keyStrategy, model.keyStrategy.rawValue) }
    if !model.nulls.isEmpty { members.add(.JSONNulls, .array(model.nulls)) }
    if !model.removed.isEmpty { members.add(.removed, .array(model.removed.map(JSON.string))) }
    members.add(.entities, names: model.entities.map { ($0.name, ModelFileMembers($0, model.keyStrategy).json) })
    members.add(.userInfo, model.userInfo)
    return members.json
  }
}

extension LayoutNode {
  /// Creates the layout of a value that does not come from a file.
  init(_ json: JSON, as role: LayoutRole, depth: Int) {
    // A value nested too deeply for a model file is written without recursion.
    guard depth < ModelFileParser.deepest else {
      self.init(text: JSONWriter.text(of: json))
      return
    }
    switch json {
    case .array(let elements):
      var list = LayoutList(brackets: LayoutList.array, role: .data)
      list.items = elements.map { LayoutItem(value: LayoutNode($0, as: .data, depth: depth + 1)) }
      self.init(list)
    case .object(let object):
      var list = LayoutList(brackets: LayoutList.object, role: role)
      let items = object.members.map { member in
        LayoutItem(
          key: LayoutKey(name: member.key, text: JSONWriter.text(of: .string(member.key))),
          value: LayoutNode(member.value, as: role.role(ofMember: member.key), depth: depth + 1))
      }
      list.items = role.ordered(items)
      self.init(list)
    default: self.init(text: JSONWriter.text(of: json))
    }
  }
}
