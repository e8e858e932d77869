/// An evaluation of a compiled condition on several rows, during which the graph does not change.
final class ConditionPass {
  fileprivate private(set) var number = 0

  /// Begins another evaluation.
  func begin() { number += 1 }
}

/// Values that were computed for the rows of a table during one pass.
final class RowMemo<Value> {
  private let pass: ConditionPass
  private var number = 0
  private var values: [UInt32: Value] = [:]

  init(_ pass: ConditionPass) { self.pass = pass }

  func value(of row: UInt32, _ compute: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    if number != pass.number { (number, values) = (pass.number, [:]) }
    if let value = values[row] { return value }
    let value = try compute()
    values[row] = value
    return value
  }
}
