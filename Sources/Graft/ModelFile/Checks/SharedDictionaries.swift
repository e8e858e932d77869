extension ModelChecker {
  /// Checks the to-one relationships at `@value`, whose objects are read from the same dictionary (M23): no to-one relationship leads
  /// back to its own entity, no key has two meanings in a dictionary, and each object can be identified in the dictionary.
  ///
  ///     Entry ── song: "@value" ──▶ Song        {"added": "2026-01-01", "id": 5, "title": "Hurt"}
  func checkSharedDictionaries() {
    let descendants = descendants()
    for (number, entity) in index.entities.enumerated() {
      for relationship in entity.relationships where isShared(relationship) {
        guard let destination = index.entity(named: relationship.destinationName) else { continue }
        let name = "\(entity.name).\(relationship.name)"
        let place = relationship.source.place(of: .JSONKeyPath)
        let (inner, isWhole) = sharing(from: destination, descendants)
        if inner.contains(where: { index.inherits($0, from: number) }) {
          findings.report(
            .misplacedKeyWord("@value", in: name, "its element would be read as \(entity.name.quoted) again"),
            at: place)
          continue
        }
        guard isWhole else {
          let most = ModelLimits.sharingObjects
          findings.report(
            .misplacedKeyWord(
              "@value", in: name,
              "more than \(most) objects would be read from one element: give one of the relationships in between its own key path"
            ),
            at: place)
          continue
        }
        guard relationship.keyPath?.isElementValue == true else { continue }
        let clash =
          faultOfForm(relationship) ?? elementValue(of: inner) ?? unfindable(inner, from: number)
          ?? clash(of: descendants[number], with: inner)
        guard let clash else { continue }
        findings.report(
          .misplacedKeyWord("@value", in: name, clash.reason), at: clash.place ?? place, notes: clash.notes)
      }
    }
  }

  /// Returns whether a to-one relationship reads the element itself: by its key path, or by an alias if the element is not a dictionary.
  private func isShared(_ relationship: RelationshipDescription) -> Bool {
    ([relationship.keyPath].compactMap(\.self) + relationship.keyPathAliases).contains(where: \.isElementValue)
      && !relationship.isToMany && relationship.source.isReadable(.toMany) && relationship.direction != .export
  }

  /// Returns a fault if the relationship has other forms, which no import would read.
  private func faultOfForm(_ relationship: RelationshipDescription) -> Clash? {
    if let alias = relationship.keyPathAliases.first {
      return Clash(
        reason: "its object is read from every dictionary, so its 'JSONKeyPathAliases' are never read: make "
          + "\(alias.description.quoted) the key path, and \"@value\" its alias",
        notes: [], place: relationship.source.place(of: .JSONKeyPathAliases, element: 0))
    }
    guard relationship.representation == .none else { return nil }
    return Clash(
      reason:
        "with \"JSONRepresentation\": \"none\", an export would write dictionaries from which its object cannot be read: "
        + "remove the representation", notes: [], place: relationship.source.place(of: .JSONRepresentation))
  }

  /// Returns a property of the given entities that needs the whole element to itself.
  private func elementValue(of entities: [Int]) -> Clash? {
    func clash(_ name: String, _ source: DescriptionSource) -> Clash {
      Clash(
        reason: "\(name.quoted) is also the element itself",
        notes: [.init("the key path of \(name.quoted)", at: source.place(of: .JSONKeyPath))])
    }
    for number in Set(entities.flatMap { Array(index.lineage($0)) }).sorted() {
      let entity = index.entities[number]
      if let attribute = entity.attributes.first(where: { $0.keyPath?.isElementValue == true }) {
        return clash("\(entity.name).\(attribute.name)", attribute.source)
      }
      if let relationship = entity.relationships.first(where: { $0.keyPath?.isElementValue == true && $0.isToMany }) {
        return clash("\(entity.name).\(relationship.name)", relationship.source)
      }
    }
    return nil
  }

  /// Returns an identity attribute that no dictionary can contain, because `@key` and `@index` belong to the owner, although the
  /// owner has keys in the dictionary. Without such keys, elements are identifiers.
  private func unfindable(_ entities: [Int], from owner: Int) -> Clash? {
    guard !uses(of: [owner]).isEmpty else { return nil }
    for lineage in entities.map({ index.lineage($0).map { index.entities[$0] } }) {
      let names = lineage.lazy.map(\.identityAttributes).first { !$0.isEmpty } ?? []
      for entity in lineage {
        for attribute in entity.attributes where names.contains(attribute.name) {
          let paths = [attribute.keyPath].compactMap(\.self) + attribute.keyPathAliases
          guard let path = paths.first, paths.allSatisfy({ $0.isObjectKey || $0.isElementIndex }) else { continue }
          let name = "\(entity.name).\(attribute.name)".quoted
          return Clash(
            reason:
              "no dictionary has \(name), which is \(path.description.quoted) and identifies its objects: add a key of the "
              + "dictionary to the 'JSONKeyPathAliases' of \(name)",
            notes: [.init("the key path of \(name)", at: attribute.source.place(of: .JSONKeyPath))])
        }
      }
    }
    return nil
  }

  /// Returns each entity with its sub-entities.
  private func descendants() -> [[Int]] {
    var descendants: [[Int]] = Array(repeating: [], count: index.entities.count)
    for number in index.entities.indices {
      for ancestor in index.lineage(number) { descendants[ancestor].append(number) }
    }
    return descendants
  }

  /// Returns the entities of the objects that may be read from a dictionary: the entities of a hierarchy, and the entities that
  /// they lead to. A chain that is too long is not followed to its end.
  private func sharing(from destination: Int, _ descendants: [[Int]]) -> (entities: [Int], isWhole: Bool) {
    var met: Set<Int> = []
    var level: Set<Int> = [destination]
    // The owner is the first of the objects.
    for _ in 1..<ModelLimits.sharingObjects {
      var next: Set<Int> = []
      for number in level.flatMap({ descendants[$0] }) where met.insert(number).inserted {
        for entity in index.lineage(number) {
          for relationship in index.entities[entity].relationships where isShared(relationship) {
            if let other = index.entity(named: relationship.destinationName) { next.insert(other) }
          }
        }
      }
      level = next.subtracting(met)
      if level.isEmpty { break }
    }
    return (met.sorted(), level.isEmpty)
  }

  // MARK: Keys

  private struct Clash {
    var reason: String
    var notes: [ModelFindings.Note]
    /// The location of the fault, if it is not the key path.
    var place: SourcePlace?
  }

  /// A key path of an entity, and its purpose.
  private struct Use {
    var path: JSONKeyPath
    var name: String
    var place: SourcePlace
    var isRelationship: Bool
    var isRead: Bool
    var isWritten: Bool
    var isAlias = false
  }

  /// Returns two uses of a key that exclude each other: both read objects, both write, or one reads what the other writes.
  private func clash(of outer: [Int], with inner: [Int]) -> Clash? {
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
        if use.isWritten, other.isWritten {
          return Clash(
            reason: "\(other.name.quoted) and \(use.name.quoted) would both write the key "
              + "\(use.path.keys[0].quoted) into one dictionary: give one of them another key",
            notes: notes)
        }
        if use.isWritten != other.isWritten, use.isRead || other.isWritten, other.isRead || use.isWritten {
          let (reader, writer) = use.isWritten ? (other, use) : (use, other)
          let advice = reader.isAlias ? "remove the alias" : "give one of them another key"
          return Clash(
            reason: "\(reader.name.quoted) would read what \(writer.name.quoted) writes under the key "
              + "\(use.path.keys[0].quoted): \(advice)", notes: notes)
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
          isRelationship: isRelationship && direction != .export, isRead: direction != .export,
          isWritten: !isAlias && direction != .import, isAlias: isAlias)
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
