/// The text of JSON paths (D7): `.name` for a plain word, `['a.b']` for any other key.
package enum JSONPathText {
  /// One step into an object. A long key is cut, as values are in messages.
  package static func member(_ key: String) -> String {
    func isWord(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic || scalar == "_" }
    // A mark at the beginning would join the dot.
    func isMark(_ scalar: Unicode.Scalar) -> Bool {
      [.nonspacingMark, .spacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
    }
    let scalars = key.unicodeScalars
    if key.utf8.count <= FoundPhrase.longest, let first = scalars.first, isWord(first), !isMark(first),
      scalars.allSatisfy({ isWord($0) || ("0"..."9").contains($0) })
    {
      return ".\(key)"
    }
    return "[\(FoundPhrase.singleQuoted(key.utf8))]"
  }

  /// One step into an array.
  package static func element(_ index: Int) -> String { "[\(index)]" }
}
