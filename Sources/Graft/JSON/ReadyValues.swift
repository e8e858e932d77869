/// Values that are known before the text is read, in the order of the text. In the text, each is represented by a `0`.
///
///     text       {"name":0,"rank":0}
///     values     at 8: "Batman"   at 17: 7
///
/// This type is unsafe: the values are in separate memory, which ``free()`` releases.
struct ReadyValues<Value> {
  private struct Entry {
    let offset: Int
    let value: Value
  }

  private var base: UnsafeMutablePointer<Entry>?
  private var capacity = 0
  /// The index of the first value that has not been removed.
  private var first = 0
  private var end = 0

  /// Adds the value of a `0` after all other values.
  @inline(__always)
  mutating func add(_ value: consuming Value, at offset: Int) {
    if end == capacity { grow() }
    (base.unsafelyUnwrapped + end).initialize(to: Entry(offset: offset, value: value))
    end += 1
  }

  @inline(never)
  private mutating func grow() {
    capacity = max(64, capacity * 2)
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    if let base {
      larger.moveInitialize(from: base, count: end)
      base.deallocate()
    }
    base = larger
  }

  /// Discards the values from an offset onward.
  mutating func truncate(to offset: Int) {
    while let base, end > first, base[end - 1].offset >= offset {
      end -= 1
      (base + end).deinitialize(count: 1)
    }
  }

  /// Removes the value of the `0` at an offset, if that `0` represents a value. Offsets must increase from call to call.
  @inline(__always)
  mutating func take(at offset: Int) -> Value? {
    guard first < end, let entry = base.map({ $0 + first }), entry.pointee.offset == offset else { return nil }
    first += 1
    return entry.move().value
  }

  mutating func free() {
    if let base { (base + first).deinitialize(count: end - first) }
    base?.deallocate()
    base = nil
    (capacity, first, end) = (0, 0, 0)
  }
}
