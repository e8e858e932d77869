import Graft

/// The common properties of the strings at one location of the samples.
///
/// At most 64 different strings are kept. All other facts take constant memory: a format that one string does not have is
/// never tried again.
struct TextFacts {
  /// Formats that strings can have.
  struct Formats: OptionSet {
    let rawValue: Int
    static let uuid = Formats(rawValue: 1)
    static let uri = Formats(rawValue: 2)
    static let instant = Formats(rawValue: 4)
    static let integer = Formats(rawValue: 8)
    static let decimal = Formats(rawValue: 16)
    static let boolean = Formats(rawValue: 32)
    static let all: Formats = [.uuid, .uri, .instant, .integer, .decimal, .boolean]
  }

  static let mostDistinct = 64

  /// The number of strings.
  private(set) var count = 0
  /// The different strings, in order, until there are too many.
  private(set) var distinct: [String] = []
  private(set) var hasMoreDistinct = false
  /// The number of empty strings, which count for no format.
  private(set) var empties = 0
  /// The formats that all nonempty strings have; all formats if there are no strings.
  private(set) var formats = Formats.all
  /// The date patterns that all nonempty strings have, as indices of ``DatePatterns/all``.
  private(set) var datePatterns = Array(DatePatterns.all.indices)
  private var seen: Set<UTF8Key> = []

  mutating func add(_ text: String) {
    count += 1
    if text.isEmpty { empties += 1 }
    if !hasMoreDistinct, seen.insert(UTF8Key(text)).inserted {
      if distinct.count == Self.mostDistinct { hasMoreDistinct = true } else { distinct.append(text) }
      narrow(text)
    } else if hasMoreDistinct {
      narrow(text)
    }
  }

  private mutating func narrow(_ text: String) {
    guard !text.isEmpty else { return }
    if !formats.isEmpty { formats = formats.filter(text) }
    if !datePatterns.isEmpty { datePatterns.removeAll { !DatePatterns.all[$0].matches(text) } }
  }

  mutating func merge(_ other: Self) {
    count += other.count
    empties += other.empties
    hasMoreDistinct = hasMoreDistinct || other.hasMoreDistinct
    for text in other.distinct where seen.insert(UTF8Key(text)).inserted {
      if distinct.count == Self.mostDistinct { hasMoreDistinct = true } else { distinct.append(text) }
    }
    formats.formIntersection(other.formats)
    datePatterns.removeAll { !other.datePatterns.contains($0) }
  }
}

extension TextFacts.Formats {
  /// The formats that a string has. A format that an export would write differently does not count, except for instants.
  fileprivate func filter(_ text: String) -> Self {
    var rest = self
    let json = JSON.string(text)
    func reads(_ type: AttributeType) -> Bool {
      guard let value = try? AttributeValue(json: json, type: type) else { return false }
      return value.jsonValue == json
    }
    if contains(.uuid), !reads(.uuid) { rest.remove(.uuid) }
    if contains(.uri), !text.contains("://") || !reads(.uri) { rest.remove(.uri) }
    if contains(.instant), isFinerThanDates(text) || (try? AttributeValue(json: json, type: .date)) == nil {
      rest.remove(.instant)
    }
    if contains(.integer), !isInteger(text) { rest.remove(.integer) }
    if contains(.decimal), !isDecimal(text) { rest.remove(.decimal) }
    if contains(.boolean), text != "true", text != "false" { rest.remove(.boolean) }
    return rest
  }

  /// Whether a date would lose digits: dates are kept in microseconds.
  private func isFinerThanDates(_ text: String) -> Bool {
    guard let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return false }
    let digits = text.utf8[point...].dropFirst().prefix { (48...57).contains($0) }
    return digits.dropFirst(6).contains { $0 != UInt8(ascii: "0") }
  }

  private func isInteger(_ text: String) -> Bool {
    Int64(text).map { UTF8Key(String($0)) == UTF8Key(text) } ?? false
  }

  private func isDecimal(_ text: String) -> Bool {
    guard text.utf8.count <= 60, let decimal = JSONNumber(text)?.decimal, let number = JSONNumber(decimal) else {
      return false
    }
    return UTF8Key(number.text) == UTF8Key(text)
  }
}
