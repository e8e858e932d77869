import Foundation
import Graft
import GraftTools

/// Parses the arguments of `graft import`.
extension ImportCommand {
  /// Reads `Album(9).photos=p.json`, the value of a relationship of an object (I24), as opposed to `Hero=heroes.json`, an entity
  /// and a file. Returns nil if the word is something else.
  private static func parent(_ word: String) -> (payload: Payload, keyPath: String?)? {
    // In quotes, an identity may contain what ends it elsewhere.
    let quoted = /([^()=@]+)\(((?:"(?:[^"\\]|\\.)*"|[^"])*?)\)\.([^()=@]+)(?:@([^=]*))?=(.+)/.dotMatchesNewlines()
    let plain = /([^()=@]+)\((.*?)\)\.([^()=@]+)(?:@([^=]*))?=(.+)/.dotMatchesNewlines()
    guard let match = word.wholeMatch(of: quoted) ?? word.wholeMatch(of: plain), !match.1.isEmpty
    else { return nil }
    var payload = Payload(entityName: String(match.1), path: String(match.5))
    payload.parent = Parent(identity: String(match.2), relationshipName: String(match.3))
    return (payload, match.4.map(String.init))
  }

  static func assignments(_ words: [String], of form: String, such example: String) throws(Failure) -> [Assignment] {
    var assignments: [Assignment] = []
    for word in words {
      let parts = word.parts(between: "=", most: 1)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw .usage("expected \(form), such as '\(example)', found '\(word)'")
      }
      assignments.append(Assignment(entityName: parts[0], path: parts[1]))
    }
    return assignments
  }

  /// Reads `Hero=heroes.json`, or `Hero@data.heroes=all.json` with its own key path.
  ///
  /// - Parameter keyPaths: the key path of all other payloads, or one for each of them.
  static func payloads(_ words: [String], keyPaths: [String]) throws(Failure) -> [Payload] {
    var payloads: [Payload] = []
    var others: [Int] = []
    for word in words {
      if let (payload, path) = parent(word) {
        payloads.append(payload)
        if let path {
          try place(&payloads[payloads.count - 1], at: path)
        } else {
          others.append(payloads.count - 1)
        }
        continue
      }
      let assignment = try assignments([word], of: "ENTITY=PAYLOAD", such: "Hero=heroes.json")[0]
      let parts = assignment.entityName.parts(between: "@", most: 1)
      payloads.append(Payload(entityName: parts[0], path: assignment.path))
      if parts.count == 2 {
        try place(&payloads[payloads.count - 1], at: parts[1])
      } else {
        others.append(payloads.count - 1)
      }
    }
    if others.isEmpty, !keyPaths.isEmpty, !payloads.isEmpty {
      throw .usage("'--at' applies to no payload: each has its own key path")
    }
    for (index, word) in zip(others, try each(keyPaths, others.count)) {
      if let word { try place(&payloads[index], at: word) }
    }
    return payloads
  }

  /// Returns one key path for all payloads, or one for each, in order.
  static func keyPaths(_ words: [String], _ payloadCount: Int) throws(Failure) -> [JSONKeyPath?] {
    var paths: [JSONKeyPath?] = []
    for word in try each(words, payloadCount) {
      guard let word else {
        paths.append(nil)
        continue
      }
      // A sample contains every part that a model is inferred from, so a question mark has no meaning here.
      paths.append(try keyPath(word.hasSuffix("?") ? String(word.dropLast()) : word))
    }
    return paths
  }

  private static func each(_ words: [String], _ payloadCount: Int) throws(Failure) -> [String?] {
    guard [0, 1, payloadCount].contains(words.count) else {
      throw .usage(
        "'--at' is given \(words.count) times for \(counted(payloadCount, "payload")); expected once, or once for each")
    }
    return words.count == payloadCount ? words : Array(repeating: words.first, count: payloadCount)
  }

  /// Gives a payload a key path: `data.items`, or `included?` if some documents do not have it.
  private static func place(_ payload: inout Payload, at word: String) throws(Failure) {
    payload.isRequired = !word.hasSuffix("?")
    payload.keyPath = try keyPath(payload.isRequired ? word : String(word.dropLast()))
    guard payload.isRequired || payload.keyPath != nil else {
      throw .usage("'.' is the whole document, which is always there: remove the '?'")
    }
  }

  /// Reads a key path: `data.items`, or `["a.b", "items"]` if a key contains a dot, or `.` for the whole document.
  private static func keyPath(_ word: String) throws(Failure) -> JSONKeyPath? {
    if word == "." { return nil }
    if word.hasPrefix("[") {
      guard let keys = keys(word) else { throw .usage("'\(word)' is not a key path: it is not an array of strings") }
      return JSONKeyPath(keys: keys)
    }
    guard let path = JSONKeyPath(word) else { throw .usage("'\(word)' is not a key path: it has an empty key") }
    return path
  }

  private static func keys(_ word: String) -> [String]? {
    let keys = try? JSONDecoder().decode([String].self, from: Data(word.utf8))
    return keys?.isEmpty == false ? keys : nil
  }
}
