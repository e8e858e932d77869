import Foundation
import Testing

@Suite("graft import") struct ImportTests {
  @Test("The report counts the affected objects of each entity, in model order")
  func textReport() throws {
    let graft = try Invocation(
      "import --model Models/Comics.json Hero=Examples/Payloads/comics.json Power=Examples/Payloads/powers.json")
    #expect(
      graft.output == """
        Imported 2 payloads
          Hero       4 inserted, 1 placeholder
          Power      5 inserted, 1 skipped
          Publisher  2 inserted
        Placeholders: Hero(105)

        """)
    #expect(graft.messages == "" && graft.status == 0)
  }

  @Test("The text report names new placeholders and counts the objects that lost a link")
  func placeholders() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "model.json",
      """
      {"keyStrategy": "sameName", "entities": {
        "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "members": {"destination": "Person", "toMany": true}}},
        "Person": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
      }}
      """)
    let store = folder.path("teams.graft")
    let ids = (1...12).map(String.init).joined(separator: ",")
    let first = try Invocation(
      ["import", "--model", model, "Team=-", "--store", store], input: "{\"id\": 1, \"members\": [\(ids)]}")
    #expect(
      first.output == """
        Imported 1 payload
          Team    1 inserted
          Person  12 placeholders
        Placeholders: Person(1), Person(2), Person(3), Person(4), Person(5), Person(6), Person(7), Person(8), and 4 more

        """, "\(first.messages)")
    let second = try Invocation(
      ["import", "--model", model, "Team=-", "--store", store], input: #"{"id": 1, "members": [1, 2]}"#)
    #expect(second.output == "Imported 1 payload\n  Team    1 updated\n  Person  10 unlinked\n")
  }

  @Test("The JSON report of a failed import contains its errors in the same form as 'graft lint'")
  func failedReport() throws {
    func report(_ words: String, _ input: String) throws -> [String: Any] {
      let graft = try Invocation("import --model Models/Comics.json Power=- --report json" + words, input: input)
      #expect(graft.status == 1 && graft.messages.contains("1 error; "))
      return try #require(try JSONSerialization.jsonObject(with: Data(graft.output.utf8)) as? [String: Any])
    }
    let fault = #"{"id": "1", "name": 5}"#
    for words in ["", " --lines", " --lines --batch-size 1"] {
      let errors = try report(words, fault)["errors"] as? [[String: Any]] ?? []
      #expect(errors.count == 1)
      let lint = Set(["file", "line", "column", "length", "path", "severity", "code", "message", "suggestion", "notes"])
      #expect(lint.isSubset(of: Set(errors[0].keys)))
      #expect(errors[0]["code"] as? String == "wrong-type" && errors[0]["line"] as? Int == 1)
    }
    #expect(try report("", "[")["inserted"] as? [String: Int] == [:])
    let folder = try TemporaryFolder()
    let broken = try folder.file("model.json", #"{"entities": {"Power": {"attributs": {}}}}"#)
    let graft = try Invocation(["import", "--model", broken, "Power=-", "--report", "json"], input: fault)
    #expect(graft.output.contains(#""code": "unknown-key""#) && graft.status == 1)
    #expect(try Invocation(["import", "--model", broken, "Power=-"], input: fault).output == "")
  }

  @Test("M15, M17: the report counts skipped and deleted objects, and warns of unlisted values")
  func synchronization() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "model.json",
      """
      {"keyStrategy": "sameName", "entities": {
        "Note": {
          "identityAttributes": "id", "modificationAttribute": "version",
          "deletedWhen": {"JSONKeyPath": "state", "equals": "gone"},
          "entityMapper": {"JSONKeyPath": "kind", "entities": {"note": "Note"}, "otherwise": null},
          "attributes": {"id": "integer64", "version": "integer64"}
        }
      }}
      """)
    let graph = folder.path("notes.graft")
    let first = try Invocation(
      ["import", "--model", model, "Note=-", "--store", graph],
      input: #"[{"id": 1, "version": 1}, {"id": 2, "version": 1}, {"id": 3, "version": 1}]"#)
    #expect(first.status == 0, "\(first.messages)")
    let second = try Invocation(
      ["import", "--model", model, "Note=-", "--store", graph],
      input:
        #"[{"id": 1, "version": 1}, {"id": 2, "version": 2, "state": "gone"}, {"id": 3, "version": 2}, {"id": 4, "kind": "poll"}]"#
    )
    #expect(second.output.contains("1 updated, 1 deleted, 2 skipped"), "\(second.output)")
    #expect(second.messages.contains("because the mapper does not list its 'kind', found the string \"poll\""))
    #expect(second.status == 0)
  }

  @Test("I12: the JSON report lists the changes to each object")
  func jsonReport() throws {
    let folder = try TemporaryFolder()
    let powers = try folder.file(
      "powers.jsonl", "{\"id\": \"1\", \"name\": \"Flight\"}\n{\"id\": \"1\", \"x\": 0, \"name\": \"B\"}\n")
    let graft = try Invocation(
      [
        "import", "--model", "Models/Comics.json", "Hero=-", "--report", "json", "--unknown-keys", "report",
      ], input: #"[{"id": "101", "name": "A", "powers": ["1"], "age": 7}]"#)
    #expect(
      graft.output == """
        {
          "inserted": {
            "Hero": 1
          },
          "updated": {},
          "unchanged": {},
          "placeholders": {
            "Power": 1
          },
          "filled": {},
          "unlinked": {},
          "deleted": {},
          "skipped": {},
          "unknownKeys": [
            {
              "key": "age",
              "entity": "Hero",
              "count": 1,
              "source": "<stdin>",
              "line": 1,
              "path": "$[0].age"
            }
          ],
          "faultyElements": [],
          "errors": [],
          "warnings": [],
          "objects": [
            {
              "id": "Hero(101)",
              "entity": "Hero",
              "outcome": "inserted",
              "source": "<stdin>",
              "line": 1,
              "path": "$[0]",
              "changes": {}
            },
            {
              "id": "Power(1)",
              "entity": "Power",
              "outcome": "placeholder",
              "source": "<stdin>",
              "line": 1,
              "path": "$[0].powers[0]",
              "changes": {}
            }
          ]
        }

        """)
    #expect(graft.messages == "" && graft.status == 0)
    let lines = try Invocation(
      ["import", "--model", "Models/Comics.json", "Power=\(powers)", "--lines", "--unknown-keys", "report"])
    #expect(
      lines.output
        == "Imported 1 payload\n  Power  1 inserted\nKeys that the model does not map\n  Power.x  once at $.x in \(powers):2\n"
    )
  }

  @Test("I12: in a JSON report, each detail has its own line, and unknown keys are null unless requested")
  func reportLines() throws {
    func report(_ input: String, _ options: String = "") throws -> [String: Any] {
      let graft = try Invocation("import --model Models/Comics.json Power=- --report json\(options)", input: input)
      #expect(graft.status == 0)
      return try #require(try JSONSerialization.jsonObject(with: Data(graft.output.utf8)) as? [String: Any])
    }
    func lines(_ report: [String: Any], _ key: String = "objects") -> [Int?] {
      (report[key] as? [[String: Any]] ?? []).map { $0["line"] as? Int }
    }
    let array = "[\n  {\"id\": \"1\", \"name\": \"A\"},\r\n  {\"id\": \"2\",\n \"x\": 1, \"name\": \"B\"}\n]\n"
    for options in ["", " --batch-size 1"] {
      let found = try report(array, options)
      #expect(lines(found) == [2, 3])
      #expect(found["unknownKeys"] is NSNull)
      #expect(lines(try report(array, options + " --unknown-keys report"), "unknownKeys") == [4])
    }
    #expect(try report("[]", " --unknown-keys report")["unknownKeys"] as? [String] == [])
    #expect(try report("[]", " --unknown-keys error")["unknownKeys"] as? [String] == [])
    let text = try Invocation(
      "import --model Models/Comics.json Power=- --unknown-keys report", input: array)
    #expect(text.output.contains("Power.x  once at $[1].x in <stdin>:4\n"))
  }

  @Test(
    "I16: JSON Lines are one transaction; with --batch-size, the batches before a fault are kept and written")
  func batches() throws {
    let lines = "{\"id\": \"1\", \"name\": \"A\"}\n{\"id\": \"2\", \"name\": \"B\"}\n{\"id\": \"3\", \"name\": 5}\n"
    let options = "import --model Models/Comics.json Power=- --export Power=- --lines"
    let whole = try Invocation(options, input: lines)
    #expect(whole.output == "" && whole.messages.hasSuffix("\n1 error; nothing was imported\n") && whole.status == 1)
    let each = try Invocation("\(options) --batch-size 1", input: lines)
    #expect(each.output == #"[{"id":"1","name":"A","heroes":[]},{"id":"2","name":"B","heroes":[]}]"# + "\n")
    #expect(
      each.messages == """
        Imported part of 1 payload
          Power  2 inserted
        <stdin>:3:21: error: expected a string for 'Power.name', found the number 5
          at $.name
        3 | {"id": "3", "name": 5}
          |                     ^
        Models/Comics.json:62:27: note: 'name' is declared string here; to read it, add "JSONTransformerName": "Lenient"
        note: the 2 batches before it, with 2 objects, are kept
        1 error; the 2 batches before it were imported

        """)
    #expect(each.status == 1)
    let array = try Invocation(
      "import --model Models/Comics.json Power=- Power=Examples/Payloads/powers.json --at . --at . --batch-size 2",
      input: #"[{"id": "1", "name": "A"}, {"id": "901", "name": "B"}, {"id": "1", "name": "C"}]"#)
    #expect(
      array.output == "Imported 2 payloads\n  Hero   3 placeholders\n  Power  4 inserted\n" && array.messages == "")
  }

  @Test(
    "I17: the order of payloads does not affect which identifiers are known", arguments: ["", "--lines"])
  func order(_ option: String) throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "model.json",
      #"""
      {"keyStrategy": "sameName", "entities": {
        "Card": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "list": {"destination": "List", "unresolvedRule": "deny", "optional": false}}},
        "List": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
      }}
      """#)
    let cards = try folder.file("cards.json", "{\"id\": 1, \"list\": 7}\n")
    let lists = try folder.file("lists.json", "{\"id\": 7}\n")
    let options = ["import", "--model", model] + (option.isEmpty ? [] : [option])
    for payloads in [["Card=\(cards)", "List=\(lists)"], ["List=\(lists)", "Card=\(cards)"]] {
      let graft = try Invocation(options + payloads)
      #expect(graft.output == "Imported 2 payloads\n  Card  1 inserted\n  List  1 inserted\n")
      #expect(graft.status == 0, "\(graft.messages)")
    }
    let alone = try Invocation(options + ["Card=\(cards)", "Card=\(cards)"])
    #expect(alone.messages.contains("cards.json:1:19: error: no 'List' has this identifier") && alone.status == 1)
    let missing = try Invocation(options + ["List=\(lists)", "Card=\(folder.path("none"))"])
    #expect(missing.output == "" && missing.status == 3)
  }

  @Test("I16: after a fault, the report lists what was kept: payloads, a part of a payload, or nothing")
  func partialReport() throws {
    let folder = try TemporaryFolder()
    let good = try folder.file("good.jsonl", "\n\n{\"id\": \"1\", \"name\": \"A\"}\n\n")
    let bad = try folder.file("bad.jsonl", "\n\n{\"id\": \"2\", \"name\": \"B\"}\n{\"id\": 3, \"name\": \"X\"}\n")
    let worse = try folder.file("worse.jsonl", "\n\n{\"id\": 3, \"name\": \"X\"}\n{\"id\": \"4\", \"name\": \"C\"}\n")
    func graft(_ options: [String], _ payloads: [String]) throws -> (output: String, last: String, status: Int32) {
      let graft = try Invocation(
        ["import", "--model", "Models/Comics.json", "--lines", "--batch-size", "1"] + options
          + payloads.map { "Power=\($0)" })
      return (graft.output, String(graft.messages.split(separator: "\n").last ?? ""), graft.status)
    }
    var found = try graft([], [good, bad, good])
    #expect(found.output == "Imported 1 payload and part of 1 more\n  Power  2 inserted\n" && found.status == 1)
    #expect(found.last == "1 error; the 2 batches before it were imported")
    found = try graft([], [good, worse])
    #expect(found.output == "Imported 1 payload\n  Power  1 inserted\n" && found.status == 1)
    #expect(found.last == "1 error; the batch before it was imported")
    found = try graft([], [worse, good])
    #expect(found.output == "" && found.status == 1 && found.last == "1 error; nothing was imported")
    found = try graft([], [good, folder.path("none.jsonl")])
    #expect(found.output == "Imported 1 payload\n  Power  1 inserted\n" && found.status == 3)
    found = try graft(["--dry-run"], [bad])
    #expect(found.output == "Dry run of part of 1 payload\n  Power  1 inserted\n" && found.status == 1)
    #expect(found.last == "1 error; the batch before it would be imported")
    let dry = try Invocation([
      "import", "--model", "Models/Comics.json", "--lines", "--batch-size", "1", "--dry-run", "Power=\(bad)",
    ])
    #expect(dry.messages.contains("note: the batch before it, with 1 object, would be kept\n"))
    found = try graft(["--report", "json"], [worse])
    #expect(found.output.hasPrefix("{\n  \"inserted\": {},\n") && found.status == 1)
  }

  @Test("I15: if the import stops early, the last line says that there might be more errors")
  func errorLimit() throws {
    func last(_ elements: [String], _ options: String = "") throws -> String {
      let payload = "[" + elements.joined(separator: ",\n") + "]"
      let graft = try Invocation("import --model Models/Comics.json Power=-\(options)", input: payload)
      #expect(graft.status == 1 && graft.output == "")
      return String(graft.messages.split(separator: "\n").last ?? "")
    }
    let alike = (0..<2000).map { #"{"id": \#($0), "name": "A"}"# }
    #expect(try last(Array(alike.prefix(19))) == "19 errors; nothing was imported")
    #expect(try last(Array(alike.prefix(999))) == "999 errors; nothing was imported")
    #expect(try last(alike) == "stopped after 1000 errors; nothing was imported")
    #expect(try last(alike, " --batch-size 1000") == "stopped after 1000 errors; nothing was imported")
    let keys = (0..<30).map { #"{"id": "\#($0)", "name": "A", "k\#($0)": 1}"# }
    #expect(try last(keys, " --unknown-keys error") == "stopped after 20 errors; nothing was imported")
  }

  @Test("I19: the same fault in 13 objects is reported in one message and counted as 13 errors")
  func repeatedFault() throws {
    let payload = "[" + (1...13).map { #"{"id": \#($0), "name": "A"}"# }.joined(separator: ",\n") + "]"
    let graft = try Invocation("import --model Models/Comics.json Power=-", input: payload)
    #expect(
      graft.messages == """
        <stdin>:1:9: error: expected a string for 'Power.identifier', found the number 1 (13 times)
          at $[0].id
        1 | [{"id": 1, "name": "A"},
          |         ^
        Models/Comics.json:61:90: note: 'identifier' is read by the transformer 'StringToInteger' here; to read such values as well, change this to "JSONTransformerName": "Lenient"
        <stdin>:2:8: note: also at $[1].id: the number 2
        <stdin>:3:8: note: also at $[2].id: the number 3
        <stdin>:4:8: note: also at $[3].id: the number 4
        note: and 9 more
        13 errors; nothing was imported

        """)
  }

  @Test("Messages name the program's options, not the library's")
  func optionWords() throws {
    func messages(_ words: String, _ input: String) throws -> String {
      try Invocation("import --model Models/Comics.json \(words)", input: input).messages
    }
    for options in ["", " --batch-size 1"] {
      let nowhere = try messages("Hero=- --at data.heroes\(options)", #"{"data": {"x": 1}}"#)
      #expect(nowhere.contains("expected the key 'heroes', which '--at' names"))
    }
    let envelope = try messages("Hero=-", #"{"all heroes": [], "n": 1}"#)
    #expect(
      envelope.contains("note: if the objects are under \"all heroes\", read them with --at 'all heroes'\n"))
    #expect(try messages("Hero=-", #"{"data": []}"#).contains("read them with --at data\n"))
    #expect(try messages("Hero=-", #"{"a.b": []}"#).contains("read them with --at '[\"a.b\"]'\n"))
    let deep = try messages("Hero=-", String(repeating: "[", count: 600))
    #expect(deep.contains("error: nested deeper than the limit of 512 levels\n"))
    #expect(deep.split(separator: "\n").allSatisfy { $0.count < 200 })
    let digits = String(repeating: "1", count: 2000)
    #expect(
      try messages("Hero=-", #"{"id": "1", "name": "A", "powers": [{"id": "1", "name": "B"}], "x": \#(digits)}"#) == "")
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json", #"{"keyStrategy": "sameName", "entities": {"A": {"attributes": {"n": "double", "j": "json"}}}}"#)
    let number = try Invocation(["import", "--model", model, "A=-"], input: #"{"n": \#(digits), "j": 1}"#)
    #expect(number.messages.contains("error: the number exceeds the limit of 1024 bytes\n"))
    let below = try Invocation(
      ["import", "--model", model, "A=-", "--export", "A=-", "--depth", "2"], input: #"{"n": 1, "j": [[]]}"#)
    #expect(below.messages.contains("is nested deeper than the limit of 2 ('--depth')"))
  }

  @Test("If --lines is missing, the error suggests adding the option", arguments: ["", " --batch-size 1"])
  func forgottenLines(options: String) throws {
    func notes(_ payload: String, _ more: String = "") throws -> [String] {
      let graft = try Invocation("import --model Models/Comics.json Power=-\(options)\(more)", input: payload)
      #expect(graft.status == 1 && graft.messages.contains("expected nothing after the end of the JSON value"))
      return graft.messages.split(separator: "\n").map(String.init).filter { $0.hasPrefix("note: for") }
    }
    let first = #"{"id": "1", "name": "A"}"#
    #expect(try notes("\(first)\n\(first)\n") == ["note: for one document on each line, use --lines"])
    #expect(try notes("[\(first)]\r\n\r\n [\(first)]\n") == ["note: for one document on each line, use --lines"])
    #expect(try notes("\(first) \(first)\n") == [])
    #expect(try notes("\(first)\n}\n") == [])
    #expect(try notes("\(first) \(first)\n", " --lines") == [])
  }

  @Test("I12: a dry run reports, exports and dumps the graph that the import would produce")
  func dryRun() throws {
    let payload = #"{"id": "1", "name": "Silent flight"}"#
    let graft = try Invocation(
      "import --model Models/Comics.json Power=- --dry-run --progress --export Power=-", input: payload)
    #expect(graft.output == #"[{"id":"1","name":"Silent flight","heroes":[]}]"# + "\n")
    #expect(graft.messages == "Dry run of 1 payload\n  Power  1 inserted\n" && graft.status == 0)
  }

  @Test(
    "A payload without objects does not cause an error",
    arguments: [("null", ": no objects"), ("[]", ": no objects"), ("[null]", "\n  Hero  1 skipped")])
  func empty(payload: String, report: String) throws {
    let graft = try Invocation("import --model Models/Comics.json Hero=- --dump -", input: payload)
    #expect(graft.output == "{}\n" && graft.messages == "Imported 1 payload\(report)\n" && graft.status == 0)
  }

  @Test("If a document is written to standard output, the report is written to standard error")
  func reportBesideDocument() throws {
    let payload = #"{"id": "1", "name": "Silent flight"}"#
    let graft = try Invocation("import --model Models/Comics.json Power=- --export Power=-", input: payload)
    #expect(graft.output == #"[{"id":"1","name":"Silent flight","heroes":[]}]"# + "\n")
    #expect(graft.messages == "Imported 1 payload\n  Power  1 inserted\n")
    let quiet = try Invocation("import --model Models/Comics.json Power=- --export Power=- --quiet", input: payload)
    #expect(quiet.output == graft.output && quiet.messages == "")
  }

  @Test("The dump shows the whole graph, including placeholders, both sides of links and unmapped properties")
  func dump() throws {
    let graft = try Invocation(
      "import --model Models/Comics.json Hero=- --dump - --quiet",
      input: """
        [{"id": "9", "name": "Kilowatt", "powers": [{"id": "10", "name": "Current"}, "2"], "mentor": "100"}]
        """)
    #expect(
      graft.output == """
        {
          "Hero": [
            {"id": "Hero(9)", "placeholder": false,
             "attributes": {"identifier": 9, "name": "Kilowatt", "realName": null, "gender": null, "firstAppearance": null, \
        "isRetired": false, "height": null, "isFavorite": false},
             "relationships": {"powers": ["Power(2)", "Power(10)"], "publisher": null, "mentor": "Hero(100)", "sidekicks": []}},
            {"id": "Hero(100)", "placeholder": true,
             "attributes": {"identifier": 100, "name": null, "realName": null, "gender": null, "firstAppearance": null, \
        "isRetired": null, "height": null, "isFavorite": null},
             "relationships": {"powers": [], "publisher": null, "mentor": null, "sidekicks": ["Hero(9)"]}}
          ],
          "Power": [
            {"id": "Power(2)", "placeholder": true,
             "attributes": {"identifier": 2, "name": null},
             "relationships": {"heroes": ["Hero(9)"]}},
            {"id": "Power(10)", "placeholder": false,
             "attributes": {"identifier": 10, "name": "Current"},
             "relationships": {"heroes": ["Hero(9)"]}}
          ]
        }

        """)
    #expect(graft.status == 0)
  }

  @Test("E2: an export repeats shared objects; with --once it writes them once for each root")
  func exportOnce() throws {
    let payload = """
      [{"id": "1", "name": "A", "mentor": {"id": "2", "name": "B", "powers": [{"id": "7", "name": "P"}]}, "powers": ["7"]}]
      """
    func heroes(_ options: String) throws -> [[String: Any]] {
      let graft = try Invocation(
        "import --model Models/Comics.json Hero=- --export Hero=- --quiet\(options)", input: payload)
      #expect(graft.status == 0 && graft.messages == "")
      return try #require(try JSONSerialization.jsonObject(with: Data(graft.output.utf8)) as? [[String: Any]])
    }
    func mentorsPowers(_ hero: [String: Any]) -> [Any]? { (hero["mentor"] as? [String: Any])?["powers"] as? [Any] }
    let full = try heroes("")
    #expect(full.map { $0["name"] as? String } == ["A", "B"])
    #expect(mentorsPowers(full[0])?.first is [String: Any])
    #expect(mentorsPowers(try heroes(" --once")[0])?.first as? String == "7")
    // An array, the hero, and the mentor as an identifier.
    #expect(try heroes(" --depth 2")[0]["mentor"] as? String == "2")
  }

  @Test(
    "E5: --incomplete error refuses an export that would omit a relationship, and the error names the program's option")
  func incompleteExport() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      #"{"keyStrategy": "sameName", "entities": {"A": {"attributes": {"n": "integer64"}, "relationships": {"b": {"destination": "A"}}}}}"#
    )
    func export(_ option: String) throws -> Invocation {
      try Invocation(
        ["import", "--model", model, "A=-", "--export", "A=-", "--quiet", "--depth", "2", "--incomplete", option],
        input: #"{"n": 1, "b": {"n": 2}}"#)
    }
    let omitted = try export("omit")
    #expect(omitted.status == 0 && omitted.output == "[{\"n\":2,\"b\":null},{\"n\":1}]\n")
    let refused = try export("error")
    #expect(refused.status == 1 && refused.output == "")
    #expect(
      refused.messages.contains(
        "is below the depth limit of 2 and has no identifier that can be written there; raise '--depth', or omit the relationship with '--incomplete omit'"
      ), "\(refused.messages)")
  }

  @Test("M11: an export is an object if the key path of the first identity attribute is @key")
  func keyedExport() throws {
    let payload = #"{"41":"Stalls","42":"Balcony"}"#
    let graft = try Invocation("import --model Models/Catalog.json Area=- --export Area=- --quiet", input: payload)
    #expect(graft.output == payload + "\n" && graft.messages == "")
  }

  @Test("I1: --at sets the key path of the objects, for all payloads or for each payload")
  func keyPath() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file(
      "both.json", #"{"data": {"heroes": [{"id": "1", "name": "A"}], "a.b": [{"id": "2", "name": "B"}]}}"#)
    let flat = try folder.file("flat.json", #"[{"id": "3", "name": "C"}]"#)
    let once = try Invocation(
      ["import", "--model", "Models/Comics.json", "--at", "data.heroes", "Hero=\(path)", "Hero=\(path)"])
    #expect(once.output == "Imported 2 payloads\n  Hero  1 inserted\n")
    let each = try Invocation([
      "import", "--model", "Models/Comics.json", "Hero=\(path)", "--at", "data.heroes", "Power=\(path)", "--at",
      #"["data", "a.b"]"#, "Power=\(flat)", "--at", ".",
    ])
    #expect(each.output == "Imported 3 payloads\n  Hero   1 inserted\n  Power  2 inserted\n" && each.messages == "")
  }

  @Test("I11: an error shows the payload, the JSON path, an excerpt and the model line that requires the value")
  func errorBlock() throws {
    let graft = try Invocation("import --model Models/Comics.json Hero=Examples/Payloads/Faulty/wrong-type.json")
    #expect(graft.output == "")
    #expect(
      graft.messages == """
        Examples/Payloads/Faulty/wrong-type.json:7:15: error: expected a string for 'Power.identifier', found the number 2
          at $[0].powers[1].id
        7 |       { "id": 2, "name": "Night vision" }
          |               ^
        Models/Comics.json:61:90: note: 'identifier' is read by the transformer 'StringToInteger' here; to read such values as well, change this to "JSONTransformerName": "Lenient"
        1 error; nothing was imported

        """)
    #expect(graft.status == 1)
  }

  @Test("I9: all mistakes in a payload are shown, in payload order")
  func severalErrors() throws {
    let graft = try Invocation("import --model Models/Comics.json Hero=Examples/Payloads/Faulty/several-mistakes.json")
    let places = graft.messages.split(separator: "\n").filter { $0.contains(": error: ") }.map {
      $0.split(separator: ":").dropFirst().prefix(2).joined(separator: ":")
    }
    #expect(places == ["2:26", "2:40", "3:3", "3:38", "4:62", "4:80", "5:54", "5:106"])
    #expect(graft.messages.hasSuffix("\n8 errors; nothing was imported\n"))
    #expect(graft.status == 1)
  }

  @Test(
    "Every faulty payload in the repository is rejected",
    arguments: [
      ("Comics", "Hero", "wrong-type"), ("Comics", "Hero", "several-mistakes"), ("Comics", "Hero", "trailing-comma"),
      ("Comics", "Hero", "repeated-key"), ("Cards", "Card", "path-through-text"), ("Cards", "Deck", "short-identifier"),
      ("Messages", "Message", "unknown-type"), ("Messages", "Message", "missing-sender"),
      ("Timetable", "Course", "unknown-identifier"), ("Catalog", "Area", "key-is-no-number"),
    ])
  func faulty(model: String, entity: String, payload: String) throws {
    let path = "Examples/Payloads/Faulty/\(payload).json"
    let graft = try Invocation("import --model Models/\(model).json \(entity)=\(path)")
    #expect(graft.output == "" && graft.status == 1)
    #expect(graft.messages.hasPrefix("\(path):"))
    #expect(graft.messages.hasSuffix("nothing was imported\n"))
  }

  @Test("I13: unmapped keys are ignored by default, and rejected on request")
  func unknownKeys() throws {
    let payload = #"{"id": "1", "name": "A", "rael_name": "B"}"#
    #expect(try Invocation("import --model Models/Comics.json Hero=-", input: payload).status == 0)
    let graft = try Invocation("import --model Models/Comics.json Hero=- --unknown-keys error", input: payload)
    #expect(
      graft.messages == """
        <stdin>:1:26: error: the key "rael_name" is not mapped by 'Hero'; did you mean 'real_name'?
          at $.rael_name
        1 | {"id": "1", "name": "A", "rael_name": "B"}
          |                          ^~~~~~~~~~~
        Models/Comics.json:11:5: note: 'Hero' is declared here
        1 error; nothing was imported

        """)
    #expect(graft.status == 1)
  }

  @Test("M9: the errors of a faulty model are shown, and no payload is read")
  func faultyModel() throws {
    let graft = try Invocation(
      "import --model - Hero=nowhere.json",
      input: #"{"entities": {"Hero": {"entityMapperName": "Kind", "identityAttributes": "id"}}}"#)
    #expect(graft.output == "")
    #expect(
      graft.messages == """
        <stdin>:1:44: error: the entity mapper 'Kind' of entity 'Hero' is not registered
        1 | {"entities": {"Hero": {"entityMapperName": "Kind", "identityAttributes": "id"}}}
          |                                            ^~~~~~
        note: if your program registers it, try the model with a replacement: --assume Kind=asIs
        <stdin>:1:75: error: the identity attribute 'id' is not an attribute of entity 'Hero'
        1 | {"entities": {"Hero": {"entityMapperName": "Kind", "identityAttributes": "id"}}}
          |                                                                           ^~
        2 errors in the model; nothing was imported

        """)
    #expect(graft.status == 1)
  }

  @Test("I18: --skip-faulty imports the valid elements, and lists the skipped elements with their errors")
  func skipFaulty() throws {
    let payload = """
      [{"id": "1", "name": "A"},
       {"id": 2, "name": "B"},
       {"id": "3"}]
      """
    let words = ["import", "--model", "Models/Comics.json", "Hero=-", "--skip-faulty"]
    let graft = try Invocation(words, input: payload)
    #expect(
      graft.output == """
        Imported 1 payload
          Hero  1 inserted
        Skipped elements
          $[1]  1 error in <stdin>:2
          $[2]  1 error in <stdin>:3

        """)
    #expect(
      graft.messages.hasPrefix("<stdin>:2:9: warning: expected a string for 'Hero.identifier', found the number 2\n"))
    #expect(graft.messages.contains("\n<stdin>:3:2: warning: expected a value for 'Hero.name'"))
    #expect(graft.messages.hasSuffix("\n2 faulty elements were skipped\n") && graft.status == 0)
    let json = try Invocation(words + ["--report", "json", "--dry-run"], input: payload)
    #expect(json.output.contains(#""path": "$[1]","#) && json.output.contains(#""code": "missing-value","#))
    #expect(json.messages.hasSuffix("\n2 faulty elements would be skipped\n"))
    let lines = try Invocation(
      words + ["--lines", "--batch-size", "1", "--quiet"], input: "{\"id\": 1}\n{\"id\": \"2\", \"name\": \"B\"}\n")
    #expect(lines.output == "" && lines.messages == "" && lines.status == 0)
    let broken = try Invocation(words, input: "[{\"id\": 1},]")
    #expect(broken.status == 1 && broken.messages.hasSuffix("2 errors; nothing was imported\n"))
  }

  @Test("I19: --warnings shows probable mistakes, treats them as errors, or does not look for them")
  func probableMistakes() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json", #"{"entities": {"A": {"attributes": {"x": {"type": "string", "optional": true, "JSONKeyPath": "x"}}}}}"#
    )
    let words = ["import", "--model", model, "A=-"]
    let payload = #"{"data": [{"x": "1"}]}"#
    let graft = try Invocation(words, input: payload)
    #expect(graft.messages.hasPrefix("<stdin>:1:1: warning: expected a key that 'A' maps, found \"data\"\n"))
    #expect(graft.messages.contains("note: if the objects are under \"data\", read them with --at data\n"))
    #expect(graft.output.contains("A  1 inserted") && graft.status == 0)
    let error = try Invocation(words + ["--warnings", "error"], input: payload)
    #expect(
      error.messages.hasPrefix("<stdin>:1:1: error: ") && error.messages.hasSuffix("1 error; nothing was imported\n"))
    #expect(error.output == "" && error.status == 1)
    let none = try Invocation(words + ["--warnings", "none"], input: payload)
    #expect(none.output == graft.output && none.messages == "")
    let json = try Invocation(words + ["--report", "json"], input: payload)
    #expect(json.output.contains(#""code": "no-mapped-key","#))
  }

  @Test("The model's warnings are shown, unless --quiet is given")
  func warnings() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "Old.json",
      #"{"entities": {"A": {"identityAttribute": "id", "attributes": {"id": {"type": "string", "JSONKeyPath": "id"}}}}}"#
    )
    let words = ["import", "--model", model, "A=-"]
    let graft = try Invocation(words, input: #"{"id": "x"}"#)
    #expect(graft.output == "Imported 1 payload\n  A  1 inserted\n" && graft.status == 0)
    #expect(graft.messages.hasPrefix("\(model):1:21: warning: "))
    let quiet = try Invocation(words + ["--quiet"], input: #"{"id": "x"}"#)
    #expect(quiet.output == "" && quiet.messages == "" && quiet.status == 0)
  }

  @Test("A question mark after a key path permits this part of a document to be absent")
  func optionalParts() throws {
    let payload = #"{"heroes": [{"id": "9", "name": "Kilowatt"}]}"#
    let both = try Invocation("import --model Models/Comics.json Hero@heroes=- Power@powers?=-", input: payload)
    #expect(both.status == 0 && both.output.contains("Hero  1 inserted"), "\(both.messages)\(both.output)")
    let listed = try Invocation(
      "import --model Models/Comics.json Hero=- Power=- --at heroes --at powers?", input: payload)
    #expect(listed.status == 0 && listed.output == both.output)
    let required = try Invocation("import --model Models/Comics.json Hero@heroes=- Power@powers=-", input: payload)
    #expect(required.status == 1 && required.messages.contains("expected the key 'powers'"))
    for (arguments, message) in [
      ("Hero@heroes?=- --lines", "'--lines' reads one part of a document, which is required"),
      ("Hero@.?=-", "'.' is the whole document, which is always there"),
    ] {
      let refused = try Invocation("import --model Models/Comics.json \(arguments)", input: payload)
      #expect(refused.status == 2 && refused.messages.contains(message), "\(refused.messages)")
    }
  }

  @Test("I24: an object is named in the same form as in messages, with quotes around a value that contains a comma")
  func quotedIdentity() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      #"""
      {"keyStrategy": "sameName", "entities": {
        "Album": {"identityAttributes": ["artist", "number"], "attributes": {"artist": "string", "number": "integer64"},
          "relationships": {"photos": {"destination": "Photo", "toMany": true, "inverse": "album", "JSONKeyPath": null}}},
        "Photo": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"album": {"destination": "Album", "inverse": "photos"}}}}}
      """#)
    let name = #"Album("Earth, Wind & Fire",3)"#
    let words = ["import", "--model", model]
    // The program itself names the object in this form.
    let named = try Invocation(words + ["Photo=-"], input: #"[{"id": 1, "album": ["Earth, Wind & Fire", 3]}]"#)
    #expect(named.output.contains("Placeholders: \(name)"), "\(named.output)")
    let graft = try Invocation(words + ["\(name).photos=-", "--export", "Photo=-", "--quiet"], input: #"[{"id": 1}]"#)
    #expect(graft.status == 0, "\(graft.messages)")
    #expect(graft.output == "[{\"id\":1,\"album\":[\"Earth, Wind & Fire\",3]}]\n", "\(graft.output)")
  }

  @Test("I24: a quoted identity can contain the characters that end the name of an object")
  func quotedParentheses() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      #"""
      {"keyStrategy": "sameName", "entities": {
        "Album": {"identityAttributes": ["artist", "number"], "attributes": {"artist": "string", "number": "integer64"},
          "relationships": {"photos": {"destination": "Photo", "toMany": true, "inverse": "album", "JSONKeyPath": null}}},
        "Photo": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"album": {"destination": "Album", "inverse": "photos"}}}}}
      """#)
    let graft = try Invocation(
      ["import", "--model", model, #"Album("f(x).y=1, 2",3).photos=-"#, "--export", "Photo=-", "--quiet"],
      input: #"[{"id": 1}]"#)
    #expect(graft.status == 0, "\(graft.messages)")
    #expect(graft.output == "[{\"id\":1,\"album\":[\"f(x).y=1, 2\",3]}]\n", "\(graft.output)")
  }
}
