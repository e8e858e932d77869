import Foundation
import Graft

/// Compares a document with the export of the same document after an import with its inferred model.
///
/// These differences cannot be avoided, and are not reported:
/// - null and absence are the same in the graph;
/// - an object that several places mention is exported with all of its members at each of them;
/// - an object that is already being written further up, or is known only by its identifier, is written as its identifier;
/// - if two mentions of one object contradict each other, the later one wins;
/// - dates are written in UTC;
/// - imports skip null elements of lists of objects.
struct Coverage {
  /// The values of each member of each identified object, under keys such as `"7 name"`.
  private var mentions: [String: Set<String>] = [:]
  private(set) var differences: [String] = []
  /// The number of values that were compared.
  private(set) var count = 0

  init(of document: JSON) { note(document) }

  private mutating func note(_ value: JSON) {
    for element in value.arrayValue ?? [] { note(element) }
    guard let object = value.objectValue else { return }
    for member in object {
      note(member.value)
      if let id = object["id"] ?? object["sha"] {
        mentions["\(id) \(member.key)", default: []].insert(member.value.description)
      }
    }
  }

  mutating func compare(_ wanted: JSON, _ found: JSON?, _ path: String = "$", id: JSON? = nil, key: String = "") {
    count += 1
    switch (wanted, found) {
    case (.null, _): return
    case (.object(let object), .object(let other)?):
      for member in object {
        compare(
          member.value, other[member.key], "\(path).\(member.key)", id: object["id"] ?? object["sha"], key: member.key)
      }
    case (.object(let object), let identifier?) where object.contains(where: { $0.value == identifier }): return
    case (.object(let object), .array(let parts)?)
    where parts.allSatisfy { part in object.contains { $0.value == part } }:
      return
    case (.object(let object), nil) where object.isEmpty: return
    case (.array(let elements), .array(let others)?) where elements.count { !$0.isNull } == others.count:
      for (index, pair) in zip(elements.filter { !$0.isNull }, others).enumerated() {
        compare(pair.0, pair.1, "\(path)[\(index)]")
      }
    case (.string(let text), .string(let other)?) where text != other && instant(text) == instant(other): return
    case (_, let found?) where found == wanted: return
    default:
      if let id, let found, mentions["\(id) \(key)"]?.contains(found.description) == true { return }
      differences.append(
        "\(path): \(String(wanted.description.prefix(80))) became \(String((found?.description ?? "nothing").prefix(80)))"
      )
    }
  }

  /// Returns the moment of a date in one of the documents' formats, so dates with different offsets from UTC can be equal.
  private func instant(_ text: String) -> Date? {
    if let value = try? AttributeValue(json: .string(text), type: .date), case .date(let date) = value { return date }
    return nil
  }
}
