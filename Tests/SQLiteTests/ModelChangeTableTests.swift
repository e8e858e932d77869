import Foundation
import Graft
import Testing

@testable import GraftSQLite

/// Tries each change to a model on both kinds of stores, and compares the outcomes with the table in the documentation.
@Suite("Stores: the table of model changes") struct ModelChangeTableTests {
  /// A change: the entities before and after it, and the other members of the new model.
  struct Change {
    var name: String
    var old: String
    var new: String
    var removed: [String] = []
  }

  static func hero(_ attributes: String, _ relationships: String = "", more: String = "", head: String = "") -> String {
    """
    "Hero": {\(head)"identityAttributes": "id", "attributes": {"id": "integer64"\(attributes.isEmpty ? "" : ", ")\(attributes)},
    "relationships": {\(relationships)}}\(more)
    """
  }

  static let power = #", "Power": {"identityAttributes": "id", "attributes": {"id": "integer64"}}"#
  static let name = #""name": {"type": "string", "optional": true}"#

  private static func inversePower(isToMany: Bool) -> String {
    """
    , "Power": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
    "heroes": {"destination": "Hero", "toMany": \(isToMany), "inverse": "power"}}}
    """
  }

  private static func typed(_ from: String, _ to: String) -> Change {
    Change(
      name: "`\(from)` becomes `\(to)`", old: hero("\"value\": {\"type\": \"\(from)\", \"optional\": true}"),
      new: hero("\"value\": {\"type\": \"\(to)\", \"optional\": true}"))
  }

  private static func ruled(_ type: String, _ rule: String) -> Change {
    Change(
      name: "`\(rule)` is added", old: hero("\"value\": {\"type\": \"\(type)\", \"optional\": true}"),
      new: hero("\"value\": {\"type\": \"\(type)\", \"optional\": true, \(rule)}"))
  }

  static let changes: [Change] = [
    Change(name: "an entity is added", old: hero(name), new: hero(name, more: power)),
    Change(name: "an entity is removed", old: hero("", more: power), new: hero("")),
    Change(
      name: "an entity is removed, and listed in `removed`", old: hero("", more: power), new: hero(""),
      removed: ["Power"]),
    Change(
      name: "an entity is renamed, with `renamedFrom`", old: hero("", more: power),
      new: hero(
        "", more: power.replacingOccurrences(of: #""Power": {"#, with: #""Ability": {"renamedFrom": "Power", "#))),
    Change(
      name: "an entity is renamed without `renamedFrom`", old: hero("", more: power),
      new: hero("", more: power.replacingOccurrences(of: #""Power": {"#, with: #""Ability": {"#))),
    Change(name: "an entity becomes abstract", old: hero(name), new: hero(name, head: #""abstract": true, "#)),
    Change(
      name: "a sub-entity is added", old: hero(name), new: hero(name, more: #", "Villain": {"parent": "Hero"}"#)),
    Change(
      name: "the identity changes", old: hero(#""code": "integer64""#),
      new: hero(#""code": "integer64""#).replacingOccurrences(
        of: #""identityAttributes": "id""#, with: #""identityAttributes": "code""#)),
    Change(name: "an index is added or removed", old: hero(name), new: hero(name, head: #""indexes": ["name"], "#)),
    Change(name: "an optional attribute is added", old: hero(""), new: hero(name)),
    Change(
      name: "an attribute with a default is added", old: hero(""),
      new: hero(#""name": {"type": "string", "default": "?"}"#)),
    Change(name: "a required attribute without a default is added", old: hero(""), new: hero(#""name": "string""#)),
    Change(name: "an attribute is removed", old: hero(name), new: hero("")),
    Change(
      name: "an attribute is removed, and listed in `removed`", old: hero(name), new: hero(""), removed: ["Hero.name"]),
    Change(
      name: "an attribute is renamed, with `renamedFrom`", old: hero(name),
      new: hero(#""title": {"type": "string", "optional": true, "renamedFrom": ["label", "name"]}"#)),
    Change(
      name: "an attribute is renamed without `renamedFrom`", old: hero(name),
      new: hero(#""title": {"type": "string", "optional": true}"#)),
    Change(name: "a required attribute becomes optional", old: hero(#""name": "string""#), new: hero(name)),
    Change(
      name: "an optional attribute becomes required; all objects have a value", old: hero(name),
      new: hero(#""name": "string""#)),
    Change(
      name: "an optional attribute becomes required; an object has no value",
      old: hero(#""note": {"type": "string", "optional": true}"#),
      new: hero(#""note": "string""#)),
    Change(
      name: "an optional attribute becomes required, with a default",
      old: hero(#""note": {"type": "string", "optional": true}"#),
      new: hero(#""note": {"type": "string", "default": "?"}"#)),
    Change(
      name: "a default changes", old: hero(#""name": {"type": "string", "default": "a"}"#),
      new: hero(#""name": {"type": "string", "default": "b"}"#)),
    Change(
      name: "a key path, a comment or `userInfo` changes", old: hero(name),
      new: hero(name.replacingOccurrences(of: "}", with: #", "userInfo": {"a": 1}}"#))),
    typed("integer16", "integer64"), typed("integer64", "integer16"), typed("integer32", "double"),
    typed("integer64", "double"), typed("integer64", "decimal"), typed("float", "double"), typed("double", "float"),
    typed("decimal", "string"), typed("uuid", "string"), typed("uri", "string"), typed("string", "uri"),
    typed("integer64", "string"), typed("double", "string"), typed("float", "string"), typed("string", "integer64"),
    typed("boolean", "integer16"), typed("date", "string"),
    ruled("integer64", #""maximum": 100"#), ruled("integer64", #""maximum": 1"#),
    ruled("integer64", #""minimum": 100"#),
    ruled("string", #""maxLength": 1"#), ruled("string", #""minLength": 1"#), ruled("string", #""pattern": "^x""#),
    ruled("string", #""enum": ["text"]"#), ruled("string", #""enum": ["other"]"#),
    Change(
      name: "a rule is removed", old: hero(#""value": {"type": "integer64", "optional": true, "maximum": 100}"#),
      new: hero(#""value": {"type": "integer64", "optional": true}"#)),
    Change(
      name: "an attribute becomes a list", old: hero(name),
      new: hero(#""name": {"type": "string", "list": true, "optional": true}"#)),
    Change(
      name: "a relationship is added", old: hero("", more: power),
      new: hero("", #""powers": {"destination": "Power", "toMany": true}"#, more: power)),
    Change(
      name: "a to-one is removed", old: hero("", #""power": {"destination": "Power"}"#, more: power),
      new: hero("", more: power)),
    Change(
      name: "a to-many is removed", old: hero("", #""powers": {"destination": "Power", "toMany": true}"#, more: power),
      new: hero("", more: power)),
    Change(
      name: "a relationship is renamed, with `renamedFrom`",
      old: hero("", #""powers": {"destination": "Power", "toMany": true}"#, more: power),
      new: hero("", #""skills": {"destination": "Power", "toMany": true, "renamedFrom": "powers"}"#, more: power)),
    Change(
      name: "a to-one becomes a to-many", old: hero("", #""power": {"destination": "Power"}"#, more: power),
      new: hero("", #""power": {"destination": "Power", "toMany": true}"#, more: power)),
    Change(
      name: "a to-one with an inverse becomes a to-many",
      old: hero("", #""power": {"destination": "Power", "inverse": "heroes"}"#, more: inversePower(isToMany: true)),
      new: hero(
        "", #""power": {"destination": "Power", "toMany": true, "inverse": "heroes"}"#,
        more: inversePower(isToMany: true))),
    Change(
      name: "a to-one whose inverse is a to-one becomes a to-many",
      old: hero("", #""power": {"destination": "Power", "inverse": "heroes"}"#, more: inversePower(isToMany: false)),
      new: hero(
        "", #""power": {"destination": "Power", "toMany": true, "inverse": "heroes"}"#,
        more: inversePower(isToMany: false))),
    Change(
      name: "a to-many inverse is added", old: hero("", #""power": {"destination": "Power"}"#, more: power),
      new: hero("", #""power": {"destination": "Power", "inverse": "heroes"}"#, more: inversePower(isToMany: true))),
    Change(
      name: "an inverse is added, and both sides are to-ones",
      old: hero("", #""power": {"destination": "Power"}"#, more: power),
      new: hero("", #""power": {"destination": "Power", "inverse": "heroes"}"#, more: inversePower(isToMany: false))),
    Change(
      name: "a relationship becomes its own inverse",
      old: hero("", #""allies": {"destination": "Hero", "toMany": true}"#),
      new: hero("", #""allies": {"destination": "Hero", "toMany": true, "inverse": "allies"}"#)),
    Change(
      name: "a to-many becomes ordered",
      old: hero("", #""powers": {"destination": "Power", "toMany": true}"#, more: power),
      new: hero("", #""powers": {"destination": "Power", "toMany": true, "ordered": true}"#, more: power)),
    Change(
      name: "a to-one becomes required; all objects have a related object",
      old: hero("", #""power": {"destination": "Power"}"#, more: power),
      new: hero("", #""power": {"destination": "Power", "optional": false}"#, more: power)),
    Change(
      name: "`\"minCount\": 2` is added; an object has one member",
      old: hero("", #""powers": {"destination": "Power", "toMany": true}"#, more: power),
      new: hero("", #""powers": {"destination": "Power", "toMany": true, "minCount": 2}"#, more: power)),
    Change(
      name: "the destination changes",
      old: hero("", #""power": {"destination": "Power"}"#, more: power),
      new: hero("", #""power": {"destination": "Hero"}"#, more: power)),
  ]

  private static func model(_ entities: String, _ removed: [String] = []) throws -> ManagedObjectModel {
    // An entity that is kept, so that even a store without other objects has a file.
    let mark = #""Mark": {"identityAttributes": "id", "attributes": {"id": "integer64"}}"#
    return try ManagedObjectModel(
      text: "{\"keyStrategy\": \"sameName\", \"removed\": \(removed), \"entities\": {\(entities), \(mark)}}")
  }

  /// An object with a value for each property.
  private static func payload(_ model: ManagedObjectModel) -> String {
    var members = ["\"id\": 1"]
    let values = [
      "string": "\"text\"", "integer16": "7", "integer32": "7", "integer64": "7", "double": "0.5", "float": "0.5",
      "decimal": "1.5", "boolean": "true", "date": "\"2026-01-08T00:00:00Z\"", "uri": "\"https://example.com/\"",
      "uuid": "\"00010203-0405-0607-0809-0a0b0c0d0e0f\"",
    ]
    guard let hero = model.contents.entities.first else { return "[]" }
    for attribute in hero.attributes where attribute.name != "id" && attribute.name != "note" {
      members.append("\"\(attribute.name)\": \(values[attribute.type.rawValue] ?? "null")")
    }
    for relationship in hero.relationships {
      members.append("\"\(relationship.name)\": \(relationship.isToMany ? "[{\"id\": 5}]" : "{\"id\": 5}")")
    }
    return "[{\(members.joined(separator: ", "))}]"
  }

  private static func outcome(_ change: Change, _ kind: ModelChangeTests.Kind, isFull: Bool) throws -> String {
    let trial = try ModelChangeTests.Trial(kind)
    let old = try model(change.old)
    let context = try trial.open(old)
    try context.importJSON(isFull ? payload(old) : "[]", ofEntity: "Hero")
    if isFull, old.contents.entities.contains(where: { $0.name == "Power" }) {
      try context.importJSON(#"[{"id": 5}]"#, ofEntity: "Power")
    }
    try context.importJSON(#"[{"id": 1}]"#, ofEntity: "Mark")
    do {
      let new = try trial.open(model(change.new, change.removed))
      if isFull, !change.new.contains("\"abstract\"") {
        #expect(try new.count(ofEntity: "Hero") == 1, "\(change.name)")
      }
      return "migrated"
    } catch {
      return "\(error)".contains("\"removed\": [") ? "needs consent" : "refused"
    }
  }

  @Test("S9, S16: the documentation lists the outcome of each change, which is the same in both kinds of stores")
  func table() throws {
    var lines = ["| The change | Without objects | With objects |", "|---|---|---|"]
    for change in Self.changes {
      let outcomes = try [false, true].map { isFull in
        let outcomes = try ModelChangeTests.Kind.allCases.map { try Self.outcome(change, $0, isFull: isFull) }
        #expect(Set(outcomes).count == 1, "\(change.name): \(outcomes)")
        return outcomes[0]
      }
      lines.append("| \(change.name) | \(outcomes[0]) | \(outcomes[1]) |")
    }
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/Graft/Graft.docc/ModelChanges.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let table = lines.joined(separator: "\n")
    #expect(text.contains(table), "the table is now:\n\(table)")
  }
}
