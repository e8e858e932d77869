import Graft
import GraftTestSupport
import Testing

/// The subjects of diagnostics, as data.
@Suite("Diagnostics: subjects") struct DiagnosticSubjectTests {
  private static let model = """
    "Hero": {
      "identityAttributes": "id",
      "attributes": {"id": "integer64", "name": {"type": "string", "maxLength": 5}, "age": {"type": "integer16", "optional": true}},
      "relationships": {"team": {"destination": "Team", "unresolvedRule": "deny"}}
    },
    "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
    "Note": {"attributes": {"text": "string"}}
    """

  /// The subject of each diagnostic, as a string such as `Hero.name of Hero(1)`.
  private func subjects(_ diagnostics: [Diagnostic]) -> [String] {
    diagnostics.map { diagnostic in
      let subject = diagnostic.subject
      let property = subject?.propertyName.map { "." + $0 } ?? ""
      return "\(subject?.entityName ?? "?")\(property)" + (subject?.objectName.map { " of \($0)" } ?? "")
    }
  }

  @Test("I9: a failed commit names the object, its entity and the property of each diagnostic")
  func commit() throws {
    let context = try Fixture.context(Self.model)
    let hero = try context.load(#"{"id": 1, "name": "Heron"}"#, "Hero")[0]
    hero["name"] = "Night Heron"
    let note = context.insert(ofEntity: "Note")
    let error = #expect(throws: ValidationError.self) { try context.validate() }
    let diagnostics = error?.diagnostics ?? []
    #expect(subjects(diagnostics) == ["Hero.name of Hero(1)", "Note.text of Note#1"])
    #expect(diagnostics.map(\.objectID) == [hero.objectID, note.objectID])
    #expect(throws: PropertyError.self) { try hero.validate() }
    do { try hero.validate() } catch {
      #expect(subjects(error.diagnostics) == ["Hero.name of Hero(1)"])
      #expect(error.diagnostics.first?.objectID == hero.objectID)
    }
  }

  @Test("I11: a refused payload names the entity and the property of each diagnostic, and the object if it is known")
  func imports() throws {
    let context = try Fixture.context(Self.model)
    let hero = try context.load(#"{"id": 1, "name": "Heron"}"#, "Hero")[0]
    func diagnostics(_ text: String, _ entity: String) -> [Diagnostic] {
      let error = #expect(throws: ImportError.self) { try context.load(text, entity) }
      return error?.diagnostics ?? []
    }
    let wrong = diagnostics(
      #"[{"id": 1, "name": 5, "age": 99999}, {"id": 2, "name": "A", "team": 9}, {"id": "x", "name": "B"}]"#, "Hero")
    #expect(subjects(wrong) == ["Hero.name", "Hero.age", "Hero.team", "Hero.id"])
    #expect(wrong.map(\.path) == ["$[0].name", "$[0].age", "$[1].team", "$[2].id"])
    let invalid = diagnostics(#"[{"id": 1, "name": "Night Heron"}, {"id": 2, "name": "Night Owl"}]"#, "Hero")
    #expect(subjects(invalid) == ["Hero.name of Hero(1)", "Hero.name of Hero(2)"])
    #expect(invalid.first?.objectID == hero.objectID && invalid.last?.objectID?.identity == [2])
    let missing = diagnostics(#"[{"text": "a"}, {}]"#, "Note")
    #expect(subjects(missing) == ["Note.text of Note#2"] && missing.first?.objectID == nil)
    #expect(diagnostics("[", "Hero").map(\.subject) == [nil])
  }
}
