import Graft
import GraftTools

/// A model file that is open in the editor.
struct ModelDocument {
  let uri: String
  private(set) var version: JSON?
  private(set) var source: SourceText
  private(set) var lines: LineIndex
  /// The findings of the linter.
  private(set) var findings: [Diagnostic]
  /// The entities and properties, to the extent that the text can be read.
  private(set) var outline: ModelOutline

  init(uri: String, text: String, version: JSON?) {
    self.uri = uri
    self.version = version
    source = SourceText(name: uri, bytes: Array(text.utf8))
    lines = LineIndex(source.bytes)
    findings = ModelFixer.findings(in: source)
    outline = ModelOutline(source)
  }

  /// Makes the editor's changes, each of which is the whole text, or the new text of a range.
  mutating func change(_ changes: [JSON], version: JSON?) {
    var bytes = source.bytes
    for change in changes {
      guard let text = change["text"]?.stringValue else { continue }
      guard let range = change["range"] else {
        bytes = Array(text.utf8)
        continue
      }
      let index = LineIndex(bytes)
      guard let start = index.offset(of: range["start"]), let end = index.offset(of: range["end"]), start <= end else {
        continue
      }
      bytes.replaceSubrange(start..<end, with: text.utf8)
    }
    self = ModelDocument(uri: uri, text: String(decoding: bytes, as: UTF8.self), version: version)
  }

  var bytes: [UInt8] { source.bytes }

  func offset(of position: JSON?) -> Int? { lines.offset(of: position) }

  /// Returns the text in a range.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns a text edit of the protocol.
  func edit(_ range: Range<Int>, _ text: String) -> JSON { ["range": lines.range(range), "newText": .string(text)] }

  /// Returns the edits of this document as a workspace edit.
  func workspaceEdit(_ edits: [JSON]) -> JSON { ["changes": .object(JSONObject([(uri, .array(edits))]))] }

  /// Returns a range of this document as a location of the protocol.
  func location(_ range: Range<Int>) -> JSON { ["uri": .string(uri), "range": lines.range(range)] }
}

extension SourceRange {
  /// The offsets of the bytes.
  var offsets: Range<Int> { offset..<offset + length }
}
