/// A hostile input, and a benign one of the same kind and about the same size (P12).
struct HostileCase {
  struct Input {
    /// The payloads, imported in sequence into one graph.
    var payloads: [[UInt8]]
    /// The number of the entity's objects afterwards.
    var objects: Int

    var megabytes: Double { payloads.reduce(0) { $0 + Double($1.count) } / 1_000_000 }
  }

  var name: String
  var entity: String
  var hostile: Input
  var benign: Input

  /// The cases, created one at a time because each takes several megabytes.
  static let all: [@Sendable () -> HostileCase] = [
    { ownersOfOne() }, { membersReversed() },
    { longStrings() }, { longEscapedStrings() }, { longIdentifiers() },
    { collidingIntegers() }, { collidingText(pair: ["Aa", "BB"], factor: 31) },
    { collidingText(pair: ["Ez", "FY"], factor: 33) }, { identifiersWithEqualEnds() },
    { combiningMarks() }, { combiningMarksInKeys() },
    { shuffledKeys() }, { unknownKeys() }, { escapedKeys() },
    { deepUnknownValues() }, { deepObjects() },
  ]
}

extension HostileCase.Input {
  /// Returns a payload: an array with a number of elements.
  init(_ count: Int, objects: Int? = nil, _ element: (Int, inout JSONText) -> Void) {
    payloads = [Self.array(count, element)]
    self.objects = objects ?? count
  }

  static func array(_ count: Int, _ element: (Int, inout JSONText) -> Void) -> [UInt8] {
    var text = JSONText()
    text.raw("[" as StaticString)
    for index in 0..<count {
      if index > 0 { text.raw("," as StaticString) }
      element(index, &text)
    }
    text.raw("]" as StaticString)
    return text.bytes
  }
}
