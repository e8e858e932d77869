import Graft
import GraftTools

/// The possible replacements for the last word after `graft`.
///
///     import --model Comics.json He          Hero=
///     import --report                        text, json
///     lint Com                               files that end in .json
struct Completion {
  /// A word and its description.
  struct Candidate {
    let word: String
    let summary: String

    init(_ word: String, _ summary: String = "") {
      self.word = word
      self.summary = summary
    }
  }

  private(set) var candidates: [Candidate] = []
  /// The entity whose objects the command exports.
  private var entityName: String?
  /// The extension of the file names that the shell completes; empty for any, nil for none.
  private(set) var files: String?

  /// The answer in the form that the scripts read: a line per word, with its description after a tab; or `:files` and an
  /// extension.
  var text: String {
    let lines = candidates.map { $0.summary.isEmpty ? $0.word : "\($0.word)\t\($0.summary)" }
    let directive = files.map { $0.isEmpty ? ":files" : ":files \($0)" }
    return (lines + [directive].compactMap(\.self)).map { $0.escapedControls + "\n" }.joined()
  }

  /// - Parameter words: the words after `graft`, up to the one being typed, which may be empty. If bash splits a word at `=`,
  ///   its parts may be separate.
  init(of words: [String]) {
    let words = Completion.joined(words)
    guard let first = words.first, let current = words.last else { return }
    if words.count == 1 {
      completeFirst()
    } else if let command = Command(rawValue: first) {
      complete(current, Array(words[1..<words.count - 1]), command)
    } else if first == "help", words.count == 2 {
      addCommands()
    }
  }

  /// Joins words that bash splits: it turns `Hero=a.json` into three words.
  private static func joined(_ words: [String]) -> [String] {
    var joined: [String] = []
    var isOpen = false
    for word in words {
      if word == "=" || isOpen, let last = joined.popLast() {
        joined.append(last + word)
      } else {
        joined.append(word)
      }
      isOpen = word == "="
    }
    return joined
  }

  private mutating func completeFirst() {
    addCommands()
    candidates += [
      Candidate("help", "show how a command is used"), Candidate("--help", "show all commands"),
      Candidate("--version", "show the version"),
    ]
  }

  private mutating func addCommands() {
    candidates += Command.allCases.map { Candidate($0.rawValue, $0.summary) }
  }

  // MARK: After a command

  private mutating func complete(_ current: String, _ before: [String], _ command: Command) {
    var operands: [String] = []
    var model: CompletionModel?
    var store: CompletionModel?
    var pending: Arguments.Option?
    var isOnlyOperands = false
    for word in before {
      if let option = pending {
        if option.value == "MODEL" { model = .file(word) }
        if option.name == "--store" { store = .store(word) }
        pending = nil
      } else if isOnlyOperands || !word.hasPrefix("-") || word == "-" {
        operands.append(word)
      } else if word == "--" {
        isOnlyOperands = true
      } else {
        let parts = word.parts(between: "=", most: 1).filter { !$0.isEmpty }
        let option = command.options.first { $0.name == parts[0] }
        if parts.count > 1, option?.value == "MODEL" { model = .file(parts[1]) }
        if parts.count > 1, option?.name == "--store" { store = .store(parts[1]) }
        if parts.count == 1, option?.value != nil { pending = option }
      }
    }
    // A store contains the model that it was last written with.
    model = model ?? store
    if command == .export { entityName = operands.first }
    if let value = pending?.value {
      complete(value, current, model)
    } else if !isOnlyOperands, current.hasPrefix("-") {
      completeOption(current, command, model)
    } else if let form = Completion.form(ofOperand: operands.count, of: command) {
      complete(form, current, model ?? operands.first.map { .file($0) })
    }
  }

  private mutating func completeOption(_ current: String, _ command: Command, _ model: CompletionModel?) {
    guard let equals = current.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      candidates +=
        command.options.map { Candidate($0.name, $0.summary) } + [Candidate("--help", "show how it is used")]
      return
    }
    guard let value = command.options.first(where: { $0.name == current[..<equals] })?.value else { return }
    complete(value, String(current[current.index(after: equals)...]), model)
    candidates = candidates.map { Candidate(current[...equals] + $0.word, $0.summary) }
  }

  /// Returns the operand at an index: `MODEL` for the first of `MODEL [ENTITY]`. If the last operand ends in dots, it repeats.
  private static func form(ofOperand number: Int, of command: Command) -> String? {
    if command == .infer { return "PAYLOAD" }
    guard let last = command.operands.last else { return nil }
    let form = number < command.operands.count ? command.operands[number] : last.hasSuffix("...") ? last : nil
    return form?.filter { !"[].".contains($0) }
  }

  /// Completes a value whose form is written as in the usage line: lowercase words are literal, and all other words are names.
  private mutating func complete(_ form: String, _ current: String, _ model: CompletionModel?) {
    switch form {
    case "MODEL", "OLD", "NEW", "PAYLOAD": files = "json"
    case "MODEL|CODE":
      files = "json"
      // There are many, so they are offered only after one has been started.
      if !current.isEmpty {
        candidates += CodeExplanation.all.map { Candidate($0.code.rawValue) } + RuleText.names.map { Candidate($0) }
      }
    case "CORE-DATA-MODEL": files = "xcdatamodeld"
    case "FILE", "FOLDER", "STORE": files = ""
    case "ENTITY": candidates += (model?.entityNames ?? []).map { Candidate($0) }
    case "CONDITION": completeProperty(current, model, attributesOnly: false)
    case "NAMES": completeProperty(current, model, attributesOnly: true)
    case "ENTITY=PAYLOAD" where current.contains("="): files = "json"
    case "ENTITY=FILE" where current.contains("="): files = ""
    case "ENTITY=PAYLOAD", "ENTITY=FILE": candidates += (model?.entityNames ?? []).map { Candidate($0 + "=") }
    case "OBJECT": candidates += (model?.entityNames ?? []).map { Candidate($0 + "(") }
    case "NAME=TRANSFORMER": completeAssumption(current, model)
    case _ where form.contains("|"): candidates += form.split(separator: "|").map { Candidate(String($0)) }
    default: break
    }
  }

  /// Completes the names that the model uses but the program does not have, then the replacements.
  private mutating func completeAssumption(_ current: String, _ model: CompletionModel?) {
    guard let equals = current.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      candidates += Assumptions.unknownNames(in: model?.entities ?? []).map { Candidate($0 + "=") }
      return
    }
    let words = [Assumptions.asIs] + TransformerRegistry.standard.valueTransformerNames
    candidates += words.map { Candidate(current[...equals] + $0) }
  }

  /// Completes the last name of a condition or of a list of names with the properties of the exported entity.
  private mutating func completeProperty(_ current: String, _ model: CompletionModel?, attributesOnly: Bool) {
    guard let model, let entityName else { return }
    let start = current.lastIndex { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { current.index(after: $0) }
    // A name after a dot is a property of another entity.
    if let start, current[current.index(before: start)] == "." { return }
    let before = current[..<(start ?? current.startIndex)]
    candidates += model.propertyNames(of: entityName, attributesOnly: attributesOnly).map { Candidate(before + $0) }
  }
}

extension String {
  /// The text without control characters except tabs, so that a name from a model cannot add a line.
  fileprivate var escapedControls: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { $0 == "\t" || $0.value >= 0x20 && $0.value != 0x7F }))
  }
}
