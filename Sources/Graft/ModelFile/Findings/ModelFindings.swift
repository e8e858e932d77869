/// Collects the findings about a model in any order, and returns them in file order.
///
/// Collecting is cheap: lines, columns and suggestions are computed at the end, and only for findings that are shown.
final class ModelFindings {
  /// A related location that explains a finding.
  struct Note: Sendable {
    var message: String
    var place: SourcePlace?
    /// A range in the same text as the finding.
    var range: SourceRange?

    init(_ message: String, at place: SourcePlace? = nil, range: SourceRange? = nil) {
      self.message = message
      self.place = place
      self.range = range
    }
  }

  /// The maximum number of findings. Further findings are only counted.
  static let most = 1000
  /// The maximum number of legal names that a message lists.
  static let mostListed = 16
  /// The number of findings after which no names are suggested, because searching for a similar name takes time.
  static let mostSuggestions = 200

  private struct Record {
    var finding: ModelFinding
    var place: SourcePlace
    var candidates: [String]
    var notes: [Note]
  }

  private var records: [Record] = []
  /// The number of occurrences of each wrong name.
  private var uses: [String: Int] = [:]
  private(set) var hasErrors = false

  /// Adds a finding.
  ///
  /// - Parameter candidates: the names that may have been intended. If one is similar, it is suggested.
  func report(
    _ finding: ModelFinding, at place: SourcePlace, near candidates: @autoclosure () -> [String] = [],
    notes: [Note] = []
  ) {
    if finding.severity == .error { hasErrors = true }
    let candidates = records.count < Self.mostSuggestions ? candidates() : []
    records.append(Record(finding: finding, place: place, candidates: candidates, notes: notes))
  }

  /// Adds the syntax errors in the text of a model file.
  func report(_ errors: [ModelFileSyntaxError], in text: SourceText) {
    for error in errors {
      report(error.finding, at: SourcePlace(text: text, range: error.range), notes: error.notes)
    }
  }

  /// Returns the findings as diagnostics in file order. Findings at the same location keep the order in which they were found.
  ///
  /// - Parameter most: the maximum number of findings.
  func diagnostics(most: Int = ModelFindings.most) -> [Diagnostic] {
    let order = records.indices.sorted {
      (records[$0].place.range.offset, $0) < (records[$1].place.range.offset, $1)
    }
    var places: [ObjectIdentifier: TextPlaces] = [:]
    for record in records { if let name = record.finding.offender { uses[name, default: 0] += 1 } }
    defer { uses = [:] }
    var diagnostics = order.prefix(most).map { diagnostic(records[$0], &places) }
    if records.count > most {
      let rest = ModelFinding.tooMany(records.count - most, isError: hasErrors)
      let place = records[order[most]].place
      diagnostics.append(diagnostic(Record(finding: rest, place: place, candidates: [], notes: []), &places))
    }
    return diagnostics
  }

  /// Returns `'a'`, or `one of 'a', 'b'`.
  private static func choice(_ names: [String]) -> String {
    (names.count == 1 ? "" : "one of ") + names.map(\.quoted).joined(separator: ", ")
  }

  /// Returns the change that resolves a finding, or an empty array if there is no such change or there are several.
  private func fix(_ record: Record, _ suggestion: String?) -> [SourceEdit] {
    let finding = record.finding
    guard finding.edits.isEmpty, let name = finding.offender, let suggestion else { return finding.edits }
    guard finding.acceptsName?(suggestion) ?? (finding.severity == .error) else { return [] }
    // Keys and words come from fixed sets. Other names are chosen by the author, so a similar name may mean something else.
    let isWord = finding.code == .unknownKey || finding.code == .unknownWord
    let isCertain =
      finding.suggestion != nil
      || suggestion
        == (isWord
          ? Suggestion.only(name, among: record.candidates) : Suggestion.misspelled(name, among: record.candidates))
    // If several uses of a name agree, its declaration may be misspelled instead.
    guard isCertain, isWord || uses[name] == 1 else { return [] }
    return NameFix.edit(name, to: suggestion, at: record.place).map { [$0] } ?? []
  }

  private func diagnostic(_ record: Record, _ places: inout [ObjectIdentifier: TextPlaces]) -> Diagnostic {
    let finding = record.finding
    var suggestion =
      finding.suggestion ?? finding.offender.flatMap { Suggestion.nearest(to: $0, among: record.candidates) }
    // If no name is similar and there are only a few legal names, all of them are listed.
    let isListed = suggestion == nil && finding.listsCandidates && 1...Self.mostListed ~= record.candidates.count
    let list = isListed ? "; expected " + Self.choice(record.candidates) : ""
    // If only one name is legal, it is suggested.
    let isOnly = isListed && record.candidates.count == 1
    if isOnly { suggestion = record.candidates[0] }
    func location(of place: SourcePlace) -> SourceLocation? {
      place.text.map { $0.location(of: place.range, &places[ObjectIdentifier($0), default: TextPlaces()]) }
    }
    var diagnostic = Diagnostic(
      finding.severity, code: finding.code, finding.message + list, at: location(of: record.place),
      suggestion: suggestion,
      notes: record.notes.map { note in
        let place = note.place ?? note.range.map { SourcePlace(text: record.place.text, range: $0) }
        return Diagnostic.Note(note.message, at: place.flatMap(location))
      })
    diagnostic.namesSuggestion = isOnly || finding.namesSuggestion
    diagnostic.fix = isOnly ? [] : fix(record, suggestion)
    return diagnostic
  }
}
