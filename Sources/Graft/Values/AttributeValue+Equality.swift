#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension AttributeValue: Hashable {
  public static func == (left: AttributeValue, right: AttributeValue) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left == right
    case (.float(let left), .float(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.decimal(let left), .decimal(let right)): DecimalText.canonical(left) == DecimalText.canonical(right)
    case (.boolean(let left), .boolean(let right)): left == right
    case (.string(let left), .string(let right)): UTF8Key(left) == UTF8Key(right)
    case (.date(let left), .date(let right)): left.microsecondsSince1970 == right.microsecondsSince1970
    case (.binary(let left), .binary(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.uri(let left), .uri(let right)): UTF8Key(left.absoluteString) == UTF8Key(right.absoluteString)
    case (.json(let left), .json(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .decimal(let value): hasher.combine(DecimalText.canonical(value))
    case .boolean(let value): hasher.combine(value)
    case .string(let value): hasher.combine(UTF8Key(value))
    case .date(let value): hasher.combine(value.microsecondsSince1970)
    case .binary(let value): hasher.combine(Array(value))
    case .uuid(let value): hasher.combine(value)
    case .uri(let value): hasher.combine(UTF8Key(value.absoluteString))
    case .json(let value): hasher.combine(value)
    case .list(let values): hasher.combine(values)
    }
  }
}
