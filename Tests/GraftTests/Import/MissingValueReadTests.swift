import Foundation
import Graft
import GraftTestSupport
import Testing

/// A class as `graft generate --non-optional` writes it.
private final class Note: ManagedObject, ImportObserving {
  enum Kind: String, AttributeConvertible, CaseIterable { case open, done }
  struct Odd: AttributeConvertible {
    init?(attributeValue: AttributeValue) { nil }
    var attributeValue: AttributeValue { .string("odd") }
  }

  @TaskLocal static var read: @Sendable (Note) throws -> Void = { _ in }

  var id: Int { self[required: 0] }
  var text: String { self[required: 1] }
  var kind: Kind { self[required: 2] }
  var score: Double { self[required: 3] }
  var isRead: Bool { self[required: 4] }
  var date: Date { self[required: 5] }
  var address: URL { self[required: 6] }
  var tags: [String] { self[required: 7] }
  var other: Note? { self[slot: 8] }

  func didImport(_ payload: JSON) throws { try Note.read(self) }
}

/// No payload can stop the program (I20).
@Suite("Hooks that read missing values, and invalid values") struct MissingValueReadTests {
  private func context(_ transformers: TransformerRegistry = .standard) throws -> ManagedObjectContext {
    try Fixture.context(
      """
      "Note": {
        "identityAttributes": "id",
        "attributes": {
          "id": "integer64", "text": "string", "kind": {"type": "string", "enum": ["open", "done"]}, "score": "double",
          "isRead": "boolean", "date": "date", "address": "uri", "tags": {"type": "string", "list": true}
        },
        "relationships": {"other": {"destination": "Note"}}
      }
      """, transformers: transformers, classes: [Note.self])
  }

  @Test("I20: a hook that reads a value the enum does not list fails the import, which leaves no trace")
  func unlisted() throws {
    let context = try context()
    let payload = MissingValueReadTests.payload.replacing("\"done\"", with: "\"odd\"").replacing(
      ", \"other\": 2", with: "")
    let error = #expect(throws: ImportError.self) {
      try Note.$read.withValue({ #expect($0.kind == .open) }) { _ = try context.load(payload, "Note") }
    }
    let text = error?.description ?? ""
    #expect(
      text.contains(
        "reads 'kind' of 'Note(1)', which is the string \"odd\", not one of the values that the model lists"), "\(text)"
    )
    #expect(text.contains("expected \"open\" or \"done\"") || text.contains("expected one of"), "\(text)")
    #expect(try context.fetch(Note.self).isEmpty && !context.hasChanges)
    // A value that was set by name reads as nil if the enum type does not have it; the commit refuses the value.
    _ = try Note.$read.withValue({ _ in }) {
      try context.load(MissingValueReadTests.payload.replacing(", \"other\": 2", with: ""), "Note")
    }
    let note = try #require(try context.find(Note.self, id: 1))
    try note.setValue("odd", of: "kind")
    #expect(note["kind"] as Note.Kind? == nil && note["kind"] as String? == "odd")
    #expect(throws: ValidationError.self) { try context.commit() }
  }

  @Test("C1: objects whose sort key path leads to a placeholder are sorted last")
  func sorted() throws {
    let context = try context()
    try Note.$read.withValue({ _ in }) {
      _ = try context.load(Self.payload, "Note")
      _ = try context.load(
        Self.payload.replacing("\"id\": 1", with: "\"id\": 3").replacing("\"other\": 2", with: "\"other\": 1"), "Note")
    }
    // Note 1 refers to note 2, which is a placeholder.
    #expect(try context.fetch(Note.self, sortedBy: \.other?.text).first?.id == 3)
    #expect(try context.fetch(Note.self, sortedBy: .descending(\.other?.score)).first?.id == 3)
    #expect(try context.fetch(Note.self, sortedBy: .ascending({ $0.other?.kind.rawValue }, nils: .first)).last?.id == 3)
  }

  @Test("D7: an error in an identity is reported once, even if the identity is read several times")
  func reportedOnce() throws {
    let context = try Fixture.context(
      """
      "Q": {"identityAttributes": "id", "alternateIdentities": ["slug"],
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"y": "QY"}}, "attributes": {"id": "string", "slug": "string"}},
      "QY": {"parent": "Q"}
      """)
    let errors = (0..<3).map { _ in
      #expect(throws: ImportError.self) { try context.importJSON(#"[{"slug": []}]"#, ofEntity: "Q") }?.description
    }
    #expect(errors[0] != nil && errors[0] == errors[1] && errors[0] == errors[2], "\(errors)")
  }

  @Test("C2: a number finds the object with an equal identity, regardless of the number's type")
  func numbers() throws {
    let context = try Fixture.context(
      ["integer64", "double", "decimal"].map {
        "\"\($0)\": {\"identityAttributes\": \"id\", \"attributes\": {\"id\": \"\($0)\"}}"
      }.joined(separator: ","))
    for entity in ["integer64", "double", "decimal"] {
      let object = try #require(try context.load(#"{"id": 3.0}"#, entity).first)
      #expect(try context.find(ofEntity: entity, id: 3) == object)
      #expect(try context.find(ofEntity: entity, id: 3.0) == object)
      #expect(try context.find(ofEntity: entity, id: Float(3)) == object)
      #expect(try context.find(ofEntity: entity, id: Decimal(3)) == object)
      #expect(try context.find(ofEntity: entity, id: JSON.number(3)) == object)
      #expect(try context.find(ofEntity: entity, id: 3.5) == nil)
      #expect(throws: StoreError.self) { try context.find(ofEntity: entity, id: "3") }
    }
  }

  @Test("M5: setting a json attribute to null sets nil")
  func nullOfJSON() throws {
    let context = try Fixture.context(
      #""H": {"attributes": {"a": {"type": "json", "optional": true}, "b": "json"}}"#)
    let object = context.insert(ofEntity: "H")
    object["a"] = JSON.string("x")
    object["a"] = JSON.null
    object["b"] = JSON.null
    #expect(object["a"] as JSON? == nil)
    #expect(try context.count(ofEntity: "H", where: "a is null") == 1)
    #expect(throws: ValidationError.self) { try context.commit() }
  }

  private static let payload = #"""
    [{"id": 1, "text": "a", "kind": "done", "score": 1, "isRead": true, "date": "2024-01-01T00:00:00Z",
      "address": "http://a.b", "tags": ["x"], "other": 2}]
    """#

  @Test(
    "I20: a hook that reads a required value of a placeholder fails the import, which leaves no trace",
    arguments: ["text", "kind", "score", "isRead", "date", "address", "tags"])
  func placeholders(name: String) throws {
    let context = try context()
    let read: @Sendable (Note) throws -> Void = { note in
      guard let other = note.other else { return }
      switch name {
      case "text": #expect(other.text == "")
      case "kind": #expect(other.kind == .open)
      case "score": #expect(other.score == 0)
      case "isRead": #expect(!other.isRead)
      case "date": _ = other.date
      case "address": _ = other.address
      default: #expect(other.tags == [])
      }
    }
    let error = #expect(throws: ImportError.self) {
      try Note.$read.withValue(read) { try context.importJSON(Self.payload, ofEntity: "Note") }
    }
    #expect(error?.diagnostics.map(\.code) == [.missingValue])
    #expect(
      error?.diagnostics.first?.message
        == "'didImport' of 'Note' reads '\(name)' of 'Note(2)', which has no value because it is a placeholder; "
        + "check 'isPlaceholder' first, or read an optional value")
    #expect(error?.diagnostics.first?.path == "$[0]")
    #expect(try context.count(ofEntity: "Note") == 0 && context.checkInvariants().isEmpty)
  }

  @Test("I20: a validation that reads a missing value fails both an import and a commit")
  func validations() throws {
    var transformers = TransformerRegistry.standard
    transformers.registerValidation(of: Note.self) { note in
      if let other = note.other, other.text.isEmpty { throw CancellationError() }
    }
    let context = try context(transformers)
    let error = #expect(throws: ImportError.self) { try context.importJSON(Self.payload, ofEntity: "Note") }
    #expect(error?.diagnostics.contains { $0.code == .missingValue } == true)
    let alone = Self.payload.replacing(#", "other": 2"#, with: "")
    try context.importJSON(alone, ofEntity: "Note")
    let note = try #require(try context.find(ofEntity: "Note", identity: 1))
    try context.importJSON(#"{"id": 1, "other": null}"#, ofEntity: "Note")
    note[slot: 8] = context.insert(ofEntity: "Note") as ManagedObject?
    #expect(throws: (any Error).self) { try context.commit() }
    #expect(context.checkInvariants().isEmpty)
  }

  @Test("Reading a missing required value outside of hooks and validations traps")
  func outside() async {
    #if compiler(>=6.2)
      await #expect(processExitsWith: .failure) {
        let context = try Fixture.context(
          #""Note": {"attributes": {"id": {"type": "integer64", "optional": true}, "text": {"type": "string", "optional": true}}}"#
        )
        let note = context.insert(ofEntity: "Note")
        let text: String = note[required: 1]
        print(text)
      }
    #endif
  }
}
