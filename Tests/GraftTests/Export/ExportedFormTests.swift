import Foundation
import Graft
import GraftTestSupport
import Testing

/// Forms of values: an export contains the same values as the imported payload, and importing the export changes nothing.
@Suite("Export: forms of values") struct ExportedFormTests {
  private static let line = #"""
    "Shop": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
    "Product": {"identityAttributes": ["shop", "sku"], "attributes": {"shop": "integer64", "sku": "string"}},
    """#

  @Test(
    "E4, E5: an export has the form and the values of the payload, and importing the export changes nothing",
    arguments: [
      // M24: the keys of a reference are in different objects, and another property also uses one of the keys.
      (
        line + #"""
          "T": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
            "shop": {"destination": "Shop", "JSONKeyPath": "shop_id"},
            "product": {"destination": "Product", "JSONKeyPath": {"shop": "shop_id", "sku": "item.sku"}}}}
          """#, #"[{"id":1,"shop_id":3,"item":{"sku":"B"}}]"#
      ),
      (
        line + #"""
          "T": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
            "product": {"destination": "Product", "JSONKeyPath": {"shop": "shop_id", "sku": "item.sku"}}}}
          """#, #"[{"id":1,"shop_id":3,"item":{"sku":"B"}},{"id":2,"shop_id":null,"item":null}]"#
      ),
      // URIs keep their spelling, and dates their microseconds, in lists whose elements are in separate objects and in lists that are one
      // string.
      (
        #"""
        "T": {"identityAttributes": "id", "attributes": {"id": "integer64",
          "urls": {"type": "uri", "list": true, "JSONKeyPath": "urls[].v"}, "dates": {"type": "date", "list": true, "JSONKeyPath": "dates[].v"},
          "joined": {"type": "date", "list": true, "JSONTransformerName": "Split(,)"}}}
        """#,
        #"[{"id":1,"urls":[{"v":"http://a/ä%20b"},{"v":"http://bücher.de/"}],"dates":[{"v":"2500-01-01T00:00:00.000007Z"}],"joined":"0001-06-01T00:00:00.123457Z,2500-01-01T00:00:00.000007Z"}]"#
      ),
      // Transformers that read the same values as the attribute itself also preserve spelling and microseconds.
      (
        #"""
        "T": {"identityAttributes": "id", "attributes": {"id": "integer64",
          "a": {"type": "uri", "JSONTransformerName": "Lenient"}, "b": {"type": "uri", "JSONTransformerName": "Blank"},
          "c": {"type": "uri", "JSONTransformerName": "StringToURL"}, "d": {"type": "date", "JSONTransformerName": "Lenient"},
          "e": {"type": "date", "JSONTransformerName": "Blank"}}}
        """#,
        #"[{"id":1,"a":"http://bücher.de/a%20ä","b":"http://bücher.de/a%20ä","c":"http://bücher.de/a%20ä","d":"2500-01-01T00:00:00.000007Z","e":"0001-06-01T00:00:00.123457Z"}]"#
      ),
      // If each element is wrapped in its own object, the collection cannot have keys.
      (
        #"""
        "T": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"tags": {"destination": "Tag", "toMany": true, "JSONKeyPath": "tags[].node"}}},
        "Tag": {"identityAttributes": "name", "attributes": {"name": {"type": "string", "JSONKeyPath": "@key"},
          "n": {"type": "integer64", "optional": true}}}
        """#, #"[{"id":1,"tags":[{"node":"a"},{"node":"b"}]},{"id":2,"tags":[]}]"#
      ),
      // A transformer reads numbers in parts of a string, and in keys.
      (
        #"""
        "T": {"identityAttributes": "id", "attributes": {"id": "integer64",
          "flags": {"type": "boolean", "list": true, "JSONTransformerName": ["Split(,)", "IntegerToBoolean"]}}}
        """#, #"[{"id":1,"flags":"1,0"}]"#
      ),
      (
        #"""
        "T": {"identityAttributes": "is", "attributes": {"n": "integer64",
          "is": {"type": "boolean", "JSONKeyPath": "@key", "JSONTransformerName": "IntegerToBoolean"}}}
        """#, #"{"0":{"n":2},"1":{"n":1}}"#
      ),
      // Chains of transformers, also for the parts of a string.
      (
        #"""
        "T": {"identityAttributes": "id", "attributes": {"id": "integer64",
          "a": {"type": "uri", "JSONTransformerName": ["Blank", "StringToURL"]},
          "b": {"type": "uri", "JSONTransformerName": ["Blank", "Lenient"]},
          "d": {"type": "date", "JSONTransformerName": ["Blank", "Lenient"]},
          "s": {"type": "uri", "list": true, "JSONTransformerName": ["Split(,)", "StringToURL"]},
          "t": {"type": "date", "list": true, "JSONTransformerName": ["Split(,)", "Lenient"]}}}
        """#,
        #"[{"id":1,"a":"http://bücher.de/a%20ä","b":"http://bücher.de/a%20ä","d":"2500-01-01T00:00:00.000007Z","s":"http://bücher.de/a%20ä,http://a/","t":"2500-01-01T00:00:00.000007Z"}]"#
      ),
      // The year is 0000.
      (
        #"""
        "T": {"identityAttributes": "id", "attributes": {"id": "integer64",
          "d": {"type": "date", "JSONTransformerName": "DateFormat(yyyy-MM-dd'T'HH:mmXXX)"}}}
        """#, #"[{"id":1,"d":"0000-12-31T22:00Z"}]"#
      ),
    ])
  func roundTrip(entities: String, payload: String) throws {
    let context = try Fixture.context(entities)
    try context.importJSON(payload, ofEntity: "T")
    func export(_ context: ManagedObjectContext) throws -> String {
      String(decoding: try jsonData(from: context.fetch(ofEntity: "T", sortedBy: [])), as: UTF8.self)
    }
    #expect(try export(context) == payload)
    let report = try context.importJSON(payload, ofEntity: "T")
    #expect(
      report.updated.isEmpty && report.inserted.isEmpty && report.unlinked.isEmpty
        && !context.checkInvariants().contains { !$0.isEmpty })
  }

  @Test(
    "M24, E5: a reference that shares a key with another property is omitted if that property's value is different")
  func sharedKeys() throws {
    let context = try Fixture.context(
      Self.line + #"""
        "T": {"identityAttributes": "id", "attributes": {"id": "integer64", "shop": {"type": "integer64", "optional": true, "JSONKeyPath": "shop_id"}},
          "relationships": {
            "product": {"destination": "Product", "JSONKeyPath": {"shop": "shop_id", "sku": "sku"}},
            "other": {"destination": "Product", "JSONKeyPath": {"shop": "s", "sku": "o"}},
            "third": {"destination": "Product", "JSONKeyPath": {"shop": "s", "sku": "t"}}}}
        """#)
    func line() throws -> ManagedObject { try #require(try context.find(ofEntity: "T", id: 1)) }
    func export() throws -> String { try context.text(line()) }
    let all = #"{"id":1,"shop_id":3,"sku":"A","s":5,"o":"O","t":"T"}"#
    try context.importJSON(all, ofEntity: "T")
    #expect(try export() == all)
    for (edit, expected) in [
      (#"{"id": 1, "shop_id": 4}"#, #"{"id":1,"shop_id":4,"s":5,"o":"O","t":"T"}"#),
      (#"{"id": 1, "shop_id": null}"#, #"{"id":1,"shop_id":null,"s":5,"o":"O","t":"T"}"#),
      (#"{"id": 1, "shop_id": 3}"#, all),
    ] {
      try context.importJSON(edit, ofEntity: "T")
      let text = try export()
      #expect(text == expected)
      let dictionary = try json(from: [line()])
      #expect(String(describing: dictionary).contains("sku") == expected.contains("sku"))
      let report = try context.importJSON(text, ofEntity: "T")
      #expect(report.updated.isEmpty && report.unlinked.isEmpty && report.placeholders.isEmpty, "\(text)")
    }
    // Two references share the key "s".
    try line()["third"] = context.object(ofEntity: "Product", fromJSON: #"{"shop": 6, "sku": "T"}"#)
    let text = try export()
    #expect(text == #"{"id":1,"shop_id":3,"sku":"A","s":5,"o":"O"}"#)
    #expect(try context.importJSON(text, ofEntity: "T").updated.isEmpty)
    // One of the two references is null.
    try context.importJSON(#"{"id": 1, "s": 5, "o": "O", "t": null}"#, ofEntity: "T")
    #expect(
      try (line()["third"] as ManagedObject?) == nil
        && export() == #"{"id":1,"shop_id":3,"sku":"A","s":5,"o":"O","t":null}"#)
  }

  @Test("T4: an export whose built-in transformer cannot write a value throws a readable error")
  func failedReverse() throws {
    let context = try Fixture.context(
      #"""
      "T": {"identityAttributes": "id", "attributes": {"id": "integer64",
        "price": {"type": "decimal", "default": 1.5, "JSONTransformerName": "StringToInteger"}}}
      """#)
    try context.importJSON(#"{"id": 1}"#, ofEntity: "T")
    let error = #expect(throws: ExportError.self) { try jsonData(from: context.fetch(ofEntity: "T")) }
    #expect(
      error?.diagnostics.map(\.message) == [
        "the reverse of the transformer 'StringToInteger' of 'T.price' failed: expected an integer"
      ])
  }
}
