extension SeededRandom {
  /// A number from 0 up to, but not including, `bound`.
  package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// True so many times in a hundred.
  package mutating func chance(percent: Int) -> Bool { below(100) < percent }

  /// One of the elements.
  package mutating func pick<Elements: RandomAccessCollection>(_ elements: Elements) -> Elements.Element {
    elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }
}
