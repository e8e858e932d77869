/// The results of closures for values that were read before the rest of their object, such as the identity of an owner. A closure is
/// called once per value (T3), so its result is kept until the value is read in its turn.
struct ResultsAhead {
  private struct Value: Hashable {
    var start: UnsafePointer<UInt8>
    var transformer: Int
    var slot: Int
  }

  private var cells: [Value: Cell] = [:]
  /// Whether values are being read ahead.
  private(set) var isReading = false

  var isUsed: Bool { isReading || !cells.isEmpty }

  /// Begins or stops to read ahead. Returns whether values were being read ahead.
  mutating func setReading(_ isReading: Bool) -> Bool {
    defer { self.isReading = isReading }
    return self.isReading
  }

  /// Returns the cell of the value that starts at a position, if its closure was already called.
  mutating func cell(at start: UnsafePointer<UInt8>, _ field: FieldPlan) -> Cell? {
    let value = Value(start: start, transformer: field.transformer, slot: field.slot)
    return isReading ? cells[value] : cells.removeValue(forKey: value)
  }

  /// Keeps a result while values are being read ahead. An invalid value is not kept, so it is read again and its error is reported in its
  /// turn.
  mutating func keep(_ cell: Cell, at start: UnsafePointer<UInt8>, _ field: FieldPlan) {
    guard isReading, cell.tag != .invalid else { return }
    cells[Value(start: start, transformer: field.transformer, slot: field.slot)] = cell
  }

  /// Forgets all results.
  @inline(__always)
  mutating func removeAll() { if !cells.isEmpty { cells.removeAll(keepingCapacity: true) } }

  /// Forgets the results for values in a text that is no longer read.
  mutating func removeAll(in text: UnsafeMutableBufferPointer<UInt8>) {
    guard !cells.isEmpty, let start = UnsafePointer(text.baseAddress) else { return }
    cells = cells.filter { $0.key.start < start || $0.key.start >= start + text.count }
  }
}
