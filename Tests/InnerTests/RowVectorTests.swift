import Testing

@testable import Graft

@Suite("Row vectors") struct RowVectorTests {
  private static func withVector(_ rows: some Collection<UInt32>, _ body: (inout VectorArena, RowVector) -> Void) {
    var arena = VectorArena()
    defer { arena.deallocate() }
    let vector = arena.make(room: rows.count, epoch: 1)
    for row in rows { arena.append(row, to: vector) }
    body(&arena, vector)
  }

  @Test("A vector of any length finds a row at its position, and does not find other rows")
  func places() {
    for count in Array(0...100) + [1_024, 1_025, 1_056, 2_000] {
      Self.withVector((0..<UInt32(count)).map { $0 &* 3 }) { arena, vector in
        let found = (0..<count).map { vector.place(of: UInt32($0) * 3 + 1) }
        #expect(found == Array(0..<count))
        #expect([0, 3, UInt32(count) * 3 + 1].allSatisfy { vector.place(of: $0) == nil })
        for place in Set([0, count / 2, count - 1]) where found.indices.contains(place) {
          let again = arena.place(of: UInt32(place) * 3, in: vector)
          #expect(again == place)
        }
      }
    }
  }

  @Test("P16: A few removals from a long vector do not create an index of positions, but more removals create one")
  func fewRemovals() {
    Self.withVector(0..<5_000) { arena, vector in
      for round in 0..<20 as Range<UInt32> {
        // The row is in the middle, so its removal leaves a hole.
        let row = 2_000 + round * 7
        let (isRemoved, isLeft) = (arena.remove(row, from: vector), arena.contains(vector.cell, row))
        #expect(isRemoved && !isLeft)
        #expect(arena.count(vector.cell) == 4_999 - Int(round))
        let index = arena.indexes[vector.indexNumber - 1]
        if round == 0 { #expect(index?.places == nil) }
        if round == 19 { #expect(index?.places?.count == 4_980) }
      }
    }
  }

  @Test("P16: Evenly spaced rows of a long vector are found without an index; unevenly spaced rows create an index")
  func evenRows() {
    for isEven in [true, false] {
      let rows = (0..<5_000 as Range<UInt32>).map { isEven ? $0 * 7 + 3 : $0 * $0 }
      Self.withVector(rows) { arena, vector in
        for place in stride(from: 4_000, to: 1_000, by: -97) {
          let found = arena.place(of: rows[place], in: vector)
          let isRemoved = arena.remove(rows[place], from: vector)
          #expect(found == place && isRemoved && vector.rows[place] == 0)
        }
        #expect((arena.indexes[vector.indexNumber - 1]?.places == nil) == isEven)
        let (gone, first, last) = (
          arena.place(of: rows[4_000], in: vector), arena.place(of: rows[0], in: vector),
          arena.place(of: rows[4_999], in: vector)
        )
        #expect(gone == nil && first == 0 && last == 4_999)
      }
    }
  }
}
