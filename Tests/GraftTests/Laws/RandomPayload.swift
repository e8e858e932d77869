import Foundation
import Graft
import GraftTestSupport

/// Makes random payloads for a random model.
///
/// Identifiers come from a small pool, so payloads repeat themselves and go in circles; an identifier stands for an object of
/// the same entity wherever it occurs, most of the time.
struct RandomPayload {
  let model: RandomModel
  private static let poolSize = 6

  /// A payload of an entity's objects: most often an array.
  func make(_ entity: Int, _ random: inout SeededRandom) -> JSON {
    if random.chance(percent: 15) { return object(entity, depth: 0, &random) ?? .null }
    return .array((0..<1 + random.below(4)).map { _ in element(entity, depth: 0, &random) })
  }

  // MARK: Objects

  private func element(_ declared: Int, depth: Int, _ random: inout SeededRandom) -> JSON {
    if random.chance(percent: 5) { return .null }
    let makesObject = depth == 0 ? random.chance(percent: 90) : depth < 3 && random.chance(percent: 55)
    if makesObject, let object = object(declared, depth: depth, &random) { return object }
    return identifier(declared, &random) ?? .null
  }

  private func object(_ declared: Int, depth: Int, _ random: inout SeededRandom) -> JSON? {
    guard !model.choices(declared).isEmpty else { return nil }
    let number = random.below(Self.poolSize)
    guard let entity = entity(of: number, declared) ?? (random.chance(percent: 3) ? declared : nil) else { return nil }
    let members = Members()
    // The order of the model, in which dictionaries are read, whatever is left out.
    members.reserve(["kind"])
    for described in model.lineage(entity) {
      for attribute in described.attributes {
        if let path = attribute.path { members.reserve(path) }
        if let alias = attribute.alias { members.reserve([alias]) }
      }
      for path in described.relationships.compactMap(\.path) { members.reserve(path) }
    }
    let discriminator = model.discriminators[model.entities[entity].root]?[entity]
    if let discriminator, random.chance(percent: 97) { members.add(["kind"], Self.discriminator(discriminator)) }
    let identity = model.identity(entity)
    for described in model.lineage(entity) {
      for attribute in described.attributes {
        guard let path = attribute.path else { continue }
        if identity.contains(where: { $0.name == attribute.name }) {
          members.add(path, Self.identityValue(attribute, number))
          continue
        }
        let isRequired = !attribute.isOptional && !attribute.hasDefault
        if !random.chance(percent: isRequired ? 90 : 60) { continue }
        let isNull = random.chance(percent: attribute.isOptional ? 15 : 1)
        let value = isNull ? .null : Self.value(attribute, &random)
        if let alias = attribute.alias, random.chance(percent: 50) {
          members.add([alias], value)
        } else {
          members.add(path, value)
        }
      }
      for relationship in described.relationships {
        guard let path = relationship.path else { continue }
        if !random.chance(percent: relationship.isOptional ? 55 : 90) { continue }
        if random.chance(percent: relationship.isOptional ? 12 : 1) {
          members.add(path, .null)
        } else if relationship.isToMany {
          let count = random.below(4) + (relationship.isOptional ? 0 : 1)
          members.add(
            path,
            .array((0..<count).map { _ in element(relationship.destination, depth: depth + 1, &random) }))
        } else {
          members.add(path, element(relationship.destination, depth: depth + 1, &random))
        }
      }
    }
    return members.json
  }

  private func identifier(_ declared: Int, _ random: inout SeededRandom) -> JSON? {
    let identity = model.identity(declared)
    guard !identity.isEmpty else { return nil }
    let number = random.below(Self.poolSize)
    let isKnown = model.entities[declared].isAbstract || entity(of: number, declared) != nil
    guard isKnown || random.chance(percent: 3) else { return nil }
    let values = identity.map { Self.identityValue($0, number) }
    return values.count == 1 ? values[0] : .array(values)
  }

  /// The entity of the object with an identity; nil where a relationship to `declared` cannot hold it.
  private func entity(of number: Int, _ declared: Int) -> Int? {
    let root = model.entities[declared].root
    let hierarchy = model.entities.indices.filter { model.entities[$0].root == root && !model.entities[$0].isAbstract }
    let entity = hierarchy[number % hierarchy.count]
    return model.choices(declared).contains(entity) ? entity : nil
  }

  private static func discriminator(_ text: String) -> JSON { JSONNumber(text).map { .number($0) } ?? .string(text) }

  // MARK: Values

  private static func identityValue(_ attribute: RandomModel.Attribute, _ number: Int) -> JSON {
    switch attribute.type {
    case .string: return .string(["é", "e\u{301}", "", "a\"\\\n", "x", "Ω/1"][number])
    case .uuid: return .string("123e4567-e89b-12d3-a456-42661417400\(number)")
    case .decimal:
      let text = ["1.5", "-2", "0", "12345678901234567890.123", "7", "0.001"][number]
      return attribute.transformer == nil ? .number(JSONNumber(text)!) : .string(text)
    case .date: return .string("20\(10 + number)-01-02T03:04:05Z")
    case .double: return .number(JSONNumber(Double(number) / 4)!)
    default:
      return attribute.transformer == "StringToInteger" ? .string("\(number)") : .number(JSONNumber(number))
    }
  }

  static func value(_ attribute: RandomModel.Attribute, _ random: inout SeededRandom) -> JSON {
    let number = random.below(4)
    switch attribute.transformer {
    case "StringToInteger", "StringToDecimal": return .string("\(number)")
    case "IntegerToBoolean": return .number(JSONNumber(number % 2))
    default: break
    }
    return switch attribute.type {
    case .integer16: .number(JSONNumber([0, -1, 32767, -32768][number]))
    case .integer32: .number(JSONNumber([0, -1, 2_147_483_647, 5][number]))
    case .integer64: .number(JSONNumber([0, -1, 1 << 60, 5][number]))
    case .float: .number(JSONNumber([Float(0.1), -2, 1e30, 0.5][number])!)
    case .double: .number(JSONNumber([0.1, -2, 1e300, .leastNonzeroMagnitude][number])!)
    case .decimal: .number(JSONNumber(["0.1", "-2", "12345678901234567890123456789.5", "7"][number])!)
    case .boolean: .boolean(number < 2)
    case .string: .string(["", "e\u{301}\u{0}", "a long text of more than thirty-two bytes, really", "\"q\""][number])
    case .date:
      .string(
        ["1969-12-31T23:59:59Z", "2014-08-31T00:29:15.000001Z", "2024-02-29T12:00:00Z", "1970-01-01T00:00:00Z"][number])
    case .binary: .string(["", "AA==", "Zm9v", "/+8="][number])
    case .uuid: .string("00000000-0000-0000-0000-00000000000\(number)")
    case .uri: .string(["https://a.b/é", "mailto:x@y", "https://a.b/c?d=e", "urn:x:1"][number])
    case .json: [.array([1, nil, "x"]), .object(["a": [:], "b": 1]), "text", false][number]
    }
  }

  /// A payload with something wrong somewhere, most of the time.
  static func damaged(_ payload: JSON, _ random: inout SeededRandom) -> JSON {
    var places = 0
    _ = rewrite(payload) { value in
      places += 1
      return value
    }
    let chosen = random.below(places)
    let bad = random.pick(
      ["wrong \u{1}", .number(JSONNumber("123456.5")!), .array([true]), .object(["x": 1]), true] as [JSON])
    var place = -1
    return rewrite(payload) { value in
      place += 1
      return place == chosen ? bad : value
    }
  }

  private static func rewrite(_ value: JSON, _ change: (JSON) -> JSON) -> JSON {
    switch change(value) {
    case .array(let elements): .array(elements.map { rewrite($0, change) })
    case .object(let object): .object(JSONObject(object.map { ($0.key, rewrite($0.value, change)) }))
    case let other: other
    }
  }

  /// The payload as JSONSerialization would give it, made without the library.
  static func foundation(_ value: JSON) -> Any {
    switch value {
    case .null: NSNull()
    case .boolean(let value): value
    case .number(let number):
      number.int64.map { Int($0) } ?? number.decimal.map { NSDecimalNumber(decimal: $0) } ?? number.double ?? 0
    case .string(let text): text
    case .array(let elements): elements.map(foundation)
    case .object(let object): Dictionary(uniqueKeysWithValues: object.map { ($0.key, foundation($0.value)) })
    }
  }
}

/// Members of an object at key paths, in the order in which places were kept for them.
private struct Members {
  private final class Node {
    let key: String
    var value: JSON?
    var inner: [Node] = []

    init(_ key: String) { self.key = key }

    func child(_ key: String) -> Node {
      if let known = inner.first(where: { $0.key == key }) { return known }
      inner.append(Node(key))
      return inner[inner.count - 1]
    }

    /// What stands here; nil where nothing does.
    var json: JSON? {
      if let value { return value }
      let members = inner.compactMap { node in node.json.map { (key: node.key, value: $0) } }
      return members.isEmpty ? nil : .object(JSONObject(members))
    }
  }

  private let root = Node("")

  func reserve(_ path: [String]) { _ = path.reduce(root) { $0.child($1) } }

  func add(_ path: [String], _ value: JSON) { path.reduce(root) { $0.child($1) }.value = value }

  var json: JSON { root.json ?? [:] }
}
