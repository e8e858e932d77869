import Foundation

/// Compares two arrays by value, one element at a time, so that large arrays fit into memory.
struct JSONDifference {
  private let unorderedKeys: Set<String>
  private let nullsMayBeMissing: Bool

  init(_ workload: Workload, nullsMayBeMissing: Bool = false) {
    unorderedKeys = workload.unorderedKeys
    self.nullsMayBeMissing = nullsMayBeMissing
  }

  /// Returns the path of the first difference, or nil if there is none.
  func find(_ expected: Data, _ found: Data) throws -> String? {
    var left = ArrayElements(Array(expected))
    var right = ArrayElements(Array(found))
    var index = 0
    while let expected = left.next() {
      guard let found = right.next() else { return "$[\(index)] is missing" }
      if expected != found {
        let values = try [expected, found].map { try JSONSerialization.jsonObject(with: Data($0)) }
        if let path = difference(values[0], values[1], at: "$[\(index)]") { return path }
      }
      index += 1
    }
    return right.next() == nil ? nil : "$[\(index)] is one too many"
  }

  private func difference(_ expected: Any, _ found: Any, at path: String) -> String? {
    switch (expected, found) {
    case (let expected as [String: Any], let found as [String: Any]):
      for key in Set(expected.keys).union(found.keys) {
        let missing: Any? = nullsMayBeMissing ? NSNull() : nil
        guard let expected = expected[key] ?? missing, let found = found[key] ?? missing else {
          return "\(path).\(key) is on one side only"
        }
        if let path = difference(sorted(expected, key), sorted(found, key), at: "\(path).\(key)") { return path }
      }
      return nil
    case (let expected as [Any], let found as [Any]):
      if expected.count != found.count { return "\(path) has \(found.count) elements, not \(expected.count)" }
      for (index, pair) in zip(expected, found).enumerated() {
        if let path = difference(pair.0, pair.1, at: "\(path)[\(index)]") { return path }
      }
      return nil
    case (is NSNull, is NSNull): return nil
    case (let expected as String, let found as String) where expected.utf8.elementsEqual(found.utf8): return nil
    case (let expected as NSNumber, let found as NSNumber) where areEqual(expected, found): return nil
    default: return "\(path) is \(found), not \(expected)"
    }
  }

  /// Compares numbers by their text, because on Linux, numbers with 17 digits are decimals whose `doubleValue` is not exact.
  private func areEqual(_ expected: NSNumber, _ found: NSNumber) -> Bool {
    Double(expected.stringValue) == Double(found.stringValue)
      && (String(cString: expected.objCType) == "c") == (String(cString: found.objCType) == "c")
  }

  /// Returns the elements of an unordered relationship in a fixed order.
  private func sorted(_ value: Any, _ key: String) -> Any {
    if unorderedKeys.contains(key), let elements = value as? [[String: Any]] {
      return elements.sorted { "\($0["sha"] ?? "")" < "\($1["sha"] ?? "")" }
    }
    if let nested = value as? [String: Any] { return nested }
    return value
  }
}

/// Splits a compact array into the bytes of its elements.
private struct ArrayElements: IteratorProtocol {
  private let bytes: [UInt8]
  private var position = 1

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> ArraySlice<UInt8>? {
    let start = position
    var depth = 0
    var isInString = false
    while position < bytes.count {
      let byte = bytes[position]
      if isInString {
        if byte == UInt8(ascii: "\\") { position += 1 } else if byte == UInt8(ascii: "\"") { isInString = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return element(from: start) }
          depth -= 1
        case UInt8(ascii: ",") where depth == 0: return element(from: start)
        default: break
        }
      }
      position += 1
    }
    return nil
  }

  private mutating func element(from start: Int) -> ArraySlice<UInt8>? {
    defer { position += 1 }
    return start == position ? nil : bytes[start..<position]
  }
}
