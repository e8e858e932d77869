import Foundation
import Graft
import GraftTools

// The arguments of `graft import`, in the groups that they form.
extension ImportCommand {
  /// An entity and the file of its objects, for input or output.
  struct Assignment {
    let entityName: String
    let path: String
  }

  /// A file, and the objects in it that are read.
  struct Payload {
    var entityName: String
    var path: String
    /// The key path of the objects; nil if they are the whole document.
    var keyPath: JSONKeyPath?
    /// Whether a key path that matches nothing is an error.
    var isRequired = true
    /// The object that has the payload as the value of one of its relationships. The entity is then the object's.
    var parent: Parent?
  }

  /// An object, and one of its relationships: `Album(9).photos`.
  struct Parent {
    /// The identity in the form used in object names.
    let identity: String
    let relationshipName: String
  }

  /// The treatment of probable mistakes in the payloads.
  enum Warnings: String, CaseIterable { case show, error, none }

  /// The treatment of objects of the payloads' entities that no payload mentions.
  enum Missing: String, CaseIterable { case keep, delete }

  /// The format of the report.
  enum ReportFormat: String, CaseIterable { case text, json }

  /// The payloads, and how they are read.
  struct Input {
    let payloads: [Payload]
    /// Whether payloads are JSON Lines.
    let hasLines: Bool
    /// The number of objects per batch; nil if all payloads are one transaction.
    let batchSize: Int?

    init(_ arguments: Arguments, model: String) throws(Failure) {
      payloads = try ImportCommand.payloads(arguments.operands, keyPaths: arguments.values(of: "--at"))
      guard !payloads.isEmpty else { throw .usage("no payload is given: ENTITY=PAYLOAD") }
      hasLines = arguments.has("--lines")
      batchSize = try arguments.number(of: "--batch-size")
      for option in ["--lines", "--batch-size"]
      where arguments.has(option) && payloads.contains(where: { !$0.isRequired }) {
        throw .usage("'\(option)' reads one part of a document, which is required: remove the '?' after its key path")
      }
      let inputs = payloads.filter { $0.path == "-" }
      // An input that is read as a whole may have several parts.
      let areParts = !hasLines && batchSize == nil && Set(inputs.map(\.keyPath)).count == inputs.count
      guard inputs.count < 2 || areParts, inputs.isEmpty || model != "-" else {
        throw .usage("standard input can be read only once")
      }
    }
  }

  /// The treatment of what is unknown, faulty, missing or doubtful.
  struct Handling {
    let unknownKeys: ImportOptions.UnknownKeys
    let skipsFaulty: Bool
    let missing: Missing
    let warnings: Warnings

    init(_ arguments: Arguments) throws(Failure) {
      unknownKeys = try arguments.choice(of: "--unknown-keys") ?? .ignore
      skipsFaulty = arguments.has("--skip-faulty")
      missing = try arguments.choice(of: "--missing") ?? .keep
      for option in ["--lines", "--batch-size"] where missing == .delete && arguments.has(option) {
        throw .usage("'--missing delete' is for payloads that are complete lists, but '\(option)' reads parts of one")
      }
      warnings = try arguments.choice(of: "--warnings") ?? .show
    }
  }

  /// The documents that are written after the import.
  struct Documents {
    let exports: [Assignment]
    let exportOptions: ExportOptions
    let dumpPath: String?

    /// The destinations of the exports and the dump.
    var paths: [String] { exports.map(\.path) + [dumpPath].compactMap(\.self) }

    init(_ arguments: Arguments) throws(Failure) {
      exports = try ImportCommand.assignments(
        arguments.values(of: "--export"), of: "'--export' ENTITY=FILE", such: "--export Hero=heroes.json")
      dumpPath = arguments.value(of: "--dump")
      for option in ExportArguments.options where arguments.has(option.name) && exports.isEmpty {
        throw .usage("'\(option.name)' is an option of exports: it requires '--export'")
      }
      exportOptions = try ExportArguments.exportOptions(arguments)
    }
  }

  /// What is shown to people and programs.
  struct Messages {
    let showsProgress: Bool
    /// The objects whose mentions are listed.
    let tracedObjects: [ObjectName]
    let reportFormat: ReportFormat
    let isQuiet: Bool

    init(_ arguments: Arguments) throws(Failure) {
      showsProgress = arguments.has("--progress")
      tracedObjects = try ImportCommand.objectNames(arguments.values(of: "--trace"))
      reportFormat = try arguments.choice(of: "--report") ?? .text
      isQuiet = arguments.has("--quiet")
      if isQuiet, arguments.has("--report") { throw .usage("'--quiet' and '--report' exclude each other") }
    }
  }
}

// Payloads and key paths in words.
extension ImportCommand {
  /// Reads `Album(9).photos=p.json`, the value of a relationship of an object (I24), as opposed to `Hero=heroes.json`, an entity
  /// and a file. Returns nil if the word is something else.
  private static func parent(_ word: String) -> (payload: Payload, keyPath: String?)? {
    // In quotes, an identity may contain what ends it elsewhere.
    let quoted = /([^()=@]+)\(((?:"(?:[^"\\]|\\.)*"|[^"])*?)\)\.([^()=@]+)(?:@([^=]*))?=(.+)/.dotMatchesNewlines()
    let plain = /([^()=@]+)\((.*?)\)\.([^()=@]+)(?:@([^=]*))?=(.+)/.dotMatchesNewlines()
    guard let match = word.wholeMatch(of: quoted) ?? word.wholeMatch(of: plain), !match.1.isEmpty
    else { return nil }
    var payload = Payload(entityName: String(match.1), path: String(match.5))
    payload.parent = Parent(identity: String(match.2), relationshipName: String(match.3))
    return (payload, match.4.map(String.init))
  }

  static func assignments(_ words: [String], of form: String, such example: String) throws(Failure) -> [Assignment] {
    var assignments: [Assignment] = []
    for word in words {
      let parts = word.parts(between: "=", most: 1)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw .usage("expected \(form), such as '\(example)', found '\(word)'")
      }
      assignments.append(Assignment(entityName: parts[0], path: parts[1]))
    }
    return assignments
  }

  /// Reads `Hero=heroes.json`, or `Hero@data.heroes=all.json` with its own key path.
  ///
  /// - Parameter keyPaths: the key path of all other payloads, or one for each of them.
  static func payloads(_ words: [String], keyPaths: [String]) throws(Failure) -> [Payload] {
    var payloads: [Payload] = []
    var others: [Int] = []
    for word in words {
      if let (payload, path) = parent(word) {
        payloads.append(payload)
        if let path {
          try place(&payloads[payloads.count - 1], at: path)
        } else {
          others.append(payloads.count - 1)
        }
        continue
      }
      let assignment = try assignments([word], of: "ENTITY=PAYLOAD", such: "Hero=heroes.json")[0]
      let parts = assignment.entityName.parts(between: "@", most: 1)
      payloads.append(Payload(entityName: parts[0], path: assignment.path))
      if parts.count == 2 {
        try place(&payloads[payloads.count - 1], at: parts[1])
      } else {
        others.append(payloads.count - 1)
      }
    }
    if others.isEmpty, !keyPaths.isEmpty, !payloads.isEmpty {
      throw .usage("'--at' applies to no payload: each has its own key path")
    }
    for (index, word) in zip(others, try each(keyPaths, others.count)) {
      if let word { try place(&payloads[index], at: word) }
    }
    return payloads
  }

  /// Returns one key path for all payloads, or one for each, in order.
  static func keyPaths(_ words: [String], _ payloadCount: Int) throws(Failure) -> [JSONKeyPath?] {
    var paths: [JSONKeyPath?] = []
    for word in try each(words, payloadCount) {
      guard let word else {
        paths.append(nil)
        continue
      }
      // A sample contains every part that a model is inferred from, so a question mark has no meaning here.
      paths.append(try keyPath(word.hasSuffix("?") ? String(word.dropLast()) : word))
    }
    return paths
  }

  private static func each(_ words: [String], _ payloadCount: Int) throws(Failure) -> [String?] {
    guard [0, 1, payloadCount].contains(words.count) else {
      throw .usage(
        "'--at' is given \(words.count) times for \(counted(payloadCount, "payload")); expected once, or once for each")
    }
    return words.count == payloadCount ? words : Array(repeating: words.first, count: payloadCount)
  }

  /// Gives a payload a key path: `data.items`, or `included?` if some documents do not have it.
  private static func place(_ payload: inout Payload, at word: String) throws(Failure) {
    payload.isRequired = !word.hasSuffix("?")
    payload.keyPath = try keyPath(payload.isRequired ? word : String(word.dropLast()))
    guard payload.isRequired || payload.keyPath != nil else {
      throw .usage("'.' is the whole document, which is always there: remove the '?'")
    }
  }

  /// Reads a key path: `data.items`, or `["a.b", "items"]` if a key contains a dot, or `.` for the whole document.
  private static func keyPath(_ word: String) throws(Failure) -> JSONKeyPath? {
    if word == "." { return nil }
    if word.hasPrefix("[") {
      guard let keys = keys(word) else { throw .usage("'\(word)' is not a key path: it is not an array of strings") }
      return JSONKeyPath(keys: keys)
    }
    guard let path = JSONKeyPath(word) else { throw .usage("'\(word)' is not a key path: it has an empty key") }
    return path
  }

  private static func keys(_ word: String) -> [String]? {
    let keys = try? JSONDecoder().decode([String].self, from: Data(word.utf8))
    return keys?.isEmpty == false ? keys : nil
  }
}
