/// The living handles of a table's rows, in pages beside the rows: a page exists while one of its rows has a handle.
///
///     page of 128 rows:   | number of handles | handle or nil | handle or nil | ...
///
/// Plain memory behind pointers. The context that owns the table calls ``free()``.
struct HandleTable {
  typealias Handle = Unmanaged<ManagedObject>

  private static let rowShift = 7
  private static let rowsPerPage = 1 << rowShift

  /// The handles of 128 rows.
  private struct Page {
    let handles: UnsafeMutablePointer<Handle?>
    var count = 0

    init() {
      handles = .allocate(capacity: HandleTable.rowsPerPage)
      handles.initialize(repeating: nil, count: HandleTable.rowsPerPage)
    }
  }

  private var pages: [Page?] = []
  /// A page without handles, so that a handle that comes and goes allocates nothing.
  private var spare: Page?
  private var pageCount = 0
  /// The number of handles.
  private(set) var count = 0

  /// The number of handles for which there is memory.
  var capacity: Int { pageCount * HandleTable.rowsPerPage + pages.capacity * 2 }

  subscript(row: UInt32) -> Handle? {
    @inline(__always)
    get {
      let number = Int(row) >> HandleTable.rowShift
      guard number < pages.count, let page = pages[number] else { return nil }
      return page.handles[Int(row) & (HandleTable.rowsPerPage - 1)]
    }
    set {
      let number = Int(row) >> HandleTable.rowShift
      if number >= pages.count || pages[number] == nil {
        if newValue == nil { return }
        addPage(number)
      }
      guard let place = pages[number].map({ $0.handles + (Int(row) & (HandleTable.rowsPerPage - 1)) }) else { return }
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
    pages[number]?.handles.deallocate()
    pages[number] = nil
    pageCount -= 1
  }

  /// The rows that have handles, in order.
  var rows: [UInt32] { rows(in: 0..<UInt32(pages.count << HandleTable.rowShift)) }

  /// The rows in a range that have handles, in order.
  func rows(in range: Range<UInt32>) -> [UInt32] {
    var rows: [UInt32] = []
    let first = Int(range.lowerBound) >> HandleTable.rowShift
    let end = min(pages.count, (Int(range.upperBound) + HandleTable.rowsPerPage - 1) >> HandleTable.rowShift)
    for number in first..<max(first, end) {
      guard let page = pages[number] else { continue }
      for place in 0..<HandleTable.rowsPerPage where page.handles[place] != nil {
        let row = UInt32(number << HandleTable.rowShift + place)
        if range.contains(row) { rows.append(row) }
      }
    }
    return rows
  }

  /// Gives memory back that only more rows needed.
  mutating func trim() {
    guard pages.count > 64, pageCount < pages.count / 64 else { return }
    while let last = pages.last, last == nil { pages.removeLast() }
    pages = Array(pages)
  }

  mutating func free() {
    for page in pages { page?.handles.deallocate() }
    spare?.handles.deallocate()
    pages = []
    spare = nil
  }
}

/// The tables of handles of a context, one for each table of rows, which are changed in place.
struct HandleTables {
  private let tables: UnsafeMutablePointer<HandleTable>
  private let count: Int

  init(count: Int) {
    self.count = count
    tables = .allocate(capacity: max(1, count))
    tables.initialize(repeating: HandleTable(), count: count)
  }

  subscript(table: Int) -> HandleTable {
    @inline(__always) unsafeAddress { UnsafePointer(tables + table) }
    @inline(__always) nonmutating unsafeMutableAddress { tables + table }
  }

  func free() {
    for table in 0..<count { tables[table].free() }
    tables.deinitialize(count: count)
    tables.deallocate()
  }
}
