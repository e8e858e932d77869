extension ModelFileReader {
  /// Reads one attribute (M4): an object, or only the type.
  func attribute(_ member: ModelFileMember, of entity: String) -> AttributeDescription {
    // The type is replaced below. If it cannot be read, the source records this.
    var attribute = AttributeDescription(member.key, .json)
    attribute.source = DescriptionSource(text: text, name: member.keyRange)
    let owner = FileOwner(level: .attribute, entity: entity, property: member.key)
    if member.value.text != nil {
      attribute.source.add(.type, member.value.range)
      readType(member.value, owner, into: &attribute) { type in "{ \"type\": \"\(type)\", \"optional\": true }" }
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
    if let type = fields.first(where: { $0.key == .type }) {
      let isOptionalGiven = fields.contains { $0.key == .optional }
      readType(type.value, owner, into: &attribute) { type in
        isOptionalGiven ? nil : "\"\(type)\", \"optional\": true"
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
      case .renamedFrom: attribute.renamedFrom = string(value, key, owner)
      case .optional: attribute.isOptional = boolean(value, key, owner) ?? false
      case .default:
        if !value.isNull { attribute.defaultValue = storedValue(value, key, owner, &attribute) }
      case .JSONKeyPath: path = value
      case .JSONKeyPathAliases: attribute.keyPathAliases = aliases(value, owner, &attribute.source)
      case .JSONDirection: attribute.direction = word(value, key, owner) ?? .both
      case .JSONTransformerName: attribute.transformerName = string(value, key, owner)
      case .minimum: attribute.validation.minimum = bound(value, key, owner, &attribute)
      case .maximum: attribute.validation.maximum = bound(value, key, owner, &attribute)
      case .minLength: attribute.validation.minLength = count(value, key, owner)
      case .maxLength: attribute.validation.maxLength = count(value, key, owner)
      case .pattern: attribute.validation.pattern = string(value, key, owner)
      case .enum: readEnum(value, owner, into: &attribute)
      case .extensible: attribute.validation.isExtensible = boolean(value, key, owner) ?? false
      case .userInfo: attribute.userInfo = userInfo(value, owner)
      default: break
      }
    }
    attribute.keyPath = keyPath(path, of: member.key, owner, &attribute.source)
    return attribute
  }

  /// - Parameter optional: the text that makes an attribute of a type optional, in place of the node.
  private func readType(
    _ node: ModelFileNode, _ owner: FileOwner, into attribute: inout AttributeDescription,
    optional: (_ type: String) -> String?
  ) {
    if case .string(let text) = node.kind, AttributeType(rawValue: text) == nil, entityNames.contains(UTF8Key(text)) {
      report(.entityAsType(text, of: owner.description, owner.property ?? ""), at: node.range)
      attribute.source.markUnreadable(.type)
      return
    }
    if let (finding, type) = foreignType(node, owner) {
      let edit = type.flatMap(optional).map { SourceEdit(replacing: node.range, with: $0) }
      report(edit.map { finding.fixed(by: $0) } ?? finding, at: node.range)
      attribute.source.markUnreadable(.type)
      return
    }
    let type: AttributeType? = noting(&attribute.source, .type) {
      word(node, .type, owner, meaning: { AttributeType(foreignName: $0) })
    }
    if let type { attribute.type = type }
  }

  /// Recognizes a type that has to be written in another form: `string?`, `["string", "null"]`, `array`. Returns the
  /// finding, and the type if it is written as an optional one.
  private func foreignType(_ node: ModelFileNode, _ owner: FileOwner) -> (finding: ModelFinding, optional: String?)? {
    if let words = node.elements?.map(\.text), words.count == 2, words.contains("null") {
      guard let word = words.compactMap(\.self).first(where: { $0 != "null" }), let type = AttributeType(meant: word)
      else { return nil }
      let text = words.map { "\"\($0 ?? "")\"" }.joined(separator: ", ")
      return (.optionalType("[\(text)]", of: owner.description, type.rawValue), type.rawValue)
    }
    guard let text = node.text else { return nil }
    if text.hasSuffix("?"), let type = AttributeType(meant: text) {
      return (.optionalType(text, of: owner.description, type.rawValue), type.rawValue)
    }
    return AttributeType.isList(text) ? (.listType(text, of: owner.description), nil) : nil
  }

  /// Reads a value of the attribute's type, in the form of JSON without a transformer (D5).
  private func storedValue(
    _ node: ModelFileNode, _ key: ModelFileKey, _ owner: FileOwner, _ attribute: inout AttributeDescription
  ) -> AttributeValue? {
    guard attribute.source.isReadable(.type) else { return nil }
    do {
      return try AttributeValue(json: json(node), type: attribute.type)
    } catch {
      attribute.source.markUnreadable(key)
      report(.unfitValue(key, of: owner.name, error), at: node.range)
      return nil
    }
  }

  /// Reads `minimum` or `maximum`. The value is kept even if the type has no order, which a check reports.
  private func bound(
    _ node: ModelFileNode, _ key: ModelFileKey, _ owner: FileOwner, _ attribute: inout AttributeDescription
  ) -> AttributeValue? {
    attribute.type.isNumeric ? storedValue(node, key, owner, &attribute) : .json(json(node))
  }

  private func readEnum(_ node: ModelFileNode, _ owner: FileOwner, into attribute: inout AttributeDescription) {
    guard let elements = node.elements else { return reportType("an array of values", .enum, owner, node) }
    var values: [AttributeValue] = []
    for element in elements {
      if element.isNull {
        let what = "a value in 'enum' of \(owner) (null is what \"optional\": true allows)"
        report(.wrongType(what, found: element), at: element.range)
        attribute.source.markUnreadable(.enum)
      } else if let value = storedValue(element, .enum, owner, &attribute) {
        attribute.source.add(.enum, element: values.count, element.range)
        values.append(value)
      }
    }
    if attribute.source.isReadable(.type) { attribute.validation.allowedValues = values }
  }
}
