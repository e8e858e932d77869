import Graft

/// The words after a command's name, sorted into options and operands.
///
///     --model Comics.json --once Hero=- -- --odd=name
///     '-----option-----'  'flag' '----- operands ---'
///
/// `--option value` and `--option=value` are the same; `--` ends the options; `-` is an operand.
package struct Arguments {
  /// An option of a command.
  package struct Option {
    /// The name, with its dashes.
    package let name: String
    /// The name of its value in messages; nil for a flag, which has no value.
    package var value: String?
    /// Whether the option may be repeated.
    package var isRepeatable = false
    /// A short description of the option.
    package var summary = ""

    package init(name: String, value: String? = nil, isRepeatable: Bool = false, summary: String = "") {
      self.name = name
      self.value = value
      self.isRepeatable = isRepeatable
      self.summary = summary
    }
  }

  /// The words that are not part of an option.
  package private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  /// Sorts the words into options and operands.
  package init(_ words: [String], options: [Option]) throws(Failure) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        return
      }
      guard word.utf8.first == UInt8(ascii: "-"), word != "-" else {
        operands.append(word)
        continue
      }
      let parts = word.parts(between: "=", most: 1)
      guard let option = options.first(where: { $0.name == parts[0] }) else {
        let known = options.map(\.name) + ["--help"]
        throw .usage("unknown option '\(parts[0])'", suggestion: Suggestion.nearest(to: parts[0], among: known))
      }
      let value = try Arguments.value(of: option, attached: parts.count > 1 ? parts[1] : nil, from: &rest)
      guard option.isRepeatable || values[option.name] == nil else {
        throw .usage("'\(option.name)' is given twice")
      }
      values[option.name, default: []].append(value)
    }
  }

  private static func value(
    of option: Option, attached: String?, from rest: inout ArraySlice<String>
  ) throws(Failure) -> String {
    guard let name = option.value else {
      guard attached == nil else { throw .usage("'\(option.name)' takes no value") }
      return ""
    }
    // A word that looks like an option is treated as one. To pass it as a value, use '='.
    if attached == nil, rest.first?.hasPrefix("--") == true {
      throw .usage("'\(option.name)' requires a value: \(name)")
    }
    guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
      throw .usage("'\(option.name)' requires a value: \(name)")
    }
    return value
  }

  /// Returns whether an option was given.
  package func has(_ name: String) -> Bool { values[name] != nil }

  /// Returns the value of an option that may be given once.
  package func value(of name: String) -> String? { values[name]?.first }

  /// Returns the values of an option, in the order given.
  package func values(of name: String) -> [String] { values[name] ?? [] }

  /// Returns the value of an option with a fixed set of values.
  package func choice<Word: RawRepresentable<String> & CaseIterable>(of name: String) throws(Failure) -> Word? {
    guard let value = value(of: name) else { return nil }
    if let word = Word(rawValue: value) { return word }
    let words = Word.allCases.map(\.rawValue)
    let quoted = words.map { "'\($0)'" }
    let listed = quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
    throw .usage(
      "'\(name)' expects \(listed), found '\(value)'",
      suggestion: Suggestion.nearest(to: value, among: words))
  }

  /// Returns the value of an option that is a number of at least 1.
  package func number(of name: String) throws(Failure) -> Int? {
    guard let value = value(of: name) else { return nil }
    guard let number = Int(value), number > 0 else {
      throw .usage("'\(name)' expects a positive integer, found '\(value)'")
    }
    return number
  }
}
