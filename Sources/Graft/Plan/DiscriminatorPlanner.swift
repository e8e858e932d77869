/// Decides what an entity's objects write at the key path of their declarative mapper.
struct DiscriminatorPlanner {
  let keyPath: JSONKeyPath
  private let memory: PlanMemory
  private let entity: EntityPlan
  /// The keys that the table has for the entity, in its order; at least one.
  private let keys: [String]

  /// nil: no declarative mapper has a key for the entity.
  init?(_ memory: PlanMemory, _ entity: EntityPlan) {
    let described = sequence(first: entity, next: \.parent).first { $0.description.entityMapper != nil }
    guard let mapper = described?.description.entityMapper else { return nil }
    keys = mapper.cases.filter { $0.entityName == entity.name }.map(\.value)
    guard !keys.isEmpty else { return nil }
    keyPath = mapper.keyPath
    self.memory = memory
    self.entity = entity
  }

  /// The first key is written (D4), whichever the payload had: bare only where it can be, as `text` cannot.
  var discriminator: ExportStep.Discriminator {
    let quoted = JSON.string(keys[0])
    return discriminator(quoted, bare: DiscriminatorPlanner.bare(keys[0]) ?? quoted)
  }

  /// What stands for an attribute at the mapper's key path that is nil: the first key that the attribute reads, in the form
  /// that it reads. An attribute that reads none of them is null: the discriminator could not be imported (E4), and an
  /// object with an identity is found without it (I7).
  func discriminator(at slot: Int) -> ExportStep.Discriminator? {
    let property = entity.properties[slot]
    guard let attribute = property.attribute else { return nil }
    // A closure of the program takes what the payload had; it is not called to find that out.
    if let transformer = property.transformer, transformer.builtIn == nil { return discriminator }
    if property.transformer == nil, attribute.type == .json { return discriminator }
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

  /// A key that is the text of a number or truth value, as that; nil for any other.
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
      text: UnsafePointer(memory.place(text)), count: text.count, bareText: UnsafePointer(memory.place(bareText)),
      bareCount: bareText.count)
  }
}

extension SlotRules {
  /// Whether a value meets the words of the model; what a program asks of it is not asked.
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
