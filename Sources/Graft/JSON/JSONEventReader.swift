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
  ///   - isLines: whether the text contains several documents, one after the other (JSON Lines).
  ///   - maxDepth: the maximum nesting depth; by default that of an import.
  /// - Throws: the first syntax error, with its location. Duplicate keys are not syntax errors here.
  package static func read(
    _ source: SourceText, isLines: Bool = false, maxDepth: Int = 512, _ body: (Event) -> Void
  ) throws(JSONTextError) {
    do throws(JSONSyntaxError) {
      try source.bytes.withUnsafeBufferPointer { (bytes) throws(JSONSyntaxError) in
        var scanner = JSONScanner(bytes, maxDepth: maxDepth)
        var scratch = ScratchText()
        defer { scratch.free() }
        try scanner.beginText()
        repeat {
          try readValue(&scanner, &scratch, body)
          scanner.skipWhitespace()
        } while isLines && !scanner.isAtEnd
        try scanner.endText()
      }
    } catch {
      throw JSONTextError(error, in: source)
    }
  }

  private static func readValue(
    _ scanner: inout JSONScanner, _ scratch: inout ScratchText, _ body: (Event) -> Void
  ) throws(JSONSyntaxError) {
    /// Whether each open container is an object.
    var levels: [Bool] = []
    while true {
      switch scanner.peek {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = scanner.peek == UInt8(ascii: "{")
        try scanner.descend()
        scanner.position += 1
        scanner.skipWhitespace()
        body(isObject ? .beginObject : .beginArray)
        if scanner.peek == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          scanner.position += 1
          scanner.ascend()
          body(isObject ? .endObject : .endArray)
        } else {
          levels.append(isObject)
          if isObject { try readKey(&scanner, &scratch, body) }
          continue
        }
      case UInt8(ascii: "\""): body(.string(try readText(&scanner, &scratch)))
      case UInt8(ascii: "t"):
        try scanner.literal(.true)
        body(.boolean(true))
      case UInt8(ascii: "f"):
        try scanner.literal(.false)
        body(.boolean(false))
      case UInt8(ascii: "n"):
        try scanner.literal(.null)
        body(.null)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        body(.number(String(decoding: try scanner.scanNumber().bytes, as: UTF8.self)))
      default:
        throw scanner.isAtEnd ? scanner.failure(.unexpectedEnd("a JSON value")) : scanner.failure(.badLiteral)
      }
      while let isObject = levels.last {
        if try scanner.continues(before: isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if isObject { try readKey(&scanner, &scratch, body) }
          break
        }
        levels.removeLast()
        scanner.ascend()
        body(isObject ? .endObject : .endArray)
      }
      if levels.isEmpty { return }
    }
  }

  private static func readKey(
    _ scanner: inout JSONScanner, _ scratch: inout ScratchText, _ body: (Event) -> Void
  ) throws(JSONSyntaxError) {
    guard scanner.peek == UInt8(ascii: "\"") else { throw scanner.unexpected("a key in double quotes") }
    body(.key(try readText(&scanner, &scratch)))
    try scanner.expectColon()
  }

  private static func readText(
    _ scanner: inout JSONScanner, _ scratch: inout ScratchText
  ) throws(JSONSyntaxError) -> String {
    let raw = try scanner.scanString()
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
