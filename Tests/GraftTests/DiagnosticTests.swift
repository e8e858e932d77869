import Graft
import Testing

@Suite("Diagnostics") struct DiagnosticTests {
  @Test("D7: a location counts lines and columns from 1")
  func location() {
    let place = SourceLocation(file: "a.json", line: 3, column: 5)
    #expect(place.line == 3 && place.column == 5 && place.length == 1)
  }
}
