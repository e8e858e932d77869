import Graft

/// Describes a property's location in JSON.
enum PlaceWords {
  static func sentence(_ path: JSONKeyPath, _ aliases: [JSONKeyPath]) -> String {
    let first = "In JSON it is \(words(path))."
    guard !aliases.isEmpty else { return first }
    let others = aliases.map(words).joined(separator: ", then ")
    return first + " Where that is absent, it is read from \(others); export writes the first only."
  }

  private static func words(_ path: JSONKeyPath) -> String {
    if path.isObjectKey { return "the key under which the object stands ('@key')" }
    if path.isElementValue { return "what stands under the object's key, where that is no object ('@value')" }
    if path.keys.count == 1 { return JSON.string(path.keys[0]).description }
    return path.keys.reversed().map { JSON.string($0).description }.joined(separator: " in ")
  }
}
