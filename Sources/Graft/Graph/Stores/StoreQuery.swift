/// Rows to select from a store.
public struct StoreQuery: Sendable {
  /// The table.
  public var table: Int
  /// The entities whose rows are selected, as positions in ``StoreSchema/Table/entityNames``; nil for all.
  public var entities: [Int]?
  /// The condition that the rows satisfy.
  public var condition: StoreCondition
  /// The sort keys. Each one decides where those before it compare equal; finally, the row numbers decide.
  public var order: [Order]
  /// The maximum number of rows; nil for no limit.
  public var limit: Int?
  /// The number of rows to skip.
  public var offset: Int

  /// A sort key. Texts are compared by their bytes.
  public struct Order: Sendable {
    /// The attribute.
    public var path: StorePath
    public var column: Int
    /// Whether the smallest value comes first.
    public var isAscending: Bool
    /// Whether nil comes before all values.
    public var isNilFirst: Bool

    /// Creates a sort key.
    ///
    /// - Parameters:
    ///   - path: the to-one relationships on the way to the row with the column; by default, it is the row itself.
    ///   - column: the position of a column.
    ///   - isAscending: whether the smallest value comes first.
    ///   - isNilFirst: whether nil comes before all values; by default, only in ascending order.
    public init(
      _ path: StorePath = StorePath(), column: Int, isAscending: Bool = true, isNilFirst: Bool? = nil
    ) {
      self.path = path
      self.column = column
      self.isAscending = isAscending
      self.isNilFirst = isNilFirst ?? isAscending
    }
  }

  /// Creates a query.
  public init(
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

/// A row in a condition: the row to select, or a row that relationships reach from there.
///
///     variable 0: the row to select        references [4]: the row that its column 4 refers to
///     variable 1: a member in the outermost ``StoreCondition/some(_:of:_:)`` or ``StoreCondition/every(_:of:_:)``, and so on
public struct StorePath: Sendable, Hashable {
  /// The variable where the path begins.
  public var variable: Int
  /// The columns with references to follow. If one of them is nil, everything read at the end of the path is nil.
  public var references: [Reference]

  /// A reference to follow.
  public struct Reference: Sendable, Hashable {
    /// The table of the row that refers, and the column.
    public var table: Int
    public var column: Int

    /// Creates a reference.
    public init(table: Int, column: Int) {
      self.table = table
      self.column = column
    }
  }

  /// Creates a path.
  public init(variable: Int = 0, references: [Reference] = []) {
    self.variable = variable
    self.references = references
  }
}

/// The members of a to-many relationship of a row.
public enum StoreMembers: Sendable, Hashable {
  /// The rows of a table whose column refers to the row.
  case referring(table: Int, column: Int)
  /// The members that a table of links gives for an owner, or the owners that it gives for a member.
  case linked(Int, isOwner: Bool)
}

/// A condition on a row. Conditions have two values, as in Swift: a comparison with nil is true or false.
public indirect enum StoreCondition: Sendable, Hashable {
  case always
  case never
  case and([StoreCondition])
  case or([StoreCondition])
  case not(StoreCondition)
  /// A boolean term that is true; nil is not.
  case isTrue(StoreTerm)
  /// Two terms are equal: nil equals only nil. Texts are compared by their bytes.
  case equal(StoreTerm, StoreTerm)
  /// The first term comes before the second. False if one of them is nil.
  case less(StoreTerm, StoreTerm)
  /// The first term comes before the second, or is equal. False if one of them is nil.
  case lessOrEqual(StoreTerm, StoreTerm)
  /// A text contains another one, or begins with it; compared by their bytes. False if one of them is nil.
  case containsText(StoreTerm, StoreTerm)
  case startsWith(StoreTerm, StoreTerm)
  /// A term equals one of some values.
  case isOne(StoreTerm, of: [StoreValue])
  /// The row at a path exists, and belongs to one of some entities of its table.
  case isKind(StorePath, [Int])
  /// The row at a path exists, and is a placeholder.
  case isPlaceholder(StorePath)
  /// Some member of a to-many relationship of the row at a path meets a condition.
  case some(StorePath, of: StoreMembers, StoreCondition)
  /// Every member of a to-many relationship of the row at a path meets a condition.
  case every(StorePath, of: StoreMembers, StoreCondition)
}

/// A value in a condition.
public indirect enum StoreTerm: Sendable, Hashable {
  case value(StoreValue)
  /// A column of the row at a path.
  case column(StorePath, Int)
  /// The number of the row at a path.
  case id(StorePath)
  /// The number of members of a to-many relationship that satisfy a condition; nil if there is no row at the path. The member
  /// is a variable of the condition, as in ``StoreCondition/some(_:of:_:)``.
  case count(StorePath, StoreMembers, where: StoreCondition = .always)
  /// Arithmetic of integers or doubles; nil if one of the terms is nil. Integers beyond 64 bits are an error.
  case arithmetic(Arithmetic, StoreTerm, StoreTerm)
  case negative(StoreTerm)
  /// The first term, or the second if the first is nil.
  case coalesce(StoreTerm, StoreTerm)
  /// One of two terms.
  case choice(StoreCondition, StoreTerm, StoreTerm)
  /// 1 if a condition is satisfied, otherwise 0.
  case condition(StoreCondition)

  /// Operations on numbers. Integer division is towards zero; dividing an integer by zero is an error.
  public enum Arithmetic: Sendable, Hashable { case add, subtract, multiply, divide, remainder }
}

/// A constant in a condition.
public enum StoreValue: Sendable, Hashable {
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
public struct StoreAggregate: Sendable {
  /// What is computed. Nils are ignored. Without values, counts and sums are 0, and everything else is nil.
  public enum Function: Sendable, Hashable { case count, sum, minimum, maximum, average }

  /// What is computed.
  public var function: Function
  /// The column; nil to count rows.
  public var column: Int?
  /// The column by which rows are grouped; nil for one group.
  public var groupedBy: Int?

  /// Creates an aggregate.
  public init(_ function: Function, column: Int? = nil, groupedBy: Int? = nil) {
    self.function = function
    self.column = column
    self.groupedBy = groupedBy
  }

  /// The value of a group.
  public struct Group: Sendable, Hashable {
    /// The value by which rows are grouped.
    public var key: StoreValue
    /// The computed value.
    public var value: StoreValue
    /// The number of rows.
    public var count: Int

    /// Creates a group.
    public init(key: StoreValue, value: StoreValue, count: Int) {
      self.key = key
      self.value = value
      self.count = count
    }
  }
}
