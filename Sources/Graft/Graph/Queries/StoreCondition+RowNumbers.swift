extension StoreCondition {
  /// Returns the same condition for a store in which the rows have different numbers. A child refers to rows of its parent by numbers
  /// that the parent's store does not have.
  ///
  ///     publisher = row 281474976710657 of the child     ->     publisher = row 12 of the store
  ///
  /// - Parameters:
  ///   - table: the table of the rows to select.
  ///   - number: returns the number of a row of a table, or nil if there is no such row.
  func renumbered(
    table: Int, _ schema: StoreSchema, _ number: @escaping (_ table: Int, _ id: Int64) -> Int64?
  ) -> StoreCondition {
    var renumbering = Renumbering(schema: schema, number: number, variables: [table])
    return renumbering.condition(self)
  }
}

/// Replaces the row numbers in a condition, which are the constants that are compared with a reference or with the number of a row.
private struct Renumbering {
  let schema: StoreSchema
  let number: (Int, Int64) -> Int64?
  /// The tables of the variables.
  var variables: [Int]

  mutating func condition(_ condition: StoreCondition) -> StoreCondition {
    switch condition {
    case .always, .never, .isKind, .isPlaceholder: condition
    case .and(let parts): .and(parts.map { self.condition($0) })
    case .or(let parts): .or(parts.map { self.condition($0) })
    case .not(let part): .not(self.condition(part))
    case .isTrue(let term): .isTrue(self.term(term))
    case .equal(let left, let right): equal(left, right)
    case .less(let left, let right): .less(term(left), term(right))
    case .lessOrEqual(let left, let right): .lessOrEqual(term(left), term(right))
    case .containsText(let left, let right): .containsText(term(left), term(right))
    case .startsWith(let left, let right): .startsWith(term(left), term(right))
    case .isOne(let term, of: let values):
      if let table = table(of: term) {
        .isOne(self.term(term), of: values.compactMap { value($0, table) })
      } else {
        .isOne(self.term(term), of: values)
      }
    case .some(let path, of: let members, let part): .some(path, of: members, self.condition(part, of: members))
    case .every(let path, of: let members, let part): .every(path, of: members, self.condition(part, of: members))
    }
  }

  private mutating func condition(_ condition: StoreCondition, of members: StoreMembers) -> StoreCondition {
    variables.append(schema.table(of: members))
    defer { variables.removeLast() }
    return self.condition(condition)
  }

  private mutating func equal(_ left: StoreTerm, _ right: StoreTerm) -> StoreCondition {
    let table = table(of: left) ?? table(of: right)
    return .equal(term(left, of: table), term(right, of: table))
  }

  /// - Parameter table: the table whose rows the term refers to; nil for values.
  private mutating func term(_ term: StoreTerm, of table: Int? = nil) -> StoreTerm {
    switch term {
    // The smallest integer represents a missing row, because no row has this number.
    case .value(let value): .value(table.map { self.value(value, $0) ?? .integer(.min) } ?? value)
    case .column, .id: term
    case .count(let path, let members, let condition):
      .count(path, members, where: self.condition(condition, of: members))
    case .arithmetic(let operation, let left, let right):
      .arithmetic(operation, self.term(left), self.term(right))
    case .negative(let term): .negative(self.term(term))
    case .coalesce(let first, let second): .coalesce(self.term(first, of: table), self.term(second, of: table))
    case .choice(let condition, let first, let second):
      .choice(self.condition(condition), self.term(first, of: table), self.term(second, of: table))
    case .condition(let condition): .condition(self.condition(condition))
    case .folded(let term, let folding): .folded(self.term(term), folding)
    }
  }

  private func value(_ value: StoreValue, _ table: Int) -> StoreValue? {
    guard case .integer(let id) = value else { return value }
    return number(table, id).map { .integer($0) }
  }

  /// The table whose rows a term refers to; nil if it is a value.
  private func table(of term: StoreTerm) -> Int? {
    switch term {
    case .id(let path): return schema.table(of: path, variables: variables)
    case .column(let path, let column):
      let table = schema.table(of: path, variables: variables)
      if case .reference(let target) = schema.tables[table].columns[column].content { return target }
      return nil
    case .coalesce(let first, let second), .choice(_, let first, let second):
      return table(of: first) ?? table(of: second)
    default: return nil
    }
  }
}
