import Graft
import GraftTools

/// An import's report as text and as JSON.
///
///     Imported 2 payloads
///       Hero       4 inserted, 1 placeholder
///       Publisher  2 inserted
struct ReportLines {
  private typealias Counts = (key: String, words: (Int) -> String, counts: [String: Int])

  private let report: ImportReport
  private let counts: [Counts]
  private let entityNames: [String]
  private let hasUnknownKeys: Bool
  private let traces: [JSON]?
  /// The reason for the end of the import, or of a part of it.
  var errors: [Diagnostic]

  /// - Parameters:
  ///   - entityNames: the entities in output order.
  ///   - hasUnknownKeys: whether unmapped keys were counted.
  ///   - traces: the mentions of the traced objects; nil if no objects are traced.
  ///   - errors: the errors that ended the import.
  init(
    _ report: ImportReport, entityNames: [String], hasUnknownKeys: Bool, traces: [JSON]? = nil,
    errors: [Diagnostic] = []
  ) {
    self.report = report
    self.errors = errors
    self.traces = traces
    self.hasUnknownKeys = hasUnknownKeys
    self.entityNames = entityNames
    counts = [
      ("inserted", { "\($0) inserted" }, report.inserted),
      ("updated", { "\($0) updated" }, report.updated),
      ("unchanged", { "\($0) unchanged" }, report.unchanged),
      ("placeholders", { counted($0, "placeholder") }, report.placeholders),
      ("filled", { "\(counted($0, "placeholder")) filled" }, report.filled),
      ("unlinked", { "\($0) unlinked" }, report.unlinked),
      ("deleted", { "\($0) deleted" }, report.deleted),
      ("skipped", { "\($0) skipped" }, report.skipped),
    ]
  }

  /// Returns the lines of the text report: one for each entity, and one for each unknown key.
  ///
  /// - Parameter payloads: the number of imported payloads, in words.
  func text(payloads: String, isDryRun: Bool) -> String {
    let rows = entityNames.compactMap { name -> (name: String, words: String)? in
      let words = counts.compactMap { part in part.counts[name].map(part.words) }
      return words.isEmpty ? nil : (name, words.joined(separator: ", "))
    }
    let title = isDryRun ? "Dry run of \(payloads)" : "Imported \(payloads)"
    let keys = report.unknownKeys.map { key -> (name: String, words: String) in
      let times = key.count == 1 ? "once" : "\(key.count) times, first"
      return (
        "\(key.entityName)\(JSONPathText.member(key.key))".escapedForDisplay(),
        "\(times) at \(key.path) in \(key.sourceName)\(key.line.map { ":\($0)" } ?? "")".escapedForDisplay()
      )
    }
    let faulty = report.faultyElements.map { element -> (name: String, words: String) in
      let line = element.line.map { ":\($0)" } ?? ""
      return (
        element.path.escapedForDisplay(),
        "\(counted(element.diagnostics.count, "error")) in \(element.sourceName)\(line)".escapedForDisplay()
      )
    }
    return (rows.isEmpty ? "\(title): no objects\n" : "\(title)\n") + aligned(rows) + placeholders
      + (keys.isEmpty ? "" : "Keys that the model does not map\n" + aligned(keys))
      + (faulty.isEmpty ? "" : "Skipped elements\n" + aligned(faulty))
  }

  /// The maximum number of placeholders that are named.
  private static let mostNames = 8

  /// A line with the names of new placeholders, if they are known.
  private var placeholders: String {
    let names = report.details.lazy.filter { $0.outcome == .placeholder }.map(\.name)
    let named = names.prefix(ReportLines.mostNames).map { $0.escapedForDisplay() }.joined(separator: ", ")
    let rest = report.placeholders.values.reduce(0, +) - ReportLines.mostNames
    return named.isEmpty ? "" : "Placeholders: \(named)\(rest > 0 ? ", and \(rest) more" : "")\n"
  }

  private func aligned(_ rows: [(name: String, words: String)]) -> String {
    let width = rows.map(\.name.count).max() ?? 0
    return rows.map { "  \($0.name)\(String(repeating: " ", count: width - $0.name.count))  \($0.words)\n" }.joined()
  }

  /// One JSON object: counts for each entity, and the affected objects.
  var json: String {
    var members = counts.map { part in
      let counts = entityNames.compactMap { name in
        part.counts[name].map { (key: name, value: JSON.number(JSONNumber($0))) }
      }
      return (key: part.key, value: JSON.object(JSONObject(counts)))
    }
    // Finding no unknown keys is different from not having looked for any.
    let unknownKeys: JSON = hasUnknownKeys ? .array(report.unknownKeys.map(ReportLines.json)) : .null
    members.append((key: "unknownKeys", value: unknownKeys))
    members.append((key: "faultyElements", value: .array(report.faultyElements.map(ReportLines.json))))
    members.append((key: "errors", value: .array(errors.map(ReportLines.json))))
    members.append((key: "warnings", value: .array(report.warnings.map(ReportLines.json))))
    members.append((key: "objects", value: .array(report.details.map(ReportLines.json))))
    if let traces { members.append((key: "traces", value: .array(traces))) }
    return JSON.object(JSONObject(members)).prettyText
  }

  private static func json(_ key: ImportReport.UnknownKey) -> JSON {
    [
      "key": .string(key.key), "entity": .string(key.entityName), "count": .number(JSONNumber(key.count)),
      "source": .string(key.sourceName), "line": json(key.line), "path": .string(key.path),
    ]
  }

  private static func json(_ element: ImportReport.FaultyElement) -> JSON {
    [
      "entity": .string(element.entityName), "source": .string(element.sourceName), "line": json(element.line),
      "path": .string(element.path), "faults": .array(element.diagnostics.map(json)),
    ]
  }

  /// Returns a diagnostic with the members that `graft lint --format json` writes, and its count.
  private static func json(_ diagnostic: Diagnostic) -> JSON {
    let notes = diagnostic.notes.map { note in
      JSON.object(JSONObject(place(note.location) + [(key: "message", value: JSON.string(note.message))]))
    }
    let members: [JSONObject.Member] =
      place(diagnostic.location) + [
        ("path", text(diagnostic.path)), ("severity", .string(diagnostic.severity.rawValue)),
        ("code", .string(diagnostic.code.rawValue)), ("message", .string(diagnostic.message)),
        ("suggestion", text(diagnostic.suggestion)), ("notes", .array(notes)),
        ("count", .number(JSONNumber(diagnostic.count))),
      ]
    return .object(JSONObject(members))
  }

  private static func place(_ location: SourceLocation?) -> [JSONObject.Member] {
    [
      ("file", text(location?.file)), ("line", json(location?.line)), ("column", json(location?.column)),
      ("length", json(location?.length)),
    ]
  }

  private static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

  private static func json(_ line: Int?) -> JSON { line.map { .number(JSONNumber($0)) } ?? .null }

  private static func json(_ detail: ImportReport.ObjectReport) -> JSON {
    let changes = detail.changes.map { change in
      (key: change.name, value: ["old": change.old, "new": change.new] as JSON)
    }
    var members: [JSONObject.Member] = [("id", .string(detail.name))]
    if let name = detail.previousName { members.append(("previousId", .string(name))) }
    members += [
      ("entity", .string(detail.entityName)), ("outcome", .string(detail.outcome.rawValue)),
      ("source", .string(detail.sourceName)), ("line", json(detail.line)), ("path", .string(detail.path)),
      ("changes", .object(JSONObject(changes))),
    ]
    return .object(JSONObject(members))
  }
}
