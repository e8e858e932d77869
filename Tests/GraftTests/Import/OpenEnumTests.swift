import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Open enums") struct OpenEnumTests {
  private static let model = """
    "Card": {
      "identityAttributes": "id",
      "attributes": {
        "id": "integer64",
        "rank": {"type": "string", "optional": true, "enum": ["common", "rare"], "extensible": true},
        "size": {"type": "integer16", "default": 3, "enum": [1, 2], "extensible": true, "maximum": 9}
      }
    }
    """

  private func warnings(_ marked: String, in context: ManagedObjectContext) throws -> [String] {
    let marked = MarkedText(marked)
    let report = try context.importJSON(
      marked.text, ofEntity: "Card", options: ImportOptions(sourceName: "p.json"))
    return report.warnings.map { marked.naming($0.description, file: "p.json") + " (at \($0.path ?? ""))" }
  }

  @Test("M14: a value that an open enum does not list is stored, and reported as a warning")
  func kept() throws {
    let context = try Fixture.context(Self.model)
    #expect(
      try warnings(#"[{"id": 1, "rank": 1️⃣"mythic"}, {"id": 2, "rank": "rare"}, {"id": 3, "size": 2️⃣7}]"#, in: context)
        == [
          "1️⃣ warning: expected one of the known values of 'Card.rank', found the string \"mythic\" (at $[0].rank)",
          "2️⃣ warning: expected one of the known values of 'Card.size', found the number 7 (at $[2].size)",
        ])
    let cards = try context.fetch(ofEntity: "Card")
    #expect(cards.contains { $0["rank"] == "mythic" } && cards.contains { $0["size"] == 7 })
    // A value that already existed, that a later dictionary replaces, or that is a default causes no warning.
    #expect(try warnings(#"[{"id": 1}, {"id": 3, "rank": "common"}, {"id": 4}]"#, in: context) == [])
    #expect(
      try warnings(#"[{"id": 5, "rank": "x"}, {"id": 5, "rank": "rare"}]"#, in: context).allSatisfy {
        !$0.contains("known values")
      })
  }

  @Test("M14: other rules still apply to values that an open enum does not list")
  func otherRules() throws {
    let context = try Fixture.context(Self.model)
    let error = #expect(throws: ImportError.self) {
      try objects(ofEntity: "Card", fromJSON: #"[{"id": 1, "size": 10}]"#, in: context)
    }
    #expect(error?.diagnostics.map(\.code) == [.invalidValue])
  }

  @Test("M14, I19: an option that treats warnings as errors refuses the value, with locations in payload and model")
  func asError() throws {
    let context = try Fixture.context(Self.model)
    let error = #expect(throws: ImportError.self) {
      try context.importJSON(
        #"[{"id": 1, "rank": "mythic"}]"#, ofEntity: "Card", options: ImportOptions(warnings: .error))
    }
    #expect(error?.diagnostics.map(\.code) == [.unlistedValue])
    #expect(
      error?.diagnostics.first?.notes.map(\.message) == [
        "the known values are listed here", "the value is kept; if it is correct, add it to the 'enum'",
      ])
    #expect(try context.count(ofEntity: "Card") == 0)
  }

  @Test("M14: a commit accepts values that an open enum does not list")
  func commit() throws {
    let context = try Fixture.context(Self.model)
    let card = try object(ofEntity: "Card", fromJSON: #"{"id": 1}"#, in: context)
    try card.setValue("mythic", of: "rank")
    try context.commit()
    #expect(String(decoding: try jsonData(from: card), as: UTF8.self) == #"{"id":1,"rank":"mythic","size":3}"#)
  }
}
