/// Turns faults into diagnostics: here, and only when an import has failed, offsets become lines, columns and JSON paths.
///
/// More than three faults of one kind are one diagnostic, which has the first place, tells how many there are, and names the next
/// places in notes:
///
///     orders.json:2:22: error: expected a number for 'Order.total', found the string "12.50" (13 times)
///       at $[0].total
///     2 |   { "id": 1, "total": "12.50" },
///       |                       ^~~~~~~
///     orders.json:3:22: note: also at $[1].total: the string "3.20"
struct FaultReporter {
  let source: PayloadSource

  /// As many faults of one kind are diagnostics of their own.
  private static let mostAlike = 3
  /// How many places are named besides the first.
  static let places = 3

  /// A fault that is told, with those that are like it.
  private struct Group {
    var fault: ImportFault
    var others: [ImportFault] = []
    var count = 1
  }

  /// The faults as an error.
  ///
  /// - Parameter isAtLimit: whether the import gave up because they were too many.
  func error(_ list: FaultList, cause: (any Error)?, isAtLimit: Bool = false) -> ImportError {
    let groups = groups(of: list)
    let kept = groups.prefix(max(1, source.options.limits.errors))
    let paths = source.paths(to: kept.flatMap { [$0.fault.offset] + $0.others.map(\.offset) })
    var places = TextPlaces()
    var shown = kept.map { diagnostic($0, paths, &places) }
    let isAtLimit = isAtLimit || groups.count > kept.count
    if isAtLimit, source.options.words.hasLimits {
      shown[shown.count - 1].notes.append(
        Diagnostic.Note("there may be more errors: collecting stopped at the limit 'errors'"))
    }
    return ImportError(shown, underlyingError: cause, isAtLimit: isAtLimit)
  }

  /// A fault of syntax, or a limit, ends the import; what was found before it is told as well.
  func error(_ syntax: JSONSyntaxError, after faults: FaultList, cause: (any Error)?) -> ImportError {
    var faults = faults
    faults.append(fault(syntax))
    return error(faults, cause: cause)
  }

  /// A fault in what stands around the objects of a stream.
  ///
  /// - Parameter place: where that is, if it is not in memory any more.
  func error(_ syntax: JSONSyntaxError, at path: String, place: SourceLocation?) -> ImportError {
    var fault = fault(syntax)
    fault.offset = max(0, syntax.offset)
    var places = TextPlaces()
    var diagnostic = diagnostic(fault, at: path, &places)
    if syntax.offset < 0, let place { diagnostic.location = place }
    return ImportError([diagnostic])
  }

  private func fault(_ syntax: JSONSyntaxError) -> ImportFault {
    ImportFault(
      offset: syntax.offset, code: syntax.code, message: syntax.message(in: source.options.words),
      suggestion: syntax.suggestion, namesSuggestion: true)
  }

  /// The faults by place, those of one place in the order in which they were found; many of one kind are one group.
  private func groups(of list: FaultList) -> [Group] {
    let ordered = list.faults.enumerated().sorted {
      ($0.element.place.offset, $0.offset) < ($1.element.place.offset, $1.offset)
    }
    var groups: [Group] = []
    var indexes: [String: Int] = [:]
    for fault in ordered.map(\.element) {
      let kind = fault.kind
      let count = list.counts[kind] ?? 1
      if count > FaultReporter.mostAlike, let index = indexes[kind] {
        if groups[index].others.count < FaultReporter.places { groups[index].others.append(fault) }
        continue
      }
      indexes[kind] = groups.count
      groups.append(Group(fault: fault, count: count > FaultReporter.mostAlike ? count : 1))
    }
    return groups
  }

  private func diagnostic(_ group: Group, _ paths: [Int: String], _ places: inout TextPlaces) -> Diagnostic {
    var told = diagnostic(group.fault, at: paths[group.fault.offset] ?? "$", &places)
    guard group.count > 1 else { return told }
    told.count = group.count
    told.message += " (\(group.count) times)"
    for other in group.others {
      let found = other.found == group.fault.found ? "" : other.found.map { ": \($0)" } ?? ""
      let path = path(of: other, paths[other.offset] ?? "$").shortenedPath()
      told.notes.append(
        Diagnostic.Note("also at \(path)\(found)", at: source.location(other.place.offset, other.place.length, &places))
      )
    }
    let rest = group.count - 1 - group.others.count
    if rest > 0 { told.notes.append(Diagnostic.Note("and \(rest) more")) }
    return told
  }

  private func diagnostic(_ fault: ImportFault, at path: String, _ places: inout TextPlaces) -> Diagnostic {
    var notes: [Diagnostic.Note] = []
    if let asks = fault.asks { notes.append(Diagnostic.Note(asks.note, at: asks.source.location(of: asks.key))) }
    notes += fault.remarks.map { Diagnostic.Note($0) }
    var diagnostic = Diagnostic(
      .error, code: fault.code, fault.message, at: source.location(fault.place.offset, fault.place.length, &places),
      path: self.path(of: fault, path), suggestion: fault.suggestion, notes: notes)
    diagnostic.namesSuggestion = fault.namesSuggestion
    return diagnostic
  }

  private func path(of fault: ImportFault, _ path: String) -> String {
    path + fault.missing.map(JSONPathText.member).joined()
  }
}
