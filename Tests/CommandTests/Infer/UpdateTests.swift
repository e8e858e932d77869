import Foundation
import GraftTestSupport
import Testing

/// `graft infer --update`: its additions fit the existing model, regardless of how the new samples alone would be modeled.
@Suite("graft infer --update") struct UpdateTests {
  /// Infers a model from the first payload, updates it with the second, and returns the changes.
  private func changes(_ old: String, _ new: String, _ folder: TemporaryFolder) throws -> [String] {
    let (first, second) = (try folder.file("old.json", old), try folder.file("new.json", new))
    let model = folder.path("m.json")
    let infer = try Invocation(["infer", "M=\(first)", "--output", model])
    try #require(infer.status == 0, "\(infer.messages)")
    let update = try Invocation(["infer", "M=\(second)", "--update", model])
    #expect(update.status == 0, "\(old) \(new): \(update.messages)")
    // Both payloads can be imported, and all of their keys are mapped.
    for payload in [first, second] {
      let report = try Invocation(["import", "--model", model, "M=\(payload)", "--unknown-keys", "error"])
      let text = try folder.text("m.json")
      #expect(report.status == 0, "\(old) \(new): \(report.messages)\n\(text)")
    }
    #expect(try Invocation(["format", "--check", model]).status == 0)
    let again = try Invocation(["infer", "M=\(second)", "--update", model])
    #expect(again.messages.hasSuffix("nothing to change\n"), "\(again.messages)")
    return update.messages.split(separator: "\n").dropFirst().map { String($0.drop { $0 == " " }) }
  }

  @Test(
    "New keys are added where the model reads the object, and only absent keys become optional",
    arguments: [
      (
        #"[{"id":1,"p":{"email":"a","n":"A"}},{"id":2,"p":{"email":"a","n":"A"}},{"id":3,"p":{"email":"b","n":"B"}},{"id":5,"p":{"email":"d","n":"D"}}]"#,
        #"[{"id":4,"p":{"email":"c","phone":"12"}}]"#, ["new attribute 'P.phone'", "'P.n' is now optional"]
      ),
      (
        #"[{"id":1,"o":{"n":1}}]"#, #"[{"id":2,"o":{"id":5,"n":1,"z":1}}]"#,
        ["new attribute 'M.oID'", "new attribute 'M.oZ'"]
      ),
      (#"[{"id":1,"a":[]}]"#, #"[{"id":2,"a":[{"id":1,"n":"x"}]}]"#, ["nothing to change"]),
      (
        #"[{"id":1,"type":"x","a":1,"c":"s"},{"id":2,"type":"y","b":2,"d":"t"},{"id":3,"type":"x","a":2,"c":"s"},{"id":6,"type":"y","b":2,"d":"u"},{"id":7,"type":"x","a":2,"c":"s"},{"id":8,"type":"y","b":2,"d":"u"}]"#,
        #"[{"id":4,"type":"x","a":null,"c":"w"},{"id":5,"type":"y","b":3}]"#,
        ["'XM.a' is now optional", "'YM.d' is now optional"]
      ),
      (
        #"{"10":{"name":"A","place":{"id":1}},"11":{"name":"B","place":{"id":2}}}"#,
        #"{"12":{"name":"C","place":{"id":1}}}"#, ["nothing to change"]
      ),
    ] as [(String, String, [String])])
  func examples(old: String, new: String, expected: [String]) throws {
    #expect(try changes(old, new, TemporaryFolder()) == expected)
  }

  @Test(
    "A payload without a name is matched to the entity that reads most of its keys, including the keys of a map",
    arguments: [
      (
        #""Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "power": "string"}}, "Team": {"identityAttributes": "id", "attributes": {"id": "integer64", "city": "string"}}"#,
        #"[{"id": 1, "power": "x", "age": 3}]"#, "Hero", ["new attribute 'Hero.age'"]
      ),
      (
        #""Country": {"identityAttributes": "code", "attributes": {"code": {"type": "string", "JSONKeyPath": "@key"}, "name": "string"}}"#,
        #"{"de": {"name": "Germany", "capital": "Berlin"}, "fr": {"name": "France"}}"#, "Country",
        ["new attribute 'Country.capital'"]
      ),
      (
        #""Event": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"payload": {"destination": "Payload", "inverse": "event", "deleteOrphans": true}}}, "Payload": {"attributes": {"content": {"type": "json", "JSONKeyPath": "@value"}}, "relationships": {"event": {"destination": "Event", "inverse": "payload", "JSONKeyPath": null}}}"#,
        #"[{"id": 1, "payload": {"a": 1, "b": [1, 2]}}, {"id": 2, "payload": {"a": 2, "d": [{"id": 5, "x": 1}]}}]"#,
        "Event",
        ["nothing to change"]
      ),
    ] as [(String, String, String, [String])])
  func unnamed(entities: String, payload: String, entity: String, changes: [String]) throws {
    let folder = try TemporaryFolder()
    let model = try folder.file("m.json", "{\"keyStrategy\": \"sameName\", \"entities\": {\(entities)}}")
    let file = try folder.file("monday.json", payload)
    let update = try Invocation(["infer", file, "--update", model])
    #expect(update.status == 0, "\(update.messages)")
    let lines = update.messages.split(separator: "\n").dropFirst().map { String($0.drop { $0 == " " }) }
    #expect(
      lines == [
        "the objects of \(file) are read as '\(entity)'; if they belong to a different entity, write ENTITY=\(file)"
      ] + changes)
    let report = try Invocation(["import", "--model", model, "\(entity)=\(file)", "--unknown-keys", "error"])
    #expect(report.status == 0, "\(report.messages)")
  }

  @Test(
    "Maps whose keys a hand-written model reads stay maps, regardless of what the samples alone would show",
    arguments: [
      (
        #""M": {"identityAttributes": "id", "attributes": {"id": {"type": "string", "JSONKeyPath": "@key"}, "n": "integer64"}}"#,
        #"{"c": {"n": 3, "x": "q"}, "d": {"x": "r"}}"#, ["new attribute 'M.x'", "'M.n' is now optional"]
      ),
      (
        #""M": {"identityAttributes": "id", "attributes": {"id": {"type": "string", "JSONKeyPath": "@key"}, "n": "integer64"}}"#,
        #"{"c": {"n": 3}, "e": null}"#, ["nothing to change"]
      ),
      (
        #""M": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"items": {"destination": "Item", "toMany": true, "inverse": "box"}}}, "Item": {"identityAttributes": "box, k", "attributes": {"k": {"type": "string", "JSONKeyPath": "@key"}, "n": {"type": "integer64", "optional": true}}, "relationships": {"box": {"destination": "M", "inverse": "items", "JSONKeyPath": null}}}"#,
        #"[{"id": 2, "items": {"a": {"n": 1, "m": [1]}, "b": {"n": null}}}, {"id": 3, "items": null}, {"id": 4, "items": []}]"#,
        ["new attribute 'Item.m'"]
      ),
      (
        #""M": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"billing": {"destination": "Place"}, "shipping": {"destination": "Place"}}}, "Place": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"tags": {"destination": "Tag", "toMany": true}}}, "Tag": {"identityAttributes": "k", "attributes": {"k": {"type": "string", "JSONKeyPath": "@key"}, "n": {"type": "integer64", "optional": true}}}"#,
        #"[{"id": 2, "billing": {"id": 1, "tags": {"a": {"n": 1, "m": "x"}}}, "shipping": {"id": 2, "tags": {"b": {"n": 1, "l": "x"}}}}]"#,
        ["new attribute 'Tag.m'", "new attribute 'Tag.l'"]
      ),
    ] as [(String, String, [String])])
  func knownMaps(entities: String, payload: String, changes: [String]) throws {
    let folder = try TemporaryFolder()
    let model = try folder.file("m.json", "{\"keyStrategy\": \"sameName\", \"entities\": {\(entities)}}")
    let file = try folder.file("new.json", payload)
    let update = try Invocation(["infer", "M=\(file)", "--update", model])
    #expect(update.status == 0, "\(update.messages)")
    #expect(update.messages.split(separator: "\n").dropFirst().map { String($0.drop { $0 == " " }) } == changes)
  }

  @Test("A value that an export refuses is reported as a loss")
  func refusedExport() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      #"""
      {"keyStrategy": "sameName", "entities": {"M": {"identityAttributes": "id", "attributes": {
        "id": "integer64", "tags": {"type": "string", "list": true, "JSONTransformerName": "Split(, )"}}}}}
      """#)
    let file = try folder.file("new.json", #"[{"id": 4, "tags": ["x, y", "z"]}]"#)
    let update = try Invocation(["infer", "M=\(file)", "--update", model])
    #expect(update.status == 0, "\(update.messages)")
    #expect(update.messages.contains("warning: an export fails: the elements of 'M.tags'"), "\(update.messages)")
  }

  @Test("A payload without a name becomes a new entity if its objects fit no entity or fit two entities")
  func unnamedStranger() throws {
    let folder = try TemporaryFolder()
    let entity = #"{"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string"}}"#
    let model = try folder.file(
      "m.json", "{\"keyStrategy\": \"sameName\", \"entities\": {\"Hero\": \(entity), \"Team\": \(entity)}}")
    let both = try folder.file("both.json", #"[{"id": 1, "name": "x"}]"#)
    let neither = try folder.file("neither.json", #"[{"key": "a", "size": 2, "name": "x"}]"#)
    let settings = try folder.file("settings.json", #"{"theme": "dark", "volume": 3}"#)
    let rate =
      #"{"identityAttributes": "k", "attributes": {"k": {"type": "string", "JSONKeyPath": "@key"}, "v": {"type": "double", "JSONKeyPath": "@value"}}}"#
    let rates = try folder.file("rates.json", "{\"keyStrategy\": \"sameName\", \"entities\": {\"Rate\": \(rate)}}")
    let update = try Invocation(["infer", settings, "--update", rates])
    #expect(update.status == 0 && update.messages.contains("new entity"), "\(update.messages)")
    for (file, name) in [(both, "Both"), (neither, "Neither")] {
      let update = try Invocation(["infer", file, "--update", model])
      #expect(update.status == 0 && update.messages.contains("new entity '\(name)'"), "\(update.messages)")
    }
  }

  private static let counts =
    #"[{"id": 1, "view_count": "12"}, {"id": 3, "view_count": "7"}, {"id": 4, "view_count": "0"}]"#

  @Test(
    "A type that a comment marks as a guess becomes more general if the samples disprove the guess",
    arguments: [
      (#"[{"id": 1, "date": "2008-04-01"}]"#, #"[{"id": 2, "date": "2008-04"}]"#, "'M.date' is now string"),
      (Self.counts, #"[{"id": 2, "view_count": "many"}]"#, "'M.viewCount' is now string"),
      (Self.counts, #"[{"id": 2, "view_count": 12}]"#, "'M.viewCount' is now json"),
      (#"[{"id": 1, "created": 1372701600}]"#, #"[{"id": 2, "created": 12}]"#, "nothing to change"),
      (#"[{"id": 1, "is_open": 1}]"#, #"[{"id": 2, "is_open": 2}]"#, "'M.isOpen' is now integer64"),
      (#"[{"id": 1, "stars": 4}]"#, #"[{"id": 2, "stars": 4.5}]"#, "'M.stars' is now decimal, because"),
      (#"[{"id": 1, "link": "https://a.b/c"}]"#, #"[{"id": 2, "link": ""}]"#, "'M.link' now reads \"\" as null"),
      (
        #"[{"id": 1, "at": "2020-01-02T03:04:05Z"}]"#,
        #"[{"id": 2, "at": ""}, {"id": 3, "at": "2021-02-03T04:05:06Z"}]"#,
        "'M.at' now reads \"\" as null"
      ),
      (
        #"[{"id": 1, "n": 4}]"#, #"[{"id": 2, "n": 4.5}, {"id": 3, "n": 12345678901234567890}]"#,
        "'M.n' is now decimal, because the samples have numbers that integer64 cannot hold"
      ),
      (
        #"[{"id": 1, "f": {"a": 1, "b": "x"}}, {"id": 2, "f": {"a": 2, "b": "y"}}, {"id": 3, "f": {"a": 3, "b": "z"}}]"#,
        #"[{"id": 4, "f": {}}]"#, "'M.fA' is now optional"
      ),
      (
        #"[{"id": 1, "n": 9007199254740993}]"#, #"[{"id": 2, "n": 1.5}]"#,
        "'M.n' is now decimal, because the samples have numbers that integer64 cannot hold"
      ),
      (#"[{"id": 1, "n": 4}]"#, #"[{"id": 2, "n": 1.5e300}]"#, "'M.n' is now double, because"),
      (#"[{"id": 1, "sizes": [4, 5]}]"#, #"[{"id": 2, "sizes": [4.5]}]"#, "'M.sizes' is now decimal, because"),
    ])
  func guesses(old: String, new: String, expected: String) throws {
    let lines = try changes(old, new, TemporaryFolder())
    #expect(lines.contains { $0.hasPrefix(expected) }, "\(lines)")
  }

  @Test("A type that no comment marks as a guess is not changed")
  func choices() throws {
    let folder = try TemporaryFolder()
    let text = """
      {"keyStrategy": "sameName", "entities": {"M": {"identityAttributes": "id", "attributes": {
        "id": "integer64",
        // The day of the release.
        "date": {"type": "date", "JSONTransformerName": "DateFormat(yyyy-MM-dd)"}}}}}
      """
    let model = try folder.file("m.json", text)
    let update = try Invocation(
      ["infer", "M=-", "--update", model], input: #"[{"id": 1.5, "date": "2008-04", "n": "x"}]"#)
    #expect(
      update.status == 1 && !update.messages.contains("is now")
        && update.messages.contains("the samples cannot be imported with the changed model"))
    #expect(try folder.text("m.json") == text)
  }

  @Test("The message names an identity that the samples contradict, and how to fix it")
  func contradictedIdentities() throws {
    let folder = try TemporaryFolder()
    let orders = #"[{"id": 1, "lines": [{"id": 1, "amount": 5, "sku": "A"}]}]"#
    let lines = try changes(orders, #"[{"id": 2, "lines": [{"id": 9, "amount": 5, "sku": "B"}]}]"#, folder)
    #expect(lines == ["nothing to change"])
    let update = try Invocation(
      ["infer", "M=-", "--update", folder.path("m.json")],
      input:
        #"[{"id": 3, "lines": [{"id": 1, "amount": 7, "sku": "B"}]}, {"id": 4, "lines": [{"id": 1, "amount": 8, "sku": "C"}]}]"#
    )
    #expect(
      update.status == 0
        && update.messages.contains("expected dictionaries with the same identity to agree on 'Line.amount'"),
      "\(update.messages)")
  }

  @Test("The message names an object of which the model reads single keys although the keys are data")
  func partlyReadObjects() throws {
    let folder = try TemporaryFolder()
    let old = #"[{"id": 1, "plan": {"mon": 1, "tue": 2}}]"#
    #expect(try changes(old, #"[{"id": 2, "plan": {"mon": 3, "tue": 2}}]"#, folder) == ["nothing to change"])
    let update = try Invocation(
      ["infer", "M=-", "--update", folder.path("m.json")], input: #"[{"id": 2, "plan": {"2024-01-01": 1}}]"#)
    #expect(
      update.status == 0
        && update.messages.contains(#"warning: 'M' does not read "2024-01-01" (at $[0].plan['2024-01-01'])"#),
      "\(update.messages)")
  }

  @Test("Kinds that a mapper does not list become entities, and listed kinds get properties that other kinds have")
  func kinds() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      """
      {"keyStrategy": "sameName", "entities": {
        "Item": {"identityAttributes": "id", "entityMapper": {"JSONKeyPath": "type", "entities": {"text": "Text", "image": "Image"}},
          "attributes": {"id": "integer64", "type": "string"}},
        "Text": {"parent": "Item", "attributes": {"body": "string"}},
        "Image": {"parent": "Item", "attributes": {"width": "integer64"},
          "relationships": {"author": {"destination": "Person"}}},
        "Person": {"identityAttributes": "id", "attributes": {"id": "integer64"}}}}
      """)
    let payload = try folder.file(
      "p.json",
      #"""
      [{"id": 1, "type": "video", "width": 50, "secs": 7}, {"id": 2, "type": "text", "body": "c", "width": 5, "author": {"id": 9}},
       {"id": 3, "type": "poll"}]
      """#)
    let update = try Invocation(["infer", "Item=\(payload)", "--update", model])
    #expect(update.status == 0, "\(update.messages)")
    for line in [
      "new attribute 'VideoItem.secs'", "new entity 'VideoItem', for objects of the kind \"video\"",
      "new attribute 'Text.width'",
      "new relationship 'Text.author'",
    ] { #expect(update.messages.contains(line), "\(update.messages)") }
    let dump = try Invocation(["import", "--model", model, "Item=\(payload)", "--dump", "-"])
    #expect(dump.output.contains(#""width": 50"#) && dump.output.contains(#""width": 5}"#), "\(dump.output)")
    let again = try Invocation(["infer", "Item=\(payload)", "--update", model])
    #expect(again.messages.contains("nothing to change"), "\(again.messages)")
  }

  /// Objects of four kinds, of which a mapper lists two.
  private static let events = #"""
    [{"id": 1, "type": "push", "commits": 3}, {"id": 2, "type": "fork", "name": "x", "size": 2},
     {"id": 3, "type": "star", "stars": 4, "by": {"id": 7, "login": "a"}}, {"id": 4, "type": "open", "at": "2024-01-02T00:00:00Z", "commits": 9}]
    """#

  @Test(
    "A property that only one kind has belongs to that kind's entity, and kinds of an abstract entity become entities",
    arguments: [
      (
        #""abstract": true, "#, "}",
        [
          "new entity 'OpenEvent', for objects of the kind \"open\"",
          "new entity 'StarEvent', for objects of the kind \"star\"",
          "new entity 'By'", "new attribute 'Fork.size'", "new attribute 'StarEvent.stars'",
          "new attribute 'OpenEvent.at'",
          "new relationship 'StarEvent.by'", "new attribute 'OpenEvent.commits'",
        ]
      ),
      (
        "", "}",
        [
          "new entity 'OpenEvent', for objects of the kind \"open\"",
          "new entity 'StarEvent', for objects of the kind \"star\"",
          "new entity 'By'", "new attribute 'Fork.size'", "new attribute 'StarEvent.stars'",
          "new attribute 'OpenEvent.at'",
          "new relationship 'StarEvent.by'", "new attribute 'OpenEvent.commits'",
        ]
      ),
      // Objects that are skipped add no properties.
      (#""abstract": true, "#, #"}, "otherwise": null"#, ["new attribute 'Fork.size'"]),
    ])
  func kindsOfTheirOwn(isAbstract: String, otherwise: String, expected: [String]) throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      """
      {"keyStrategy": "sameName", "entities": {
        "Event": {\(isAbstract)"identityAttributes": "id",
          "entityMapper": {"JSONKeyPath": "type", "entities": {"push": "Push", "fork": "Fork"\(otherwise)},
          "attributes": {"id": "integer64"}},
        "Push": {"parent": "Event", "attributes": {"commits": "integer64"}},
        "Fork": {"parent": "Event", "attributes": {"name": "string"}}}}
      """)
    let events = try folder.file("events.json", Self.events)
    let update = try Invocation(["infer", "Event=\(events)", "--update", model])
    #expect(update.status == 0, "\(update.messages)")
    let changes = update.messages.split(separator: "\n").dropFirst().filter { $0.hasPrefix("  new") }
    #expect(changes.map { String($0.drop { $0 == " " }) } == expected, "\(update.messages)")
    #expect(try Invocation(["infer", "Event=\(events)", "--update", model]).messages.contains("nothing to change"))
  }

  @Test(
    "If a payload has only one kind, its new properties belong to that entity; other declared keys are known"
  )
  func onlyKind() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      """
      {"keyStrategy": "sameName", "entities": {
        "Event": {"abstract": true, "identityAttributes": "id", "deletedWhen": {"JSONKeyPath": "gone", "equals": true},
          "entityMapper": {"JSONKeyPath": "type", "entities": {"push": "Push", "fork": "Fork"}}, "attributes": {"id": "integer64"},
          "relationships": {"repo": {"destination": "Repo", "JSONKeyPath": {"owner": "repo_owner", "name": "repo_name"}}}},
        "Push": {"parent": "Event"}, "Fork": {"parent": "Event"},
        "Repo": {"identityAttributes": ["owner", "name"], "attributes": {"owner": "string", "name": "string"}}}}
      """)
    let events = try folder.file(
      "events.json",
      #"[{"id": 1, "type": "push", "commits": 3, "gone": false, "repo_owner": "a", "repo_name": "b"}, {"id": 2, "type": "push", "commits": 4, "gone": false, "repo_owner": "a", "repo_name": "c"}]"#
    )
    let update = try Invocation(["infer", "Event=\(events)", "--update", model])
    let changes = update.messages.split(separator: "\n").dropFirst().filter { $0.hasPrefix("  new") }
    #expect(changes.map { String($0.drop { $0 == " " }) } == ["new attribute 'Push.commits'"], "\(update.messages)")
  }

  @Test(
    "A type becomes wider if it cannot hold a value; a list of several kinds is kept unchanged only if it is a guess"
  )
  func widerTypes() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      """
      {"keyStrategy": "sameName", "entities": {"A": {"identityAttributes": "id", "attributes": {
        "id": "integer64",
        // Guess: the elements are always of this type.
        "scores": {"type": "integer64", "list": true, "optional": true},
        "sizes": {"type": "integer64", "list": true, "optional": true},
        "link": {"type": "uri", "optional": true},
        "links": {"type": "uri", "list": true, "optional": true}}}}}
      """)
    let payload = try folder.file(
      "a.json",
      #"""
      [{"id": 1, "scores": [1, null], "sizes": [1, 2.5], "link": "no link", "links": ["see <b>"]}, {"id": 2, "scores": ["n/a"]}]
      """#)
    let update = try Invocation(["infer", "A=\(payload)", "--update", model])
    #expect(update.status == 0, "\(update.messages)")
    let text = try folder.text("m.json")
    for expected in [
      #""scores": {"type": "json", "optional": true}"#,
      #""sizes": {"type": "decimal", "list": true, "optional": true}"#,
      #""link": {"type": "string", "optional": true}"#, #""links": {"type": "string", "list": true, "optional": true}"#,
    ] { #expect(text.contains(expected), "\(text)") }
  }

  @Test(
    "The model finds the objects in an envelope, regardless of the envelope's other members and of the entity's name"
  )
  func envelopes() throws {
    for (name, old, new, expected) in [
      (
        "users", #"{"users": [{"id": 1, "name": "A"}], "status": "ok"}"#,
        #"{"users": [{"id": 1, "name": "A", "z": 1}], "status": "ok", "next_token": "abc", "more": 1}"#,
        "new attribute 'User.z'"
      ),
      (
        "results", #"{"results": [{"place_id": "C1", "name": "Bar", "vicinity": "x"}], "status": "OK"}"#,
        #"{"results": [{"place_id": "C1", "name": "Bar", "vicinity": "x", "z": 1}], "status": "OK", "next_page_token": "a"}"#,
        "new attribute 'Result.z'"
      ),
      (
        "list", #"[{"id": 1, "name": "A", "city": "x"}]"#,
        #"{"data": [{"id": 1, "name": "A", "city": "x", "z": 1}], "meta": {"total": 3}}"#, "new attribute 'List.z'"
      ),
    ] {
      let folder = try TemporaryFolder()
      let model = folder.path("m.json")
      #expect(try Invocation(["infer", folder.file("\(name).json", old), "--output", model]).status == 0)
      let update = try Invocation(["infer", folder.file("\(name).json", new), "--update", model])
      #expect(update.status == 0, "\(update.messages)")
      let changes = update.messages.split(separator: "\n").map(String.init).filter { $0.hasPrefix("  new") }
      #expect(changes == ["  \(expected)"], "\(update.messages)")
    }
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      #"{"entities": {"Ware": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64", "JSONKeyPath": "id"}}}}}"#
    )
    let update = try Invocation(
      ["infer", folder.file("shop.json", #"{"products": [{"id": 1, "price": 3}]}"#), "--update", model])
    #expect(
      update.messages.contains("new attribute 'Ware.price'") && !update.messages.contains("new entity"),
      "\(update.messages)")
  }

  @Test("JSON:API: each kind keeps its own attributes, and the same document changes nothing")
  func kindsInsideAttributes() throws {
    let folder = try TemporaryFolder()
    let model = folder.path("m.json")
    let first = try folder.file(
      "api.json",
      #"""
      {"data": [{"type": "articles", "id": "1", "attributes": {"title": "x"}, "relationships": {"author": {"data": {"type": "people", "id": "9"}}}},
       {"type": "people", "id": "9", "attributes": {"name": "D"}}]}
      """#)
    #expect(try Invocation(["infer", first, "--output", model]).status == 0)
    #expect(try Invocation(["infer", first, "--update", model]).messages.contains("nothing to change"))
    let next = try folder.file(
      "api.json",
      #"""
      {"data": [{"type": "articles", "id": "1", "attributes": {"title": "x", "body": "b"}}, {"type": "people", "id": "9", "attributes": {"name": "D"}},
       {"type": "tags", "id": "9", "attributes": {"label": "D", "name": "x"}}]}
      """#)
    let update = try Invocation(["infer", next, "--update", model])
    let changes = update.messages.split(separator: "\n").filter { $0.hasPrefix("  new") }.map {
      String($0.dropFirst(6))
    }
    #expect(
      changes == [
        "entity 'TagResource', for objects of the kind \"tags\"", "attribute 'Article.body'",
        "attribute 'TagResource.label'",
        "attribute 'TagResource.name'",
      ], "\(update.messages)")
  }

  @Test(
    "Updates add Lenient for numbers and strings, and \"lenient\" for lists; other text in UUIDs is read as strings"
  )
  func lenientValues() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      """
      {"keyStrategy": "sameName", "entities": {"A": {"identityAttributes": "id", "attributes": {
        "id": "integer64",
        "zip": {"type": "string", "optional": true},
        "count": {"type": "integer64", "optional": true},
        "tags": {"type": "string", "list": true, "optional": true},
        "key": {"type": "uuid", "optional": true}}}}}
      """)
    let update = try Invocation(
      ["infer", "A=-", "--update", model], input: #"[{"id": 1, "zip": 10115, "count": "7", "tags": "a", "key": "x-1"}]"#
    )
    #expect(update.status == 0, "\(update.messages)")
    let text = try folder.text("m.json")
    for expected in [
      #""zip": {"type": "string", "optional": true, "JSONTransformerName": "Lenient"}"#,
      #""count": {"type": "integer64", "optional": true, "JSONTransformerName": "Lenient"}"#,
      #""tags": {"type": "string", "list": true, "optional": true, "lenient": true}"#,
      #""key": {"type": "string", "optional": true}"#,
    ] { #expect(text.contains(expected), "\(text)") }
  }

  @Test(
    "Updates read null edges, dates more precise than microseconds, and objects under a key whose name is already used")
  func rareShapes() throws {
    func update(_ name: String, _ old: String, _ new: String) throws -> String {
      let folder = try TemporaryFolder()
      let model = folder.path("m.json")
      #expect(try Invocation(["infer", folder.file("\(name).json", old), "--output", model]).status == 0)
      let update = try Invocation(["infer", folder.file("\(name).json", new), "--update", model])
      #expect(update.status == 0, "\(update.messages)")
      return update.messages
    }
    let edges = try update(
      "user",
      #"{"login": "o", "repos": {"edges": [{"node": {"id": "R1", "name": "a"}}, {"node": {"id": "R2", "name": "b"}}]}}"#,
      #"{"login": "o", "repos": {"edges": [{"node": null}, {"node": {"id": "R1", "name": "a", "stars": 4}}]}}"#)
    #expect(edges.contains("new attribute 'Repo.stars'"), "\(edges)")
    let dates = try update(
      "event", #"[{"id": 1, "at": "2018-09-06T19:05:00Z"}, {"id": 2, "at": "2018-09-06T19:06:00Z"}]"#,
      #"[{"id": 1, "at": "2018-09-06T19:05:00.123456789Z"}]"#)
    #expect(dates.contains("warning: 'Event.at' loses values"), "\(dates)")
    let taken = try update(
      "posts", #"[{"id": 1, "_links": {"author": [{"href": "u1"}]}}]"#,
      #"[{"id": 3, "_links": {"author": [{"href": "u1"}]}, "_embedded": {"author": [{"id": 9, "name": "Bob"}]}}]"#)
    #expect(taken.contains("new relationship 'Post.author2'"), "\(taken)")
  }

  @Test("Hand-written models can be updated, and the messages do not show sensitive values")
  func handWritten() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      """
      {"keyStrategy": "sameName", "JSONNulls": ["N/A"], "entities": {
        "Item": {"identityAttributes": "id", "entityMapper": {"JSONKeyPath": "kind", "entities": {"1": "One", "2": "Two"}},
          "attributes": {"id": "integer64", "kind": "integer64"},
          "relationships": {"tags": {"destination": "Tag", "toMany": true}}},
        "One": {"parent": "Item", "attributes": {"note": "string"}},
        "Two": {"parent": "Item", "attributes": {
          "title": {"type": "string", "JSONKeyPath": "note", "minLength": 9}, "size": "integer64"}},
        "Tag": {"identityAttributes": "id", "attributes": {
          "id": "integer64", "code": {"type": "float", "optional": true, "sensitive": true}}}}}
      """)
    let lines = #"""
      {"id": 1, "kind": 1, "note": "a", "size": 3, "tags": [{"id": 9, "code": 1}, {"id": 2, "code": 2}]}
      {"id": 2, "kind": 3, "note": "b", "tags": []}
      """#
    let update = try Invocation(["infer", "Item=-", "--lines", "--update", model], input: lines)
    #expect(update.status == 0 && !update.messages.contains("warning"), "\(update.messages)")
    #expect(update.messages.contains("new attribute 'One.size'"), "\(update.messages)")
    #expect(update.messages.contains("for objects of the kind \"3\""), "\(update.messages)")
    let secret = try Invocation(
      ["infer", "Tag=-", "--update", model], input: #"[{"id": 3, "code": 16777217}, {"id": 4, "code": 5}]"#)
    #expect(secret.messages.contains("'Tag.code' loses values"), "\(secret.messages)")
    #expect(!secret.messages.contains("1677721"), "\(secret.messages)")
  }

  @Test("The document stays an object of its entity, and a value with the name of an inverse is read")
  func documentsAndInverses() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      """
      {"keyStrategy": "sameName", "entities": {
        "Feed": {"relationships": {"stops": {"destination": "Stop", "toMany": true}, "trips": {"destination": "Trip", "toMany": true}}},
        "Stop": {"identityAttributes": "id", "attributes": {"id": "integer64", "n": "string"}},
        "Trip": {"identityAttributes": "id", "attributes": {"id": "integer64", "r": "string"},
          "relationships": {"stop": {"destination": "Stop"}}}}}
      """)
    let update = try Invocation(
      ["infer", "Feed=-", "--update", model], input: #"{"stops": [], "trips": [{"id": 9, "r": "z", "dir": 1}]}"#)
    #expect(update.status == 0 && update.messages.contains("new attribute 'Trip.dir'"), "\(update.messages)")
    #expect(!update.messages.contains("Feed."), "\(update.messages)")
    let posts = try folder.file(
      "p.json",
      """
      {"keyStrategy": "sameName", "entities": {
        "Post": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"author": {"destination": "Author", "inverse": "posts"}}},
        "Author": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"posts": {"destination": "Post", "toMany": true, "inverse": "author", "JSONKeyPath": null}}}}}
      """)
    let second = try Invocation(
      ["infer", "Post=-", "--update", posts], input: #"[{"id": 1, "author": {"id": 5, "posts": 17}}]"#)
    #expect(second.status == 0 && second.messages.contains("new attribute 'Author.posts2'"), "\(second.messages)")
  }

  @Test("Warnings about the model do not prevent an update")
  func warnings() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      """
      {"keyStrategy": "sameName", "entities": {"M": {
        "identityAttributes": "id", "alternateIdentities": ["k"], "indexes": ["k"],
        "attributes": {"id": "integer64", "k": {"type": "string", "optional": true}, "a": "string"}}}}
      """)
    let update = try Invocation(["infer", "M=-", "--update", model], input: #"[{"id": 1}]"#)
    #expect(update.status == 0 && update.messages.contains("'M.a' is now optional"), "\(update.messages)")
    #expect(update.messages.contains("warning: "))
    let wrong = try Invocation(["infer", "M=-", "--update", model], input: #"[{"id": 1, "k": 5}]"#)
    #expect(wrong.status == 1 && wrong.messages.contains("cannot be imported with the changed model"))
  }

  @Test("A guess in a comment applies to the attribute below it only if this attribute is alone on its line")
  func guessesOfOthers() throws {
    let folder = try TemporaryFolder()
    let text = """
      {"keyStrategy": "sameName", "entities": {"M": {"identityAttributes": "id", "attributes": {
        "id": "integer64",
        // Guess: always digits.
        "a": {"type": "integer64", "JSONTransformerName": "StringToInteger"}, "c": {"type": "integer64", "JSONTransformerName": "StringToInteger"}}}}}

      """
    let model = try folder.file("m.json", text)
    let update = try Invocation(["infer", "M=-", "--update", model], input: #"[{"id": 1, "a": "1", "c": "x"}]"#)
    #expect(update.status == 1, "\(update.messages)")
    #expect(try folder.text("m.json") == text)
  }

  @Test("A key that the model does not map on purpose is not added")
  func keptOut() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      """
      {"keyStrategy": "snakeCase", "entities": {"M": {"identityAttributes": "id", "attributes": {
        "id": "integer64", "isOpen": {"type": "boolean", "optional": true, "JSONKeyPath": null}}}}}
      """)
    let update = try Invocation(
      ["infer", "M=-", "--update", model], input: #"[{"id": 1, "is_open": true, "is_new": true}]"#)
    #expect(
      update.messages.contains("new attribute 'M.isNew'") && !update.messages.contains("pen"), "\(update.messages)")
    #expect(update.status == 0)
  }

  @Test("If a guess is disproved, only its own line and its own keys change")
  func guessesAmongOtherLines() throws {
    let folder = try TemporaryFolder()
    let old = """
      {
        "keyStrategy": "sameName",
        "entities": {
          "M": {
            "identityAttributes": "id",
            "attributes": {
              "id": "integer64",
              // How often it was seen; see the ticket 17.
              // Guess: always digits.
              // Not for the public.
              "count": {
                "type": "integer64",
                "optional": true, // Ours.
                "JSONTransformerName": ["Blank", "StringToInteger"],
                "JSONNulls": ["-"], // As the old API says.
                "userInfo": { "unit": "views" }
              },
              // Guess: "" means null. Guess: seconds since 1970.
              "seen": { "type": "date", "optional": true, "JSONTransformerName": "UnixTime", "JSONNulls": ["", "n/a"] },
              // Guess: the samples have no other values.
              "kind": { "type": "string", "JSONTransformerName": "Lowercase", "enum": ["a", "b"], "default": "a" },
              // Guess: the samples have only these values; others are kept, with a warning.
              "state": { "type": "string", "optional": true, "enum": ["x"], "extensible": true }
            }
          }
        }
      }

      """
    let model = try folder.file("m.json", old)
    let sample =
      #"[{"id": 1, "count": "many", "seen": "now", "kind": "A b", "state": 5}, {"id": 2, "count": "-", "kind": "B"}]"#
    let update = try Invocation(["infer", "M=-", "--update", model], input: sample)
    #expect(update.status == 0, "\(update.messages)")
    let expected = [
      (#"// Guess: always digits."#, "// Plain, because a later sample refutes a guess."),
      (#"// Guess: "" means null. Guess: seconds since 1970."#, "// Plain, because a later sample refutes a guess."),
      (
        #"// Guess: the samples have only these values; others are kept, with a warning."#,
        "// Plain, because a later sample refutes a guess."
      ),
      (
        #""state": { "type": "string", "optional": true, "enum": ["x"], "extensible": true }"#,
        #""state": { "type": "json", "optional": true }"#
      ),
      (#""type": "integer64","#, #""type": "string","#),
      (#"["Blank", "StringToInteger"]"#, #""Blank""#),
      (#""type": "date", "optional": true, "JSONTransformerName": "UnixTime""#, #""type": "json", "optional": true"#),
      (#"["", "n/a"]"#, #"["n/a"]"#), (#""enum": ["a", "b"]"#, #""enum": ["a", "b", "a b"]"#),
    ].reduce(old) { text, change in text.replacing(change.0, with: change.1) }
    #expect(try folder.text("m.json") == expected)
  }

  @Test("A guess on which the rest of the model depends is kept and reported")
  func neededGuesses() throws {
    let folder = try TemporaryFolder()
    let text = """
      {"keyStrategy": "sameName", "entities": {"M": {"identityAttributes": "id", "attributes": {
        "id": "integer64",
        // Guess: always digits.
        "count": {"type": "integer64", "JSONTransformerName": "StringToInteger", "default": 3, "minimum": 2}}}}}

      """
    let version = """
      {"keyStrategy": "sameName", "entities": {"M": {
        "identityAttributes": "id", "modificationAttribute": "count", "attributes": {
          "id": "integer64",
          // Guess: seconds since 1970.
          "count": {"type": "date", "JSONTransformerName": "UnixTime"}}}}}

      """
    for (text, value) in [(text, #""many""#), (text, #""1""#), (version, #""now""#)] {
      let model = try folder.file("m.json", text)
      let update = try Invocation(["infer", "M=-", "--update", model], input: #"[{"id": 1, "count": \#(value)}]"#)
      #expect(update.status == 1 && update.messages.contains("'M.count'"), "\(update.messages)")
      #expect(try folder.text("m.json") == text)
    }
  }

  @Test("If only the program has a transformer, properties that the samples lack also become optional")
  func ownTransformers() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      """
      {"keyStrategy": "sameName", "entities": {"M": {"identityAttributes": "id", "attributes": {
        "id": "integer64", "a": "string", "b": {"type": "string", "JSONTransformerName": "Mine"}}}}}
      """)
    let update = try Invocation(["infer", "M=-", "--update", model], input: #"[{"id": 1, "b": "x"}]"#)
    #expect(update.status == 0 && update.messages.hasSuffix("transformers or mappers that only your program has\n"))
    #expect(update.messages.contains("'M.a' is now optional") && !update.messages.contains("'M.b'"))
    #expect(try folder.text("m.json").contains(#""optional": true"#))
  }

  @Test("For random objects, the updated model imports both payloads without unmapped keys")
  func law() throws {
    let folder = try TemporaryFolder()
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      func object(_ id: Int, _ depth: Int) -> String {
        var members = depth == 0 || Bool.random(using: &random) ? ["\"id\": \(id)"] : []
        for (key, kind) in [("a", 0), ("b", 1), ("c", 2), ("d", 3)] where Int.random(in: 0..<3, using: &random) > 0 {
          switch kind {
          case 0: members.append("\"a\": \(Int.random(in: 0..<9, using: &random))")
          case 1: members.append("\"b\": \"\(["x", "y", "z"].randomElement(using: &random)!)\"")
          case 2 where depth < 2:
            members.append("\"\(key)\": \(object(Int.random(in: 0..<99, using: &random), depth + 1))")
          case 3: members.append("\"d\": null")
          default: break
          }
        }
        return "{\(members.joined(separator: ", "))}"
      }
      func payload(_ first: Int) -> String {
        "[\((first..<first + Int.random(in: 1...4, using: &random)).map { object($0, 0) }.joined(separator: ", "))]"
      }
      _ = try changes(payload(100), payload(200), folder)
      try? FileManager.default.removeItem(atPath: folder.path("m.json"))
    }
  }

  @Test("An empty page changes nothing")
  func emptyPages() throws {
    let folder = try TemporaryFolder()
    let known = """
      {
        "keyStrategy": "sameName",
        "entities": {
          "Invoice": { "identityAttributes": "id", "attributes": { "id": "integer64", "note": { "type": "string", "optional": true } } }
        }
      }

      """
    for (name, page) in [
      ("Invoice=", "[]"), ("", "[]"), ("Invoice=", #"{"invoices": []}"#),
      ("", #"{"total": 0, "invoices": [], "next": null}"#),
      ("Invoice=", #"{"_D": "urn:x", "Invoice": []}"#),
      ("Invoice=", #"{"class": ["invoices"], "properties": {"count": 0}, "entities": []}"#),
      ("", #"{"_links": {"self": {"href": "/x"}}, "page": {"size": 20, "totalElements": 0}}"#),
    ] {
      let model = try folder.file("m.json", known)
      let empty = try folder.file("page.json", page)
      let graft = try Invocation(["infer", name + empty, "--update", model])
      #expect(
        graft.status == 0 && graft.messages.contains("nothing to change: the samples have no objects"),
        "\(page) \(graft.messages)")
      #expect(try String(contentsOfFile: model, encoding: .utf8) == known)
      // Next to another sample, the empty page has no effect.
      let more = try folder.file("more.json", #"[{"id": 1, "note": "a", "paid": true}]"#)
      let both = try Invocation(["infer", "Invoice=" + more, name + empty, "--update", model])
      #expect(both.status == 0 && both.messages.contains("paid"), "\(page) \(both.messages)")
    }
  }

  @Test("A list is not an object of its entity, even if it has the same keys: the next list of pods updates the pods")
  func listings() throws {
    let folder = try TemporaryFolder()
    func list(_ uids: [String], _ more: String = "") -> String {
      let pods = uids.map {
        #"{"metadata": {"uid": "\#($0)", "name": "p\#($0)"}, "status": {"phase": "Running"\#(more)}}"#
      }
      return
        #"{"kind": "PodList", "apiVersion": "v1", "metadata": {"resourceVersion": "7"}, "items": [\#(pods.joined(separator: ","))]}"#
    }
    let first = try folder.file("1.json", list(["u1", "u2", "u3"]))
    let model = folder.path("m.json")
    #expect(try Invocation(["infer", "Pod=" + first, "--output", model]).status == 0)
    let next = try folder.file("2.json", list(["u4"], #", "reason": "Evicted""#))
    let graft = try Invocation(["infer", "Pod=" + next, "--update", model])
    #expect(graft.status == 0 && graft.messages.contains("new attribute 'Pod.statusReason'"), "\(graft.messages)")
    let empty = try folder.file("3.json", list([]))
    let nothing = try Invocation(["infer", "Pod=" + empty, "--update", model])
    #expect(nothing.status == 0 && nothing.messages.contains("nothing to change"), "\(nothing.messages)")
  }

  @Test("An identity becomes optional if most objects in the samples have the identity, as in a new inference")
  func absentIdentities() throws {
    let folder = try TemporaryFolder()
    let first = try folder.file("1.json", #"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}, {"id": 3, "name": "C"}]"#)
    let model = folder.path("m.json")
    #expect(try Invocation(["infer", "Song=" + first, "--output", model]).status == 0)
    let text = try String(contentsOfFile: model, encoding: .utf8)
    let local = try folder.file(
      "2.json", #"[{"id": 4, "name": "D"}, {"id": 5, "name": "E"}, {"id": null, "name": "F"}]"#)
    let graft = try Invocation(["infer", "Song=" + local, "--update", model])
    #expect(
      graft.status == 0
        && graft.messages.contains("'Song.id' is now optional: each import again inserts the objects that have none"),
      "\(graft.messages)")
    #expect(try Invocation(["import", "--model", model, "Song=" + local]).status == 0)
    // Objects that all have no identity are different objects.
    try text.write(toFile: model, atomically: true, encoding: .utf8)
    let others = try folder.file("3.json", #"[{"name": "D"}, {"name": "E"}, {"name": "F"}]"#)
    let refused = try Invocation(["infer", "Song=" + others, "--update", model])
    #expect(refused.status == 1 && refused.messages.contains("'Song.id'"), "\(refused.messages)")
    #expect(try String(contentsOfFile: model, encoding: .utf8) == text)
  }

  @Test("An object that lacks several required keys makes these keys optional")
  func severalAbsent() throws {
    let folder = try TemporaryFolder()
    let first = try folder.file(
      "1.json", "[\(Array(repeating: #"{"o": {"k": 1, "a": 1, "b": 1}}"#, count: 3).joined(separator: ","))]")
    let model = folder.path("m.json")
    #expect(try Invocation(["infer", "A=" + first, "--output", model]).status == 0)
    let second = try folder.file("2.json", #"[{"o": {"k": 1}}]"#)
    let graft = try Invocation(["infer", "A=" + second, "--update", model])
    #expect(graft.status == 0, "\(graft.messages)")
    for name in ["oA", "oB"] { #expect(graft.messages.contains("'A.\(name)' is now optional"), "\(graft.messages)") }
    #expect(!graft.messages.contains("'A.oK' is now optional"))
  }

  @Test("A new list owns its objects if they have no identity, so an import replaces the objects")
  func newOwners() throws {
    let folder = try TemporaryFolder()
    let model = folder.path("m.json")
    let first = try folder.file(
      "1.json", #"[{"id": "O1", "links": [{"href": "/a", "rel": "self"}, {"href": "/b", "rel": "up"}]}]"#)
    let second = try folder.file(
      "2.json",
      #"[{"id": "O1", "links": [{"href": "/a", "rel": "self"}], "captures": [{"id": "C1", "links": [{"href": "/c", "rel": "self"}]}]}]"#
    )
    #expect(try Invocation(["infer", "Order=" + first, "--output", model]).status == 0)
    let graft = try Invocation(["infer", "Order=" + second, "--update", model])
    #expect(
      graft.status == 0 && graft.messages.contains("'Link.capture', the inverse of 'Capture.links'"),
      "\(graft.messages)")
    #expect(try Invocation(["lint", model]).messages == "no findings in 1 model file\n")
    let store = folder.path("s.graft")
    for _ in 1...3 {
      #expect(try Invocation(["import", "--model", model, "--store", store, "Order=" + second, "--quiet"]).status == 0)
    }
    let links = try Invocation(["export", "--store", store, "Link", "--lines"]).output
    #expect(links.split(separator: "\n").count == 2, "\(links)")
  }

  @Test("A list next to the objects is part of the samples, and the update explains how to import the list")
  func newLists() throws {
    let folder = try TemporaryFolder()
    let model = folder.path("m.json")
    let formulae = ["wget", "grep", "jq"].map { #"{"name": "\#($0)", "v": "1"}"# }.joined(separator: ",")
    let first = try folder.file("1.json", "{\"formulae\": [\(formulae)], \"casks\": []}")
    let second = try folder.file(
      "2.json", "{\"formulae\": [\(formulae)], \"casks\": [{\"token\": \"firefox\", \"url\": \"https://ff\"}]}")
    #expect(try Invocation(["infer", "Formula=" + first, "--output", model]).status == 0)
    let graft = try Invocation(["infer", "Formula=" + second, "--update", model])
    #expect(graft.messages.contains("new entity 'Cask': import its objects with Cask@casks=FILE"), "\(graft.messages)")
    #expect(try Invocation(["import", "--model", model, "Cask@casks=" + second]).output.contains("Cask  1 inserted"))
  }

  @Test("A model that is not changed by samples without objects is written to another file unchanged")
  func nothingToUpdate() throws {
    let folder = try TemporaryFolder()
    let sample = try folder.file("none.json", "[]")
    let model = try String(contentsOf: Invocation.root.appendingPathComponent("Models/Comics.json"), encoding: .utf8)
    let words = ["infer", "--update", "Models/Comics.json", "Hero=\(sample)", "--output"]
    #expect(try Invocation(words + ["-"]).output == model)
    let graft = try Invocation(words + [folder.path("new.json")])
    #expect(graft.status == 0 && graft.messages.contains("the samples have no objects"))
    #expect(try folder.text("new.json") == model)
  }

  @Test(
    "'infer --update' adds values to an enum in the form that a built-in transformer returns",
    arguments: [("Blank", "closed"), ("Lenient", "closed"), ("Lowercase", "Closed")])
  func enumWithTransformer(transformer: String, value: String) throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      """
      {"keyStrategy": "sameName", "entities": {"M": {"identityAttributes": "id", "attributes": {
        "id": "integer64", "state": {"type": "string", "enum": ["open"], "JSONTransformerName": "\(transformer)"}}}}}
      """)
    let payload = try folder.file("p.json", "[{\"id\": 1, \"state\": \"open\"}, {\"id\": 2, \"state\": \"\(value)\"}]")
    let update = try Invocation(["infer", "M=\(payload)", "--update", model])
    let report = try Invocation(["import", "--model", model, "M=\(payload)"])
    #expect(report.status == 0, "\(update.messages)\n\(report.messages)")
  }

  @Test("D4: 'infer --update' adds a kind that the mapper lists only in a differently normalized form")
  func equivalentKind() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      """
      {"keyStrategy": "sameName", "entities": {
        "Event": {"abstract": true, "identityAttributes": "id",
          "entityMapper": {"JSONKeyPath": "type", "entities": {"\u{E9}": "Push"}},
          "attributes": {"id": "integer64"}},
        "Push": {"parent": "Event", "attributes": {"commits": {"type": "integer64", "optional": true}}}}}
      """)
    let payload = try folder.file("p.json", "[{\"id\": 1, \"type\": \"e\u{301}\", \"commits\": 3}]")
    let update = try Invocation(["infer", "Event=\(payload)", "--update", model])
    let report = try Invocation(["import", "--model", model, "Event=\(payload)"])
    #expect(report.status == 0, "\(update.messages)\n\(report.messages)")
  }
}
