/// Writes a model as the text of a model file, in the layout of ``ModelFileFormatter`` (M10).
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
/// Reading the text gives the same model, if the model passes the checks. What a file need not say, because it is so
/// anyway, is left out; user info comes in the order of its keys. Comments are no part of a model.
public struct ModelFileWriter: Sendable {
  /// What `$schema` says, which tells editors how to help; nil leaves it out.
  public var schema: String?

  /// Makes a writer.
  public init(schema: String? = nil) { self.schema = schema }

  /// The text of a model file that says what a model says.
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
    members.add(.entities, names: model.entities.map { ($0.name, ModelFileMembers($0, model.keyStrategy).json) })
    members.add(.userInfo, model.userInfo)
    return members.json
  }
}

extension LayoutNode {
  /// Lays out a value that comes from no file.
  fileprivate init(_ json: JSON, as role: LayoutRole, depth: Int) {
    // What no file can hold, because it is nested too deeply, is written without a stack.
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
