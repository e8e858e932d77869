/// The values of members. No two members of a graph have the same rank, score or name, so every order of them is unique.
enum MemberValues {
  static func rank(_ number: Int) -> Int { number &* 2_654_435_761 & 0xFFFF_FFFF }
  static func score(_ number: Int) -> Double { Double(rank(number ^ 0x5555)) / 4096 }
  static func name(_ number: Int) -> String { "member \(rank(number ^ 0x3333))" }
  static func isActive(_ number: Int) -> Bool { number % 3 != 0 }

  /// Returns the given number of members as a payload, in hubs of the same size.
  static func payload(from start: Int = 0, _ count: Int, perHub: Int) -> [UInt8] {
    var text = JSONText(capacity: count * 96)
    text.raw("[" as StaticString)
    for number in start..<start + count {
      if number > start { text.raw("," as StaticString) }
      text.raw(#"{"id":"# as StaticString)
      text.integer(number)
      text.raw(#","name":"# as StaticString)
      text.string(name(number))
      text.raw(#","rank":"# as StaticString)
      text.integer(rank(number))
      text.raw(#","score":"# as StaticString)
      text.number(score(number))
      text.raw(#","isActive":"# as StaticString)
      text.boolean(isActive(number))
      text.raw(#","hub":"# as StaticString)
      text.integer(number / perHub)
      text.raw("}" as StaticString)
    }
    text.raw("]" as StaticString)
    return text.bytes
  }

  /// Returns the given number of different members of a graph, in no particular order. They differ from the members of other rounds.
  static func chosen(_ count: Int, of size: Int, round: Int) -> [Int] {
    // The prime number does not divide any size, so all products differ.
    (round * count..<(round + 1) * count).map { $0 * 7_919 % size }
  }
}
