import Testing

@testable import Graft

@Suite("Source text") struct SourceTextTests {
  @Test(
    "D7: columns count scalars from 1, a tab is one, lines end at LF or CRLF",
    arguments: [
      ("abc", 2, 1, 3), ("a\nb", 2, 2, 1), ("a\r\n\tb", 4, 2, 2), ("é\u{1F600}x", 6, 1, 3), ("ab\n", 3, 2, 1),
    ]
  )
  func columns(text: String, offset: Int, line: Int, column: Int) {
    let place = SourceText(name: "t", bytes: Array(text.utf8)).location(of: SourceRange(offset: offset, length: 1))
    #expect(place.line == line)
    #expect(place.column == column)
  }
}
