import Foundation
import Testing

@Suite("graft infer") struct InferCommandTests {
  @Test("A payload can be inferred, linted and imported with the printed commands")
  func firstSteps() throws {
    let folder = try TemporaryFolder()
    let payload = try folder.file(
      "heroes.json", #"[{"id": 1, "name": "Otter", "powers": [{"id": 4, "name": "Diving"}]}]"#)
    let infer = try Invocation(["infer", payload, "--output", folder.path("Comics.json")])
    #expect(infer.status == 0 && infer.output == "")
    #expect(infer.messages.contains("Comics.json: 2 entities\n"))
    #expect(infer.messages.contains("graft import --model \(folder.path("Comics.json")) Hero=\(payload)\n"))
    let lint = try Invocation(["lint", folder.path("Comics.json")])
    #expect(lint.status == 0 && lint.messages == "no findings in 1 model file\n")
    let formatted = try Invocation(["format", "--check", folder.path("Comics.json")])
    #expect(formatted.status == 0)
    let report = try Invocation(["import", "--model", folder.path("Comics.json"), "Hero=\(payload)"])
    #expect(report.status == 0 && report.output == "Imported 1 payload\n  Hero   1 inserted\n  Power  1 inserted\n")
  }

  @Test("The model never overwrites a payload")
  func payloadAsOutput() throws {
    let folder = try TemporaryFolder()
    let payload = try folder.file("heroes.json", #"[{"id": 1}]"#)
    for words in [["Hero=\(payload)", "--output", payload], [payload, "--output", folder.path("./heroes.json")]] {
      let infer = try Invocation(["infer"] + words)
      #expect(infer.status == 2 && infer.messages.contains("is a payload"), "\(infer.messages)")
    }
    #expect(try String(contentsOfFile: payload, encoding: .utf8).hasPrefix(#"[{"id": 1}]"#))
  }

  @Test(
    "A name that the user gives is kept, even if each type has its own IDs",
    arguments: ["Element", "Item", "Data", "Result"])
  func givenName(name: String) throws {
    let folder = try TemporaryFolder()
    let first = try folder.file(
      "1.json", #"[{"type": "node", "id": 1, "lat": 1.5}, {"type": "node", "id": 2, "lat": 2.5}]"#)
    let second = try folder.file(
      "2.json", #"[{"type": "node", "id": 5, "lat": 1.5}, {"type": "way", "id": 7, "nodes": [1, 5]}]"#)
    #expect(try Invocation(["infer", "\(name)=\(second)"]).output.contains("\"\(name)\": {"))
    let model = folder.path("m.json")
    #expect(try Invocation(["infer", "\(name)=\(first)", "--output", model]).status == 0)
    let update = try Invocation(["infer", "\(name)=\(second)", "--update", model])
    #expect(update.status == 0 && !update.messages.contains("Resource"), "\(update.messages)")
    let both = try Invocation(
      ["import", "--model", model, "\(name)=\(first)", "\(name)=\(second)", "--quiet", "--export", "\(name)=-"])
    #expect(both.status == 0 && both.output.contains(#""nodes":[1,5]"#), "\(both.messages)")
  }

  @Test("Objects under keys and objects in lists become one entity, which exports write as lists")
  func keysAndLists() throws {
    let folder = try TemporaryFolder()
    let first = try folder.file(
      "1.json",
      #"[{"id": 1, "tracks": {"d-track": {"id": "d-track", "n": "A"}, "e-track": {"id": "e-track", "n": "B"}}, "genre": {"id": 1, "label": "x", "tracks": [{"id": "d-track", "n": "A"}]}}]"#
    )
    let second = try folder.file(
      "2.json", #"[{"id": 2, "tracks": {}, "genre": {"id": 2, "label": "y", "tracks": [{"id": "f-track", "n": "F"}]}}]"#
    )
    let model = folder.path("m.json")
    #expect(try Invocation(["infer", "Book=\(first)", "--output", model]).status == 0)
    #expect(
      try String(contentsOfFile: model, encoding: .utf8).contains("exports write arrays, with the key as \"key\""))
    let both = try Invocation(
      ["import", "--model", model, "Book=\(first)", "Book=\(second)", "--quiet", "--export", "Track=-"])
    #expect(
      both.output
        == #"""
        [{"key":"d-track","id":"d-track","n":"A"},{"key":"e-track","id":"e-track","n":"B"},{"key":null,"id":"f-track","n":"F"}]

        """#, "\(both.output)\(both.messages)")
  }

  @Test(
    "A date in the first samples becomes a string if later samples have other strings",
    arguments: ["2024-01-02", "soon"])
  func dateThatIsNone(text: String) throws {
    let folder = try TemporaryFolder()
    let first = try folder.file(
      "1.json", "[" + (1...3).map { #"{"id": \#($0), "at": "2024-01-0\#($0)T00:00:00Z"}"# }.joined(separator: ",") + "]"
    )
    let second = try folder.file("2.json", #"[{"id": 4, "at": "\#(text)"}]"#)
    let model = folder.path("m.json")
    #expect(try Invocation(["infer", "Event=\(first)", "--output", model]).status == 0)
    let update = try Invocation(["infer", "Event=\(second)", "--update", model])
    #expect(
      update.status == 0
        && update.messages.contains("'Event.at' is now string, because the samples have text that date cannot hold"),
      "\(update.messages)")
  }

  @Test("Keys of objects that share only some of their keys might be data, and a comment notes this")
  func mapOfDifferentObjects() throws {
    let infer = try Invocation(
      ["infer", "Compose=-"],
      input:
        #"{"version": "3", "services": {"web": {"image": "nginx", "ports": ["80:80"]}, "db": {"image": "pg", "environment": {"A": "b"}}, "cache": {"image": "redis", "restart": "always"}}}"#
    )
    #expect(infer.output.contains(#"Guess: "web", "db", "cache" in "services" are names of properties."#))
  }

  @Test("The model is written to standard output unless a file is named")
  func output() throws {
    let graft = try Invocation(["infer", "Hero=-"], input: #"[{"id": 1}]"#)
    #expect(graft.status == 0)
    #expect(
      graft.output == """
        // Inferred from <stdin>. Comments mark guesses: check them.
        {
          "$schema": "./model.schema.json",
          "keyStrategy": "sameName",

          "entities": {
            "Hero": {
              "identityAttributes": "id",
              "attributes": {
                "id": "integer64",
              },
            },
          },
        }

        """)
  }

  @Test("Text that is not JSON, or that has no objects, causes an error with its location")
  func faults() throws {
    let syntax = try Invocation(["infer", "-"], input: "[{]")
    #expect(syntax.status == 1)
    #expect(syntax.messages.hasPrefix("<stdin>:1:3: error: expected a key in double quotes"))
    #expect(syntax.messages.hasSuffix("1 error; no model was inferred\n"))
    let lines = try Invocation(["infer", "-"], input: "{\"id\": 1}\n{\"id\": 2}\n")
    #expect(lines.status == 1 && lines.messages.contains("note: for one document on each line, use --lines\n"))
    let scalars = try Invocation(["infer", "-"], input: "[1]")
    #expect(scalars.status == 1 && scalars.messages.hasSuffix("1 error; no model was inferred\n"))
    #expect(try Invocation("infer").messages.hasPrefix("graft infer: no payload is given: [ENTITY=]PAYLOAD..."))
    #expect(try Invocation("infer no-such-file.json").status == 3)
  }

  @Test("A name on the command line is kept, even if it is a Swift keyword or would be another entity's name")
  func names() throws {
    let folder = try TemporaryFolder()
    let issues = try folder.file(
      "i.json", #"[{"id": 1, "labels": [{"label": {"id": 5, "name": "x"}, "at": 1}]}, {"id": 2, "labels": []}]"#)
    let labels = try folder.file("l.json", #"[{"id": 5, "name": "x", "color": "red"}]"#)
    let both = try Invocation(["infer", "Issue=\(issues)", "Label=\(labels)", "--output", folder.path("m.json")])
    #expect(both.status == 0 && both.messages.contains("Issue=\(issues) Label=\(labels)\n"), "\(both.messages)")
    for name in ["Type", "Self", "Protocol", "class"] {
      let model = folder.path("\(name).json")
      #expect(try Invocation(["infer", "\(name)=\(labels)", "--output", model]).status == 0)
      #expect(try Invocation(["lint", model]).status == 0)
      #expect(try Invocation(["import", "--model", model, "\(name)=\(labels)"]).status == 0)
    }
  }

  @Test("--without leaves out one kind of guess")
  func without() throws {
    let payload =
      #"[{"id": 1, "day": "2024-05-01", "view_count": "1", "state": "on"}, {"id": 2, "day": "2024-05-02", "view_count": "2", "state": "off"},"#
      + #" {"id": 3, "day": "2024-05-02", "view_count": "2", "state": "off"}, {"id": 4, "day": "2024-05-02", "view_count": "2", "state": "on"}]"#
    let all = try Invocation(["infer", "Thing=-"], input: payload).output
    #expect(all.contains("DateFormat") && all.contains("StringToInteger") && all.contains("enum"))
    for (word, text) in [("dates", "DateFormat"), ("digits", "StringToInteger"), ("enums", "\"enum\"")] {
      let graft = try Invocation(["infer", "Thing=-", "--without", word], input: payload)
      #expect(graft.status == 0 && !graft.output.contains(text), "\(graft.output)")
    }
    let wrong = try Invocation(["infer", "Thing=-", "--without", "date"], input: payload)
    #expect(
      wrong.status == 2
        && wrong.messages.contains("expected digits, dates, enums for '--without', found 'date'; did you mean 'dates'?")
    )
  }

  @Test("--at can lead through arrays, and the printed command imports the payload")
  func throughArrays() throws {
    let folder = try TemporaryFolder()
    let payload = try folder.file(
      "b.json",
      #"{"entry": [{"url": "a", "resource": {"id": 1, "name": "x"}}, {"url": "b", "resource": {"id": 2, "name": "y"}}]}"#
    )
    let model = folder.path("m.json")
    let graft = try Invocation(["infer", "Patient=\(payload)", "--at", "entry[].resource", "--output", model])
    #expect(graft.status == 0 && graft.messages.contains("--at 'entry[].resource'\n"), "\(graft.messages)")
    let report = try Invocation(["import", "--model", model, "Patient=\(payload)", "--at", "entry[].resource"])
    #expect(report.output == "Imported 1 payload\n  Patient  2 inserted\n", "\(report.output) \(report.messages)")
    let wrong = try Invocation(["infer", "Patient=\(payload)", "--at", "entries[].resource"])
    #expect(wrong.status == 1 && wrong.messages.contains("there is no key \"entries\" to follow"))
  }

  @Test(
    "For a payload without objects, the message names what was found and what to provide",
    arguments: [
      ("[]", "an array without elements; give a sample with at least one object"),
      ("[null]", "an array without elements; give a sample with at least one object"),
      ("7", "numbers; give a sample that is an object or an array"),
      (
        #"[1, "a"]"#,
        "an array of numbers and strings; give a sample with the objects that these values identify"
      ),
      ("[[1]]", "an array of arrays; give a sample whose objects are in one array"),
      ("null", "null; give a sample with at least one object"),
      ("{}", "an object without keys; give a sample whose objects have keys"),
      ("[{}, {}]", "objects without keys; give a sample whose objects have keys"),
    ])
  func noObjects(payload: String, found: String) throws {
    let graft = try Invocation(["infer", "-"], input: payload)
    let expected = "expected an object or an array of objects to infer entities from, found \(found)"
    #expect(graft.messages == "error: <stdin>: \(expected)\n1 error; no model was inferred\n" && graft.status == 1)
    let inside = try Invocation(["infer", "-", "--at", "data"], input: #"{"data": \#(payload)}"#)
    #expect(inside.messages.contains("; correct '--at', or give a sample"), "\(inside.messages)")
  }

  @Test(
    "Samples of an entity can be an object or a list, and the printed command imports both",
    arguments: [
      (#"{"id": 1, "name": "A", "t": 1}"#, #"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]"#),
      (#"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]"#, #"{"users": [{"id": 3, "name": "A", "t": 1}]}"#),
      (#"{"data": {"id": 1, "name": "A", "t": 1}}"#, #"{"data": [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]}"#),
    ])
  func forms(first: String, second: String) throws {
    let folder = try TemporaryFolder()
    for payloads in [[first, second], [second, first]] {
      let files = try payloads.enumerated().map { try folder.file("it's \($0.offset).json", $0.element) }
      let model = folder.path("my model.json")
      let graft = try Invocation(["infer"] + files.map { "User=\($0)" } + ["--output", model])
      #expect(graft.status == 0, "\(graft.messages)")
      let line = try #require(graft.messages.split(separator: "\n").first { $0.contains("graft import") })
      #expect(line.contains("--model '\(model)' User='\(files[0].replacing("'", with: #"'\''"#))'"), "\(line)")
      // The words as a shell reads them.
      var words = [""]
      for (index, part) in line.replacing(#"'\''"#, with: "\u{1}").split(
        separator: "'", omittingEmptySubsequences: false
      ).enumerated() {
        let parts =
          index % 2 == 1
          ? [String(part)] : part.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        words[words.count - 1] += parts[0]
        words += parts.dropFirst()
      }
      let arguments = words.map { $0.replacing("\u{1}", with: "'") }.filter { !$0.isEmpty && $0 != "graft" }
      let report = try Invocation(arguments + ["--unknown-keys", "error"])
      #expect(report.status == 0 && report.output.contains("User"), "\(report.messages)")
    }
  }

  @Test("--update makes only necessary changes: layout, order and comments are kept")
  func layout() throws {
    let folder = try TemporaryFolder()
    let before = """
      /* mine */ {
      \t"keyStrategy" : "sameName",


      \t"entities": { // all of them
      \t\t"Hero": {
      \t\t\t"attributes": {
      \t\t\t\t"id":   "integer64",   "name" :  "string", // the stage name
      \t\t\t\t"kind": { "type": "string",
      \t\t\t\t          "enum": ["a",   "b" /* b */] }
      \t\t\t\t// last
      \t\t\t},
      \t\t\t"identityAttributes":   "id" } // no comma
      \t}
      }

      """
    let after =
      before.replacing(#""name" :  "string","#, with: #""name" :  { "type": "string", "optional": true },"#)
      .replacing(
        #""b" /* b */] }"#,
        with: "\"b\", \"c\" /* b */] },\n\t\t\t\t\"city\": { \"type\": \"string\", \"optional\": true }"
      )
      .replacing(
        "\t\t\t},\n",
        with:
          "\t\t\t},\n\t\t\t\"relationships\": {\n\t\t\t\t\"team\": { \"destination\": \"Team\", \"inverse\": \"heroes\" },\n\t\t\t},\n"
      )
      .replacing(#""id" } // no"#, with: #""id" }, // no"#)
      .replacing(
        "// no comma\n",
        with: """
          // no comma
          \t\t"Team": {
          \t\t\t"identityAttributes": "id",
          \t\t\t"attributes": {
          \t\t\t\t"id": "integer64",
          \t\t\t},
          \t\t\t"relationships": {
          \t\t\t\t"heroes": { "destination": "Hero", "toMany": true, "inverse": "team", "JSONKeyPath": null },
          \t\t\t},
          \t\t}

          """)
    let payload = #"[{"id": 3, "name": null, "kind": "c", "city": "B", "team": {"id": 4}}]"#
    for newline in ["\n", "\r\n"] {
      let model = try folder.file("m.json", before.replacing("\n", with: newline))
      let graft = try Invocation(["infer", "Hero=-", "--update", model], input: payload)
      #expect(graft.status == 0, "\(graft.messages)")
      #expect(try folder.text("m.json") == after.replacing("\n", with: newline))
      #expect(try Invocation(["lint", model]).status == 0)
    }
  }

  @Test("--update adds what new payloads show, and keeps the rest of the file")
  func update() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "Comics.json",
      """
      // Edited by hand.
      {
        "keyStrategy": "sameName",
        "entities": {
          "Hero": {
            "identityAttributes": "id",
            "attributes": {
              "id": "integer64",
              "name": "string", // the stage name
              "kind": { "type": "string", "enum": ["a", "b"] },
            },
            "relationships": { "powers": { "destination": "Skill", "toMany": true } },
          },
          "Skill": { "identityAttributes": "id", "attributes": { "id": "integer64" } },
        },
      }
      """)
    let payload =
      #"[{"id": 3, "name": null, "kind": "c", "city": "B", "powers": [{"id": 9, "level": 1}], "team": {"id": 4}}]"#
    let graft = try Invocation(["infer", "Hero=-", "--update", model], input: payload)
    #expect(graft.status == 0, "\(graft.messages)")
    let lines = graft.messages.split(separator: "\n").dropFirst().map { $0.drop { $0 == " " } }
    #expect(
      Set(lines) == [
        "new entity 'Team'", "new attribute 'Hero.city'", "new relationship 'Hero.team'", "'Hero.name' is now optional",
        "'Hero.kind' has new values: \"c\"", "new attribute 'Skill.level'",
      ])
    let text = try folder.text("Comics.json")
    #expect(text.hasPrefix("// Edited by hand.\n"))
    #expect(text.contains(#""name": { "type": "string", "optional": true }, // the stage name"#))
    #expect(text.contains(#""kind": { "type": "string", "enum": ["a", "b", "c"] },"#))
    #expect(try Invocation(["lint", model]).messages == "no findings in 1 model file\n")
    let again = try Invocation(["infer", "Hero=-", "--update", model], input: payload)
    #expect(again.status == 0 && again.messages.hasSuffix("nothing to change\n"))
    #expect(try folder.text("Comics.json") == text)
  }
}
