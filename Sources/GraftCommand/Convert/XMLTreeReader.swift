import Foundation
import Graft

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads XML as a tree of tags that know their locations.
///
/// A Core Data model needs no document type, so a document type is rejected, as are all entity declarations. Nothing is expanded or
/// fetched.
final class XMLTreeReader: NSObject, XMLParserDelegate {
  /// The maximum nesting of elements, which no Core Data model exceeds.
  static let deepest = 64

  private let source: SourceText
  private var finder: XMLTagFinder
  /// The open elements; the first contains the root.
  private var open = [XMLTag(name: "", attributes: [:], range: SourceRange(offset: 0, length: 0))]
  private var fault: Diagnostic?

  private init(_ source: SourceText) {
    self.source = source
    finder = XMLTagFinder(source.bytes)
  }

  /// Returns the root element. Throws the fault of the text with its location.
  static func root(of source: SourceText) throws(XMLFault) -> XMLTag {
    try XMLFault.checkText(of: source)
    let reader = XMLTreeReader(source)
    let parser = XMLParser(data: Data(source.bytes))
    parser.delegate = reader
    parser.shouldResolveExternalEntities = false
    _ = parser.parse()
    if let fault = reader.fault { throw XMLFault(fault) }
    guard let root = reader.open[0].children.first else { throw .empty(source) }
    return root
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    guard fault == nil else { return }
    let tag = XMLTag(name: name, attributes: attributes, range: finder.next())
    guard open.count <= XMLTreeReader.deepest else {
      fault = XMLFault.tooDeep(tag.place(in: source)).diagnostic
      parser.abortParsing()
      return
    }
    open.append(tag)
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    guard fault == nil, open.count > 1 else { return }
    let tag = open.removeLast()
    open[open.count - 1].children.append(tag)
  }

  /// Records an error. The parser continues after some errors, but only the first is reported.
  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    guard fault == nil else { return }
    fault = XMLFault(error, line: parser.lineNumber, column: parser.columnNumber, in: source).diagnostic
    parser.abortParsing()
  }
}
