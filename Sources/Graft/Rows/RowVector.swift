/// The rows of a to-many relationship, in the order in which they were added or, if the relationship is ordered, in the order of the
/// relationship.
///
///     header: | used: 4 bytes | epoch: 4 bytes | class: 1 byte, index: 3 bytes |   rows: row number + 1, 4 bytes each
///
/// A cell contains the address; 0 is the empty vector. Sizes are 16, 32, 64, ... bytes (the class), so the memory of freed
/// vectors is reused. `epoch` distinguishes vectors created in the current transaction, which may be changed in place, from
/// older vectors, which the journal must be able to restore.
///
/// With more than ``RowVector/indexedCount`` rows, a vector that is searched or loses rows a few times gets an index from rows
/// to places, and removal leaves a hole (0) that is closed when half of the vector consists of holes. Both take O(1). The journal notes the
/// place of a row that was removed, so an older vector is not copied; until the next commit, its holes stay where they are.
struct RowVector {
  static let indexedCount = 1024

  let base: UnsafeMutablePointer<UInt32>

  @inline(__always) init(_ cell: UInt64) {
    base = UnsafeMutablePointer(bitPattern: UInt(cell)).unsafelyUnwrapped
  }

  @inline(__always) var cell: UInt64 { UInt64(UInt(bitPattern: base)) }
  /// The number of places in use, including holes.
  @inline(__always) var used: Int {
    get { Int(base[0]) }
    nonmutating set { base[0] = UInt32(truncatingIfNeeded: newValue) }
  }
  @inline(__always) var epoch: UInt32 {
    get { base[1] }
    nonmutating set { base[1] = newValue }
  }
  @inline(__always) var sizeClass: Int { Int(base[2] & 0xFF) }
  /// The number of the index in the arena, plus one; 0 if there is none.
  @inline(__always) var indexNumber: Int {
    get { Int(base[2] >> 8) }
    nonmutating set { base[2] = base[2] & 0xFF | UInt32(truncatingIfNeeded: newValue) << 8 }
  }
  @inline(__always) var capacity: Int { (4 << sizeClass) - 3 }
  @inline(__always) var rows: UnsafeMutablePointer<UInt32> { base + 3 }

  /// Whether the vector is known to have exactly the given rows in this order. If the vector has an index, it may have these rows even if
  /// the result is false.
  @inline(__always)
  func isEqual(to rows: UnsafePointer<UInt32>, _ count: Int) -> Bool {
    guard indexNumber == 0, used == count else { return false }
    for index in 0..<count where self.rows[index] != rows[index] + 1 { return false }
    return true
  }

  /// The index of a row (a row number + 1), found by comparing all rows, sixteen at a time.
  func place(of row: UInt32) -> Int? {
    let end = rows + used
    let wanted = SIMD16(repeating: row)
    var place = rows
    while end - place >= 16 {
      if any(UnsafeRawPointer(place).loadUnaligned(as: SIMD16<UInt32>.self) .== wanted) { break }
      place += 16
    }
    while place < end {
      if place.pointee == row { return place - rows }
      place += 1
    }
    return nil
  }

  /// Compares the rows before a place with another vector, which begins with the same rows if the vector only gained rows.
  ///
  /// - Parameter cell: the cell of the other vector, or 0.
  /// - Returns: the first row that has a different position in the other vector.
  func firstDifference(before end: Int, from cell: UInt64) -> UInt32? {
    let other = cell == 0 ? nil : RowVector(cell)
    var place = 0
    for index in 0..<min(end, used) where rows[index] != 0 {
      while let other, place < other.used, other.rows[place] == 0 { place += 1 }
      guard let other, place < other.used, other.rows[place] == rows[index] else { return rows[index] - 1 }
      place += 1
    }
    return nil
  }

  /// The place of a row, if the place can be calculated because row numbers are evenly spaced, as in many imports.
  /// The result nil does not mean that the row is missing.
  func evenPlace(of row: UInt32) -> Int? {
    guard used > 1, rows[0] < row, row <= rows[used - 1] else { return nil }
    let (distance, length) = (Int(row - rows[0]), Int(rows[used - 1] - rows[0]))
    let place = distance * (used - 1) / length
    return rows[place] == row ? place : nil
  }
}

/// The storage of the vectors of a graph.
struct VectorArena {
  private static let slabSize = 1 << 17
  /// Blocks that are divided into vectors, with the last block still in progress, and blocks that each contain one large vector.
  private var slabs: [UnsafeMutableRawPointer] = []
  private var blocks: [UnsafeMutableRawPointer] = []
  private var slabUsed = VectorArena.slabSize
  /// Freed vectors, by class, linked through their first eight bytes.
  let free = UnsafeMutablePointer<UInt64>.allocate(capacity: 40)
  /// The bytes of all vectors: in use, free for reuse, and kept by the journal.
  private(set) var size = 0
  private(set) var indexes: [VectorIndex?] = []
  private var freeIndexes: [Int] = []
  /// A number that grows when the journal becomes empty, because places that the journal referred to may then change again.
  private var generation = 0

  init() { free.initialize(repeating: 0, count: 40) }

  func deallocate() {
    for block in slabs + blocks { block.deallocate() }
    free.deallocate()
  }

  // MARK: Allocating and freeing

  @inline(__always)
  mutating func make(room: Int, epoch: UInt32) -> RowVector {
    var sizeClass = 0
    while (4 << sizeClass) - 3 < room { sizeClass += 1 }
    let place: UnsafeMutableRawPointer
    if free[sizeClass] != 0 {
      place = UnsafeMutableRawPointer(bitPattern: UInt(free[sizeClass])).unsafelyUnwrapped
      free[sizeClass] = place.load(as: UInt64.self)
    } else {
      place = take(16 << sizeClass)
    }
    let base = place.assumingMemoryBound(to: UInt32.self)
    base[0] = 0
    base[1] = epoch
    base[2] = UInt32(truncatingIfNeeded: sizeClass)
    return RowVector(UInt64(UInt(bitPattern: base)))
  }

  @inline(__always)
  private mutating func take(_ size: Int) -> UnsafeMutableRawPointer {
    self.size += size
    if slabUsed + size <= VectorArena.slabSize, let slab = slabs.last {
      slabUsed += size
      return slab + (slabUsed - size)
    }
    return takeElsewhere(size)
  }

  @inline(never)
  private mutating func takeElsewhere(_ size: Int) -> UnsafeMutableRawPointer {
    if size > VectorArena.slabSize / 4 {
      let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      blocks.append(block)
      return block
    }
    let slab = UnsafeMutableRawPointer.allocate(byteCount: VectorArena.slabSize, alignment: 16)
    slabs.append(slab)
    slabUsed = size
    return slab
  }

  @inline(__always)
  mutating func release(_ vector: RowVector) {
    if vector.indexNumber != 0 { releaseIndex(vector) }
    let sizeClass = vector.sizeClass
    UnsafeMutableRawPointer(vector.base).storeBytes(of: free[sizeClass], as: UInt64.self)
    free[sizeClass] = vector.cell
  }

  /// Closes the holes of a vector whose places the journal does not refer to, and frees its index.
  mutating func dropIndex(_ vector: RowVector) {
    guard vector.indexNumber != 0 else { return }
    close(vector)
    releaseIndex(vector)
  }

  private mutating func releaseIndex(_ vector: RowVector) {
    let number = vector.indexNumber - 1
    indexes[number] = nil
    freeIndexes.append(number)
    vector.indexNumber = 0
  }

  /// Called when the journal keeps a vector, which is not read while the journal keeps it. The holes of the vector stay.
  mutating func retire(_ vector: RowVector) {
    guard vector.indexNumber != 0, let index = indexes[vector.indexNumber - 1] else { return }
    if index.holes == 0, !isPinned(index) { releaseIndex(vector) } else { index.shrink() }
  }

  /// Called when the journal is empty.
  mutating func unpin() { generation &+= 1 }

  private func isPinned(_ index: VectorIndex) -> Bool { index.pinnedAt == generation }

  /// The next vector to reuse after the given vector; 0 if there is none.
  func nextFree(after cell: UInt64) -> UInt64 {
    UnsafeRawPointer(bitPattern: UInt(cell)).unsafelyUnwrapped.load(as: UInt64.self)
  }

  // MARK: Reading

  @inline(__always)
  func count(_ cell: UInt64) -> Int {
    guard cell != 0 else { return 0 }
    let vector = RowVector(cell)
    return vector.indexNumber == 0 ? vector.used : liveCount(vector)
  }

  @inline(never)
  private func liveCount(_ vector: RowVector) -> Int { vector.used - (indexes[vector.indexNumber - 1]?.holes ?? 0) }

  mutating func contains(_ cell: UInt64, _ row: UInt32) -> Bool {
    guard cell != 0 else { return false }
    return place(of: row, in: RowVector(cell)) != nil
  }

  mutating func place(of row: UInt32, in vector: RowVector) -> Int? {
    if vector.used > RowVector.indexedCount {
      return index(of: vector).place(of: row + 1, in: vector)
    }
    return vector.place(of: row + 1)
  }

  private mutating func index(of vector: RowVector) -> VectorIndex {
    if vector.indexNumber != 0 { return indexes[vector.indexNumber - 1].unsafelyUnwrapped }
    let index = VectorIndex()
    if let number = freeIndexes.popLast() {
      indexes[number] = index
      vector.indexNumber = number + 1
    } else {
      indexes.append(index)
      vector.indexNumber = indexes.count
    }
    return index
  }

  /// Closes the holes so that places are positions, unless the journal refers to places.
  mutating func close(_ vector: RowVector) {
    guard vector.indexNumber != 0, let index = indexes[vector.indexNumber - 1], index.holes > 0, !isPinned(index) else {
      return
    }
    var next = 0
    for place in 0..<vector.used where vector.rows[place] != 0 {
      vector.rows[next] = vector.rows[place]
      if next != place { index.note(vector.rows[next], at: next) }
      next += 1
    }
    vector.used = next
    index.holes = 0
    index.front = 0
  }

  /// The row at a position. Holes between the rows are closed if the journal does not refer to places.
  mutating func row(at position: Int, in vector: RowVector) -> UInt32 {
    var first = 0
    if vector.indexNumber != 0, let index = indexes[vector.indexNumber - 1], index.holes > 0 {
      if index.holes == index.front {
        first = index.front
      } else if isPinned(index) {
        return index.row(at: position, in: vector) - 1
      } else {
        close(vector)
      }
    }
    return vector.rows[first + position] - 1
  }

  /// Copies the rows of a vector, without holes, to an empty vector with room for them.
  func copyRows(of old: RowVector, to new: RowVector) {
    if old.indexNumber == 0 || count(old.cell) == old.used {
      new.rows.update(from: old.rows, count: old.used)
      new.used = old.used
      return
    }
    var next = 0
    for place in 0..<old.used where old.rows[place] != 0 {
      new.rows[next] = old.rows[place]
      next += 1
    }
    new.used = next
  }

  /// Whether a vector has so many holes that a copy without them is worthwhile.
  @inline(__always)
  func isMostlyHoles(_ vector: RowVector) -> Bool { count(vector.cell) < vector.used / 2 }

  // MARK: Changing in place

  /// Appends a row; the caller must have ensured that there is room.
  @inline(__always)
  mutating func append(_ row: UInt32, to vector: RowVector) {
    vector.rows[vector.used] = row + 1
    if vector.indexNumber != 0 { note(row, vector) }
    vector.used += 1
  }

  @inline(never)
  private func note(_ row: UInt32, _ vector: RowVector) {
    indexes[vector.indexNumber - 1]?.note(row + 1, at: vector.used)
  }

  /// Whether a row is at the end of a vector.
  func ends(_ vector: RowVector, with row: UInt32) -> Bool {
    vector.used > 0 && vector.rows[vector.used - 1] == row + 1
  }

  /// Undoes the last append.
  mutating func removeLast(from vector: RowVector) {
    if vector.indexNumber != 0 { indexes[vector.indexNumber - 1]?.forget(vector.rows[vector.used - 1]) }
    vector.used -= 1
  }

  /// Drops holes at the end, and counts holes at the beginning, so that repeatedly removing the first or the last row
  /// does not require closing holes.
  private func trimHoles(_ vector: RowVector, _ index: VectorIndex) {
    while vector.used > 0, vector.rows[vector.used - 1] == 0 {
      vector.used -= 1
      index.holes -= 1
    }
    index.front = min(index.front, vector.used)
    while index.front < vector.used, vector.rows[index.front] == 0 { index.front += 1 }
  }

  mutating func remove(_ row: UInt32, from vector: RowVector) -> Bool {
    guard let place = place(of: row, in: vector) else { return false }
    if vector.indexNumber != 0, let index = indexes[vector.indexNumber - 1] {
      leaveHole(at: place, vector, index)
      if index.holes > vector.used / 2 { close(vector) }
    } else {
      let behind = vector.used - place - 1
      (vector.rows + place).update(from: vector.rows + place + 1, count: behind)
      vector.used -= 1
    }
    return true
  }

  private func leaveHole(at place: Int, _ vector: RowVector, _ index: VectorIndex) {
    index.forget(vector.rows[place])
    vector.rows[place] = 0
    index.holes += 1
    trimHoles(vector, index)
  }

  // MARK: Journaled removals

  /// Removes the row at an index. Until the journal is empty, holes stay where they are.
  mutating func takeOut(at place: Int, of vector: RowVector) {
    let index = index(of: vector)
    index.pinnedAt = generation
    leaveHole(at: place, vector, index)
  }

  /// Undoes a removal, after all later changes to the vector have been undone.
  mutating func putBack(_ row: UInt32, at place: Int, in vector: RowVector) {
    let index = index(of: vector)
    if place < vector.used {
      index.holes -= 1
    } else {
      // Holes at the end of the vector were dropped, so they are restored first.
      for hole in vector.used..<place { vector.rows[hole] = 0 }
      index.holes += place - vector.used
      vector.used = place + 1
    }
    vector.rows[place] = row + 1
    index.note(row + 1, at: place)
    index.front = min(index.front, place)
    trimHoles(vector, index)
  }
}
