import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

/// Dates are stored with microsecond precision. Centuries from now, a `Date` cannot represent each microsecond.
@Suite("Distant dates") struct DistantDateTests {
  final class Event: ManagedObject {
    override class var queryableProperties: [QueryableProperty] { [.init(\Event.at, "at"), .init(\Event.id, "id")] }
    var at: Date? { self["at"] }
    var id: Int? { self["id"] }
  }

  private static let model = #"""
    "Event": {"identityAttributes": "at", "attributes": {"at": "date", "id": {"type": "integer64", "optional": true}},
      "relationships": {"notes": {"destination": "Note", "toMany": true, "inverse": "event"}}},
    "Span": {"identityAttributes": ["from", "to"], "attributes": {"from": "date", "to": "date"}},
    "Note": {"identityAttributes": ["event", "number"], "attributes": {"number": "integer64"},
      "relationships": {"event": {"destination": "Event", "inverse": "notes"}}}
    """#

  private static func contexts() throws -> [ManagedObjectContext] {
    let model = try Fixture.context(Self.model, classes: [Event.self]).model
    let store = try ManagedObjectContext(model: model, store: SQLiteStore.inMemory(model: model))
    return [ManagedObjectContext(model: model), store, store.makeChild()]
  }

  /// Pairs of dates with the same `Date`, and dates that differ as `Date`.
  static let texts = [
    "5000-01-01T00:00:00.000001Z", "5000-01-01T00:00:00.000002Z", "0001-01-01T00:00:00.000001Z",
    "0001-01-01T00:00:00.000002Z", "2300-01-01T00:00:00.123457Z", "2300-01-01T00:00:00.123458Z",
    "9999-12-31T23:59:59.999998Z", "9999-12-31T23:59:59.999999Z", "2024-01-01T00:00:00.000001Z",
    "2024-01-01T00:00:00.000002Z",
  ]

  @Test("I2, C3: the ID of an object contains the exact date, even after it is encoded and decoded")
  func ids() throws {
    for context in try Self.contexts() {
      let payload = "[" + Self.texts.map { #"{"at": "\#($0)"}"# }.joined(separator: ", ") + "]"
      let events = try context.load(payload, "Event")
      #expect(Set(events.map(\.objectID)).count == Self.texts.count)
      for (event, text) in zip(events, Self.texts) {
        let id = event.objectID
        #expect(id.identity == [.string(text)])
        #expect(try context.find(id) === event)
        let decoded = try JSONDecoder().decode(ManagedObjectID.self, from: JSONEncoder().encode(id))
        #expect(try decoded == id && context.find(decoded) === event)
        #expect(try context.fetch(Event.self, where: #Predicate { $0.objectID == id }) == [event])
        let note = try context.load(#"{"event": "\#(text)", "number": 1}"#, "Note")[0]
        #expect(try context.find(note.objectID) === note && note["event"] === event)
      }
      #expect(try Set(context.fetch(ofEntity: "Note").map(\.objectID)).count == Self.texts.count)
    }
  }

  @Test("C2: an object is found by the `Date` that is read from the object")
  func finds() throws {
    for context in try Self.contexts() {
      for text in Self.texts {
        let event = try #require(try context.load(#"{"at": "\#(text)"}"#, "Event")[0] as? Event)
        let date = try #require(event.at)
        #expect(try context.find(Event.self, identity: date) === event, "\(text)")
        #expect(try context.find(ofEntity: "Event", identity: date) === event, "\(text)")
        #expect(try context.fetch(Event.self, where: #Predicate { $0.at == date }) == [event], "\(text)")
        try context.delete(event)
        try context.commit()
      }
      let span = try context.load(#"{"from": "\#(Self.texts[2])", "to": "\#(Self.texts[6])"}"#, "Span")[0]
      let (from, to): (Date?, Date?) = (span["from"], span["to"])
      #expect(try context.find(ofEntity: "Span", identity: #require(from), #require(to)) === span)
      #expect(try context.find(ofEntity: "Span", identity: #require(to), #require(from)) == nil)
    }
  }

  @Test("I2: if several stored dates equal one `Date`, a look-up finds the date that setting the `Date` would store")
  func ambiguous() throws {
    for context in try Self.contexts() {
      try context.load(#"[{"at": "5000-01-01T00:00:00.000001Z"}, {"at": "5000-01-01T00:00:00Z"}]"#, "Event")
      let date = try #require(try context.fetch(Event.self).first?.at)
      #expect(try context.find(Event.self, identity: date)?.objectID.identity == ["5000-01-01T00:00:00Z"])
    }
  }

  @Test("Q: a predicate compares distant dates in the same way as a closure")
  func predicates() throws {
    for context in try Self.contexts() {
      let payload = "[" + Self.texts.map { #"{"at": "\#($0)"}"# }.joined(separator: ", ") + "]"
      let events = try context.load(payload, "Event")
      let dates = events.compactMap { $0["at"] as Date? } + [.distantPast, .distantFuture]
      func ids(_ events: [Event]) -> Set<ManagedObjectID> { Set(events.map(\.objectID)) }
      for date in dates {
        let other = dates[0]
        let range = other...max(other, date)
        let cases: [(Predicate<Event>, (Event) -> Bool)] = [
          (#Predicate { $0.at == date }, { $0.at == date }), (#Predicate { $0.at != date }, { $0.at != date }),
          (#Predicate { $0.at.flatMap { $0 < date } == true }, { $0.at.map { $0 < date } ?? false }),
          (#Predicate { $0.at.flatMap { $0 <= date } == true }, { $0.at.map { $0 <= date } ?? false }),
          (#Predicate { $0.at.flatMap { $0 > date } == true }, { $0.at.map { $0 > date } ?? false }),
          (#Predicate { $0.at.flatMap { date <= $0 } == true }, { $0.at.map { date <= $0 } ?? false }),
          (
            #Predicate { $0.at.flatMap { [date, other].contains($0) } == true },
            { $0.at.map { [date, other].contains($0) } ?? false }
          ),
          (
            #Predicate { $0.at.flatMap { range.contains($0) } == true },
            { $0.at.map { range.contains($0) } ?? false }
          ),
        ]
        for (index, (predicate, test)) in cases.enumerated() {
          #expect(
            try ids(context.fetch(Event.self, where: predicate)) == ids(context.fetch(Event.self) { test($0) }),
            "\(index) \(date.timeIntervalSince1970)")
        }
      }
    }
  }

  @Test("Q: the text of a condition contains exact dates")
  func conditions() throws {
    for context in try Self.contexts() {
      try context.importJSON(
        "[" + Self.texts.map { #"{"at": "\#($0)"}"# }.joined(separator: ", ") + "]", ofEntity: "Event")
      func count(_ condition: String) throws -> Int {
        let selection = try ObjectSelection(of: "Event", in: context, where: (condition, "<condition>"))
        let text = try context.exported(selection, of: "Event", options: ExportOptions(maxDepth: 1))
        return try JSON(text: text).arrayValue?.count ?? -1
      }
      for text in Self.texts { #expect(try count("at = '\(text)'") == 1, "\(text)") }
      #expect(try count("at > '5000-01-01T00:00:00.000001Z' and at < '9999-12-31T23:59:59.999999Z'") == 2)
    }
  }

  @Test("Q: a condition compares an interpolated date in the same way as a closure")
  func interpolated() throws {
    for context in try Self.contexts() {
      let payload = "[" + Self.texts.map { #"{"at": "\#($0)"}"# }.joined(separator: ", ") + "]"
      let events = try context.load(payload, "Event")
      let dates = events.compactMap { $0["at"] as Date? }
      for date in dates + [.distantPast, .distantFuture] {
        let cases: [(ObjectCondition, (Date) -> Bool)] = [
          ("at = \(date)", { $0 == date }), ("at != \(date)", { $0 != date }), ("at in \([date])", { $0 == date }),
          ("at < \(date)", { $0 < date }), ("at <= \(date)", { $0 <= date }), ("at > \(date)", { $0 > date }),
          ("\(date) <= at", { date <= $0 }),
        ]
        for (condition, test) in cases {
          let found = try context.fetch(ofEntity: "Event", where: condition).map(\.objectID)
          let expected = zip(events, dates).filter { test($1) }.map(\.0.objectID)
          #expect(Set(found) == Set(expected), "\(condition)")
        }
      }
    }
  }

  @Test("Q: no stored date equals a `Date` that is NaN, as in a closure")
  func notANumber() throws {
    let none = Date(timeIntervalSince1970: .nan)
    for context in try Self.contexts() {
      let event = try context.load(#"{"at": "1970-01-01T00:00:00Z"}"#, "Event")[0]
      #expect(try context.fetch(Event.self, where: #Predicate { $0.at == none }) == [])
      #expect(try context.fetch(Event.self, where: #Predicate { $0.at != none }) == [event])
      #expect(try context.find(Event.self, identity: none) == nil)
    }
  }
}
