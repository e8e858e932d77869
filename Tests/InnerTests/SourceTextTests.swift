import GraftTestSupport
import Testing

@testable import Graft

@Suite("Source text") struct SourceTextTests {
  @Test(
    "D7: columns count scalars from 1, and a tab is one column; lines end at LF or CRLF",
    arguments: [
      ("abc", 2, 1, 3), ("a\nb", 2, 2, 1), ("a\r\n\tb", 4, 2, 2), ("é\u{1F600}x", 6, 1, 3), ("ab\n", 3, 2, 1),
    ]
  )
  func columns(text: String, offset: Int, line: Int, column: Int) {
    let place = SourceText(name: "t", bytes: Array(text.utf8)).location(of: SourceRange(offset: offset, length: 1))
    #expect(place.line == line)
    #expect(place.column == column)
  }

  @Test("D7: looking up many locations in any order has the same results as looking up each location separately")
  func manyPlaces() {
    var random = SeededRandom(seed: 7)
    for round in 0..<40 {
      var text = round % 3 == 0 ? "\u{FEFF}" : ""
      for _ in 0..<(round % 2 == 0 ? 3_000 : 900) {
        text.unicodeScalars.append(["a", "é", "\u{1F600}", "\t", "\u{301}"].randomElement(using: &random) ?? "a")
        if round % 4 > 1, Int.random(in: 0..<50, using: &random) == 0 { text.unicodeScalars.append("\n") }
      }
      let scalars = Array(text.unicodeScalars)
      var expected: [Int: (line: Int, column: Int)] = [:]
      var (offset, line, column) = (0, 1, 1)
      for (index, scalar) in scalars.enumerated() {
        if !(index == 0 && scalar == "\u{FEFF}") { expected[offset] = (line, column) }
        offset += UTF8.width(scalar)
        column += 1
        if index == 0, scalar == "\u{FEFF}" { column = 1 }
        if scalar == "\n" { (line, column) = (line + 1, 1) }
      }
      LentBytes.with(text) { bytes in
        var places = TextPlaces()
        for offset in expected.keys.shuffled(using: &random).prefix(300) {
          let place = places.place(of: offset, in: bytes)
          #expect(place.line == expected[offset]?.line && place.scalars + 1 == expected[offset]?.column)
        }
      }
    }
  }
}
