import Foundation
import Graft
import GraftTools

/// Parses the arguments of `graft import`.
extension ImportCommand {
  /// `Hero=heroes.json`: an entity and a file.
  /// `Album(9).photos=p.json`: the value of a relationship of an object (I24). nil if it is something else.
  private static func parent(_ word: String) -> (payload: Payload, keyPath: String?)? {
    guard
      let match = word.wholeMatch(of: /([^()=@]+)\((.*)\)\.([^=@]+?)(?:@([^=]*))?=(.+)/),
      !match.1.isEmpty
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

  /// `Hero=heroes.json`, or `Hero@data.heroes=all.json` with its own key path.
  ///
  /// - Parameter keyPaths: the key path of all others, or one for each of them.
  static func payloads(_ words: [String], keyPaths: [String]) throws(Failure) -> [Payload] {
    var payloads: [Payload] = []
    var others: [Int] = []
    for word in words {
      if let (payload, path) = parent(word) {
        payloads.append(payload)
        if let path {
          payloads[payloads.count - 1].keyPath = try keyPath(path)
        } else {
          others.append(payloads.count - 1)
        }
        continue
      }
      let assignment = try assignments([word], of: "ENTITY=PAYLOAD", such: "Hero=heroes.json")[0]
      let parts = assignment.entityName.parts(between: "@", most: 1)
      payloads.append(Payload(entityName: parts[0], path: assignment.path))
      if parts.count == 2 {
        payloads[payloads.count - 1].keyPath = try keyPath(parts[1])
      } else {
        others.append(payloads.count - 1)
      }
    }
    if others.isEmpty, !keyPaths.isEmpty, !payloads.isEmpty {
      throw .usage("'--at' applies to no payload: each has its own key path")
    }
    for (index, path) in zip(others, try self.keyPaths(keyPaths, others.count)) { payloads[index].keyPath = path }
    return payloads
  }

  /// One key path for all payloads, or one for each, in order.
  static func keyPaths(_ words: [String], _ payloadCount: Int) throws(Failure) -> [JSONKeyPath?] {
    guard [0, 1, payloadCount].contains(words.count) else {
      throw .usage(
        "'--at' is given \(words.count) times for \(counted(payloadCount, "payload")); expected once, or once for each")
    }
    var paths: [JSONKeyPath?] = []
    for word in words { paths.append(try keyPath(word)) }
    return paths.count == payloadCount ? paths : Array(repeating: paths.first ?? nil, count: payloadCount)
  }

  /// `data.items`, or `["a.b", "items"]` if a key contains a dot, or `.` for the whole document.
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
