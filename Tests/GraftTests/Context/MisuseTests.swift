#if compiler(>=6.2) && (os(Linux) || os(macOS))
  import Foundation
  import Graft
  import GraftTestSupport
  import Testing

  /// Programming errors: each stops the program with a message that describes the mistake.
  @Suite("Context: programming errors") struct MisuseTests {
    private static func heroes() throws -> (ManagedObjectContext, ManagedObject) {
      let context = try Fixture.context(Fixture.comics)
      return (context, try context.load(#"{"id": 1, "powers": [4]}"#, "Hero")[0])
    }

    private func message(_ result: ExitTest.Result?) -> String {
      let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
      let messages = lines.compactMap { $0.firstMatch(of: /(?:Fatal error|Precondition failed): (.*)/)?.1 }
      return messages.first.map(String.init) ?? "no message"
    }

    @Test("C2: setting a property of a deleted object traps with the object's name in the message")
    func deletedObject() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (context, hero) = try Self.heroes()
        try context.delete(hero)
        hero["name"] = "x"
      }
      #expect(message(result) == "'Hero(1)' was deleted: its properties cannot be set")
    }

    @Test("C2: setting a property traps after the object's insertion was rolled back or the context was reset")
    func detachedObject() async {
      let rolledBack = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (context, _) = try Self.heroes()
        let hero = context.insert(ofEntity: "Hero")
        context.rollBack()
        hero["name"] = "x"
      }
      #expect(message(rolledBack) == "'Hero (removed)' was deleted: its properties cannot be set")
      let reset = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (context, hero) = try Self.heroes()
        context.reset()
        hero["powers"] = [ManagedObject]()
      }
      #expect(message(reset) == "'Hero (removed)' was deleted: its properties cannot be set")
    }

    @Test("C1: a list created from an array literal cannot be changed")
    func literalList() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (_, hero) = try Self.heroes()
        let list: RelatedObjects<ManagedObject> = [hero]
        list.append(hero)
      }
      #expect(
        message(result) == "a list written as a literal cannot be changed; assign it to a relationship instead")
    }

    private final class Hero: ManagedObject {}

    @Test("C2: using a class that the model does not have traps, even if there is no object yet")
    func unknownClass() async {
      let fetched = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = try Fixture.context(Fixture.comics).fetch(Hero.self)
      }
      let expected = "the objects of 'Hero' are instances of ManagedObject, not of Hero: pass the class to the model"
      #expect(message(fetched) == expected)
      let imported = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = try objects(fromJSON: "[]", in: Fixture.context(Fixture.comics)) as [Hero]
      }
      #expect(message(imported) == expected)
    }

    @Test("C2: linking objects from different contexts traps, and so does deleting another context's object")
    func otherContext() async {
      let linked = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (_, hero) = try Self.heroes()
        let (other, _) = try Self.heroes()
        hero["publisher"] = other.insert(ofEntity: "Publisher") as ManagedObject?
      }
      #expect(message(linked) == "'Publisher#1' belongs to another context")
      let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (_, hero) = try Self.heroes()
        let (other, _) = try Self.heroes()
        try other.delete(hero)
      }
      #expect(message(deleted) == "'Hero(1)' belongs to another context")
    }

    @Test("C3: restoring a snapshot of another model traps, and so does a move in an unordered relationship")
    func others() async {
      let snapshot = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (context, _) = try Self.heroes()
        let (other, _) = try Self.heroes()
        context.restore(other.snapshot())
      }
      #expect(message(snapshot) == "the snapshot belongs to another model")
      let move = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (_, hero) = try Self.heroes()
        (hero["powers"] as RelatedObjects<ManagedObject>).move(fromOffsets: [0], toOffset: 0)
      }
      #expect(message(move) == "'Hero.powers' is not ordered, so positions cannot be chosen")
    }

    @Test("I10: a refused value traps inside a transaction that cannot throw, as it does outside a transaction")
    func refusedSetter() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let (context, hero) = try Self.heroes()
        context.atomically { hero["id"] = "x" }
      }
      #expect(message(result) == "'Hero.id' is declared integer64: it cannot hold the string \"x\"")
    }

    @Test("C3: a call from another thread during an import or export traps with a message about the caller's mistake")
    func twoThreads() async {
      let imported = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let context = try Self.meddledFromOutside { $0.insert(ofEntity: "T") }
        try context.load(#"[{"id": 1, "x": "a"}]"#, "T")
      }
      #expect(
        message(imported)
          == "the context is used by two threads at once: one tries to insert an object of 'T' while another is in the middle of an import. A context and its objects belong to the isolation that created them; to share a context, use 'BackgroundContext'"
      )
      let exported = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let context = try Self.meddledFromOutside { _ = try? $0.load("[2]", "T") }
        let object = context.insert(ofEntity: "T")
        object["x"] = "a"
        _ = try jsonData(from: object)
      }
      #expect(
        message(exported).hasPrefix(
          "the context is used by two threads at once: one tries to import while another is in the middle of an export."
        ))
    }

    /// A context with a transformer that blocks while another thread uses the context.
    private static func meddledFromOutside(
      _ body: @escaping @Sendable (ManagedObjectContext) -> Void
    ) throws -> ManagedObjectContext {
      nonisolated(unsafe) weak var shared: ManagedObjectContext?
      @Sendable func meddle(_ text: String) -> String? {
        let isDone = DispatchSemaphore(value: 0)
        Thread {
          if let shared { body(shared) }
          isDone.signal()
        }.start()
        isDone.wait()
        return text
      }
      var registry = TransformerRegistry.standard
      registry.registerValueTransformer(named: "Meddle", meddle, reverse: meddle)
      let context = try Fixture.context(
        #""T": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64", "optional": true}, "x": {"type": "string", "optional": true, "JSONTransformerName": "Meddle"}}}"#,
        transformers: registry)
      shared = context
      return context
    }

    @Test("C2: an object keeps its context alive")
    func contextOfAnObject() throws {
      let hero = try Self.heroes().1
      #expect(try hero.context.find(ofEntity: "Hero", identity: 1) === hero && hero["id"] as Int? == 1)
      hero["name"] = "still there"
      #expect(hero.context.changes.updated.count == 1)
    }
  }
#endif
