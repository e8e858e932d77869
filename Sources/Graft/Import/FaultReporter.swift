/// Turns faults into diagnostics: here, and only when an import has failed, offsets become lines, columns and JSON paths.
struct FaultReporter {
  let bytes: UnsafeBufferPointer<UInt8>
  /// Whether the payload was text: dictionaries have JSON paths, but no lines and columns.
  let isText: Bool
  let options: ImportOptions
  /// The JSON path of the payload in the document it was taken from.
  let rootPath: String

  func error(_ faults: [ImportFault], cause: (any Error)?) -> ImportError {
    // By place; faults of one place in the order in which they were found.
    let ordered = faults.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
    let shown = ordered.prefix(max(1, options.limits.errors)).map { diagnostic($0.element) }
    return ImportError(Array(shown), underlyingError: cause)
  }

  /// A fault of syntax, or a limit, ends the import; what was found before it is told as well.
  func error(_ syntax: JSONSyntaxError, after faults: [ImportFault], cause: (any Error)?) -> ImportError {
    let last = ImportFault(offset: syntax.offset, code: syntax.code, message: syntax.message)
    return error(faults + [last], cause: cause)
  }

  private func diagnostic(_ fault: ImportFault) -> Diagnostic {
    var notes: [Diagnostic.Note] = []
    if let asks = fault.asks { notes.append(Diagnostic.Note(asks.note, at: asks.source.location(of: asks.key))) }
    notes += fault.remarks.map { Diagnostic.Note($0) }
    let path = rootPath + JSONLocator.path(to: fault.offset, in: bytes, maxDepth: JSONBuilder.deepest).dropFirst()
    let location =
      isText
      ? SourceLocation(file: options.sourceName, offset: fault.offset, length: fault.length, in: bytes) : nil
    return Diagnostic(
      .error, code: fault.code, fault.message, at: location,
      path: path + fault.missing.map(JSONPathText.member).joined(), suggestion: fault.suggestion, notes: notes)
  }
}
