import Graft

/// A reserved word in the key paths of properties.
struct KeyPathWord {
  let text: String
  let summary: String

  /// Returns the words that are legal at a level of a model file.
  static func legal(at level: ModelFileLevel) -> [KeyPathWord] {
    switch level {
    case .attribute: [key, value, index] + outside
    case .relationship: [value] + outside
    default: []
    }
  }

  /// Returns the word at the beginning of a key path, or nil if there is none.
  static func first(of path: String, at level: ModelFileLevel) -> KeyPathWord? {
    legal(at: level).first { $0.text.hasSuffix(".") ? path.hasPrefix($0.text) : path == $0.text }
  }

  private static let key = KeyPathWord(text: "@key", summary: "The key under which the object appears.")
  private static let value = KeyPathWord(
    text: "@value",
    summary: "The element itself: any value but an object, or an object in which no key is mapped; for a to-one, the "
      + "same dictionary.")
  private static let index = KeyPathWord(text: "@index", summary: "The position of the object in its array, from 0.")
  private static let outside = [
    KeyPathWord(text: "@parent.", summary: "A value of the object that contains this one in the payload."),
    KeyPathWord(text: "@root.", summary: "A value of the whole document."),
  ]
}
