/// A sum of integers, which may exceed 64 bits until all integers have been added.
package struct IntegerSum {
  private var high: Int64 = 0
  private var low: UInt64 = 0

  package init() {}

  /// The sum of `high * 2^32` and `low`.
  package init(high: Int64, low: Int64) {
    let product = high.multipliedFullWidth(by: 1 << 32)
    (self.high, self.low) = (product.high, product.low)
    add(low)
  }

  package mutating func add(_ value: Int64) {
    let (sum, carry) = low.addingReportingOverflow(UInt64(bitPattern: value))
    low = sum
    high += (value < 0 ? -1 : 0) + (carry ? 1 : 0)
  }

  /// The sum; nil if it exceeds 64 bits.
  package var integer: Int64? {
    let value = Int64(bitPattern: low)
    return high == (value < 0 ? -1 : 0) ? value : nil
  }

  package var double: Double {
    if let integer { return Double(integer) }
    if high >= 0 { return Double(high) * 0x1p64 + Double(low) }
    return -(Double(~high) * 0x1p64 + Double(~low) + 1)
  }
}
