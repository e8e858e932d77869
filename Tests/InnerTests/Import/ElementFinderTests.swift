import GraftTestSupport
import Testing

@testable import Graft

@Suite("P20: The ends of the elements of a stream") struct ElementFinderTests {
  private enum Stop: Equatable {
    case comma(Int)
    case end(Int)
  }

  /// The stops up to the end of the array, one byte at a time.
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

  /// The same as the finder says it, if the bytes come in parts.
  private static func stops(_ bytes: [UInt8], ends: [Int]) -> [Stop] {
    LentBytes.with(bytes) { bytes in
      var finder = ElementFinder()
      var (index, stops) = (0, [] as [Stop])
      for end in ends + [bytes.count] {
        let part = bytes.part(0..<end)
        search: while true {
          switch finder.next(part, &index) {
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

  @Test("Elements end where they do byte by byte, however the bytes come", arguments: 0..<40 as Range<UInt64>)
  func random(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    // Some texts have no backslashes, and some no strings but long ones.
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

  @Test("An element may end at each place of sixteen bytes, deep inside or not")
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
}
