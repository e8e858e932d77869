/// Objects that a payload repeats byte for byte inside other objects, such as the author of each post, so that they are read once.
///
///     [{"id": 1, "author": {"id": 7, "name": "Ann"}},      read into row 3, which has its values
///      {"id": 2, "author": {"id": 7, "name": "Ann"}}]      the same bytes: row 3, with nothing to write
///
/// Only objects that consist of an identity and attributes, without closures, faults or unmapped keys, are repeatable. Reading
/// them again changes nothing unless another dictionary has described the row since. Therefore, the text that last described a row
/// is also noted, and only an object with that text is recognized.
///
///     texts     by a hash of the bytes that distinguish a field's objects     text, row
///     latest    by a hash of the row                                          the text that described it last
///
/// In both tables, a new entry replaces any entry with the same hash. An object that is not found is read. This type is
/// unsafe: it stores texts as addresses in the piece that is being read, so ``begin(_:isWanted:)`` discards them.
struct RepeatedObjects {
  private struct Text {
    var start: UnsafePointer<UInt8>?
    var count: Int32
    var field: Int32
    var row: UInt32
    var table: Int32
  }

  /// The facts about the objects of a field.
  private struct Field {
    /// The start of the object that was noted first.
    var first: UnsafePointer<UInt8>?
    var firstCount = 0
    /// The number of bytes at the beginning that all objects share, such as `{"id":`; -1 if only one object is known.
    var sharedCount: Int32 = -1
    /// The number of further objects that are noted before a repeated object must be found. If none is found, the field is ignored from
    /// then on.
    var balance: Int32 = 0
    /// The number of objects that have shown their common parts.
    var learned: Int32 = 0
  }

  private static let leastPiece = 4_096
  private static let mostBytes = 1 << 16
  private static let mostShared = 512
  private static let leastBalance = 96
  private static let bytesPerMiss = 1_024
  /// The gain of finding an object, which saves as much as it costs to note this many objects.
  private static let gain: Int32 = 16
  private static let lessons: Int32 = 32

  private let plan: Plan
  private var fields: UnsafeMutablePointer<Field>?
  /// The tables with rows of objects that were noted.
  private var tables: UnsafeMutablePointer<Bool>?
  private var texts: UnsafeMutablePointer<Text>?
  private var latest: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  private var bits = 0
  /// Whether objects are noted in the piece that is read.
  private(set) var isActive = false

  init(_ plan: Plan) { self.plan = plan }

  func free() {
    fields?.deallocate()
    tables?.deallocate()
    texts?.deallocate()
    latest?.deallocate()
  }

  /// Begins a piece. Small objects do not justify the memory.
  ///
  /// - Parameter isWanted: whether individual mentions of an object do not matter because they are not traced.
  mutating func begin(_ count: Int, isWanted: Bool) {
    isActive =
      isWanted && count >= Self.leastPiece && !plan.plainRelationshipFields.isEmpty && !plan.features.hasHooks
      && !plan.features.hasSurroundingPaths
    guard isActive else { return }
    beginFields(count)
    // The size of the tables assumes one object in 512 bytes, or more.
    let bits = min(15, max(8, Int.bitWidth - (count >> 9).leadingZeroBitCount))
    if bits > self.bits {
      texts?.deallocate()
      latest?.deallocate()
      texts = .allocate(capacity: 1 << bits)
      latest = .allocate(capacity: 1 << bits)
      self.bits = bits
    }
    texts?.initialize(repeating: Text(start: nil, count: 0, field: 0, row: 0, table: 0), count: 1 << self.bits)
    latest?.initialize(repeating: nil, count: 1 << self.bits)
  }

  /// Discards the facts about fields and tables.
  private mutating func beginFields(_ count: Int) {
    let fields = self.fields ?? .allocate(capacity: plan.fieldCount)
    let tables = self.tables ?? .allocate(capacity: plan.tables.count)
    (self.fields, self.tables) = (fields, tables)
    fields.initialize(repeating: Field(), count: plan.fieldCount)
    tables.initialize(repeating: false, count: plan.tables.count)
    for number in plan.plainRelationshipFields {
      fields[number].balance = Int32(clamping: max(Self.leastBalance, count / Self.bytesPerMiss))
    }
  }

  /// Returns whether the objects of a field are noted.
  @inline(__always)
  func isWatching(_ field: Int) -> Bool { isActive && fields.unsafelyUnwrapped[field].balance > 0 }

  /// Returns whether it matters which objects describe the rows of a table.
  @inline(__always)
  func isWatching(table: Int) -> Bool { isActive && tables.unsafelyUnwrapped[table] }

  // MARK: Finding

  /// Returns the row of the object at the scanner's position, if the row was last described by the same bytes. Moves the scanner to
  /// the end of the object.
  @inline(__always)
  mutating func find(_ field: Int, _ scanner: inout JSONScanner) -> UInt32? {
    let known = fields.unsafelyUnwrapped + field
    let start = scanner.position
    let room = scanner.end - start
    guard known.pointee.sharedCount >= 0, room >= Int(known.pointee.sharedCount) + 8 else { return nil }
    let text = texts.unsafelyUnwrapped + place(of: start + Int(known.pointee.sharedCount), field)
    if let first = text.pointee.start, text.pointee.field == Int32(truncatingIfNeeded: field),
      room >= Int(text.pointee.count), sameBytes(start, first, Int(text.pointee.count)),
      latest.unsafelyUnwrapped[place(ofRow: text.pointee.row, Int(text.pointee.table))] == first
    {
      if known.pointee.balance < Int32.max - Self.gain { known.pointee.balance &+= Self.gain }
      scanner.move(to: start + Int(text.pointee.count))
      return text.pointee.row
    }
    return nil
  }

  @inline(__always)
  private func place(of distinct: UnsafePointer<UInt8>, _ field: Int) -> Int {
    let word = (load64(distinct) ^ UInt64(truncatingIfNeeded: field)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: word >> UInt64(truncatingIfNeeded: 64 - bits))
  }

  @inline(__always)
  private func place(ofRow row: UInt32, _ table: Int) -> Int {
    let word = (UInt64(row) ^ UInt64(truncatingIfNeeded: table) << 32) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: word >> UInt64(truncatingIfNeeded: 64 - bits))
  }

  // MARK: Noting

  /// Notes which object described a row, from its first byte to its end.
  ///
  /// - Parameter isRepeatable: whether the same bytes have the same meaning when they occur again.
  @inline(__always)
  mutating func note(
    _ start: UnsafePointer<UInt8>, _ scanner: JSONScanner, _ field: Int, _ row: UInt32, _ table: Int,
    isRepeatable: Bool
  ) {
    latest.unsafelyUnwrapped[place(ofRow: row, table)] = isRepeatable ? start : nil
    if isRepeatable { add(start, scanner, field, row, table) }
  }

  @inline(__always)
  private mutating func add(
    _ start: UnsafePointer<UInt8>, _ scanner: JSONScanner, _ field: Int, _ row: UInt32, _ table: Int
  ) {
    let known = fields.unsafelyUnwrapped + field
    let count = scanner.position - start
    known.pointee.balance &-= 1
    tables.unsafelyUnwrapped[table] = true
    if known.pointee.learned < Self.lessons { learn(start, count, known) }
    let distinct = start + Int(known.pointee.sharedCount)
    guard known.pointee.sharedCount >= 0, scanner.end - distinct >= 8, count <= Self.mostBytes else { return }
    texts.unsafelyUnwrapped[place(of: distinct, field)] = Text(
      start: start, count: Int32(truncatingIfNeeded: count), field: Int32(truncatingIfNeeded: field), row: row,
      table: Int32(truncatingIfNeeded: table))
  }

  /// Learns from one of the first objects of a field how many bytes all of them share.
  @inline(never)
  private func learn(_ start: UnsafePointer<UInt8>, _ count: Int, _ known: UnsafeMutablePointer<Field>) {
    guard let first = known.pointee.first else {
      (known.pointee.first, known.pointee.firstCount) = (start, count)
      return
    }
    let end = min(count, known.pointee.firstCount, Self.mostShared)
    var shared = 0
    while shared < end, start[shared] == first[shared] { shared += 1 }
    // If this is the same object again, it adds no information.
    if shared == end, end < Self.mostShared { return }
    known.pointee.learned += 1
    if known.pointee.sharedCount < 0 || shared < known.pointee.sharedCount {
      known.pointee.sharedCount = Int32(truncatingIfNeeded: shared)
    }
  }
}
