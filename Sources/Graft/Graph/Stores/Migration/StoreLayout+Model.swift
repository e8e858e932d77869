extension StoreLayout {
  /// Returns a model for reading a store whose model file is not known. The model has the entities and properties of the layout, without
  /// transformers and rules.
  package func model() throws(ModelError) -> ManagedObjectModel {
    let entities = StoreLayout.object(self.entities) { ($0.name, $0.json(mapper: mapper(of: $0))) }
    return try ManagedObjectModel(text: JSONWriter.text(of: ["keyStrategy": "sameName", "entities": entities]))
  }

  /// A mapper for an abstract entity. Without a mapper, a relationship to the entity could not identify its objects. The mapper itself is
  /// never used.
  private func mapper(of entity: Entity) -> JSON? {
    guard entity.isAbstract else { return nil }
    let byName = LayoutMapping.byName(self)
    let concrete = entities.filter { !$0.isAbstract && LayoutMapping.lineage($0.name, byName).contains(entity.name) }
    if concrete.isEmpty { return nil }
    return [
      ModelFileKey.JSONKeyPath.rawValue: ["entity of the object"],
      ModelFileKey.entities.rawValue: StoreLayout.object(concrete) { ($0.name, .string($0.name)) },
    ]
  }

  fileprivate static func object<Element>(_ elements: [Element], _ member: (Element) -> (String, JSON)) -> JSON {
    .object(JSONObject(elements.map { (key: member($0).0, value: member($0).1) }))
  }
}

extension StoreLayout.Entity {
  /// The entity in a model file.
  fileprivate func json(mapper: JSON?) -> JSON {
    var members = ModelFileMembers()
    members.add(.parent, parent)
    members.add(.abstract, isAbstract, unless: false)
    if let mapper { members.add(.entityMapper, mapper) }
    if !identity.isEmpty { members.add(.identityAttributes, .array(identity.map { .string($0) })) }
    let attributes = properties.filter { $0.type != nil }
    let relationships = properties.filter { $0.type == nil }
    if !attributes.isEmpty {
      members.add(.attributes, StoreLayout.object(attributes) { ($0.name, $0.json(isKeyed: true)) })
    }
    if !relationships.isEmpty {
      // Relationships are not mapped to JSON, because that would require more declarations in the model.
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

extension ManagedObjectModel {
  /// Returns the model that wrote a store, for reading the store. Its transformers and closures are not needed.
  ///
  /// - Parameters:
  ///   - text: the text of its model file, if it is known.
  ///   - layout: the layout of the store. If the text has a different layout, the model is created from this layout instead.
  /// - Returns: nil if no model has the layout.
  package static func former(_ text: String, of layout: StoreLayout, name: String) -> ManagedObjectModel? {
    let source = SourceText(name: name, bytes: Array(text.utf8))
    if let model = try? ManagedObjectModel(source: source, unregisteredNames: .warning),
      StoreLayout(StoreSchema(model)).withoutRules.withoutIndexes == layout.withoutRules.withoutIndexes
    {
      return model
    }
    return try? layout.model()
  }

  /// The text of the model file, or generated text for a model built in Swift.
  package var fileText: String {
    contents.source.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ModelFileWriter().text(of: contents)
  }
}
