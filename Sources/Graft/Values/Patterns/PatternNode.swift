/// The syntax tree of a pattern.
package indirect enum PatternNode: Sendable {
  /// One character of a class. A literal character is a class of one character.
  case character(PatternClass)
  /// Nodes in sequence. An empty sequence matches the empty string.
  case sequence([PatternNode])
  case alternatives([PatternNode])
  /// Unbounded if `most` is nil.
  case repetition(PatternNode, least: Int, most: Int?)
  case assertion(PatternAssertion)
}

/// A condition on a position between two characters.
package enum PatternAssertion: Sendable {
  case start, end, wordBoundary, noWordBoundary
}

/// A set of characters: `[a-z_]`, `\d`, `.`, or a single character.
package struct PatternClass: Hashable, Sendable {
  /// The ranges, in the order of the pattern.
  package var ranges: [ClosedRange<UInt32>] = []
  /// The general categories, one bit for each.
  package var categories: UInt32 = 0
  /// Whether the class contains all characters except these.
  package var isNegated = false

  package func contains(_ scalar: Unicode.Scalar) -> Bool {
    let isListed =
      ranges.contains { $0.contains(scalar.value) }
      || categories != 0 && categories & PatternCategory.mask(of: scalar) != 0
    return isListed != isNegated
  }
}

extension PatternClass {
  init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

  static let digits = PatternClass(ranges: [0x30...0x39])
  static let wordCharacters = PatternClass(ranges: [0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x5F...0x5F])
  /// White space and line terminators, as listed by ECMA-262.
  static let spaces = PatternClass(
    ranges: [
      0x20...0x20, 0x09...0x0D, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
      0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
  /// `.`: every character except line terminators.
  static let dot = PatternClass(ranges: [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029], isNegated: true)

  /// The class of all other characters.
  var complement: PatternClass {
    var other = self
    other.isNegated.toggle()
    return other
  }

  /// Adds the members of another class, which may be negated. This class must not be negated.
  mutating func formUnion(_ other: PatternClass) {
    guard other.isNegated else {
      ranges += other.ranges
      categories |= other.categories
      return
    }
    // A negated class of this kind excludes either ranges or categories, so it can be inverted.
    if other.categories != 0 { categories |= PatternCategory.all & ~other.categories }
    var next: UInt32 = 0
    for range in other.ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > next { ranges.append(next...range.lowerBound - 1) }
      next = max(next, range.upperBound + 1)
    }
    if other.categories == 0, next <= 0x10FFFF { ranges.append(next...0x10FFFF) }
  }
}
