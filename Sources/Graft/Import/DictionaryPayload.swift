import Foundation

/// Turns dictionaries, as JSONSerialization gives them, into the text that the importer reads: so every way in gives the same
/// graph and the same errors (I1).
///
/// Members that the plan maps come in model order, since dictionaries have none of their own (I7); the others follow, sorted,
/// only where somebody looks at them: a closure, a mapper, or the wish to hear of unknown keys. Which sub-entity an object
/// will be is not known here for certain, so the keys of all that it may be have their places.
struct DictionaryPayload {
  private let plan: Plan
  private(set) var bytes: [UInt8] = []
  private(set) var faults: [ImportFault] = []

  static func text(
    of payload: Any, _ entity: EntityPlan, _ plan: Plan, at path: JSONKeyPath?, _ options: ImportOptions
  ) -> DictionaryPayload {
    var text = DictionaryPayload(plan: plan)
    text.bytes.reserveCapacity(1 << 12)
    text.append(
      payload, .objects(entity.index, keepsAll: options.unknownKeys != .ignore), under: path?.keys ?? [])
    return text
  }

  /// The text of what a dictionary transformer made of an object.
  static func text(ofTransformed dictionary: [String: Any], _ entity: EntityPlan, _ plan: Plan) -> [UInt8] {
    var text = DictionaryPayload(plan: plan)
    text.write(dictionary, .objects(entity.index, keepsAll: true))
    return text.bytes
  }

  private init(plan: Plan) { self.plan = plan }

  /// What is expected of a value.
  private enum Expected {
    case value
    /// Objects of an entity; with all their members, or only with those that the plan maps.
    case objects(Int, keepsAll: Bool)
    /// The inner object of key paths, with the keys of each of these groups.
    case group([Int], keepsAll: Bool)
  }

  /// What is being written, in place of recursion.
  private struct Level {
    var isObject: Bool
    var isFirst = true
    var members: [(key: String, value: Any, expected: Expected)]
    var next = 0
  }

  /// Writes the way of `at:` through dictionaries as far as it leads, without the members beside it, and then the payload.
  private mutating func append(_ payload: Any, _ expected: Expected, under keys: [String]) {
    var inner = payload
    var depth = 0
    for key in keys {
      guard let dictionary = inner as? [String: Any], let next = dictionary[key] else { break }
      bytes.append(UInt8(ascii: "{"))
      JSONWriter.append(key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      inner = next
      depth += 1
    }
    write(inner, depth == keys.count ? expected : .value)
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "}"), count: depth))
  }

  private mutating func write(_ value: Any, _ expected: Expected) {
    var levels: [Level] = []
    var value = value
    var expected = expected
    while true {
      if let level = open(value, expected) {
        levels.append(level)
        bytes.append(level.isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
      }
      // The next member of the innermost container; containers that end are closed.
      var hasNext = false
      while let last = levels.indices.last {
        if levels[last].next == levels[last].members.count {
          bytes.append(levels[last].isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
          levels.removeLast()
          continue
        }
        let member = levels[last].members[levels[last].next]
        levels[last].next += 1
        if !levels[last].isFirst { bytes.append(UInt8(ascii: ",")) }
        levels[last].isFirst = false
        if levels[last].isObject {
          JSONWriter.append(member.key, to: &bytes)
          bytes.append(UInt8(ascii: ":"))
        }
        (value, expected) = (member.value, member.expected)
        hasNext = true
        break
      }
      if !hasNext { return }
    }
  }

  /// Writes a scalar, or says what a container holds.
  private mutating func open(_ value: Any, _ expected: Expected) -> Level? {
    // The commonest types by their identity, before a cast has to ask the runtime.
    let type = Swift.type(of: value)
    if type == String.self {
      JSONWriter.append(value as! String, to: &bytes)
      return nil
    }
    if type == Int.self {
      appendInteger(Int64(value as! Int))
      return nil
    }
    if type == Bool.self {
      bytes.append(contentsOf: (value as! Bool ? "true" : "false").utf8)
      return nil
    }
    if type == Double.self, (value as! Double).isFinite {
      DoubleText.append(value as! Double, to: &bytes)
      return nil
    }
    if let dictionary = value as? [String: Any] { return level(of: dictionary, expected) }
    if let array = value as? [Any] {
      let inner: Expected = if case .objects = expected { expected } else { .value }
      return Level(isObject: false, members: array.map { ("", $0, inner) })
    }
    if value is NSNull {
      bytes.append(contentsOf: "null".utf8)
      return nil
    }
    do throws(JSONConversionError) {
      JSONWriter().append(try JSON(foundation: value), to: &bytes)
    } catch {
      faults.append(ImportFault(offset: bytes.count, code: "no-json", message: error.message))
      bytes.append(contentsOf: "null".utf8)
    }
    return nil
  }

  private mutating func appendInteger(_ value: Int64) {
    bytes.append(contentsOf: String(value).utf8)
  }

  private func level(of dictionary: [String: Any], _ expected: Expected) -> Level {
    switch expected {
    case .value:
      return Level(isObject: true, members: sorted(dictionary).map { ($0.key, $0.value, .value) })
    case .objects(let destination, let keepsAll):
      let layout = plan.layouts[destination]
      // A collection keyed by its objects' keys.
      if layout.keyField >= 0, isCollection(dictionary, layout.group, plan.fields[layout.keyField].rank) {
        return Level(isObject: true, members: sorted(dictionary).map { ($0.key, $0.value, expected) })
      }
      // A closure or mapper wants to see the object whole.
      guard layout.needsPreparation else { return level(of: dictionary, [layout.group], keepsAll) }
      return level(of: dictionary, groups(of: destination, dictionary), true)
    case .group(let groups, let keepsAll):
      return level(of: dictionary, groups, keepsAll)
    }
  }

  /// The groups of keys that an object may have: those of the entity that its mapper's key says, of the declared one, and
  /// of its sub-entities.
  private func groups(of declared: Int, _ dictionary: [String: Any]) -> [Int] {
    let entity = plan.entities[declared]
    var entities = entity.concreteAndSubentities
    if case .table(let path, let table) = entity.mapper, let chosen = table[discriminator(dictionary, path)] {
      entities = [chosen] + entities
    }
    return entities.map { plan.layouts[$0].group }
  }

  private func discriminator(_ dictionary: [String: Any], _ path: JSONKeyPath) -> String {
    var value: Any? = dictionary
    for key in path.keys { value = (value as? [String: Any])?[key] }
    guard let value, let json = try? JSON(foundation: value) else { return "" }
    return json.stringValue ?? json.description
  }

  private func level(of dictionary: [String: Any], _ groups: [Int], _ keepsAll: Bool) -> Level {
    var members: [(key: String, value: Any, expected: Expected)] = []
    members.reserveCapacity(dictionary.count)
    var known: Set<String> = []
    for (place, group) in groups.enumerated() {
      let group = plan.groups[group]
      for index in group.first..<group.first + group.count {
        let key = plan.keys[index]
        guard let value = dictionary[key] else { continue }
        if groups.count > 1, !known.insert(key).inserted { continue }
        members.append((key, value, expectation(key, plan.fields[index], groups[place...], keepsAll)))
      }
    }
    if keepsAll, members.count < dictionary.count {
      if groups.count == 1 { known = Set(members.map(\.key)) }
      members += sorted(dictionary).filter { !known.contains($0.key) }.map { ($0.key, $0.value, .value) }
    }
    return Level(isObject: true, members: members)
  }

  private func expectation(
    _ key: String, _ field: FieldPlan, _ groups: ArraySlice<Int>, _ keepsAll: Bool
  ) -> Expected {
    switch field.reading {
    case .toOne, .toMany: return .objects(field.destination, keepsAll: keepsAll)
    case .group:
      guard groups.count > 1 else { return .group([field.group], keepsAll: keepsAll) }
      let inner = groups.compactMap { number -> Int? in
        let group = plan.groups[number]
        let same = (group.first..<group.first + group.count).first {
          plan.fields[$0].reading == .group && plan.keys[$0].utf8.elementsEqual(key.utf8)
        }
        return same.map { plan.fields[$0].group }
      }
      return .group(inner, keepsAll: keepsAll)
    default: return .value
    }
  }

  private func isCollection(_ dictionary: [String: Any], _ group: Int, _ rank: Int) -> Bool {
    if rank == 0 { return true }
    let plan = plan.groups[group]
    return !(plan.first..<plan.first + plan.count).contains { dictionary[self.plan.keys[$0]] != nil }
  }

  private func sorted(_ dictionary: [String: Any]) -> [(key: String, value: Any)] {
    dictionary.sorted { UTF8Key.precedes($0.key, $1.key) }
  }
}
