#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads a JSON text from beginning to end and reports each value, without recursion and without building a tree.
///
///     {"id": 7}        beginObject, key "id", number "7", endObject
package enum JSONEventReader {
  /// A part of a JSON text.
  package enum Event {
    case beginObject, endObject, beginArray, endArray, null
    case key(String)
    case string(String)
    /// The number as written.
    case number(String)
    case boolean(Bool)
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - isLines: whether the text contains several documents in sequence (JSON Lines).
  ///   - maxDepth: the maximum nesting depth; by default, the maximum of an import.
  /// - Throws: the first syntax error, with its location. This function does not treat duplicate keys as syntax errors.
  package static func read(
    _ source: SourceText, isLines: Bool = false, maxDepth: Int = 512, _ body: @escaping (Event) -> Void
  ) throws(JSONTextError) {
    do throws(JSONSyntaxError) {
      try LentBytes.with(source.bytes) { (bytes) throws(JSONSyntaxError) in
        var scanner = JSONScanner(bytes, maxDepth: maxDepth)
        var scratch = ScratchText()
        defer { scratch.free() }
        var visitor = EventVisitor(body: body)
        try scanner.beginText()
        repeat {
          try JSONWalk.walk(&scanner, &scratch, &visitor)
          scanner.skipWhitespace()
        } while isLines && !scanner.isAtEnd
        try scanner.endText()
      }
    } catch {
      throw JSONTextError(error, in: source)
    }
  }
}

/// Reports the values of a walk.
private struct EventVisitor: JSONVisitor {
  let body: (JSONEventReader.Event) -> Void

  func begin(_ container: JSONContainer, at start: Int) { body(container == .object ? .beginObject : .beginArray) }

  func key(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError) {
    body(.key(text(try scanner.scanKey(), scanner, &scratch)))
  }

  func scalar(_ scanner: inout JSONScanner, _ scratch: inout ScratchText) throws(JSONSyntaxError) {
    switch try scanner.scanScalar() {
    case .string(let raw): body(.string(text(raw, scanner, &scratch)))
    case .number(let number): body(.number(String(decoding: number.bytes, as: UTF8.self)))
    case .boolean(let value): body(.boolean(value))
    case .null: body(.null)
    }
  }

  func end(_ container: JSONContainer, _ scanner: JSONScanner) { body(container == .object ? .endObject : .endArray) }

  func empty(_ container: JSONContainer, at start: Int, _ scanner: JSONScanner) {
    begin(container, at: start)
    end(container, scanner)
  }

  private func text(_ raw: RawString, _ scanner: JSONScanner, _ scratch: inout ScratchText) -> String {
    let text = String(decoding: scanner.text(of: raw, in: &scratch), as: UTF8.self)
    scratch.reset()
    return text
  }
}

/// A text that is not JSON.
package struct JSONTextError: DiagnosticError {
  /// The syntax error.
  package let diagnostics: [Diagnostic]

  init(_ error: JSONSyntaxError, in source: SourceText) {
    var diagnostic = Diagnostic(.error, code: error.code, error.message)
    diagnostic.location = source.location(of: SourceRange(offset: error.offset, length: 1))
    diagnostics = [diagnostic]
  }
}
