import Foundation
import Graft

/// Compares samples with what a model exports after importing them (E4), and finds the properties whose values differ.
///
/// These differences are expected, and are not found:
/// - null and absence are the same in a graph;
/// - an object may have more members, or nulls, that come from another mention of it;
/// - an object may be written as its identifier, and an identifier as the object;
/// - an element that represents a list of one is written as the list;
/// - dates are written in UTC;
/// - nulls in lists of objects are skipped;
/// - in a nested object, the inverse of the relationship just followed is omitted.
///
/// Properties of a hand-written model are not compared if it declares that they are written in a different form, or not at all.
struct ExportComparison {
  /// A property whose value in a sample is not written back.
  struct Difference {
    var entityName: String
    var propertyName: String
    var reason: String
  }

  private let facts: ModelFacts
  /// Whether the model has sensitive values, which may be in any object.
  private let hidesValues: Bool
  /// Whether mentions of one object are known to differ in a key.
  private let isContradictory: (_ entityName: String, _ key: String) -> Bool
  private(set) var differences: [Difference] = []
  private var seen: Set<String> = []

  init(_ model: ModelDescription, isContradictory: @escaping (String, String) -> Bool) {
    facts = ModelFacts(model)
    hidesValues = model.entities.contains { $0.attributes.contains(where: \.isSensitive) }
    self.isContradictory = isContradictory
  }

  /// Compares the value of a part of a sample with its export.
  mutating func compare(_ wanted: JSON, _ found: JSON, ofEntity name: String) {
    guard let entity = facts.entity(name) else { return }
    for (wanted, found) in pairs(wanted, found, of: entity) ?? [] { compare(wanted, found, entity) }
  }

  // MARK: Objects

  /// - Parameter followed: the relationship that led to the object.
  private mutating func compare(
    _ wanted: JSON, _ found: JSON, _ declared: EntityDescription, inside followed: RelationshipDescription? = nil
  ) {
    let entity = concrete(declared, wanted)
    // The sample may be older than the object.
    if facts.lineage(entity).contains(where: { $0.modificationAttribute != nil || $0.deletedWhen != nil }) { return }
    let (ours, theirs) = (members(wanted), members(found))
    for attribute in facts.attributes(entity) {
      guard let path = attribute.keyPath, !path.isObjectKey, !path.isElementIndex, attribute.direction == .both,
        attribute.transformerNames.allSatisfy(GuessedTransformers.contains)
      else { continue }
      if path.isElementValue {
        if wanted.objectValue == nil || attribute.type == .json {
          compare(wanted, found, attribute, of: entity)
        }
      } else if found.objectValue != nil {
        compare(value(at: path, of: ours), value(at: path, of: theirs), attribute, of: entity)
      }
    }
    guard found.objectValue != nil else { return }
    for relationship in facts.relationships(entity) where relationship.name != followed?.inverseName {
      guard let path = relationship.keyPath, relationship.identifierKeyPaths.isEmpty,
        !path.isKeyWord || path.isThroughArrays, relationship.direction == .both, relationship.representation != .none,
        relationship.transformerNames.isEmpty, relationship.mergeRule == .replace,
        let destination = facts.entity(relationship.destinationName),
        // Other lists are written in another order.
        !relationship.isToMany || relationship.isOrdered || facts.isKeyed(destination)
      else { continue }
      compare(value(at: path, of: ours), value(at: path, of: theirs), relationship, to: destination, of: entity)
    }
  }

  /// The entity that the mapper chooses for an object.
  private func concrete(_ entity: EntityDescription, _ object: JSON) -> EntityDescription {
    guard let mapper = facts.mapper(entity),
      let kind = value(at: mapper.keyPath, of: members(object))?.discriminator
    else { return entity }
    return facts.entity(of: entity, forKind: kind)
  }

  /// The members of an object, of which there may be many.
  private func members(_ object: JSON) -> [UTF8Key: JSON] {
    Dictionary(object.objectValue?.map { (UTF8Key($0.key), $0.value) } ?? []) { first, _ in first }
  }

  private func value(at path: JSONKeyPath, of members: [UTF8Key: JSON]) -> JSON? {
    let keys = path.isThroughArrays ? path.segments[0] : path.keys
    guard let first = members[UTF8Key(keys[0])] else { return nil }
    let value = keys.dropFirst().reduce(Optional(first)) { $0?[$1] }
    guard path.isThroughArrays else { return value }
    func collect(_ value: JSON, _ segments: ArraySlice<[String]>) -> [JSON]? {
      guard let keys = segments.first, let found = keys.reduce(Optional(value), { $0?[$1] }) else { return nil }
      guard segments.count > 1 else { return [found] }
      return found.arrayValue.map { $0.flatMap { collect($0, segments.dropFirst()) ?? [] } }
    }
    let elements = value?.arrayValue
    return elements.map { .array($0.flatMap { collect($0, path.segments.dropFirst()) ?? [] }) }
  }

  // MARK: Properties

  private mutating func compare(
    _ wanted: JSON?, _ found: JSON?, _ attribute: AttributeDescription, of entity: EntityDescription
  ) {
    guard let wanted, !wanted.isNull, !(attribute.nulls ?? facts.model.nulls).contains(wanted),
      !Self.areEqual(wanted, found, attribute)
    else { return }
    if found?.isNull ?? true, facts.lineage(entity).contains(where: { !$0.identityAttributes.isEmpty }) { return }
    note(wanted, found, attribute.name, attribute.keyPath, entity)
  }

  private static func areEqual(_ wanted: JSON, _ found: JSON?, _ attribute: AttributeDescription) -> Bool {
    guard let found else { return false }
    if wanted == found || attribute.isLenient && found == .array([wanted]) { return true }
    if let wanted = wanted.arrayValue, let found = found.arrayValue, attribute.isList {
      return wanted.count == found.count && zip(wanted, found).allSatisfy { areEqual($0, $1, attribute) }
    }
    guard attribute.type == .date, let wanted = wanted.stringValue, let found = found.stringValue else { return false }
    let instants = [wanted, found].map { microseconds($0, attribute.transformerName) }
    return instants[0] != nil && instants[0] == instants[1] && !isFinerThanMicroseconds(wanted)
  }

  /// Whether a date has a fraction that is rounded.
  private static func isFinerThanMicroseconds(_ text: String) -> Bool {
    guard let point = text.utf8.lastIndex(where: { ".,".utf8.contains($0) }) else { return false }
    let digits = text.utf8[point...].dropFirst().prefix { (48...57).contains($0) }
    return digits.dropFirst(6).contains { $0 != 48 }
  }

  /// The moment that a string represents, regardless of its offset from UTC.
  private static func microseconds(_ text: String, _ transformer: String?) -> Int64? {
    if let transformer {
      return DatePatterns.all.first { transformer == "DateFormat(\($0.pattern))" }?.microseconds(text)
    }
    guard case .date(let date)? = try? AttributeValue(json: .string(text), type: .date) else { return nil }
    return Int64((date.timeIntervalSince1970 * 1_000_000).rounded())
  }

  private mutating func compare(
    _ wanted: JSON?, _ found: JSON?, _ relationship: RelationshipDescription, to destination: EntityDescription,
    of entity: EntityDescription
  ) {
    guard let wanted, !wanted.isNull, !(relationship.nulls ?? facts.model.nulls).contains(wanted) else { return }
    guard relationship.isToMany else {
      guard let found, isSame(wanted, found) else {
        return note(wanted, found, relationship.name, relationship.keyPath, entity)
      }
      return compare(wanted, found, destination, inside: relationship)
    }
    let isOne = relationship.isLenient && wanted.arrayValue == nil
    guard let found, let pairs = pairs(isOne ? .array([wanted]) : wanted, found, of: destination) else {
      return note(wanted, found, relationship.name, relationship.keyPath, entity)
    }
    for (wanted, found) in pairs {
      guard isSame(wanted, found) else {
        return note(wanted, found, relationship.name, relationship.keyPath, entity)
      }
      compare(wanted, found, destination, inside: relationship)
    }
  }

  /// The elements of a list, paired with the elements of another list; nil if there are more or fewer.
  private func pairs(_ wanted: JSON, _ found: JSON, of entity: EntityDescription) -> [(JSON, JSON)]? {
    if let wanted = wanted.arrayValue?.filter({ !$0.isNull }), let found = found.arrayValue {
      return wanted.count == found.count ? Array(zip(wanted, found)) : nil
    }
    guard facts.isKeyed(entity), let object = wanted.objectValue else { return [(wanted, found)] }
    let others = members(found)
    var pairs: [(JSON, JSON)] = []
    for member in object where !member.value.isNull {
      guard let other = others[UTF8Key(member.key)] else { return nil }
      pairs.append((member.value, other))
    }
    return pairs
  }

  /// Whether two values may represent the same object: one may be the object, and the other its identifier.
  private func isSame(_ wanted: JSON, _ found: JSON) -> Bool {
    func contains(_ object: JSONObject, _ identifier: JSON) -> Bool {
      (identifier.arrayValue ?? [identifier]).allSatisfy { part in object.contains { $0.value == part } }
    }
    switch (wanted.objectValue, found.objectValue) {
    case (nil, nil): return wanted == found
    case (let object?, nil): return contains(object, found)
    case (nil, let object?): return contains(object, wanted)
    case (_?, _?): return true
    }
  }

  private mutating func note(
    _ wanted: JSON, _ found: JSON?, _ property: String, _ path: JSONKeyPath?, _ entity: EntityDescription
  ) {
    if let key = path?.keys.first, isContradictory(entity.name, key) { return }
    guard seen.insert("\(entity.name).\(property)").inserted else { return }
    let owner = facts.lineage(entity).first { one in
      one.attributes.contains { $0.name == property } || one.relationships.contains { $0.name == property }
    }
    func shown(_ value: JSON?) -> String {
      guard let value else { return "nothing" }
      return hidesValues ? HiddenValue.text : String(value.description.prefix(60)).escapedForDisplay()
    }
    differences.append(
      Difference(
        entityName: owner?.name ?? entity.name, propertyName: property,
        reason: "an export writes \(shown(found)) for \(shown(wanted))"))
  }
}
