import Graft

/// Describes a property's location in JSON.
enum PlaceWords {
  static func sentence(_ path: JSONKeyPath, _ aliases: [JSONKeyPath], _ direction: JSONDirection) -> String {
    let first = "In JSON it is \(words(path))."
    if direction == .export { return first + " Exports write it, and imports ignore it." }
    let omission = direction.isWritten(path) ? "" : " Exports omit it."
    guard !aliases.isEmpty else { return first + omission }
    let others = aliases.map(words).joined(separator: ", then ")
    let export = direction == .import ? "." : "; exports write only the first."
    return first + " If that is absent, it is read from \(others)" + export + omission
  }

  /// Returns a sentence about the key paths of the values of an identifier (M24).
  static func sentence(_ parts: [RelationshipDescription.IdentifierKeyPath]) -> String {
    let values = parts.map { "\($0.name == "@type" ? "the type" : "'\($0.name)'") at \(words($0.keyPath))" }
    return "In JSON each value of its identifier has a key: \(values.joined(separator: ", "))."
  }

  private static func words(_ path: JSONKeyPath) -> String {
    if path.isObjectKey { return "the key of the object ('@key')" }
    if path.isElementValue { return "the element itself ('@value')" }
    if path.isElementIndex { return "the position of the object in its array, from 0 ('@index')" }
    if let surroundings = path.surroundings {
      let place = surroundings == .parent ? "the object that contains this one" : "the whole document"
      return "\(words(JSONKeyPath(keys: Array(path.keys.dropFirst())))) in \(place) ('\(surroundings.rawValue)')"
    }
    if path.isThroughArrays {
      return path.segments.reversed().filter { !$0.isEmpty }.map { words(JSONKeyPath(keys: $0)) }
        .joined(separator: " in each element of ")
    }
    if path.keys.count == 1 { return JSON.string(path.keys[0]).description }
    return path.keys.reversed().map { JSON.string($0).description }.joined(separator: " in ")
  }
}

extension JSONDirection {
  /// Returns whether exports write a key path.
  fileprivate func isWritten(_ path: JSONKeyPath) -> Bool {
    self != .import && path.surroundings == nil && (!path.isThroughArrays || path.elementKey != nil)
  }
}
