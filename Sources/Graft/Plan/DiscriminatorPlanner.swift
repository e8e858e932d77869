/// Determines the value that an export of an entity's objects writes at the key path of their declarative mapper.
struct DiscriminatorPlanner {
  let keyPath: JSONKeyPath
  private let memory: KeptMemory
  private let entity: EntityPlan
  /// The table's keys for the entity, in the order of the table. Never empty.
  private let keys: [String]

  /// Returns nil if no declarative mapper has a key for the entity.
  init?(_ memory: KeptMemory, _ entity: EntityPlan) {
    let described = sequence(first: entity, next: \.parent).first { $0.description.entityMapper != nil }
    guard let mapper = described?.description.entityMapper else { return nil }
    keys = mapper.cases.filter { $0.entityName == entity.name }.map(\.value)
    guard !keys.isEmpty else { return nil }
    keyPath = mapper.keyPath
    self.memory = memory
    self.entity = entity
  }

  /// The first key is written (D4), regardless of the key that the payload contained. If the key is the text of a number or
  /// boolean, its bare form has no quotes.
  var discriminator: ExportStep.Discriminator {
    let quoted = JSON.string(keys[0])
    return discriminator(quoted, bare: DiscriminatorPlanner.bare(keys[0]) ?? quoted)
  }

  /// Returns the value to write if an attribute at the mapper's key path is nil: the first key that the attribute can read,
  /// in the form that the attribute reads.
  ///
  /// Returns nil if the attribute cannot read any of the keys, so null is written. Such a discriminator could not be imported
  /// (E4), and an object with an identity is found without it (I7).
  func discriminator(at slot: Int) -> ExportStep.Discriminator? {
    let property = entity.properties[slot]
    guard let attribute = property.attribute else { return nil }
    // A registered closure is assumed to accept the key that the payload contained. The closure is not called to verify this.
    if let transformer = property.transformer, transformer.builtIn == nil { return discriminator }
    if attribute.type == .json { return discriminator }
    for key in keys {
      for json in [.string(key), DiscriminatorPlanner.bare(key)].compactMap(\.self) where reads(json, property, slot) {
        return discriminator(json, bare: json)
      }
    }
    return nil
  }

  private func reads(_ json: JSON, _ property: PropertyPlan, _ slot: Int) -> Bool {
    guard let attribute = property.attribute else { return false }
    var value: AttributeValue?
    if let transformer = property.transformer {
      value = try? transformer.forward(json)?.converted(to: attribute.type)
    } else {
      value = try? AttributeValue(json: json, type: attribute.type)
    }
    guard let value else { return false }
    return entity.rules.first { $0.slot == slot }?.allow(value) ?? true
  }

  /// Returns a key as a number or boolean if its text represents one; or nil for any other key.
  private static func bare(_ key: String) -> JSON? {
    switch key {
    case "true": true
    case "false": false
    default: JSONNumber(key).map { .number($0) }
    }
  }

  private func discriminator(_ json: JSON, bare: JSON) -> ExportStep.Discriminator {
    let text = Array(JSONWriter.text(of: json).utf8)
    let bareText = Array(JSONWriter.text(of: bare).utf8)
    return ExportStep.Discriminator(
      text: memory.place(bytes: text), bareText: memory.place(bytes: bareText))
  }
}

extension SlotRules {
  /// Returns whether a value satisfies the model's validation keywords. Registered validations are not run.
  fileprivate func allow(_ value: AttributeValue) -> Bool {
    if let allowedValues, !allowedValues.contains(value) { return false }
    if let minimum, value.isLess(than: minimum) { return false }
    if let maximum, maximum.isLess(than: value) { return false }
    if let length = value.length {
      if let minLength, length < minLength { return false }
      if let maxLength, length > maxLength { return false }
    }
    if let pattern, case .string(let text) = value, !pattern.matches(text) { return false }
    return true
  }
}
