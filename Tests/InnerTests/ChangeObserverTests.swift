import Testing

@testable import Graft

@Suite("Change observers") struct ChangeObserverTests {
  private static func place(_ row: UInt32) -> RowPlace { RowPlace(table: 0, row: row) }

  @Test("C2: observers whose streams have ended are not counted and are removed")
  func over() {
    var observers = ChangeObservers()
    #expect(observers.isEmpty)
    for row in 0..<1_000 as Range<UInt32> {
      let (stream, continuation) = AsyncStream.makeStream(of: ContextChanges.Update.self)
      observers.add(continuation, of: Self.place(row % 7))
      let (other, another) = AsyncStream.makeStream(of: ContextChanges.self)
      observers.add(another)
      withExtendedLifetime((stream, other)) {}
    }
    #expect(observers.isEmpty)
    let (stream, continuation) = AsyncStream.makeStream(of: ContextChanges.Update.self)
    observers.add(continuation, of: Self.place(3))
    #expect(!observers.isEmpty && observers.heldCount <= 2)
    withExtendedLifetime(stream) {}
  }

  @Test("C2: observers end with their object, and follow their object to another row")
  func ended() async {
    var observers = ChangeObservers()
    let (first, one) = AsyncStream.makeStream(of: ContextChanges.Update.self)
    let (second, two) = AsyncStream.makeStream(of: ContextChanges.Update.self)
    observers.add(one, of: Self.place(1))
    observers.add(two, of: Self.place(2))
    observers.end(Self.place(1))
    for await _ in first { Issue.record("nothing was sent") }
    #expect(!observers.isEmpty && observers.heldCount == 1)
    observers.move { $0 == Self.place(2) ? Self.place(9) : nil }
    #expect(!observers.isEmpty)
    observers.move { _ in nil }
    #expect(observers.isEmpty && observers.heldCount == 0)
    for await _ in second { Issue.record("nothing was sent") }
  }

  @Test("C2: the object of an observer whose stream has ended is not followed to another row")
  func unasked() {
    var observers = ChangeObservers()
    let (stream, one) = AsyncStream.makeStream(of: ContextChanges.Update.self)
    observers.add(one, of: Self.place(1))
    let (all, another) = AsyncStream.makeStream(of: ContextChanges.self)
    observers.add(another)
    do {
      let (over, two) = AsyncStream.makeStream(of: ContextChanges.Update.self)
      observers.add(two, of: Self.place(2))
      withExtendedLifetime(over) {}
    }
    var asked: [UInt32] = []
    observers.move { place in
      asked.append(place.row)
      return place
    }
    #expect(asked == [1])
    withExtendedLifetime((stream, all)) {}
  }
}
