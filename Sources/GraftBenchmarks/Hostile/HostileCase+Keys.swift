extension HostileCase {
  private static let count = 25_000

  /// Known keys in a different order in each object.
  static func shuffledKeys() -> HostileCase {
    HostileCase(
      name: "shuffled keys", entity: "Item",
      hostile: Input(count) { index, json in
        var random = SplitMix64(seed: 3, record: index)
        var members = members(index)
        for last in stride(from: members.count - 1, to: 0, by: -1) { members.swapAt(last, random.below(last + 1)) }
        write(members, to: &json)
      }, benign: items)
  }

  /// Eight unknown keys, different in each object, between the known keys.
  static func unknownKeys() -> HostileCase {
    HostileCase(
      name: "unknown keys", entity: "Item",
      hostile: Input(count) { index, json in
        var random = SplitMix64(seed: 5, record: index)
        let unknown = (0..<8).map { _ in
          (key: "unknown_\(random.below(1 << 40))", value: [#""text""#, "17", "[1,2]", #"{"a":{}}"#][random.below(4)])
        }
        write(zip(members(index), unknown).flatMap { [$0, $1] }, to: &json)
      }, benign: items)
  }

  /// Keys in which every letter is an escape.
  static func escapedKeys() -> HostileCase {
    HostileCase(
      name: "escaped keys", entity: "Item",
      hostile: Input(count) { index, json in
        write(
          members(index).map { member in
            (member.key.unicodeScalars.map { #"\u00\#(String($0.value, radix: 16))"# }.joined(), member.value)
          }, to: &json)
      }, benign: items)
  }

  /// Arrays nested 500 deep under an unknown key.
  static func deepUnknownValues() -> HostileCase {
    let unknown = { (value: String) in
      Input(4000) { index, json in json.raw(#"{"id":"\#(1_000_000 + index)","unknown":\#(value)}"#) }
    }
    return HostileCase(
      name: "unknown values 500 deep", entity: "Item",
      hostile: unknown(String(repeating: "[", count: 500) + String(repeating: "]", count: 500)),
      benign: unknown("[\(Array(repeating: "1", count: 500).joined(separator: ","))]"))
  }

  private static var items: Input { Input(count) { index, json in write(members(index), to: &json) } }

  private static func members(_ index: Int) -> [(key: String, value: String)] {
    [
      ("id", "\"\(1_000_000 + index)\""), ("name", #""Crimson Falcon""#), ("note", #""the river of a winter night""#),
      ("kind", #""hero""#), ("size", "\(index)"), ("weight", "72.5"), ("visible", "true"),
      ("changed", #""2014-05-12T10:11:12Z""#),
    ]
  }

  private static func write(_ members: [(key: String, value: String)], to json: inout JSONText) {
    json.raw("{" as StaticString)
    for (index, member) in members.enumerated() {
      if index > 0 { json.raw("," as StaticString) }
      json.raw("\"\(member.key)\":\(member.value)")
    }
    json.raw("}" as StaticString)
  }
}
