/// Regular expressions for the strings in a model file, each with the message that an editor shows if a string does not match.
///
/// The expressions use the ECMA-262 syntax of JSON Schema. They never reject a string that the checks accept, but do accept
/// faults that an expression cannot detect, such as invisible Unicode characters.
struct ModelFilePattern {
  /// The expression.
  let expression: String
  /// The expected string, for the message.
  let message: String

  /// The keywords for this pattern in the schema.
  var members: [JSONObject.Member] {
    [("pattern", .string(expression)), ("patternErrorMessage", .string(message))]
  }
}

extension ModelFilePattern {
  /// The name of an entity. See ``NameRules``.
  static let entityName = name(
    except: "()#=,", "An entity name must not be empty, begin or end with a space, or contain any of ( ) # = ,")

  /// The name of a property. See ``NameRules``.
  static let propertyName = name(
    except: ",", "A property name must not be empty, begin or end with a space, or contain a comma")

  /// The name of a Swift type.
  static let className: ModelFilePattern = {
    let words = NameRules.reservedWords.sorted().joined(separator: "|")
    let noOther = #"\u0000-\u002F\u003A-\u0040\u005B-\u005E\u0060\u007B-\u007F"#
    let noStart = #"\u0000-\u0040\u005B-\u005E\u0060\u007B-\u007F"#
    return ModelFilePattern(
      expression: "^(?!(?:_|\(words))$)[^\(noStart)][^\(noOther)]*$",
      message:
        "A class name must be a Swift type name: letters, digits and _, not starting with a digit, and not a reserved word"
    )
  }()

  /// One or more names, separated by commas and spaces.
  static let names = ModelFilePattern(
    expression: #"[^, \t\n]"#, message: "List at least one identity attribute; separate names with commas")

  /// Returns the pattern of a key path in one string, at a level.
  static func keyPath(at level: ModelFileLevel) -> ModelFilePattern {
    let words = ModelFilePattern.keyWords(at: level)
    // Any key except '@key', '@value', '@index', '@parent' and '@root'. These words are excluded only if a dot or the end follows.
    let key = #"(?!@(?:key|value|index|parent|root)(?![^.]))[^.]+"#
    let keys = #"\#(key)(?:\.\#(key))*"#
    guard !words.isEmpty else {
      return ModelFilePattern(
        expression: "^\(keys)$",
        message:
          "A key path is a list of keys separated by dots. No key is empty, or one of @key, @value, @index, @parent and @root. "
          + "Write the empty key as [\"\"]")
    }
    let outside = #"(?:@(?:parent|root)\.)?"#
    return ModelFilePattern(
      expression: "^(?:\(words.joined(separator: "|"))|\(outside)\(keys))$",
      message:
        "A key path is a list of keys separated by dots, none of them empty; or \(words.joined(separator: " or ")) alone; or @parent or "
        + "@root followed by other keys. Write the empty key as [\"\"]")
  }

  /// Returns the special key paths at a level (M11, M12).
  private static func keyWords(at level: ModelFileLevel) -> [String] {
    switch level {
    case .attribute: ["@key", "@value", "@index"]
    case .relationship: ["@value"]
    default: []
    }
  }

  /// A value transformer. Rejects a string that begins like a transformer with parentheses but is not one.
  static let transformerName = ModelFilePattern(
    expression: #"^(?!(?:DateFormat|Split)(?!\([\s\S]*\)$))"#,
    message: "Write the date pattern or the separator in parentheses: DateFormat(yyyy-MM-dd), Split(,)")

  /// Returns the pattern of the value transformers that return a type, including the transformers that a program registers.
  static func transformerName(giving type: AttributeType) -> ModelFilePattern? {
    var others = BuiltInTransformer.plain.filter { !$0.attributeTypes.contains(type) }.map { "\($0.name)$" }
    let own = BuiltInTransformer.plain.filter { $0.attributeTypes.contains(type) }.map(\.name)
    if !BuiltInTransformer.dateFormat("").attributeTypes.contains(type) { others.append(#"DateFormat\("#) }
    guard !others.isEmpty else { return nil }
    let fitting = own.isEmpty ? "none of the built-in ones" : own.joined(separator: ", ")
    return ModelFilePattern(
      expression: "^(?!\(others.joined(separator: "|")))",
      message: "This transformer does not produce type '\(type.rawValue)'; transformers that do: \(fitting)")
  }

  /// Returns the pattern of the string for a value of a type, or nil if any string, or no string, is allowed.
  static func text(of type: AttributeType) -> ModelFilePattern? {
    guard let expression = type.textExpression else { return nil }
    let message =
      switch type {
      case .date: "A date must be RFC 3339 text, such as 2014-08-31T00:29:15Z"
      case .binary: "Binary data must be base64, with padding and without spaces"
      case .uuid: "A UUID must have 8-4-4-4-12 hexadecimal digits"
      default: "A URI must not be empty, or contain spaces or control characters"
      }
    return ModelFilePattern(expression: "^\(expression)$", message: message)
  }

  private static func name(except characters: String, _ message: String) -> ModelFilePattern {
    let edge = #"[^\u0000-\u0020\u007F\#(characters)]"#
    let middle = #"[^\u0000-\u001F\u007F\#(characters)]"#
    return ModelFilePattern(expression: "^\(edge)(?:\(middle)*\(edge))?$", message: message)
  }
}
