/// Values for some of a table's rows, in pages separate from the rows. A page exists while one of its rows has a value.
///
///     page of 128 rows:   | number of values | value or nil | value or nil | ...
///
/// A column consists of plain memory behind pointers, for plain values. The owner calls ``free()``.
struct SparseColumn<Value: BitwiseCopyable> {
  @inline(__always) private static var rowShift: Int { 7 }
  @inline(__always) private static var rowsPerPage: Int { 1 << rowShift }

  /// The values of 128 rows.
  private struct Page {
    let values: UnsafeMutablePointer<Value?>
    var count = 0

    init() {
      values = .allocate(capacity: SparseColumn.rowsPerPage)
      values.initialize(repeating: nil, count: SparseColumn.rowsPerPage)
    }
  }

  private var pages: [Page?] = []
  /// A page without values, which is kept so that setting and removing a value does not allocate memory.
  private var spare: Page?
  private var pageCount = 0
  /// The number of values.
  private(set) var count = 0

  /// The number of values for which there is memory.
  var capacity: Int { pageCount * SparseColumn.rowsPerPage + pages.capacity * 2 }

  subscript(row: UInt32) -> Value? {
    @inline(__always)
    get {
      let number = Int(row) >> SparseColumn.rowShift
      guard number < pages.count, let page = pages[number] else { return nil }
      return page.values[Int(row) & (SparseColumn.rowsPerPage - 1)]
    }
    set {
      let number = Int(row) >> SparseColumn.rowShift
      if number >= pages.count || pages[number] == nil {
        if newValue == nil { return }
        addPage(number)
      }
      guard let place = pages[number].map({ $0.values + (Int(row) & (SparseColumn.rowsPerPage - 1)) }) else { return }
      let change = (newValue == nil ? 0 : 1) - (place.pointee == nil ? 0 : 1)
      place.pointee = newValue
      count += change
      pages[number]?.count += change
      if pages[number]?.count == 0 { removePage(number) }
    }
  }

  private mutating func addPage(_ number: Int) {
    if number >= pages.count { pages.append(contentsOf: repeatElement(nil, count: number + 1 - pages.count)) }
    if spare == nil {
      spare = Page()
      pageCount += 1
    }
    swap(&pages[number], &spare)
  }

  private mutating func removePage(_ number: Int) {
    if spare == nil { return swap(&pages[number], &spare) }
    pages[number]?.values.deallocate()
    pages[number] = nil
    pageCount -= 1
  }

  /// The rows that have values, in order.
  var rows: [UInt32] { rows(in: 0..<UInt32(pages.count << SparseColumn.rowShift)) }

  /// The rows in a range that have values, in order.
  func rows(in range: Range<UInt32>) -> [UInt32] {
    var rows: [UInt32] = []
    let first = Int(range.lowerBound) >> SparseColumn.rowShift
    let end = min(pages.count, (Int(range.upperBound) + SparseColumn.rowsPerPage - 1) >> SparseColumn.rowShift)
    for number in first..<max(first, end) {
      guard let page = pages[number] else { continue }
      for place in 0..<SparseColumn.rowsPerPage where page.values[place] != nil {
        let row = UInt32(number << SparseColumn.rowShift + place)
        if range.contains(row) { rows.append(row) }
      }
    }
    return rows
  }

  /// Frees memory that the current rows do not need.
  mutating func trim() {
    guard pages.count > 64, pageCount < pages.count / 64 else { return }
    while let last = pages.last, last == nil { pages.removeLast() }
    pages = Array(pages)
  }

  mutating func free() {
    for page in pages { page?.values.deallocate() }
    spare?.values.deallocate()
    pages = []
    spare = nil
  }
}

/// A sparse column for each table, changed in place.
struct SparseColumns<Value: BitwiseCopyable> {
  private let columns: UnsafeMutablePointer<SparseColumn<Value>>
  private let count: Int

  init(count: Int) {
    self.count = count
    columns = .allocate(capacity: max(1, count))
    columns.initialize(repeating: SparseColumn(), count: count)
  }

  subscript(table: Int) -> SparseColumn<Value> {
    @inline(__always) unsafeAddress { UnsafePointer(columns + table) }
    @inline(__always) nonmutating unsafeMutableAddress { columns + table }
  }

  func free() {
    for table in 0..<count { columns[table].free() }
    columns.deinitialize(count: count)
    columns.deallocate()
  }
}
