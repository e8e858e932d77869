extension ModelFileReader {
  /// Reads a key path: dot-separated keys, or an array of keys, which may contain dots (M7).
  func keyPath(_ node: ModelFileNode, _ key: ModelFileKey, _ owner: FileOwner) -> JSONKeyPath? {
    func malformed(_ text: String, _ reason: String, at range: SourceRange) -> JSONKeyPath? {
      report(.malformedKeyPath(text, of: owner.description, reason), at: range)
      return nil
    }
    switch node.kind {
    case .string(let text):
      if let path = JSONKeyPath(text) { return path }
      guard !text.isEmpty else {
        return malformed(
          text, "it is empty; use null to keep a property out of JSON, or [\"\"] for the empty key", at: node.range)
      }
      return malformed(text, "it has an empty key; separate keys with dots, as in publisher.name", at: node.range)
    case .array(let elements):
      guard !elements.isEmpty else { return malformed("[]", "it has no keys", at: node.range) }
      var keys: [String] = []
      for element in elements {
        guard let text = element.text else {
          reportType("a key (a string; an array index is not a key)", key, owner, element)
          return nil
        }
        keys.append(text)
      }
      return JSONKeyPath(keys: keys)
    default:
      reportType("a key path (a string, or an array of keys)", key, owner, node)
      return nil
    }
  }

  /// Reads the key path of a property. `null` means no key path; if the key is absent, the strategy applies (M7).
  func keyPath(
    _ node: ModelFileNode?, of property: String, _ owner: FileOwner, _ source: inout DescriptionSource
  ) -> JSONKeyPath? {
    guard let node else {
      if keyStrategy == nil { source.markUnreadable(.JSONKeyPath) }
      return keyStrategy?.keyPath(ofProperty: property)
    }
    if node.isNull { return nil }
    return noting(&source, .JSONKeyPath) { keyPath(node, .JSONKeyPath, owner) }
  }

  /// Reads a `JSONKeyPath` with a key path for each value of an identifier (M24).
  func identifierKeyPaths(
    _ members: [ModelFileMember], _ owner: FileOwner, _ source: inout DescriptionSource
  ) -> [RelationshipDescription.IdentifierKeyPath] {
    var paths: [RelationshipDescription.IdentifierKeyPath] = []
    for member in unique(members) {
      guard let path = keyPath(member.value, .JSONKeyPath, owner) else { continue }
      source.add(.JSONKeyPath, element: paths.count, member.keyRange)
      paths.append(RelationshipDescription.IdentifierKeyPath(member.key, keyPath: path))
    }
    if paths.count < members.count || paths.isEmpty {
      if members.isEmpty, let range = source[.JSONKeyPath] {
        report(.malformedKeyPath("{}", of: owner.description, "it has no key paths"), at: range)
      }
      source.markUnreadable(.JSONKeyPath)
      return []
    }
    return paths
  }

  /// Reads `JSONTransformerName`: a name, or an array of names (T8).
  func transformerNames(
    _ node: ModelFileNode, _ owner: FileOwner, _ source: inout DescriptionSource
  ) -> [String] {
    if node.text == nil, node.elements == nil { source.markUnreadable(.JSONTransformerName) }
    if node.elements?.isEmpty == true {
      report(
        .misplacedForm(ModelFileKey.JSONTransformerName.rawValue, of: "\(owner)", "it names no transformer"),
        at: node.range)
    }
    return texts(node, .JSONTransformerName, owner, &source)
  }

  /// Reads `JSONNulls`: an array of scalars, `[]` and `{}` (M20).
  func nulls(_ node: ModelFileNode, _ owner: FileOwner, _ source: inout DescriptionSource) -> [JSON] {
    guard let elements = node.elements else {
      reportType("an array of JSON values", .JSONNulls, owner, node)
      return []
    }
    var values: [JSON] = []
    for element in elements {
      source.add(.JSONNulls, element: values.count, element.range)
      values.append(json(element))
    }
    return values
  }

  /// Reads `JSONKeyPathAliases`: an array of key paths.
  func aliases(_ node: ModelFileNode, _ owner: FileOwner, _ source: inout DescriptionSource) -> [JSONKeyPath] {
    guard let elements = node.elements else {
      reportType("an array of key paths", .JSONKeyPathAliases, owner, node)
      return []
    }
    var aliases: [JSONKeyPath] = []
    for element in elements {
      guard let path = keyPath(element, .JSONKeyPathAliases, owner) else { continue }
      source.add(.JSONKeyPathAliases, element: aliases.count, element.range)
      aliases.append(path)
    }
    return aliases
  }
}
