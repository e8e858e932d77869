package import Graft

/// The content of a model, one fact per line. Two models are equivalent if their facts are equal.
///
///     entities[0].attributes[1].isOptional: true
///
/// Locations in the file are not included. Properties are found by reflection, so new properties are included automatically.
package func facts(_ model: ModelDescription) -> [String] { facts(of: model, "") }

private func facts(of value: Any, _ path: String) -> [String] {
  switch value {
  case let value as JSON: return ["\(path): \(value)"]
  case let value as JSONKeyPath: return ["\(path): \(value)"]
  case let value as AttributeValue:
    return ["\(path): \(Mirror(reflecting: value).children.first?.label ?? "") \(value.jsonValue)"]
  case let info as [String: JSON]: return info.sorted { $0.key < $1.key }.map { "\(path)[\($0.key)]: \($0.value)" }
  default: break
  }
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .optional: return mirror.children.flatMap { facts(of: $0.value, path) }
  case .collection: return mirror.children.enumerated().flatMap { facts(of: $1.value, "\(path)[\($0)]") }
  case .struct:
    return mirror.children.filter { !["source", "removedSource", "nullsSource"].contains($0.label) }.flatMap {
      facts(of: $0.value, path.isEmpty ? $0.label ?? "" : "\(path).\($0.label ?? "")")
    }
  default: return ["\(path): \(value)"]
  }
}
