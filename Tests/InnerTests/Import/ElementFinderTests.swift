import GraftTestSupport
import Testing

@testable import Graft

@Suite("P20: Finding the ends of elements in a stream") struct ElementFinderTests {
  private enum Stop: Equatable {
    case comma(Int)
    case end(Int)
  }

  /// The commas and the end of the array, as found one byte at a time.
  private static func plainStops(_ bytes: [UInt8]) -> [Stop] {
    var stops: [Stop] = []
    var (depth, isInString, isEscaped) = (0, false, false)
    for (index, byte) in bytes.enumerated() {
      if isInString {
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return stops + [.end(index)] }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: stops.append(.comma(index))
      default: break
      }
    }
    return stops
  }

  /// The commas and the end of the array that the finder returns if the bytes arrive in parts.
  ///
  /// - Parameters:
  ///   - most: the maximum number of commas that the finder can skip between two stops. The finder returns only the last skipped comma; the
  ///     other commas are taken from `plain`.
  ///   - passed: the number of skipped commas is added to this parameter.
  private static func stops(
    _ bytes: [UInt8], ends: [Int], plain: [Stop], most: Int, limit: Int, passed: inout Int
  ) -> [Stop] {
    LentBytes.with(bytes) { bytes in
      var finder = ElementFinder()
      var (index, stops) = (0, [] as [Stop])
      for end in ends + [bytes.count] {
        let part = bytes.part(0..<end)
        search: while true {
          var run = ElementFinder.Run(most: most, limit: limit)
          let stop = finder.next(part, &index, &run)
          #expect(run.count <= most)
          if run.count > 0 {
            #expect(run.next < limit)
            stops += plain.dropFirst(stops.count).prefix(run.count - 1) + [.comma(run.next - 1)]
            passed += run.count
          }
          switch stop {
          case nil: break search
          case .comma: stops.append(.comma(index))
          case .end: return stops + [.end(index)]
          }
          index += 1
        }
        #expect(index == end)
      }
      return stops
    }
  }

  private static func stops(_ bytes: [UInt8], ends: [Int]) -> [Stop] {
    var passed = 0
    return stops(bytes, ends: ends, plain: [], most: 0, limit: 0, passed: &passed)
  }

  @Test(
    "Elements end at the same bytes as in a search byte by byte, regardless of how the bytes arrive",
    arguments: 0..<40 as Range<UInt64>)
  func random(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    // Half of the texts have no backslashes, and some have only long strings.
    let words =
      [#""k":"#, "\"\(String(repeating: "x{", count: random.below(30)))\"", "{", "}", "[", "]", ",", "12.5", "é", " "]
      + (seed % 2 == 0 ? [] : [#"\"#, #""\\""#, #""a\"}""#, "\""])
    for _ in 0..<50 {
      var text = "{"
      for _ in 0..<random.below(120) { text += random.pick(words) }
      let bytes = Array(text.utf8)
      let ends = (0..<random.below(5)).map { _ in random.below(bytes.count) }.sorted()
      #expect(Self.stops(bytes, ends: ends) == Self.plainStops(bytes), "\(text), cut at \(ends)")
    }
  }

  @Test("An element can end at any byte of a 16-byte block, at any depth")
  func ends() {
    for depth in 1...20 {
      for length in 0..<40 {
        let inner = #""\#(String(repeating: "}", count: length))""#
        let element = String(repeating: "[{\"a\":", count: depth) + inner + String(repeating: "}]", count: depth)
        let text = Array("\(element),\(element) ,1]          ".utf8)
        let count = element.utf8.count
        #expect(Self.stops(text, ends: []) == [.comma(count), .comma(2 * count + 2), .end(2 * count + 4)])
      }
    }
  }

  @Test("The finder skips as many consecutive elements as allowed", arguments: 0..<40 as Range<UInt64>)
  func runs(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var passed = 0
    for _ in 0..<50 {
      let elements = (0..<random.below(30)).map { _ in element(&random) }
      let bytes = Array((elements.joined(separator: ",") + "]").utf8)
      let plain = Self.plainStops(bytes)
      let ends = (0..<random.below(3)).map { _ in random.below(bytes.count) }.sorted()
      let (most, limit) = (random.below(20), random.below(bytes.count) + bytes.count / 2)
      let stops = Self.stops(bytes, ends: ends, plain: plain, most: most, limit: limit, passed: &passed)
      #expect(stops == plain, "\(elements), cut at \(ends), \(most) or up to \(limit)")
    }
    #expect(passed > 50)
  }

  /// An element with or without surrounding whitespace, with nested elements, and with strings that contain brackets and escapes.
  private func element(_ random: inout SeededRandom) -> String {
    let text = String(repeating: random.pick(["x", "}", "]", "{", ",", "},{", "é"]), count: random.below(60))
    let inner = String(repeating: random.pick([#"{"b":[1,2]},"#, "[[]],", "{},"]), count: random.below(10))
    let escape = random.below(8) == 0 ? #"\"}"# : ""
    let space = random.below(8) == 0 ? " " : ""
    return random.below(10) == 0 ? "12" : #"\#(space){"a":"\#(text)\#(escape)","c":[\#(inner)0]}\#(space)"#
  }
}
