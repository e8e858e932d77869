/// The sections of a list: the value that the objects of each section have in common, and their number.
///
///     value    "DC"    "Marvel"    nil
///     count    3       12          1          position 4 is the second object of section 1
struct ResultSections {
  private(set) var values: [AttributeValue?] = []
  private(set) var counts: [Int] = []

  var count: Int { values.count }

  /// Adds an object at the end of the list.
  mutating func append(_ value: AttributeValue?) {
    if let last = values.last, last == value {
      counts[counts.count - 1] += 1
    } else {
      append(value, count: 1)
    }
  }

  /// Adds a section at the end.
  mutating func append(_ value: AttributeValue?, count: Int) {
    values.append(value)
    counts.append(count)
  }

  /// The section of a position, and the position within that section.
  func place(of position: Int) -> ResultPlace {
    var (section, item) = (0, position)
    while section < counts.count - 1, item >= counts[section] {
      item -= counts[section]
      section += 1
    }
    return ResultPlace(position: position, section: section, item: item)
  }

  /// The position of the first object of a section.
  func start(of section: Int) -> Int { counts[..<section].reduce(0, +) }

  /// Returns the first of the given sections that has the given value; nil if no section has the value.
  func section(_ value: AttributeValue?, in sections: Range<Int>) -> Int? { sections.first { values[$0] == value } }

  mutating func insertSection(_ value: AttributeValue?, at section: Int) {
    values.insert(value, at: section)
    counts.insert(0, at: section)
  }

  mutating func removeSection(at section: Int) {
    values.remove(at: section)
    counts.remove(at: section)
  }

  mutating func addObject(to section: Int) { counts[section] += 1 }

  mutating func removeObject(from section: Int) { counts[section] -= 1 }
}
