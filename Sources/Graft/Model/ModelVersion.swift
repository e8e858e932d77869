/// The order of a model's versions: numbers separated by dots, compared in sequence. Other strings have no order.
enum ModelVersion {
  /// Returns whether a version consists of numbers, and therefore has an order.
  static func isOrdered(_ version: String) -> Bool { numbers(version) != nil }

  /// Returns whether a version precedes another version.
  static func isOlder(_ version: String, than other: String) -> Bool {
    guard let left = numbers(version), let right = numbers(other) else { return false }
    let count = max(left.count, right.count)
    let padded = [left, right].map { $0 + Array(repeating: 0, count: count - $0.count) }
    return padded[0].lexicographicallyPrecedes(padded[1])
  }

  /// Returns whether versions are equal, such as 2 and 2.0.
  static func isSame(_ version: String, _ other: String) -> Bool {
    version == other
      || isOrdered(version) && isOrdered(other) && !isOlder(version, than: other) && !isOlder(other, than: version)
  }

  private static func numbers(_ version: String) -> [Int]? {
    let parts = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    return version.isEmpty || parts.contains(nil) ? nil : parts.compactMap(\.self)
  }
}
