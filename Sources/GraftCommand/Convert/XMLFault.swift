import Foundation
import Graft

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The reason why text cannot be read as the XML of a Core Data model.
struct XMLFault: Error {
  let diagnostic: Diagnostic

  init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }

  private init(_ message: String, _ place: SourcePlace) {
    diagnostic = Diagnostic(code: .malformedCoreDataModel, message, at: place.location)
  }

  static func empty(_ source: SourceText) -> XMLFault {
    XMLFault("expected the XML of a Core Data model, found no element", place(0, in: source))
  }

  static func tooDeep(_ place: SourcePlace) -> XMLFault {
    XMLFault("elements are nested deeper than \(XMLTreeReader.deepest) levels: this is not a Core Data model", place)
  }

  static func otherRoot(_ name: String, _ place: SourcePlace) -> XMLFault {
    XMLFault("expected <model>, the root of a Core Data model, found <\(name)>", place)
  }

  /// Performs the checks that must precede parsing.
  static func checkText(of source: SourceText) throws(XMLFault) {
    let bytes = source.bytes
    if bytes.starts(with: "bplist".utf8) {
      throw XMLFault(
        "this is a binary property list, as Xcode 3 wrote models: open the model in Xcode and save it again",
        place(0, in: source))
    }
    guard String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes), declaresUTF8(bytes) else {
      throw XMLFault("expected UTF-8, which Xcode writes, found another encoding", place(0, in: source))
    }
    for opening in ["<!DOCTYPE", "<!ENTITY"] {
      guard let found = XMLTagFinder.find(opening, in: bytes) else { continue }
      let place = SourcePlace(text: source, range: SourceRange(offset: found, length: opening.utf8.count))
      throw XMLFault("a Core Data model has no document type and declares no entities of its own", place)
    }
  }

  /// Returns whether the text does not declare an encoding other than UTF-8. If the parser used another encoding, it would not read
  /// the text that is checked here.
  private static func declaresUTF8(_ bytes: [UInt8]) -> Bool {
    let start = String(decoding: bytes.prefix(200), as: UTF8.self)
    guard let declared = start.firstMatch(of: /encoding\s*=\s*["']([^"']*)/) else { return true }
    return ["utf-8", "utf8", "us-ascii"].contains(declared.1.lowercased())
  }

  /// Creates the parser's error, at its line and column.
  init(_ error: any Error, line: Int, column: Int, in source: SourceText) {
    let code = (error as NSError).code
    let reason = XMLFault.reasons[code] ?? "error \(code) of libxml2"
    self.init("malformed XML: \(reason)", XMLFault.place(XMLFault.offset(line, column, source.bytes), in: source))
  }

  private static func offset(_ line: Int, _ column: Int, _ bytes: [UInt8]) -> Int {
    var start = 0
    for _ in 1..<max(line, 1) {
      guard let end = bytes[start...].firstIndex(of: 0x0A) else { break }
      start = end + 1
    }
    // There is nothing to show after the last newline, so missing text is located at the end of the existing text.
    let offset = min(start + max(column - 1, 0), bytes.count)
    guard offset == bytes.count else { return offset }
    return bytes.lastIndex { !$0.isXMLSpace } ?? 0
  }

  private static func place(_ offset: Int, in source: SourceText) -> SourcePlace {
    SourcePlace(text: source, range: SourceRange(offset: offset, length: 1))
  }

  /// Common errors from manual edits and failed merges, by libxml2's error number.
  private static let reasons = [
    4: "the text is not XML", 5: "the document ends too early, or continues after its root",
    9: "a character that XML does not allow",
    23: "'&' does not begin an entity here; write '&amp;' for the character itself",
    26: "an entity that XML does not define", 38: "'<' inside the value of an attribute",
    39: "the value of an attribute has no quotes", 40: "the quotes of a value are not closed",
    41: "an attribute without a value", 42: "the same attribute twice", 45: "a comment that is not closed",
    65: "white space is missing between attributes", 68: "a name is missing", 73: "a tag is not closed by '>'",
    76: "an end tag that does not match the start tag", 77: "an element that is not closed",
  ]
}
