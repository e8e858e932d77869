import Foundation
import Graft
import GraftTestSupport
import Testing

/// What a program can read from an error: its code, its JSON path, and whether it refers to a line of the model.
@Suite("Error codes") struct ErrorCodeTests {
  private static let entities = #"""
    "Hero": {
      "identityAttributes": "id", "entityMapperName": "Kind", "JSONDictionaryTransformerName": "Dictionary",
      "attributes": {
        "id": "integer64",
        "name": {"type": "string", "optional": true, "maxLength": 5},
        "city": {"type": "string", "optional": true, "JSONKeyPath": "home.city"},
        "rank": {"type": "integer16", "optional": true, "JSONTransformerName": "Rank"},
        "motto": "string"
      },
      "relationships": {
        "powers": {"destination": "Power", "toMany": true, "inverse": "hero", "deleteOrphans": true},
        "rival": {"destination": "Hero", "unresolvedRule": "deny"},
        "card": {"destination": "Card"},
        "shape": {"destination": "Shape"}
      }
    },
    "Villain": {"parent": "Hero"},
    "Power": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {
        "hero": {"destination": "Hero", "inverse": "powers"}, "tools": {"destination": "Tool", "toMany": true, "deleteRule": "deny"}
      }
    },
    "Tool": {"attributes": {"name": "string"}},
    "Card": {"identityAttributes": ["set", "number"], "attributes": {"set": "string", "number": "integer16"}},
    "Shape": {"abstract": true, "attributes": {"sides": "integer16"},
      "entityMapper": {"JSONKeyPath": "kind", "entities": {"square": "Square"}}},
    "Square": {"parent": "Shape"}
    """#

  private struct Failure: Error {}

  private static func context() throws -> ManagedObjectContext {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Rank") { (rank: Int) throws -> Int? in
      if rank == 13 { throw Failure() }
      return rank * 10_000
    }
    registry.registerEntityMapper(named: "Kind") { $0["kind"] as? String }
    registry.registerDictionaryTransformer(named: "Dictionary") { dictionary in
      if dictionary["fails"] != nil { throw Failure() }
      return nil
    }
    let context = try Fixture.context(entities, transformers: registry)
    let text = #"""
      {"id": 1, "motto": "m", "powers": [{"id": 1, "tools": [{"name": "saw"}]}]}
      """#
    try object(ofEntity: "Hero", fromJSON: text, in: context)
    try object(ofEntity: "Villain", fromJSON: #"{"id": 2, "motto": "m"}"#, in: context)
    return context
  }

  private struct Case: Sendable, CustomTestStringConvertible {
    var code: String
    var path: String
    var payload: String
    var hasNote = true
    var set: @Sendable (inout ImportOptions) -> Void = { _ in }

    init(
      _ code: String, _ path: String, _ payload: String, note: Bool = true,
      _ set: @escaping @Sendable (inout ImportOptions) -> Void = { _ in }
    ) {
      (self.code, self.path, self.payload, hasNote, self.set) = (code, path, payload, note, set)
    }

    var testDescription: String { "\(code): \(payload)" }
  }

  private static let cases: [Case] = [
    Case("wrong-type", "$[0].id", #"[{"id": "1", "motto": "m"}]"#),
    Case("wrong-identifier", "$[0].card[1]", #"[{"id": 1, "card": ["A", null]}]"#),
    Case("wrong-identifier", "$[0].card", #"[{"id": 1, "card": ["A"]}]"#),
    Case("wrong-transformer-input", "$[0].rank", #"[{"id": 1, "rank": "one"}]"#),
    Case("wrong-transformer-output", "$[0].rank", #"[{"id": 1, "rank": 9}]"#),
    Case("transformer-failed", "$[0].rank", #"[{"id": 1, "rank": 13}]"#),
    Case("closure-failed", "$[0]", #"[{"id": 1, "fails": true}]"#, note: false),
    Case("wrong-entity", "$[0]", #"[{"id": 1, "kind": "Power"}]"#),
    Case("abstract-entity", "$[0].shape.kind", #"[{"id": 1, "shape": {"kind": "circle"}}]"#),
    Case("entity-conflict", "$[0]", #"[{"id": 2, "kind": "Hero"}]"#),
    Case("blocked-key-path", "$[0].home", #"[{"id": 1, "home": 5}]"#),
    Case("duplicate-key", "$[0].name", #"[{"id": 1, "name": "a", "name": "b"}]"#, note: false),
    Case("unknown-key", "$[0].nam", #"[{"id": 1, "nam": "a"}]"#) { $0.unknownKeys = .error },
    Case("unresolved-identifier", "$[0].rival", #"[{"id": 1, "rival": 9}]"#),
    Case("missing-value", "$[0].motto", #"[{"id": 3}]"#),
    Case("invalid-value", "$[0].name", #"[{"id": 1, "name": "too long"}]"#),
    Case("deletion-denied", "$[0]", #"[{"id": 1, "powers": []}]"#),
    Case("syntax-error", "$[0].id", #"[{"id": 1,}]"#, note: false),
    Case("limit-bytes", "$", #"[{"id": 1}]"#, note: false) { $0.limits.bytes = 5 },
    Case("limit-depth", "$[0].home", #"[{"id": 1, "home": {"city": "c"}}]"#, note: false) { $0.limits.depth = 2 },
    Case("limit-objects", "$[0]", #"[{"id": 4, "motto": "m"}]"#, note: false) { $0.limits.objects = 0 },
    Case("limit-string-bytes", "$[0].name", #"[{"id": 1, "name": "abc"}]"#, note: false) { $0.limits.stringBytes = 2 },
    Case("limit-number-bytes", "$[0].id", #"[{"id": 100}]"#, note: false) { $0.limits.numberBytes = 2 },
  ]

  @Test(
    "I11: every error in a payload has a code, a JSON path and the line of the model that it violates",
    arguments: cases)
  private func payload(one: Case) throws {
    let context = try Self.context()
    let before = context.dump()
    var options = ImportOptions(sourceName: "p.json")
    one.set(&options)
    let error = #expect(throws: ImportError.self) {
      try objects(ofEntity: "Hero", fromJSON: one.payload, in: context, options: options)
    }
    let diagnostic = try #require(error?.diagnostics.first)
    #expect(error?.diagnostics.count == 1)
    #expect(diagnostic.code.rawValue == one.code)
    #expect(diagnostic.path == one.path)
    #expect(diagnostic.location?.file == "p.json" && diagnostic.location?.line == 1)
    #expect(diagnostic.notes.contains { $0.location?.file == "m.json" } == one.hasNote)
    #expect(context.dump() == before)
  }

  @Test("I11: errors in the arguments of a call also have codes")
  func calls() throws {
    let context = try Self.context()
    func code(_ body: () throws -> Void) -> String? {
      do {
        try body()
        return nil
      } catch {
        return (error as? any DiagnosticError)?.diagnostics.first?.code.rawValue
      }
    }
    #expect(code { try object(ofEntity: "Heroe", fromJSON: "{}", in: context) } == "unknown-entity")
    #expect(code { try object(ofEntity: "Hero", fromJSON: "null", in: context) } == "no-object")
    #expect(code { try object(ofEntity: "Hero", fromJSON: ["motto": "m", "id": Date()], in: context) } == "not-json")
    let hero = try #require(try context.find(ofEntity: "Hero", identity: 2))
    try context.delete(hero)
    #expect(code { _ = try jsonData(from: hero) } == "deleted-object")
    #expect(code { _ = try ManagedObjectModel(contentsOf: URL(fileURLWithPath: "/none/m.json")) } == "unreadable-file")
  }

  private final class Hero: ManagedObject {}
  private final class Rogue: ManagedObject { override class var entityName: String { "Hero" } }
  private final class Villain: ManagedObject {}
  private final class Nobody: ManagedObject {}

  @Test(
    "M9: classes that fit no entity, or only another entity, cause errors with codes",
    arguments: [
      ([Nobody.self], "class-without-entity"), ([Hero.self, Rogue.self], "two-classes"),
      ([Hero.self, Villain.self], "class-outside-hierarchy"),
    ] as [([ManagedObject.Type], String)])
  func classes(types: [ManagedObject.Type], code: String) throws {
    let text = #"{"entities": {"Hero": {"attributes": {}}, "Villain": {"parent": "Hero"}}}"#
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(text: text, classes: types) }
    #expect(error?.diagnostics.map(\.code.rawValue) == [code])
  }

  @Test("T4, E1: a reverse closure whose result could not be imported again stops the export with an error code")
  func deepExport() throws {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Deep") { (value: JSON) in
      value
    } reverse: { _ in
      (0..<9_000).reduce(JSON.null) { inner, _ in .array([inner]) }
    }
    let context = try Fixture.context(
      #""Box": {"attributes": {"value": {"type": "json", "JSONTransformerName": "Deep"}}}"#, transformers: registry)
    nonisolated(unsafe) let box = try object(ofEntity: "Box", fromJSON: #"{"value": 1}"#, in: context)
    nonisolated(unsafe) var code: String?
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      do throws(ExportError) {
        _ = try json(from: box, options: ExportOptions(maxDepth: 10_000))
      } catch {
        code = error.diagnostics.first?.code.rawValue
      }
      isDone.signal()
    }
    // Swift releases nested values level by level.
    thread.stackSize = 64 << 20
    thread.start()
    isDone.wait()
    #expect(code == "invalid-export")
  }

  @Test("T5: an export during an import has an error code")
  func reentrantExport() throws {
    nonisolated(unsafe) var found: String?
    nonisolated(unsafe) weak var context: ManagedObjectContext?
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Look") { (number: Int) in
      do {
        _ = try context?.fetch(ofEntity: "Box").first.map { try jsonData(from: $0) }
      } catch {
        found = (error as? ExportError)?.diagnostics.first?.code.rawValue
      }
      return number
    }
    let made = try Fixture.context(
      #""Box": {"attributes": {"value": {"type": "integer64", "JSONTransformerName": "Look"}}}"#,
      transformers: registry)
    context = made
    try made.load(#"[{"value": 1}]"#, "Box")
    let error = #expect(throws: ImportError.self) { try made.load(#"[{"value": 2}]"#, "Box") }
    #expect(found == "reentrant-call" && error?.diagnostics.map(\.code) == [.reentrantCall])
  }
}
