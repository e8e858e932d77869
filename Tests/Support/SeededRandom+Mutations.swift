extension SeededRandom {
  /// Damages text like a transmission error: bytes are replaced, removed, doubled or truncated, and JSON's own characters are inserted at
  /// random positions.
  package mutating func mutate(_ bytes: inout [UInt8]) {
    for _ in 0...Int.random(in: 0..<3, using: &self) {
      guard !bytes.isEmpty else { return }
      let place = Int.random(in: 0..<bytes.count, using: &self)
      switch Int.random(in: 0..<8, using: &self) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(Self.alphabet.randomElement(using: &self) ?? 0, at: place)
      case 4: bytes[place] = Self.alphabet.randomElement(using: &self) ?? 0
      case 5: bytes.removeLast(bytes.count - place)
      case 6:
        let end = min(bytes.count, place + Int.random(in: 1...16, using: &self))
        bytes.insert(contentsOf: Array(bytes[place..<end]), at: Int.random(in: 0...bytes.count, using: &self))
      default: bytes.insert(contentsOf: Self.words.randomElement(using: &self)?.utf8 ?? "".utf8, at: place)
      }
    }
  }

  private static let alphabet = Array("{}[]\",:\\ \n\t0123456789-+.eEtfnu".utf8)
  private static let words = [
    "null", "true", "{}", "[]", "\"\"", "1e999999999", "-0.0", "\\ud83d", "\\ude00", "\"id\":", "\u{FEFF}", "\u{1F600}",
    "1.5",
    "9223372036854775808", ",,", "\"a\":1,\"a\":2",
  ]
}
