package import Graft

/// The digest of a row: its header and its values, in the order of the columns.
///
/// The digest reveals damage that SQLite's own check cannot detect, such as a value replaced by another value of the same length.
package struct RowDigest {
  @usableFromInline var digest = Digest()
  /// A mask of the last 64 columns, with a bit for each that has a value.
  @usableFromInline var mask: UInt64 = 0
  @usableFromInline var column = 0

  /// Begins with the header.
  @inlinable package init(_ header: StoredRows.Header) {
    digest.add(UInt64(bitPattern: header.id))
    digest.add(UInt64(bitPattern: header.version))
    digest.add(UInt64(header.entity) << 2 | (header.isPlaceholder ? 2 : 0) | (header.isBare ? 1 : 0))
  }

  /// Adds a column without a value.
  @inlinable @inline(__always)
  package mutating func addNil() { next() }

  /// Adds a number, or the bits of a double.
  @inlinable @inline(__always)
  package mutating func add(_ word: UInt64) {
    digest.add(word)
    mask |= 1 << UInt64(column & 63)
    next()
  }

  @inlinable @inline(__always)
  package mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    digest.add(bytes)
    mask |= 1 << UInt64(column & 63)
    next()
  }

  @inlinable @inline(__always)
  mutating func next() {
    column += 1
    if column & 63 == 0 {
      digest.add(mask)
      mask = 0
    }
  }

  /// The digest of all data that was added.
  @inlinable package var value: Int64 {
    var digest = digest
    digest.add(mask)
    return digest.value
  }

  /// The bits of a double, as SQLite stores them; SQLite does not distinguish zero from negative zero.
  @inlinable @inline(__always)
  package static func bits(_ word: UInt64) -> UInt64 { word == 1 << 63 ? 0 : word }
}
