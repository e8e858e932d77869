/// The results of closures for values that were read before the rest of their object, such as the identity of an owner. A closure is
/// called once per value (T3), so its result is kept until the value is read in its turn.
struct ResultsAhead {
  /// A value, by its position, and the closure that read it.
  struct Value: Hashable {
    var start: UnsafePointer<UInt8>
    var transformer: Int
    var slot: Int
  }

  private var cells: [Value: Cell] = [:]
  /// The results of relationships' transformers (M26).
  private var identifiers: [Value: AttributeValue?] = [:]
  /// Whether values are being read ahead.
  private(set) var isReading = false

  var isUsed: Bool { isReading || !cells.isEmpty || !identifiers.isEmpty }

  /// Begins or stops to read ahead. Returns whether values were being read ahead.
  mutating func setReading(_ isReading: Bool) -> Bool {
    defer { self.isReading = isReading }
    return self.isReading
  }

  /// Returns the cell of a value whose closure was already called.
  mutating func cell(of value: Value) -> Cell? {
    isReading ? cells[value] : cells.removeValue(forKey: value)
  }

  /// Returns the identifier that a relationship's transformer has already made from a value.
  mutating func identifier(of value: Value) -> AttributeValue?? {
    isReading ? identifiers[value] : identifiers.removeValue(forKey: value)
  }

  /// Keeps a result while values are being read ahead. An invalid value is not kept, so it is read again and its error is reported
  /// in its turn.
  mutating func keep(_ cell: Cell, of value: Value) {
    if isReading, cell.tag != .invalid { cells[value] = cell }
  }

  mutating func keep(_ identifier: AttributeValue?, of value: Value) {
    if isReading { identifiers[value] = .some(identifier) }
  }

  /// Forgets all results.
  @inline(__always)
  mutating func removeAll() {
    if !cells.isEmpty { cells.removeAll(keepingCapacity: true) }
    if !identifiers.isEmpty { identifiers.removeAll(keepingCapacity: true) }
  }

  /// Forgets the results for values in a text that is no longer read.
  mutating func removeAll(in text: UnsafeMutableBufferPointer<UInt8>) {
    guard isUsed, let start = UnsafePointer(text.baseAddress) else { return }
    let isElsewhere = { (value: Value) in value.start < start || value.start >= start + text.count }
    cells = cells.filter { isElsewhere($0.key) }
    identifiers = identifiers.filter { isElsewhere($0.key) }
  }
}
