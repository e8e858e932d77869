/// A value about to be stored in a row: a word, or bytes that the caller keeps alive until the row has copied them.
///
///     tag      bits                               count
///     word     integer, double's bits, 0 or 1,
///              microseconds since 1970            -
///     text     address of bytes                   number of bytes; whether they are plain, and expected
///     row      row number + 1                     -
///     rows     first index of the row list        number of rows
///
/// Text is plain if it has the same bytes in JSON, and expected if the row that the object probably describes already has the same text.
///
/// Dates, UUIDs and decimals are already in stored form, so a cell can be compared with the contents of a row.
struct Cell {
  var bits: UInt64
  private var meta: UInt64

  enum Tag: UInt8 { case absent, null, word, text, row, rows, invalid, deferred, setAside }

  @inline(__always)
  private init(bits: UInt64, tag: Tag, count: Int = 0, flags: UInt64 = 0) {
    self.bits = bits
    meta = UInt64(tag.rawValue) | flags | UInt64(truncatingIfNeeded: count) << Cell.countShift
  }

  private static let plain: UInt64 = 1 << 8
  private static let expected: UInt64 = 1 << 9
  private static let countShift: UInt64 = 16

  /// The cast costs nothing, whereas the initializer of `Tag` would be a call. Only a cell's own initializer writes the byte.
  @inline(__always) var tag: Tag { unsafeBitCast(UInt8(truncatingIfNeeded: meta), to: Tag.self) }
  @inline(__always) var count: Int { Int(truncatingIfNeeded: meta >> Cell.countShift) }
  @inline(__always) var isPlain: Bool { meta & Cell.plain != 0 }
  @inline(__always) var isExpected: Bool { meta & Cell.expected != 0 }
  @inline(__always) var isAbsent: Bool { meta == 0 }

  /// The key is absent from the payload.
  static var absent: Cell { Cell(bits: 0, tag: .absent) }
  /// The value in the payload is null.
  static var null: Cell { Cell(bits: 0, tag: .null) }
  /// The value in the payload was rejected. The error has already been recorded.
  static var invalid: Cell { Cell(bits: 0, tag: .invalid) }

  /// The value is read when the object's own row is known (M12).
  static var setAside: Cell { Cell(bits: 0, tag: .setAside) }

  @inline(__always) static func word(_ bits: UInt64) -> Cell { Cell(bits: bits, tag: .word) }
  @inline(__always) static func integer(_ value: Int64) -> Cell { .word(UInt64(bitPattern: value)) }
  @inline(__always) static func double(_ value: Double) -> Cell { .word(value.bitPattern) }
  @inline(__always) static func boolean(_ value: Bool) -> Cell { .word(value ? 1 : 0) }

  @inline(__always) static func text(_ bytes: LentBytes, isPlain: Bool = false) -> Cell {
    Cell(bits: UInt64(bytes.address), tag: .text, count: bytes.count, flags: isPlain ? plain : 0)
  }

  /// Plain text that the expected row already has.
  @inline(__always) static func expectedText(_ bytes: LentBytes) -> Cell {
    Cell(bits: UInt64(bytes.address), tag: .text, count: bytes.count, flags: plain | expected)
  }

  @inline(__always) static func row(_ row: UInt32) -> Cell { Cell(bits: UInt64(row) + 1, tag: .row) }
  @inline(__always) static func rows(first: Int, count: Int) -> Cell {
    Cell(bits: UInt64(first), tag: .rows, count: count)
  }

  /// Returns the cell of a value with identifiers that are resolved at the end of the payload (D1), given by their index.
  @inline(__always) static func deferred(index: Int) -> Cell { Cell(bits: UInt64(index), tag: .deferred) }

  /// The bytes of a cell with text.
  @inline(__always) var bytes: LentBytes { LentBytes(address: UInt(bits), count: count) }
}
