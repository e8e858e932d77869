import Foundation
import Graft
import GraftTestSupport
import Testing

/// Decoding into contexts with stores. Only `context.decode` commits.
@Suite("Decoding with stores") struct StoreDecodingTests {
  final class Card: ManagedObject, Decodable {}
  final class Note: ManagedObject, DecodableManagedObject {
    private enum CodingKeys: String, CodingKey { case id, text }

    func setValues(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      try setValue(container.decode(Int.self, forKey: .id), of: "id")
      try setValue(container.decode(String.self, forKey: .text), of: "text")
    }
  }
  struct Page: Decodable { var items: ManagedObjectsUpsert<Card> }
  struct Notes: Decodable { var notes: [Note] }
  struct CutOff: Decodable {
    var items: ManagedObjectsUpsert<Card>
    var next: Int
  }

  private static func source(_ kind: ContextSource.Kind) throws -> ContextSource {
    try ContextSource(
      kind,
      ManagedObjectModel(
        text: #"""
          {"keyStrategy": "sameName", "entities": {
            "Card": {"identityAttributes": "id",
              "attributes": {"id": "integer64", "title": {"type": "string", "optional": true}}},
            "Note": {"identityAttributes": "id", "attributes": {"id": "integer64", "text": "string"}}}}
          """#, classes: [Card.self, Note.self]))
  }

  private func titles(_ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(ofEntity: "Card", sortedBy: .ascending("id")).map { "\($0) \($0["title"] as String? ?? "-")" }
  }

  @Test(
    "C4: decoder.decode commits neither to a store nor to a parent context", arguments: ContextSource.Kind.allCases)
  func pending(kind: ContextSource.Kind) throws {
    let source = try Self.source(kind)
    let context = try source.context()
    try context.importJSON(#"{"id": 1, "title": "committed"}"#, ofEntity: "Card")
    let others = { try self.titles(source.context()) }
    let before = try others()
    let decoder = JSONDecoder()
    decoder.userInfo[.managedObjectContext] = context

    #expect(throws: DecodingError.self) {
      try decoder.decode(CutOff.self, from: Data(#"{"items": [{"id": 2, "title": "new"}]}"#.utf8))
    }
    #expect(context.hasChanges)
    #expect(try others() == before)
    context.rollBack()
    #expect(try titles(context) == ["Card(1) committed"] && !context.hasChanges)

    try context.find(ofEntity: "Card", id: 1)?.setValue("pending", of: "title")
    _ = try decoder.decode(Page.self, from: Data(#"{"items": [{"id": 3, "title": "new"}, {"id": 1}]}"#.utf8))
    _ = try decoder.decode(Notes.self, from: Data(#"{"notes": [{"id": 1, "text": "n"}]}"#.utf8))
    #expect(try titles(context) == ["Card(1) pending", "Card(3) new"])
    #expect(try others() == before && context.hasChanges)
    context.rollBack()
    #expect(try titles(context) == ["Card(1) committed"])
    #expect(try context.fetch(ofEntity: "Note").isEmpty && context.checkInvariants() == [])

    for id in 5...6 {
      _ = try decoder.decode(Page.self, from: Data(#"{"items": [{"id": \#(id), "title": "\#(id)"}]}"#.utf8))
    }
    try context.commit()
    #expect(try others() == ["Card(1) committed", "Card(5) 5", "Card(6) 6"])
    #expect(context.checkInvariants() == [])
  }

  @Test("C4: context.decode commits, and a refused payload leaves no trace", arguments: ContextSource.Kind.allCases)
  func committed(kind: ContextSource.Kind) throws {
    let source = try Self.source(kind)
    let context = try source.context()
    #expect(throws: DecodingError.self) {
      try context.decode(CutOff.self, from: Data(#"{"items": [{"id": 2}]}"#.utf8))
    }
    #expect(try titles(context).isEmpty && !context.hasChanges)
    _ = try context.decode(Notes.self, from: Data(#"{"notes": [{"id": 1, "text": "n"}]}"#.utf8))
    #expect(!context.hasChanges)
    #expect(try source.context().fetch(ofEntity: "Note").count == 1)
  }
}
