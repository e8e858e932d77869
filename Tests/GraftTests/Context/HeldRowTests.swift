import Graft
import GraftTestSupport
import Testing

#if canImport(Observation)
  import Observation
#endif

/// Rows move when the gaps of many deleted objects are closed, and when a snapshot is restored. An iteration that is in progress continues
/// with the same objects.
@Suite("Context: iteration while rows move") struct HeldRowTests {
  private final class Hero: ManagedObject {
    var id: Int { self["id"] ?? -1 }
    var notes: RelatedObjects<Note> { self["notes"] }
  }

  private final class Note: ManagedObject {
    var id: Int { self["id"] ?? -1 }
  }

  /// Deletes notes and commits, so that gaps are closed; does so only at the first call.
  private final class Deleter {
    private let context: ManagedObjectContext
    private(set) var hasDeleted = false

    init(_ context: ManagedObjectContext) { self.context = context }

    func deleteOnce(_ ids: Range<Int>) throws {
      guard !hasDeleted else { return }
      hasDeleted = true
      for id in ids { if let note = try context.find(Note.self, identity: id) { try? context.delete(note) } }
      for _ in 0..<600 { context.insert(Note.self)["id"] = Int.random(in: 1 << 40...1 << 60) }
      try? context.commit()
      for note in try context.fetch(Note.self) where note.id >= 1 << 40 { try? context.delete(note) }
      try? context.commit()
    }
  }

  private static let entities = #"""
    "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "notes": {"destination": "Note", "toMany": true, "inverse": "hero", "ordered": true},
      "friends": {"destination": "Hero", "toMany": true}}},
    "Note": {"identityAttributes": "id", "attributes": {"id": "integer64", "rank": {"type": "integer64", "optional": true}},
      "relationships": {"hero": {"destination": "Hero", "inverse": "notes"}}}
    """#

  private let context: ManagedObjectContext
  private let heroes: [Hero]

  /// Two heroes with 1,000 notes each; the rows alternate between the notes of one hero and the other.
  init() throws {
    context = try Fixture.context(Self.entities, classes: [Hero.self, Note.self])
    let notes = (0..<2_000).map { #"{"id": \#($0), "hero": \#($0 % 2), "rank": \#(($0 * 7) % 2_000)}"# }
    try context.load("[\(notes.joined(separator: ","))]", "Note")
    heroes = try objects(Hero.self, fromJSON: #"[{"id": 0}, {"id": 1}]"#, in: context)
  }

  /// Deletes the first notes, so that a commit closes gaps.
  private func deleteFirst(_ count: Int, except kept: Int? = nil) throws {
    for id in 0..<count where id != kept {
      if let note = try context.find(Note.self, identity: id) { try context.delete(note) }
    }
  }

  private func expectOrder() { #expect(context.checkInvariants() == []) }

  @Test("C2: deleting and committing in a loop over a relationship deletes exactly the objects in the relationship")
  func relationship() throws {
    var met: [Int] = []
    for note in heroes[0].notes {
      met.append(note.id)
      try context.delete(note)
      try context.commit()
    }
    #expect(met == Array(stride(from: 0, to: 2_000, by: 2)))
    #expect(heroes[0].notes.isEmpty && heroes[1].notes.map(\.id) == Array(stride(from: 1, to: 2_000, by: 2)))
    expectOrder()
  }

  @Test("C2: a fetch, count or removeAll whose closure deletes and commits still visits each object once")
  func fetch() throws {
    var met: [Int] = []
    let found = try context.fetch(Note.self) { note in
      met.append(note.id)
      guard note.id % 4 == 0 else {
        try context.delete(note)
        try context.commit()
        return false
      }
      return true
    }
    #expect(met == Array(0..<2_000) && found.map(\.id) == Array(stride(from: 0, to: 2_000, by: 4)))
    #expect(try context.count(Note.self) == 500)
    let count = try context.count(Note.self) { note in
      guard note.id < 1_900 else { return true }
      try context.delete(note)
      try context.commit()
      return false
    }
    #expect(try count == 25 && context.count(Note.self) == 25)
    expectOrder()
  }

  @Test("C2: a sorted fetch with a limit returns the objects that its closure accepted, even if their rows moved")
  func sortedFetch() throws {
    let found = try context.fetch(Note.self, sortedBy: [.descending("id")], limit: 3, offset: 1) { note in
      if note.id == 1_900 {
        try deleteFirst(1_500)
        try context.commit()
      }
      return true
    }
    #expect(found.map(\.id) == [1_998, 1_997, 1_996])
    let deleter = Deleter(context)
    // A sort key with a closure runs the program's code while objects are compared.
    let key = SortKey<Note>.ascending { note -> Int? in
      if note.id == 1_700 { try? deleter.deleteOnce(1_500..<1_600) }
      return -note.id
    }
    let sorted = try context.fetch(Note.self, sortedBy: [key], limit: 2)
    #expect(deleter.hasDeleted && sorted.map(\.id) == [1_999, 1_998])
    expectOrder()
  }

  @Test("C2: a loop continues with the same objects if an import inside the loop closes gaps")
  func imports() throws {
    try deleteFirst(1_200)
    var met: [Int] = []
    for note in heroes[1].notes {
      met.append(note.id)
      try context.load(#"{"id": 5000}"#, "Hero")
    }
    #expect(met == Array(stride(from: 1_201, to: 2_000, by: 2)))
    expectOrder()
  }

  @Test(
    "C2: a loop continues with the same objects after transactions and decoding inside the loop",
    arguments: ["atomically", "dryRun", "decoding"])
  func transactions(way: String) throws {
    for id in 0..<1_200 { if let note = try context.find(Note.self, identity: id) { try context.delete(note) } }
    let notes = heroes[1].notes.makeIterator()
    var rest = notes
    #expect(rest.next()?.id == 1_201)
    try context.load("[]", "Note")
    switch way {
    case "atomically": context.atomically {}
    case "dryRun": context.dryRun {}
    default: try context.decoding {}
    }
    #expect(rest.next()?.id == 1_203)
    var again = notes
    #expect(again.next()?.id == 1_201)
    expectOrder()
  }

  @Test("C2: a loop continues with the same objects after a snapshot is restored, and ends after a reset")
  func snapshots() throws {
    let copy = ManagedObjectContext(context.snapshot())
    for id in 0..<1_300 where id != 1 { if let note = try copy.find(Note.self, identity: id) { try copy.delete(note) } }
    try copy.commit()
    var met: [Int] = []
    for note in heroes[1].notes {
      met.append(note.id)
      if met.count == 1 { context.restore(copy.snapshot()) }
    }
    #expect(met == [1] + Array(stride(from: 1_301, to: 2_000, by: 2)))
    let found = try context.fetch(Note.self) { note in
      if note.id == 1_400 { context.reset() }
      return true
    }
    #expect(try found.isEmpty && context.count(Note.self) == 0)
    expectOrder()
  }

  @Test("C2: a loop skips objects whose insertion is rolled back, even if other objects reuse their rows")
  func rollBack() throws {
    let new = (0..<5).map { _ in context.insert(Note.self) }
    heroes[0]["notes"] = new
    var count = 0
    for note in heroes[0].notes {
      count += 1
      guard count == 1 else { continue }
      #expect(note === new[0])
      context.rollBack()
      for _ in 0..<5 { context.insert(Note.self) }
    }
    #expect(count == 1)
    count = 0
    let found = try context.fetch(Note.self) { note in
      count += 1
      if count == 2_003 {
        context.rollBack()
        for _ in 0..<5 { context.insert(Note.self) }
      }
      return count > 1_998
    }
    #expect(count == 2_003 && found.map(\.id) == [1_998, 1_999])
    expectOrder()
  }

  @Test("C1: a look-up returns the same reference while that reference is held, even if rows move")
  func references() throws {
    let notes = try context.fetch(Note.self)
    for (index, note) in notes.enumerated() where index < 1_600 {
      try context.delete(note)
      if index % 100 == 0 { try context.commit() }
    }
    try context.commit()
    for note in notes.dropFirst(1_600) {
      #expect(
        try !note.isDeleted && context.find(Note.self, identity: note.id) === note
          && context.find(note.objectID) === note)
    }
    #expect(try zip(context.fetch(Note.self), notes.dropFirst(1_600)).allSatisfy { $0 === $1 })
    #expect(notes.prefix(1_600).allSatisfy { $0.isDeleted })
    expectOrder()
  }

  @Test("C2: deleting placeholders in a loop over them deletes exactly those placeholders")
  func placeholders() throws {
    try context.load("[\((10_000..<11_500).map(String.init).joined(separator: ","))]", "Note")
    var met = 0
    for placeholder in try context.placeholders {
      met += 1
      try context.delete(placeholder)
      try context.commit()
    }
    #expect(try met == 1_500 && context.placeholders.isEmpty && context.count(Note.self) == 2_000)
    #expect(try context.fetch(Note.self).map(\.id) == Array(0..<2_000))
    expectOrder()
  }

  @Test("I16: the report of a stream stays correct if a commit between its batches closes gaps")
  func streams() throws {
    try deleteFirst(1_100, except: 1)
    var options = ImportOptions()
    options.reportsDetails = true
    var isFirst = true
    let stream = try ImportStream(
      ofEntity: "Note", in: context, format: .lines, batches: ImportBatches(size: 2), options: options
    ) { [context] _ in
      guard isFirst else { return }
      isFirst = false
      for id in 1_100..<1_300 { if let note = try context.find(Note.self, identity: id) { try context.delete(note) } }
      try context.commit()
    }
    let lines = [
      #"{"id": 1999, "rank": 1}"#, #"{"id": 3000}"#, #"{"id": 1999, "rank": 2}"#, #"{"id": 3000, "rank": 3}"#,
      #"{"id": 1998, "rank": 4}"#,
    ]
    try stream.append(Array((lines.joined(separator: "\n") + "\n").utf8))
    let report = try stream.finish()
    #expect(report.inserted == ["Note": 1] && report.updated == ["Note": 2])
    #expect(report.details.map(\.name) == ["Note(1999)", "Note(3000)", "Note(1998)"])
    expectOrder()
  }

  @Test("C2: validations and deleteWhere receive the right objects even if they call commit() or rows move")
  func closures() throws {
    var transformers = TransformerRegistry.standard
    nonisolated(unsafe) var met: [Int] = []
    nonisolated(unsafe) weak var validated: ManagedObjectContext?
    transformers.registerValidation(of: Note.self) { note in
      met.append(note.id)
      // A commit during an import is refused, so the import fails.
      try validated?.commit()
    }
    let context = try Fixture.context(Self.entities, transformers: transformers, classes: [Hero.self, Note.self])
    try context.load("[\((0..<1_500).map { #"{"id": \#($0)}"# }.joined(separator: ","))]", "Note")
    for id in 0..<1_000 { try context.delete(try #require(try context.find(Note.self, identity: id))) }
    met = []
    validated = context
    let payload = (1_000..<1_400).map { #"{"id": \#($0), "rank": 1}"# }
    #expect(throws: ImportError.self) { try context.load("[\(payload.joined(separator: ","))]", "Note") }
    #expect(met == Array(1_000..<1_400))
    validated = nil
    try context.importJSON(
      "[\(payload.joined(separator: ","))]",
      [.objects(ofEntity: "Note", missing: .deleteWhere { $0["id"] as Int? ?? 0 > 1_450 })])
    #expect(try context.fetch(Note.self).map(\.id) == Array(1_000...1_450))
    #expect(context.checkInvariants() == [])
  }

  #if canImport(Observation)
    @Test("C2: an import returns the right objects even if an observer that it notifies commits")
    func observers() throws {
      context.isObservable = true
      try deleteFirst(1_500)
      nonisolated(unsafe) let observed = context
      withObservationTracking {
        _ = try? context.count(Note.self)
      } onChange: {
        try? observed.commit()
      }
      let found = try objects(Note.self, fromJSON: #"[{"id": 1998, "rank": 0}, 1999, {"id": 1500}]"#, in: context)
      #expect(try context.count(Note.self) == 500)
      #expect(found.map(\.id) == [1_998, 1_999, 1_500])
      expectOrder()
    }

    @Test("C2: an observer can change the context when it is notified that rows moved")
    func observersOfMoves() throws {
      context.isObservable = true
      for id in 0..<1_500 { try context.delete(try #require(try context.find(Note.self, identity: id))) }
      for _ in 0..<1_500 { context.insert(Hero.self) }
      try context.load("[]", "Note")
      for hero in try context.fetch(Hero.self, where: { $0["id"] as Int? == nil }) { try context.delete(hero) }
      nonisolated(unsafe) let observed = context
      var count = 0
      nonisolated(unsafe) var inserted: [Note] = []
      nonisolated(unsafe) var isCalled = false
      func observe() {
        withObservationTracking {
          _ = try? context.fetch(Note.self).last?.id
        } onChange: {
          // The observer is also notified of its own changes.
          guard !isCalled else { return }
          isCalled = true
          inserted.append(observed.insert(Note.self))
        }
      }
      observe()
      // The gaps in the rows of heroes and of notes are closed one after the other.
      try context.commit()
      count = try context.count(Note.self)
      #expect(count == 500 + inserted.count && !inserted.isEmpty)
      expectOrder()
      context.rollBack()
      #expect(try context.count(Note.self) == 500 && inserted.allSatisfy { $0.isDeleted })
      expectOrder()
    }
  #endif
}
