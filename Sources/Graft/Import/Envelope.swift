/// The objects around the payload proper: `at: "data.items"` leads through `data` to `items` (I1).
///
///     {"meta": {...}, "data": {"items": [ ... ], "next": null}, "more": 1}
///                              ^ enter() stops here     ^ leave() checks the rest
struct Envelope {
  let keys: [[UInt8]]
  private let names: [String]

  init(_ path: JSONKeyPath?) {
    names = path?.keys ?? []
    keys = names.map { Array($0.utf8) }
  }

  /// Moves to the value at the end of the path; an error where it leads nowhere (D3).
  func enter(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError) {
    for (index, key) in keys.enumerated() {
      guard scanner.peek == UInt8(ascii: "{") else {
        throw scanner.failure(.expected("an object with the key '\(names[index])', which 'at' names"))
      }
      let brace = scanner.position
      try scanner.descend()
      scanner.position += 1
      scanner.skipWhitespace()
      var isFound = false
      if scanner.peek == UInt8(ascii: "}") {
        throw scanner.failure(.expected("the key '\(names[index])', which 'at' names"), at: brace)
      }
      repeat {
        if try readKey(&scanner, &scratch, key) {
          isFound = true
          break
        }
        try scanner.skipValue()
      } while try scanner.continues(before: UInt8(ascii: "}"))
      if !isFound { throw scanner.failure(.expected("the key '\(names[index])', which 'at' names"), at: brace) }
    }
  }

  /// Reads what follows the payload; a key of the path must not come again (I13).
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
    guard scanner.peek == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in double quotes") }
    let raw = try scanner.scanString()
    let isWanted = scanner.text(of: raw, in: &scratch).elementsEqual(key)
    try scanner.expectColon()
    return isWanted
  }
}
