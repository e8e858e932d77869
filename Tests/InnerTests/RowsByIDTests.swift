import GraftTestSupport
import Testing

@testable import Graft

@Suite("Rows by their IDs in a store") struct RowsByIDTests {
  @Test(
    "Random additions, replacements, removals and moves have the same effect as in a dictionary",
    arguments: 1...40)
  func asDictionary(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var rows = RowsByID()
    var expected: [Int64: UInt32] = [:]
    let range: Int64 = random.pick([5, 60, 1000])
    // IDs that are far apart or close together, or that have the same low bits.
    let step: Int64 = random.pick([1, 7, 1 << 20, 1 << 40])
    for _ in 0..<2000 {
      let id = Int64.random(in: 1...range, using: &random) * step
      if random.chance(percent: 60) {
        let row = UInt32.random(in: 0...UInt32.max - 1, using: &random)
        rows[id] = row
        expected[id] = row
      } else {
        rows[id] = nil
        expected[id] = nil
      }
      #expect(rows.count == expected.count && rows[id] == expected[id])
    }
    rows.move { $0 % 3 == 0 ? nil : $0 / 2 }
    expected = expected.compactMapValues { $0 % 3 == 0 ? nil : $0 / 2 }
    #expect(rows.count == expected.count && Set(rows.ids) == Set(expected.keys))
    for id in 0...range { #expect(rows[id * step] == expected[id * step]) }
    for (id, row) in rows { #expect(expected[id] == row) }
  }

  @Test("The ID 0, which no row has, is never found")
  func zero() {
    var rows = RowsByID()
    rows[0] = 5
    #expect(rows[0] == nil && rows.count == 0)
    rows[1] = 5
    rows[0] = nil
    #expect(rows[0] == nil && rows[1] == 5)
  }
}
