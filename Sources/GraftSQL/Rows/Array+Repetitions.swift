extension Array where Element: Equatable {
  /// Removes elements that equal the preceding element.
  package mutating func removeRepetitions() {
    guard count > 1 else { return }
    var kept = 1
    for index in 1..<count where self[index] != self[kept - 1] {
      self[kept] = self[index]
      kept += 1
    }
    removeLast(count - kept)
  }
}
