// Keys of a payload (I8, I13).
extension ImportFinding {
  static func duplicateKey(_ key: some Collection<UInt8>) -> Self {
    Self(.duplicateKey, "the key \(FoundPhrase.quoted(key)) occurs twice in one object")
  }

  /// - Parameters:
  ///   - entities: the entity of the object, and the entities of the objects that share its dictionary (M23).
  ///   - known: the keys that are mapped at this location.
  static func unknownKey(_ key: String, _ entities: [EntityPlan], near known: [String]) -> Self {
    let nearest = nearestKey(to: key, among: known)
    let owner = EntityPlan.owner(of: nearest, among: entities)
    return Self(
      .unknownKey, about: owner.subject,
      "the key \(FoundPhrase.quoted(key.utf8)) is not mapped by \(entities.map { "'\($0.name)'" }.joined(separator: " or "))",
      requirement: Requirement(owner)
    ).suggesting(nearest)
  }

  /// Returns the key that differs only in case and word separators, or else the nearest key.
  static func nearestKey(to key: String, among keys: [String]) -> String? {
    func letters(_ text: String) -> String {
      String(
        String.UnicodeScalarView(
          text.unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil })
      )
      .lowercased()
    }
    let wanted = letters(key)
    // Members of dictionaries have no order, so sort the keys to choose the same one each time.
    let keys = keys.sorted(by: UTF8Key.precedes)
    return keys.first { !wanted.isEmpty && $0.utf8.count <= 200 && letters($0) == wanted }
      ?? Suggestion.nearest(to: key, among: keys)
  }

  /// A key path passes through a value that is neither an object nor null.
  static func blockedKeyPath(_ path: JSONKeyPath, _ subject: Subject, found: String) -> Self {
    Self(
      .blockedKeyPath, about: subject.named, "expected an object on the key path '\(path)' of \(subject.quoted)",
      found: .value(found),
      requirement: Requirement(
        subject.property.source, .JSONKeyPath, "the key path of '\(subject.property.name)' is declared here"))
  }
}

extension EntityPlan {
  /// Returns the entity that maps a key, among entities whose objects share a dictionary (M23); the first entity if none of them does.
  fileprivate static func owner(of key: String?, among entities: [EntityPlan]) -> EntityPlan {
    entities.first { entity in key.map { entity.firstKeys.contains($0) } ?? false } ?? entities[0]
  }

  /// Returns the entity with the key nearest to an unknown key, among entities whose objects share a dictionary.
  static func owner(near key: String, among entities: [EntityPlan]) -> EntityPlan {
    if entities.count == 1 { return entities[0] }
    return owner(of: ImportFinding.nearestKey(to: key, among: entities.flatMap(\.firstKeys)), among: entities)
  }

  /// The first key of each property's key path.
  private var firstKeys: [String] {
    properties.flatMap { property in
      ([property.keyPath].compactMap(\.self) + property.keyPathAliases).filter { !$0.isKeyWord }.compactMap(
        \.keys.first)
    }
  }
}

extension ImportFinding.Requirement {
  /// The declaration of an entity.
  init(_ entity: EntityPlan) { self.init(entity.description.source, nil, "'\(entity.name)' is declared here") }

  /// The declaration of the identity of an entity.
  init(identityOf entity: EntityPlan) {
    self.init(entity.description.source, .identityAttributes, "the identity of '\(entity.name)' is declared here")
  }
}
