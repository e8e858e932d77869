import Graft

extension OptionWords {
  /// The names of options on the command line, which replace the library's names in messages. There are no options here for the
  /// library's limits.
  static let program = OptionWords(
    at: "'--at'", atKeyPath: { "--at \(argument(keyPath($0)))" }, hasLimits: false, once: "'--once'", maxObjects: nil,
    maxDepth: "'--depth'", maxBytes: nil, incomplete: "'--incomplete omit'",
    representations: "'--representation'")

  /// Returns a key path in the form that the program reads.
  static func keyPath(_ keys: [String]) -> String {
    let literal = OptionWords.literal(keys)
    // A question mark at the end would mean that the key may be absent.
    if literal.hasSuffix("?\"") { return "\(JSON.array(keys.map { .string($0) }))" }
    return literal.hasPrefix("[") ? literal : String(literal.dropFirst().dropLast())
  }

  /// Returns a key path as a command line argument, quoted if a shell would interpret it.
  static func argument(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
    }
    return isPlain && !word.hasPrefix("-") ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }
}
