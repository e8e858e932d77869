import Foundation
import Testing

@Suite("graft import --trace") struct TraceTests {
  private static let model = """
    {
      "entities": {
        "Hero": {
          "identityAttributes": "id",
          "attributes": {
            "id": { "type": "integer64", "JSONKeyPath": "id", "JSONKeyPathAliases": ["@key"] },
            "name": { "type": "string", "optional": true, "JSONKeyPath": "name" },
            "rank": { "type": "string", "default": "new" },
            "born": {
              "type": "date", "optional": true, "JSONKeyPath": "born", "JSONTransformerName": "DateFormat(yyyy-MM-dd)",
            },
          },
          "relationships": {
            "publisher": { "destination": "Publisher", "inverse": "heroes", "JSONKeyPath": "publisher" },
            "friend": { "destination": "Hero", "JSONKeyPath": "friend", "unresolvedRule": "skip" },
            "powers": { "destination": "Power", "toMany": true, "inverse": "heroes", "JSONKeyPath": "powers" },
          },
        },
        "Power": {
          "identityAttributes": "id",
          "attributes": { "id": { "type": "integer64", "JSONKeyPath": "id" } },
          "relationships": { "heroes": { "destination": "Hero", "toMany": true, "inverse": "powers" } },
        },
        "Publisher": {
          "identityAttributes": "id",
          "attributes": { "id": { "type": "integer64", "JSONKeyPath": "id" } },
          "relationships": {
            "heroes": { "destination": "Hero", "toMany": true, "inverse": "publisher", "JSONKeyPath": "heroes" },
          },
        },
        "Price": { "attributes": { "cents": { "type": "integer64", "JSONKeyPath": "cents" } } },
      },
    }
    """

  private static let publishers = """
    [{"id": 10, "heroes": [{"id": 100, "friend": 101},
      null, 101]}]
    """

  private static let heroes = """
    [{"id": 101, "name": "Batman", "born": "1939-05-01", "powers": [4, {"id": 9}]},
     {"id": 101, "name": "Bruce", "publisher": 11, "powers": [9]}]
    """

  private let folder: TemporaryFolder
  private let base: [String]

  init() throws {
    folder = try TemporaryFolder()
    base = ["import", "--model", try folder.file("m.json", TraceTests.model), "--warnings", "none"]
  }

  /// Runs the program. Messages and output contain only the names of the files.
  private func run(_ words: String...) throws -> (output: String, messages: String, status: Int32) {
    let graft = try Invocation(base + words)
    let path = folder.path("") + "/"
    return (
      graft.output.replacingOccurrences(of: path, with: ""), graft.messages.replacingOccurrences(of: path, with: ""),
      graft.status
    )
  }

  private func payloads() throws -> (publishers: String, heroes: String) {
    (
      "Publisher=" + (try folder.file("p.json", TraceTests.publishers)),
      "Hero=" + (try folder.file("h.json", TraceTests.heroes))
    )
  }

  @Test("Mentions are listed in the order in which they are applied, with the changes that each mention makes")
  func mentions() throws {
    let (publishers, heroes) = try payloads()
    let graft = try run(publishers, heroes, "--trace", "Hero(101)", "--quiet")
    #expect(
      graft.output == """
        Hero(101): 4 mentions
          1. p.json:2 at $[0].heroes[2]: identifier in 'Publisher(10).heroes'; creates a placeholder
               publisher  null -> Publisher(10)  by its inverse 'Publisher.heroes'
          2. h.json:1 at $[0]: dictionary with its identity; fills the placeholder
               id      101                       from "id"
               name    "Batman"                  from "name"
               rank    "new"                     default
               born    "1939-05-01T00:00:00Z"    from "born"; transformer 'DateFormat(yyyy-MM-dd)'
               powers  added Power(4), Power(9)  from "powers"; inverse 'Power.heroes'
          3. h.json:2 at $[1]: dictionary with its identity
               id         101                             from "id"; unchanged
               name       "Batman" -> "Bruce"             from "name"
               publisher  Publisher(10) -> Publisher(11)  from "publisher"; inverse 'Publisher.heroes'
               powers     removed Power(4)                from "powers"; inverse 'Power.heroes'
          4. p.json:1 at $[0].heroes[0].friend: identifier in 'Hero(100).friend'

        """)
    #expect(graft.messages == "" && graft.status == 0)
  }

  @Test("Objects are traced in nested dictionaries, and when another object's relationship changes them")
  func nested() throws {
    let graft = try run(try payloads().heroes, "--trace=Power(9)", "--trace=Power(4)", "--quiet")
    #expect(
      graft.output == """
        Power(9): 3 mentions
          1. h.json:1 at $[0].powers[1]: dictionary with a new identity
               id  9  from "id"
          2. h.json:1 at $[0]: changed by 'Hero(101)'
               heroes  added Hero(101)  by its inverse 'Hero.powers'
          3. h.json:2 at $[1].powers[0]: identifier in 'Hero(101).powers'
        Power(4): 2 mentions
          1. h.json:1 at $[0].powers[0]: identifier in 'Hero(101).powers'; creates a placeholder
               heroes  added Hero(101)  by its inverse 'Hero.powers'
          2. h.json:2 at $[1]: changed by 'Hero(101)'
               heroes  removed Hero(101)  by its inverse 'Hero.powers'

        """)
  }

  @Test("The identity of a traced object can come from an alias, and the object from a collection by keys")
  func alias() throws {
    let heroes = try folder.file("h.json", #"{"101": {"name": "Batman"}}"#)
    let graft = try run("Hero=\(heroes)", "--trace", "Hero(101)", "--quiet")
    #expect(graft.output.contains("at $['101']: dictionary with a new identity\n"))
    #expect(graft.output.contains(#"id    101       from "@key", an alias"#))
  }

  @Test("Batches, lines and stores: each import is traced, together with the values from the store")
  func batches() throws {
    let (publishers, heroes) = try payloads()
    let store = folder.path("s.graft")
    let words = ["--store", store, "--batch-size", "1", "--quiet", "--trace", "Hero(101)"]
    _ = try Invocation(base + [publishers] + words)
    let graft = try Invocation(base + [heroes] + words)
    #expect(graft.output.hasPrefix("Hero(101): 2 mentions\n  1. "))
    #expect(graft.output.contains("h.json:1 at $[0]: dictionary with its identity; fills the placeholder\n"))
    #expect(graft.output.contains("publisher  Publisher(10) -> Publisher(11)  from"))
    let lines = try folder.file("h.jsonl", #"{"id": 101, "name": "Bruce"}"# + "\n" + #"{"id": 101, "name": "Alfred"}"#)
    let third = try Invocation(base + ["Hero=\(lines)", "--lines", "--dry-run"] + words)
    #expect(third.output.contains(#"name  "Bruce"  from "name"; unchanged"#))
    #expect(third.output.contains(#"h.jsonl:2 at $: dictionary with its identity"#))
    #expect(third.output.contains(#"name  "Bruce" -> "Alfred"  from "name""#))
  }

  @Test("A link from an identifier that is looked up at the end is not reported as an inverse")
  func lookedUpAtTheEnd() throws {
    let heroes = try folder.file("h.json", #"[{"id": 1, "friend": 2}, {"id": 2}]"#)
    let graft = try run("Hero=\(heroes)", "--trace", "Hero(1)", "--quiet")
    let lines = graft.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.contains { $0.hasPrefix("friend") && $0.hasSuffix("-> Hero(2)") }, "\(graft.output)")
    #expect(!graft.output.contains("inverse"))
  }

  @Test("A dictionary that marks its object as deleted is traced as a deletion, not as skipped")
  func deletionMark() throws {
    let model = try folder.file(
      "d.json",
      #"""
      {"entities": {"Hero": {
        "identityAttributes": "id", "deletedWhen": {"JSONKeyPath": "gone", "equals": true},
        "attributes": {"id": {"type": "integer64", "JSONKeyPath": "id"}}
      }}}
      """#)
    let heroes = try folder.file("h.json", #"[{"id": 1}, {"id": 1, "gone": true}]"#)
    let graft = try Invocation(["import", "--model", model, "Hero=\(heroes)", "--trace", "Hero(1)", "--quiet"])
    #expect(graft.output.contains("at $[1]: dictionary that marks it as deleted\n"), "\(graft.output)")
    #expect(graft.output.contains("3. deleted at the end of the payload\n") && !graft.output.contains("skipped"))
  }

  @Test("The trace of a failed import shows what was read; skipped elements are not mentions")
  func failures() throws {
    let heroes = try folder.file("bad.json", #"[{"id": 101, "name": "Batman"}, {"id": 101, "name": 7}]"#)
    let failed = try run("Hero=\(heroes)", "--trace", "Hero(101)")
    #expect(failed.status == 1 && failed.output == "")
    #expect(failed.messages.hasPrefix("Hero(101): 2 mentions\n"))
    #expect(failed.messages.hasSuffix("1 error; nothing was imported\n"))
    let tolerant = try run("Hero=\(heroes)", "--trace", "Hero(101)", "--skip-faulty", "--quiet")
    #expect(tolerant.status == 0)
    #expect(tolerant.output.hasPrefix("Hero(101): 1 mention\n  1. bad.json:1 at $[0]: dictionary with a new "))
  }

  @Test("An object that no payload mentions causes no error, and similar names are suggested")
  func unknown() throws {
    let heroes = try payloads().heroes
    let near = try run(heroes, "--trace", "Hero(1011)", "--quiet")
    #expect(near.output == "Hero(1011) is not mentioned in the payloads; there are 'Hero(101)'\n")
    #expect(near.status == 0)
    let other = try run(heroes, "--trace", "Hero(11)", "--quiet")
    #expect(other.output == "Hero(11) is not mentioned in the payloads; there are 'Publisher(11)', 'Hero(101)'\n")
  }

  @Test("S12: an object that is identified inside its owner is found in a store")
  func owned() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "orders.json",
      """
      {"keyStrategy": "sameName", "entities": {
        "Order": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order"}}},
        "Line": {"identityAttributes": ["order", "code"],
          "attributes": {"code": "string", "sku": "string", "note": {"type": "string", "optional": true}},
          "relationships": {"order": {"destination": "Order", "inverse": "lines", "JSONKeyPath": null}}}}}
      """)
    let words = ["import", "--model", model, "--store", folder.path("o.graft"), "Order=-"]
    let first = #"{"id": 7, "lines": [{"code": "a", "sku": "X", "note": "hi"}]}"#
    #expect(try Invocation(words, input: first).status == 0)
    let again = try Invocation(
      words + ["--trace", "Line(7,a)", "--quiet"], input: #"{"id": 7, "lines": [{"code": "a", "sku": "Y"}]}"#)
    #expect(again.output.contains("dictionary with its identity\n"), "\(again.output)")
    #expect(again.output.contains(#""X" -> "Y""#) && !again.output.contains("note"), "\(again.output)")
  }

  @Test("The JSON report contains the mentions of each object")
  func json() throws {
    let graft = try run(try payloads().heroes, "--trace", "Hero(101)", "--trace", "Hero(1)", "--report", "json")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(graft.output.utf8)) as? [String: Any])
    let traces = try #require(report["traces"] as? [[String: Any]])
    #expect(traces.map { $0["id"] as? String } == ["Hero(101)", "Hero(1)"])
    #expect(traces[1]["near"] as? [String] == ["Hero(101)"])
    let mentions = try #require(traces[0]["mentions"] as? [[String: Any]])
    #expect(mentions.map { $0["match"] as? String } == ["inserted", "identity"])
    #expect(mentions[1]["path"] as? String == "$[1]" && mentions[1]["line"] as? Int == 2)
    let changes = try #require(mentions[1]["changes"] as? [String: [String: Any]])
    #expect(changes["name"]?["old"] as? String == "Batman" && changes["name"]?["new"] as? String == "Bruce")
    #expect(changes["powers"]?["removed"] as? [String] == ["Power(4)"])
    #expect(changes["powers"]?["inverse"] as? String == "Power.heroes")
    let plain = try run(try payloads().heroes, "--report", "json")
    #expect(!plain.output.contains("traces"))
  }

  @Test(
    "A word that cannot be an object's name causes a usage error",
    arguments: [
      ("Hero", #"expected '--trace' ENTITY(IDENTITY), such as '--trace "Hero(101)"', found 'Hero'"#),
      ("Her(1)", "the model has no entity 'Her'; did you mean 'Hero'?"),
      ("Hero(x)", "'Hero(x)' cannot be traced: 'Hero.id' is declared integer64, which does not fit 'x'"),
      (
        "Price(1)", "'Price(1)' cannot be traced: 'Price' has no identity: each dictionary inserts a new object"
      ),
    ])
  func usage(word: String, message: String) throws {
    let graft = try run(try payloads().heroes, "--trace", word)
    #expect(graft.messages == "graft import: \(message)\nTry 'graft import --help'.\n" && graft.status == 2)
  }

  @Test(
    "M25, M12, M27: objects in lists, in owners and with alternate identities are traced with their locations"
  )
  func setAside() throws {
    let model = """
      {"keyStrategy": "sameName", "entities": {
        "List": {"identityAttributes": "id", "alternateIdentities": ["slug"],
          "attributes": {"id": {"type": "integer64", "optional": true}, "slug": {"type": "string", "optional": true}},
          "relationships": {
            "fans": {"destination": "Fan", "toMany": true, "inverse": "lists", "JSONKeyPath": "fans.edges[].node"},
            "entries": {"destination": "Entry", "toMany": true, "inverse": "list"}}},
        "Fan": {"identityAttributes": "key", "attributes": {"key": "string"},
          "relationships": {"lists": {"destination": "List", "toMany": true, "inverse": "fans", "JSONKeyPath": null}}},
        "Entry": {"identityAttributes": ["list", "no"], "attributes": {"no": "integer64"},
          "relationships": {"list": {"destination": "List", "inverse": "entries", "JSONKeyPath": null}}}}}
      """
    let payload = """
      [{"id": 1, "slug": "s", "fans": {"edges": [{"node": {"key": "a"}}]}, "entries": [{"no": 7}]},
       {"id": 2}, {"slug": "s", "fans": {"edges": []}}]
      """
    let words = [
      "import", "--model", try folder.file("lists.json", model), "--warnings", "none",
      "List=" + (try folder.file("l.json", payload)), "--trace", "List(1)", "--trace", "Fan(a)", "--trace", "List(2)",
    ]
    let output = try Invocation(words).output
    let traces = output.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    for line in [
      "List(1): 3 mentions", "$[0]: dictionary with a new identity",
      #"fans added Fan(a) from "fans.edges[].node"; inverse 'Fan.lists'"#,
      "$[0].entries[0]: changed by 'Entry(1,7)'", "entries added Entry(1,7) by its inverse 'Entry.list'",
      "$[2]: dictionary with an alternate identity",
      #"fans removed Fan(a) from "fans.edges[].node"; inverse 'Fan.lists'"#, "$[0]: changed by 'List(1)'",
      "List(2): 1 mention",
    ] {
      #expect(traces.contains(line), "\(line) in \(output)")
    }
    #expect(!traces.contains("changed by 'List(2)'"))
  }

  @Test("M21: a trace lists a dictionary that is only a reference as an identifier, not as skipped")
  func tracedReference() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      #"""
      {"keyStrategy": "sameName", "entities": {
        "Post": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"author": {"destination": "Person", "JSONReferences": true}}},
        "Person": {"identityAttributes": "id",
          "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}}}}}
      """#)
    let graft = try Invocation(
      ["import", "--model", model, "Post=-", "--trace", "Person(9)", "--quiet"],
      input: #"[{"id": 1, "author": {"id": 9}}]"#)
    #expect(graft.status == 0 && graft.output.hasPrefix("Person(9): 1 mention\n"), "\(graft.output)")
    #expect(!graft.output.contains("skipped"), "\(graft.output)")
  }
}
