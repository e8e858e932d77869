extension ModelChecker {
  /// Checks the to-ones at `@value`, whose objects are read from the same dictionary (M23): none leads back to its own entity, and
  /// no key has two meanings in a dictionary.
  ///
  ///     Entry ── song: "@value" ──▶ Song        {"added": "2026-01-01", "id": 5, "title": "Hurt"}
  func checkSharedDictionaries() {
    for (number, entity) in index.entities.enumerated() {
      for relationship in entity.relationships where isShared(relationship) {
        guard let destination = index.entity(named: relationship.destinationName) else { continue }
        let name = "\(entity.name).\(relationship.name)"
        let place = relationship.source.place(of: .JSONKeyPath)
        let inner = sharing(from: destination)
        if inner.contains(where: { index.inherits($0, from: number) }) {
          findings.report(
            .misplacedKeyWord("@value", in: name, "its element would be read as \(entity.name.quoted) again"),
            at: place)
          continue
        }
        guard relationship.keyPath?.isElementValue == true else { continue }
        if let value = elementValue(of: inner) {
          findings.report(
            .misplacedKeyWord("@value", in: name, "\(value.name.quoted) is the element itself as well"), at: place,
            notes: [.init("the key path of \(value.name.quoted)", at: value.place)])
          continue
        }
        guard let clash = clash(of: descendants(of: number), with: inner, isWritten: relationship.direction != .import)
        else { continue }
        findings.report(.misplacedKeyWord("@value", in: name, clash.reason), at: place, notes: clash.notes)
      }
    }
  }

  /// Whether a to-one reads the element itself: by its key path, or by an alias if the element is no dictionary.
  private func isShared(_ relationship: RelationshipDescription) -> Bool {
    ([relationship.keyPath].compactMap(\.self) + relationship.keyPathAliases).contains(where: \.isElementValue)
      && !relationship.isToMany && relationship.source.isReadable(.toMany) && relationship.direction != .export
  }

  /// A property of some entities that needs the whole element for itself.
  private func elementValue(of entities: [Int]) -> (name: String, place: SourcePlace)? {
    for number in Set(entities.flatMap { Array(index.lineage($0)) }).sorted() {
      let entity = index.entities[number]
      if let attribute = entity.attributes.first(where: { $0.keyPath?.isElementValue == true }) {
        return ("\(entity.name).\(attribute.name)", attribute.source.place(of: .JSONKeyPath))
      }
      if let relationship = entity.relationships.first(where: { $0.keyPath?.isElementValue == true && $0.isToMany }) {
        return ("\(entity.name).\(relationship.name)", relationship.source.place(of: .JSONKeyPath))
      }
    }
    return nil
  }

  private func descendants(of number: Int) -> [Int] {
    index.entities.indices.filter { index.inherits($0, from: number) }
  }

  /// The entities of the objects that may be read from a dictionary: those of a hierarchy, and those that they lead to.
  private func sharing(from destination: Int) -> [Int] {
    var met: Set<Int> = []
    var next = descendants(of: destination)
    while let number = next.popLast() {
      guard met.insert(number).inserted else { continue }
      for entity in index.lineage(number) {
        for relationship in index.entities[entity].relationships where isShared(relationship) {
          if let other = index.entity(named: relationship.destinationName) { next += descendants(of: other) }
        }
      }
    }
    return met.sorted()
  }

  // MARK: Keys

  private struct Clash {
    var reason: String
    var notes: [ModelFindings.Note]
  }

  /// A key path of an entity, and what it is for.
  private struct Use {
    var path: JSONKeyPath
    var name: String
    var place: SourcePlace
    var isRelationship: Bool
    var isWritten: Bool
    var isAlias = false
  }

  /// Two uses of a key that exclude each other: both read objects, or both write.
  private func clash(of outer: [Int], with inner: [Int], isWritten: Bool) -> Clash? {
    var first: [UTF8Key: [Use]] = [:]
    for use in uses(of: outer) { first[UTF8Key(use.path.keys[0]), default: []].append(use) }
    for use in uses(of: inner) {
      for other in first[UTF8Key(use.path.keys[0])] ?? [] {
        let notes = [
          ModelFindings.Note("the key path of \(other.name.quoted)", at: other.place),
          ModelFindings.Note("the key path of \(use.name.quoted)", at: use.place),
        ]
        if use.isRelationship, other.isRelationship {
          return Clash(
            reason:
              "the objects under \(use.path.keys[0].quoted) would be read twice, for \(other.name.quoted) and for "
              + "\(use.name.quoted): give one of them another key", notes: notes)
        }
        if isWritten, use.isWritten, other.isWritten {
          return Clash(
            reason: "\(other.name.quoted) and \(use.name.quoted) would both write the key "
              + "\(use.path.keys[0].quoted) into one dictionary: give one of them another key, or only read it (\"JSONDirection\": \"import\")",
            notes: notes)
        }
        if isWritten, use.isAlias && other.isWritten || other.isAlias && use.isWritten {
          let (reader, writer) = use.isAlias ? (use, other) : (other, use)
          return Clash(
            reason: "\(reader.name.quoted) would read what \(writer.name.quoted) writes under the key "
              + "\(use.path.keys[0].quoted): remove the alias", notes: notes)
        }
      }
    }
    return nil
  }

  private func uses(of entities: [Int]) -> [Use] {
    Set(entities.flatMap { Array(index.lineage($0)) }).sorted().flatMap { number -> [Use] in
      let entity = index.entities[number]
      func use(
        _ path: JSONKeyPath?, _ name: String, _ source: DescriptionSource, isRelationship: Bool,
        _ direction: JSONDirection, isAlias: Bool = false
      ) -> Use? {
        guard let path, let keys = path.segments.first ?? (path.isKeyWord ? nil : path.keys), !keys.isEmpty else {
          return nil
        }
        return Use(
          path: JSONKeyPath(keys: keys), name: "\(entity.name).\(name)", place: source.place(of: .JSONKeyPath),
          isRelationship: isRelationship && direction != .export, isWritten: !isAlias && direction != .import,
          isAlias: isAlias && direction != .export)
      }
      var uses: [Use?] = []
      for attribute in entity.attributes {
        uses.append(
          use(attribute.keyPath, attribute.name, attribute.source, isRelationship: false, attribute.direction))
        for alias in attribute.keyPathAliases {
          uses.append(
            use(alias, attribute.name, attribute.source, isRelationship: false, attribute.direction, isAlias: true))
        }
      }
      for relationship in entity.relationships {
        let paths = relationship.identifierKeyPaths.map(\.keyPath)
        for path in paths.isEmpty ? [relationship.keyPath].compactMap(\.self) : paths {
          uses.append(
            use(
              path, relationship.name, relationship.source, isRelationship: paths.isEmpty, relationship.direction))
        }
        for alias in relationship.keyPathAliases {
          uses.append(
            use(
              alias, relationship.name, relationship.source, isRelationship: true, relationship.direction, isAlias: true
            )
          )
        }
      }
      if let mapper = entity.entityMapper {
        uses.append(use(mapper.keyPath, "entityMapper", entity.source, isRelationship: false, .both))
      }
      return uses.compactMap(\.self)
    }
  }
}
