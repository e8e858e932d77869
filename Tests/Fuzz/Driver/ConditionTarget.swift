import Graft
import GraftSQLite

/// Conditions as text, in memory and in a store.
enum ConditionTarget {
  static let seeds = [
    "name = \"Ann\" and age > 29", "not (age in (30, null)) or isActive", "team.title beginsWith[cd] 'd'",
    "some team.members (age < 31 and name != 'x')", "every members (rival is not null)", "team.members.count >= 2",
    "price = 12.50 and born < '2014-08-31T00:00:00Z'", "code = '6b29fc40-ca47-1067-b31d-00dd010662da'",
    "picture = 'AAEC/w==' || page contains \"example\"", "`not` = 'x' && height <> 1.75e0", "rival.rival.name = name",
    "team = 'DC' and not grade contains[c] 'OO'", "30 <= age", "age not in ()", "name > grade",
  ].map { Array($0.utf8) }

  private static let model = #"""
    { "keyStrategy": "sameName", "entities": {
      "Team": { "identityAttributes": "title", "attributes": { "title": "string" },
        "relationships": { "members": { "destination": "Person", "toMany": true, "inverse": "team" } } },
      "Person": { "identityAttributes": "name",
        "attributes": {
          "name": "string", "age": { "type": "integer64", "optional": true }, "height": { "type": "double", "optional": true },
          "price": { "type": "decimal", "optional": true }, "born": { "type": "date", "optional": true },
          "code": { "type": "uuid", "optional": true }, "page": { "type": "uri", "optional": true },
          "picture": { "type": "binary", "optional": true }, "isActive": { "type": "boolean", "optional": true },
          "grade": { "type": "string", "optional": true }, "not": { "type": "string", "optional": true } },
        "relationships": { "team": { "destination": "Team", "inverse": "members" }, "rival": { "destination": "Person" } } }
    } }
    """#

  private static let payload = #"""
    [{"name": "Ann", "age": 30, "height": 1.75, "price": 12.50, "isActive": true, "born": "2001-09-09T01:46:40.25Z",
      "code": "6b29fc40-ca47-1067-b31d-00dd010662da", "page": "https://example.com/ann?a=%22b%22", "picture": "AAEC/w==",
      "grade": "good", "not": "x", "team": {"title": "DC"}},
     {"name": "x\" or \"\" = \"\"\\ '`", "age": -9, "isActive": false, "grade": "bad", "team": "DC", "rival": "Ann"},
     {"name": "Zoë\n\u0001", "team": {"title": "Marvel"}, "rival": "Zoë\n\u0001"}]
    """#

  private static let objectCount = 3

  private static func context(isStored: Bool) -> ManagedObjectContext {
    do {
      let model = try ManagedObjectModel(text: model)
      let store = isStored ? try SQLiteStore.inMemory(model: model) : nil
      let context = store.map { ManagedObjectContext(store: $0) } ?? ManagedObjectContext(model: model)
      try context.importJSON(payload, ofEntity: "Person")
      try context.commit()
      return context
    } catch {
      fatalError("\(error)")
    }
  }

  // Conditions are checked one at a time.
  nonisolated(unsafe) private static let memory = context(isStored: false)
  nonisolated(unsafe) private static let stored = context(isStored: true)

  static func check(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    let condition = ObjectCondition(text)
    let names: [String]
    do throws(StoreError) {
      names = try self.names(memory, condition)
    } catch {
      return try check(error, condition)
    }
    let inStore = try? self.names(stored, condition)
    try expect(inStore == names, "memory and store select different objects: \(names), \(inStore ?? ["error"])")
    let count = try? memory.count(ofEntity: "Person", where: condition)
    try expect(count == names.count, "\(names.count) objects are selected, and \(count ?? -1) counted")
    // A condition that can be parsed keeps its meaning in parentheses, unless the parentheses are nested too deeply.
    if let inner = try? self.names(memory, "\(condition)") {
      try expect(inner == names, "a condition in parentheses selects others: \(inner), \(names)")
    } else {
      try expect(text.contains("("), "a condition in parentheses has an error")
    }
    if let others = try? self.names(memory, "not \(condition)") {
      try expect(
        Set(others).isDisjoint(with: names) && others.count + names.count == objectCount,
        "'not' selects \(others) and the condition \(names)")
    }
  }

  private static func check(_ error: StoreError, _ condition: ObjectCondition) throws {
    let text = condition.description
    for diagnostic in error.diagnostics {
      try ImportLaws.check(message: DiagnosticRenderer().render(diagnostic))
      guard diagnostic.code == .invalidCondition else { continue }
      let end = diagnostic.location.map { $0.offset + $0.length } ?? .max
      try expect(end <= text.utf8.count + 1, "an error has no location inside the text: \(diagnostic)")
    }
    var other: StoreError?
    do throws(StoreError) {
      _ = try names(stored, condition)
    } catch { other = error }
    try expect(
      other?.diagnostics == error.diagnostics,
      "memory and store have different errors: \(error), \(other.map(\.description) ?? "none")")
  }

  private static func names(_ context: ManagedObjectContext, _ condition: ObjectCondition) throws(StoreError)
    -> [String]
  {
    try context.fetch(ofEntity: "Person", where: condition, sortedBy: [.ascending("name")]).map { $0["name"] ?? "?" }
  }
}
