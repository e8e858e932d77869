import Graft
import GraftTestSupport
import Testing

@Suite("The beginning of a stream") struct StreamBeginningTests {
  private func faults(_ error: ImportError?) -> [String] {
    (error?.diagnostics ?? []).map { "\($0.location?.line ?? 0):\($0.location?.column ?? 0) \($0.message)" }
  }

  @Test(
    "I16: in any splitting of the input, leading whitespace, byte order marks and blank lines are skipped")
  func leadingSpace() throws {
    let body = #"[{"id": 1}, 2]"#
    let spaces = ["", " ", "    ", "\n\n\n\n\n", " \t\r\n  ", String(repeating: " ", count: 9)]
    for format in [ImportStream.Format.document, .lines] {
      for text in spaces.flatMap({ ["\($0)\(body)\($0)", "\u{FEFF}\($0)\(body)", "\u{FEFF}\($0)8"] }) {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
          for second in [cut, min(cut + 4, bytes.count)] {
            let context = try Fixture.context(Fixture.comics)
            let stream = try ImportStream(ofEntity: "Hero", in: context, format: format)
            try stream.append(bytes[..<cut])
            try stream.append(bytes[cut..<second])
            try stream.append(bytes[second...])
            try stream.finish()
            #expect(
              try context.count(ofEntity: "Hero") > 0, "\(format), \(text.debugDescription) cut at \(cut) and \(second)"
            )
          }
        }
      }
    }
    for text in [" \u{FEFF}[1]", "\u{FEFF}\u{FEFF}1", "    \n   "] {
      let document = try Fixture.context(Fixture.comics)
      let expected = #expect(throws: ImportError.self) { try document.importJSON(text, ofEntity: "Hero") }
      for chunk in 1...8 {
        let context = try Fixture.context(Fixture.comics)
        let error = #expect(throws: ImportError.self) { try stream(text, into: context, chunk: chunk) }
        #expect(faults(error) == faults(expected))
      }
    }
  }
}
