extension ModelChecker {
  /// The maximum number of keys in a key path.
  static let mostKeys = 100

  /// Checks that aliases accompany a key path and that no path is too long (M7).
  func checkKeyPaths(
    _ path: JSONKeyPath?, _ aliases: [JSONKeyPath], _ source: DescriptionSource, _ name: () -> String
  ) {
    guard let path else {
      if !aliases.isEmpty, source.isReadable(.JSONKeyPath) {
        findings.report(.aliasWithoutKeyPath(name()), at: source.place(of: .JSONKeyPathAliases))
      }
      return
    }
    checkLength(of: path, source.place(of: .JSONKeyPath), { name().quoted })
    // A path that the model's strategy derives from a name is not written in the file.
    checkSpelling(of: path, source.place(of: .JSONKeyPath), isWritten: source[.JSONKeyPath] != nil, { name().quoted })
    for (element, alias) in aliases.enumerated() {
      checkLength(of: alias, source.place(of: .JSONKeyPathAliases, element: element), { name().quoted })
      checkSpelling(
        of: alias, source.place(of: .JSONKeyPathAliases, element: element), isWritten: true, { name().quoted })
    }
  }

  func checkLength(of path: JSONKeyPath, _ place: @autoclosure () -> SourcePlace, _ owner: () -> String) {
    guard path.keys.count > Self.mostKeys else { return }
    let text = path.keys.prefix(4).joined(separator: ".") + "…"
    findings.report(.malformedKeyPath(text, of: owner(), "it has more than \(Self.mostKeys) keys"), at: place())
  }

  /// Checks for the path syntax of other languages: `$.price.amount` and `$['price']` (JSONPath), `/price/amount` (JSON
  /// Pointer), `prices[0]`, `prices.0.amount` (JavaScript), `prices.@count` (key-value coding), and for misspelled words:
  /// `@parnt.id`. An array of keys is always taken literally.
  private func checkSpelling(
    of path: JSONKeyPath, _ place: @autoclosure () -> SourcePlace, isWritten: Bool, _ owner: () -> String
  ) {
    guard !path.isLiteral, !path.isThroughArrays, let first = path.keys.first else { return }
    let isRooted = first.hasPrefix("$") && (first.hasPrefix("$[") || first == "$" && path.keys.count > 1)
    let isPointer = (first.hasPrefix("/") || first.hasPrefix("#/")) && first.count > 1
    let hasPlace = path.keys.dropFirst().contains { $0.utf8.allSatisfy { 48...57 ~= $0 } }
    let text = path.keys.joined(separator: ".")
    if checkAnnotation(in: path, place(), isWritten: isWritten, owner) { return }
    if let word = path.keys.dropFirst().first(where: Self.collectionOperators.contains) {
      findings.report(.collectionOperator(word, in: text, of: owner()), at: place())
      return
    }
    if let (key, word) = nearKeyWord(path) {
      let meant = path.keys.map { $0 == key ? word : $0 }.joined(separator: ".")
      findings.report(.nearKeyWord(key, in: text, of: owner(), meant), at: place())
      return
    }
    guard isRooted || isPointer || hasPlace || path.keys.contains(where: { $0.hasSuffix("]") && $0.contains("[") })
    else {
      return
    }
    let meant = ForeignKeyPath(text)
    // Another check determines whether the property can read through arrays.
    let keys = isWritten && !meant.isThroughArrays ? meant.keys : nil
    let edit = keys.flatMap { keys in
      meant.text.map { NameFix.edit(text, to: $0, at: place()) } ?? NameFix.edit(text, toKeys: keys, at: place())
    }
    findings.report(.foreignKeyPath(text, of: owner(), meant).fixed(by: edit), at: place())
  }

  /// Checks for OData annotations, which are single keys that contain dots: `@odata.etag`, `Orders@odata.count`.
  ///
  /// - Returns: whether there is an annotation.
  @discardableResult
  func checkAnnotation(
    in path: JSONKeyPath, _ place: @autoclosure () -> SourcePlace, isWritten: Bool, _ owner: () -> String
  ) -> Bool {
    let namespaces = ["@odata", "@microsoft"]
    guard !path.isLiteral, path.keys.count > 1,
      let first = path.keys.dropLast().firstIndex(where: { key in namespaces.contains { key.hasSuffix($0) } })
    else { return false }
    let text = path.keys.joined(separator: ".")
    let keys = path.keys[..<first] + [path.keys[first...].joined(separator: ".")]
    let edit = isWritten ? NameFix.edit(text, toKeys: Array(keys), at: place()) : nil
    findings.report(.annotationKeyPath(Array(keys), in: text, of: owner()).fixed(by: edit), at: place())
    return true
  }

  /// Returns a key that is almost one of the reserved words, and the word. Other keys, such as `@id` and `@type`, are common.
  private func nearKeyWord(_ path: JSONKeyPath) -> (key: String, word: String)? {
    for key in path.keys where key.hasPrefix("@") && !JSONKeyPath.isReserved(key) {
      let start = key.lowercased().prefix(3)
      if let word = Suggestion.nearest(to: key, among: JSONKeyPath.reservedWords), word.hasPrefix(start) {
        return (key, word)
      }
    }
    return nil
  }

  /// The collection operators of key-value coding.
  private static let collectionOperators: Set<String> = [
    "@avg", "@count", "@distinctUnionOfArrays", "@distinctUnionOfObjects", "@distinctUnionOfSets", "@max", "@min",
    "@sum", "@unionOfArrays", "@unionOfObjects", "@unionOfSets",
  ]
}

extension JSONKeyPath {
  /// The word `@key`, `@value`, `@index`, `@parent` or `@root`, if it is one of the path's keys.
  var reservedWord: String? { isLiteral ? nil : keys.first(where: Self.isReserved) }

  /// The reserved words.
  static let reservedWords = ["@key", "@value", "@index", Surroundings.parent.rawValue, Surroundings.root.rawValue]

  /// Returns whether a key is a reserved word.
  static func isReserved(_ key: String) -> Bool { reservedWords.contains(key) }
}
