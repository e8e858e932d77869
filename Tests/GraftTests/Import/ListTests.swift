import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Typed lists") struct ListTests {
  private static let model = """
    "Card": {
      "identityAttributes": "id",
      "attributes": {
        "id": "integer64",
        "tags": {"type": "string", "list": true, "default": ["new", "card"]},
        "sizes": {"type": "integer16", "list": true, "optional": true, "JSONTransformerName": "StringToInteger"},
        "times": {"type": "date", "list": true, "optional": true, "JSONTransformerName": "UnixTime"},
        "prices": {"type": "decimal", "list": true, "optional": true},
        "weights": {"type": "float", "list": true, "optional": true},
        "pages": {"type": "uri", "list": true, "optional": true},
        "keys": {"type": "uuid", "list": true, "optional": true},
        "photos": {"type": "binary", "list": true, "optional": true},
        "flags": {"type": "boolean", "list": true, "optional": true, "JSONTransformerName": "Lenient"},
        "extra": {"type": "json", "list": true, "optional": true},
        "ranks": {"type": "string", "list": true, "optional": true, "enum": ["low", "high"], "extensible": true},
        "codes": {"type": "string", "list": true, "optional": true, "JSONTransformerName": "Picky"}
      }
    }
    """

  private func context() throws -> ManagedObjectContext {
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Picky") { (text: String) -> String? in
      text == "none" ? nil : text + "!"
    } reverse: {
      $0 == "lost!" ? nil : String($0.dropLast())
    }
    return try Fixture.context(Self.model, transformers: transformers)
  }

  private static let payload = #"""
    {"id":1,"tags":["b","a\n","b"],"sizes":["3","-1"],"times":[0,1.5],"prices":[12.50,1e2],"weights":[0.1,2,1e30],\#
    "pages":["https://a.b/é"],"keys":["123E4567-E89B-12D3-A456-426614174000"],"photos":["AAE=",""],\#
    "flags":[1,"no",true],"extra":[1,"x",{"b":[null],"a":2}],"ranks":["low"],"codes":["a","b"]}
    """#

  @Test("M13: each element is read with the attribute's type and transformer, and has the type in Swift")
  func values() throws {
    let card = try object(ofEntity: "Card", fromJSON: Self.payload, in: context())
    #expect(card["tags"] == ["b", "a\n", "b"])
    #expect(card["sizes"] == [3, -1])
    #expect(card["times"] == [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1.5)])
    #expect(card["prices"] == [Decimal(string: "12.5")!, 100])
    #expect(card["weights"] == [Float(0.1), 2, 1e30])
    #expect(card["keys"] == [UUID(uuidString: "123E4567-E89B-12D3-A456-426614174000")!])
    #expect(card["photos"] == [Data([0, 1]), Data()])
    #expect(card["flags"] == [true, false, true])
    #expect(card["codes"] == ["a!", "b!"])
    let extra: [JSON]? = card["extra"]
    #expect(extra == [1, "x", ["b": [nil], "a": 2]])
    guard case .attribute(.list(let sizes))? = try card.propertyValue(of: "sizes") else {
      Issue.record("a list of integers is \(String(describing: try? card.propertyValue(of: "sizes")))")
      return
    }
    #expect(sizes == [.integer(3), .integer(-1)])
  }

  @Test("M13: exports write each element in its own form, and importing an export changes nothing")
  func exports() throws {
    let context = try context()
    let card = try object(ofEntity: "Card", fromJSON: Self.payload, in: context)
    let text = try String(decoding: jsonData(from: card), as: UTF8.self)
    #expect(
      text == #"""
        {"id":1,"tags":["b","a\n","b"],"sizes":["3","-1"],"times":[0,1.5],"prices":[12.5,100],"weights":[0.1,2,1e+30],\#
        "pages":["https://a.b/é"],"keys":["123e4567-e89b-12d3-a456-426614174000"],"photos":["AAE=",""],\#
        "flags":[true,false,true],"extra":[1,"x",{"b":[null],"a":2}],"ranks":["low"],"codes":["a","b"]}
        """#)
    let report = try context.importJSON(text, ofEntity: "Card")
    #expect(report.unchanged == ["Card": 1])
  }

  @Test("M13: an empty list is a value; an absent list keeps its value or gets its default, and null sets nil")
  func empty() throws {
    let context = try context()
    let cards = try objects(
      ofEntity: "Card", fromJSON: #"[{"id": 1}, {"id": 2, "tags": [], "sizes": []}, {"id": 3, "sizes": null}]"#,
      in: context)
    let tags: [[String]?] = cards.map { $0["tags"] }
    #expect(tags == [["new", "card"], [], ["new", "card"]])
    let sizes: [[Int]?] = cards.map { $0["sizes"] }
    #expect(sizes == [nil, [], nil])
    _ = try objects(ofEntity: "Card", fromJSON: #"[{"id": 2, "sizes": null}]"#, in: context)
    let kept: [String]? = cards[1]["tags"]
    let cleared: [Int]? = cards[1]["sizes"]
    #expect(kept == [] && cleared == nil)
    #expect(throws: ImportError.self) {
      _ = try objects(ofEntity: "Card", fromJSON: #"[{"id": 2, "tags": null}]"#, in: context)
    }
  }

  @Test("M13, D12: null, and nil from the transformer, cause errors at the element")
  func nulls() throws {
    let error = #expect(throws: ImportError.self) {
      _ = try objects(
        ofEntity: "Card", fromJSON: #"[{"id": 1, "codes": ["a", "none", null], "tags": [null]}]"#, in: context())
    }
    #expect(
      error?.diagnostics.map { "\($0.path ?? ""): \($0.message)" } == [
        "$[0].codes[1]: the transformer 'Picky' returned nil for the string \"none\", and an element of 'Card.codes' cannot be nil",
        "$[0].codes[2]: expected a value for an element of 'Card.codes', found null",
        "$[0].tags[0]: expected a value for an element of 'Card.tags', found null",
      ])
  }

  @Test("M13: a reverse transformer that returns nil for an element stops the export")
  func reverseNil() throws {
    let context = try context()
    let card = try object(ofEntity: "Card", fromJSON: #"{"id": 1, "codes": ["a", "lost"]}"#, in: context)
    let error = #expect(throws: ExportError.self) { try jsonData(from: card) }
    #expect(
      error?.diagnostics.first?.message
        == "the reverse of the transformer 'Picky' of 'Card.codes' returned nil for the element at index 1, but lists cannot contain null"
    )
  }

  @Test("M13: lists in dictionaries are read like lists in text")
  func dictionaries() throws {
    let context = try context()
    let card = try object(
      ofEntity: "Card",
      fromJSON: ["id": 1, "tags": ["a", "b"], "sizes": ["3"], "weights": [0.5, 2], "extra": [["a": NSNull()], 1]]
        as [String: Any],
      in: context)
    #expect(card["tags"] == ["a", "b"])
    #expect(card["sizes"] == [3])
    #expect(card["weights"] == [Float(0.5), 2])
    #expect(card["extra"] == [["a": nil] as JSON, 1])
  }

  @Test("M13: a list that is set in Swift has the same validation, and can be rolled back")
  func setting() throws {
    let context = try context()
    let card = try object(ofEntity: "Card", fromJSON: #"{"id": 1, "pages": ["https://a.b/é"]}"#, in: context)
    try context.commit()
    card["tags"] = ["x"]
    try card.setValue([1, 2], of: "sizes")
    try card.setValue([Date(timeIntervalSince1970: 7)], of: "times")
    try card.setValue([1, 2.5], of: "weights")
    #expect(card["tags"] == ["x"] && card["sizes"] == [1, 2] && card["weights"] == [Float(1), 2.5])
    // Setting the URLs that were just read keeps their spelling.
    let pages: [URL]? = card["pages"]
    try card.setValue(pages ?? [], of: "pages")
    let text = try String(decoding: jsonData(from: card), as: UTF8.self)
    #expect(text.contains(#""pages":["https://a.b/é"]"#))
    for value in [AttributeValue.string("x"), .list([.string("1")]), .list([.integer(40_000)]), .json([1, nil])] {
      let error = #expect(throws: PropertyError.self) { try card.setValue(value, of: "sizes") }
      #expect(error?.description.contains("'Card.sizes' is declared a list of integer16") == true)
    }
    #expect(throws: PropertyError.self) { try card.setValue("a", of: "tags") }
    #expect(throws: PropertyError.self) { _ = try card.value(of: "tags", as: String.self) }
    context.rollBack()
    #expect(card["tags"] == ["new", "card"])
    let sizes: [Int]? = card["sizes"]
    #expect(sizes == nil)
  }

  @Test("M13, M14: a warning about an unlisted value of an open enum names the element")
  func openEnum() throws {
    let report = try context().importJSON(#"[{"id": 1, "ranks": ["low", "odd", "high", "strange"]}]"#, ofEntity: "Card")
    #expect(report.warnings.map(\.path) == ["$[0].ranks[1]", "$[0].ranks[3]"])
  }

  @Test("M13: counts and keywords also apply to lists that are set in code, and their errors name the index")
  func edits() throws {
    let context = try Fixture.context(
      """
      "Card": {"attributes": {"tags": {"type": "string", "list": true, "maxLength": 3, "maxCount": 2}}}
      """)
    let card = context.insert(ofEntity: "Card")
    try card.setValue(["a", "long", "c"], of: "tags")
    let error = #expect(throws: ValidationError.self) { try context.validate() }
    #expect(
      error?.diagnostics.map(\.message) == [
        "expected at most 2 elements in 'Card.tags', found 3 (Card#1)",
        "expected at most 3 characters for 'Card.tags', found 4 at index 1 (Card#1)",
      ])
    try card.setValue(["a"], of: "tags")
    try context.validate()
  }

  @Test("M13: a list with many faulty elements is rejected in linear time, with the location of the first fault")
  func manyFaults() throws {
    let elements = Array(repeating: "5", count: 20_000).joined(separator: ",")
    let error = #expect(throws: ImportError.self) {
      _ = try objects(ofEntity: "Card", fromJSON: "[{\"id\": 1, \"tags\": [\(elements)]}]", in: context())
    }
    #expect(error?.diagnostics.first?.path == "$[0].tags[0]")
    let many = try Fixture.context(
      #""Card": {"attributes": {"tags": {"type": "integer64", "list": true, "maximum": 1}}}"#)
    let errors = #expect(throws: ImportError.self) {
      _ = try objects(ofEntity: "Card", fromJSON: "[{\"tags\": [1,\(elements)]}]", in: many)
    }
    #expect(errors?.diagnostics.first?.path == "$[0].tags[1]")
  }

  @Test("M13, M11: the elements of a keyed collection can be lists")
  func elementValue() throws {
    let context = try Fixture.context(
      """
      "Card": {"identityAttributes": "id", "attributes": {
        "id": {"type": "string", "JSONKeyPath": "@key"},
        "tags": {"type": "string", "list": true, "JSONKeyPath": "@value", "JSONKeyPathAliases": ["tags"], "maxLength": 3}}}
      """)
    let cards = try objects(
      ofEntity: "Card", fromJSON: #"{"x": ["a", "b"], "y": {"tags": ["c"]}, "z": []}"#, in: context)
    let tags: [[String]?] = cards.map { $0["tags"] }
    #expect(tags == [["a", "b"], ["c"], []])
    #expect(
      refusals(#"{"x": ["a", 1️⃣5], "y": 2️⃣"c"}"#, of: "Card", in: context) == [
        "1️⃣ error: expected a string for 'Card.tags', found the number 5 (at $.x[1])",
        "2️⃣ error: expected an array for 'Card.tags', found the string \"c\" (at $.y)",
      ])
  }

  @Test("M13: a predicate can compare a list only with nil; for all else, a closure is needed")
  func queries() throws {
    let context = try Fixture.context(
      #""Card": {"attributes": {"tags": {"type": "string", "list": true, "optional": true}}}"#,
      classes: [TaggedCard.self])
    let cards = try objects(
      TaggedCard.self, fromJSON: #"[{"tags": ["a", "b"]}, {"tags": []}, {"tags": null}]"#, in: context)
    #expect(try context.fetch(TaggedCard.self, where: #Predicate { $0.tags == nil }) == [cards[2]])
    let wanted = "a"
    #expect(try context.fetch(TaggedCard.self, where: { $0.tags?.contains(wanted) == true }) == [cards[0]])
    let tags = ["a", "b"]
    let error = #expect(throws: StoreError.self) {
      _ = try context.fetch(TaggedCard.self, where: #Predicate { $0.tags == tags })
    }
    #expect(error?.diagnostics.first?.message == "the predicate compares a list; filter with a closure")
    #expect(throws: StoreError.self) {
      _ = try context.fetch(TaggedCard.self, where: #Predicate { $0.tags?.contains(wanted) == true })
    }
  }

  @Test("M13: a registered validation receives the whole list")
  func programValidation() throws {
    var transformers = TransformerRegistry.standard
    transformers.registerValidation(ofEntity: "Card", attribute: "tags") { (tags: [String]) in
      if Set(tags).count < tags.count { throw ListFailure() }
    }
    let context = try Fixture.context(
      #""Card": {"attributes": {"tags": {"type": "string", "list": true}}}"#, transformers: transformers)
    _ = try object(ofEntity: "Card", fromJSON: #"{"tags": ["a", "b"]}"#, in: context)
    let error = #expect(throws: ImportError.self) {
      _ = try object(ofEntity: "Card", fromJSON: #"{"tags": ["a", "a"]}"#, in: context)
    }
    #expect(error?.diagnostics.first?.path == "$.tags")
    var wrong = TransformerRegistry.standard
    wrong.registerValidation(ofEntity: "Card", attribute: "tags") { (_: String) in }
    let model = #expect(throws: ModelError.self) {
      _ = try Fixture.context(
        #""Card": {"attributes": {"tags": {"type": "string", "list": true}}}"#, transformers: wrong)
    }
    #expect(model?.diagnostics.first?.message.contains("declared a list of string") == true)
  }
}

private struct ListFailure: Error {}

private final class TaggedCard: ManagedObject {
  override class var entityName: String { "Card" }
  var tags: [String]? { self["tags"] }
  override class var queryableProperties: [QueryableProperty] { [.init(\TaggedCard.tags, "tags")] }
}
