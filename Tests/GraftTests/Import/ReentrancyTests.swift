import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Reentrant closures") struct ReentrancyTests {
  /// A box that lets closures access the context, although a context is not Sendable. This is safe because closures run in the isolation of
  /// the import.
  private final class Reach: @unchecked Sendable {
    var context: ManagedObjectContext?
    var object: ManagedObject?
    var kept: [Any] = []
    var call = ""

    func meddle() {
      guard let context, let object else { return }
      switch call {
      case "insert": kept.append(context.insert(ofEntity: "T"))
      case "insert and set":
        let inserted = context.insert(ofEntity: "T")
        inserted["x"] = "meddled"
        inserted["others"] = [object]
        kept.append(inserted)
      case "attribute": object["x"] = "meddled"
      case "slot": object.setAttribute("meddled", slot: 1)
      case "to-one": object["other"] = object
      case "to-many": object["others"] = [object]
      case "in place": (object["others"] as RelatedObjects<ManagedObject>).insert(object)
      case "commit": try? context.commit()
      case "validate": try? context.validate()
      case "rollBack": context.rollBack()
      case "reset": context.reset()
      case "snapshot": kept.append(context.snapshot())
      case "import": _ = try? context.importJSON(#"[{"id": 77}]"#, ofEntity: "V")
      case "atomically": _ = try? context.atomically { try context.importJSON(#"[{"id": 77}]"#, ofEntity: "V") }
      case "dryRun": _ = try? context.dryRun { try context.importJSON(#"[{"id": 77}]"#, ofEntity: "V") }
      case "setValue": try? object.setValue("meddled", of: "x")
      case "delete": try? context.delete(object)
      case "validate one": try? object.validate()
      case "export": _ = try? json(from: object)
      case "encode": _ = try? JSONEncoder().encode(object)
      case "stream": _ = try? ImportStream(ofEntity: "V", in: context)
      case "child":
        let child = context.makeChild()
        child.insert(ofEntity: "V")["id"] = 77
        try? child.commit()
      case "restore": if let snapshot = kept.first as? ContextSnapshot { context.restore(snapshot) }
      default: break
      }
    }
  }

  private static let calls = [
    ("insert", "insert an object of 'T'"), ("insert and set", "insert an object of 'T'"),
    ("attribute", "set a property"), ("slot", "set a property"), ("to-one", "change a relationship"),
    ("to-many", "change a relationship"), ("in place", "change a relationship"), ("commit", "commit"),
    ("validate", "validate the context"), ("rollBack", "roll back"), ("reset", "reset the context"),
    ("snapshot", "take a snapshot"), ("restore", "restore a snapshot"),
    // The closure catches the errors of these calls.
    ("import", "import"), ("setValue", "set a property"), ("delete", "delete an object"),
    ("validate one", "validate an object"), ("export", "export"), ("encode", "export"), ("stream", "import"),
    ("child", "read objects through a child"),
    // The reported call is the outer call, although the inner call in its closure is what fails.
    ("atomically", "run a transaction"), ("dryRun", "do a dry run"),
  ]

  private func graph(_ reach: Reach) throws -> ManagedObjectContext {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(
      named: "Meddle",
      { (text: String) in
        reach.meddle()
        return text
      },
      reverse: { (text: String) in
        reach.meddle()
        return text
      })
    registry.registerDictionaryTransformer(named: "MeddleD") { _ in
      reach.meddle()
      return nil
    }
    registry.registerEntityMapper(named: "MeddleM") { _ in
      reach.meddle()
      return nil
    }
    registry.registerValidation(ofEntity: "V", attribute: "x") { (_: String) in reach.meddle() }
    let context = try Fixture.context(
      #"""
      "V": {"identityAttributes": "id", "attributes": {"id": "integer64", "x": {"type": "string", "optional": true}}},
      "T": {"identityAttributes": "id", "attributes": {"id": "integer64",
        "x": {"type": "string", "optional": true, "JSONTransformerName": "Meddle"}},
        "relationships": {"other": {"destination": "T", "JSONKeyPath": null}, "others": {"destination": "T", "toMany": true, "JSONKeyPath": null}}},
      "D": {"identityAttributes": "id", "JSONDictionaryTransformerName": "MeddleD", "attributes": {"id": "integer64"}},
      "M": {"identityAttributes": "id", "entityMapperName": "MeddleM", "attributes": {"id": "integer64"}}
      """#, transformers: registry)
    try context.load(#"[{"id": 3}]"#, "V")
    reach.object = try context.load(#"[{"id": 1, "x": "first"}, {"id": 2}]"#, "T")[0]
    reach.object?["x"] = "pending"
    reach.kept = [ManagedObjectContext(model: context.model).snapshot()]
    reach.context = context
    return context
  }

  @Test(
    "T5, I11: a reentrant call has no effect and fails the import, even if the closure catches its error",
    arguments: calls, ["T", "D", "M"])
  func imports(call: (String, String), entity: String) throws {
    let callers = [
      "T": ("the transformer 'Meddle'", "1:17", "$[0].x"), "D": ("the dictionary transformer 'MeddleD'", "1:2", "$[0]"),
      "M": ("the entity mapper 'MeddleM'", "1:2", "$[0]"),
    ]
    let (caller, place, path) = try #require(callers[entity])
    let reach = Reach()
    let context = try graph(reach)
    defer { (reach.context, reach.object, reach.kept) = (nil, nil, []) }
    reach.call = call.0
    let before = context.dumpText
    let error = try #require(throws: ImportError.self) {
      try context.load(#"[{"id": 1, "x": "a"}, {"id": 9, "x": "b"}]"#, entity)
    }
    #expect(
      error.diagnostics.map(\.description) == [
        "<payload>:\(place): error: \(caller) must not \(call.1): the context is in the middle of an import"
      ])
    #expect(error.diagnostics[0].path == path)
    #expect(error.diagnostics[0].code == .reentrantCall)
    #expect(context.dumpText == before && context.hasChanges && context.checkInvariants() == [])
    for case let inserted as ManagedObject in reach.kept {
      #expect(inserted.isDeleted && inserted["x"] as String? == nil)
    }
    // The context can be used again.
    reach.call = ""
    try context.load(#"[{"id": 9, "x": "b"}]"#, entity)
    #expect(try context.find(ofEntity: entity, identity: 9) != nil && context.checkInvariants() == [])
  }

  @Test("T5, I18: a reentrant call fails an import even if the import skips faulty elements")
  func tolerantImport() throws {
    let reach = Reach()
    let context = try graph(reach)
    defer { (reach.context, reach.object, reach.kept) = (nil, nil, []) }
    reach.call = "insert"
    let before = context.dumpText
    let error = #expect(throws: ImportError.self) {
      try context.importJSON(
        #"[{"id": 1, "x": "a"}, {"id": 9, "x": "b"}]"#, ofEntity: "T", options: ImportOptions(faultyElements: .skip))
    }
    #expect(error?.diagnostics.map(\.code) == [.reentrantCall] && context.dumpText == before)
  }

  @Test("T5: reentrant calls fail an export", arguments: calls)
  func exports(call: (String, String)) throws {
    let reach = Reach()
    let context = try graph(reach)
    defer { (reach.context, reach.object, reach.kept) = (nil, nil, []) }
    reach.call = call.0
    let before = context.dumpText
    let error = try #require(throws: ExportError.self) { try context.exported("T") }
    #expect(
      error.diagnostics.map { "\($0.code): \($0.message)" } == [
        "reentrant-call: the reverse of the transformer 'Meddle' must not \(call.1): the context is in the middle of an export"
      ])
    #expect(error.diagnostics[0].path == "$[0].x")
    #expect(context.dumpText == before && context.checkInvariants() == [])
    reach.call = ""
    #expect(try context.exported("T").contains("pending"))
  }

  @Test("T5: reentrant calls fail a commit", arguments: calls)
  func commits(call: (String, String)) throws {
    let reach = Reach()
    let context = try graph(reach)
    defer { (reach.context, reach.object, reach.kept) = (nil, nil, []) }
    try context.find(ofEntity: "V", identity: 3)?["x"] = "edited"
    reach.call = call.0
    let before = context.dumpText
    let error = try #require(throws: ValidationError.self) { try context.commit() }
    #expect(
      error.diagnostics.map(\.message) == [
        "a validation of 'V.x' must not \(call.1): the context is in the middle of a validation (V(3))"
      ])
    #expect(error.diagnostics.map(\.code) == [.reentrantCall])
    #expect(context.dumpText == before && context.hasChanges && context.checkInvariants() == [])
    reach.call = ""
    try context.commit()
    #expect(try !context.hasChanges && context.find(ofEntity: "V", identity: 3)?["x"] == "edited")
  }

  @Test("T5: closures can read, fetch and look up objects")
  func reading() throws {
    let reach = Reach()
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Read") { (text: String) in
      guard let context = reach.context else { return text }
      let names = try context.fetch(ofEntity: "T", sortedBy: [.ascending("x")]).map(\.description)
      return try text + "\(names.count) \(context.find(ofEntity: "T", identity: 1)?.objectID.description ?? "")"
    }
    let context = try Fixture.context(
      #""T": {"identityAttributes": "id", "attributes": {"id": "integer64", "x": {"type": "string", "optional": true, "JSONTransformerName": "Read"}}}"#,
      transformers: registry)
    try context.load(#"[{"id": 1, "x": "a"}]"#, "T")
    reach.context = context
    defer { reach.context = nil }
    try context.load(#"[{"id": 2, "x": "b"}, {"id": 3, "x": "c"}]"#, "T")
    #expect(context.drawing == "T(1) x=\"a\"\nT(2) x=\"b1 T(1)\"\nT(3) x=\"c2 T(1)\"")
  }
}
