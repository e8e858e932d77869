/// The text of JSON paths (D7): `.name` for a plain word, `['a.b']` for any other key.
package enum JSONPathText {
  /// Returns one step into an object. A long key is truncated, like values in messages.
  package static func member(_ key: String) -> String {
    func isWord(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic || scalar == "_" }
    // A combining mark at the beginning would form one character with the dot.
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

  /// Returns one step into an array.
  package static func element(_ index: Int) -> String { "[\(index)]" }
}
