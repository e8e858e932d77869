import Foundation
import Graft
import GraftSQLite
import Testing

extension GuideTests {
  /// Checks that the page quotes an error's message.
  private static func expect(
    _ quotation: String, sourceLocation: Testing.SourceLocation = #_sourceLocation, of body: () throws -> Void
  ) throws {
    let page = try ReadmeTests.page("Troubleshooting")
    #expect(page.contains("`\(quotation)`"), "not on the page: \(quotation)", sourceLocation: sourceLocation)
    let error = #expect(throws: (any Error).self, sourceLocation: sourceLocation, performing: body)
    #expect("\(error as Any)".contains(quotation), sourceLocation: sourceLocation)
  }

  private static func model(_ text: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(text: text, name: "Concerts.model.json", classes: [Concert.self])
  }

  @Test("Troubleshooting: messages about models")
  func troubleWithModels() throws {
    let text = ConcertsModel.text
    let silent = try ManagedObjectModel(
      text: #"{"entities": {"Concert": {"identityAttributes": "id", "attributes": {"id": "integer64"}}}}"#)
    try Self.expect("entity 'Concert' has no key paths, so imports and exports ignore its properties") {
      throw ValidationFailure("\(silent.warnings)")
    }
    try Self.expect("the transformer 'Cents' of attribute 'Concert.price' is neither built in nor registered") {
      _ = try Self.model(text.replacing("StringToDecimal", with: "Cents"))
    }
    try Self.expect("the class 'Concrt' belongs to an entity 'Concrt', which the model does not have") {
      final class Concrt: ManagedObject {}
      _ = try ManagedObjectModel(text: text, classes: [Concrt.self])
    }
    try Self.expect("the class 'Concert' was generated from another version of the model") {
      _ = try Self.model(text.replacing(#""title": "string","#, with: ""))
    }
  }

  @Test(
    "Troubleshooting: messages about payloads",
    arguments: [
      ("expected JSON, found HTML", "<html></html>"),
      ("the text ends where ',' or '}' was expected", #"[{"id": 1, "title": "A""#),
      (
        #"expected the keys "id", "title", "starts_at", "price" of 'Concert', found "data""#,
        #"{"data": []}"#
      ),
      (
        #""starts_at" is absent; did you mean "startsAt", which is present?"#,
        #"[{"id": 1, "title": "A", "startsAt": "2025-07-04T20:00:00Z", "price": "1"}]"#
      ),
      (
        "expected a value for 'Concert.title', which is not optional, found none",
        #"[{"id": 1, "title": null, "starts_at": "2025-07-04T20:00:00Z", "price": "1"}]"#
      ),
      (#"expected an integer for 'Concert.id', found the string "31""#, #"[{"id": "31"}]"#),
      (
        #"expected a date (RFC 3339 text) for 'Concert.startsAt', found the string "2025-07-04""#,
        #"[{"id": 1, "starts_at": "2025-07-04"}]"#
      ),
      (#"expected JSON, found "concerts.json": to import a file, pass its URL"#, "concerts.json"),
      (#"the key "title" occurs twice in one object"#, #"[{"id": 1, "title": "A", "title": "B"}]"#),
    ])
  func troubleWithPayloads(message: String, payload: String) throws {
    let context = ManagedObjectContext(model: try ConcertsModel.load())
    try Self.expect(message) { try context.importJSON(payload, into: Concert.self) }
  }

  @Test("Troubleshooting: messages about calls")
  func troubleWithCalls() throws {
    let context = try Self.context()
    try Self.expect("expected an object or an identifier of 'Artist', found an array") {
      try object(Artist.self, fromJSON: "[]", in: context)
    }
    try Self.expect("'https://example.org/concerts' is not a file") {
      try context.importJSON(URL(string: "https://example.org/concerts")!, into: Concert.self)
    }
    try Self.expect("expected dictionaries with the same identity to agree") {
      let report = try context.importJSON(#"[{"id": 1, "name": "A"}, {"id": 1, "name": "B"}]"#, into: Artist.self)
      throw ValidationFailure("\(report.warnings)")
    }
    try Self.expect("no 'Artist' has this identifier, and 'Concert.artists' accepts existing objects only") {
      let text = ConcertsModel.text.replacing(
        #""JSONRepresentation": "identifier""#, with: #""unresolvedRule": "deny""#)
      try ManagedObjectContext(model: Self.model(text))
        .importJSON(Self.payloads().concerts, ofEntity: "Concert", at: "data")
    }
    let concert = try #require(try Concert.find(id: 31, in: context))
    try Self.expect("'Concert' has no property 'nme'") { _ = try concert.propertyValue(of: "nme") }
    try Self.expect("there is already another object 'Concert(32)'") { try concert.setValue(32, of: "id") }
  }

  @Test("Troubleshooting: messages about queries")
  func troubleWithQueries() throws {
    final class V: ManagedObject {
      override class var entityName: String { "Venue" }
      var name: String? { self["name"] }
    }
    let context = ManagedObjectContext(model: try ManagedObjectModel(text: ConcertsModel.text, classes: [V.self]))
    try Self.expect("that 'V.queryableProperties' does not list") {
      _ = try context.fetch(V.self, where: #Predicate { $0.name == "A" })
    }
    try Self.expect("a live list cannot be sorted by a closure") {
      _ = try context.results(V.self, sortedBy: .ascending(\.name))
    }
  }

  @Test("Troubleshooting: messages about stores")
  func troubleWithStores() throws {
    let folder = try TemporaryFolder()
    func url(_ name: String) -> URL { URL(fileURLWithPath: folder.path(name)) }
    let model = try ConcertsModel.load()
    try Self.expect("No such file or directory; create it first") {
      _ = try SQLiteStore(at: url("nowhere/concerts.graft"), model: model)
    }
    try Self.expect("it is a snapshot: open it as a 'SnapshotStore'") {
      let snapshot = try SnapshotStore(at: url("snapshot.graft"), model: model)
      try ManagedObjectContext(store: snapshot).importJSON(Self.payloads().artists, into: Artist.self, at: "data")
      _ = try SQLiteStore(at: url("snapshot.graft"), model: model)
    }
    let store = try SQLiteStore(at: url("concerts.graft"), model: model)
    let (first, second) = (ManagedObjectContext(store: store), ManagedObjectContext(store: store))
    try first.importJSON(Self.payloads().concerts, into: Concert.self, at: "data")
    try Self.expect("the store was opened with another 'ManagedObjectModel'") {
      _ = try ManagedObjectContext(model: ConcertsModel.load(), store: store)
    }
    try Self.expect("was changed in the store since it was loaded") {
      let concert = try Concert.find(id: 31, in: first)
      try Concert.find(id: 31, in: second)?.title = "B"
      concert?.title = "A"
      try first.commit()
      try second.commit()
    }
    try Self.expect("its model differs from the given one") {
      let text = ConcertsModel.text.replacing(#""title": "string""#, with: #""title": "integer64""#)
      _ = try SQLiteStore(at: url("concerts.graft"), model: ManagedObjectModel(text: text))
    }
    try Self.expect("it is missing or empty, but") {
      try Data(contentsOf: url("concerts.graft-wal")).write(to: url("lost.graft-wal"))
      _ = try SQLiteStore(at: url("lost.graft"), model: model)
    }
    try Self.expect("names (hard links)") {
      try FileManager.default.linkItem(at: url("concerts.graft"), to: url("linked.graft"))
      defer { try? FileManager.default.removeItem(at: url("linked.graft")) }
      _ = try SQLiteStore(at: url("linked.graft"), model: model)
    }
    try Self.expect("there is no store") {
      var options = SQLiteStore.Options()
      options.isReadOnly = true
      _ = try SQLiteStore(at: url("other.graft"), model: model, options: options)
    }
    try Self.expect("its file was moved, replaced or deleted while the store was open") {
      try FileManager.default.removeItem(at: url("concerts.graft"))
      first.rollBack()
      try first.importJSON(#"[{"id": 1, "name": "A"}]"#, into: Artist.self)
    }
  }

  @Test("Troubleshooting: imports behave as described")
  func troubleWithGraphs() throws {
    let context = try Self.context()
    let concert = try #require(try Concert.find(id: 31, in: context))
    // An array replaces, an import commits, and a number in text is written by value.
    concert.title = "Edited"
    try context.importJSON(#"{"id": 31, "artists": [7]}"#, into: Concert.self)
    context.rollBack()
    #expect(concert.title == "Edited" && concert.artists.count == 1)
    #expect(try jsonString(from: concert).contains(#""price":"18.5""#))
    // Without an identity, every import inserts.
    let model = try ManagedObjectModel(
      text: #"{"keyStrategy": "sameName", "entities": {"A": {"attributes": {"name": "string"}}}}"#)
    let other = ManagedObjectContext(model: model)
    for _ in 1...2 { try other.importJSON(#"[{"name": "x"}]"#, ofEntity: "A") }
    #expect(try other.count(ofEntity: "A") == 2)
  }
}
