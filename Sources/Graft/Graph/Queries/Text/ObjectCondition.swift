#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A condition on objects, written as text. It serves entities without a class, and conditions known only at run time.
///
///     let city = "Gotham"
///     let heroes = try context.fetch(ofEntity: "Hero", where: "team.city = \(city) and age > 30", limit: 20)
///
/// | Kind | Text |
/// |---|---|
/// | Logic | `and`, `or`, `not`, parentheses |
/// | Comparisons | `=`, `!=`, `<`, `<=`, `>`, `>=`, `in (...)`, `not in (...)`, `is null`, `is not null`; a boolean may stand alone |
/// | Text | `contains`, `beginsWith`; with `[c]`, `[d]` or `[cd]`, also `=` and `!=`, without regard to case and accents |
/// | To-one relationships | `team.city = "Gotham"`, `team = "Outsiders"` (its identifier), `team is null` |
/// | To-many relationships | `powers.count > 2`, `some powers (level > 3)`, `every powers (level > 3)` |
///
/// Values are written as in JSON, and strings have double or single quotes. A name that is also a keyword, such as `not`, must be
/// in backquotes. An interpolated value cannot change the meaning of the condition: strings are quoted, an array becomes the list
/// of an `in`, and nil becomes `null`. Do not write quotes around an interpolated value; such a condition is refused. To choose a property
/// at run time, interpolate its name: `"\(property: name) > 30"`. A condition is interpolated as if it were in parentheses:
/// `"\(isActive) and not \(isNew)"`.
///
/// A condition has the same meaning as a predicate with the same comparisons: see <doc:Queries>.
public struct ObjectCondition: Sendable, Hashable {
  let text: String
  /// The offset of a value that was interpolated between quotes. Such a value could end the quoted string, and the rest of the value
  /// would become part of the condition.
  fileprivate(set) var quotedValue: Int?

  /// Creates a condition from text, such as text that a user typed. Errors are found when the condition is used.
  public init(_ text: String) { self.text = text }
}

extension ObjectCondition: CustomStringConvertible {
  /// The whole text, with the interpolated values.
  public var description: String { text }
}

extension ObjectCondition: ExpressibleByStringInterpolation {
  /// Creates a condition from a literal.
  public init(stringLiteral value: String) { self.init(value) }

  /// Creates a condition from a literal with interpolated values.
  public init(stringInterpolation: StringInterpolation) {
    var condition = ObjectCondition(stringInterpolation.text)
    condition.quotedValue = stringInterpolation.quotedValue
    self = stringInterpolation.fault ?? condition
  }

  /// Collects the parts of a literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    /// An interpolated condition that itself has an error. Even in parentheses, the condition could change the meaning of the other parts.
    fileprivate var fault: ObjectCondition?
    fileprivate var quotedValue: Int?
    /// The quote that the literal parts have opened but not closed, and whether a backslash precedes the next character.
    private var quote: UInt8?
    private var isEscaped = false

    /// Creates an empty condition.
    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    /// Adds text of the condition itself.
    public mutating func appendLiteral(_ literal: String) {
      text += literal
      for byte in literal.utf8 {
        if isEscaped {
          isEscaped = false
        } else if let open = quote {
          if byte == open { quote = nil } else { isEscaped = byte == UInt8(ascii: "\\") }
        } else if "\"'`".utf8.contains(byte) {
          quote = byte
        }
      }
    }

    private mutating func append(_ part: String) {
      if quote != nil, quotedValue == nil { quotedValue = text.utf8.count }
      text += part
    }

    /// Adds a value, or `null` for nil. The elements of an array are separated by commas, in parentheses.
    public mutating func appendInterpolation<Value: AttributeConvertible>(_ value: Value?) {
      append(value.map { ObjectCondition.text(of: $0.attributeValue) } ?? "null")
    }

    @available(
      *, unavailable, message: "compare the value that identifies the object: \"publisher = \\(publisher.id)\""
    )
    public mutating func appendInterpolation(_ object: ManagedObject?) {}

    /// Adds a condition, in parentheses. If its text has an error, using the whole condition throws that error.
    public mutating func appendInterpolation(_ condition: ObjectCondition) {
      append("(\(condition.text))")
      do throws(ConditionError) {
        _ = try ConditionParser.expression(of: ConditionText(condition))
      } catch {
        fault = fault ?? condition
      }
    }

    /// Adds the name of a property, or a path to a property: `team.city`.
    public mutating func appendInterpolation(property path: String) {
      append(
        path.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).map(ObjectCondition.quoted)
          .joined(separator: "."))
    }
  }

  /// Returns a value in the form that it has in the text of a condition. A value that JSON cannot represent becomes descriptive text, which
  /// cannot be compared with a number or date.
  private static func text(of value: AttributeValue) -> String {
    switch value {
    case .list(let values): list(values.map(text))
    case .json(.array(let values)): list(values.map { text(of: .json($0)) })
    case .json(let json): json.description
    case .date(let date) where date.microsecondsReadAsThis.count > 1: "\"\(text(ofDistant: date))\""
    default: (value.jsonValue.isNull ? .string(value.description) : value.jsonValue).description
    }
  }

  /// Writes nanoseconds, because a date with microseconds would be read as exact, and a distant `Date` is not exact.
  private static func text(ofDistant date: Date) -> String {
    let microseconds = date.microsecondsSince1970
    let fraction = (microseconds % 1_000_000 + 1_000_000) % 1_000_000
    let second = DateText.text(microseconds - fraction).dropLast()
    return "\(second).\(String(1_000_000 + fraction).dropFirst())000Z"
  }

  private static func list(_ texts: [String]) -> String { "(\(texts.joined(separator: ", ")))" }

  /// Escapes by scalars, because a combining mark forms one character with a quote before it.
  private static func quoted(_ name: Substring.UnicodeScalarView) -> String {
    let escaped = name.map { $0 == "\\" || $0 == "`" ? "\\\($0)" : "\($0)" }
    return "`\(escaped.joined())`"
  }
}
