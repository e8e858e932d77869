import Foundation
import Testing

@Suite("graft diff") struct DiffTests {
  private static let hero = #"""
    { "entities": {
      "Hero": {
        "identityAttributes": "id",
        "attributes": {
          "id": { "type": "integer32", "JSONKeyPath": "id" },
          "name": { "type": "string", "JSONKeyPath": "name" },
          "age": { "type": "integer16", "optional": true, "JSONKeyPath": "age", "maximum": 500 },
          "cape": { "type": "boolean", "optional": true, "JSONKeyPath": "cape" },
          "rank": { "type": "string", "optional": true, "JSONKeyPath": "rank", "enum": ["a", "b"] },
          "mood": { "type": "string", "JSONKeyPath": "mood", "default": "calm" }
        },
        "relationships": {
          "publisher": { "destination": "Publisher", "JSONKeyPath": "publisher", "inverse": "heroes" },
          "friends": { "destination": "Hero", "toMany": true, "JSONKeyPath": "friends" }
        }
      },
      "Publisher": {
        "identityAttributes": "name",
        "attributes": { "name": { "type": "string", "JSONKeyPath": "name" } },
        "relationships": { "heroes": { "destination": "Hero", "toMany": true, "inverse": "publisher" } }
      }
    } }
    """#

  private static let payload =
    #"[{ "id": 1, "name": "Batman", "age": 35, "cape": true, "rank": "b", "publisher": "DC", "friends": [2, { "id": 3, "name": "Robin" }] }]"#

  /// The model with an edit.
  private static func edited(_ from: String, _ to: String) -> String {
    let text = hero.replacingOccurrences(of: from, with: to)
    precondition(text != hero, "\(from)")
    return text
  }

  @Test("A store is compared by its model, in the same way as the model file itself")
  func stores() throws {
    let folder = try TemporaryFolder()
    let old = try folder.file("old.json", Self.hero)
    let new = try folder.file(
      "new.json",
      Self.edited(
        #""type": "integer16", "optional": true, "JSONKeyPath": "age", "maximum": 500"#,
        #""type": "boolean", "optional": true, "JSONKeyPath": "age""#))
    let store = folder.path("heroes.graft")
    #expect(try Invocation(["import", "--model", old, "--store", store, "Hero=-"], input: Self.payload).status == 0)
    let files = try Invocation(["diff", old, new])
    let graft = try Invocation(["diff", store, new])
    #expect(graft.output == files.output && graft.messages == files.messages && graft.status == 1)
    #expect(graft.output.contains("the type of 'Hero.age' changes from integer16 to boolean"))
    #expect(try Invocation(["diff", new, store]).output.contains("heroes.graft's model:"))
    let stores = try Invocation(["diff", store, store])
    #expect(
      stores.messages == """
        the models of the two stores are compared; to compare their objects, export them with 'graft export --store'
        no difference for stores or payloads

        """)
    #expect(stores.status == 0 && stores.output == "")
    let other = try folder.file("other.graft", "SQLite format 3\0")
    #expect(
      try Invocation(["diff", other, new]).messages
        == "graft diff: the store '\(other)' cannot be opened: it is not a store; it was not changed\n")
  }

  @Test("M16: a property that changes to export-only is reported as no longer read")
  func direction() throws {
    let folder = try TemporaryFolder()
    let old = try folder.file("old.json", Self.hero)
    let new = try folder.file(
      "new.json", Self.edited(#""JSONKeyPath": "cape""#, #""JSONKeyPath": "cape", "JSONDirection": "export""#))
    let graft = try Invocation(["diff", old, new])
    #expect(graft.output.contains(#"'Hero.cape' is no longer read: "cape" is ignored"#), "\(graft.output)")
  }

  @Test("M19: aliases are not suggested for key paths that lead out of an object, because there can be only one")
  func surroundings() throws {
    let folder = try TemporaryFolder()
    func model(_ path: String) throws -> String {
      try folder.file("\(UUID()).json", Self.edited(#""JSONKeyPath": "cape""#, #""JSONKeyPath": "\#(path)""#))
    }
    let outside = try Invocation(["diff", model("@root.cape"), model("@root.cloak")]).output
    #expect(outside.contains("no longer read from '@root.cape', but from '@root.cloak'"), "\(outside)")
    #expect(!outside.contains("JSONKeyPathAliases"))
    let mixed = try Invocation(["diff", model("@root.cape"), model("cloak")]).output
    #expect(mixed.contains("'JSONKeyPathAliases' can keep both"), "\(mixed)")
  }

  @Test("M15: adding or removing a mapper's fallback is reported as a difference for payloads")
  func fallback() throws {
    func model(_ otherwise: String) -> String {
      """
      {"entities": {
        "Message": {
          "identityAttributes": "id", "attributes": {"id": {"type": "integer64", "JSONKeyPath": "id"}},
          "entityMapper": {"JSONKeyPath": "type", "entities": {"text": "TextMessage"}\(otherwise)}
        },
        "TextMessage": {"parent": "Message"}
      }}
      """
    }
    let folder = try TemporaryFolder()
    let old = try folder.file("old.json", model(""))
    let skipping = try folder.file("skipping.json", model(#", "otherwise": null"#))
    let named = try folder.file("named.json", model(#", "otherwise": "TextMessage""#))
    func output(_ left: String, _ right: String) throws -> String { try Invocation(["diff", left, right]).output }
    #expect(try output(old, skipping).contains("a dictionary of 'Message' with an unlisted value is skipped"))
    #expect(
      try output(skipping, named).contains("a dictionary of 'Message' with an unlisted value belongs to 'TextMessage'"))
    #expect(
      try output(named, old).contains("a dictionary of 'Message' with an unlisted value has no chosen entity"))
    #expect(try !output(named, named).contains("unlisted"))
  }

  @Test("M17: adding, changing or removing synchronization keys is reported as a difference for payloads")
  func synchronization() throws {
    let folder = try TemporaryFolder()
    let old = try folder.file("old.json", Self.hero)
    let keys = #""modificationAttribute": "age", "deletedWhen": {"JSONKeyPath": "state.gone", "equals": true}, "#
    let identity = #""identityAttributes": "id""#
    let new = try folder.file("new.json", Self.edited(identity, keys + identity))
    let added = try Invocation(["diff", old, new]).output
    #expect(
      added.contains("a dictionary of 'Hero' is skipped if its 'age' is not newer than the stored object's"))
    #expect(added.contains(#"a dictionary of 'Hero' with "state.gone" true deletes its object"#))
    let removed = try Invocation(["diff", new, old]).output
    #expect(removed.contains("a dictionary of 'Hero' is no longer skipped because of its age"))
    #expect(removed.contains("dictionaries of 'Hero' no longer delete objects"))
  }

  @Test("Differences are sorted by their effect on stores and payloads")
  func text() throws {
    let folder = try TemporaryFolder()
    let old = try folder.file("old.json", Self.hero)
    let new = try folder.file(
      "new.json",
      Self.edited(
        #""cape": { "type": "boolean", "optional": true, "JSONKeyPath": "cape" },"#,
        #"""
        "mask": { "type": "boolean", "optional": true, "JSONKeyPath": "mask" },
              "color": { "type": "string", "JSONKeyPath": "color" },
        """#
      )
      .replacingOccurrences(of: #""age": { "type": "integer16""#, with: #""age": { "type": "decimal""#)
      .replacingOccurrences(of: #""publisher": { "dest"#, with: #""publisher": { "optional": false, "dest"#))
    let graft = try Invocation(["diff", old, new])
    #expect(
      graft.output.replacingOccurrences(of: new, with: "new.json") == #"""
        Stores are migrated automatically:
          change the type of 'Hero.age' from integer16 to decimal
          add 'Hero.mask'
          make 'Hero.publisher' required
          remove 'Hero.cape' and its values

        If a name has changed, declare it:
          if 'Hero.mask' is the new name of 'Hero.cape', add "renamedFrom": "cape" to it

        Stores are migrated only if they do not contain certain objects:
        new.json:9:7: error: 'Hero.color' is new and required, and the store may have objects without it; make it optional, or give it a default
        9 |       "color": { "type": "string", "JSONKeyPath": "color" },
          |       ^~~~~~~
        new.json:14:7: error: 'Hero.publisher' becomes required, and the store may have objects without it; give those objects one first, or leave it optional
        14 |       "publisher": { "optional": false, "destination": "Publisher", "JSONKeyPath": "publisher", "inverse": "heroes" },
           |       ^~~~~~~~~~~
        new.json:2:3: error: the model does not declare 'Hero.cape', and the store may have values of it; to remove them, add "removed": ["Hero.cape"] to the model file, or allow it when the store is opened ('allowedRemovals', or 'graft store migrate' with '--remove Hero.cape')
        2 |   "Hero": {
          |   ^~~~~~
        note: if 'Hero.mask' is its new name, add "cape" to its 'renamedFrom'

        Payloads of the old version may be rejected:
          new.json:9:7: 'Hero.color' is new and required: new objects need "color"
          new.json:14:7: 'Hero.publisher' is required: new objects need "publisher"

        Payloads of the old version are read differently:
          new.json:2:3: 'Hero.cape' is removed: "cape" is ignored

        """#)
    #expect(graft.messages == "some stores of the old version cannot be migrated, for 3 reasons\n")
    #expect(graft.status == 1)
  }

  @Test("Equal models have no differences, even if comments or descriptions differ")
  func equal() throws {
    let folder = try TemporaryFolder()
    let old = try folder.file("old.json", Self.hero)
    let new = try folder.file("new.json", "// edited\n" + Self.edited(#""Hero": {"#, #""Hero": { "doc": "A hero","#))
    let graft = try Invocation(["diff", old, new])
    #expect(graft.output == "" && graft.messages == "no difference for stores or payloads\n" && graft.status == 0)
    let json = try Invocation(["diff", old, new, "--format", "json"])
    #expect(
      json.output == """
        {
          "store": {
            "isPossible": true,
            "changes": [],
            "advice": [],
            "conditionalRefusals": [],
            "refusals": []
          },
          "payloads": []
        }

        """)
  }

  @Test("The JSON output contains the location of each difference")
  func json() throws {
    let folder = try TemporaryFolder()
    let old = try folder.file("old.json", Self.hero)
    let new = try folder.file("new.json", Self.edited(#""enum": ["a", "b"]"#, #""enum": ["a"]"#))
    let graft = try Invocation(["diff", old, new, "--format=json"])
    #expect(
      graft.output.contains(
        """
          "payloads": [
            {
              "effect": "rejected",
              "entity": "Hero",
              "property": "rank",
              "message": "'Hero.rank' no longer allows \\"b\\"",
              "file": "\(new)",
              "line": 9,
              "column": 84
            }
          ]
        """), "\(graft.output)")
    // Stores with an object "b" cannot be migrated.
    #expect(graft.status == 1)
  }

  /// An edit, the description of its effect on the payload, and the result of importing the payload.
  @Test(
    "A payload of the old version is imported as announced",
    arguments: [
      (
        #""JSONKeyPath": "name" },"#, #""JSONKeyPath": "title" },"#,
        "'Hero.name' is no longer read from \"name\", but from \"title\"; 'JSONKeyPathAliases' can keep both", true
      ),
      (#""JSONKeyPath": "name" },"#, #""JSONKeyPath": "title", "JSONKeyPathAliases": ["name"] },"#, nil, false),
      (
        #""type": "integer16", "optional": true, "JSONKeyPath": "age", "maximum": 500"#,
        #""type": "string", "optional": true, "JSONKeyPath": "age""#, "'Hero.age' expects a string, not an integer",
        true
      ),
      (#""type": "integer16""#, #""type": "double""#, nil, false),
      (#""maximum": 500"#, #""maximum": 30"#, "'Hero.age' must be at most 30", true),
      (#""maximum": 500"#, #""minimum": 36"#, "'Hero.age' must be at least 36", true),
      (#""maximum": 500"#, #""maximum": 600"#, nil, false),
      (#""enum": ["a", "b"]"#, #""enum": ["a", "c"]"#, "'Hero.rank' no longer allows \"b\"", true),
      (#""enum": ["a", "b"]"#, #""enum": ["c", "b", "a"]"#, nil, false),
      (#""enum": ["a", "b"]"#, #""pattern": "^a""#, "'Hero.rank' must match \"^a\"", true),
      (#""enum": ["a", "b"]"#, #""minLength": 2"#, "'Hero.rank' requires a length of at least 2", true),
      (#""enum": ["a", "b"]"#, #""maxLength": 0"#, "'Hero.rank' requires a length of at most 0", true),
      (
        #""cape": { "type": "boolean", "optional": true, "JSONKeyPath": "cape" },"#, "",
        "'Hero.cape' is removed: \"cape\" is ignored", false
      ),
      (
        #""optional": true, "JSONKeyPath": "cape""#, #""JSONKeyPath": "cape""#,
        "'Hero.cape' is required: new objects need \"cape\"", true
      ),
      (
        #""optional": true, "JSONKeyPath": "cape""#, #""optional": true"#,
        "'Hero.cape' is no longer read: \"cape\" is ignored", false
      ),
      (#""default": "calm""#, #""default": "glad""#, "'Hero.mood' of new objects without a value is \"glad\"", false),
      (
        #""JSONKeyPath": "mood", "default": "calm""#, #""JSONKeyPath": "mood""#,
        "'Hero.mood' is required: new objects need \"mood\"", true
      ),
      (
        #""JSONKeyPath": "publisher", "inverse""#, #""JSONKeyPath": "publisher", "unresolvedRule": "deny", "inverse""#,
        "an unknown identifier in 'Hero.publisher' is an error", true
      ),
      (
        #""toMany": true, "JSONKeyPath": "friends""#, #""JSONKeyPath": "friends""#,
        "'Hero.friends' expects one object, not an array", true
      ),
      (
        #""toMany": true, "JSONKeyPath": "friends""#, #""toMany": true, "maxCount": 1, "JSONKeyPath": "friends""#,
        "'Hero.friends' allows at most 1 object", true
      ),
      (
        #""toMany": true, "JSONKeyPath": "friends""#, #""toMany": true, "minCount": 1, "JSONKeyPath": "friends""#,
        "'Hero.friends' requires at least 1 object", true
      ),
      (
        #""toMany": true, "JSONKeyPath": "friends""#,
        #""toMany": true, "mergeRule": "union", "JSONKeyPath": "friends""#,
        "an array adds to the objects of 'Hero.friends'", false
      ),
      (
        #""identityAttributes": "id","#, #""identityAttributes": "name","#,
        "objects of 'Hero' are identified by 'name'", true
      ),
      (
        #""identityAttributes": "id","#, "", "objects of 'Hero' have no identity: each dictionary inserts a new object",
        true
      ),
      (
        #""identityAttributes": "id","#, #""identityAttributes": "id", "JSONDictionaryTransformerName": "Fix","#,
        "dictionaries of 'Hero' are transformed by 'Fix'", nil
      ),
      (
        #""JSONKeyPath": "mood", "#, #""JSONKeyPath": "mood", "JSONTransformerName": "Mood", "#,
        "'Hero.mood' is transformed by 'Mood', not by nothing", nil
      ),
      (
        #""Hero": {"#, #""Hero": { "entityMapper": { "JSONKeyPath": "kind", "entities": { "h": "Hero" } },"#,
        "\"kind\" chooses the entity of a dictionary of 'Hero'", false
      ),
    ] as [(String, String, String?, Bool?)])
  func payloads(_ from: String, _ to: String, _ message: String?, _ isRejected: Bool?) throws {
    let folder = try TemporaryFolder()
    let old = try folder.file("old.json", Self.hero)
    let new = try folder.file("new.json", Self.edited(from, to))
    let payload = try folder.file("payload.json", Self.payload)
    #expect(try Invocation(["import", "--model", old, "Hero=\(payload)"]).status == 0)
    let diff = try Invocation(["diff", old, new]).output
    let rejected = "Payloads of the old version may be rejected:"
    let different = "Payloads of the old version are read differently:"
    guard let message else {
      #expect(!diff.contains("Payloads"), "\(diff)")
      #expect(try Invocation(["import", "--model", new, "Hero=\(payload)"]).status == 0)
      return
    }
    #expect(diff.contains(": \(message)\n"), "\(diff)")
    // The program's transformers are not known here, so the payload cannot be tried.
    guard let isRejected else { return }
    #expect(diff.contains(isRejected ? rejected : different), "\(diff)")
    if !isRejected { #expect(!diff.contains(rejected), "\(diff)") }
    let graft = try Invocation(["import", "--model", new, "Hero=\(payload)"])
    #expect(graft.status == (isRejected ? 1 : 0), "\(graft.messages)")
  }

  @Test("Renamed and removed entities, and entities that a mapper no longer chooses, affect payloads")
  func entities() throws {
    let folder = try TemporaryFolder()
    let model = { (names: String, cases: String) in
      #"{ "entities": { "Message": { "abstract": true, "entityMapper": { "JSONKeyPath": "type", "entities": { \#(cases) } }, "attributes": { "id": { "type": "string", "JSONKeyPath": "id" } } }, \#(names) } }"#
    }
    let old = try folder.file(
      "old.json",
      model(
        #""Text": { "parent": "Message" }, "Photo": { "parent": "Message" }, "Fax": { "parent": "Message" }"#,
        #""text": "Text", "photo": "Photo", "fax": "Fax""#))
    let new = try folder.file(
      "new.json",
      model(
        #""Note": { "renamedFrom": "Text", "parent": "Message" }, "Photo": { "parent": "Message" }"#,
        #""text": "Note", "photo": "Note""#
      ).replacingOccurrences(of: #"{ "entities": { "Message""#, with: #"{ "removed": ["Fax"], "entities": { "Message""#)
    )
    let graft = try Invocation(["diff", old, new])
    let lines = graft.output.split(separator: "\n").map { $0.split(separator: ": ", maxSplits: 1).last ?? "" }
    #expect(
      lines == [
        "Stores are migrated automatically:", "  rename the entity 'Text' to 'Note'",
        "  remove the entity 'Fax' and its objects",
        "Payloads of the old version may be rejected:",
        "\"fax\" no longer chooses an entity for a dictionary of 'Message'", "the entity 'Fax' no longer exists",
        "Payloads of the old version are read differently:", "\"photo\" chooses 'Note', not 'Photo'",
        "payloads of 'Text' are imported as 'Note'",
      ])
    #expect(graft.status == 0)
  }

  @Test("diff handles a model on standard input, a faulty model, a missing file and usage errors")
  func usage() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("model.json", Self.hero)
    let piped = try Invocation(["diff", "-", path], input: Self.hero)
    #expect(piped.status == 0 && piped.messages == "no difference for stores or payloads\n")
    let faulty = try Invocation(["diff", path, try folder.file("faulty.json", Self.edited("string", "sting"))])
    #expect(faulty.status == 1 && faulty.output == "" && faulty.messages.contains("in the model; nothing was compared"))
    #expect(try Invocation(["diff", path, folder.path("none.json")]).status == 3)
    for (words, message) in [
      ([], "no models are given: OLD NEW"), ([path], "no second model is given: NEW"),
      ([path, path, "x"], "expected two models, found 'x' after them"),
      (["-", "-"], "standard input can be read only once"),
      ([path, path, "--format", "yaml"], "'--format' expects 'text' or 'json', found 'yaml'"),
    ] as [([String], String)] {
      let graft = try Invocation(["diff"] + words)
      #expect(graft.status == 2 && graft.messages.contains(message), "\(graft.messages)")
    }
  }

  @Test("diff and migrate work for a store whose model names the program's transformers")
  func programsNames() throws {
    let folder = try TemporaryFolder()
    let store = folder.path("shop.graft")
    let plain = try folder.file("plain.json", Self.hero)
    #expect(
      try Invocation(["import", "--model", plain, "--store", store, "Hero=-"], input: Self.payload).status == 0)
    let named = try folder.file(
      "named.json",
      Self.edited(
        #""JSONKeyPath": "mood", "#, #""optional": true, "JSONKeyPath": "mood", "JSONTransformerName": "Mood", "#))
    let migration = try Invocation(["store", "migrate", store, "--model", named])
    #expect(migration.output == "make 'Hero.mood' optional\n" && migration.messages == "" && migration.status == 0)
    #expect(try Invocation(["store", "info", store]).output.contains("Hero       3 objects\n"))
    #expect(try Invocation(["store", "verify", store]).status == 0)
  }

  @Test("If a source of migratedFrom is not in the old version, diff reports that stores with objects are refused")
  func missingSources() throws {
    let folder = try TemporaryFolder()
    func model(_ file: String, _ version: String, _ attributes: String, _ removed: String = "[]") throws -> String {
      try folder.file(
        file,
        """
        {"version": "\(version)", "keyStrategy": "sameName", "removed": \(removed), "entities": {"Person":
          {"identityAttributes": "id", "attributes": {"id": "integer64", \(attributes)}}}}
        """)
    }
    let first = try model("1.json", "1", #""name": {"type": "string", "optional": true}"#)
    let split = { (sources: String) in
      #""first": {"type": "string", "optional": true, "migratedFrom": {"version": "3", "attributes": \#(sources), "separator": " ", "part": 0, "parts": 1}}"#
    }
    let third = try model("3.json", "3", split(#""fullName""#), #"["Person.name"]"#)
    let graft = try Invocation(["diff", first, third])
    #expect(graft.status == 1, "\(graft.output)\(graft.messages)")
    #expect(
      (graft.output + graft.messages).contains(
        "'Person.first' gets its values from 'Person.fullName', which the store does not have"),
      "\(graft.output)\(graft.messages)")
    let both = try model("4.json", "3", split(#"["fullName", "name"]"#))
    let known = try Invocation(["diff", first, both])
    #expect(known.status == 0, "\(known.output)\(known.messages)")
  }

  @Test("Values that a mapper's table does not list choose the entity of 'otherwise'")
  func otherwise() throws {
    let folder = try TemporaryFolder()
    func model(_ file: String, _ mapper: String) throws -> String {
      try folder.file(
        file,
        """
        {"keyStrategy": "sameName", "entities": {
          "P": {"abstract": true, "identityAttributes": "id", "attributes": {"id": "integer64"},
            "entityMapper": {"JSONKeyPath": "type", \(mapper)}},
          "Q": {"parent": "P"}, "R": {"parent": "P"}}}
        """)
    }
    let short = try model("x.json", #""entities": {"q": "Q", "r": "R"}, "otherwise": "R""#)
    let long = try model("y.json", #""entities": {"q": "Q", "r": "R", "z": "Q"}, "otherwise": "R""#)
    let closed = try model("c.json", #""entities": {"q": "Q", "r": "R"}"#)
    let same = try model("s.json", #""entities": {"q": "Q"}, "otherwise": "R""#)
    let longer = try Invocation(["diff", short, long]).output
    #expect(longer.contains(#""z" chooses 'Q', not 'R'"#) && longer.contains("are read differently"), "\(longer)")
    let shorter = try Invocation(["diff", long, short]).output
    #expect(shorter.contains(#""z" chooses 'R', not 'Q'"#) && !shorter.contains("may be rejected"), "\(shorter)")
    let rejecting = try Invocation(["diff", long, closed]).output
    #expect(
      rejecting.contains(#""z" no longer chooses an entity"#) && rejecting.contains("may be rejected"), "\(rejecting)")
    #expect(try Invocation(["diff", short, same]).messages.contains("no difference"))
  }

  @Test("Inherited identities are compared, and advice fits the model")
  func inherited() throws {
    let folder = try TemporaryFolder()
    func model(_ file: String, _ child: String, _ extra: String = "") throws -> String {
      try folder.file(
        file,
        """
        {"keyStrategy": "sameName", "entities": {
          "P": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
          "Q": {"parent": "P", \(child) "attributes": {"q": "string"\(extra)}}}}
        """)
    }
    let plain = try model("p.json", "")
    let repeated = try model("r.json", #""identityAttributes": "id","#)
    for pair in [[plain, repeated], [repeated, plain]] {
      let lines = try Invocation(["diff"] + pair).output
      #expect(lines == "Stores are migrated automatically:\n  rewrite the tables; no object changes\n")
    }
    let extended = try Invocation(["diff", plain, model("e.json", #""identityAttributes": ["id", "q"],"#)])
    #expect((extended.output + extended.messages).contains("the identity of 'Q' changes from 'id' to 'id, q'"))
    // If a name has former names, another one is added to them; there is no second 'renamedFrom'.
    let old = try model("o.json", "", #", "nick": {"type": "string", "optional": true, "renamedFrom": ["alias"]}"#)
    let new = try model("n.json", "", #", "label": {"type": "string", "optional": true, "renamedFrom": ["alias"]}"#)
    let renamed = try Invocation(["diff", old, new])
    #expect(!(renamed.output + renamed.messages).contains(#"add "renamedFrom""#))
  }

  @Test("D4: diff reports a discriminator that is only normalized differently")
  func equivalentDiscriminators() throws {
    let folder = try TemporaryFolder()
    func model(_ file: String, _ value: String) throws -> String {
      try folder.file(
        file,
        """
        {"keyStrategy": "sameName", "entities": {
          "P": {"abstract": true, "identityAttributes": "id", "attributes": {"id": "integer64"},
            "entityMapper": {"JSONKeyPath": "type", "entities": {"\(value)": "Q", "r": "R"}}},
          "Q": {"parent": "P"}, "R": {"parent": "P"}}}
        """)
    }
    let diff = try Invocation(["diff", model("old.json", "\u{E9}"), model("new.json", "e\u{301}")])
    #expect(diff.output.contains("no longer chooses an entity"), "\(diff.output)\(diff.messages)")
  }
}
