/// Checks the values of a row against the model (I9). Placeholders are exempt (I4).
struct RowValidator {
  let plan: Plan
  let reader: RowReader
  private let activity: Reference<ContextActivity>

  init(_ context: ManagedObjectContext) {
    plan = context.model.plan
    reader = RowReader(context.state)
    activity = context.activity
  }

  /// Returns whether all required values are present. The other rules are left to ``failures(_:)``.
  @inline(__always)
  func isComplete(_ row: Row, _ layout: PlanReference<EntityLayout>, words: Int) -> Bool {
    for word in 0..<words where layout.pointee.required[word] & ~row[1 + word] != 0 {
      if reader.state.pointee.source == nil || !isCompleteInStore(row, layout, words: words) { return false }
    }
    return true
  }

  /// Returns whether all required values are present after loading the lists that seem to be empty.
  @inline(never)
  private func isCompleteInStore(_ row: Row, _ layout: PlanReference<EntityLayout>, words: Int) -> Bool {
    for number in 0..<layout.pointee.slotCount where layout.pointee.slots[number].kind == .toMany {
      let slot = layout.pointee.slots[number]
      if layout.pointee.required[slot.word - 1] & slot.mask != 0, !isSet(row, slot) { return false }
    }
    return (0..<words).allSatisfy { layout.pointee.required[$0] & ~row[1 + $0] == 0 }
  }

  /// Returns whether a property has a value. A list that seems to be empty may not have been loaded, and the object of a to-one
  /// relationship without an inverse may have been deleted.
  private func isSet(_ row: Row, _ slot: SlotPlan) -> Bool {
    if row.isSet(slot) { return slot.kind != .toOne || slot.inverse >= 0 || reader.target(row, slot) != nil }
    guard slot.kind == .toMany else { return false }
    reader.state.loadList(row, slot)
    return row.isSet(slot)
  }

  /// Returns everything that is wrong with a row, in model order.
  ///
  /// - Parameter names: the names of objects, which may be shared among many rows, because they may require counting objects.
  func failures(_ row: Row, _ names: @autoclosure () -> GraphNames) -> [ValidationFinding] {
    let entity = plan.entities[row.entity]
    let layout = plan.layouts[entity.index]
    var failures: [ValidationFinding] = []
    for (number, property) in entity.properties.enumerated() {
      let isOwner = layout.identity.hasOwner && entity.ownerSlots.contains(number)
      if property.isOptional, !isOwner { continue }
      let slot = layout.slots[number]
      if !isSet(row, slot) {
        if isOwner {
          failures.append(.withoutOwner(number, "\(entity.name).\(property.name)", property))
          continue
        }
        failures.append(.missing(number, "\(entity.name).\(property.name)", isToMany: slot.kind == .toMany))
      }
    }
    for rules in entity.rules { check(rules, row, entity, layout.slots[rules.slot], &failures) }
    for (number, alternate) in entity.alternates.enumerated() {
      guard let other = AlternateIndex.other(like: row, layout.alternates[number], reader.state) else { continue }
      failures.append(taken(alternate, row, entity, by: other, in: layout.table, names()))
    }
    return failures
  }

  /// Whether exporting the row and importing it again would create an object of another entity (E4), because a value was set in code.
  /// Imports can create such objects, from an alias or with another mapper.
  func contradiction(_ row: Row) -> ValidationFinding? {
    let entity = plan.entities[row.entity]
    guard let number = plan.features.selectors[row.entity],
      let value = reader.value(row, plan.layouts[entity.index].slots[number]),
      case .table(_, let entities)? = entity.mapper
    else { return nil }
    let name = "\(entity.name).\(entity.properties[number].name)"
    let json = value.jsonValue
    var selected = entities[json.stringValue ?? json.description]
    if selected == nil, let fallback = entity.fallback {
      guard case .entity(let other) = fallback else {
        return .contradictsEntity(number, name, value, nil, entity.name)
      }
      selected = other
    }
    guard let selected, selected != entity.index else { return nil }
    // No value selects the object's entity.
    let hasValue = entities.selects(entity.index)
    if !hasValue, entity.inherits(from: plan.entities[selected]) { return nil }
    return .contradictsEntity(number, name, value, plan.entities[selected].name, entity.name)
  }

  /// The failure of a row that has the same alternate identity as another row (M27).
  private func taken(
    _ alternate: AlternateIdentity, _ row: Row, _ entity: EntityPlan, by other: UInt32, in table: Int,
    _ names: GraphNames
  ) -> ValidationFinding {
    let layout = plan.layouts[entity.index]
    let values = alternate.slots.map { number -> String in
      let slot = layout.slots[number]
      if entity.properties[number].isSensitive { return HiddenValue.text }
      if slot.kind == .toOne { return row.toOne(slot).map { names.name(slot.destinationTable, $0) } ?? "none" }
      return reader.value(row, slot)?.foundPhrase ?? "none"
    }
    let properties = alternate.slots.map { "\(entity.name).\(entity.properties[$0].name)" }
    return .taken(alternate.slots[0], properties, values, by: names.name(table, other), other)
  }

  /// Returns findings for the owners that a placeholder has lost, because it is meaningless without them (M12). All other values
  /// of a placeholder are not validated.
  func lostOwners(ofPlaceholder row: Row) -> [ValidationFinding] {
    guard row.isPlaceholder, row.isLoaded else { return [] }
    let entity = plan.entities[row.entity]
    return entity.ownerSlots.compactMap { number in
      let slot = plan.layouts[entity.index].slots[number]
      let property = entity.properties[number]
      return !row.isSet(slot)
        ? .withoutOwner(number, "\(entity.name).\(property.name)", property) : nil
    }
  }

  private func check(
    _ rules: SlotRules, _ row: Row, _ entity: EntityPlan, _ slot: SlotPlan,
    _ failures: inout [ValidationFinding]
  ) {
    let number = rules.slot
    let name = "\(entity.name).\(entity.properties[number].name)"
    if slot.kind.isRelationship {
      let count = slot.kind == .toOne ? (row[slot] == 0 ? 0 : 1) : reader.count(row, slot)
      RowValidator.check(count, rules, name, "object", &failures)
      return
    }
    guard let value = reader.value(row, slot) else { return }
    RowValidator.check(value, of: rules, name, &failures)
    // The program's validations are not called for values that already violate the model.
    guard !rules.validations.isEmpty, failures.last?.slot != number else { return }
    for validation in rules.validations {
      do {
        try activity.run(.valueValidation(entity: entity.index, slot: number)) { try validation.check(value) }
      } catch let error as TransformerInputError {
        failures.append(.unfit(number, name, value, expected: error.expected))
      } catch {
        if isOfRefusedCall(error) { continue }
        failures.append(.refused(number, name, error))
      }
    }
  }

  /// Returns whether an error comes from a call that a validation must not make (T5). Such a call is reported separately.
  private func isOfRefusedCall(_ error: any Error) -> Bool {
    activity.pointee.refusedCall != nil && ProgramClosure.refusal(in: error) != nil
  }

  /// Checks the value of an attribute. A list is checked as a whole, with all its elements.
  static func check(
    _ value: AttributeValue, of rules: SlotRules, _ name: String, _ failures: inout [ValidationFinding]
  ) {
    guard case .list(let elements) = value else { return check(value, rules, name, &failures) }
    check(elements.count, rules, name, "element", &failures)
    check(elements, rules, name, &failures)
  }

  /// Checks the number of objects of a relationship, or of elements of a list.
  static func check(
    _ count: Int, _ rules: SlotRules, _ name: String, _ unit: String, _ failures: inout [ValidationFinding]
  ) {
    if let least = rules.minCount, count < least { failures.append(.tooFew(rules.slot, name, count, least, unit)) }
    if let most = rules.maxCount, count > most { failures.append(.tooMany(rules.slot, name, count, most, unit)) }
  }

  /// The maximum number of failures to collect in one list.
  private static let mostElementFailures = 1000

  /// Checks the elements of a list (M13).
  private static func check(
    _ elements: [AttributeValue], _ rules: SlotRules, _ name: String, _ failures: inout [ValidationFinding]
  ) {
    let most = failures.count + RowValidator.mostElementFailures
    for (index, element) in elements.enumerated() {
      let first = failures.count
      check(element, rules, name, &failures)
      for failure in first..<failures.count { failures[failure].element = index }
      if failures.count >= most { return }
    }
  }

  /// Checks a single value, or an element of a list.
  private static func check(
    _ value: AttributeValue, _ rules: SlotRules, _ name: String, _ failures: inout [ValidationFinding]
  ) {
    let number = rules.slot
    if let legal = rules.allowedValues, !legal.contains(value) {
      failures.append(.notListed(number, name, value, legal: legal))
    }
    if let least = rules.minimum, value.isLess(than: least) {
      failures.append(.belowMinimum(number, name, value, least))
    }
    if let most = rules.maximum, most.isLess(than: value) { failures.append(.aboveMaximum(number, name, value, most)) }
    if rules.minLength != nil || rules.maxLength != nil {
      let (length, unit) = length(of: value)
      if let least = rules.minLength, length < least { failures.append(.tooShort(number, name, length, least, unit)) }
      if let most = rules.maxLength, length > most { failures.append(.tooLong(number, name, length, most, unit)) }
    }
    if let pattern = rules.pattern, case .string(let text) = value, !pattern.matches(text) {
      failures.append(.noMatch(number, name, value, pattern))
    }
  }

  /// Returns the length of a value, and its unit.
  private static func length(of value: AttributeValue) -> (count: Int, unit: String) {
    switch value {
    case .binary(let data): return (data.count, "byte")
    case .string(var text):
      // Counts the bytes that are not continuation bytes, which begin with the bits 10. There is one such byte for each scalar.
      return (text.withUTF8 { $0.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) } }, "character")
    default: return (0, "character")
    }
  }

  /// Returns the failures of the program's object validations, for an object whose values are all valid individually.
  func failures(of object: ManagedObject) -> [ValidationFinding] {
    let entity = object.entityPlan
    var failures: [ValidationFinding] = []
    for validation in entity.validations {
      do {
        try activity.run(.objectValidation(entity: entity.index)) { try validation.check(object) }
      } catch {
        if isOfRefusedCall(error) { continue }
        let slot = (error as? ValidationFailure)?.propertyName.flatMap { entity.slotNumbers[$0] }
        let name = slot.map { "\(entity.name).\(entity.properties[$0].name)" } ?? object.description
        failures.append(.refused(slot, name, error))
      }
    }
    return failures
  }
}
