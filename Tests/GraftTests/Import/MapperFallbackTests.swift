import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Mappers with a fallback") struct MapperFallbackTests {
  private static func model(_ otherwise: String) -> String {
    """
    "Message": {
      "abstract": true, "identityAttributes": "id",
      "entityMapper": {"JSONKeyPath": "type", "entities": {"text": "TextMessage"}, "otherwise": \(otherwise)},
      "attributes": {"id": "integer64", "title": {"type": "string", "optional": true}}
    },
    "TextMessage": {"parent": "Message"},
    "OtherMessage": {"parent": "Message"},
    "Thread": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {
        "messages": {"destination": "Message", "toMany": true, "ordered": true},
        "pinned": {"destination": "Message"}
      }
    }
    """
  }

  @Test(
    "M15: a discriminator that the table does not list selects the entity of 'otherwise'",
    arguments: ["\"poll\"", "7", "true"])
  func entity(kind: String) throws {
    let context = try Fixture.context(Self.model("\"OtherMessage\""))
    let payload = "[{\"id\": 1, \"type\": \"text\"}, {\"id\": 2, \"type\": \(kind)}]"
    let messages = try objects(ofEntity: "Message", fromJSON: payload, in: context)
    #expect(messages.map(\.entity.name) == ["TextMessage", "OtherMessage"])
    // A missing discriminator still selects no entity, so the object is found by its identity.
    let again = try object(ofEntity: "Message", fromJSON: #"{"id": 2, "title": "x"}"#, in: context)
    #expect(again === messages[1] && again["title"] == "x")
    #expect(throws: ImportError.self) { try object(ofEntity: "Message", fromJSON: #"{"id": 3}"#, in: context) }
    #expect(throws: ImportError.self) {
      try object(ofEntity: "Message", fromJSON: #"{"id": 3, "type": null}"#, in: context)
    }
  }

  @Test("M15: with 'otherwise' null, unlisted dictionaries are skipped, which the report and a warning show")
  func skipped() throws {
    let context = try Fixture.context(Self.model("null"))
    let marked = MarkedText(#"[{"id": 1, "type": "text"}, {"id": 2, "type": 1️⃣"poll", "title": 5}, {"type": 2️⃣7}]"#)
    let report = try context.importJSON(
      marked.text, ofEntity: "Message", options: ImportOptions(sourceName: "p.json"))
    #expect(report.inserted == ["TextMessage": 1] && report.skipped == ["Message": 2])
    #expect(
      report.warnings.map { marked.naming($0.description, file: "p.json") } == [
        "1️⃣ warning: this object of 'Message' is skipped, because the mapper does not list its 'type', found the string \"poll\"",
        "2️⃣ warning: this object of 'Message' is skipped, because the mapper does not list its 'type', found the number 7",
      ])
    #expect(try context.count(ofEntity: "Message") == 1)
  }

  @Test(
    "M15: each unlisted value has its own warning; if there are many values, the remaining values share a warning"
  )
  func values() throws {
    let context = try Fixture.context(Self.model("null"))
    func warnings(_ values: Int) throws -> [String] {
      let elements = (0..<40).map { #"{"id": \#($0), "type": "k\#($0 % values)"}"# }
      let payload = "[\(elements.joined(separator: ", "))]"
      return try context.importJSON(payload, ofEntity: "Message").warnings.map {
        String($0.message[$0.message.range(of: "found ")!.upperBound...])
      }
    }
    #expect(
      try warnings(3) == [
        "the string \"k0\" (14 times)", "the string \"k1\" (13 times)", "the string \"k2\" (13 times)",
      ])
    #expect(
      try warnings(8) == (0..<5).map { "the string \"k\($0)\" (5 times)" } + ["the string \"k5\" (15 times)"])
  }

  @Test("M15, D13: a skipped dictionary is treated as its object's identifier, or as absent if there is no object")
  func standIn() throws {
    let context = try Fixture.context(Self.model("null"))
    try context.importJSON(
      #"{"id": 1, "messages": [{"id": 1, "type": "text", "title": "a"}], "pinned": {"id": 1, "type": "text"}}"#,
      ofEntity: "Thread")
    try context.importJSON(
      #"""
      {"id": 1, "messages": [{"id": 9, "type": "poll"}, {"id": 1, "type": "poll", "title": "b"}],
        "pinned": {"id": 9, "type": "poll"}}
      """#, ofEntity: "Thread")
    let thread = try #require(try context.fetch(ofEntity: "Thread").first)
    let messages: RelatedObjects<ManagedObject> = thread["messages"]
    let pinned: ManagedObject? = thread["pinned"]
    #expect(messages.map { $0["title"] as String? } == ["a"] && pinned === messages.first)
    #expect(try context.count(ofEntity: "Message") == 1)
    let report = try context.importJSON(
      #"[{"id": 1, "type": "poll"}]"#, [.objects(ofEntity: "Message", missing: .delete)])
    #expect(try report.deleted.isEmpty && context.count(ofEntity: "Message") == 1)
  }

  @Test("M15: the model writer and the formatter keep 'otherwise'", arguments: ["\"OtherMessage\"", "null"])
  func written(otherwise: String) throws {
    let context = try Fixture.context(Self.model(otherwise))
    let text = ModelFileWriter().text(of: context.model.contents)
    #expect(text.contains("\"otherwise\": \(otherwise)"))
    let again = try ManagedObjectModel(text: text)
    #expect(
      again.contents.entities[0].entityMapper?.otherwise == context.model.contents.entities[0].entityMapper?.otherwise)
  }

  @Test("D4, M15: a discriminator that the table lists only in another normalization is treated as unlisted")
  func unlistedDiscriminator() throws {
    let context = try Fixture.context(
      #"""
      "M": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "entityMapper": {"JSONKeyPath": "type", "entities": {"\#u{E9}": "A"}, "otherwise": null}},
      "A": {"parent": "M"}
      """#)
    let report = try context.importJSON("[{\"type\": \"e\u{301}\", \"id\": 2}]", ofEntity: "M")
    #expect(report.skipped == ["M": 1] && report.inserted.isEmpty)
  }

  @Test(
    "D13, M15, M22: a skipped dictionary without an object is absent, by itself or as a list's only element",
    arguments: [
      #"{"type": "gif"}"#, #"[{"type": "gif"}]"#, #"{"type": "gif", "id": 9}"#, #"[{"type": "gif", "id": 9}]"#,
    ])
  func skippedInLenientToOne(value: String) throws {
    let context = try Fixture.context(
      #"""
      "Post": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"media": {"destination": "Media", "lenient": true}}},
      "Media": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "entityMapper": {"JSONKeyPath": "type", "entities": {"photo": "Photo"}, "otherwise": null}},
      "Photo": {"parent": "Media"}
      """#)
    try context.load(#"[{"id": 1, "media": {"type": "photo", "id": 5}}]"#, "Post")
    try context.load(#"[{"id": 1, "media": \#(value)}]"#, "Post")
    let post = try #require(try context.fetch(ofEntity: "Post").first)
    let media: ManagedObject? = post["media"]
    #expect(media?["id"] as Int? == 5)
  }
}
