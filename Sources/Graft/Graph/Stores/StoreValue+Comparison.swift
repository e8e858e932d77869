extension StoreValue {
  /// Whether two values are equal according to the rules for conditions: nil equals nil, and numbers are compared by value.
  func isEqual(to other: StoreValue) -> Bool {
    switch (self, other) {
    case (.integer(let left), .double(let right)), (.double(let right), .integer(let left)):
      StoreValue.order(left, right) == 0
    default: self == other
    }
  }

  /// The order of two values: negative if this value comes first, 0 if the values are equal; nil if one of the values is nil, or if they
  /// cannot be compared.
  func order(before other: StoreValue, isDecimal: Bool = false) -> Int? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right ? -1 : left == right ? 0 : 1
    case (.double(let left), .double(let right)): StoreValue.order(left, right)
    case (.integer(let left), .double(let right)): StoreValue.order(left, right)
    case (.double(let left), .integer(let right)): StoreValue.order(right, left).map { -$0 }
    case (.text(let left), .text(let right)) where isDecimal:
      LentBytes.with(left) { left in LentBytes.with(right) { DecimalText.compare(left, $0) } }
    case (.text(let left), .text(let right)), (.binary(let left), .binary(let right)):
      left.lexicographicallyPrecedes(right) ? -1 : left == right ? 0 : 1
    default: nil
    }
  }

  private static func order(_ left: Double, _ right: Double) -> Int? {
    left < right ? -1 : left == right ? 0 : left > right ? 1 : nil
  }

  /// Compares an integer with a double, without rounding the integer.
  private static func order(_ left: Int64, _ right: Double) -> Int? {
    guard let whole = Int64(exactly: right.rounded(.towardZero)) else { return right.isNaN ? nil : right < 0 ? 1 : -1 }
    return left < whole ? -1 : left > whole ? 1 : order(Double(whole), right)
  }

  /// Numbers as doubles, so that equal numbers are equal values. Integers that a double cannot represent are returned unchanged.
  var countedAsDouble: StoreValue {
    if case .integer(let value) = self, let number = Double(exactly: value) { return .double(number) }
    return self
  }

  /// Compares two strings; false if one of the values is nil.
  func compareTexts(_ other: StoreValue, _ compare: ([UInt8], [UInt8]) -> Bool) -> Bool {
    guard case .text(let left) = self, case .text(let right) = other else { return false }
    return compare(left, right)
  }

  /// The result of an operation; nil if one of the values is nil, or the result is not a number.
  func combined(with other: StoreValue, by operation: StoreTerm.Arithmetic) throws(StoreError) -> StoreValue {
    switch (self, other) {
    case (.null, _), (_, .null): return .null
    case (.integer(let left), .integer(let right)):
      let (value, overflow) =
        switch operation {
        case .add: left.addingReportingOverflow(right)
        case .subtract: left.subtractingReportingOverflow(right)
        case .multiply: left.multipliedReportingOverflow(by: right)
        case .divide: left.dividedReportingOverflow(by: right)
        case .remainder: left.remainderReportingOverflow(dividingBy: right)
        }
      if overflow {
        throw StoreError(
          .untranslatablePredicate,
          right == 0 && operation != .add && operation != .subtract
            ? "a predicate divides \(left) by zero" : "the arithmetic of a predicate exceeds 64 bits")
      }
      return .integer(value)
    default:
      guard let left = number, let right = other.number else { return .null }
      switch operation {
      case .add: return .double(checked: left + right)
      case .subtract: return .double(checked: left - right)
      case .multiply: return .double(checked: left * right)
      case .divide: return .double(checked: left / right)
      case .remainder: return .double(checked: left.truncatingRemainder(dividingBy: right))
      }
    }
  }

  private static func double(checked value: Double) -> StoreValue { value.isNaN ? .null : .double(value) }

  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}

extension [UInt8] {
  func contains(bytes part: [UInt8]) -> Bool {
    if part.isEmpty { return true }
    guard part.count <= count else { return false }
    return (0...count - part.count).contains { self[$0] == part[0] && self[$0..<$0 + part.count].elementsEqual(part) }
  }
}

extension StoredValues {
  /// A value in the form that conditions compare.
  ///
  /// - Parameter content: the content of the column.
  func value(row: Int, column: Int, _ content: StoreSchema.Content) -> StoreValue {
    if isNil(row: row, column: column) { return .null }
    guard case .attribute(let type) = content else {
      return .integer(Int64(bitPattern: word(row: row, column: column)))
    }
    switch type {
    case .float, .double: return .double(Double(bitPattern: word(row: row, column: column)))
    case .integer16, .integer32, .integer64, .boolean, .date:
      return .integer(Int64(bitPattern: word(row: row, column: column)))
    case .binary: return .binary(Array(text(row: row, column: column) ?? []))
    case .uuid: return .text(StoreValue.uuidText(Array(text(row: row, column: column) ?? [])))
    case .string, .decimal, .uri, .json: return .text(Array(text(row: row, column: column) ?? []))
    }
  }
}

extension StoreValue {
  /// The lowercase text of a UUID's 16 bytes.
  static func uuidText(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return text
  }
}
