/// Turns faults into diagnostics: here, and only when an import has failed, offsets become lines, columns and JSON paths.
struct FaultReporter {
  let shelf: PieceShelf
  /// The most errors that are told.
  let limit: Int

  /// The faults as an error.
  ///
  /// - Parameter isAtLimit: whether the import gave up because they were too many.
  func error(_ faults: [ImportFault], cause: (any Error)?, isAtLimit: Bool = false) -> ImportError {
    // By place; faults of one place in the order in which they were found.
    let ordered = faults.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
    let kept = shelf.place(ordered.prefix(max(1, limit)).map(\.element)[...])
    return ImportError(
      kept.map(FaultReporter.diagnostic), underlyingError: cause, isAtLimit: isAtLimit || ordered.count > kept.count)
  }

  /// A fault of syntax, or a limit, ends the import; what was found before it is told as well.
  func error(_ syntax: JSONSyntaxError, after faults: [ImportFault], cause: (any Error)?) -> ImportError {
    error(faults + [FaultReporter.fault(syntax)], cause: cause)
  }

  /// A fault whose place is known already.
  static func error(_ fault: ImportFault) -> ImportError { ImportError([diagnostic(fault)]) }

  static func fault(_ syntax: JSONSyntaxError) -> ImportFault {
    ImportFault(offset: max(0, syntax.offset), code: syntax.code, message: syntax.message)
  }

  private static func diagnostic(_ fault: ImportFault) -> Diagnostic {
    var notes: [Diagnostic.Note] = []
    if let asks = fault.asks { notes.append(Diagnostic.Note(asks.note, at: asks.source.location(of: asks.key))) }
    notes += fault.remarks.map { Diagnostic.Note($0) }
    if fault.place?.path == nil, fault.offset >= 0 {
      notes.append(Diagnostic.Note("the location is unknown: this part of the stream is no longer in memory"))
    }
    return Diagnostic(
      .error, code: fault.code, fault.message, at: fault.place?.location,
      path: (fault.place?.path).map { $0 + fault.missing.map(JSONPathText.member).joined() },
      suggestion: fault.suggestion, notes: notes)
  }
}
