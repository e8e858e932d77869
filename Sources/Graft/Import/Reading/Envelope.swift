/// The objects that enclose the payload itself: `at: "data.items"` descends through `data` to `items` (I1).
///
///     {"meta": {...}, "data": {"items": [ ... ], "next": null}, "more": 1}
///                              ^ enter() stops here     ^ leave() checks the rest
struct Envelope {
  let keys: [[UInt8]]
  private let names: [String]
  private let words: OptionWords

  init(_ names: [String], _ words: OptionWords) {
    self.words = words
    self.names = names
    keys = names.map { Array($0.utf8) }
  }

  /// Moves to the value at the end of the path, or throws an error if it does not exist (D3).
  ///
  /// - Returns: the innermost enclosing object; nil if there is none.
  @discardableResult
  func enter(
    _ scanner: inout JSONScanner, _ scratch: inout ScratchText
  ) throws(JSONSyntaxError) -> UnsafePointer<UInt8>? {
    var innermost: UnsafePointer<UInt8>?
    for (index, key) in keys.enumerated() {
      guard scanner.peek == UInt8(ascii: "{") else {
        throw scanner.failure(
          .blockedPath(
            "an object with the key '\(names[index])', which \(words.at) names, found \(scanner.phraseOfValue)"))
      }
      let object = scanner
      innermost = object.position
      try scanner.descend()
      scanner.advance()
      scanner.skipWhitespace()
      var isFound = false
      if scanner.peek == UInt8(ascii: "}") { throw missing(index, object) }
      repeat {
        if try readKey(&scanner, &scratch, key) {
          isFound = true
          break
        }
        try scanner.skipValue()
      } while try scanner.continues(before: UInt8(ascii: "}"))
      if !isFound { throw missing(index, object) }
    }
    return innermost
  }

  /// Returns the error for a key of the path that is missing from the object at the scanner's position.
  private func missing(_ index: Int, _ object: JSONScanner) -> JSONSyntaxError {
    let members = JSONLocator.members(in: object, most: 1000).filter { $0.key == $0.key.escapedForDisplay() }
    let keys = members.map(\.key)
    var what = "the key '\(names[index])', which \(words.at) names"
    var near: String?
    if names[index] == "$", index == 0, names.count > 1 {
      what += ": key paths start at the document root, without '$.'"
    } else if let key = Suggestion.nearest(to: names[index], among: keys) {
      near = key
    } else if !keys.isEmpty {
      let listed = keys.prefix(8).map { FoundPhrase.quoted($0.utf8) }.joined(separator: ", ")
      what += ", found \(listed)\(keys.count > 8 ? " and \(keys.count - 8) more" : "")"
    }
    var error = object.failure(.absentKey(what, near: near))
    error.shown = members.first { $0.key == near }.map { ($0.offset, $0.length) }
    return error
  }

  /// Reads the text after the payload, in which no key of the path may be repeated (I13).
  func leave(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError) {
    for (index, key) in keys.enumerated().reversed() {
      while try scanner.continues(before: UInt8(ascii: "}")) {
        let place = scanner.position
        if try readKey(&scanner, &scratch, key) { throw scanner.failure(.duplicateKey(names[index]), at: place) }
        try scanner.skipValue()
      }
      scanner.ascend()
    }
    try scanner.endText()
  }

  private func readKey(
    _ scanner: inout JSONScanner, _ scratch: inout ScratchText, _ key: [UInt8]
  ) throws(JSONSyntaxError) -> Bool {
    scanner.text(of: try scanner.scanKey(), in: &scratch).elementsEqual(key)
  }
}

extension JSONScanner {
  /// The value at the scanner's position, in the form used in messages.
  fileprivate var phraseOfValue: String {
    var reader = self
    return (try? reader.found())?.phrase ?? "none"
  }
}
