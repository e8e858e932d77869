import Foundation
import Graft
import GraftTestSupport
import Testing

/// A log of the arguments that closures receive, in order.
private final class Log: Sendable {
  private let storage = Locked<[String]>([])
  var lines: [String] { storage.withLock { $0 } }
  func note(_ line: String) { storage.withLock { $0.append(line) } }
}

private struct Complaint: Error, Equatable, CustomStringConvertible {
  var description: String
}

@Suite("Closures") struct ClosureTests {
  private static func registry(_ log: Log = Log()) -> TransformerRegistry {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Length") { (text: String) throws -> Int? in
      log.note("Length \(text)")
      if text == "throw" { throw Complaint(description: "no length today") }
      return text == "nil" ? nil : text.count
    }
    registry.registerValueTransformer(named: "Join") { (parts: JSON) -> String? in
      log.note("Join \(parts)")
      return parts.arrayValue?.compactMap(\.stringValue).joined(separator: "-")
    }
    registry.registerValueTransformer(named: "Double") { (number: Int) in
      log.note("Double \(number)")
      return number &* 2
    }
    return registry
  }

  private static let entities = """
    "T": {
      "identityAttributes": "id",
      "attributes": {
        "id": {"type": "integer16", "JSONTransformerName": "Double"},
        "length": {"type": "integer64", "optional": true, "JSONTransformerName": "Length"},
        "joined": {"type": "string", "optional": true, "JSONTransformerName": "Join"},
        "strict": {"type": "integer64", "default": 7, "JSONTransformerName": "Length"}
      },
      "relationships": {"next": {"destination": "T"}, "all": {"destination": "T", "toMany": true}}
    }
    """

  @Test("T3: a closure is called once per value, also for identifiers, but never for null or absent values")
  func calls() throws {
    let log = Log()
    let context = try Fixture.context(Self.entities, transformers: Self.registry(log))
    try objects(
      ofEntity: "T",
      fromJSON:
        #"[{"length": "abc", "id": 1, "joined": null, "next": 2, "all": [{"id": 3}, 1, null]}, {"id": 1, "length": null, "joined": ["a", "b"]}]"#,
      in: context)
    #expect(
      log.lines == ["Length abc", "Double 1", "Double 2", "Double 3", "Double 1", "Double 1", #"Join ["a","b"]"#])
    #expect(
      context.drawing == """
        T(2) joined="a-b" strict=7 next=T(4) all=[T(2), T(6)]
        T(4) placeholder
        T(6) strict=7
        """)
  }

  @Test("T3: an input type that the closure does not take causes an error with its JSON path")
  func wrongInput() throws {
    let context = try Fixture.context(Self.entities, transformers: Self.registry())
    #expect(
      refusals(
        #"[{"id": 1️⃣"1", "length": 2️⃣5, "next": 3️⃣"x", "all": [4️⃣true, {"id": 5️⃣1.5}]}, {"id": 1, "length": 6️⃣{"a": []}}]"#,
        of: "T", in: context, withNotes: true) == [
          "1️⃣ error: expected an integer for 'T.id', found the string \"1\" (at $[0].id)",
          "  m.json:5:56: note: 'id' is read by the transformer 'Double' here",
          "2️⃣ error: expected a string for 'T.length', found the number 5 (at $[0].length)",
          "  m.json:6:78: note: 'length' is read by the transformer 'Length' here",
          "3️⃣ error: expected an integer for 'T.id', found the string \"x\" (at $[0].next)",
          "  m.json:5:56: note: 'id' is read by the transformer 'Double' here",
          "4️⃣ error: expected an integer for 'T.id', found true (at $[0].all[0])",
          "  m.json:5:56: note: 'id' is read by the transformer 'Double' here",
          "5️⃣ error: expected an integer for 'T.id', found the number 1.5 (at $[0].all[1].id)",
          "  m.json:5:56: note: 'id' is read by the transformer 'Double' here",
          "6️⃣ error: expected a string for 'T.length', found an object (at $[1].length)",
          "  m.json:6:78: note: 'length' is read by the transformer 'Length' here",
        ])
  }

  @Test("T3: nil from a closure sets nil, which is then validated")
  func nothing() throws {
    let context = try Fixture.context(Self.entities, transformers: Self.registry())
    try objects(ofEntity: "T", fromJSON: #"[{"id": 1, "length": "abc"}]"#, in: context)
    try objects(ofEntity: "T", fromJSON: #"[{"id": 1, "length": "nil"}]"#, in: context)
    #expect(context.drawing == "T(2) strict=7")
    #expect(
      refusals(#"[{"id": 1, "strict": 1️⃣"nil"}]"#, of: "T", in: context) == [
        "1️⃣ error: expected a value for 'T.strict', which is not optional, found none (at $[0].strict)"
      ])
  }

  @Test("T3: a closure's error fails the import and is its cause; other faults are also reported")
  func thrown() throws {
    let context = try Fixture.context(Self.entities, transformers: Self.registry())
    let error = #expect(throws: ImportError.self) {
      try objects(
        ofEntity: "T", fromJSON: #"[{"id": 1, "length": "throw"}, {"id": true, "strict": "throw"}]"#, in: context)
    }
    #expect(error?.underlyingError as? Complaint == Complaint(description: "no length today"))
    #expect(
      error?.diagnostics.map { "\($0.path ?? ""): \($0.message)" } == [
        "$[0].length: the transformer 'Length' of 'T.length' failed: no length today",
        "$[1].id: expected an integer for 'T.id', found true",
        "$[1].strict: the transformer 'Length' of 'T.strict' failed: no length today",
      ])
    #expect(context.drawing == "")
  }

  @Test("T3: a closure's result must fit the attribute")
  func wrongOutput() throws {
    let context = try Fixture.context(Self.entities, transformers: Self.registry())
    #expect(
      refusals(#"[{"id": 1️⃣20000}, 2️⃣20000]"#, of: "T", in: context, withNotes: true) == [
        "1️⃣ error: the transformer 'Double' returned the number 40000, which 'T.id' cannot hold (at $[0].id)",
        "  m.json:5:20: note: 'id' is declared integer16 here",
        "2️⃣ error: the transformer 'Double' returned the number 40000, which 'T.id' cannot hold (at $[1])",
        "  m.json:5:20: note: 'id' is declared integer16 here",
      ])
  }

  @Test("T3: an error thrown by a dictionary transformer or a mapper is also the cause of the import's error")
  func otherClosures() throws {
    var registry = TransformerRegistry.standard
    registry.registerDictionaryTransformer(named: "Bad") { dictionary in
      if dictionary["bad"] != nil { throw Complaint(description: "bad dictionary") }
      if dictionary["date"] != nil { return ["id": Date(timeIntervalSince1970: 0)] }
      return nil
    }
    registry.registerEntityMapper(named: "Worse") { dictionary in
      if dictionary["worse"] != nil { throw Complaint(description: "worse dictionary") }
      return nil
    }
    let context = try Fixture.context(
      #""T": {"identityAttributes": "id", "JSONDictionaryTransformerName": "Bad", "entityMapperName": "Worse", "attributes": {"id": "integer64"}}"#,
      transformers: registry)
    let error = #expect(throws: ImportError.self) {
      try objects(
        ofEntity: "T", fromJSON: #"[{"id": 1}, {"id": 2, "bad": 1}, {"id": 3, "worse": 1}, {"date": 1}]"#, in: context)
    }
    #expect(error?.underlyingError as? Complaint == Complaint(description: "bad dictionary"))
    #expect(
      error?.diagnostics.map { "\($0.path ?? ""): \($0.message)" } == [
        "$[1]: the dictionary transformer 'Bad' failed: bad dictionary",
        "$[2]: the entity mapper 'Worse' failed: worse dictionary",
        "$[3]: the dictionary transformer 'Bad' failed: a Date is not a JSON value (at $.id)",
      ])
    #expect(context.drawing == "")
  }

  @Test("I15: a limit exceeded by a dictionary transformer's result is reported at the original dictionary")
  func limits() throws {
    var registry = TransformerRegistry.standard
    registry.registerDictionaryTransformer(named: "Blow") { _ in ["id": String(repeating: "x", count: 100)] }
    let context = try Fixture.context(
      #""T": {"identityAttributes": "id", "JSONDictionaryTransformerName": "Blow", "attributes": {"id": "string"}}"#,
      transformers: registry)
    var options = ImportOptions()
    options.limits.stringBytes = 10
    #expect(
      refusals(#"["a", 1️⃣{"id": 1}]"#, of: "T", in: context, options: options) == [
        "1️⃣ error: the string exceeds the limit 'stringBytes' of 10 (at $[1])"
      ])
  }

  @Test(
    "T2: a string that a built-in transformer cannot read causes an error; it is not read as nil",
    arguments: [
      ("integer64", "StringToInteger", [#""x""#, #""1.5""#, #""""#, "5"]),
      ("decimal", "StringToDecimal", [#""x""#, #""""#, "5"]),
      ("double", "StringToDouble", [#""x""#, "true"]), ("date", "UnixTime", [#""x""#, "true"]),
      ("date", "DateFormat(yyyy-MM-dd)", [#""2024-13-01""#, #""x""#, "2024"]),
      ("boolean", "IntegerToBoolean", ["2", #""1""#]),
      ("boolean", "StringToBoolean", [#""ja""#, "1"]), ("uri", "StringToURL", ["5"]),
      ("uuid", "StringToUUID", [#""x""#]),
    ])
  func builtIn(type: String, name: String, values: [String]) throws {
    let context = try Fixture.context(
      #""T": {"attributes": {"x": {"type": "\#(type)", "optional": true, "JSONTransformerName": "\#(name)"}}}"#)
    for value in values {
      let lines = refusals(#"[{"x": 1️⃣\#(value)}]"#, of: "T", in: context)
      #expect(
        lines.count == 1 && lines[0].hasPrefix("1️⃣ error: expected ") && lines[0].hasSuffix("(at $[0].x)"), "\(lines)")
    }
    #expect(refusals(#"[{"x": null}, {}]"#, of: "T", in: context) == [])
  }

  // MARK: Calling back

  /// A box that lets closures access the context, although a context is not Sendable. This is safe because closures run in the isolation of
  /// the import.
  private final class Reach: @unchecked Sendable {
    var context: ManagedObjectContext?
    var errors: [String] = []
  }

  @Test(
    "T5: a closure that imports into its own context gets an error, and the import fails even if the error is caught"
  )
  func reentrantImport() throws {
    let reach = Reach()
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Reenter") { (text: String) in
      do {
        if let context = reach.context { try objects(ofEntity: "T", fromJSON: #"[{"id": 9}]"#, in: context) }
      } catch {
        reach.errors.append("\(error)")
      }
      return text
    }
    let context = try Fixture.context(
      #""T": {"identityAttributes": "id", "attributes": {"id": "integer64", "x": {"type": "string", "optional": true, "JSONTransformerName": "Reenter"}}}"#,
      transformers: registry)
    reach.context = context
    let words = "the transformer 'Reenter' must not import: the context is in the middle of an import"
    #expect(
      refusals(#"[{"id": 1, "x": 1️⃣"a"}, {"id": 2, "x": "b"}]"#, of: "T", in: context)
        == ["1️⃣ error: \(words) (at $[0].x)"])
    #expect(reach.errors == ["error: \(words)", "error: \(words)"])
    #expect(context.drawing == "")
    reach.context = nil
  }

  @Test("T5: a closure can rethrow the error of its own import; the context works afterwards")
  func reentrantFailure() throws {
    let reach = Reach()
    var registry = TransformerRegistry.standard
    registry.registerEntityMapper(named: "Reenter") { dictionary in
      if dictionary["again"] != nil, let context = reach.context {
        try object(ofEntity: "T", fromJSON: ["id": 9], in: context)
      }
      return nil
    }
    let context = try Fixture.context(
      #""T": {"identityAttributes": "id", "entityMapperName": "Reenter", "attributes": {"id": "integer64"}}"#,
      transformers: registry)
    reach.context = context
    let error = #expect(throws: ImportError.self) {
      try objects(ofEntity: "T", fromJSON: #"[{"id": 1}, {"id": 2, "again": true}]"#, in: context)
    }
    #expect((error?.underlyingError as? ImportError)?.diagnostics.map(\.code) == [.reentrantCall])
    #expect(context.drawing == "")
    try objects(ofEntity: "T", fromJSON: #"[{"id": 1}]"#, in: context)
    #expect(context.drawing == "T(1)")
    reach.context = nil
  }

  @Test("T5: a closure that changes objects, deletes or exports makes the import fail, but a closure can read")
  func reentrantUse() throws {
    let reach = Reach()
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Meddle") { (text: String) in
      guard let context = reach.context, let first = try context.find(ofEntity: "T", identity: 1) else { return text }
      for meddle in [
        { try first.setValue(.string("meddled"), of: "x") }, { try context.delete(first) },
        { _ = try jsonData(from: first) },
      ] as [() throws -> Void] {
        do {
          try meddle()
          reach.errors.append("accepted")
        } catch {
          reach.errors.append("\(error)")
        }
      }
      return (first["x"] as String? ?? "") + text
    }
    let context = try Fixture.context(
      #""T": {"identityAttributes": "id", "attributes": {"id": "integer64", "x": {"type": "string", "optional": true, "JSONTransformerName": "Meddle"}}}"#,
      transformers: registry)
    try objects(ofEntity: "T", fromJSON: #"[{"id": 1, "x": "a"}]"#, in: context)
    reach.context = context
    // The error reports the first of these calls.
    #expect(
      refusals(#"[{"id": 2, "x": 1️⃣"b"}]"#, of: "T", in: context) == [
        "1️⃣ error: the transformer 'Meddle' must not set a property: the context is in the middle of an import (at $[0].x)"
      ])
    #expect(
      reach.errors.count == 3 && reach.errors.allSatisfy { $0.contains("in the middle of an import") },
      "\(reach.errors)")
    #expect(context.drawing == "T(1) x=\"a\"")
    reach.context = nil
    try objects(ofEntity: "T", fromJSON: #"[{"id": 2, "x": "b"}]"#, in: context)
    #expect(context.drawing == "T(1) x=\"a\"\nT(2) x=\"b\"")
  }

  @Test("T5: a closure can import into another context")
  func otherContext() throws {
    let reach = Reach()
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Other") { (text: String) -> String? in
      if let context = reach.context { try object(ofEntity: "T", fromJSON: ["id": text.count], in: context) }
      return text
    }
    let model = try Fixture.context(
      #""T": {"identityAttributes": "id", "attributes": {"id": "integer64", "x": {"type": "string", "optional": true, "JSONTransformerName": "Other"}}}"#,
      transformers: registry
    ).model
    let (inner, outer) = (ManagedObjectContext(model: model), ManagedObjectContext(model: model))
    reach.context = inner
    try objects(ofEntity: "T", fromJSON: #"[{"id": 1, "x": "abc"}]"#, in: outer)
    #expect(inner.drawing == "T(3)" && outer.drawing == #"T(1) x="abc""#)
    reach.context = nil
  }

  @Test("I7: dictionary transformers of entities between the declared and the chosen entity run, once each")
  func transformersOnTheWay() throws {
    var registry = TransformerRegistry.standard
    for name in ["A", "B", "C"] {
      registry.registerDictionaryTransformer(named: name) { dictionary in
        dictionary.merging(["trail": "\(dictionary["trail"] ?? "")\(name)"]) { $1 }
      }
    }
    let context = try Fixture.context(
      """
      "Top": {"attributes": {"trail": "string"}, "JSONDictionaryTransformerName": "A",
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"middle": "Middle", "low": "Low", "bottom": "Bottom"}}},
      "Middle": {"parent": "Top", "JSONDictionaryTransformerName": "B"},
      "Low": {"parent": "Middle"},
      "Bottom": {"parent": "Low", "JSONDictionaryTransformerName": "C"}
      """, transformers: registry)
    func trail(_ entity: String, _ kind: String) throws -> String? {
      try object(ofEntity: entity, fromJSON: ["kind": kind], in: context)["trail"]
    }
    #expect(try trail("Top", "none") == "A")
    #expect(try trail("Top", "middle") == "AB")
    #expect(try trail("Top", "low") == "AB")
    #expect(try trail("Top", "bottom") == "AC")
    #expect(try trail("Middle", "low") == "B")
    #expect(try trail("Low", "none") == "B")
  }
}
