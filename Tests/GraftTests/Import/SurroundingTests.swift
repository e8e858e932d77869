import Foundation
import Graft
import GraftTestSupport
import Synchronization
import Testing

@Suite("Paths outside the object") struct SurroundingTests {
  private static let model = #"""
    "Order": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"lines": {"destination": "Line", "toMany": true, "JSONKeyPath": "detail.lines"}}
    },
    "Line": {
      "identityAttributes": "sku",
      "attributes": {
        "sku": {"type": "string", "JSONKeyPath": "sku", "JSONKeyPathAliases": ["@key"]},
        "order": {"type": "integer64", "JSONKeyPath": "@parent.id"},
        "note": {"type": "string", "optional": true, "JSONKeyPath": "note", "JSONKeyPathAliases": ["@parent.note"]},
        "page": {"type": "integer64", "optional": true, "JSONKeyPath": "@root.meta.page"},
        "tags": {"type": "string", "list": true, "optional": true, "maxLength": 3, "JSONKeyPath": "@root.tags"}
      },
      "relationships": {
        "user": {"destination": "User", "JSONKeyPath": "@root.user"},
        "parts": {"destination": "Part", "toMany": true, "inverse": "line"}
      }
    },
    "Part": {
      "attributes": {"sku": {"type": "string", "JSONKeyPath": "@parent.sku"}, "count": {"type": "integer64", "optional": true}},
      "relationships": {"line": {"destination": "Line", "inverse": "parts", "JSONKeyPath": null}}
    },
    "User": {"identityAttributes": "name", "attributes": {"name": "string", "age": {"type": "integer64", "optional": true}}}
    """#

  private func context() throws -> ManagedObjectContext { try Fixture.context(Self.model) }

  private func line(_ sku: String, in context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.find(ofEntity: "Line", identity: sku))
  }

  // MARK: Values

  @Test("M19: @parent skips arrays, collections and the objects on key paths")
  func parent() throws {
    let context = try context()
    try context.importJSON(
      #"""
      [{"detail": {"id": 1, "lines": [{"sku": "A", "parts": [{"count": 2}]}, {"sku": "B", "note": "own"}]}, "note": "n", "id": 7},
       {"id": 8, "detail": {"id": 2, "lines": {"C": {}, "D": {"note": null}}}, "note": "m"}]
      """#, ofEntity: "Order")
    let lines = try ["A", "B", "C", "D"].map { try line($0, in: context) }
    #expect(lines.map { $0["order"] as Int? } == [7, 7, 8, 8])
    #expect(lines.map { $0["note"] as String? } == ["n", "own", "m", nil])
    let parts: [ManagedObject] = lines[0]["parts"]
    #expect(parts.map { $0["sku"] as String? } == ["A"])
    #expect(context.checkInvariants().isEmpty)
  }

  @Test("M19: @root is the outermost object of the document, regardless of where the imported objects are")
  func root() throws {
    let context = try context()
    try context.importJSON(
      #"{"data": {"orders": [{"id": 7, "detail": {"lines": [{"sku": "A"}]}}]}, "meta": {"page": 3}, "tags": ["x"], "user": "Ann"}"#,
      ofEntity: "Order", at: "data.orders")
    let a = try line("A", in: context)
    #expect(a["page"] == 3 && a["tags"] == ["x"])
    let user: ManagedObject? = a["user"]
    #expect(user?["name"] == "Ann" && user?.isPlaceholder == true)
    try context.importJSON(#"{"sku": "A", "order": 1, "meta": {"page": 4}, "id": 9}"#, ofEntity: "Line")
    #expect(a["page"] == 4 && a["order"] == 7)
  }

  @Test("M19: the parent of a top-level object is the innermost object on the import's key path")
  func envelope() throws {
    let context = try context()
    try context.importJSON(
      #"{"id": 1, "data": {"id": 2, "lines": [{"sku": "A"}], "note": "a\u0062c"}}"#, ofEntity: "Line", at: "data.lines")
    let a = try line("A", in: context)
    #expect(a["order"] == 2 && a["note"] == "abc")
  }

  @Test(
    "M19: if an object has no parent, or the document is an array, values read from them are absent",
    arguments: [#"[{"sku": "A"}, {"id": 5}]"#, #"{"A": {}, "id": {}}"#])
  func nothing(text: String) throws {
    let context = try context()
    try context.importJSON(#"{"id": 2, "lines": [{"sku": "A"}, {"sku": "id"}]}"#, ofEntity: "Line", at: "lines")
    let withoutStranger = text.replacing(#", {"id": 5}"#, with: "")
    try context.importJSON(withoutStranger, ofEntity: "Line")
    #expect(try line("A", in: context)["order"] == 2)
    let empty = try self.context()
    #expect(refusals(withoutStranger, of: "Line", in: empty).first?.contains("'Line.order'") == true)
  }

  @Test("M19: null outside the object sets nil, and an absent key outside the object keeps the value")
  func absence() throws {
    let context = try context()
    func page(_ text: String) throws -> Int? {
      try context.importJSON(text, ofEntity: "Order", at: "orders")
      return try line("A", in: context)["page"]
    }
    let orders = #""orders": [{"id": 7, "detail": {"lines": [{"sku": "A"}]}}]"#
    #expect(try page("{\(orders), \"meta\": {\"page\": 3}}") == 3)
    #expect(try page("{\(orders)}") == 3)
    #expect(try page("{\(orders), \"meta\": {}}") == 3)
    #expect(try page("{\(orders), \"meta\": null}") == nil)
  }

  @Test("M19: '@parent' in an array of keys is an ordinary key")
  func literal() throws {
    let context = try Fixture.context(
      #""Hero": {"attributes": {"id": {"type": "integer64", "JSONKeyPath": ["@parent", "id"]}}}"#)
    let heroes = try objects(
      ofEntity: "Hero", fromJSON: #"{"id": 1, "h": [{"@parent": {"id": 5}}]}"#, in: context, at: "h")
    #expect(heroes.map { $0["id"] as Int? } == [5])
  }

  @Test("M19: bytes, text, JSON values and dictionaries produce the same graph")
  func waysIn() throws {
    let text = #"""
      {"data": {"orders": [{"id": 7, "note": "n", "detail": {"lines": [{"sku": "A", "parts": [{}]}]}}], "note": "x"},
       "meta": {"page": 3, "more": [1]}, "tags": ["x", "y"], "user": "Ann"}
      """#
    let contexts = try (0..<3).map { _ in try context() }
    try contexts[0].importJSON(text, ofEntity: "Order", at: "data.orders")
    try contexts[1].importJSON(JSON(parsing: Array(text.utf8)), ofEntity: "Order", at: "data.orders")
    let dictionary = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    try contexts[2].importJSON(try #require(dictionary), ofEntity: "Order", at: "data.orders")
    #expect(try line("A", in: contexts[0])["tags"] == ["x", "y"])
    #expect(contexts[1].dump() == contexts[0].dump() && contexts[2].dump() == contexts[0].dump())
  }

  @Test("M19: each line of JSON Lines is a document")
  func lines() throws {
    let context = try context()
    let stream = try ImportStream(ofEntity: "Line", in: context, at: "lines", format: .lines)
    try stream.append(
      #"""
      {"lines": [{"sku": "A"}], "id": 1, "meta": {"page": 3}}
      {"id": 2, "meta": {"page": 4}, "lines": [{"sku": "B"}]}
      """#.utf8)
    try stream.finish()
    #expect(try line("A", in: context)["order"] == 1 && line("A", in: context)["page"] == 3)
    #expect(try line("B", in: context)["order"] == 2 && line("B", in: context)["page"] == 4)
  }

  // MARK: Relationships

  @Test("M19: a to-one reads an identifier outside its object; a nested object there causes a fault")
  func identifiers() throws {
    let context = try context()
    #expect(
      refusals(
        #"{"lines": [{"sku": "A"}, {"sku": "B"}], "id": 1, "user": 1️⃣{"name": "Ann"}}"#, of: "Line", in: context,
        at: "lines",
        withNotes: true) == [
          "1️⃣ error: expected an identifier at the key path '@root.user' of 'Line.user', found an object (at $.user)",
          "  m.json:16:29: note: 'user' is a to-one relationship to 'User' here",
          "  note: '@parent' and '@root' read identifiers of objects: to read the identifier of this object, write \"JSONKeyPath\": \"@root.user.name\"",
        ])
    #expect(
      refusals(#"{"lines": [{"sku": "A"}], "id": 1, "user": 1️⃣7}"#, of: "Line", in: context, at: "lines") == [
        "1️⃣ error: expected a string for 'User.name', found the number 7 (at $.user)"
      ])
  }

  @Test("M19: the error for a value outside that is not an identifier does not suggest an object")
  func identifierExpected() throws {
    let context = try Fixture.context(
      #"""
      "Item": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {
          "pair": {"destination": "Pair", "JSONKeyPath": "@root.pair"},
          "user": {"destination": "User", "JSONKeyPath": "@root.user"}
        }
      },
      "Pair": {"identityAttributes": ["a", "b"], "attributes": {"a": "string", "b": "string"}},
      "User": {"identityAttributes": "name", "attributes": {"name": "string"}}
      """#)
    #expect(
      refusals(#"{"items": [{"id": 1}], "pair": 1️⃣7, "user": 2️⃣["a"]}"#, of: "Item", in: context, at: "items") == [
        "1️⃣ error: expected an array of 2 identity values for 'Item.pair', found the number 7 (at $.pair)",
        "2️⃣ error: expected an identifier for 'Item.user', found an array (at $.user)",
      ])
  }

  @Test(
    "M19: a denied identifier causes one fault, even if several objects read the identifier",
    arguments: ["deny", "skip"])
  func unresolved(rule: String) throws {
    let context = try Fixture.context(
      Self.model.replacing(
        #""user": {"destination": "User","#, with: #""user": {"destination": "User", "unresolvedRule": "\#(rule)","#))
    let text = #"{"lines": [{"sku": "A"}, {"sku": "B"}], "id": 1, "user": 1️⃣"Ann"}"#
    let lines = refusals(text, of: "Line", in: context, at: "lines")
    if rule == "deny" {
      #expect(
        lines == [
          "1️⃣ error: no 'User' has this identifier, and 'Line.user' accepts existing objects only (at $.user)"
        ])
    } else {
      #expect(lines == [])
    }
    try context.importJSON(#"{"name": "Ann"}"#, ofEntity: "User")
    #expect(refusals(text, of: "Line", in: context, at: "lines") == [])
    let user: ManagedObject? = try line("B", in: context)["user"]
    #expect(user?["name"] == "Ann")
  }

  // MARK: Faults

  @Test("M19: a faulty value is reported once for each containing object, at the location of the value")
  func faults() throws {
    let context = try context()
    #expect(
      refusals(
        #"""
        {"orders": [{"detail": {"lines": [{"sku": "A"}, {"sku": "B"}]}, "id": 7, "note": 2️⃣5},
                    {"note": 3️⃣6, "id": 8, "detail": {"lines": [{"sku": "C"}]}}],
         "meta": {"page": 4️⃣1.5}, "tags": ["x", 5️⃣1, 6️⃣2]}
        """#, of: "Order", in: context, at: "orders") == [
          "2️⃣ error: expected a string for 'Line.note', found the number 5 (at $.orders[0].note)",
          "3️⃣ error: expected a string for 'Line.note', found the number 6 (at $.orders[1].note)",
          "4️⃣ error: expected an integer from -9223372036854775808 to 9223372036854775807 for 'Line.page', found the number 1.5 "
            + "(at $.meta.page)",
          "5️⃣ error: expected a string for 'Line.tags', found the number 1 (at $.tags[1])",
          "6️⃣ error: expected a string for 'Line.tags', found the number 2 (at $.tags[2])",
        ])
    #expect(
      refusals(#"{"lines": [{"sku": "A"}, {"sku": "B"}], "id": 1, "meta": 1️⃣"x"}"#, of: "Line", in: context, at: "lines")
        == [
          "1️⃣ error: expected an object on the key path '@root.meta.page' of 'Line.page', found the string \"x\" (at $.meta)"
        ])
  }

  @Test("M19: a value that violates a validation is reported once, at the location of the value")
  func validation() throws {
    let context = try context()
    #expect(
      refusals(
        #"{"lines": [{"sku": "A"}, {"sku": "B"}], "id": 1, "tags": ["x", 1️⃣"long"]}"#, of: "Line", in: context,
        at: "lines") == [
          "1️⃣ error: expected at most 3 characters for 'Line.tags', found 4 (at $.tags[1])"
        ])
    #expect(
      refusals(#"{"lines": [{"sku": "A"}, {"sku": "B"}], "id": 1️⃣null}"#, of: "Line", in: context, at: "lines") == [
        "1️⃣ error: expected a value for 'Line.order', which is not optional, found none (at $.id)"
      ])
  }

  @Test("M19: if no containing object has a required value, the value is reported as missing in the object itself")
  func missing() throws {
    let context = try context()
    #expect(
      refusals(#"{"lines": [1️⃣{"sku": "A"}], "ID": 1}"#, of: "Line", in: context, at: "lines", withNotes: true) == [
        "1️⃣ error: expected a value for 'Line.order', which is not optional, found none (at $.lines[0])",
        "  m.json:10:5: note: 'order' is declared here",
        "  note: '@parent.id' reads 'id' in the object that contains this one",
      ])
  }

  @Test(
    "M19: a syntax error after the imported objects is reported without other faults",
    arguments: [
      #"{"lines": [{"sku": "A"}], "id": 1️⃣tru}"#, #"{"lines": [{"sku": "A"}], "note": "x"1️⃣; "id": 1}"#,
      #"{"lines": [{"sku": "A"}], "id": 1, "tags": ["a" 1️⃣"b"]}"#,
    ])
  func syntax(text: String) throws {
    let lines = refusals(text, of: "Line", in: try context(), at: "lines")
    #expect(lines.count == 1 && lines[0].hasPrefix("1️⃣ error: expected"), "\(lines)")
  }

  // MARK: Closures

  @Test("M19: a transformer is called once for each containing object")
  func calls() throws {
    let calls = Mutex(0)
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Count") { (text: String) -> String? in
      calls.withLock { $0 += 1 }
      return text + "!"
    }
    let context = try Fixture.context(
      Self.model.replacing(
        #""JSONKeyPathAliases": ["@parent.note"]"#,
        with: #""JSONTransformerName": "Count", "JSONKeyPathAliases": ["@parent.note"]"#), transformers: transformers)
    let lines = (0..<20).map { #"{"sku": "\#($0)"}"# }.joined(separator: ", ")
    try context.importJSON(
      #"[{"id": 1, "detail": {"lines": [\#(lines)]}, "note": "a"}, {"id": 2, "note": "b", "detail": {"lines": [{"sku": "x"}, {"sku": "y"}]}}]"#,
      ofEntity: "Order")
    #expect(calls.withLock { $0 } == 2)
    #expect(try line("19", in: context)["note"] == "a!" && line("y", in: context)["note"] == "b!")
  }

  @Test(
    "M19: in a dictionary transformer's result, @parent is the result, and @root is the unchanged document")
  func transformed() throws {
    var transformers = TransformerRegistry.standard
    transformers.registerDictionaryTransformer(named: "Unwrap") { $0["order"] as? [String: Any] }
    transformers.registerDictionaryTransformer(named: "UnwrapLine") { $0["line"] as? [String: Any] }
    let context = try Fixture.context(
      Self.model.replacing(
        #""identityAttributes": "id","#,
        with: #""JSONDictionaryTransformerName": "Unwrap", "identityAttributes": "id","#
      ).replacing(
        #""identityAttributes": "sku","#,
        with: #""JSONDictionaryTransformerName": "UnwrapLine", "identityAttributes": "sku","#),
      transformers: transformers)
    try context.importJSON(
      #"""
      {"orders": [{"id": 1, "note": "outer", "order": {"id": 7, "note": "a\u0062", "detail": {"lines": [
        {"sku": "x", "line": {"sku": "A", "parts": [{"count": 1}]}}, {"line": {"sku": "B"}}]}}}], "meta": {"page": 3}}
      """#, ofEntity: "Order", at: "orders")
    let lines = try ["A", "B"].map { try line($0, in: context) }
    #expect(lines.map { $0["order"] as Int? } == [7, 7] && lines.map { $0["note"] as String? } == ["ab", "ab"])
    #expect(lines.map { $0["page"] as Int? } == [3, 3])
    let parts: [ManagedObject] = lines[0]["parts"]
    #expect(parts.map { $0["sku"] as String? } == ["A"])
    #expect(context.checkInvariants().isEmpty)
  }

  // MARK: Synchronization

  @Test("M19: a modification attribute read from @root skips all objects of an older document")
  func modification() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {
        "identityAttributes": "id", "modificationAttribute": "fetched",
        "attributes": {
          "id": "integer64", "name": {"type": "string", "optional": true},
          "fetched": {"type": "date", "optional": true, "JSONKeyPath": "@root.fetched_at"}
        }
      }
      """#)
    func names(_ name: String, _ date: String) throws -> [String?] {
      try context.importJSON(
        #"{"heroes": [{"id": 1, "name": "\#(name)"}, {"id": 2, "name": "\#(name)"}], "fetched_at": \#(date)}"#,
        ofEntity: "Hero", at: "heroes")
      return try context.fetch(ofEntity: "Hero").map { $0["name"] }
    }
    #expect(try names("a", #""2026-01-02T00:00:00Z""#) == ["a", "a"])
    #expect(try names("b", #""2026-01-01T00:00:00Z""#) == ["a", "a"])
    #expect(try names("c", #""2026-01-03T00:00:00Z""#) == ["c", "c"])
    #expect(
      refusals(
        #"{"heroes": [{"id": 1}, {"id": 2}], "fetched_at": 1️⃣"yesterday"}"#, of: "Hero", in: context, at: "heroes"
      ).map { String($0.prefix(40)) } == ["1️⃣ error: expected a date (RFC 3339 text)"].map { String($0.prefix(40)) })
  }

  // MARK: Unknown keys

  @Test("M19: keys that only nested objects read are known keys, and an object must not contain them twice")
  func unknownKeys() throws {
    let context = try context()
    let text =
      #"{"id": 7, "note": "n", "meta": {"page": 1}, "user": "Ann", "detail": {"lines": [{"sku": "A"}]}, "x": 1}"#
    let report = try context.importJSON(text, ofEntity: "Order", options: ImportOptions(unknownKeys: .report))
    #expect(report.unknownKeys.map(\.key) == ["x"])
    #expect(
      refusals(#"{"id": 7, "note": "a", 1️⃣"note": "b"}"#, of: "Order", in: context) == [
        "1️⃣ error: the key \"note\" occurs twice in one object (at $.note)"
      ])
  }

  // MARK: Streams

  @Test("M19: a stream at a key path is refused at its beginning if objects read @root, which is not in memory")
  func streams() throws {
    let context = try context()
    func message(_ entity: String, at keyPath: JSONKeyPath?) -> [String] {
      do throws(ImportError) {
        _ = try ImportStream(ofEntity: entity, in: context, at: keyPath)
        return []
      } catch {
        return error.diagnostics.map { "\($0.code): \($0.message)" }
      }
    }
    #expect(
      message("Order", at: "orders") == [
        "stream-without-document: 'Line.page' reads '@root.meta.page', which a stream of the objects under 'at' skips: import "
          + "the document as a whole, or as JSON Lines"
      ])
    #expect(message("Order", at: nil) == [] && message("User", at: "users") == [])
    #expect(message("Part", at: "parts").count == 1)
    let error = #expect(throws: ImportError.self) { try ImportStream(ofEntity: "Order", in: context, at: "orders") }
    #expect(error?.diagnostics.map(\.code) == [.streamWithoutDocument])
    #expect(error?.diagnostics.first?.notes.map(\.message) == ["the key path of 'page' is declared here"])
  }

  @Test("M19: objects in a stream of a plain array read @parent inside each element, and @root is absent")
  func plainStream() throws {
    let context = try context()
    let stream = try ImportStream(ofEntity: "Order", in: context)
    let text = #"[{"detail": {"lines": [{"sku": "A"}]}, "id": 7}, {"detail": {"lines": [{"sku": "B"}]}, "id": 8}]"#
    try stream.append(text.utf8)
    try stream.finish()
    #expect(try line("A", in: context)["order"] == 7 && line("B", in: context)["order"] == 8)
    #expect(try line("A", in: context)["page"] == nil)
  }

  // MARK: Limits

  @Test("M19, I15: copies of values that objects read from outside count toward the byte limit")
  func copies() throws {
    let context = try context()
    var options = ImportOptions()
    options.limits.bytes = 20_000
    let note = String(repeating: "x", count: 1_000)
    func text(_ count: Int) -> String {
      let lines = (0..<count).map { #"{"sku": "\#($0)"}"# }.joined(separator: ",")
      return #"{"id": 1, "note": "\#(note)", "lines": [\#(lines)]}"#
    }
    #expect(refusals(text(15), of: "Line", in: context, at: "lines", options: options) == [])
    #expect(
      refusals(text(30), of: "Line", in: context, at: "lines", options: options).map {
        $0.suffix(from: $0.firstIndex(of: "e")!)
      }
        == [
          "error: the payload and the copies of values that its objects read with '@parent' and '@root' exceed the limit 'bytes' "
            + "of 20000 (at $.lines[19])"
        ])
  }

  // MARK: Exports

  @Test("M19: an export writes an object's own keys, but no values outside the object")
  func exports() throws {
    let context = try context()
    try context.importJSON(
      #"{"id": 7, "note": "n", "meta": {"page": 3}, "detail": {"lines": [{"sku": "A"}]}}"#, ofEntity: "Order")
    #expect(
      String(decoding: try jsonData(from: line("A", in: context)), as: UTF8.self)
        == #"{"sku":"A","note":"n","parts":[]}"#)
  }

  // MARK: Tolerance

  @Test("M19, E5: an object whose relationship reads the containing object's identity is written in full")
  func exportsOfOwners() throws {
    let model = """
      "Order": {
        "identityAttributes": "id", "attributes": {"id": "string"},
        "relationships": {"lines": {"destination": "Line", "toMany": true, "ordered": true}}
      },
      "Line": {
        "identityAttributes": "sku", "attributes": {"sku": "string", "note": "string"},
        "relationships": {"order": {"destination": "Order", "JSONKeyPath": "@parent.id"}}
      }
      """
    let context = try Fixture.context(model)
    let payload = #"{"id":"7","lines":[{"sku":"a","note":"x"},{"sku":"b","note":"y"}]}"#
    let order = try object(ofEntity: "Order", fromJSON: payload, in: context)
    #expect(try String(decoding: jsonData(from: order), as: UTF8.self) == payload)
    // If a line belongs to another order, an import would read the wrong order.
    let line = try #require(try context.find(ofEntity: "Line", identity: "b"))
    line["order"] = try object(ofEntity: "Order", fromJSON: #"{"id":"8","lines":[]}"#, in: context)
    #expect(
      try String(decoding: jsonData(from: order), as: UTF8.self)
        == #"{"id":"7","lines":[{"sku":"a","note":"x"},"b"]}"#)
  }

  @Test(
    "M19, E2: if an import would read an object differently through @parent, the export's error explains the reason")
  func incompleteExports() throws {
    let context = try Fixture.context(
      """
      "Box": {
        "identityAttributes": "id", "attributes": {"id": "integer64", "size": "integer64"},
        "relationships": {"parts": {"destination": "Part", "toMany": true, "ordered": true}}
      },
      "Part": {"attributes": {"size": {"type": "integer64", "JSONKeyPath": "@parent.size"}}}
      """)
    let box = try object(ofEntity: "Box", fromJSON: #"{"id": 1, "size": 2, "parts": [{}]}"#, in: context)
    try box.setValue(3, of: "size")
    var options = ExportOptions()
    options.incompleteRelationships = .error
    let error = #expect(throws: ExportError.self) { try jsonData(from: box, options: options) }
    #expect(
      error?.description.contains(
        "'Part#1' has a different value from the one that an import would read from the enclosing JSON, and has no identifier; give the property with '@parent' or '@root' its own key path"
      ) == true)
  }

  @Test("M19, M14: a warning about an unlisted value is only in the report of the import that reads the value")
  func unlistedValues() throws {
    let context = try Fixture.context(
      """
      "Box": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"parts": {"destination": "Part", "toMany": true}}
      },
      "Part": {
        "identityAttributes": "id",
        "attributes": {
          "id": "integer64",
          "kind": {"type": "string", "optional": true, "JSONKeyPath": "@parent.kind", "enum": ["a"], "extensible": true}
        }
      }
      """)
    let first = #"{"id": 1, "kind": "z", "parts": [{"id": 2}]}"#
    #expect(try context.importJSON(first, ofEntity: "Box").warnings.count == 1)
    #expect(try context.importJSON(#"{"id": 2}"#, ofEntity: "Part").warnings.isEmpty)
  }

  @Test("M19, I18: a fault inside an element skips the element, and a fault outside all elements fails the import")
  func tolerance() throws {
    let context = try context()
    let options = ImportOptions(faultyElements: .skip)
    let report = try context.importJSON(
      #"[{"id": 7, "note": 5, "detail": {"lines": [{"sku": "A"}]}}, {"id": 8, "note": "n", "detail": {"lines": [{"sku": "B"}]}}]"#,
      ofEntity: "Order", options: options)
    #expect(report.faultyElements.map(\.path) == ["$[0]"] && report.inserted == ["Order": 1, "Line": 1])
    #expect(throws: ImportError.self) {
      try context.importJSON(
        #"{"lines": [{"sku": "A"}], "id": 1, "note": 5}"#, ofEntity: "Line", at: "lines", options: options)
    }
  }

  @Test("M19, I18: in JSON Lines, a fault outside the elements of a line skips these elements")
  func toleranceOfLines() throws {
    let context = try context()
    var options = ImportOptions(faultyElements: .skip)
    options.unknownKeys = .report
    let stream = try ImportStream(ofEntity: "Line", in: context, at: "d.lines", format: .lines, options: options)
    try stream.append(
      #"""
      {"d": {"lines": [{"sku": "A"}], "id": 1}}
      {"d": {"lines": [{"sku": "B"}, {"sku": "C"}], "id": "x"}}

      {"meta": {"page": "y"}, "d": {"id": 2, "lines": {"D": {}}}}
      {"d": {"lines": [{"sku": "E"}], "id": 3}}
      """#.utf8)
    let report = try stream.finish()
    #expect(try context.fetch(ofEntity: "Line").map { $0["sku"] as String? } == ["A", "E"])
    #expect(report.faultyElements.count == 3)
    #expect(report.faultyElements.map(\.line) == [2, 2, 4])
    #expect(context.checkInvariants().isEmpty)
  }

  @Test(
    "M19, I13: a key that an object reads from outside must not occur twice",
    arguments: [
      #"{"lines": [{"sku": "A"}], "id": 1, "meta": {"page": 1}, 1️⃣"meta": {}}"#,
      #"{"lines": [{"sku": "A"}], "id": 1, "meta": {"page": 1, 1️⃣"page": 2}}"#,
      #"{"note": 1, "id": 1, "lines": [{"sku": "A", "note": null}], 1️⃣"id": 1}"#,
    ])
  func repeatedKeys(text: String) throws {
    let lines = refusals(text, of: "Line", in: try context(), at: "lines")
    #expect(lines.count == 1 && lines[0].hasPrefix("1️⃣ error: the key \""), "\(lines)")
  }

  @Test("M19, I19: an object is not recognized by keys that only its nested objects read")
  func strangers() throws {
    let context = try Fixture.context(
      """
      "Hero": {
        "attributes": {
          "name": {"type": "string", "optional": true}, "page": {"type": "integer64", "optional": true, "JSONKeyPath": "@root.meta.page"}
        }
      }
      """)
    let report = try context.importJSON(#"{"meta": {"page": 1}, "data": [{"name": "A"}]}"#, ofEntity: "Hero")
    #expect(report.warnings.count == 1)
  }

  @Test("M19, M11: a key that only nested objects read does not turn a keyed collection into a single object")
  func collections() throws {
    let context = try Fixture.context(
      """
      "Box": {
        "identityAttributes": "id",
        "attributes": {"id": {"type": "string", "JSONKeyPath": "id", "JSONKeyPathAliases": ["@key"]}},
        "relationships": {"parts": {"destination": "Part", "toMany": true}}
      },
      "Part": {
        "identityAttributes": "id",
        "attributes": {"id": "integer64", "page": {"type": "json", "optional": true, "JSONKeyPath": "@root.page"}}
      }
      """)
    let boxes = try objects(
      ofEntity: "Box", fromJSON: #"{"a": {"parts": [{"id": 1}]}, "page": {"parts": [{"id": 2}]}}"#, in: context)
    #expect(boxes.map { $0["id"] as String? } == ["a", "page"])
  }

  @Test(
    "E5: an object that would read a different value inside a null group is written as its identifier"
  )
  func nilGroup() throws {
    let context = try Fixture.context(
      #"""
      "A": {
        "identityAttributes": "id",
        "attributes": {
          "id": "integer64", "own": {"type": "string", "optional": true, "JSONKeyPath": "g.own"},
          "flag": {"type": "boolean", "optional": true, "JSONKeyPath": "@parent.g.flag"}
        },
        "relationships": {"next": {"destination": "A"}}
      }
      """#)
    try context.importJSON(#"{"id": 1, "g": {"flag": true}, "next": {"id": 2, "g": null}}"#, ofEntity: "A")
    let two = try #require(try context.find(ofEntity: "A", identity: 2))
    #expect(two["flag"] == true)
    let text = String(
      decoding: try jsonData(from: try #require(try context.find(ofEntity: "A", identity: 1))), as: UTF8.self)
    #expect(text == #"{"id":1,"g":null,"next":2}"#)
    let before = context.dump()
    try context.importJSON(text, ofEntity: "A")
    #expect(context.dump() == before)
  }
}
