extension ModelFileReader {
  /// Reads one attribute (M4): an object, or only the type.
  func attribute(_ member: ModelFileMember, of entity: String) -> AttributeDescription {
    // The type is replaced below. If it cannot be read, the source records this.
    var attribute = AttributeDescription(member.key, .json)
    attribute.source = DescriptionSource(text: text, name: member.keyRange)
    let owner = FileOwner(level: .attribute, entity: entity, property: member.key)
    if member.value.text != nil {
      attribute.source.add(.type, member.value.range)
      readType(member.value, owner, into: &attribute) { type, key in
        "{ \"type\": \"\(type)\", \"\(key.rawValue)\": true }"
      }
      attribute.keyPath = keyPath(nil, of: member.key, owner, &attribute.source)
      return attribute
    }
    guard member.value.members != nil else {
      report(.wrongType("a type or an object for \(owner)", found: member.value), at: member.value.range)
      attribute.source.markUnreadable(.type)
      attribute.source.markUnreadable(.JSONKeyPath)
      return attribute
    }
    let fields = fields(of: member.value, owner)
    if let list = fields.first(where: { $0.key == .list }) {
      attribute.isList = noting(&attribute.source, .list) { boolean(list.value, .list, owner) } ?? false
    }
    if let type = fields.first(where: { $0.key == .type }) {
      readType(type.value, owner, into: &attribute) { type, key in
        fields.contains { $0.key == key } ? nil : "\"\(type)\", \"\(key.rawValue)\": true"
      }
    } else {
      reportMissing(.type, in: member.value, owner, at: member.keyRange)
      attribute.source.markUnreadable(.type)
    }
    var path: ModelFileNode?
    for (key, value, _) in fields {
      attribute.source.add(key, value.range)
      switch key {
      case .doc: attribute.documentation = string(value, key, owner)
      case .renamedFrom: attribute.renamedFrom = texts(value, key, owner, &attribute.source)
      case .migratedFrom: attribute.migration = attributeMigration(value, owner)
      case .optional: attribute.isOptional = boolean(value, key, owner) ?? false
      case .default:
        if !value.isNull { attribute.defaultValue = defaultValue(value, owner, &attribute) }
      case .JSONKeyPath: path = value
      case .JSONKeyPathAliases: attribute.keyPathAliases = aliases(value, owner, &attribute.source)
      case .JSONDirection: attribute.direction = word(value, key, owner) ?? .both
      case .JSONNulls: attribute.nulls = nulls(value, owner, &attribute.source)
      case .lenient: attribute.isLenient = boolean(value, key, owner) ?? false
      case .JSONTransformerName: attribute.transformerNames = transformerNames(value, owner, &attribute.source)
      case .minimum: attribute.validation.minimum = bound(value, key, owner, &attribute)
      case .maximum: attribute.validation.maximum = bound(value, key, owner, &attribute)
      case .minLength: attribute.validation.minLength = count(value, key, owner)
      case .maxLength: attribute.validation.maxLength = count(value, key, owner)
      case .pattern: attribute.validation.pattern = string(value, key, owner)
      case .minCount: attribute.validation.minCount = count(value, key, owner)
      case .maxCount: attribute.validation.maxCount = count(value, key, owner)
      case .enum: readEnum(value, owner, into: &attribute)
      case .extensible: attribute.validation.isExtensible = boolean(value, key, owner) ?? false
      case .sensitive: attribute.isSensitive = boolean(value, key, owner) ?? false
      case .userInfo: attribute.userInfo = userInfo(value, owner)
      default: break
      }
    }
    attribute.keyPath = keyPath(path, of: member.key, owner, &attribute.source)
    return attribute
  }

  /// - Parameter flagged: the replacement of the node, which contains a type and sets a flag: `optional` or `list`.
  private func readType(
    _ node: ModelFileNode, _ owner: FileOwner, into attribute: inout AttributeDescription,
    flagged: (_ type: String, _ flag: ModelFileKey) -> String?
  ) {
    if case .string(let text) = node.kind, AttributeType(rawValue: text) == nil, entityNames.contains(UTF8Key(text)) {
      report(.entityAsType(text, of: owner.description, owner.property ?? ""), at: node.range)
      attribute.source.markUnreadable(.type)
      return
    }
    if let (finding, form) = foreignType(node, owner) {
      let edit = form.flatMap { flagged($0.type, $0.flag) }.map { SourceEdit(replacing: node.range, with: $0) }
      report(edit.map { finding.fixed(by: $0) } ?? finding, at: node.range)
      attribute.source.markUnreadable(.type)
      return
    }
    let type: AttributeType? = noting(&attribute.source, .type) {
      word(node, .type, owner, meaning: { AttributeType(foreignName: $0) })
    }
    if let type { attribute.type = type }
  }

  /// Recognizes a type that must be written in another form: `string?`, `["string", "null"]`, `[string]`. Returns the finding, and the
  /// intended type and flag if they are known.
  private func foreignType(
    _ node: ModelFileNode, _ owner: FileOwner
  ) -> (finding: ModelFinding, form: (type: String, flag: ModelFileKey)?)? {
    if let words = node.elements?.map(\.text), words.count == 2, words.contains("null") {
      guard let word = words.compactMap(\.self).first(where: { $0 != "null" }), let type = AttributeType(meant: word)
      else { return nil }
      let text = words.map { "\"\($0 ?? "")\"" }.joined(separator: ", ")
      return (.optionalType("[\(text)]", of: owner.description, type.rawValue), (type.rawValue, .optional))
    }
    guard let text = node.text else { return nil }
    if text.hasSuffix("?"), let type = AttributeType(meant: text) {
      return (.optionalType(text, of: owner.description, type.rawValue), (type.rawValue, .optional))
    }
    guard AttributeType.isList(text) else { return nil }
    let element = AttributeType(elementOf: text)?.rawValue
    return (.listType(text, of: owner.description, element), element.map { ($0, .list) })
  }

  /// Reads a value of the attribute's type, in its JSON form without a transformer (D5).
  private func storedValue(
    _ node: ModelFileNode, _ key: ModelFileKey, _ owner: FileOwner, _ attribute: inout AttributeDescription
  ) -> AttributeValue? {
    guard attribute.source.isReadable(.type), attribute.source.isReadable(.list) else { return nil }
    do {
      return try AttributeValue(json: json(node), type: attribute.type)
    } catch {
      attribute.source.markUnreadable(key)
      report(.unfitValue(key, of: owner.name, error), at: node.range)
      return nil
    }
  }

  /// Reads `default`: a value, or an array of values for a list (M13).
  private func defaultValue(
    _ node: ModelFileNode, _ owner: FileOwner, _ attribute: inout AttributeDescription
  ) -> AttributeValue? {
    guard attribute.isList else { return storedValue(node, .default, owner, &attribute) }
    guard let elements = node.elements else {
      attribute.source.markUnreadable(.default)
      reportType("an array of values", .default, owner, node)
      return nil
    }
    let values = values(elements, .default, owner, &attribute) {
      "a value in 'default' of \($0), whose elements cannot be null"
    }
    return attribute.source.isReadable(.type) && attribute.source.isReadable(.default) ? .list(values) : nil
  }

  /// Reads an array of values of the attribute's type. Null is reported.
  ///
  /// - Parameter expected: the expectation, for the message about null.
  private func values(
    _ elements: [ModelFileNode], _ key: ModelFileKey, _ owner: FileOwner, _ attribute: inout AttributeDescription,
    expected: (FileOwner) -> String
  ) -> [AttributeValue] {
    var values: [AttributeValue] = []
    for element in elements {
      if element.isNull {
        report(.wrongType(expected(owner), found: element), at: element.range)
        attribute.source.markUnreadable(key)
      } else if let value = storedValue(element, key, owner, &attribute) {
        attribute.source.add(key, element: values.count, element.range)
        values.append(value)
      }
    }
    return values
  }

  /// Reads `minimum` or `maximum`. The value is kept even if the type has no order, which a check reports.
  private func bound(
    _ node: ModelFileNode, _ key: ModelFileKey, _ owner: FileOwner, _ attribute: inout AttributeDescription
  ) -> AttributeValue? {
    attribute.type.isNumeric ? storedValue(node, key, owner, &attribute) : .json(json(node))
  }

  private func readEnum(_ node: ModelFileNode, _ owner: FileOwner, into attribute: inout AttributeDescription) {
    guard let elements = node.elements else { return reportType("an array of values", .enum, owner, node) }
    let values = values(elements, .enum, owner, &attribute) {
      "a value in 'enum' of \($0) (to allow null, use \"optional\": true)"
    }
    if attribute.source.isReadable(.type) { attribute.validation.allowedValues = values }
  }
}
