#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Checks the rows of one table against the requirements of a new version of a model.
struct RowRules {
  /// A property whose requirements objects of the store may violate.
  struct Suspect {
    var entity: String
    var property: String
    /// Whether a value is now required; otherwise, rules for values became stricter.
    var isRequired: Bool
    var isRelationship: Bool
    /// The removed entity whose objects the relationship must not lose; nil for other suspects.
    var removed: String? = nil
    var source: DescriptionSource
  }

  /// The first object that violates the requirements for a suspect.
  struct Violation {
    var suspect: Int
    var message: String
    /// Advice on what to do about the violation.
    var hint: String
  }

  /// Advice about objects without a newly required value.
  static func requiredHint(isRelationship: Bool) -> String {
    isRelationship
      ? "give those objects one first, or leave it optional"
      : "give it a default, give those objects a value first, or leave it optional"
  }

  static let lossHint = "link those objects to other objects first, or delete them"
  private static let ownLossHint = "link it to another object first, or delete it"
  static let hint = "change those objects first, or keep the rules"

  private struct Check {
    var suspect: Int
    var slot: Int
    var place: StoreSchema.Place
    /// The members, if the property is a to-many.
    var members: ListMembers?
    var rules: SlotRules?
  }

  private let mapping: LayoutMapping
  private let schema: StoreSchema
  private let names: RowNames
  private let suspects: [Suspect]
  /// The rows of removed entities, by old table.
  private let removedRows: [Int: Set<Int64>]
  /// The checks, by entity of the table.
  private var checks: [[Check]] = []
  /// The number of objects that each row has in a to-many.
  private var counts: [ListMembers: [Int64: Int]] = [:]
  private(set) var violations: [Violation] = []
  private var missingSuspects: Set<Int> = []

  init(
    _ mapping: LayoutMapping, _ schema: StoreSchema, table: Int, _ suspects: [Suspect],
    removedRows: [Int: Set<Int64>]
  ) {
    self.removedRows = removedRows
    self.mapping = mapping
    self.schema = schema
    names = RowNames(schema, table: table)
    self.suspects = suspects
    let plan = schema.model.plan
    for name in schema.tables[table].entityNames {
      guard let number = plan.entityNumbers[name] else { continue }
      let entity = plan.entities[number]
      checks.append(
        suspects.indices.compactMap { index in
          guard let slot = entity.slotNumbers[suspects[index].property],
            entity.properties[slot].declaringEntity == suspects[index].entity
          else { return nil }
          // Some sub-entities may be identified by a relationship that other sub-entities do not need.
          if suspects[index].isRequired, entity.properties[slot].isOptional, !entity.ownerSlots.contains(slot) {
            return nil
          }
          let rules = suspects[index].isRequired ? nil : entity.rules.first { $0.slot == slot }
          return Check(
            suspect: index, slot: slot, place: schema.places[number][slot],
            members: schema.members(of: slot, in: number), rules: rules)
        })
    }
    missingSuspects = Set(checks.flatMap { $0.map(\.suspect) })
  }

  var isEmpty: Bool { missingSuspects.isEmpty && violations.isEmpty }
  /// Whether a violation of each suspect has been found.
  var isDone: Bool { missingSuspects.isEmpty }

  // MARK: Relationships

  /// Counts the objects that rows have in suspect to-many relationships.
  mutating func countLinks<Facts: MigrationFacts>(_ facts: Facts) throws(Facts.Failure) {
    for list in Set(checks.flatMap { $0.compactMap(\.members) }) {
      var count: [Int64: Int] = [:]
      switch list {
      case .referring(let table, let column, let entity):
        guard let old = mapping.oldTable(of: table) else { break }
        let converter = RowConverter(mapping, from: old, to: table, removedRows, schema.model.contents)
        try facts.readRows(table: old) { rows in
          let rows = converter.converted(rows)
          for found in schema.referringRows(rows, column, entity) { count[found.owner, default: 0] += 1 }
          return true
        }
      case .linked(let table, let isOwner):
        guard let (old, isSwapped) = mapping.oldLinks(of: table) else {
          if let former = mapping.oldReference(of: table) {
            count = try countReferences(former, isOwner: isOwner, facts)
          }
          break
        }
        let layout = mapping.old.links[old]
        let (owners, members) = (removedRows[layout.ownerTable] ?? [], removedRows[layout.memberTable] ?? [])
        // If a relationship is its own inverse, each pair occurs twice.
        try facts.readLinks(old) { owner, member in
          if owners.contains(owner) || members.contains(member) { return }
          count[isOwner == isSwapped ? member : owner, default: 0] += 1
        }
      }
      counts[list] = count
    }
  }

  /// Counts the references of a to-one that becomes a to-many, because they become its links.
  private func countReferences<Facts: MigrationFacts>(
    _ former: LayoutMapping.FormerReference, isOwner: Bool, _ facts: Facts
  ) throws(Facts.Failure) -> [Int64: Int] {
    guard case .reference(let target) = mapping.old.tables[former.table].columns[former.column].content else {
      return [:]
    }
    let (own, referred) = (removedRows[former.table] ?? [], removedRows[target] ?? [])
    var count: [Int64: Int] = [:]
    try facts.readRows(table: former.table) { rows in
      for (row, header) in rows.headers.enumerated() where former.entities.contains(header.entity) {
        guard let other = rows.values.integer(row: row, column: former.column), !own.contains(header.id),
          !referred.contains(other)
        else { continue }
        count[isOwner == former.isSwapped ? other : header.id, default: 0] += 1
      }
      return true
    }
    return count
  }

  // MARK: Rows

  /// Checks rows in the new layout.
  ///
  /// - Parameter former: the rules and the rows without removals. Rows that already violate these rules have not lost anything.
  mutating func check(_ rows: StoredRows, former: (rules: RowRules, rows: StoredRows)?) {
    for row in 0..<rows.count where !rows.headers[row].isPlaceholder {
      let header = rows.headers[row]
      for check in checks[header.entity] where missingSuspects.contains(check.suspect) {
        guard let violation = violation(check, rows, row) else { continue }
        if suspects[check.suspect].removed != nil, let former,
          former.rules.violation(check, former.rows, row) != nil
        {
          continue
        }
        missingSuspects.remove(check.suspect)
        violations.append(violation)
      }
    }
  }

  private func violation(_ check: Check, _ rows: StoredRows, _ row: Int) -> Violation? {
    let suspect = suspects[check.suspect]
    func violation(_ message: String, _ hint: String) -> Violation {
      Violation(
        suspect: check.suspect, message: message, hint: suspect.removed == nil ? hint : RowRules.ownLossHint)
    }
    let title = "\(suspect.entity).\(suspect.property)"
    let count = check.members.flatMap { counts[$0] }.map { $0[rows.headers[row].id] ?? 0 }
    if suspect.isRequired {
      if case .column(let column) = check.place, !rows.values.isNil(row: row, column: column) { return nil }
      if let count, count > 0 { return nil }
      if let removed = suspect.removed {
        return violation(
          "'\(title)' must not be empty, but the object \(names.name(rows, row)) has only objects of '\(removed)', which are removed",
          RowRules.ownLossHint)
      }
      if let entity = names.entity(rows, row), entity.properties[check.slot].isOptional {
        return violation(
          "'\(title)' identifies the objects of '\(entity.name)', but the object \(names.name(rows, row)) has none",
          RowRules.ownLossHint)
      }
      return violation(
        "'\(title)' becomes required, but the object \(names.name(rows, row)) has none",
        RowRules.requiredHint(isRelationship: suspect.isRelationship))
    }
    guard let rules = check.rules else { return nil }
    var failures: [ValidationFinding] = []
    if let count {
      RowValidator.check(count, rules, title, "object", &failures)
    } else if case .column(let column) = check.place, let value = names.value(rows, row, column, check.slot) {
      RowValidator.check(value, of: rules, title, &failures)
    }
    guard let failure = failures.first, let entity = names.entity(rows, row) else { return nil }
    let message = failure.shown(entity, entity.properties[check.slot]).message
    return violation("the object \(names.name(rows, row)) violates the rules of the model: \(message)", RowRules.hint)
  }
}

extension StoredValues {
  /// The value of an attribute; nil if it is nil.
  ///
  /// - Parameter type: the type of the elements, if it is a list.
  func attributeValue(
    row: Int, column: Int, _ kind: SlotPlan.Kind, listOf type: AttributeType?
  ) -> AttributeValue? {
    guard !isNil(row: row, column: column) else { return nil }
    let bytes = kind.isText ? text(row: row, column: column) ?? [] : []
    let word = word(row: row, column: column)
    switch kind {
    case .integer: return .integer(Int64(bitPattern: word))
    case .double: return .double(Double(bitPattern: word))
    case .float: return .float(Float(Double(bitPattern: word)))
    case .boolean: return .boolean(word != 0)
    case .date: return .date(Date(microsecondsSince1970: Int64(bitPattern: word)))
    case .string: return .string(String(decoding: bytes, as: UTF8.self))
    case .decimal: return LentBytes.with(bytes) { DecimalText.decimal($0) }.map { .decimal($0) }
    case .binary: return .binary(Data(bytes))
    case .uuid:
      guard bytes.count == 16 else { return nil }
      return .uuid(bytes.withUnsafeBytes { $0.loadUnaligned(as: UUID.self) })
    case .uri: return URIText.url(String(decoding: bytes, as: UTF8.self)).map { .uri($0) }
    case .json:
      guard let json = LentBytes.with(bytes, { try? JSONBuilder.json($0) }) else { return nil }
      guard let type else { return .json(json) }
      return try? AttributeValue(json: json, listOf: type)
    case .toOne, .toMany: return nil
    }
  }
}
