import Graft

/// Binds rows of a change set, with the final numbers of new rows, and computes their digests.
struct RowBinder {
  /// By table, the number that the row -1 gets.
  let firstIDs: [Int: Int64]
  /// By table, the rows that are deleted. References to them become nil.
  let deleted: [Int: Set<Int64>]

  /// The number of a row in the store.
  @inline(__always)
  func id(_ id: Int64, in table: Int) -> Int64 {
    id < 0 ? (firstIDs[table] ?? 0) - id - 1 : id
  }

  /// The row that a reference leads to; nil if it is deleted.
  func target(_ id: Int64, in table: Int) -> Int64? {
    if !deleted.isEmpty, deleted[table]?.contains(id) == true { return nil }
    return self.id(id, in: table)
  }

  /// Binds all columns of a row, in the order of the table's definition.
  ///
  /// - Parameter first: the first parameter.
  func bind(
    _ header: StoredRows.Header, _ values: StoredValues, _ texts: UnsafeBufferPointer<UInt8>, row: Int,
    _ table: SQLTable, to statement: SQLiteStatement, from first: Int32
  ) throws(SQLiteError) {
    var digest = RowDigest(header)
    let digestParameter = first + Int32(table.headerColumns.count) - 1
    for column in table.forms.indices {
      try bind(values, texts, row, column, table, to: statement, at: digestParameter + 1 + Int32(column), &digest)
    }
    try bindHeader(header, table, to: statement, from: first)
    try statement.bind(digest.value, at: digestParameter)
  }

  /// Binds the header of a row up to its digest.
  private func bindHeader(
    _ header: StoredRows.Header, _ table: SQLTable, to statement: SQLiteStatement, from first: Int32
  ) throws(SQLiteError) {
    try statement.bind(header.id, at: first)
    try statement.bind(header.version, at: first + 1)
    try statement.bind(header.isPlaceholder ? 1 : 0 as Int64, at: first + 2)
    var next = first + 3
    if table.hasEntity {
      try statement.bind(text: table.entityName(header.entity), at: next)
      next += 1
    }
    if table.hasBare { try statement.bind(header.isBare ? 1 : 0 as Int64, at: next) }
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
