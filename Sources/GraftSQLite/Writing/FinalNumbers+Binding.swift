import Graft
import GraftSQL

/// Binds rows of a change set, with the final numbers of new rows, and computes their digests.
extension FinalNumbers {
  /// Binds all columns of a row, in the order of the table's definition.
  ///
  /// - Parameters:
  ///   - bound: the header that is already bound to the same parameters.
  ///   - first: the first parameter.
  ///   - hasID: whether the number of the row is a parameter.
  func bind(
    _ header: StoredRows.Header, after bound: StoredRows.Header?, _ values: StoredValues,
    _ texts: UnsafeBufferPointer<UInt8>, row: Int, _ table: SQLTable, to statement: SQLiteStatement,
    from first: Int32, hasID: Bool
  ) throws(SQLiteError) {
    var parameter = first
    if hasID {
      try statement.bind(header.id, at: parameter)
      parameter += 1
    }
    if header.version != bound?.version { try statement.bind(header.version, at: parameter) }
    parameter += 1
    if header.isPlaceholder != bound?.isPlaceholder {
      try statement.bind(header.isPlaceholder ? 1 : 0 as Int64, at: parameter)
    }
    parameter += 1
    if table.hasEntity {
      if header.entity != bound?.entity { try statement.bind(text: table.entityName(header.entity), at: parameter) }
      parameter += 1
    }
    if table.hasBare {
      if header.isBare != bound?.isBare { try statement.bind(header.isBare ? 1 : 0 as Int64, at: parameter) }
      parameter += 1
    }
    var digest = RowDigest(header)
    for column in table.forms.indices {
      try bind(values, texts, row, column, table, to: statement, at: parameter + 1 + Int32(column), &digest)
    }
    try statement.bind(digest.value, at: parameter)
  }

  /// Binds a value, and adds it to the digest.
  @inline(__always)
  func bind(
    _ values: StoredValues, _ texts: UnsafeBufferPointer<UInt8>, _ row: Int, _ column: Int, _ table: SQLTable,
    to statement: SQLiteStatement, at parameter: Int32, _ digest: inout RowDigest
  ) throws(SQLiteError) {
    guard !values.isNil(row: row, column: column) else {
      digest.addNil()
      return try statement.bindNil(at: parameter)
    }
    switch table.forms[column] {
    case .integer:
      var value = Int64(bitPattern: values.word(row: row, column: column))
      if let other = table.referenceTables[column] {
        guard let target = target(value, in: other) else {
          digest.addNil()
          return try statement.bindNil(at: parameter)
        }
        value = target
      }
      digest.add(UInt64(bitPattern: value))
      try statement.bind(value, at: parameter)
    case .real:
      let bits = RowDigest.bits(values.word(row: row, column: column))
      digest.add(bits)
      try statement.bind(real: bits, at: parameter)
    case .uuid:
      let bytes = texts[values.textRange(row: row, column: column)]
      digest.add(UnsafeBufferPointer(rebasing: bytes))
      try statement.bind(uuid: bytes, at: parameter)
    case .blob:
      let bytes = UnsafeBufferPointer(rebasing: texts[values.textRange(row: row, column: column)])
      digest.add(bytes)
      try statement.bind(blob: bytes, at: parameter)
    default:
      let bytes = UnsafeBufferPointer(rebasing: texts[values.textRange(row: row, column: column)])
      digest.add(bytes)
      try statement.bind(text: bytes, at: parameter)
    }
  }
}
