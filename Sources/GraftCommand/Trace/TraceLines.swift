import Graft
import GraftTools

/// The mentions of an object as text and as JSON.
///
///     Hero(101): 2 mentions
///       1. heroes.json:3 at $[0].publisher.heroes[1]: identifier in 'Publisher(10).heroes'; creates a placeholder
///       2. heroes.json:7 at $[1]: dictionary with its identity; fills the placeholder
///            identifier  101               from "id"
///            name        "Batman"          from "name"
///            powers      added Power(4)    from "powers"; inverse 'Power.heroes'
struct TraceLines {
  private let trace: ImportTrace
  private let mentions: [ImportTrace.Mention]
  private let suggestions: [String]

  /// - Parameter suggestions: the names of objects that were probably intended, if this object is not mentioned.
  init(_ trace: ImportTrace, suggestions: [String]) {
    self.trace = trace
    mentions = trace.mentions
    self.suggestions = mentions.isEmpty ? suggestions : []
  }

  // MARK: Text

  var text: String {
    let title = trace.name.escapedForDisplay()
    guard !mentions.isEmpty else {
      let near = suggestions.map { "'\($0.escapedForDisplay())'" }.joined(separator: ", ")
      return "\(title) is not mentioned in the payloads\(near.isEmpty ? "" : "; there are \(near)")\n"
    }
    let width = String(mentions.count).count
    var text = "\(title): \(counted(mentions.count, "mention"))\n"
    for (index, mention) in mentions.enumerated() {
      let number = String(index + 1)
      let indent = String(repeating: " ", count: width - number.count)
      text += "  \(indent)\(number). \(TraceLines.place(mention))\(TraceLines.words(mention))\n"
      text += TraceLines.lines(mention, indent: String(repeating: " ", count: width + 6))
    }
    return text
  }

  private static func place(_ mention: ImportTrace.Mention) -> String {
    if mention.path.isEmpty { return "" }
    let line = mention.line.map { ":\($0)" } ?? ""
    return "\(mention.sourceName)\(line) at \(mention.path): ".escapedForDisplay()
  }

  private static func words(_ mention: ImportTrace.Mention) -> String {
    let cause = mention.cause.map { "'\($0.escapedForDisplay())'" } ?? ""
    let owner = cause.isEmpty ? "" : " in \(cause)"
    return switch mention.match {
    case .inserted: "dictionary with a new identity"
    case .identity: "dictionary with its identity"
    case .alternate: "dictionary with an alternate identity"
    case .filled: "dictionary with its identity; fills the placeholder"
    case .identifier: "identifier\(owner)"
    case .placeholder: "identifier\(owner); creates a placeholder"
    case .inverse: "changed by \(cause)"
    case .skipped: "skipped dictionary"
    case .marked: "dictionary that marks it as deleted"
    case .end: "at the end of the payload"
    case .deleted: "deleted at the end of the payload"
    }
  }

  private static func lines(_ mention: ImportTrace.Mention, indent: String) -> String {
    let rows = mention.changes.map { change in
      (
        name: change.property.escapedForDisplay(), value: value(change).escapedForDisplay(),
        notes: notes(change, mention)
      )
    }
    let names = rows.map(\.name.count).max() ?? 0
    let values = rows.map(\.value.count).max() ?? 0
    return rows.map { row in
      let value = row.notes.isEmpty ? row.value : row.value.padded(to: values + 2)
      return indent + row.name.padded(to: names + 2) + value + row.notes.escapedForDisplay() + "\n"
    }.joined()
  }

  private static func value(_ change: ImportTrace.Change) -> String {
    switch change.effect {
    case .value(let old?, let new) where !change.isUnchanged: "\(short(old, change)) -> \(short(new, change))"
    case .value(_, let new): short(new, change)
    case .links([], []): "no change"
    case .links(let added, let removed):
      [("added", added), ("removed", removed)].filter { !$0.1.isEmpty }.map { word, names in
        "\(word) \(names.prefix(mostNames).joined(separator: ", "))\(names.count > mostNames ? ", …" : "")"
      }.joined(separator: ", ")
    }
  }

  /// Returns a value on one line. Names of objects have no quotes.
  private static func short(_ value: JSON, _ change: ImportTrace.Change) -> String {
    let isName = change.isRelationship
    let text = isName ? value.stringValue ?? "null" : JSONWriter.text(of: value)
    return text.count > longestValue ? text.prefix(longestValue - 1) + "…" : text
  }

  private static func notes(_ change: ImportTrace.Change, _ mention: ImportTrace.Mention) -> String {
    var notes: [String] = []
    switch change.source {
    case .keyPath(let path, let isAlias): notes.append("from \"\(path)\"\(isAlias ? ", an alias" : "")")
    case .inverse(let name): notes.append(mention.match == .end ? "inverse '\(name)'" : "by its inverse '\(name)'")
    case .defaultValue: notes.append("default")
    case .surroundings, .consequence: break
    }
    if let transformer = change.transformer { notes.append("transformer '\(transformer)'") }
    if let inverse = change.inverse { notes.append("inverse '\(inverse)'") }
    if case .value(_?, _) = change.effect, change.isUnchanged { notes.append("unchanged") }
    return notes.joined(separator: "; ")
  }

  private static let mostNames = 8
  private static let longestValue = 60

  // MARK: JSON

  /// One member of the JSON report's `traces`.
  var json: JSON {
    [
      "id": .string(trace.name), "entity": .string(trace.entityName),
      "mentions": .array(mentions.map(TraceLines.json)), "near": .array(suggestions.map { .string($0) }),
    ]
  }

  private static func json(_ mention: ImportTrace.Mention) -> JSON {
    let hasPlace = !mention.path.isEmpty
    return [
      "match": .string(mention.match.rawValue), "by": mention.cause.map { .string($0) } ?? .null,
      "source": hasPlace ? .string(mention.sourceName) : .null,
      "line": mention.line.map { .number(JSONNumber($0)) } ?? .null,
      "path": hasPlace ? .string(mention.path) : .null,
      "changes": .object(JSONObject(mention.changes.map { (key: $0.property, value: json($0)) })),
    ]
  }

  private static func json(_ change: ImportTrace.Change) -> JSON {
    var members: [JSONObject.Member] = []
    switch change.effect {
    case .value(let old, let new): members = [("old", old ?? .null), ("new", new)]
    case .links(let added, let removed):
      members = [
        ("added", .array(added.map { .string($0) })), ("removed", .array(removed.map { .string($0) })),
      ]
    }
    switch change.source {
    case .keyPath(let path, let isAlias):
      members += [("keyPath", .string(path.description)), ("isAlias", .boolean(isAlias))]
    case .inverse(let name): members.append(("by", .string(name)))
    case .defaultValue: members.append(("isDefault", .boolean(true)))
    case .surroundings, .consequence: break
    }
    if let transformer = change.transformer { members.append(("transformer", .string(transformer))) }
    if let inverse = change.inverse { members.append(("inverse", .string(inverse))) }
    return .object(JSONObject(members))
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
