import Graft
import GraftTestSupport
import Testing

@Suite("Formatting model files") struct ModelFileFormatterTests {
  /// The text of a file, and the text that the formatter produces.
  static let cases: [(name: String, before: String, after: String)] = [
    ("an empty object stays together", "{ }", "{}\n"),
    ("a byte order mark goes", "\u{FEFF}{}", "{}\n"),
    (
      "whatever is no model is data", "[1,[ ], {\"b\":null ,\"a\":1.50E+3}]",
      #"[1, [], { "b": null, "a": 1.50E+3 }]"# + "\n"
    ),
    (
      "keys come in one order, unknown ones last; names keep theirs",
      #"{"entities": {"B": {"attributes": {"y": "date", "x": {"JSONKeyPath": "x", "typ": 1, "type": "uri"}}, "parent": "A"}, "A": {}}, "version": "1", "$schema": "s", "name": "N"}"#,
      """
      {
        "$schema": "s",
        "name": "N",
        "version": "1",

        "entities": {
          "B": {
            "parent": "A",
            "attributes": {
              "y": "date",
              "x": { "type": "uri", "JSONKeyPath": "x", "typ": 1 },
            },
          },

          "A": {},
        },
      }

      """
    ),
    (
      "short entities stay together, long ones stand apart",
      #"{"entities": {"A": {}, "B": {}, "C": {"parent": "A"}, "D": {}}, "userInfo": {"b": 1, "a": [1, {"z": 2, "y": 3}]}}"#,
      """
      {
        "entities": {
          "A": {},
          "B": {},

          "C": {
            "parent": "A",
          },

          "D": {},
        },

        "userInfo": { "b": 1, "a": [1, { "z": 2, "y": 3 }] },
      }

      """
    ),
    (
      "of a key that is given twice the first stays the first",
      #"{"name": "a", "entities": {}, "name": "b"}"#,
      """
      {
        "name": "a",
        "name": "b",
        "entities": {},
      }

      """
    ),
    (
      "strings and numbers stay letter for letter",
      #"{"name": "\u0041\/é", "version": "1", "entities": {}, "userInfo": {"\u0061": -0.0e+00}}"#,
      #"""
      {
        "name": "\u0041\/é",
        "version": "1",
        "entities": {},
        "userInfo": { "\u0061": -0.0e+00 },
      }

      """#
    ),
    (
      "comments move with their members",
      """
      // Heroes.
      /* All of
         them. */

      { "entities": {}, // none yet
        // On paper.
        "version": "1" // the first

        , /* For people. */ "name": "Comics"
        // That is all.
      } // end
      // Really.
      """,
      """
      // Heroes.
      /* All of
         them. */

      {
        /* For people. */
        "name": "Comics",
        // On paper.
        "version": "1", // the first
        "entities": {}, // none yet
        // That is all.
      } // end
      // Really.

      """
    ),
    (
      "a comment behind a bracket stays there; one inside a member comes before it",
      """
      {"entities": { // who
      "A": { /* empty */ },
      "B" /* key */: // colon
      {} /* value */, /* comma */
      }}
      """,
      """
      {
        "entities": { // who
          "A": {
            /* empty */
          },

          /* key */
          // colon
          "B": {}, /* value */ /* comma */
        },
      }

      """
    ),
    (
      "a comment behind a member that needs more lines comes before it, unless it stood on the last of several",
      """
      {"entities": {"A": {"parent": "B"}, // short
        "B": {
        "abstract": true} // long
      }}
      """,
      """
      {
        "entities": {
          // short
          "A": {
            "parent": "B",
          },

          "B": {
            "abstract": true,
          }, // long
        },
      }

      """
    ),
    (
      "a comment inside spreads a property; a comment of several lines is indented with its first",
      """
      {"entities": {"A": {"attributes": {
      \t"a": {"type": "uri" /* why */, "doc": "x"},
      \t/* It is
      \t * so.
      \t */
      \t"b": "uri",   \t
      }}}}
      """,
      """
      {
        "entities": {
          "A": {
            "attributes": {
              "a": {
                "doc": "x",
                "type": "uri", /* why */
              },
              /* It is
               * so.
               */
              "b": "uri",
            },
          },
        },
      }

      """
    ),
    (
      "one blank line is kept between members, none at the ends",
      """
      {

        "name": "a",



        "version": "1",

        // free

        "entities": {

          // first


          // second
          "A": {}

          // last

        }

      }

      // end
      """,
      """
      {
        "name": "a",

        "version": "1",

        // free

        "entities": {
          // first

          // second
          "A": {},

          // last
        },
      }

      // end

      """
    ),
    (
      "blank lines keep a property spread",
      """
      {"entities": {"A": {"attributes": {"a": {"type": "uri",

      "optional": true}}}}}
      """,
      """
      {
        "entities": {
          "A": {
            "attributes": {
              "a": {
                "type": "uri",

                "optional": true,
              },
            },
          },
        },
      }

      """
    ),
    (
      "line ends are LF, and no line ends in spaces",
      "{\"name\": \"a\", // b \t\r\n\r\n/* c  \r\n\r\n   d */\r\"entities\": {} }",
      "{\n  \"name\": \"a\", // b\n\n  /* c\n\n     d */\n  \"entities\": {},\n}\n"
    ),
  ]

  @Test("Formatting a file produces the canonical layout, and formatting it again changes nothing", arguments: cases)
  func layout(name: String, before: String, after: String) throws {
    #expect(try ModelFileFormatter.format(before) == after, "\(name)")
    #expect(try ModelFileFormatter.format(after) == after, "\(name)")
  }

  @Test(
    "A property of up to 120 columns is written on one line, and a longer property on several lines",
    arguments: ["a", "é", "語"])
  func width(letter: String) throws {
    // The line has eight columns of indentation, `"a": { "doc": "", "type": "uri" },`, and the documentation.
    let columns = 120 - 8 - #""a": { "doc": "", "type": "uri" },"#.count
    let count = letter == "語" ? columns / 2 : columns
    for extra in 0...1 {
      let doc = String(repeating: letter, count: count + extra)
      let text = #"{"entities": {"A": {"attributes": {"a": {"type": "uri", "doc": "\#(doc)"}}}}}"#
      let isOneLine = try ModelFileFormatter.format(text).contains(#"{ "doc": "\#(doc)", "type": "uri" },"#)
      #expect(isOneLine == (extra == 0))
    }
  }

  @Test("A file with a syntax error is not formatted, and the error has a location")
  func syntax() throws {
    let error = #expect(throws: ModelError.self) {
      try ModelFileFormatter.format("{\n  \"name\": 'a'\n}", fileName: "a.json")
    }
    #expect(
      error?.description == "a.json:2:11: error: expected a string in double quotes, found other quotes: write \"a\""
    )
  }

  // MARK: Laws

  private func model(_ text: String) -> ModelDescription? {
    let source = SourceText(name: "m.json", bytes: Array(text.utf8))
    return ModelFile.read(source, transformers: .standard, unregisteredNames: .warning).model
  }

  @Test("The repository's models are in canonical layout, and formatting preserves their meaning")
  func repository() throws {
    let models = try RepositoryModels.texts()
    #expect(models.count >= 8)
    for (name, text) in models {
      #expect(try ModelFileFormatter.format(text, fileName: name) == text, "\(name)")
    }
  }

  @Test("Formatting preserves the meaning of every key of the model file")
  func everyWord() throws {
    let formatted = try ModelFileFormatter.format(everyWordOfTheModelFile)
    let before = try #require(model(everyWordOfTheModelFile))
    let after = try #require(model(formatted))
    #expect(facts(before) == facts(after))
    #expect(facts(before).count > 150)
  }

  @Test("Files that differ only in whitespace are formatted identically", arguments: 1...8 as ClosedRange<UInt64>)
  func whiteSpace(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for (name, text) in try RepositoryModels.texts() + [("every word", everyWordOfTheModelFile)] {
      let tokens = ModelFileTokens(text)
      let expected = try ModelFileFormatter.format(tokens.joined { " " })
      let spaces = ["", " ", "\n", "\t", "\r\n", "  \t", "\n   "]
      let actual = try ModelFileFormatter.format(tokens.joined { spaces.randomElement(using: &random) ?? "" })
      #expect(actual == expected, "seed \(seed), \(name)")
    }
  }

  @Test(
    "Formatting preserves comments in every position, and changes nothing else",
    arguments: 1...12 as ClosedRange<UInt64>)
  func comments(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for (name, text) in try RepositoryModels.texts() + [("every word", everyWordOfTheModelFile)] {
      var count = 0
      func gap() -> String {
        var gap = ""
        for _ in 0..<[0, 0, 0, 1, 2].randomElement(using: &random)! {
          gap += ["", " ", "\n", "\n\n\n", "\r\n  \n"].randomElement(using: &random)!
          guard Int.random(in: 0..<12, using: &random) == 0 else { continue }
          count += 1
          gap += ["//<\(count)>\n", "/*<\(count)>*/", "/*\n \t<\(count)>\n\n*/", "//<\(count)> {\"\r"]
            .randomElement(using: &random)!
        }
        return gap
      }
      let before = ModelFileTokens(text).joined { gap() }
      let after = try ModelFileFormatter.format(before)
      #expect(try ModelFileFormatter.format(after) == after, "seed \(seed), \(name)")
      let numbers = after.matches(of: /<(\d+)>/).compactMap { Int($0.1) }
      #expect(numbers.sorted() == Array(0..<count).map { $0 + 1 }, "seed \(seed), \(name)")
      let old = try #require(model(before), "seed \(seed), \(name)")
      let new = try #require(model(after), "seed \(seed), \(name)")
      #expect(facts(old) == facts(new), "seed \(seed), \(name)")
    }
  }

  @Test("A damaged file is formatted, or rejected with a location", arguments: 1...4 as ClosedRange<UInt64>)
  func damaged(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<800 {
      var bytes = Array(everyWordOfTheModelFile.utf8)
      random.mutate(&bytes)
      do throws(ModelError) {
        let once = try ModelFileFormatter.format(SourceText(name: "m.json", bytes: bytes))
        let twice = try ModelFileFormatter.format(SourceText(name: "m.json", bytes: once))
        #expect(once == twice, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
      } catch {
        #expect(error.diagnostics.contains { $0.location != nil }, "seed \(seed)")
      }
    }
  }

  @Test("Deeply nested and long files are formatted in bounded time")
  func hostile() throws {
    let comments = String(repeating: "/**/", count: 40_000)
    let lines = String(repeating: "//\n", count: 40_000)
    let elements = String(repeating: "[1,{}],", count: 20_000)
    let deep =
      String(repeating: "[", count: 60) + String(repeating: "1,", count: 10_000) + String(repeating: "]", count: 60)
    for text in ["{\(comments)}", "{\(lines)}", "[\(elements)]", "{\"userInfo\": \(deep)}", "[1\(comments), 2]"] {
      let time = try ProcessorClock().measure {
        let once = try ModelFileFormatter.format(text)
        #expect(try ModelFileFormatter.format(once) == once)
      }
      #expect(time < .seconds(20))
    }
  }
}
