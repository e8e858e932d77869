/// Rows to select from a store.
package struct StoreQuery: Sendable {
  /// The table.
  package var table: Int
  /// The entities whose rows are selected, as positions in ``StoreSchema/Table/entityNames``; nil for all.
  package var entities: [Int]?
  /// The condition that the rows satisfy.
  package var condition: StoreCondition
  /// The sort keys. Each key decides the order of rows that are equal according to the keys before it; finally, the row numbers decide.
  package var order: [Order]
  /// The maximum number of rows; nil for no limit.
  package var limit: Int?
  /// The number of rows to skip.
  package var offset: Int

  /// A sort key. Strings are compared by their bytes.
  package struct Order: Sendable {
    /// The attribute.
    package var path: StorePath
    package var column: Int
    /// Whether the smallest value comes first.
    package var isAscending: Bool
    /// Whether nil comes before all values.
    package var isNilFirst: Bool

    /// Creates a sort key.
    ///
    /// - Parameters:
    ///   - path: the to-one relationships that lead to the row with the column; by default, this is the row itself.
    ///   - column: the position of a column.
    ///   - isAscending: whether the smallest value comes first.
    ///   - isNilFirst: whether nil comes before all values; by default, only in ascending order.
    package init(
      _ path: StorePath = StorePath(), column: Int, isAscending: Bool = true, isNilFirst: Bool? = nil
    ) {
      self.path = path
      self.column = column
      self.isAscending = isAscending
      self.isNilFirst = isNilFirst ?? isAscending
    }
  }

  /// Creates a query.
  package init(
    table: Int, entities: [Int]? = nil, condition: StoreCondition = .always, order: [Order] = [], limit: Int? = nil,
    offset: Int = 0
  ) {
    self.table = table
    self.entities = entities
    self.condition = condition
    self.order = order
    self.limit = limit
    self.offset = offset
  }
}

/// A row in a condition: the row to select, or a row that can be reached from it through relationships.
///
///     variable 0: the row to select        references [4]: the row that its column 4 refers to
///     variable 1: a member in the outermost ``StoreCondition/some(_:of:_:)`` or ``StoreCondition/every(_:of:_:)``, and so on
package struct StorePath: Sendable, Hashable {
  /// The variable where the path begins.
  package var variable: Int
  /// The columns with references to follow. If one of them is nil, every value that is read at the end of the path is nil.
  package var references: [Reference]

  /// A reference to follow.
  package struct Reference: Sendable, Hashable {
    /// The table that contains the reference, and its column.
    package var table: Int
    package var column: Int

    /// Creates a reference.
    package init(table: Int, column: Int) {
      self.table = table
      self.column = column
    }
  }

  /// Creates a path.
  package init(variable: Int = 0, references: [Reference] = []) {
    self.variable = variable
    self.references = references
  }
}

/// The rows that may be members of a to-many relationship of a row. Sibling entities may use one column for relationships of their own, so
/// conditions also test the entity of a member.
package enum StoreMembers: Sendable, Hashable {
  /// The rows of a table that refer to the row in the given column.
  case referring(table: Int, column: Int)
  /// The members of an owner in a table of links, or the owners of a member.
  case linked(Int, isOwner: Bool)
}

/// A condition on a row. Conditions have two values, as in Swift, so a comparison with nil is either true or false.
package indirect enum StoreCondition: Sendable, Hashable {
  case always
  case never
  case and([StoreCondition])
  case or([StoreCondition])
  case not(StoreCondition)
  /// A boolean term is true. Nil is not true.
  case isTrue(StoreTerm)
  /// Two terms are equal. Nil equals only nil. Strings are compared by their bytes.
  case equal(StoreTerm, StoreTerm)
  /// The first term comes before the second. False if one of them is nil.
  case less(StoreTerm, StoreTerm)
  /// The first term comes before the second, or is equal. False if one of them is nil.
  case lessOrEqual(StoreTerm, StoreTerm)
  /// A string contains another string, or begins with it. Strings are compared by their bytes. False if one of them is nil.
  case containsText(StoreTerm, StoreTerm)
  case startsWith(StoreTerm, StoreTerm)
  /// A term equals one of the given values.
  case isOne(StoreTerm, of: [StoreValue])
  /// The row at a path exists, and belongs to one of the given entities of its table.
  case isKind(StorePath, [Int])
  /// The row at a path exists, and is a placeholder.
  case isPlaceholder(StorePath)
  /// At least one member of a to-many relationship of the row at a path meets a condition.
  case some(StorePath, of: StoreMembers, StoreCondition)
  /// Every member of a to-many relationship of the row at a path meets a condition.
  case every(StorePath, of: StoreMembers, StoreCondition)
}

/// A value in a condition.
package indirect enum StoreTerm: Sendable, Hashable {
  case value(StoreValue)
  /// A column of the row at a path.
  case column(StorePath, Int)
  /// The number of the row at a path.
  case id(StorePath)
  /// The number of members of a to-many relationship that satisfy a condition; nil if there is no row at the path. The member
  /// is a variable of the condition, as in ``StoreCondition/some(_:of:_:)``.
  case count(StorePath, StoreMembers, where: StoreCondition = .always)
  /// Arithmetic of integers or doubles; nil if one of the terms is nil. Integers beyond 64 bits cause an error.
  case arithmetic(Arithmetic, StoreTerm, StoreTerm)
  case negative(StoreTerm)
  /// The first term, or the second if the first is nil.
  case coalesce(StoreTerm, StoreTerm)
  /// The first term if a condition is satisfied, otherwise the second.
  case choice(StoreCondition, StoreTerm, StoreTerm)
  /// 1 if a condition is satisfied, otherwise 0.
  case condition(StoreCondition)
  /// A string without the differences that a comparison ignores.
  case folded(StoreTerm, TextFolding)

  /// Operations on numbers. Integer division rounds toward zero; dividing an integer by zero causes an error.
  package enum Arithmetic: Sendable, Hashable { case add, subtract, multiply, divide, remainder }
}

/// A constant in a condition.
package enum StoreValue: Sendable, Hashable {
  case null
  /// An integer, a boolean, a date in microseconds since 1970, or a row's number.
  case integer(Int64)
  case double(Double)
  /// The bytes of a string, a URI, a decimal in its canonical form, JSON or a UUID in lower case.
  case text([UInt8])
  /// The bytes of binary data.
  case binary([UInt8])
}

/// A value computed over rows.
package struct StoreAggregate: Sendable {
  /// A function to compute. Nils are ignored. Without values, counts and sums are 0, and all other results are nil.
  package enum Function: Sendable, Hashable { case count, sum, minimum, maximum, average }

  /// The function to compute.
  package var function: Function
  /// The column; nil to count rows.
  package var column: Int?
  /// The column to group rows by; nil for one group.
  package var groupedBy: Int?

  /// Creates an aggregate.
  package init(_ function: Function, column: Int? = nil, groupedBy: Int? = nil) {
    self.function = function
    self.column = column
    self.groupedBy = groupedBy
  }

  /// The value of a group.
  package struct Group: Sendable, Hashable {
    /// The value that the rows of the group have in common.
    package var key: StoreValue
    /// The computed value.
    package var value: StoreValue
    /// The number of rows.
    package var count: Int

    /// Creates a group.
    package init(key: StoreValue, value: StoreValue, count: Int) {
      self.key = key
      self.value = value
      self.count = count
    }
  }
}
