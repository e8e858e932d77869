extension ModelChecker {
  /// Checks that `@key`, `@value` and `@index` are the only key of their path, that `@parent` and `@root` are the first, and that they have
  /// a meaning where they are used (M11, M12, M19).
  ///
  /// `@key` is the key under which an object appears. One attribute of each entity can read it. `@value` is the element itself. One
  /// property of each entity can read it. `@index` is the position of the object in an array. One integer attribute of each entity
  /// can read it. `@parent` and `@root` read values outside the object. Any attribute or to-one relationship that is not part of an
  /// identity can read them.
  func checkKeyWords() {
    /// The properties that use each word, in the current entity and its ancestors.
    var holders: [String: [(entity: Int, name: String, place: SourcePlace)]] = [:]
    var held: [[String]] = []

    func hold(_ word: String, _ name: String, _ place: SourcePlace, in entity: Int) {
      if let first = holders[word]?.first {
        findings.report(
          .misplacedKeyWord(word, in: name, "'\(first.name)' already has it"), at: place,
          notes: [.init("'\(first.name)' has it here", at: first.place)])
      }
      holders[word, default: []].append((entity, name, place))
      held[held.count - 1].append(word)
    }

    index.walkHierarchies { entity in
      held.append([])
      for use in keyWordUses(of: entity) {
        if let reason = use.fault {
          findings.report(.misplacedKeyWord(use.word, in: use.name, reason), at: use.place)
        } else if JSONKeyPath.Surroundings(rawValue: use.word) == nil {
          hold(use.word, use.name, use.place, in: entity)
        }
      }
    } leave: { _ in
      for word in held.removeLast() { holders[word]?.removeLast() }
    }
  }

  /// A key path that contains such a word, and what is wrong with it regardless of other key paths.
  private struct KeyWordUse {
    var word: String
    var name: String
    var place: SourcePlace
    var fault: String?
  }

  /// Returns why an attribute cannot hold a position in an array; nil if it can hold one.
  private func faultOfIndex(_ attribute: AttributeDescription) -> String? {
    if attribute.transformerName != nil { return "a position is an integer, which no transformer accepts" }
    guard attribute.source.isReadable(.type), attribute.type.integerRange == nil else { return nil }
    return "a position is an integer, which does not fit type '\(attribute.type.rawValue)'"
  }

  /// Returns what is wrong with the form of a key path that contains `@key`, `@value` or `@index`.
  private func faultOfWord(_ path: JSONKeyPath) -> String? {
    path.keys.count == 1 ? nil : "it must be the only key of a key path"
  }

  /// Returns what is wrong with the form of a key path that contains `@parent` or `@root`.
  private func faultOfSurroundings(_ path: JSONKeyPath, isLast: Bool) -> String? {
    if path.surroundings == nil { return "it must be the first key of a key path" }
    if path.keys.count == 1 { return "it needs a key after it, as in \"\(path.keys[0]).id\"" }
    if path.keys.dropFirst().contains(where: JSONKeyPath.isReserved) { return "only ordinary keys may follow it" }
    return isLast ? nil : "it must be the last of the property's key paths, because the object's own keys come first"
  }

  /// Returns what is wrong with a key path through arrays (M25).
  private func faultOfBrackets(
    _ path: JSONKeyPath, isLast: Bool, _ name: String, _ entity: EntityDescription
  ) -> String? {
    let attribute = entity.attributes.first { $0.name == name }
    let relationship = entity.relationships.first { $0.name == name }
    if attribute?.isList == false || relationship?.isToMany == false {
      return "it collects several values, which only a list or a to-many can hold"
    }
    if path.reservedWord != nil { return "it cannot be combined with '\(path.reservedWord ?? "")'" }
    if path.segments.dropLast().contains(where: { $0.last?.isEmpty != false }) {
      return "brackets follow the key of an array, as in \"edges[].node\""
    }
    if path.segments.count == 2, path.segments[1].isEmpty {
      return "without a key after the brackets, they are not needed"
    }
    if path.segments.dropFirst().contains(where: { $0.contains("") }) { return "it has an empty key" }
    if !isLast { return "it must be the last of the property's key paths, because it is read at the end of the object" }
    let direction = attribute?.direction ?? relationship?.direction ?? .both
    let isAlias = (attribute?.keyPath ?? relationship?.keyPath) != path
    if direction != .import, path.elementKey == nil, !isAlias {
      return
        "it can only be read, because there is more than one key after the brackets: add \"JSONDirection\": \"import\""
    }
    return nil
  }

  private func faultOfIdentity(_ property: String, _ number: Int) -> String? {
    identified(by: property, in: number).map { "it identifies objects of \($0.name.quoted), wherever they appear" }
  }

  /// Returns why a relationship cannot read an identifier from outside; nil if it can read one.
  private func faultOfSurroundings(_ relationship: RelationshipDescription, _ number: Int) -> String? {
    if let fault = faultOfIdentity(relationship.name, number) { return fault }
    if relationship.isToMany, relationship.source.isReadable(.toMany) {
      return "it is for attributes and to-one relationships"
    }
    guard relationship.source.isReadable(.destination),
      let destination = index.entity(named: relationship.destinationName)
    else { return nil }
    if !index.mayHaveIdentity(destination) {
      return "it reads an identifier, but \(relationship.destinationName.quoted) has no identity"
    }
    guard let inverse = relationship.inverseName, identified(by: inverse, in: destination) != nil else { return nil }
    return "objects of \(relationship.destinationName.quoted) are identified inside their owner"
  }

  /// Returns why the element itself cannot be the value of a relationship; nil if the element can be the value.
  private func faultOfValue(_ relationship: RelationshipDescription, _ number: Int) -> String? {
    guard !relationship.isToMany, relationship.source.isReadable(.toMany), relationship.source.isReadable(.destination),
      let destination = index.entity(named: relationship.destinationName), let inverse = relationship.inverseName
    else { return nil }
    // The owner of the object would have to be read first.
    return identified(by: inverse, in: destination).map { "it identifies objects of \($0.name.quoted)" }
  }

  private func keyWordUses(of number: Int) -> [KeyWordUse] {
    let entity = index.entities[number]
    var uses: [KeyWordUse] = []

    func look(
      _ path: JSONKeyPath?, _ aliases: [JSONKeyPath], _ name: String, _ source: DescriptionSource,
      _ fault: (String) -> String?
    ) {
      func add(_ path: JSONKeyPath, isLast: Bool, _ place: @autoclosure () -> SourcePlace) {
        if path.isThroughArrays {
          guard let fault = faultOfBrackets(path, isLast: isLast, name, entity) else { return }
          findings.report(.misplacedBrackets(path, of: "\(entity.name).\(name)".quoted, fault), at: place())
          return
        }
        guard let word = path.reservedWord else { return }
        let isSurrounding = JSONKeyPath.Surroundings(rawValue: word) != nil
        let form = isSurrounding ? faultOfSurroundings(path, isLast: isLast) : faultOfWord(path)
        uses.append(
          KeyWordUse(word: word, name: "\(entity.name).\(name)", place: place(), fault: form ?? fault(word)))
      }
      if let path { add(path, isLast: aliases.isEmpty, source.place(of: .JSONKeyPath)) }
      for (element, alias) in aliases.enumerated() {
        add(alias, isLast: element == aliases.count - 1, source.place(of: .JSONKeyPathAliases, element: element))
      }
    }

    for attribute in entity.attributes {
      look(attribute.keyPath, attribute.keyPathAliases, attribute.name, attribute.source) { word in
        if JSONKeyPath.Surroundings(rawValue: word) != nil { return faultOfIdentity(attribute.name, number) }
        if word == "@key", attribute.isList { return "a key is text, which cannot be a list" }
        if word == "@index", attribute.isList { return "a position is a number, which cannot be a list" }
        if word == "@index" { return faultOfIndex(attribute) }
        guard word == "@key", attribute.transformerName == nil, attribute.source.isReadable(.type) else { return nil }
        return switch attribute.type {
        case .json, .binary, .date:
          "a key is text, which type '\(attribute.type.rawValue)' cannot read without a transformer"
        default: nil
        }
      }
    }
    for relationship in entity.relationships {
      look(relationship.keyPath, relationship.keyPathAliases, relationship.name, relationship.source) { word in
        if JSONKeyPath.Surroundings(rawValue: word) != nil { return faultOfSurroundings(relationship, number) }
        if word == "@key" { return "a key is text, which only an attribute can hold" }
        if word == "@index" { return "a position is a number, which only an attribute can hold" }
        return faultOfValue(relationship, number)
      }
    }
    return uses
  }
}
