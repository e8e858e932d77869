import Foundation

/// Turns dictionaries, as JSONSerialization gives them, into the text that the importer reads: so every way in gives the same
/// graph and the same errors (I1).
///
/// Members that the plan maps come in model order, since dictionaries have none of their own (I7): those of the declared
/// entity, then those of its sub-entities. The others follow, sorted, only where somebody looks at them: a closure, a mapper,
/// or the wish to hear of unknown keys.
struct DictionaryPayload {
  private let plan: Plan
  private let needsAll: Bool
  private(set) var bytes: [UInt8] = []
  private(set) var faults: [ImportFault] = []

  static func text(
    of payload: Any, _ entity: EntityPlan, _ plan: Plan, at path: JSONKeyPath?, _ options: ImportOptions
  ) -> DictionaryPayload {
    var text = DictionaryPayload(plan: plan, needsAll: options.unknownKeys != .ignore)
    text.bytes.reserveCapacity(1 << 12)
    text.append(payload, .objects(entity.index), under: path?.keys ?? [])
    return text
  }

  /// The text of a dictionary transformer's result.
  static func text(ofObject dictionary: [String: Any], _ entity: EntityPlan, _ plan: Plan) -> [UInt8] {
    var text = DictionaryPayload(plan: plan, needsAll: true)
    text.write(dictionary, .object(entity.index))
    return text.bytes
  }

  private init(plan: Plan, needsAll: Bool) {
    self.plan = plan
    self.needsAll = needsAll
  }

  /// What is expected of a value.
  private enum Expected {
    case value
    case objects(Int)
    /// One object, where a collection by keys would be legal, too.
    case object(Int)
    case group(Int)
  }

  /// What is being written, in place of recursion.
  private struct Level {
    var isObject: Bool
    var isFirst = true
    var members: [(key: String, value: Any, expected: Expected)]
    var next = 0
    /// Somebody may look at everything below.
    var needsAll: Bool
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
      if let level = open(value, expected, needsAll: levels.last?.needsAll ?? needsAll) {
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
  private mutating func open(_ value: Any, _ expected: Expected, needsAll: Bool) -> Level? {
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
    if let dictionary = value as? [String: Any] { return level(of: dictionary, expected, needsAll) }
    if let array = value as? [Any] {
      let inner: Expected = if case .objects = expected { expected } else { .value }
      return Level(isObject: false, members: array.map { ("", $0, inner) }, needsAll: needsAll)
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

  private func level(of dictionary: [String: Any], _ expected: Expected, _ needsAll: Bool) -> Level {
    let group: Int
    var others: [Int] = []
    var needsAll = needsAll
    switch expected {
    case .value:
      return Level(
        isObject: true, members: sorted(dictionary).map { ($0.key, $0.value, .value) }, needsAll: needsAll)
    case .objects(let destination):
      // A collection keyed by its objects' keys.
      let layout = plan.layouts[destination]
      if layout.keyField >= 0, isCollection(dictionary, layout.group, plan.fields[layout.keyField].rank) {
        return Level(
          isObject: true, members: sorted(dictionary).map { ($0.key, $0.value, .object(destination)) },
          needsAll: needsAll)
      }
      group = layout.group
      if layout.needsPreparation { (others, needsAll) = (subentities(destination), true) }
    case .object(let destination):
      group = plan.layouts[destination].group
      if plan.layouts[destination].needsPreparation { (others, needsAll) = (subentities(destination), true) }
    case .group(let inner):
      group = inner
    }
    var members: [(key: String, value: Any, expected: Expected)] = []
    members.reserveCapacity(dictionary.count)
    appendMembers(of: group, dictionary, to: &members)
    if !others.isEmpty {
      for group in others { appendMembers(of: group, dictionary, to: &members) }
      // What sub-entities inherit was there already.
      var known = Set<UTF8Key>()
      members.removeAll { !known.insert(UTF8Key($0.key)).inserted }
    }
    if needsAll, members.count < dictionary.count {
      let known = Set(members.map(\.key))
      members += sorted(dictionary).filter { !known.contains($0.key) }.map { ($0.key, $0.value, .value) }
    }
    return Level(isObject: true, members: members, needsAll: needsAll)
  }

  /// The groups of an entity's sub-entities.
  private func subentities(_ entity: Int) -> [Int] {
    plan.entities[entity].concreteAndSubentities.filter { $0 != entity }.map { plan.layouts[$0].group }
  }

  private func appendMembers(
    of group: Int, _ dictionary: [String: Any], to members: inout [(key: String, value: Any, expected: Expected)]
  ) {
    let group = plan.groups[group]
    for index in group.first..<group.first + group.count {
      guard let value = dictionary[plan.keys[index]] else { continue }
      let field = plan.fields[index]
      let inner: Expected =
        switch field.reading {
        case .toOne: .object(field.destination)
        case .toMany: .objects(field.destination)
        case .group: .group(field.group)
        default: .value
        }
      members.append((plan.keys[index], value, inner))
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
