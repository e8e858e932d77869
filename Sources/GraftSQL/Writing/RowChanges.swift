/// The numbers of the rows that a commit wrote and deleted.
package struct RowChanges {
  /// The rows of a table, sorted, each once.
  package struct Rows: Equatable {
    package var written: [Int64] = []
    package var deleted: [Int64] = []
  }

  package var tables: [Int: Rows] = [:]

  /// Adds rows that were written.
  package mutating func write(_ rows: some Sequence<Int64>, in table: Int) {
    tables[table, default: Rows()].written += rows
  }

  /// Adds rows that were deleted.
  package mutating func delete(_ rows: some Sequence<Int64>, in table: Int) {
    tables[table, default: Rows()].deleted += rows
  }

  package init() {}

  /// The maximum number of rows in a list. A commit that writes more rows does not list the rows.
  static let maximumRows = 1 << 20

  /// Whether there are too many rows to list.
  package var isLong: Bool {
    tables.values.contains { max($0.written.count, $0.deleted.count) > RowChanges.maximumRows }
  }

  // MARK: Packing

  /// The changes in compact form: runs of consecutive numbers, as differences.
  ///
  ///     7, 8, 9, 12     is     2 runs: skip 7, take 3; skip 2, take 1
  package var packed: [UInt8] {
    var bytes: [UInt8] = []
    for (table, rows) in tables.sorted(by: { $0.key < $1.key }) {
      let deleted = Set(rows.deleted)
      RowChanges.append(UInt64(table), to: &bytes)
      RowChanges.append(rows: rows.written.filter { !deleted.contains($0) }, to: &bytes)
      RowChanges.append(rows: rows.deleted, to: &bytes)
    }
    var digest = Digest()
    bytes.withUnsafeBufferPointer { digest.add($0) }
    return withUnsafeBytes(of: digest.value.littleEndian) { Array($0) } + bytes
  }

  private static func append(rows: [Int64], to bytes: inout [UInt8]) {
    var rows = rows.sorted()
    rows.removeRepetitions()
    var runs: [(first: Int64, count: Int64)] = []
    for row in rows {
      if let last = runs.last, last.first + last.count == row {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((row, 1))
      }
    }
    append(UInt64(runs.count), to: &bytes)
    var next: Int64 = 0
    for run in runs {
      append(UInt64(run.first - next), to: &bytes)
      append(UInt64(run.count), to: &bytes)
      next = run.first + run.count
    }
  }

  /// Appends a number with seven bits per byte, lowest first.
  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Reads packed changes. Fails if they are damaged.
  package init?(packed bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= 8 else { return nil }
    let content = UnsafeBufferPointer(rebasing: bytes[8...])
    var digest = Digest()
    digest.add(content)
    let expected = Int64(
      littleEndian: UnsafeRawPointer(bytes.baseAddress!).loadUnaligned(as: Int64.self))
    guard digest.value == expected else { return nil }
    var reader = Reader(bytes: content)
    while !reader.isAtEnd {
      guard let table = reader.number(), table < 1 << 20, let written = reader.rows(), let deleted = reader.rows()
      else {
        return nil
      }
      tables[Int(table)] = Rows(written: written, deleted: deleted)
    }
  }

  /// Reads numbers from packed changes. The bytes are checked, because they can be arbitrary even if the digest matches.
  private struct Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    var offset = 0

    var isAtEnd: Bool { offset == bytes.count }

    mutating func number() -> UInt64? {
      var value: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 63, by: 7) {
        guard offset < bytes.count else { return nil }
        let byte = bytes[offset]
        offset += 1
        value |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return value }
      }
      return nil
    }

    mutating func rows() -> [Int64]? {
      guard let count = number() else { return nil }
      var rows: [Int64] = []
      var next: UInt64 = 0
      for _ in 0..<count {
        guard let skip = number(), let length = number(), length > 0,
          rows.count + Int(min(length, 1 << 32)) <= RowChanges.maximumRows,
          skip < 1 << 62, next < 1 << 62
        else { return nil }
        let first = next + skip
        guard first + length < 1 << 63 else { return nil }
        rows += (first..<first + length).lazy.map { Int64($0) }
        next = first + length
      }
      return rows
    }
  }
}
