/// A condition compiled for the rows of a table. During a pass, it keeps the values that it computes for related rows.
final class CompiledCondition {
  private let test: (PlainStack<RowPlace>) throws(StoreError) -> Bool
  private let frame: PlainStack<RowPlace>
  private let pass: ConditionPass

  init<Rows: ConditionRows>(_ condition: StoreCondition, _ rows: Rows, table: Int) {
    var compiler = ConditionCompiler(rows, table: table)
    test = compiler.test(condition)
    pass = compiler.pass
    frame = PlainStack(repeatElement(RowPlace(table: table, row: 0), count: compiler.frameSize))
  }

  deinit { frame.free() }

  /// Begins a pass, and discards the values kept from the previous pass, because rows may have changed.
  func beginPass() { pass.begin() }

  /// Returns whether a row meets the condition.
  ///
  /// - Throws: a ``StoreError`` if an integer overflows or is divided by zero.
  @inline(__always)
  func isMet(by row: RowPlace) throws(StoreError) -> Bool {
    frame[0] = row
    return try test(frame)
  }
}

/// A column at the end of a path, compiled for the rows of a table.
struct CompiledColumn {
  private let read: (RowPlace) -> StoreValue
  /// Whether the values are decimals, which are compared by their values.
  let isDecimal: Bool

  init<Rows: ConditionRows>(_ column: Int, at path: StorePath = StorePath(), _ rows: Rows, table: Int) {
    let followers = path.references.map { rows.follower(of: $0) }
    let end = rows.schema.table(of: path, variables: [table])
    let value = rows.reader(of: column, in: end)
    isDecimal = rows.schema.isDecimal(.column(path, column), variables: [table])
    read = { row in
      var row = row
      for follow in followers {
        guard let target = follow(row) else { return .null }
        row = target
      }
      return value(row)
    }
  }

  func value(of row: RowPlace) -> StoreValue { read(row) }
}
