import Graft

extension SQLTable {
  /// Returns whether an index finds the few rows that satisfy a condition, because the condition contains the numbers or identities of
  /// these rows.
  ///
  /// - Parameter variable: the number of the variable that represents the rows in the condition.
  func finds(_ condition: StoreCondition, variable: Int) -> Bool {
    var columns: Set<Int> = []
    if collect(condition, variable, &columns) { return true }
    return layout.identities.contains { identity in
      identity.entities.count == layout.entities.count && columns.isSuperset(of: identity.columns)
    }
  }

  /// Adds the columns whose values a condition determines.
  ///
  /// - Returns: whether it determines the numbers of the rows.
  private func collect(_ condition: StoreCondition, _ variable: Int, _ columns: inout Set<Int>) -> Bool {
    switch condition {
    case .and(let conditions):
      var isFound = false
      for condition in conditions where collect(condition, variable, &columns) { isFound = true }
      return isFound
    case .equal(let term, .value(let value)), .equal(.value(let value), let term):
      return value != .null && collect(term, variable, &columns)
    case .isOne(let term, let values):
      return values.count <= 1000 && !values.contains(.null) && collect(term, variable, &columns)
    default: return false
    }
  }

  private func collect(_ term: StoreTerm, _ variable: Int, _ columns: inout Set<Int>) -> Bool {
    switch term {
    case .id(let path): return path.variable == variable && path.references.isEmpty
    case .column(let path, let column) where path.variable == variable && path.references.isEmpty:
      columns.insert(column)
      return false
    default: return false
    }
  }
}
