package import Graft

/// Identities in the order of an index, each once.
///
/// Most comparisons end with a number derived from the first column: the value itself, or the first eight bytes of text.
package struct SortedKeys {
  /// The rows of the values, in order.
  package let rows: [Int]

  package init(_ values: StoredValues, _ forms: [SQLTable.Form]) {
    let columns = forms.indices
    // An identity that contains nil identifies no row.
    let candidates = (0..<values.count).filter { row in columns.allSatisfy { !values.isNil(row: row, column: $0) } }
    rows = values.withTexts { texts in
      func bytes(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: texts[values.textRange(row: row, column: column)])
      }
      func prefix(_ row: Int) -> UInt64 {
        switch forms[0] {
        case .integer: return values.word(row: row, column: 0) ^ 1 << 63
        case .real:
          let bits = RowDigest.bits(values.word(row: row, column: 0))
          return bits >> 63 == 1 ? ~bits : bits | 1 << 63
        default:
          let bytes = bytes(row, 0)
          var word: UInt64 = 0
          for place in 0..<8 { word = word << 8 | (place < bytes.count ? UInt64(bytes[place]) : 0) }
          return word
        }
      }
      /// Compares rows by the columns from the given one onward: negative, zero or positive.
      func compare(_ left: Int, _ right: Int, from first: Int) -> Int {
        for column in columns.dropFirst(first) {
          if forms[column].isBytes {
            let order = SortedKeys.compare(bytes(left, column), bytes(right, column))
            if order != 0 { return order }
            continue
          }
          let a = values.word(row: left, column: column)
          let b = values.word(row: right, column: column)
          if case .real = forms[column] {
            let (a, b) = (Double(bitPattern: a), Double(bitPattern: b))
            if a != b { return a < b ? -1 : 1 }
          } else if a != b {
            return Int64(bitPattern: a) < Int64(bitPattern: b) ? -1 : 1
          }
        }
        return 0
      }
      let isWhole = !forms[0].isBytes
      var keys = candidates.map { (prefix: prefix($0), row: $0) }
      keys.sort { left, right in
        if left.prefix != right.prefix { return left.prefix < right.prefix }
        if isWhole, columns.count == 1 { return false }
        return compare(left.row, right.row, from: isWhole ? 1 : 0) < 0
      }
      var rows: [Int] = []
      rows.reserveCapacity(keys.count)
      for (index, key) in keys.enumerated() {
        let isRepetition =
          index > 0 && keys[index - 1].prefix == key.prefix
          && compare(keys[index - 1].row, key.row, from: isWhole ? 1 : 0) == 0
        if !isRepetition { rows.append(key.row) }
      }
      return rows
    }
  }

  private static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
    var place = 0
    while place < left.count, place < right.count {
      if left[place] != right[place] { return left[place] < right[place] ? -1 : 1 }
      place += 1
    }
    return left.count - right.count
  }
}
