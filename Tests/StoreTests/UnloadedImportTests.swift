import Graft
import GraftTestSupport
import Testing

/// Imports into contexts that have a store and nothing in memory. Their effects and reports are the same as without a store.
@Suite("Imports with nothing in memory") struct UnloadedImportTests {
  private static func model(isRequired: Bool = false) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "A": {"identityAttributes": "id",
            "attributes": {"id": "integer64", "n": {"type": "string", "optional": true}},
            "relationships": {
              "up": {"destination": "A", "inverse": "down"},
              "down": {"destination": "A", "inverse": "up", "toMany": true}}},
          "B": {"identityAttributes": "id",
            "attributes": {"id": "integer64"},
            "relationships": {"as": {"destination": "A", "toMany": true, "optional": \#(!isRequired)}}}}}
        """#)
  }

  /// Returns the report of an import into a new context, in lines. The names in each list are sorted.
  private static func lines(
    _ payload: String, _ entity: String, missing: ImportPart.MissingObjects = .keep, in context: ManagedObjectContext
  ) throws -> [String] {
    let report = try context.importJSON(
      payload, [.objects(ofEntity: entity, missing: missing)], options: ImportOptions(reportsDetails: true))
    return ["\(report)"]
      + report.details.map { detail in
        let changes = detail.changes.map { change in
          let values = [change.old, change.new].map { value in
            value.arrayValue.map { $0.compactMap(\.stringValue).sorted().joined(separator: " ") } ?? "\(value)"
          }
          return "\(change.name) \(values[0]) -> \(values[1])"
        }
        return "\(detail.outcome) \(detail.name) \(changes.joined(separator: ", "))"
      }
  }

  @Test(
    "I12: new members of an object's list are reported if the object's own dictionary lists them",
    arguments: ContextSource.Kind.allCases)
  func gainedLink(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, try Self.model())
    try source.context().load(#"[{"id": 1, "down": [2]}, {"id": 3}]"#, "A")
    let lines = try Self.lines(#"[{"id": 3, "up": 2}]"#, "A", in: source.context())
    #expect(lines == ["A: 1 updated", "updated A(3) up null -> \"A(2)\""])
  }

  @Test(
    "I9: a required list that loses a member is valid if it still has other members",
    arguments: ContextSource.Kind.allCases)
  func thinnedList(kind: ContextSource.Kind) throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "A": {"identityAttributes": "id", "attributes": {"id": "string"},
            "relationships": {
              "main": {"destination": "B", "inverse": "owner"},
              "all": {"destination": "B", "inverse": "of", "toMany": true, "optional": false}}},
          "B": {"identityAttributes": "owner",
            "relationships": {
              "owner": {"destination": "A", "inverse": "main"}, "of": {"destination": "A", "inverse": "all"}}}}}
        """#)
    let source = try ContextSource(kind, model)
    try source.context().load(#"{"id": "a", "main": {"of": "a"}, "all": ["x", "a"]}"#, "A")
    #expect(try Self.lines("[]", "B", missing: .delete, in: source.context()).first == "A: 1 unlinked\nB: 1 deleted")
    let a = try #require(try source.context().find(ofEntity: "A", id: "a"))
    #expect((a["all"] as [ManagedObject]).count == 1)
  }

  @Test("I12: the old and new values of a list contain all of its members", arguments: ContextSource.Kind.allCases)
  func wholeLists(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, try Self.model())
    try source.context().load(#"[{"id": 1, "down": [2, 3, 4]}, {"id": 5, "down": [6]}, {"id": 2}]"#, "A")
    let lines = try Self.lines(#"[{"id": 2, "up": 5}, {"id": 5, "n": "five"}]"#, "A", in: source.context())
    #expect(
      lines == [
        "A: 2 updated, 1 unlinked", "updated A(2) up \"A(1)\" -> \"A(5)\"",
        "unlinked A(1) down A(2) A(3) A(4) -> A(3) A(4)",
        "updated A(5) n null -> \"five\", down A(6) -> A(2) A(6)",
      ])
  }

  @Test("I12: deleted objects disappear from lists without an inverse", arguments: ContextSource.Kind.allCases)
  func deletedMembers(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, try Self.model())
    try source.context().load(#"[{"id": 1, "as": [{"id": 2}, {"id": 3}]}, {"id": 4, "as": [3]}]"#, "B")
    let context = try source.context()
    let lines = try Self.lines(#"[{"id": 3}]"#, "A", missing: .delete, in: context)
    #expect(lines.contains("deleted A(2) "))
    #expect(lines.contains("unlinked B(1) as A(2) A(3) -> A(3)"))
    #expect(!lines.contains { $0.contains("B(4)") })
    try source.expectAgreement(of: context)
  }

  @Test(
    "I9: objects whose list requires a deleted object are found in the store",
    arguments: ContextSource.Kind.allCases)
  func requiredMembers(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, try Self.model(isRequired: true))
    try source.context().load(#"[{"id": 1, "as": [{"id": 2}, {"id": 3}]}, {"id": 4, "as": [3]}]"#, "B")
    let before = try source.context().dumpText
    let context = try source.context()
    let error = #expect(throws: ImportError.self) {
      try Self.lines(#"[{"id": 2}]"#, "A", missing: .delete, in: context)
    }
    #expect(error?.description.contains("B.as") == true)
    #expect(context.dumpText == before)
    let other = try source.context()
    try other.delete(#require(try other.find(ofEntity: "A", identity: 3)))
    #expect(throws: ValidationError.self) { try other.commit() }
    let lines = try Self.lines(#"[{"id": 3}]"#, "A", missing: .delete, in: source.context())
    #expect(lines.contains("deleted A(2) "))
    try source.expectAgreement(of: context)
  }

  @Test(
    "I9: a stored object that loses all members of a list is validated", arguments: ContextSource.Kind.allCases)
  func emptiedList(kind: ContextSource.Kind) throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "A": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"bs": {"destination": "B", "toMany": true, "optional": false, "inverse": "a"}}},
          "B": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"a": {"destination": "A", "inverse": "bs"}}}}}
        """#)
    let source = try ContextSource(kind, model)
    try source.context().load(#"[{"id": 1, "bs": [1, 2]}]"#, "A")
    let before = try source.context().dumpText
    let context = try source.context()
    #expect(throws: ImportError.self) { try context.importJSON(#"{"id": 2, "bs": [1, 2]}"#, ofEntity: "A") }
    #expect(context.dumpText == before && context.checkInvariants() == [])
    let other = try source.context()
    for id in [1, 2] { try #require(try other.find(ofEntity: "B", identity: id))["a"] = nil as ManagedObject? }
    #expect(throws: ValidationError.self) { try other.commit() }
    try source.context().load(#"{"id": 2, "bs": [1]}"#, "A")
    try source.expectAgreement(of: context)
  }

  @Test(
    "I9: a placeholder in the store that an import fills must have its required lists",
    arguments: ContextSource.Kind.allCases)
  func filledPlaceholder(kind: ContextSource.Kind) throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "A": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"bs": {"destination": "B", "toMany": true, "optional": false, "inverse": "a"}}},
          "B": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {
              "a": {"destination": "A", "inverse": "bs"},
              "other": {"destination": "A"}}}}}
        """#)
    let source = try ContextSource(kind, model)
    try source.context().load(#"[{"id": 1, "other": 1}, {"id": 2, "a": 2}]"#, "B")
    #expect(throws: ImportError.self) { try source.context().importJSON(#"{"id": 1}"#, ofEntity: "A") }
    try source.context().load(#"{"id": 2}"#, "A")
    try source.context().load(#"{"id": 1, "bs": [1]}"#, "A")
    try source.expectAgreement(of: source.context())
  }

  @Test(
    "I7: if the mapper returns no entity, the stored object's entity is used",
    arguments: ContextSource.Kind.allCases)
  func entityOfStoredObject(kind: ContextSource.Kind) throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "A": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "entityMapper": {"JSONKeyPath": "kind", "entities": {"b": "B"}}},
          "B": {"parent": "A", "attributes": {"n": {"type": "string", "optional": true}}}}}
        """#)
    let source = try ContextSource(kind, model)
    try source.context().load(#"{"id": 1, "kind": "b", "n": "old"}"#, "A")
    let report = try source.context().importJSON(#"{"id": 1, "n": "new"}"#, ofEntity: "A")
    #expect(report.updated == ["B": 1])
    #expect(try source.context().find(ofEntity: "B", identity: 1)?["n"] == "new")
  }
}
