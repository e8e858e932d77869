extension StoreLayout {
  /// Returns a model for reading a store whose model file is not known: its entities and properties, without
  /// transformers and rules.
  package func model() throws(ModelError) -> ManagedObjectModel {
    let entities = StoreLayout.object(self.entities) { ($0.name, $0.json) }
    return try ManagedObjectModel(text: JSONWriter.text(of: ["keyStrategy": "sameName", "entities": entities]))
  }

  fileprivate static func object<Element>(_ elements: [Element], _ member: (Element) -> (String, JSON)) -> JSON {
    .object(JSONObject(elements.map { (key: member($0).0, value: member($0).1) }))
  }
}

extension StoreLayout.Entity {
  /// The entity in a model file.
  fileprivate var json: JSON {
    var members = ModelFileMembers()
    members.add(.parent, parent)
    members.add(.abstract, isAbstract, unless: false)
    if !identity.isEmpty { members.add(.identityAttributes, .array(identity.map { .string($0) })) }
    let attributes = properties.filter { $0.type != nil }
    let relationships = properties.filter { $0.type == nil }
    if !attributes.isEmpty {
      members.add(.attributes, StoreLayout.object(attributes) { ($0.name, $0.json(isKeyed: true)) })
    }
    if !relationships.isEmpty {
      // They take no part in JSON, for which the model would have to say more.
      members.add(
        .relationships, StoreLayout.object(relationships) { ($0.name, $0.json(isKeyed: identity.contains($0.name))) })
    }
    return members.json
  }
}

extension StoreLayout.Property {
  /// The property in a model file.
  fileprivate func json(isKeyed: Bool) -> JSON {
    var members = ModelFileMembers()
    if !isKeyed { members.add(.JSONKeyPath, .null) }
    if let type {
      let isList = type.hasSuffix("[]")
      members.add(.type, .string(isList ? String(type.dropLast(2)) : type))
      members.add(.list, isList, unless: false)
    }
    members.add(.optional, .boolean(isOptional))
    members.add(.destination, destination)
    members.add(.toMany, isToMany == true, unless: false)
    members.add(.ordered, isOrdered == true, unless: false)
    members.add(.inverse, inverse)
    return members.json
  }
}
