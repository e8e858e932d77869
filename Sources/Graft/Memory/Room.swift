/// Memory to be written, from an address onward.
///
///     room[0] = UInt8(ascii: "-")
///     let end = room + 1
///
/// This type is unsafe: there is no check that a writer stays within the room.
struct Room<Element: BitwiseCopyable> {
  let start: UnsafeMutablePointer<Element>

  @inline(__always) init(_ start: UnsafeMutablePointer<Element>) { self.start = start }

  @inline(__always)
  subscript(index: Int) -> Element {
    get { start[index] }
    nonmutating set { start[index] = newValue }
  }

  /// Returns the room from an element onward.
  @inline(__always) static func + (room: Room, index: Int) -> Room { Room(room.start + index) }
  @inline(__always) static func += (room: inout Room, count: Int) { room = room + count }

  /// Writes an element many times.
  func fill(_ count: Int, with element: Element) { start.update(repeating: element, count: count) }

  /// Copies elements, which may overlap.
  @inline(__always)
  func copy(_ source: Room, _ count: Int) { start.update(from: source.start, count: count) }

  /// Passes uninitialized room to a closure. The room is valid only inside the closure.
  @inline(__always)
  static func with<Result>(_ capacity: Int, _ body: (Room) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: Element.self, capacity: max(1, capacity)) {
      body(Room($0.baseAddress.unsafelyUnwrapped))
    }
  }
}

/// Room for bytes.
typealias ByteRoom = Room<UInt8>

extension ByteRoom {
  /// Writes eight bytes, lowest byte first.
  @inline(__always)
  func store(_ word: UInt64, at index: Int = 0) { store64(word, to: start + index) }

  /// Writes four bytes, lowest byte first.
  @inline(__always)
  func store(_ word: UInt32, at index: Int = 0) { store32(word, to: start + index) }

  /// Returns the first bytes.
  @inline(__always)
  func bytes(_ count: Int) -> LentBytes { LentBytes(start: start, count: count) }

  /// Copies bytes, which must have an address. Most copies are short keys, for which copying two possibly overlapping words is faster than
  /// a call.
  @inline(__always)
  func copy(_ source: LentBytes) {
    let place = source.baseAddress.unsafelyUnwrapped
    let length = source.count
    if length >= 8, length <= 16 {
      store64(load64(place), to: start)
      store64(load64(place + (length - 8)), to: start + (length - 8))
    } else if length >= 4, length < 8 {
      store32(load32(place), to: start)
      store32(load32(place + (length - 4)), to: start + (length - 4))
    } else {
      start.update(from: place, count: length)
    }
  }
}
