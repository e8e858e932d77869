extension HostileCase {
  private static let count = 65_536

  /// Integers with equal low 32 bits, which share a bucket if the hash is the number itself.
  static func collidingIntegers() -> HostileCase {
    let input = { (low: (inout SplitMix64) -> Int) in
      var random = SplitMix64(seed: 7)
      let numbers = (0..<count).map { ($0 + 1_000) << 32 + low(&random) }
      return Input(count) { index, json in json.raw(#"{"id":\#(numbers[index]),"name":"number"}"#) }
    }
    return HostileCase(
      name: "integers with equal low bits", entity: "Number", hostile: input { _ in 0 },
      benign: input { $0.below(1 << 32) })
  }

  /// Text of 16 pairs, each with the same sum under `hash = hash * factor + byte`, so that all hashes are equal.
  static func collidingText(pair: [String], factor: Int) -> HostileCase {
    HostileCase(
      name: "text that collides under hash * \(factor)", entity: "Item",
      hostile: identified { index in (0..<16).map { pair[(index >> $0) & 1] }.joined() },
      benign: identified(randomText(32)))
  }

  /// 160 bytes that differ only in the middle, which a hash that samples both ends does not see.
  static func identifiersWithEqualEnds() -> HostileCase {
    let end = String(repeating: "x", count: 76)
    return HostileCase(
      name: "identifiers with equal ends", entity: "Item",
      hostile: identified { index in "\(end)\(10_000_000 + index)\(end)" }, benign: identified(randomText(160)))
  }

  private static func identified(_ text: (Int) -> String) -> Input {
    Input(count) { index, json in json.raw(#"{"id":"\#(text(index))","size":\#(index)}"#) }
  }

  private static func randomText(_ length: Int) -> (Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEF".utf8)
    return { index in
      var random = SplitMix64(seed: 11, record: index)
      return String(decoding: (0..<length).map { _ in letters[random.below(letters.count)] }, as: UTF8.self)
    }
  }
}
