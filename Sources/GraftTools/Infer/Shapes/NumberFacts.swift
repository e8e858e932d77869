import Graft

/// The common properties of the numbers at one location of the samples.
struct NumberFacts {
  /// The number of numbers.
  private(set) var count = 0
  /// Whether every number is integral, is written without a fraction, and fits in 64 bits. The next price after `30.00` may be `19.99`.
  private(set) var areIntegers = true
  /// Whether every number keeps its value when it is read as a double.
  private(set) var areDoubles = true
  /// Whether every number has at most 38 digits.
  private(set) var areDecimals = true
  /// The range of the integers.
  private(set) var least = Int64.max
  private(set) var most = Int64.min
  /// The range of all numbers, as doubles.
  private(set) var smallest = Double.infinity
  private(set) var largest = -Double.infinity

  mutating func add(_ text: String) {
    count += 1
    let number = JSONNumber(uncheckedText: text)
    smallest = min(smallest, number.double ?? -.infinity)
    largest = max(largest, number.double ?? .infinity)
    if let value = number.int64, !text.utf8.contains(UInt8(ascii: ".")) {
      least = min(least, value)
      most = max(most, value)
      // Integers beyond 53 bits are not doubles.
      if value.magnitude > 1 << 53 { areDoubles = false }
      return
    }
    areIntegers = false
    if areDoubles { areDoubles = number.double.flatMap(JSONNumber.init) == number }
    if areDecimals { areDecimals = number.decimal != nil }
  }

  mutating func merge(_ other: Self) {
    count += other.count
    areIntegers = areIntegers && other.areIntegers
    areDoubles = areDoubles && other.areDoubles
    areDecimals = areDecimals && other.areDecimals
    least = min(least, other.least)
    most = max(most, other.most)
    smallest = min(smallest, other.smallest)
    largest = max(largest, other.largest)
  }
}
