/// Turns faults into diagnostics. Only here, after an import has failed, do offsets become lines, columns and JSON paths.
///
/// More than three errors of one kind become one diagnostic, which has the first location and the number of errors, and lists the
/// next locations in notes:
///
///     orders.json:2:22: error: expected a number for 'Order.total', found the string "12.50" (13 times)
///       at $[0].total
///     2 |   { "id": 1, "total": "12.50" },
///       |                       ^~~~~~~
///     orders.json:3:22: note: also at $[1].total: the string "3.20"
struct FaultReporter {
  let shelf: PieceShelf
  let options: ImportOptions

  /// Up to this many errors of one kind are reported as separate diagnostics.
  private static let mostAlike = 3
  /// The number of locations that are listed in addition to the first.
  static let places = 3

  /// A reported error and the errors like it.
  private struct Group {
    var fault: ImportFault
    var others: [ImportFault] = []
    var count = 1
  }

  /// Returns the faults as an error.
  ///
  /// - Parameter isAtLimit: whether the import gave up because there were too many faults.
  func error(_ list: FaultList, cause: (any Error)?, isAtLimit: Bool = false) -> ImportError {
    let groups = groups(of: list)
    let kept = placed(groups.prefix(max(1, options.limits.errors)))
    var shown = kept.map(FaultReporter.diagnostic)
    let isAtLimit = isAtLimit || groups.count > kept.count
    if isAtLimit, options.words.hasLimits {
      shown[shown.count - 1].notes.append(
        Diagnostic.Note("there may be more errors: collecting stopped at the limit 'errors'"))
    }
    return ImportError(shown, underlyingError: cause, isAtLimit: isAtLimit)
  }

  /// Returns the error for a syntax error or an exceeded limit, which ends the import. Errors found earlier are also reported.
  func error(_ syntax: JSONSyntaxError, after faults: FaultList, cause: (any Error)?) -> ImportError {
    var faults = faults
    faults.append(FaultReporter.fault(syntax, options))
    return error(faults, cause: cause)
  }

  /// Returns an error for a fault whose location is already known.
  static func error(_ fault: ImportFault) -> ImportError { ImportError([diagnostic(fault)]) }

  static func fault(_ syntax: JSONSyntaxError, _ options: ImportOptions) -> ImportFault {
    var fault = ImportFault(.syntax(syntax, options.words), at: max(0, syntax.offset))
    fault.shown = syntax.shown
    return fault
  }

  /// Returns faults that did not make an import fail, as warnings. Many faults of one kind become one warning.
  ///
  /// - Parameter list: the faults, with their locations, in payload order.
  static func warnings(_ list: FaultList, limit: Int) -> [Diagnostic] {
    groups(list.faults, list.counts).prefix(max(1, limit)).map { group in
      var warning = diagnostic(group)
      warning.severity = .warning
      return warning
    }
  }

  /// Returns the faults by location; at the same location, in the order in which they were found. Many faults of one kind form one group.
  private func groups(of list: FaultList) -> [Group] {
    let ordered = list.faults.enumerated().sorted {
      ($0.element.caret.offset, $0.offset) < ($1.element.caret.offset, $1.offset)
    }
    return FaultReporter.groups(ordered.map(\.element), list.counts)
  }

  private static func groups(_ faults: [ImportFault], _ counts: [String: Int]) -> [Group] {
    var groups: [Group] = []
    var indexes: [String: Int] = [:]
    for fault in faults {
      let kind = fault.finding.kind
      let count = counts[kind] ?? 1
      if count > FaultReporter.mostAlike, let index = indexes[kind] {
        if groups[index].others.count < FaultReporter.places { groups[index].others.append(fault) }
        continue
      }
      indexes[kind] = groups.count
      groups.append(Group(fault: fault, count: count > FaultReporter.mostAlike ? count : 1))
    }
    return groups
  }

  /// Returns the groups with the locations of their faults. Each piece of the payload is read once.
  private func placed(_ groups: ArraySlice<Group>) -> [Group] {
    var faults = shelf.place(groups.flatMap { [$0.fault] + $0.others }[...])[...]
    return groups.map { group in
      var group = group
      group.fault = faults.removeFirst()
      group.others = Array(faults.prefix(group.others.count))
      faults = faults.dropFirst(group.others.count)
      return group
    }
  }

  private static func diagnostic(_ group: Group) -> Diagnostic {
    var told = diagnostic(group.fault)
    guard group.count > 1 else { return told }
    told.count = group.count
    told.message += " (\(group.count) times)"
    for other in group.others {
      let found = other.finding.found == group.fault.finding.found ? "" : other.finding.found.map { ": \($0)" } ?? ""
      let path = other.path.map { "at \($0.shortenedPath())" } ?? "in a part of the stream that is no longer in memory"
      told.notes.append(Diagnostic.Note("also \(path)\(found)", at: other.place?.location))
    }
    let rest = group.count - 1 - group.others.count
    if rest > 0 { told.notes.append(Diagnostic.Note("and \(rest) more")) }
    return told
  }

  /// Returns the diagnostic for a fault whose location is known.
  static func diagnostic(_ fault: ImportFault) -> Diagnostic {
    var notes: [Diagnostic.Note] = []
    let finding = fault.finding
    if let requirement = finding.requirement {
      notes.append(Diagnostic.Note(requirement.note, at: requirement.source.location(of: requirement.key)))
    }
    for note in fault.notes {
      let path = note.place?.path.map { " at \($0.shortenedPath())" } ?? ""
      notes.append(Diagnostic.Note(note.words + path, at: note.place?.location))
    }
    notes += finding.remarks.map { Diagnostic.Note($0) }
    if fault.path == nil, fault.offset >= 0 {
      notes.append(Diagnostic.Note("the location is unknown: this part of the stream is no longer in memory"))
    }
    var diagnostic = Diagnostic(
      .error, code: finding.code, finding.message, at: fault.place?.location, path: fault.hidesPath ? nil : fault.path,
      suggestion: finding.suggestion, notes: notes)
    diagnostic.namesSuggestion = finding.namesSuggestion
    diagnostic.subject = finding.subject
    return diagnostic
  }
}

extension ImportFault {
  /// The JSON path with the keys that are missing; nil if the path is not known.
  fileprivate var path: String? { (place?.path).map { $0 + missing.map(JSONPathText.member).joined() } }
}
