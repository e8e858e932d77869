import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Faults in streams") struct StreamFaultTests {
  private static let model = #"""
    "Hero": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64", "optional": true}}}
    """#

  /// The first error in the imported text, as displayed, without the stream's note about batches that are kept.
  private func fault(
    _ style: DiagnosticRenderer.Style, isPlaced: Bool, _ body: () throws(ImportError) -> Void
  ) -> String {
    do {
      try body()
      return "accepted"
    } catch {
      var first = error.diagnostics[0]
      first.notes.removeAll { $0.location == nil }
      // The keys that are present instead of an absent key are named only if the whole document is in memory.
      if let end = first.message.range(of: "which 'at' names")?.upperBound {
        first.message = String(first.message[..<end])
      }
      if !isPlaced { first.location = nil }
      return DiagnosticRenderer(style: style).render(first)
    }
  }

  /// Whether a key of the key path is absent, and a similar key is present.
  private func isMisspelt(_ text: String, _ model: ManagedObjectModel) -> Bool {
    do throws(ImportError) {
      try ManagedObjectContext(model: model).importJSON(text, ofEntity: "Hero", at: "data.items")
      return false
    } catch {
      return error.diagnostics[0].suggestion != nil && error.diagnostics[0].message.contains("which 'at' names")
    }
  }

  private func whole(
    _ text: String, _ model: ManagedObjectModel, at keyPath: JSONKeyPath?, _ style: DiagnosticRenderer.Style = .line,
    isPlaced: Bool = true
  ) -> String {
    let context = ManagedObjectContext(model: model)
    return fault(style, isPlaced: isPlaced) { () throws(ImportError) in
      try context.importJSON(text, ofEntity: "Hero", at: keyPath, options: ImportOptions(sourceName: "p.json"))
    }
  }

  private func streamed(
    _ text: String, _ model: ManagedObjectModel, at keyPath: JSONKeyPath?, _ style: DiagnosticRenderer.Style = .line,
    chunk: Int, batch: Int, isPlaced: Bool = true
  ) -> String {
    let context = ManagedObjectContext(model: model)
    return fault(style, isPlaced: isPlaced) { () throws(ImportError) in
      _ = try stream(
        text, into: context, chunk: chunk, batch: batch, at: keyPath,
        totalBytes: text.utf8.count)
    }
  }

  @Test(
    "D7: a fault outside the objects has its location and path in the whole document, regardless of how it is split",
    arguments: [
      (#"{"data":{"x":1}}"#, "p.json:1:9: error: expected the key 'items', which 'at' names\n  at $.data"),
      (#"{"data":{}}"#, "p.json:1:9: error: expected the key 'items', which 'at' names\n  at $.data"),
      ("{\n}", "p.json:1:1: error: expected the key 'data', which 'at' names\n  at $"),
      (
        #"{"data":null}"#, "p.json:1:9: error: expected an object with the key 'items', which 'at' names\n  at $.data"
      ),
      (
        #"{"data":{"items":[{"id":1}],"items":2}}"#,
        "p.json:1:29: error: the key \"items\" occurs twice in one object\n  at $.data.items"
      ),
      (
        #"{"data":{"items":[]},"d\u0061ta":2}"#,
        "p.json:1:22: error: the key \"data\" occurs twice in one object\n  at $.data"
      ),
      (
        #"{"data":{"items":[{"id":1}]},"z":[1,2,]}"#,
        "p.json:1:38: error: expected more after the comma: JSON does not allow trailing commas\n  at $.z[1]"
      ),
      (
        #"{"data":{"items":[]},"z":{"a.b":[0,{"c":tru}]}}"#,
        "p.json:1:41: error: expected a JSON value: an object, an array, a string, a number, true, false or null\n"
          + "  at $.z['a.b'][1].c"
      ),
      (
        #"{"data":{"items":[]},"z":{"a":1 "b":2}}"#,
        "p.json:1:33: error: expected ',' or '}'\n  at $.z.a"
      ),
      (
        #"{"data":{"items":[{"id":1}] 5}"#, "p.json:1:29: error: expected ',' or '}'\n  at $.data.items"
      ),
      (#"{"data":{"items":[]}} 5"#, "p.json:1:23: error: expected nothing after the end of the JSON value\n  at $"),
    ])
  func around(_ text: String, _ expected: String) throws {
    let model = try Fixture.context(StreamFaultTests.model).model
    #expect(whole(text, model, at: "data.items") == expected)
    for chunk in [1, 3, 4096] {
      for batch in [1, 100] {
        let found = streamed(text, model, at: "data.items", chunk: chunk, batch: batch)
        #expect(found == expected, "chunks of \(chunk), batches of \(batch)")
      }
    }
    // If the whole text arrives at once, the excerpt is also the same.
    #expect(
      streamed(text, model, at: "data.items", .excerpt, chunk: 4096, batch: 1)
        == whole(text, model, at: "data.items", .excerpt))
  }

  @Test("I16: a stream reports the same fault as the whole document, regardless of which character is damaged")
  func mutations() throws {
    let model = try Fixture.context(StreamFaultTests.model).model
    let text = Array(
      #"{"\u0061":[1, {"x":null}, -0.5],"data" :{"y":"é\\","items": [{"id":1}, {"id":2},{"id":3}],"z":[true,{}]}}"#
        .unicodeScalars)
    func check(_ scalars: [Unicode.Scalar]) {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars)
      let text = String(view)
      // The error for a whole document underlines the misspelled key; in a stream, the key is no longer in memory.
      let isPlaced = !isMisspelt(text, model)
      let expected = whole(text, model, at: "data.items", .excerpt, isPlaced: isPlaced)
      let found = streamed(text, model, at: "data.items", .excerpt, chunk: 4096, batch: 2, isPlaced: isPlaced)
      #expect(found == expected, "\(text)")
      let line = whole(text, model, at: "data.items", isPlaced: isPlaced)
      for chunk in [1, 3] {
        let found = streamed(text, model, at: "data.items", chunk: chunk, batch: 2, isPlaced: isPlaced)
        #expect(found == line, "\(text), chunks of \(chunk)")
      }
    }
    for place in text.indices {
      check(Array(text[..<place]))
      check(Array(text[..<place] + text[(place + 1)...]))
      for scalar in "{],:\"x\\".unicodeScalars where scalar != text[place] {
        check(text[..<place] + [scalar] + text[(place + 1)...])
      }
    }
  }

  @Test(
    "I11: an excerpt shows the bytes of the file, without the brackets that the importer adds to a batch",
    arguments: [1, 2, 100])
  func excerpts(batch: Int) throws {
    let model = try Fixture.context(Fixture.comics).model
    for text in [
      #"[{"id":1},{"id":"x"}]"#, #"[{"id":1},{"id":"x"},{"id":3}]"#, #"[{"id":1}, {"id":2},{"id":3},{"id":}, 5]"#,
      "[{\"id\":1},\n{\"id\":2},{\"id\":\"x\"} , {\"id\":4},\n5]", #"[{"id":1},{"id":2},{"id":3},"#,
      #"[{"id":1},{"id":2},,{"id":3}]"#, #"[{"id":1},{"id":2}, ]"#, #"[1,2,3,[4],5]"#,
    ] {
      let expected = whole(text, model, at: nil, .excerpt)
      #expect(expected != "accepted")
      #expect(streamed(text, model, at: nil, .excerpt, chunk: 4096, batch: batch) == expected)
    }
    // Text that has not arrived yet cannot be shown, so an ellipsis marks the end of the line.
    #expect(
      streamed(#"[{"id":1},{"id":"é"},{"id":3}]"#, model, at: nil, .excerpt, chunk: 1, batch: 1) == """
        p.json:1:17: error: expected an integer for 'Hero.id', found the string "é"
          at $[1].id
        1 | [{"id":1},{"id":"é"},…
          |                 ^~~
        m.json:4:24: note: 'id' is declared integer64 here
        """)
  }

  @Test("D7: columns count from the start of a long line, even if its beginning is no longer in memory")
  func longLines() throws {
    let model = try Fixture.context(Fixture.comics).model
    let heroes = (1...3000).map { "{\"id\":\($0),\"name\":\"é漢👨 \($0)\"}" }.joined(separator: ",")
    for text in ["\u{FEFF}[\(heroes),{\"id\":\"x\"}]", "\u{FEFF}{\"x\":[\(heroes)],\"data\":[]}", "[\(heroes) 5]"] {
      let keyPath: JSONKeyPath? = text.contains("data") ? "data.items" : nil
      let expected = whole(text, model, at: keyPath)
      #expect(expected.hasPrefix("p.json:1:") && !expected.hasPrefix("p.json:1:1:"))
      for chunk in [997, 4096, 1_000_000] {
        #expect(streamed(text, model, at: keyPath, chunk: chunk, batch: 10) == expected, "chunks of \(chunk)")
      }
    }
    // The object that lacks the key begins far before the end of the text.
    let empty = "{\"data\":{\"x\":[\(heroes)]}}"
    let expected = whole(empty, model, at: "data.items")
    #expect(expected == "p.json:1:9: error: expected the key 'items', which 'at' names\n  at $.data")
    for chunk in [997, 4096] {
      let found = streamed(empty, model, at: "data.items", .excerpt, chunk: chunk, batch: 10)
      #expect(found.hasPrefix(expected + "\n1 | {\"data\":{\"x\":[{\"id\":1,") && found.hasSuffix("…\n  |         ^"))
    }
  }
}
