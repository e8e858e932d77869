/// Packed values of rows, which stores and contexts exchange.
///
///     row:    | bits: which values are not nil | value | value | value ...
///     texts:  | bytes of all texts, consecutively
///
/// A value is a word: an integer, a row's number, a position, a date in microseconds since 1970, 0 or 1 for a boolean, the bits
/// of a double (also for a float), or the location of its bytes in `texts`. Texts are the UTF-8 of strings, URIs, decimals and
/// JSON, the bytes of binary data, and the 16 bytes of a UUID.
package struct StoredValues: Sendable {
  /// The number of values in a row.
  package let columnCount: Int
  /// The number of rows.
  package private(set) var count = 0
  @usableFromInline let bitWords: Int
  @usableFromInline var words: [UInt64] = []
  var texts = StoredTexts()

  /// Creates an empty list of rows.
  package init(columnCount: Int) {
    self.columnCount = columnCount
    bitWords = (columnCount + 63) / 64
  }

  @inlinable var stride: Int { bitWords + columnCount }

  /// Makes room for more rows.
  package mutating func reserve(rows: Int, textBytes: Int = 0) {
    words.reserveCapacity(words.count + rows * stride)
    texts.reserve(textBytes)
  }

  // MARK: Writing

  /// Appends a row of nils.
  package mutating func appendRow() {
    words.append(contentsOf: repeatElement(0, count: stride))
    count += 1
  }

  /// Removes all rows.
  package mutating func removeAll() {
    words.removeAll(keepingCapacity: true)
    texts.removeAll()
    count = 0
  }

  /// Sets a value of a row.
  @inline(__always)
  package mutating func setWord(_ word: UInt64, row: Int, column: Int) {
    let base = row * stride
    words[base + column >> 6] |= 1 << UInt64(column & 63)
    words[base + bitWords + column] = word
  }

  /// Sets a value that is an integer, a row's number, a position, a date in microseconds or a boolean.
  package mutating func setInteger(_ value: Int64, row: Int, column: Int) {
    setWord(UInt64(bitPattern: value), row: row, column: column)
  }

  /// Sets a value that is a double or a float.
  package mutating func setDouble(_ value: Double, row: Int, column: Int) {
    setWord(value.bitPattern, row: row, column: column)
  }

  /// Sets a value that consists of bytes. At most 1 GB.
  @inline(__always)
  package mutating func setText(_ bytes: UnsafeBufferPointer<UInt8>, row: Int, column: Int) {
    setWord(texts.append(LentBytes(bytes)), row: row, column: column)
  }

  /// Sets a value to the value of another row in the same column.
  mutating func setText(_ other: StoredValues, _ otherRow: Int, row: Int, column: Int) {
    let range = other.textRange(row: otherRow, column: column)
    other.withTexts { setText(UnsafeBufferPointer(rebasing: $0[range]), row: row, column: column) }
  }

  /// Sets a value to nil.
  package mutating func setNil(row: Int, column: Int) {
    words[row * stride + column >> 6] &= ~(1 << UInt64(column & 63))
  }

  // MARK: Reading

  /// Whether a value is nil.
  @inlinable @inline(__always)
  package func isNil(row: Int, column: Int) -> Bool {
    words[row * stride + column >> 6] & 1 << UInt64(column & 63) == 0
  }

  /// A value's word; meaningless if the value is nil.
  @inlinable @inline(__always)
  package func word(row: Int, column: Int) -> UInt64 { words[row * stride + bitWords + column] }

  /// The value of an integer, a row's number, a position, a date in microseconds or a boolean; nil if the value is nil.
  package func integer(row: Int, column: Int) -> Int64? {
    isNil(row: row, column: column) ? nil : Int64(bitPattern: word(row: row, column: column))
  }

  /// The value of a double or a float; nil if the value is nil.
  package func double(row: Int, column: Int) -> Double? {
    isNil(row: row, column: column) ? nil : Double(bitPattern: word(row: row, column: column))
  }

  /// Calls a closure with the bytes of all texts. ``textRange(row:column:)`` returns the range of a value's bytes.
  package func withTexts<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var outcome: Swift.Result<Result, Failure>?
    texts.bytes.withUnsafeBufferPointer { bytes in
      do throws(Failure) { outcome = .success(try body(bytes)) } catch { outcome = .failure(error) }
    }
    return try outcome.unsafelyUnwrapped.get()
  }

  /// The range of the bytes of a value that is not nil.
  @inlinable @inline(__always)
  package func textRange(row: Int, column: Int) -> Range<Int> {
    let word = word(row: row, column: column)
    let start = Int(word >> 30)
    return start..<start + Int(word & 0x3FFF_FFFF)
  }

  /// Copies the bytes of a value that is not nil into an arena.
  @inline(__always)
  func storeText(row: Int, column: Int, in arena: inout TextArena) -> UInt64 {
    let range = textRange(row: row, column: column)
    return LentBytes.with(texts.bytes) { arena.store($0.part(range)) }
  }

  /// Feeds the bytes of a value that is not nil to a hasher.
  func hashText(row: Int, column: Int, into hasher: inout Hasher) {
    let range = textRange(row: row, column: column)
    hasher.combine(range.count)
    withTexts { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[range])) }
  }

  /// The bytes of a value; nil if the value is nil.
  package func text(row: Int, column: Int) -> ArraySlice<UInt8>? {
    isNil(row: row, column: column) ? nil : texts.bytes[textRange(row: row, column: column)]
  }
}

/// The bytes of texts, consecutively, followed by free space.
struct StoredTexts: Sendable {
  private(set) var bytes: [UInt8] = []
  private var count = 0

  /// Makes room for more bytes.
  mutating func reserve(_ size: Int) {
    if count + size > bytes.count { bytes += repeatElement(0, count: count + size - bytes.count) }
  }

  /// Discards the texts, but keeps the capacity.
  mutating func removeAll() { count = 0 }

  /// Appends the bytes of a value. Returns the word with its position.
  @inline(__always)
  mutating func append(_ text: LentBytes) -> UInt64 {
    let start = count
    count += text.count
    if count > bytes.count { bytes += repeatElement(0, count: max(bytes.count, text.count, 64)) }
    if let source = text.baseAddress {
      bytes.withUnsafeMutableBytes {
        $0.baseAddress?.advanced(by: start).copyMemory(from: source, byteCount: text.count)
      }
    }
    return UInt64(start) << 30 | UInt64(text.count)
  }
}

/// Rows of a table.
package struct StoredRows: Sendable {
  /// The properties of a row apart from its values.
  package struct Header: Sendable, Hashable {
    /// The number of the row: positive, never reused, and unique in its table.
    package var id: Int64
    /// The number of the commit that wrote the row last.
    package var version: Int64
    /// The entity, as a position in ``StoreSchema/Table/entityNames``.
    package var entity: Int
    /// Whether only the identifier of the object is known ([I4](doc:Rules#I4)).
    package var isPlaceholder: Bool
    /// Whether the key of the entity mapper held a number or a boolean instead of a string ([E4](doc:Rules#E4)).
    package var isBare: Bool

    /// Creates the header of a row.
    package init(id: Int64, version: Int64, entity: Int = 0, isPlaceholder: Bool = false, isBare: Bool = false) {
      self.id = id
      self.version = version
      self.entity = entity
      self.isPlaceholder = isPlaceholder
      self.isBare = isBare
    }
  }

  /// The table, as a position in ``StoreSchema/tables``.
  package let table: Int
  /// The header of each row.
  package var headers: [Header] = []
  /// The values of each row, by the table's columns.
  package var values: StoredValues

  /// The number of rows.
  package var count: Int { headers.count }

  /// Creates an empty list of rows.
  package init(table: Int, columnCount: Int) {
    self.table = table
    values = StoredValues(columnCount: columnCount)
  }

  /// Appends a row of nils.
  package mutating func append(_ header: Header) {
    headers.append(header)
    values.appendRow()
  }
}

/// One link in a table of links.
package struct StoredLink: Sendable, Hashable {
  /// The number of the owner's row, and of the member's row.
  package var owner: Int64
  package var member: Int64
  /// The position of the member among the members of its owner; 0 if they are not ordered.
  package var position: Int64
  /// The position of the owner among the owners of its member; 0 if they are not ordered.
  package var inversePosition: Int64

  /// In changes, this value represents the position that is already in the store. A changed list does not affect the positions in the
  /// lists on the other side, which may have gaps.
  package static let keptPosition: Int64 = -1

  /// Replaces kept positions with the positions of an existing link.
  mutating func keepPositions(of other: StoredLink?) {
    if position == StoredLink.keptPosition { position = other?.position ?? 0 }
    if inversePosition == StoredLink.keptPosition { inversePosition = other?.inversePosition ?? 0 }
  }

  /// Creates a link.
  package init(owner: Int64, member: Int64, position: Int64 = 0, inversePosition: Int64 = 0) {
    self.owner = owner
    self.member = member
    self.position = position
    self.inversePosition = inversePosition
  }
}
