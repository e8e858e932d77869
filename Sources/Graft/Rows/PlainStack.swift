/// A stack of plain data that hot loops read and write without exclusivity or bounds checks. This type is unsafe: its
/// owner must call ``free()``, and indexes must be less than ``count``.
struct PlainStack<Element> {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private(set) var capacity: Int

  init(capacity: Int = 16) {
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  init(repeating element: Element, count: Int) {
    self.init(capacity: max(1, count))
    base.initialize(repeating: element, count: count)
    self.count = count
  }

  init(_ elements: some Collection<Element>) {
    self.init(capacity: max(1, elements.count))
    for element in elements { append(element) }
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      assert((0..<count).contains(index), "a stack does not have this element")
      return base[index]
    }
    nonmutating set {
      assert((0..<count).contains(index), "a stack does not have this element")
      base[index] = newValue
    }
  }

  @inline(__always) var last: UnsafeMutablePointer<Element> { base + (count - 1) }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(1) }
    (base + count).initialize(to: element)
    count += 1
  }

  /// Makes room for more elements, which the caller fills.
  @inline(__always)
  mutating func extend(by more: Int) -> UnsafeMutablePointer<Element> {
    if count + more > capacity { grow(more) }
    let place = base + count
    count += more
    return place
  }

  @inline(__always)
  mutating func truncate(to newCount: Int) { count = newCount }

  /// Frees memory that was needed only for an unusually large operation.
  mutating func trim(to limit: Int) {
    guard count == 0, capacity > limit else { return }
    base.deallocate()
    capacity = limit
    base = .allocate(capacity: capacity)
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
  }

  var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }

  /// The last elements, which may be changed in place.
  func elements(from first: Int) -> UnsafeMutableBufferPointer<Element> {
    UnsafeMutableBufferPointer(start: base + first, count: count - first)
  }

  func copy() -> PlainStack {
    var copy = PlainStack(capacity: max(1, count))
    copy.extend(by: count).update(from: base, count: count)
    return copy
  }

  func free() { base.deallocate() }
}
