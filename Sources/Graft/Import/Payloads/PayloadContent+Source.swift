#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Converts the form of a payload to the bytes that the importer reads.
///
///     text, data, bytes, file   borrowed unchanged
///     JSON, dictionaries        written as JSON text first; they have JSON paths, but no lines and columns
extension PayloadContent {
  /// Calls a closure with the bytes of the payload.
  ///
  /// - Parameters:
  ///   - parts: where the objects are. For a single part, dictionaries are written in model order ([I7](doc:Rules#I7));
  ///     for several parts, in the order of their keys.
  ///   - options: the limits, and the name of the payload in messages.
  func withSource<Result>(
    _ parts: [PlannedPart], _ plan: Plan, _ options: ImportOptions,
    _ body: (PayloadSource) throws(ImportError) -> Result
  ) throws(ImportError) -> Result {
    switch form {
    case .text(let text):
      return try LentBytes.with(text) { bytes throws(ImportError) in try body(PayloadSource(bytes, options)) }
    case .data(let data):
      return try LentBytes.with(data) { bytes throws(ImportError) in try body(PayloadSource(bytes, options)) }
    case .bytes(let bytes):
      return try LentBytes.with(bytes) { bytes throws(ImportError) in try body(PayloadSource(bytes, options)) }
    case .file(let url):
      let file = try PayloadFile(url, options)
      return try LentBytes.with(file.data) { bytes throws(ImportError) in
        try body(PayloadSource(bytes, file.options))
      }
    case .json(let json):
      return try LentBytes.with(try DictionaryPayload.text(of: json, options)) { bytes throws(ImportError) in
        try body(PayloadSource(bytes, options, written: PayloadSource.Written()))
      }
    case .foundation(let value):
      let text =
        parts.count == 1
        ? try DictionaryPayload.text(of: value, parts[0], plan, options)
        : try DictionaryPayload.text(ofDocument: value, plan, options)
      var written = PayloadSource.Written(faults: text.faults)
      if let part = parts.first, parts.count == 1 {
        written.wholeText = { DictionaryPayload.wholeText(of: value, part, plan) }
      }
      return try LentBytes.with(text.bytes) { [written] bytes throws(ImportError) in
        try body(PayloadSource(bytes, options, written: written))
      }
    }
  }
}
