/// A condition as written, before its names are resolved.
///
///     publisher.name = "DC" and not appearances < 10
///     and([ comparison(path, equal, literal), not(comparison(path, less, literal)) ])
indirect enum ConditionExpression {
  case all([ConditionExpression])
  case any([ConditionExpression])
  case not(ConditionExpression)
  /// A comparison, with the range of its operator and the differences that it ignores in strings.
  case comparison(Operand, Comparison, Operand, SourceRange, TextFolding = [])
  case isOne(Path, of: [Literal])
  /// A boolean attribute without a comparison.
  case isTrue(Path)
  /// At least one member of a to-many relationship, or every member, meets a condition.
  case members(Path, ConditionExpression, isEvery: Bool)

  enum Comparison: String {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains
    case beginsWith

    /// The comparison with its sides exchanged; nil if the sides cannot be exchanged.
    var exchanged: Comparison? {
      switch self {
      case .equal, .notEqual: self
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      case .contains, .beginsWith: nil
      }
    }
  }

  enum Operand {
    case path(Path)
    case literal(Literal)

    var range: SourceRange {
      switch self {
      case .path(let path): path.range
      case .literal(let literal): literal.range
      }
    }
  }

  /// The names on the path from an object to a value.
  struct Path {
    var names: [(text: String, range: SourceRange)]

    var range: SourceRange {
      let (first, last) = (names[0].range, names[names.count - 1].range)
      return SourceRange(offset: first.offset, length: last.offset + last.length - first.offset)
    }
  }

  struct Literal {
    var json: JSON
    var range: SourceRange
  }
}
