import Graft
import GraftTestSupport
import Testing

@Suite("Context: object names") struct ObjectNameTests {
  private static let model = #"""
    "Card": {"identityAttributes": ["a", "b"], "attributes": {"a": "string", "b": "string"}},
    "Deck": {"identityAttributes": "name", "attributes": {"name": "string"}, "relationships": {
      "cards": {"destination": "Card", "toMany": true, "unresolvedRule": "skip"}}}
    """#

  @Test(
    "C3: text in the name of an object with several identity values is quoted only if it is ambiguous",
    arguments: [
      ("1,x", "y", #"Card("1,x",y)"#), ("1", "x,y", #"Card(1,"x,y")"#), ("a b", "é'\\", #"Card(a b,é'\\)"#),
      ("(", "", #"Card("(",)"#), (")", "x", #"Card(")",x)"#), ("\"", "\n", #"Card("\"",\n)"#),
    ])
  func composites(first: String, second: String, name: String) throws {
    let context = try Fixture.context(Self.model)
    let payload: [String: Any] = ["a": first, "b": second]
    let card = try object(ofEntity: "Card", fromJSON: payload, in: context)
    #expect(card.description == name)
    #expect(card.objectID.description == name)
    #expect(context.dumpText.contains("{\"id\": \(JSONWriter.text(of: .string(name))),"))
  }

  @Test(
    "C3: a single identity value is never quoted, and reports use the same object names as dumps")
  func alone() throws {
    let context = try Fixture.context(Self.model)
    let deck = try context.load(#"{"name": "a,(\")"}"#, "Deck")[0]
    #expect(deck.description == #"Deck(a,(\"))"#)
    let report = try context.importJSON(
      Array(#"{"name": "d", "cards": [["1,x", "y"]]}"#.utf8), ofEntity: "Deck",
      options: ImportOptions(reportsDetails: true)
    )
    #expect(report.details.map(\.name).contains(#"Card("1,x",y)"#))
  }
}
