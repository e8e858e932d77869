/// Checks the values of a row against the model (I9). Placeholders are exempt (I4).
struct RowValidator {
  /// A value that violates the model.
  struct Failure {
    /// The slot of the value; nil for the object as a whole.
    var slot: Int?
    /// Whether a value is missing, or a required to-many is empty.
    var isMissing: Bool
    var code: String
    var message: String
    var key: ModelFileKey?
    /// The error that a closure of the program threw.
    var cause: (any Error)?
  }

  let plan: Plan
  let reader: RowReader
  private let activity: UnsafeMutablePointer<ContextActivity>

  init(_ context: ManagedObjectContext) {
    plan = context.model.plan
    reader = RowReader(context.state)
    activity = context.activity
  }

  /// Returns whether all required values are present. The other rules are left to ``failures(_:)``.
  @inline(__always)
  func isComplete(_ base: UnsafeMutablePointer<UInt64>, _ layout: UnsafeMutablePointer<EntityLayout>, words: Int)
    -> Bool
  {
    for word in 0..<words where layout.pointee.required[word] & ~base[1 + word] != 0 { return false }
    return true
  }

  /// Returns everything that is wrong with a row, in model order.
  func failures(_ base: UnsafeMutablePointer<UInt64>) -> [Failure] {
    let entity = plan.entities[RowHeader.entity(base[0])]
    let layout = plan.layouts[entity.index]
    var failures: [Failure] = []
    for (number, property) in entity.properties.enumerated() where !property.isOptional {
      let slot = layout.slots[number]
      if base[slot.word] & slot.mask == 0 {
        let isToMany = slot.kind == .toMany
        failures.append(
          Failure(
            slot: number, isMissing: true, code: "missing-value",
            message: isToMany
              ? "expected at least one object in '\(entity.name).\(property.name)', found none"
              : "expected a value for '\(entity.name).\(property.name)', which is not optional, found none",
            key: .optional))
      }
    }
    for rules in entity.rules { check(rules, base, entity, layout.slots[rules.slot], &failures) }
    return failures
  }

  private func check(
    _ rules: SlotRules, _ base: UnsafeMutablePointer<UInt64>, _ entity: EntityPlan, _ slot: SlotPlan,
    _ failures: inout [Failure]
  ) {
    let name = "'\(entity.name).\(entity.properties[rules.slot].name)'"
    func fail(_ message: String, _ key: ModelFileKey) {
      failures.append(
        Failure(slot: rules.slot, isMissing: false, code: "invalid-value", message: message, key: key))
    }
    if slot.kind.isRelationship {
      let count = slot.kind == .toOne ? (base[slot.cell] == 0 ? 0 : 1) : reader.count(base, slot)
      if let least = rules.minCount, count < least {
        fail("expected at least \(least) object\(least == 1 ? "" : "s") in \(name), found \(count)", .minCount)
      }
      if let most = rules.maxCount, count > most {
        fail("expected at most \(most) object\(most == 1 ? "" : "s") in \(name), found \(count)", .maxCount)
      }
      return
    }
    guard let value = reader.value(base, slot) else { return }
    var found: String { "found \(FoundPhrase.of(value.jsonValue))" }
    if let allowed = rules.allowedValues, !allowed.contains(value) {
      let list = allowed.map { JSONWriter.text(of: $0.jsonValue) }.joined(separator: ", ")
      fail("expected \(allowed.count == 1 ? "" : "one of ")\(list) for \(name), \(found)", .enum)
    }
    if let least = rules.minimum, value.isLess(than: least) {
      fail("expected at least \(JSONWriter.text(of: least.jsonValue)) for \(name), \(found)", .minimum)
    }
    if let most = rules.maximum, most.isLess(than: value) {
      fail("expected at most \(JSONWriter.text(of: most.jsonValue)) for \(name), \(found)", .maximum)
    }
    if rules.minLength != nil || rules.maxLength != nil {
      let bytes = reader.state.pointee.texts.bytes(base[slot.cell])
      // Counts the bytes that are not continuation bytes, which begin with 10: there is one for each scalar.
      let length = slot.kind == .binary ? bytes.count : bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
      let unit = slot.kind == .binary ? "byte" : "character"
      if let least = rules.minLength, length < least {
        fail("expected at least \(least) \(unit)\(least == 1 ? "" : "s") for \(name), found \(length)", .minLength)
      }
      if let most = rules.maxLength, length > most {
        fail("expected at most \(most) \(unit)\(most == 1 ? "" : "s") for \(name), found \(length)", .maxLength)
      }
    }
    if let pattern = rules.pattern, !pattern.matches(reader.state.pointee.texts.bytes(base[slot.cell])) {
      fail("expected text that matches the pattern \(pattern.text) for \(name), \(found)", .pattern)
    }
    // The program's validations are not called for values that already violate the model.
    guard !rules.validations.isEmpty, failures.last?.slot != rules.slot else { return }
    for validation in rules.validations {
      do {
        try activity.run(.valueValidation(entity: entity.index, slot: rules.slot)) { try validation.check(value) }
      } catch let error as TransformerInputError {
        fail("expected \(error.expected) for \(name), \(found)", .type)
      } catch {
        failures.append(
          Failure(
            slot: rules.slot, isMissing: false, code: "invalid-value", message: "\(name) is not valid: \(error)",
            cause: error))
      }
    }
  }

  /// Returns the failures of the program's validations of an object whose values are all valid individually.
  func failures(of object: ManagedObject) -> [Failure] {
    let entity = object.entityPlan
    var failures: [Failure] = []
    for validation in entity.validations {
      do {
        try activity.run(.objectValidation(entity: entity.index)) { try validation.check(object) }
      } catch {
        let slot = (error as? ValidationFailure)?.propertyName.flatMap { entity.slotNumbers[$0] }
        let name = slot.map { "\(entity.name).\(entity.properties[$0].name)" } ?? object.description
        failures.append(
          Failure(
            slot: slot, isMissing: false, code: "invalid-value", message: "'\(name)' is not valid: \(error)",
            cause: error))
      }
    }
    return failures
  }
}
