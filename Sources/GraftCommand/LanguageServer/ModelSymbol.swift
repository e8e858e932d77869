/// The meaning of a name in a model file.
enum ModelSymbol: Hashable {
  case entity(String)
  /// An attribute or relationship, with the entity that declares it.
  case property(String, of: String)

  var name: String {
    switch self {
    case .entity(let name), .property(let name, of: _): name
    }
  }
}

/// A name in the text.
struct ModelMention {
  var symbol: ModelSymbol
  /// The bytes of the name, without quotes.
  var range: Range<Int>
  /// Whether the name is declared here, rather than used.
  var isDeclaration = false
}

extension ModelOutline {
  /// The attributes whose values are read by key paths elsewhere. These mentions do not change when the attribute is renamed.
  var readings: [ModelMention] {
    entities.compactMap { entity in
      guard let path = entity.deletionKeyPath, let (attribute, owner) = attribute(at: path.text, in: entity.name) else {
        return nil
      }
      return ModelMention(symbol: .property(attribute.name, of: owner), range: path.range)
    }
  }

  /// Returns the destination of a relationship, or nil if there is no such relationship.
  private func destination(of relationship: String, in entity: String) -> String? {
    lineage(entity).lazy.flatMap(\.relationships).first { $0.name == relationship }?.destination?.text
  }

  /// The declarations, and every use of a declared name.
  var mentions: [ModelMention] {
    var mentions: [ModelMention] = []
    func use(_ name: Name?) {
      guard let name, entity(name.text) != nil else { return }
      mentions.append(ModelMention(symbol: .entity(name.text), range: name.range))
    }
    func use(_ name: Name?, in entity: String) {
      guard let name, let owner = owner(of: name.text, in: entity) else { return }
      mentions.append(ModelMention(symbol: .property(name.text, of: owner), range: name.range))
    }
    for entity in entities {
      mentions.append(ModelMention(symbol: .entity(entity.name), range: entity.range, isDeclaration: true))
      use(entity.parent)
      entity.mapperTargets.forEach { use($0) }
      entity.identity.forEach { use($0, in: entity.name) }
      use(entity.modification, in: entity.name)
      entity.listed.forEach { use($0, in: entity.name) }
      for property in entity.attributes + entity.relationships {
        let symbol = ModelSymbol.property(property.name, of: entity.name)
        mentions.append(ModelMention(symbol: symbol, range: property.range, isDeclaration: true))
        use(property.destination)
        guard let destination = property.destination else { continue }
        use(property.inverse, in: destination.text)
        property.migratedAttributes.forEach { use($0, in: destination.text) }
        for path in property.groupKeys {
          var entity: String? = destination.text
          for name in path.parts {
            use(name, in: entity ?? "")
            entity = entity.flatMap { self.destination(of: name.text, in: $0) }
          }
        }
      }
    }
    return mentions
  }
}
