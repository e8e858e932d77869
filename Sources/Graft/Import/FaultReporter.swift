/// Turns faults into diagnostics: here, and only when an import has failed, offsets become lines, columns and JSON paths.
struct FaultReporter {
  let source: PayloadSource

  /// The faults as an error.
  ///
  /// - Parameter isAtLimit: whether the import gave up because they were too many.
  func error(_ faults: [ImportFault], cause: (any Error)?, isAtLimit: Bool = false) -> ImportError {
    // By place; faults of one place in the order in which they were found.
    let ordered = faults.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
    let kept = ordered.prefix(max(1, source.options.limits.errors)).map(\.element)
    let paths = source.paths(to: kept.map(\.offset))
    var places = TextPlaces()
    let shown = kept.map { diagnostic($0, at: paths[$0.offset] ?? "$", &places) }
    return ImportError(shown, underlyingError: cause, isAtLimit: isAtLimit || ordered.count > kept.count)
  }

  /// A fault of syntax, or a limit, ends the import; what was found before it is told as well.
  func error(_ syntax: JSONSyntaxError, after faults: [ImportFault], cause: (any Error)?) -> ImportError {
    let last = ImportFault(offset: syntax.offset, code: syntax.code, message: syntax.message)
    return error(faults + [last], cause: cause)
  }

  /// A fault in what stands around the objects of a stream.
  ///
  /// - Parameter place: where that is, if it is not in memory any more.
  func error(_ syntax: JSONSyntaxError, at path: String, place: SourceLocation?) -> ImportError {
    let fault = ImportFault(offset: max(0, syntax.offset), code: syntax.code, message: syntax.message)
    var places = TextPlaces()
    var diagnostic = diagnostic(fault, at: path, &places)
    if syntax.offset < 0, let place { diagnostic.location = place }
    return ImportError([diagnostic])
  }

  private func diagnostic(_ fault: ImportFault, at path: String, _ places: inout TextPlaces) -> Diagnostic {
    var notes: [Diagnostic.Note] = []
    if let asks = fault.asks { notes.append(Diagnostic.Note(asks.note, at: asks.source.location(of: asks.key))) }
    notes += fault.remarks.map { Diagnostic.Note($0) }
    return Diagnostic(
      .error, code: fault.code, fault.message, at: source.location(fault.offset, fault.length, &places),
      path: path + fault.missing.map(JSONPathText.member).joined(), suggestion: fault.suggestion, notes: notes)
  }
}
