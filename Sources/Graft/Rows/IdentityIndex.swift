/// Finds the row with given identity values: open addressing, linear probing.
///
///     entry: | 32 bits of the hash | row number + 1 |
///
/// The index does not contain values, so the caller hashes and compares them. Expected O(1). The hash is seeded for each
/// process, so colliding identifiers cannot be chosen.
struct IdentityIndex {
  private var entries: UnsafeMutablePointer<UInt64>
  private var mask: Int
  private(set) var count = 0
  var capacity: Int { mask + 1 }

  init() {
    mask = 15
    entries = .allocate(capacity: 16)
    entries.initialize(repeating: 0, count: 16)
  }

  func free() { entries.deallocate() }

  /// A separate index with the same entries. The copy can be used in another context, because hashes are the same in all contexts of a
  /// process.
  func copy() -> IdentityIndex {
    var copy = self
    copy.entries = .allocate(capacity: mask + 1)
    copy.entries.initialize(from: entries, count: mask + 1)
    return copy
  }

  /// The row that has the given hash and for which `matches` returns true.
  @inline(__always)
  func find(_ hash: UInt64, _ matches: (UInt32) -> Bool) -> UInt32? {
    let tag = hash & 0xFFFF_FFFF_0000_0000
    var place = Int(truncatingIfNeeded: hash >> 32) & mask
    while true {
      let entry = entries[place]
      if entry == 0 { return nil }
      if entry & 0xFFFF_FFFF_0000_0000 == tag {
        let row = UInt32(truncatingIfNeeded: entry) &- 1
        if matches(row) { return row }
      }
      place = (place + 1) & mask
    }
  }

  @inline(__always)
  mutating func insert(_ hash: UInt64, _ row: UInt32) {
    if count * 2 > mask { grow() }
    put(hash & 0xFFFF_FFFF_0000_0000 | UInt64(row) + 1)
    count += 1
  }

  @inline(__always)
  private func put(_ entry: UInt64) {
    var place = Int(truncatingIfNeeded: entry >> 32) & mask
    while entries[place] != 0 { place = (place + 1) & mask }
    entries[place] = entry
  }

  @inline(never)
  private mutating func grow() {
    // Small indexes often grow quickly. A large index that is no larger than necessary stays in the processor's cache.
    resize(to: mask < 4096 ? mask * 4 + 3 : mask * 2 + 1)
  }

  /// Frees memory that the current entries do not need.
  mutating func trim() {
    guard mask > 1023, count < mask / 32 else { return }
    var smaller = 15
    while smaller < count * 4 { smaller = smaller * 2 + 1 }
    resize(to: smaller)
  }

  private mutating func resize(to newMask: Int) {
    let old = entries
    let oldMask = mask
    mask = newMask
    entries = .allocate(capacity: mask + 1)
    entries.initialize(repeating: 0, count: mask + 1)
    for place in 0...oldMask where old[place] != 0 { put(old[place]) }
    old.deallocate()
  }

  /// Removes a row and closes the gap, so that no tombstones are needed.
  mutating func remove(_ hash: UInt64, _ row: UInt32) {
    let wanted = hash & 0xFFFF_FFFF_0000_0000 | UInt64(row) + 1
    var place = Int(truncatingIfNeeded: hash >> 32) & mask
    while entries[place] != wanted {
      if entries[place] == 0 { return }
      place = (place + 1) & mask
    }
    count -= 1
    var gap = place
    while true {
      place = (place + 1) & mask
      let entry = entries[place]
      if entry == 0 { break }
      // An entry may move into the gap unless its home lies after the gap.
      let home = Int(truncatingIfNeeded: entry >> 32) & mask
      if (place - home) & mask >= (place - gap) & mask {
        entries[gap] = entry
        gap = place
      }
    }
    entries[gap] = 0
  }
}

/// Hashes of identity values, seeded for each process.
enum IdentityHash {
  private static let seed0 = UInt64.random(in: .min ... .max)
  private static let seed1 = UInt64.random(in: .min ... .max) | 1
  /// The seeds, fetched once for each import, because reading a global costs a check.
  struct Seeds {
    var first: UInt64
    var second: UInt64

    @inline(__always)
    func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
      let product = left.multipliedFullWidth(by: right)
      return product.high ^ product.low
    }

    /// Four consecutive numbers have adjacent entries, in an order that the seeds determine, so reading objects in the order of
    /// their numbers reads memory sequentially.
    @inline(__always)
    func word(_ word: UInt64) -> UInt64 {
      mix(mix((word &>> 2) ^ first, second) ^ 0xA076_1D64_78BD_642F, first | 1) ^ (word & 3) &<< 32
    }

    @inline(__always)
    func bytes(_ bytes: LentBytes) -> UInt64 {
      var state = first ^ UInt64(truncatingIfNeeded: bytes.count)
      // If there are no bytes, nothing is read at their address.
      var place = bytes.place
      var left = bytes.count
      while left > 16 {
        state = mix(load64(place) ^ second, load64(place + 8) ^ state)
        place += 16
        left -= 16
      }
      var head: UInt64 = 0
      var tail: UInt64 = 0
      if left >= 8 {
        head = load64(place)
        tail = load64(place + left - 8)
      } else if left >= 4 {
        head = UInt64(load32(place))
        tail = UInt64(load32(place + left - 4))
      } else if left > 0 {
        head = UInt64(place[0]) << 16 | UInt64(place[left >> 1]) << 8 | UInt64(place[left - 1])
      }
      return mix(mix(head ^ second, tail ^ state), first | 1)
    }
  }

  static var seeds: Seeds { Seeds(first: seed0, second: seed1) }
}
