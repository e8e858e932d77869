import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Decoding managed objects") struct DecodingTests {
  typealias Hero = Coded.Hero

  struct Page: Decodable {
    var title: String
    var hero: Hero?
    var heroes: [Hero]
    var byTeam: [String: [Hero]]?
  }

  @Test("C4: managed objects decode inside ordinary types, according to the model")
  func inside() throws {
    let context = try Fixture.heroes()
    let decoder = JSONDecoder()
    decoder.userInfo[.managedObjectContext] = context
    let text = #"""
      {
        "title": "Birds",
        "hero": {"id": 1, "name": "Night Heron", "publisher": {"id": 5, "name": "Lantern Press"}},
        "heroes": [{"id": 2, "name": "Egret", "powers": [{"id": 7}, 8]}, 1],
        "byTeam": {"waders": [{"id": 1}, {"id": 2, "publisher": 5}]}
      }
      """#
    let page = try decoder.decode(Page.self, from: Data(text.utf8))
    let hero = try #require(page.hero)
    #expect(page.title == "Birds")
    #expect(hero.name == "Night Heron")
    #expect(page.heroes.map(\.name) == ["Egret", "Night Heron"])
    #expect(page.byTeam?["waders"] == [hero, page.heroes[0]])
    #expect(page.heroes[0].publisher === hero.publisher)
    #expect(try context.placeholders.map(\.description).sorted() == ["Power(8)"])
    #expect(context.checkInvariants() == [])
  }

  @Test("C1: decoding an object returns the object's only handle")
  func handles() throws {
    let context = try Fixture.heroes()
    let known: Hero = try object(fromJSON: #"{"id": 1, "name": "Heron"}"#, in: context)
    let decoder = JSONDecoder(context)
    let again = try decoder.decode(Hero.self, from: Data(#"{"id": 1, "name": "Old Heron"}"#.utf8))
    #expect(again === known)
    #expect(known.name == "Old Heron")
    #expect(try decoder.decode([Hero].self, from: Data("[1, 1]".utf8)).allSatisfy { $0 === known })
  }

  @Test("C4: decoding without a context throws an error that explains how to set the context")
  func missingContext() {
    #expect(
      complaint { _ = try JSONDecoder().decode([Hero].self, from: Data("[1]".utf8)) }
        == "[Index 0] the decoder has no context to decode managed objects into: "
        + "set 'decoder.userInfo[.managedObjectContext]'")
  }

  @Test("C4: decoding errors have the coding path, the JSON path from the root, and the line of the model")
  func faults() throws {
    let context = try Fixture.heroes()
    let text = #"{"title": "x", "heroes": [{"id": 1}, {"id": 2, "powers": [{"id": "7"}, {"id": 8, "name": 3}]}]}"#
    var found: DecodingError?
    let words = complaint {
      do {
        _ = try JSONDecoder(context).decode(Page.self, from: Data(text.utf8))
      } catch let error as DecodingError {
        found = error
        throw error
      }
    }
    #expect(
      words == #"""
        [heroes.Index 1] <payload>: error: expected an integer for 'Power.id', found the string "7" (at $.heroes[1].powers[0].id)
        m.json:12:24: note: 'id' is declared integer64 here; to accept digits in a string, add "JSONTransformerName": "StringToInteger"
        <payload>: error: expected a string for 'Power.name', found the number 3 (at $.heroes[1].powers[1].name)
        m.json:12:54: note: 'name' is declared string here; to read it, add "JSONTransformerName": "Lenient"
        """#)
    #expect(
      found?.importError?.diagnostics.map(\.path) == ["$.heroes[1].powers[0].id", "$.heroes[1].powers[1].name"])
    #expect(try #require(found?.importError).description == words.dropFirst("[heroes.Index 1] ".count))
  }

  @Test("C4: null is rejected as an object, an array is rejected as a single object, and an optional accepts null")
  func noObject() throws {
    let context = try Fixture.heroes()
    let decoder = JSONDecoder(context)
    #expect(
      complaint { _ = try decoder.decode(Hero.self, from: Data("null".utf8)) }
        == "[] expected an object of 'Hero', found null")
    #expect(
      complaint { _ = try decoder.decode(Hero.self, from: Data("[1]".utf8)) }
        == """
        [] <payload>: error: expected an object or an identifier of 'Hero', found an array (at $)
        note: to import arrays, call objects(fromJSON:in:)
        """)
    #expect(try decoder.decode([Hero?].self, from: Data("[null, 1]".utf8)).map { $0?.id } == [nil, 1])
  }

  @Test("C4: a dictionary key is a component of the coding path, even if the key is a number")
  func numericKeys() throws {
    let context = try Fixture.heroes()
    let text = #"{"7": {"id": true}}"#
    #expect(
      complaint { _ = try JSONDecoder(context).decode([Int: Hero].self, from: Data(text.utf8)) }
        == """
        [7] <payload>: error: expected an integer for 'Hero.id', found true (at $['7'].id)
        m.json:4:24: note: 'id' is declared integer64 here
        """)
  }

  @Test("C4: a class that is not in the model is rejected by name")
  func unknownEntity() throws {
    final class Heroe: ManagedObject, Decodable {}
    let context = try Fixture.heroes()
    #expect(
      complaint { _ = try JSONDecoder(context).decode(Heroe.self, from: Data("1".utf8)) }
        == "[] error: the model has no entity 'Heroe'; did you mean 'Hero'?")
  }

  @Test("C4: import options can be set in userInfo")
  func options() throws {
    let context = try Fixture.heroes()
    let decoder = JSONDecoder(context)
    decoder.userInfo[.managedObjectImportOptions] = ImportOptions(unknownKeys: .error)
    #expect(
      complaint { _ = try decoder.decode(Hero.self, from: Data(#"{"id": 1, "nmae": "x"}"#.utf8)) }
        == """
        [] <payload>: error: the key "nmae" is not mapped by 'Hero'; did you mean 'name'? (at $.nmae)
        m.json:2:1: note: 'Hero' is declared here
        """)
  }

  @Test("C4: decoding does not commit: decoded objects are among the context's changes, and can be rolled back")
  func uncommitted() throws {
    let context = try Fixture.heroes()
    try objects(Hero.self, fromJSON: #"[{"id": 1, "name": "Heron"}]"#, in: context)
    let before = context.dumpText
    let decoder = JSONDecoder(context)
    let heroes = try decoder.decode([Hero].self, from: Data(#"[{"id": 1, "name": "x"}, {"id": 2}]"#.utf8))
    #expect(
      context.changes.inserted == [heroes[1].objectID] && context.changes.updated.map(\.id) == [heroes[0].objectID])
    context.rollBack()
    #expect(context.dumpText == before)
    #expect(heroes.map(\.isDeleted) == [false, true])
  }

  @Test(
    "C4: the mapper chooses sub-entities, and an identifier creates a placeholder that a later object fills")
  func inheritance() throws {
    class Message: ManagedObject, Decodable {}
    final class TextMessage: Message { var text: String? { self["text"] } }
    let context = try Fixture.context(
      #"""
      "Message": {
        "identityAttributes": "id",
        "entityMapper": {"JSONKeyPath": "type", "entities": {"text": "TextMessage", "call": "Message"}},
        "attributes": {"id": "integer64"},
        "relationships": {
          "replies": {"destination": "Message", "toMany": true, "inverse": "inReplyTo"},
          "inReplyTo": {"destination": "Message", "inverse": "replies"}
        }
      },
      "TextMessage": {"parent": "Message", "attributes": {"text": {"type": "string"}}}
      """#, classes: [Message.self, TextMessage.self])
    let text = #"""
      [{"id": 1, "type": "call", "inReplyTo": 2},
       {"id": 2, "type": "text", "text": "hi", "replies": [{"id": 3, "type": "text", "text": "ho", "inReplyTo": 2}, 1]}]
      """#
    let messages = try JSONDecoder(context).decode([Message].self, from: Data(text.utf8))
    let second = try #require(messages[1] as? TextMessage)
    #expect(second.text == "hi")
    #expect(try context.count(Message.self) == 3 && context.placeholders == [])
    let replies: Set<Message> = second["replies"]
    #expect(replies.map(\.description).sorted() == ["Message(1)", "TextMessage(3)"])
    let typed = try JSONDecoder(context).decode(TextMessage.self, from: Data(#"{"id": 2, "text": "again"}"#.utf8))
    #expect(typed === second && second.text == "again")
    #expect(context.checkInvariants() == [])
  }

  @Test("T5: a transformer that decodes into its own context is rejected")
  func reentrancy() throws {
    nonisolated(unsafe) var context: ManagedObjectContext?
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Nested") { (text: String) -> String? in
      guard let context else { return nil }
      return try JSONDecoder(context).decode(Hero.self, from: Data("1".utf8)).name
    }
    context = try Fixture.context(
      #""Hero": {"attributes": {"name": {"type": "string", "JSONTransformerName": "Nested"}}}"#,
      transformers: transformers, classes: [Hero.self])
    let decoder = JSONDecoder(try #require(context))
    #expect(
      complaint { _ = try decoder.decode(Hero.self, from: Data(#"{"name": "x"}"#.utf8)) }
        .contains("the context is in the middle of an import"))
    #expect(try context?.count(Hero.self) == 0)
  }
}
