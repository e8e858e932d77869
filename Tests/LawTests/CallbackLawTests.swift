import Foundation
import Graft
import GraftTestSupport
import Testing

/// Every public function, called from every closure of the program (T5). Afterwards, the graph is consistent, the context is usable, and
/// the call has either succeeded, or has been refused and made the closure's operation fail.
@Suite("Law: reentrant calls") struct CallbackLawTests {
  @Test(
    "T5: every reentrant call either succeeds or makes its operation fail, and the graph stays consistent",
    arguments: Caller.all
  )
  func law(_ caller: Caller) throws {
    let expected = try outcome(of: nil, from: caller, isThrownOn: false, caller.name)
    #expect(expected.error == nil && expected.calls == 1)
    for call in Call.all { try check(call, from: caller, isThrownOn: false, expected) }
  }

  @Test("T5, I11: an error that a closure rethrows names the closure and its location", arguments: Caller.all)
  func thrownOn(_ caller: Caller) throws {
    guard caller.throwsOn else { return }
    let expected = try outcome(of: nil, from: caller, isThrownOn: false, caller.name)
    for call in Call.all { try check(call, from: caller, isThrownOn: true, expected) }
  }

  private func check(_ call: Call, from caller: Caller, isThrownOn: Bool, _ expected: Outcome) throws {
    let place = "\(call.name) from \(caller.name)\(isThrownOn ? ", thrown on" : "")"
    let found = try outcome(of: call, from: caller, isThrownOn: isThrownOn, "\(place)")
    #expect(found.calls == 1, "\(place)")
    let isAllowed = call.kind == .read || call.kind == .edit && caller.mayEdit
    if isAllowed {
      #expect(
        found.error == nil && found.refusal == nil, "\(place): \(found.refusal.map { "\($0)" } ?? found.error ?? "")")
      #expect(call.isDone == nil ? found.dump == expected.dump : found.isDone, "\(place): \(found.dump)")
      return
    }
    #expect(!found.isDone, "\(place)")
    let error = try #require(found.error, "\(place): accepted")
    #expect(found.dump == found.before, "\(place)")
    #expect(error.contains("\(caller.words) must not "), "\(place): \(error)")
    #expect(error.contains(": the context is in the middle of \(caller.work)"), "\(place): \(error)")
    // Each fault in an import has a location in the payload; each fault in an export has the path of the value.
    #expect(error.contains("payload>:1:") == (caller.work == "an import"), "\(place): \(error)")
  }

  private struct Outcome {
    var before: String
    var dump: String
    var calls: Int
    var isDone: Bool
    /// The error that the library threw, and the error that the closure's call threw.
    var error: String?
    var refusal: (any Error)?
  }

  private func outcome(of call: Call?, from caller: Caller, isThrownOn: Bool, _ place: String) throws -> Outcome {
    let meddler = Meddler(caller: caller.name, call: call, isThrownOn: isThrownOn)
    return try Meddler.$current.withValue(meddler) {
      let context = try Meddling.context()
      try context.importJSON(Meddling.stored, ofEntity: "Note")
      try context.importJSON(#"[{"id": 7}]"#, ofEntity: "Tag")
      meddler.context = context
      meddler.note = try context.find(Note.self, identity: 1)
      meddler.snapshot = context.snapshot()
      meddler.stream = try ImportStream(ofEntity: "Tag", in: context)
      defer { meddler.forget() }
      meddler.note?["count"] = 1
      try caller.prepare(context)
      let before = context.dumpText
      meddler.isArmed = true
      var failure: String?
      do { try caller.trigger(context) } catch { failure = "\(error)" }
      meddler.isArmed = false
      let outcome = Outcome(
        before: before, dump: context.dumpText, calls: meddler.calls,
        isDone: try call?.isDone?(context) ?? false, error: failure, refusal: meddler.refusal)
      #expect(context.checkInvariants() == [], "\(place)")
      // The context can still import payloads, edit, and commit in transactions, because everything is closed.
      try context.importJSON(#"[{"id": 900}]"#, ofEntity: "Tag")
      try context.find(ofEntity: "Tag", identity: 900)?["name"] = "edited"
      try context.atomically { try context.commit() }
      #expect(try !context.hasChanges && context.find(ofEntity: "Tag", identity: 900) != nil, "\(place)")
      meddler.stream?.cancel()
      #expect(context.checkInvariants() == [], "\(place)")
      context.reset()
      return outcome
    }
  }

  /// Names of functions that need no row in the table.
  private static let exempt: Set<String> = [
    // These functions suspend, which closures called by the library cannot do.
    "perform",
    // These functions belong to collections and comparisons, not to the graph.
    "hash", "next", "makeIterator", "symmetricDifference",
    // These functions convert data to data.
    "encode", "reversed",
  ]

  @Test("T5: the table of calls contains every public function that has a context as a parameter or belongs to one")
  func complete() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/Graft")
    let files = [
      "ManagedObjectContext", "ManagedObject+", "ManagedObject.swift", "BackgroundContext", "RelatedObjects",
      "ContextSnapshot", "ValidationError", "ChangeObservers", "Serialization", "EncodableImport", "ImportStream",
    ]
    var names = Set<String>()
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path).sorted()
    where path.hasSuffix(".swift") {
      let file = sources.appendingPathComponent(path)
      guard files.contains(where: { file.lastPathComponent.hasPrefix($0) }) else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /(?m)^ *(?:@\w+ )*(?:public|open) (?:nonmutating |static |convenience )*func (\w+)/)
      {
        names.insert(String(match.1))
      }
    }
    let called = Set(Call.all.flatMap(\.functions))
    #expect(names.count > 35)
    #expect(names.subtracting(called).subtracting(Self.exempt).sorted() == [])
  }
}

// MARK: The model

private final class Note: ManagedObject, ImportObserving, Decodable {
  override class var queryableProperties: [QueryableProperty] { [.init(\Note.text, "text"), .init(\Note.id, "id")] }

  var id: Int? { self["id"] }
  var text: String? { self["text"] }

  static func shouldImport(_ payload: JSON) throws -> Bool {
    try Meddler.current.run("shouldImport")
    return true
  }

  func willImport(_ payload: JSON) throws { try Meddler.current.run("willImport") }
  func didImport(_ payload: JSON) throws { try Meddler.current.run("didImport") }
}

private final class Tag: ManagedObject {}

/// A class that sets its own values in code when an object is decoded.
private final class Label: ManagedObject, DecodableManagedObject {
  func setValues(from decoder: any Decoder) throws { self["id"] = 5 }
}

private enum Meddling {
  /// The first note is updated, the second note is not mentioned, and the third note is a placeholder.
  static let stored = #"[{"id": 1, "text": "one", "tags": [{"id": 1}, {"id": 2}]}, {"id": 2, "text": "two"}, 3]"#
  static let payload = #"[{"id": 1, "text": "new", "tags": [2, 1]}, {"id": 4, "text": "four"}]"#

  static func context() throws -> ManagedObjectContext { ManagedObjectContext(model: try model.get()) }

  private static let model = Result { try makeModel() }

  private static func makeModel() throws -> ManagedObjectModel {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(
      named: "Text",
      { (text: String) -> String? in
        try Meddler.current.run("forward")
        return text
      },
      reverse: { (text: String) -> String? in
        try Meddler.current.run("reverse")
        return text
      })
    registry.registerDictionaryTransformer(named: "Whole") { _ in
      try Meddler.current.run("dictionary transformer")
      return nil
    }
    registry.registerEntityMapper(named: "Kind") { _ in
      try Meddler.current.run("mapper")
      return nil
    }
    registry.registerValidation(ofEntity: "Note", attribute: "text") { (_: String) in
      try Meddler.current.run("value validation")
    }
    registry.registerValidation(of: Note.self) { _ in try Meddler.current.run("object validation") }
    return try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Note": {
            "identityAttributes": "id", "JSONDictionaryTransformerName": "Whole", "entityMapperName": "Kind",
            "attributes": {
              "id": "integer64", "text": {"type": "string", "optional": true, "JSONTransformerName": "Text"},
              "count": {"type": "integer16", "optional": true, "JSONKeyPath": null}
            },
            "relationships": {
              "next": {"destination": "Note", "JSONKeyPath": null},
              "tags": {"destination": "Tag", "toMany": true, "ordered": true, "inverse": "notes"}
            }
          },
          "Tag": {
            "identityAttributes": "id",
            "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
            "relationships": {"notes": {"destination": "Note", "toMany": true, "inverse": "tags", "JSONKeyPath": null}}
          },
          "Label": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
        }}
        """, transformers: registry, classes: [Note.self, Tag.self, Label.self])
  }
}

/// Makes one call the first time that one of the closures runs.
private final class Meddler: @unchecked Sendable {
  @TaskLocal static var current = Meddler(caller: "", call: nil, isThrownOn: false)

  let caller: String
  let call: Call?
  let isThrownOn: Bool
  var isArmed = false
  var calls = 0
  var refusal: (any Error)?
  var context: ManagedObjectContext?
  var note: ManagedObject?
  var snapshot: ContextSnapshot?
  var stream: ImportStream?
  /// Objects that calls created and that are still held.
  var kept: [Any] = []

  init(caller: String, call: Call?, isThrownOn: Bool) {
    self.caller = caller
    self.call = call
    self.isThrownOn = isThrownOn
  }

  func forget() { (context, note, snapshot, stream, kept) = (nil, nil, nil, nil, []) }

  func run(_ name: String) throws {
    guard isArmed, name == caller, calls == 0, let context, let note, let snapshot, let stream else { return }
    calls += 1
    do {
      try call?.body(Scene(context: context, note: note, snapshot: snapshot, stream: stream, meddler: self))
    } catch {
      refusal = error
      if isThrownOn { throw error }
    }
  }
}

private struct Scene {
  var context: ManagedObjectContext
  var note: ManagedObject
  var snapshot: ContextSnapshot
  var stream: ImportStream
  var meddler: Meddler
  var tags: RelatedObjects<ManagedObject> { note["tags"] }

  func keep(_ value: Any) { meddler.kept.append(value) }
  func tag(_ id: Int) throws -> ManagedObject { try #require(try context.find(ofEntity: "Tag", identity: id)) }
}

// MARK: Callers

struct Caller: Sendable, CustomTestStringConvertible {
  var name: String
  /// The caller's name in messages, and the operation that calls it.
  var words: String
  var work = "an import"
  var mayEdit = false
  var throwsOn = true
  var prepare: @Sendable (ManagedObjectContext) throws -> Void = { _ in }
  var trigger: @Sendable (ManagedObjectContext) throws -> Void = { context in
    try context.importJSON(
      Meddling.payload,
      [.objects(ofEntity: "Note", missing: .deleteWhere { _ in (try? Meddler.current.run("deleteWhere")) == nil })])
  }

  var testDescription: String { "\(name) in the middle of \(work)" }

  static let all = [
    Caller(name: "forward", words: "the transformer 'Text'"),
    Caller(name: "dictionary transformer", words: "the dictionary transformer 'Whole'"),
    Caller(name: "mapper", words: "the entity mapper 'Kind'"),
    Caller(name: "shouldImport", words: "'shouldImport' of 'Note'"),
    Caller(name: "willImport", words: "'willImport' of 'Note'"),
    Caller(name: "didImport", words: "'didImport' of 'Note'", mayEdit: true),
    Caller(name: "deleteWhere", words: "the 'deleteWhere' closure for 'Note'", throwsOn: false),
    Caller(name: "value validation", words: "a validation of 'Note.text'"),
    Caller(name: "object validation", words: "a validation of 'Note'"),
    Caller(
      name: "reverse", words: "the reverse of the transformer 'Text'", work: "an export",
      trigger: { _ = try $0.exported("Note") }),
    Caller(
      name: "value validation", words: "a validation of 'Note.text'", work: "a validation",
      prepare: { try $0.find(Note.self, identity: 2)?["text"] = "edited" }, trigger: { try $0.validate() }),
    Caller(
      name: "object validation", words: "a validation of 'Note'", work: "a validation",
      prepare: { try $0.find(Note.self, identity: 2)?["text"] = "edited" }, trigger: { try $0.commit() }),
    Caller(
      name: "object validation", words: "a validation of 'Note'", work: "a validation",
      trigger: { try $0.find(Note.self, identity: 2)?.validate() }),
  ]
}

// MARK: Calls

private struct Call {
  enum Kind {
    /// A call that is harmless at any time.
    case read
    /// A call that changes objects, which `didImport` can do.
    case edit
    /// A call that begins, ends or reads the operation in progress as a whole, which no closure can do.
    case control
  }

  var name: String
  /// The names of the functions that the body calls.
  var functions: [String]
  var kind: Kind
  /// Returns whether the call's effect is in the graph; nil if the call has no effect on the graph.
  var isDone: ((ManagedObjectContext) throws -> Bool)?
  var body: (Scene) throws -> Void

  static func read(_ name: String, _ functions: [String], _ body: @escaping (Scene) throws -> Void) -> Call {
    Call(name: name, functions: functions, kind: .read, body: body)
  }

  static func control(_ name: String, _ functions: [String], _ body: @escaping (Scene) throws -> Void) -> Call {
    Call(name: name, functions: functions, kind: .control, body: body)
  }

  static func edit(
    _ name: String, _ functions: [String], _ body: @escaping (Scene) throws -> Void,
    isDone: ((ManagedObjectContext) throws -> Bool)? = nil
  ) -> Call {
    Call(name: name, functions: functions, kind: .edit, isDone: isDone, body: body)
  }

  static var all: [Call] { reads + edits + relations + controls + imports + exports + streams }

  private static var reads: [Call] {
    [
      .read("find", ["find"]) { scene in
        try scene.keep(scene.context.find(Note.self, identity: 1) as Any)
        try scene.keep(scene.context.find(ofEntity: "Tag", identity: 2) as Any)
        try scene.keep(scene.context.find(scene.note.objectID) as Any)
        try scene.keep(scene.context.find(Note.self, scene.note.objectID) as Any)
      },
      .read("fetch", ["fetch"]) { scene in
        try scene.keep(scene.context.fetch(Note.self, sortedBy: [.descending("text")]))
        try scene.keep(scene.context.fetch(Note.self) { !$0.isDeleted })
        try scene.keep(scene.context.fetch(ofEntity: "Tag", limit: 1, offset: 1))
        try scene.keep(scene.context.fetch(ofEntity: "Note") { $0["text"] != "x" })
      },
      .read("makeChild()", ["makeChild"]) { scene in scene.keep(scene.context.makeChild()) },
      .read("count", ["count"]) { scene in
        try scene.keep(scene.context.count(Note.self) + scene.context.count(ofEntity: "Tag"))
        try scene.keep(scene.context.count(Note.self) { $0["text"] == "one" })
        try scene.keep(scene.context.placeholders)
      },
      .read("queries", ["fetch", "fetchOne", "count", "exists"]) { scene in
        scene.keep(try scene.context.fetchOne(Note.self, where: "id > 0", sortedBy: .descending("id")) as Any)
        scene.keep(try scene.context.fetch(Note.self, where: #Predicate { $0.text == "one" }))
        scene.keep(try scene.context.count(Note.self, where: #Predicate { $0.id == 1 }))
        scene.keep(try scene.context.exists(Note.self, where: #Predicate { $0.text != nil }))
        scene.keep(try scene.context.exists(Note.self) { $0["text"] == "one" })
        scene.keep(try scene.context.fetchOne(Note.self) { $0["text"] == "one" } as Any)
      },
      .read("aggregates", ["sum", "minimum", "maximum", "average", "count"]) { scene in
        scene.keep(try scene.context.sum(\Note.id) + scene.context.count(groupedBy: \Note.text).count)
        scene.keep(try scene.context.minimum(\Note.id) as Any)
        scene.keep(try scene.context.maximum(\Note.text) as Any)
        scene.keep(try scene.context.average(\Note.id, groupedBy: \Note.text))
      },
      .read("live lists", ["results"]) { scene in
        scene.keep(try scene.context.results(Note.self, sortedBy: \.text).map { $0.id })
        scene.keep(try scene.context.results(ofEntity: "Tag").count)
      },
      .read("live values", ["liveCount", "liveSum", "liveMinimum", "liveMaximum", "liveAverage"]) { scene in
        scene.keep(try scene.context.liveCount(Note.self).value + scene.context.liveSum(\Note.id).value)
        scene.keep(try scene.context.liveMinimum(\Note.id).value as Any)
        scene.keep(try scene.context.liveMaximum(\Note.text).value as Any)
        scene.keep(try scene.context.liveAverage(\Note.id).value as Any)
      },
      .read("changes", ["updates"]) { scene in
        scene.keep(scene.context.hasChanges)
        scene.keep(scene.context.changes.description)
        scene.keep(scene.context.updates())
        scene.keep(scene.note.updates())
      },
      .read("isObservable", []) { scene in
        scene.context.isObservable = true
        scene.keep(scene.note.isDeleted)
      },
      .read("values", ["value", "propertyValue", "attribute", "integer", "string", "toOne", "slot"]) { scene in
        let note = scene.note
        let slot = { Note.slot(named: $0, in: scene.context.model) }
        let (optional, required): (Int?, Int) = (note[slot: slot("id")], note[required: slot("id")])
        scene.keep([note["id"] as Int?, note.integer(slot: slot("id")), optional, required])
        scene.keep([note.string(slot: slot("text")), note.attribute(slot: slot("text"))] as [String?])
        scene.keep(try note.value(of: "text", as: String.self) as Any)
        scene.keep(note.toOne(slot: slot("next")) as ManagedObject? as Any)
        scene.keep([try? note.propertyValue(of: "tags"), try? note.propertyValue(of: "next")])
        scene.keep([note.description, note.entity.name, note.objectID.description])
        scene.keep([note.isDeleted, note.isPlaceholder, note == note])
      },
      .read("related objects", ["contains"]) { scene in
        scene.keep(Array(scene.tags))
        scene.keep(scene.tags.count + scene.tags.filter { $0["id"] == 1 }.count)
        if let first = scene.tags.first { scene.keep(scene.tags.contains(first)) }
      },
      .read("another context", ["snapshot", "restore", "load"]) { scene in
        let other = ManagedObjectContext(scene.snapshot)
        try other.importJSON(#"[{"id": 70}]"#, ofEntity: "Tag")
        other.restore(scene.snapshot)
        scene.keep(scene.snapshot.count)
      },
    ]
  }

  private static func text(_ context: ManagedObjectContext) throws -> String? {
    try context.find(Note.self, identity: 1)?["text"]
  }

  private static var edits: [Call] {
    [
      .edit("insert(_:)", ["insert"]) { scene in
        scene.context.insert(Tag.self)["id"] = 77
      } isDone: {
        try $0.find(Tag.self, identity: 77) != nil
      },
      .edit("insert(ofEntity:)", ["insert"]) { scene in
        let tag = scene.context.insert(ofEntity: "Tag")
        tag["id"] = 77
        tag["notes"] = [scene.note]
      } isDone: {
        try $0.find(Tag.self, identity: 77) != nil
      },
      .edit("init(context:)", []) { scene in
        Tag(context: scene.context)["id"] = 77
      } isDone: {
        try $0.find(Tag.self, identity: 77) != nil
      },
      .edit("delete(_:)", ["delete"]) { scene in
        try scene.context.delete(scene.tag(7))
      } isDone: {
        try $0.find(Tag.self, identity: 7) == nil
      },
      .edit("delete(_:where:)", ["delete"]) { scene in
        try scene.context.delete(Note.self, where: #Predicate { $0.id == 2 })
      } isDone: {
        try $0.find(Note.self, identity: 2) == nil
      },
      .edit("delete(_:where:) with a closure", ["delete"]) { scene in
        try scene.context.delete(Note.self) { $0["id"] == 2 }
      } isDone: {
        try $0.find(Note.self, identity: 2) == nil
      },
      .edit("setAttribute(_:slot:)", ["setAttribute"]) { scene in
        scene.note.setAttribute("meddled", slot: Note.slot(named: "text", in: scene.context.model))
      } isDone: {
        try text($0) == "meddled"
      },
      .edit("subscript(name:)", []) { scene in
        scene.note["text"] = "meddled"
      } isDone: {
        try text($0) == "meddled"
      },
      .edit("subscript(slot:)", []) { scene in
        scene.note[slot: Note.slot(named: "text", in: scene.context.model)] = String?("meddled")
      } isDone: {
        try text($0) == "meddled"
      },
      .edit("subscript(required:)", []) { scene in
        scene.note[required: Note.slot(named: "text", in: scene.context.model)] = String("meddled")
      } isDone: {
        try text($0) == "meddled"
      },
      .edit("setValue(_:of:)", ["setValue"]) { scene in
        try scene.note.setValue(.string("meddled"), of: "text")
      } isDone: {
        try text($0) == "meddled"
      },
      .edit("setToOne(_:slot:)", ["setToOne"]) { scene in
        scene.note.setToOne(scene.note, slot: Note.slot(named: "next", in: scene.context.model))
      } isDone: {
        try ($0.find(Note.self, identity: 1)?["next"] as ManagedObject?) != nil
      },
      .edit("setToMany(_:slot:)", ["setToMany"]) { scene in
        scene.note.setToMany([try scene.tag(7)], slot: Note.slot(named: "tags", in: scene.context.model))
      } isDone: {
        try hasSeventh($0)
      },
      .edit("ManagedObject.validate()", ["validate"]) { scene in
        try scene.note.validate()
      },
      .edit("atomically(_:)", ["atomically"]) { scene in
        try scene.context.atomically {
          try scene.note.setValue(.string("meddled"), of: "text")
          try scene.context.delete(scene.tag(7))
        }
      } isDone: {
        try text($0) == "meddled" && $0.find(Tag.self, identity: 7) == nil
      },
      .edit("atomically(_:) that throws", ["atomically"]) { scene in
        try? scene.context.atomically {
          scene.context.insert(Tag.self)["id"] = 77
          scene.note["tags"] = [ManagedObject]()
          try scene.context.delete(scene.tag(7))
          throw CancellationError()
        }
      },
      .edit("dryRun(_:)", ["dryRun"]) { scene in
        try scene.context.dryRun { try scene.context.delete(scene.tag(7)) }
      },
      .edit("decoding(_:)", ["decoding"]) { scene in
        try scene.context.decoding { scene.note["text"] = "meddled" }
      } isDone: {
        try text($0) == "meddled"
      },
      .edit("decode(_:from:) by hand", ["decode", "setValues"]) { scene in
        scene.keep(try scene.context.decode(Label.self, from: Data("{}".utf8)))
      } isDone: {
        try $0.find(Label.self, identity: 5) != nil
      },
    ]
  }

  private static func hasSeventh(_ context: ManagedObjectContext) throws -> Bool {
    try (context.find(Note.self, identity: 1)?["tags"] as [ManagedObject]?)?.contains { $0["id"] == 7 } == true
  }

  private static func tagCount(_ context: ManagedObjectContext) throws -> Int {
    try (context.find(Note.self, identity: 1)?["tags"] as [ManagedObject]?)?.count ?? -1
  }

  private static var relations: [Call] {
    [
      .edit("tags = ...", []) { scene in
        scene.note["tags"] = [try scene.tag(7)]
      } isDone: {
        try hasSeventh($0)
      },
      .edit("insert", ["insert"]) { scene in
        scene.tags.insert(try scene.tag(7))
      } isDone: {
        try hasSeventh($0)
      },
      .edit("insert(_:at:)", ["insert"]) { scene in
        scene.tags.insert(try scene.tag(7), at: 0)
      } isDone: {
        try hasSeventh($0)
      },
      .edit("formUnion", ["formUnion"]) { scene in
        scene.tags.formUnion([try scene.tag(7)])
      } isDone: {
        try hasSeventh($0)
      },
      .edit("remove", ["remove"]) { scene in
        scene.tags.remove(try scene.tag(1))
      } isDone: {
        try tagCount($0) == 1
      },
      .edit("subtract", ["subtract"]) { scene in
        scene.tags.subtract([try scene.tag(1)])
      } isDone: {
        try tagCount($0) == 1
      },
      .edit("removeAll", ["removeAll"]) { scene in
        scene.tags.removeAll()
      } isDone: {
        try tagCount($0) == 0
      },
      .edit("removeAll(where:)", ["removeAll"]) { scene in
        scene.tags.removeAll { $0["id"] == 1 }
      } isDone: {
        try tagCount($0) == 1
      },
      .edit("remove(atOffsets:)", ["remove"]) { scene in
        scene.tags.remove(atOffsets: [0])
      } isDone: {
        try tagCount($0) == 1
      },
      .edit("replaceAll(with:)", ["replaceAll"]) { scene in
        scene.tags.replaceAll(with: [try scene.tag(7)])
      } isDone: {
        try hasSeventh($0)
      },
      .edit("remove(at:)", ["remove"]) { scene in
        scene.tags.remove(at: 0)
      } isDone: {
        try tagCount($0) == 1
      },
      .edit("removeFirst", ["removeFirst"]) { scene in
        scene.tags.removeFirst()
      } isDone: {
        try tagCount($0) == 1
      },
      .edit("removeLast", ["removeLast"]) { scene in
        scene.tags.removeLast()
      } isDone: {
        try tagCount($0) == 1
      },
      .edit("move", ["move"]) { scene in
        scene.tags.move(fromOffsets: [0], toOffset: 2)
        scene.tags.removeAll()
      } isDone: {
        try tagCount($0) == 0
      },
    ]
  }

  private static var controls: [Call] {
    [
      .control("commit()", ["commit"]) { try $0.context.commit() },
      .control("commit() of a child", ["makeChild", "commit"]) { scene in
        let child = scene.context.makeChild()
        child.insert(ofEntity: "Tag")["id"] = 77
        try child.commit()
      },
      .control("validate()", ["validate"]) { try $0.context.validate() },
      .control("rollBack()", ["rollBack"]) { $0.context.rollBack() },
      .control("reset()", ["reset"]) { $0.context.reset() },
      .control("snapshot()", ["snapshot"]) { $0.keep($0.context.snapshot()) },
      .control("restore(_:)", ["restore"]) { $0.context.restore($0.snapshot) },
      .control("merge(_:)", ["merge"]) { $0.context.merge($0.context.changes) },
      .control("atomically { commit() }", ["atomically"]) { scene in
        try scene.context.atomically { try scene.context.commit() }
      },
      .control("dryRun { rollBack() }", ["dryRun"]) { scene in
        scene.context.dryRun { scene.context.rollBack() }
      },
      .control("atomically { importJSON }", ["atomically"]) { scene in
        _ = try scene.context.atomically { try scene.context.importJSON(tag, ofEntity: "Tag") }
      },
      .control("dryRun { importJSON }", ["dryRun"]) { scene in
        _ = try scene.context.dryRun { try scene.context.importJSON(tag, ofEntity: "Tag") }
      },
    ]
  }

  private static let tag = #"[{"id": 77}]"#
  private static let one = #"{"id": 77}"#

  private static var imports: [Call] {
    [
      .control("importJSON(text)", ["importJSON"]) { try $0.context.importJSON(tag, ofEntity: "Tag") },
      .control("importJSON(JSON)", ["importJSON"]) { try $0.context.importJSON([["id": 77]] as JSON, ofEntity: "Tag") },
      .control("importJSON(Data)", ["importJSON"]) { try $0.context.importJSON(Data(tag.utf8), ofEntity: "Tag") },
      .control("importJSON(bytes)", ["importJSON"]) { try $0.context.importJSON(Array(tag.utf8), ofEntity: "Tag") },
      .control("importJSON(array)", ["importJSON"]) {
        try $0.context.importJSON([["id": 77]] as [Any], ofEntity: "Tag")
      },
      .control("importJSON(dictionary)", ["importJSON"]) {
        try $0.context.importJSON(["id": 77] as [String: Any], ofEntity: "Tag")
      },
      .control("importJSON(parts)", ["importJSON", "entity"]) {
        try $0.context.importJSON(tag, [.objects(ofEntity: "Tag")])
      },
      .control("object(fromJSON:)", ["object"]) { try object(Tag.self, fromJSON: one, in: $0.context) },
      .control("objects(fromJSON:)", ["objects"]) { try objects(Tag.self, fromJSON: tag, in: $0.context) },
      .control("object(fromEncodable:)", ["object", "objects"]) { scene in
        try object(Tag.self, fromEncodable: ["id": 77], in: scene.context)
      },
      .control("objects(fromJSONFile:)", ["objects"]) { scene in
        try withFile(tag) { try objects(Tag.self, fromJSON: $0, in: scene.context) }
      },
      .control("decode(_:from:)", ["decode"]) { scene in
        scene.keep(try scene.context.decode(ManagedObjectsUpsert<Tag>.self, from: Data(tag.utf8)))
      },
      .control("decode(_:from:) of a class", ["decode"]) { scene in
        scene.keep(try scene.context.decode(Note.self, from: Data(#"{"id": 1}"#.utf8)))
      },
    ]
  }

  private static func withFile(_ text: String, _ body: (URL) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("graft-\(UUID()).json")
    try Data(text.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try body(url)
  }

  private static var exports: [Call] {
    [
      .control("json(from:)", ["json"]) { $0.keep(try json(from: $0.note)) },
      .control("json(from: [])", ["json"]) { $0.keep(try json(from: [$0.note])) },
      .control("jsonData(from:)", ["jsonData"]) { $0.keep(try jsonData(from: $0.note)) },
      .control("jsonString(from:)", ["jsonString"]) { $0.keep(try jsonString(from: $0.note)) },
      .control("writeJSON(from:)", ["writeJSON"]) { run in try writeJSON(from: [run.note]) { run.keep($0) } },
      .control("encode(to:)", ["encode"]) { $0.keep(try JSONEncoder().encode($0.note)) },
      .control("decoded(as:)", ["decoded"]) { $0.keep(try $0.note.decoded(as: JSON.self)) },
    ]
  }

  private static var streams: [Call] {
    [
      .control("ImportStream", []) { $0.keep(try ImportStream(ofEntity: "Tag", in: $0.context)) },
      .control("ImportStream, whole", []) {
        $0.keep(try ImportStream(ofEntity: "Tag", in: $0.context, batches: ImportBatches(atomicity: .whole)))
      },
      .control("append(_:)", ["append"]) { try $0.stream.append(tag.utf8) },
      .control("finish()", ["finish"]) { try $0.stream.finish() },
      .control("cancel()", ["cancel"]) { $0.stream.cancel() },
      .control("importStream(contentsOf:)", ["importStream"]) { scene in
        try withFile(tag) { try scene.context.importStream(contentsOf: $0, ofEntity: "Tag") }
      },
    ]
  }
}
