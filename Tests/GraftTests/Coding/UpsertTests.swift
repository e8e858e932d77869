import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Upserts") struct UpsertTests {
  /// This class is not Decodable: an upsert does not require the conformance.
  final class Card: ManagedObject {
    var title: String? { self["title"] }
    var related: Set<Card> { self["related"] }
  }

  private static func context() throws -> ManagedObjectContext {
    try Fixture.context(
      #"""
      "Card": {
        "identityAttributes": ["set", "number"],
        "attributes": {
          "set": "string", "number": "integer32", "title": {"type": "string", "optional": true, "maxLength": 5}
        },
        "relationships": {
          "related": {"destination": "Card", "toMany": true, "unresolvedRule": "deny"}
        }
      }
      """#, classes: [Card.self])
  }

  struct Response: Codable {
    var status: String
    var best: ManagedObjectUpsert<Card>?
    var cards: ManagedObjectsUpsert<Card>
  }

  @Test("C4: upserts of a single object and of several objects work inside an ordinary type")
  func upserts() throws {
    let context = try Self.context()
    let known: Card = try object(fromJSON: #"{"set": "DAW", "number": 12, "title": "Old"}"#, in: context)
    let text = #"""
      {"status": "ok", "best": {"set": "DAW", "number": 12, "title": "New"},
       "cards": [{"set": "DAW", "number": 13, "related": [["DAW", 14]]}, null, ["DAW", 12], {"set": "DAW", "number": 14}]}
      """#
    let response = try JSONDecoder(context).decode(Response.self, from: Data(text.utf8))
    #expect(response.best?.object === known && known.title == "New")
    #expect(response.cards.objects.map(\.description) == ["Card(DAW,13)", "Card(DAW,12)", "Card(DAW,14)"])
    // An array is one payload, so its elements can refer to each other in any order (D1).
    #expect(response.cards.objects[0].related == [response.cards.objects[2]])
  }

  @Test("C4: an upsert of many objects is atomic")
  func atomicity() throws {
    let context = try Self.context()
    try context.load(#"[{"set": "DAW", "number": 1, "title": "One"}]"#, "Card")
    let before = context.dumpText
    let text =
      #"{"status": "ok", "cards": [{"set": "DAW", "number": 1, "title": "Uno"}, {"set": "DAW", "number": 2, "title": "Twelve"}]}"#
    #expect(
      complaint { _ = try JSONDecoder(context).decode(Response.self, from: Data(text.utf8)) }
        == """
        [cards] <payload>: error: expected at most 5 characters for 'Card.title', found 6 (at $.cards[1].title)
        m.json:5:104: note: 'title' is declared here
        """)
    #expect(context.dumpText == before)
  }

  @Test(
    "D1: each separately decoded object is a payload of its own, and the error suggests decoding the objects together")
  func alone() throws {
    let context = try Self.context()
    let text = #"[{"set": "DAW", "number": 13, "related": [["DAW", 14]]}, {"set": "DAW", "number": 14}]"#
    #expect(
      complaint { _ = try JSONDecoder(context).decode([ManagedObjectUpsert<Card>].self, from: Data(text.utf8)) }
        == """
        [Index 0] <payload>: error: no 'Card' has this identifier, and 'Card.related' accepts existing objects only (at $[0].related[0])
        m.json:8:74: note: 'related' declares "unresolvedRule": "deny" here
        note: an object that is decoded alone cannot refer to objects that follow it: decode 'ManagedObjectsUpsert<Card>'
        """)
    #expect(
      try JSONDecoder(context).decode(ManagedObjectsUpsert<Card>.self, from: Data(text.utf8)).objects.count == 2)
  }

  @Test("C4: upserts encode as the objects that they contain")
  func encoding() throws {
    let context = try Self.context()
    let text = #"{"status":"ok","cards":[{"set":"DAW","number":1,"title":null,"related":[]}]}"#
    let response = try JSONDecoder(context).decode(Response.self, from: Data(text.utf8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(response), as: UTF8.self)
        == #"{"cards":[{"number":1,"related":[],"set":"DAW","title":null}],"status":"ok"}"#)
  }

  @Test("C4: a keyed collection decodes as an upsert of several objects (M11)")
  func keyed() throws {
    final class Power: ManagedObject { var name: String? { self["name"] } }
    let context = try Fixture.context(
      #"""
      "Power": {
        "identityAttributes": "id",
        "attributes": {"id": {"type": "string", "JSONKeyPath": "@key"}, "name": "string"}
      }
      """#, classes: [Power.self])
    let text = #"{"powers": {"b": {"name": "Agility"}, "a": {"name": "Flight"}}}"#
    let powers = try JSONDecoder(context).decode([String: ManagedObjectsUpsert<Power>].self, from: Data(text.utf8))
    #expect(powers["powers"]?.objects.map(\.description) == ["Power(a)", "Power(b)"])
    #expect(powers["powers"]?.objects.map(\.name) == ["Flight", "Agility"])
  }
}
