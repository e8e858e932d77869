/// Seeded random numbers: the same seed produces the same workload on every machine.
struct SplitMix64 {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Creates a separate generator for one record, so that a record can be written again, alone or changed.
  init(seed: UInt64, record: Int, revision: Int = 0) {
    var mixer = SplitMix64(seed: seed &+ UInt64(record) &* 0x9E37_79B9_7F4A_7C15)
    self.init(seed: mixer.next() &+ UInt64(revision))
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns a number from 0 up to, but not including, `bound`.
  mutating func below(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }

  mutating func chance(percent: Int) -> Bool { below(100) < percent }

  /// Returns a number from 0 to 1, with all 53 bits.
  mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }
}
