/// The members of an object in a model file, while the object is being built. Values that are nil, false or empty are omitted.
struct ModelFileMembers {
  private var members: [JSONObject.Member] = []

  init() {}

  var isEmpty: Bool { members.isEmpty }

  /// The object. Equal keys are kept, so that the checks find them.
  var json: JSON { .object(JSONObject(uncheckedMembers: members)) }

  mutating func add(_ key: ModelFileKey, _ value: JSON) { members.append((key.rawValue, value)) }

  mutating func add(_ key: ModelFileKey, _ value: String?) { if let value { add(key, .string(value)) } }

  /// Adds strings. A single string is written by itself.
  mutating func add(_ key: ModelFileKey, _ values: [String]) {
    if values.isEmpty { return }
    add(key, values.count == 1 ? .string(values[0]) : .array(values.map(JSON.string)))
  }

  mutating func add(_ key: ModelFileKey, _ value: Int?) { if let value { add(key, .number(JSONNumber(value))) } }

  mutating func add(_ key: ModelFileKey, _ value: Bool, unless default: Bool) {
    if value != `default` { add(key, .boolean(value)) }
  }

  mutating func add<Word: RawRepresentable<String>>(_ key: ModelFileKey, _ value: Word, unless default: Word) {
    if value.rawValue != `default`.rawValue { add(key, .string(value.rawValue)) }
  }

  mutating func add(_ key: ModelFileKey, _ info: [String: JSON]) {
    guard !info.isEmpty else { return }
    add(key, names: info.sorted { UTF8Key.precedes($0.key, $1.key) }.map { ($0.key, $0.value) })
  }

  mutating func add(_ key: ModelFileKey, names: [(name: String, value: JSON)]) {
    add(key, .object(JSONObject(uncheckedMembers: names.map { (key: $0.name, value: $0.value) })))
  }

  /// Adds `JSONKeyPath` and its aliases, unless the strategy produces the same path (M7).
  mutating func add(
    _ path: JSONKeyPath?, _ aliases: [JSONKeyPath], of property: String, _ strategy: ModelDescription.KeyStrategy
  ) {
    if path != strategy.keyPath(ofProperty: property) { add(.JSONKeyPath, path?.modelFileForm ?? .null) }
    if !aliases.isEmpty { add(.JSONKeyPathAliases, .array(aliases.map(\.modelFileForm))) }
  }
}

extension JSONKeyPath {
  /// The path as dot-separated keys, or as an array of keys if text would mean something else.
  var modelFileForm: JSON {
    let isPlain = keys.enumerated().allSatisfy { index, key in
      !key.isEmpty && !key.utf8.contains { ".[]".utf8.contains($0) }
        && !(key.utf8.first.map { "@$/#".utf8.contains($0) } ?? true)
        // Text that looks like the syntax of another language would cause a warning.
        && (index == 0 || !key.utf8.allSatisfy { (0x30...0x39).contains($0) })
    }
    return isLiteral && !isPlain ? .array(keys.map(JSON.string)) : .string(keys.joined(separator: "."))
  }
}
