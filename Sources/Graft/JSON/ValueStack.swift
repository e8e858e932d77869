/// The elements and members of containers that are being read.
///
///     [1, {"a": 2, "b": [3, 4          1 2 3 4
///                                      ^ ^ ^   where the array, its object and the inner array begin
///
/// When a container ends, its values are moved out. This type is unsafe: the values are in separate memory, which ``free()`` releases.
struct ValueStack<Value> {
  private var base: UnsafeMutablePointer<Value>?
  private var capacity = 0
  private(set) var count = 0

  @inline(__always)
  mutating func push(_ value: consuming Value) {
    if count == capacity { grow() }
    (base.unsafelyUnwrapped + count).initialize(to: value)
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    capacity = max(32, capacity * 2)
    let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity)
    if let base {
      larger.moveInitialize(from: base, count: count)
      base.deallocate()
    }
    base = larger
  }

  /// Takes out the last value. The stack must not be empty.
  mutating func pop() -> Value {
    count -= 1
    return (base.unsafelyUnwrapped + count).move()
  }

  /// Takes out the values from an index onward, as an array.
  mutating func takeArray(from first: Int) -> [Value] {
    let taken = count - first
    guard taken > 0, let base else { return [] }
    count = first
    return Array(unsafeUninitializedCapacity: taken) { buffer, initialized in
      buffer.baseAddress.unsafelyUnwrapped.moveInitialize(from: base + first, count: taken)
      initialized = taken
    }
  }

  /// Takes out the values from an index onward. Each of them must be taken before the next value is pushed.
  @inline(__always)
  mutating func takeOut(from first: Int) -> MemberValues<Value> {
    count = first
    return MemberValues(base.map { $0 + first })
  }

  mutating func free() {
    base?.deinitialize(count: count)
    base?.deallocate()
    base = nil
  }
}

/// The values of an object's members, in order.
struct MemberValues<Value> {
  private let base: UnsafeMutablePointer<Value>?

  fileprivate init(_ base: UnsafeMutablePointer<Value>?) { self.base = base }

  /// Takes out a value. Each value can be taken only once.
  @inline(__always)
  func take(_ index: Int) -> Value { (base.unsafelyUnwrapped + index).move() }
}
