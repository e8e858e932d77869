import Graft

/// Describes a property's location in JSON.
enum PlaceWords {
  static func sentence(_ path: JSONKeyPath, _ aliases: [JSONKeyPath], _ direction: JSONDirection) -> String {
    let first = "In JSON it is \(words(path))."
    if direction == .export { return first + " Exports write it, and imports ignore it." }
    let omission = direction == .import || path.surroundings != nil ? " Exports omit it." : ""
    guard !aliases.isEmpty else { return first + omission }
    let others = aliases.map(words).joined(separator: ", then ")
    let export = direction == .import ? "." : "; exports write only the first."
    return first + " If that is absent, it is read from \(others)" + export + omission
  }

  private static func words(_ path: JSONKeyPath) -> String {
    if path.isObjectKey { return "the key of the object ('@key')" }
    if path.isElementValue { return "the value under the object's key ('@value')" }
    if path.isElementIndex { return "the position of the object in its array, from 0 ('@index')" }
    if let surroundings = path.surroundings {
      let place = surroundings == .parent ? "the object that contains this one" : "the whole document"
      return "\(words(JSONKeyPath(keys: Array(path.keys.dropFirst())))) in \(place) ('\(surroundings.rawValue)')"
    }
    if path.keys.count == 1 { return JSON.string(path.keys[0]).description }
    return path.keys.reversed().map { JSON.string($0).description }.joined(separator: " in ")
  }
}
