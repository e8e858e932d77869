import Graft

extension CoreDataTranslator {
  /// Converts an attribute, or returns nil if it is omitted.
  mutating func translate(_ attribute: CoreDataAttribute, of entity: CoreDataEntity) -> AttributeDescription? {
    guard isNamed(attribute.name, attribute.tag) else { return nil }
    let name = "\(entity.name).\(attribute.name)"
    guard !isLeftOut(attribute, name), let type = type(of: attribute, name) else { return nil }
    var info = attribute.userInfo
    let annotations = annotations(of: attribute, in: entity, &info)
    var description = AttributeDescription(attribute.name, type, isOptional: attribute.isOptional)
    (description.keyPath, description.keyPathAliases) = keyPaths(annotations, attribute.name, name, &info)
    if annotations.isNotExported, description.keyPath != nil { description.direction = .import }
    description.transformerName = annotations.transformerName
    description.defaultValue = defaultValue(of: attribute, type, name)
    description.validation = validation(of: attribute, type, name)
    noteUnused(info, name)
    description.userInfo = info.kept
    return description
  }

  private func annotations(
    of attribute: CoreDataAttribute, in entity: CoreDataEntity, _ info: inout CoreDataUserInfo
  ) -> PropertyAnnotations {
    switch convention {
    case .groot: GrootAnnotations.ofAttribute(&info)
    case .magicalRecord: MagicalRecordAnnotations.ofAttribute(&info, isDate: attribute.typeName == "Date")
    case .sync: SyncAnnotations.ofAttribute(&info, name: attribute.name, of: entity.name)
    case nil: PropertyAnnotations()
    }
  }

  /// Returns whether an attribute is omitted. Computed properties are omitted unless an annotation specifies a key path.
  private mutating func isLeftOut(_ attribute: CoreDataAttribute, _ name: String) -> Bool {
    let place = place(attribute.tag, "attributeType")
    if ["ObjectID", "Object ID"].contains(attribute.typeName) {
      notes.add(.objectID(name, place))
      return true
    }
    guard attribute.isComputed else { return false }
    guard let convention, attribute.userInfo.entries.contains(where: { convention.owns($0.key) }) else {
      notes.add(.computed(name, attribute.tag["derivationExpression"], self.place(attribute.tag, "name")))
      return true
    }
    notes.add(.computedAndMapped(name, self.place(attribute.tag, "name")))
    return false
  }

  // MARK: Types

  private static let types: [String: AttributeType] = [
    "Integer 16": .integer16, "Integer 32": .integer32, "Integer 64": .integer64, "Decimal": .decimal,
    "Double": .double, "Float": .float, "String": .string, "Boolean": .boolean, "Date": .date, "Binary": .binary,
    "Binary Data": .binary, "UUID": .uuid, "URI": .uri,
  ]

  private mutating func type(of attribute: CoreDataAttribute, _ name: String) -> AttributeType? {
    let place = place(attribute.tag, "attributeType")
    if let type = CoreDataTranslator.types[attribute.typeName] {
      guard type == .binary, convention == .sync else { return type }
      notes.add(.archived(name, place))
      return .json
    }
    switch attribute.typeName {
    case "Transformable": notes.add(.transformable(name, attribute.className, place))
    case "Composite": notes.add(.composite(name, place))
    default: notes.add(.unknownType(name, attribute.typeName, place))
    }
    return .json
  }

  // MARK: Values

  private mutating func defaultValue(
    of attribute: CoreDataAttribute, _ type: AttributeType, _ name: String
  ) -> AttributeValue? {
    for key in ["defaultValueString", "defaultDateTimeInterval"] {
      guard let text = attribute.tag[key], type == .string || !text.isEmpty else { continue }
      if let value = CoreDataValue.read(text, as: type) { return value }
      notes.add(.unreadable("default", text, of: name, type.rangePhrase, place(attribute.tag, key)))
    }
    return nil
  }

  private mutating func validation(
    of attribute: CoreDataAttribute, _ type: AttributeType, _ name: String
  ) -> AttributeValidation {
    var validation = AttributeValidation()
    if type == .string {
      // For strings, the bounds are lengths.
      validation.minLength = bound("minValueString", of: attribute, name, "a length") { Int($0) }
      validation.maxLength = bound("maxValueString", of: attribute, name, "a length") { Int($0) }
      if validation.minLength == 0 { validation.minLength = nil }
      if let pattern = attribute.tag["regularExpressionString"], !pattern.isEmpty {
        // Core Data matches the whole string; here a pattern matches anywhere.
        validation.pattern = "^(?:\(pattern))$"
      }
    } else if type.isNumber {
      let read = { CoreDataValue.read($0, as: type) }
      validation.minimum = bound("minValueString", of: attribute, name, type.rangePhrase, read)
      validation.maximum = bound("maxValueString", of: attribute, name, type.rangePhrase, read)
    }
    if let key = ["minDateTimeInterval", "maxDateTimeInterval"].first(where: { attribute.tag[$0] != nil }) {
      notes.add(.dateBounds(name, place(attribute.tag, key)))
    }
    return validation
  }

  private mutating func bound<Value>(
    _ key: String, of attribute: CoreDataAttribute, _ name: String, _ expected: String, _ read: (String) -> Value?
  ) -> Value? {
    guard let text = attribute.tag[key], !text.isEmpty else { return nil }
    let value = read(text)
    if value == nil {
      let what = key.hasPrefix("min") ? "lower bound" : "upper bound"
      notes.add(.unreadable(what, text, of: name, expected, place(attribute.tag, key)))
    }
    return value
  }
}

extension AttributeType {
  /// Whether the type is a number, which can have bounds.
  fileprivate var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .float, .double, .decimal: true
    case .boolean, .string, .date, .binary, .uuid, .uri, .json: false
    }
  }
}
