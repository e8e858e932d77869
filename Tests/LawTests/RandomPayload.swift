import Foundation
import Graft
import GraftTestSupport

/// Makes random payloads for a random model.
///
/// Identifiers come from a small pool, so payloads contain repeats and cycles. Most of the time, all occurrences of an identifier refer to
/// objects of the same entity.
struct RandomPayload {
  /// Whether strings never contain NUL.
  @TaskLocal static var avoidsNUL = false

  let model: RandomModel
  /// The usual maximum nesting depth of objects.
  var deepest = 3
  /// The number of identities in each hierarchy, which is at most 6.
  var poolSize = 6

  /// A payload of an entity's objects, usually an array.
  func make(_ entity: Int, _ random: inout SeededRandom) -> JSON {
    if model.isRich, random.chance(percent: 4) {
      return random.chance(percent: 50) ? .null : identifier(entity, &random) ?? 1
    }
    if let key = model.identity(entity).first(where: \.isKey), random.chance(percent: key.path == ["@key"] ? 85 : 40) {
      return collection(entity, key, depth: 0, &random)
    }
    if random.chance(percent: 15) { return object(entity, depth: 0, &random) ?? .null }
    let count = 1 + random.below(deepest < 3 ? 2 : 4)
    return .array((0..<count).map { _ in element(entity, depth: 0, &random) })
  }

  // MARK: Objects

  private func element(_ declared: Int, depth: Int, _ random: inout SeededRandom) -> JSON {
    if random.chance(percent: 5) { return .null }
    let makesObject = depth == 0 ? random.chance(percent: 90) : depth < deepest && random.chance(percent: 55)
    if makesObject, let object = object(declared, depth: depth, &random) { return object }
    return identifier(declared, &random) ?? .null
  }

  private func object(
    _ declared: Int, depth: Int, isOwned: Bool = false, _ random: inout SeededRandom
  ) -> JSON? {
    guard !model.choices(declared).isEmpty else { return nil }
    return object(
      declared, random.below(poolSize), depth: depth, isKeyed: false, isOwned: isOwned, &random)
  }

  /// Objects under their keys, in the order in which dictionaries are read.
  private func collection(
    _ declared: Int, _ key: RandomModel.Attribute, depth: Int, _ random: inout SeededRandom
  ) -> JSON {
    let numbers = Set((0..<random.below(4)).map { _ in random.below(poolSize) })
    let members = numbers.sorted().compactMap { number -> JSONObject.Member? in
      let identity = Self.identityValue(key, number)
      let text = random.chance(percent: 1) ? "nonsense" : identity.stringValue ?? identity.description
      if random.chance(percent: 5) { return (text, .null) }
      let value = model.lineage(declared).flatMap(\.attributes).first { $0.path == ["@value"] }
      if let value, !model.entities[declared].isAbstract, random.chance(percent: 40) {
        return (text, Self.value(value, &random))
      }
      guard depth <= deepest else { return nil }
      return object(declared, number, depth: depth, isKeyed: true, &random).map { (text, $0) }
    }
    let unique = members.enumerated().filter { index, member in !members[..<index].contains { $0.key == member.key } }
    return .object(
      JSONObject(unique.map(\.element).sorted { Array($0.key.utf8).lexicographicallyPrecedes($1.key.utf8) }))
  }

  private func object(
    _ declared: Int, _ number: Int, depth: Int, isKeyed: Bool, isOwned: Bool = false, _ random: inout SeededRandom
  ) -> JSON? {
    guard let entity = entity(of: number, declared) ?? (random.chance(percent: 3) ? declared : nil) else {
      return nil
    }
    let members = Members()
    // The model's order, in which dictionaries are read even if members are missing. Values that are not read have no position in this
    // order.
    members.reserve(["kind"])
    for described in model.lineage(entity) {
      for attribute in described.attributes where attribute.direction != "export" {
        if let path = attribute.path, path != ["@index"], RandomModel.outside(path) == nil { members.reserve(path) }
        if let alias = attribute.alias, RandomModel.outside(alias) == nil { members.reserve(alias) }
      }
      for relationship in described.relationships where relationship.direction != "export" {
        if let path = relationship.path, RandomModel.outside(path) == nil { members.reserve(path) }
        if let alias = relationship.alias, RandomModel.outside(alias) == nil { members.reserve(alias) }
      }
    }
    let discriminator = model.discriminators[model.entities[entity].root]?[entity]
    if let discriminator, random.chance(percent: 97) { members.add(["kind"], Self.discriminator(discriminator)) }
    if model.isRich, random.chance(percent: 1) { members.add(["kind"], random.pick(["bad", "isE1", "isE99", 5, nil])) }
    if model.fallbacks[model.entities[entity].root] != nil, random.chance(percent: 10) {
      members.add(["kind"], random.pick(["strange", 99, true]))
    }
    let identity = model.identity(entity)
    for described in model.lineage(entity) {
      for attribute in described.attributes {
        guard let path = attribute.path, path != ["@key"], path != ["@index"], RandomModel.outside(path) == nil else {
          continue
        }
        if identity.contains(where: { $0.name == attribute.name }) {
          if isKeyed, attribute.isKey, random.chance(percent: 80) { continue }
          if !model.entities[entity].alternates.isEmpty, random.chance(percent: 25) { continue }
          if model.isRich || model.isForExports, attribute.isOptional, random.chance(percent: 3) { continue }
          members.add(path, Self.identityValue(attribute, number))
          continue
        }
        if described.alternates.contains(where: { $0.contains(attribute.name) }) {
          if random.chance(percent: 20) { continue }
          let pool = random.chance(percent: 90) ? number : random.below(poolSize)
          members.add(path, random.chance(percent: 4) ? .null : Self.identityValue(attribute, pool))
          continue
        }
        let isRequired = !attribute.isOptional && !attribute.hasDefault
        if !random.chance(percent: isRequired ? 90 : 60) { continue }
        let isNull = random.chance(percent: attribute.isOptional ? 15 : 1)
        let value = isNull ? .null : Self.value(attribute, &random)
        let formed = Self.formed(
          value, attribute.nulls, attribute.isLenient, attribute.isList, attribute.type == .json, &random)
        add(formed, path, attribute.alias, members, &random)
      }
      for relationship in described.relationships {
        guard let path = relationship.path, path != ["@value"], RandomModel.outside(path) == nil else { continue }
        let isOwner = model.owner(entity)?.name == relationship.name
        // An object that is nested in its owner rarely names an owner. If it does, the named owner is usually a different one.
        if !random.chance(percent: isOwner ? (isOwned ? 2 : 95) : relationship.isOptional ? 55 : 90) { continue }
        var value = JSON.null
        if random.chance(percent: isOwner ? 1 : relationship.isOptional ? 12 : 1) {
        } else if model.isOwning(relationship) {
          value = owned(relationship, depth: depth + 1, &random)
        } else if relationship.isToMany {
          let key = model.identity(relationship.destination).first(where: \.isKey)
          if let key, random.chance(percent: 50) {
            value = collection(relationship.destination, key, depth: depth + 1, &random)
          } else {
            let count = random.below(deepest < 3 ? 3 : 4) + (relationship.isOptional ? 0 : 1)
            value = .array(
              (0..<count).map { _ in
                if !relationship.nulls.isEmpty, random.chance(percent: 8) { return random.pick(relationship.nulls) }
                return element(relationship.destination, depth: depth + 1, &random)
              })
          }
        } else {
          value = element(relationship.destination, depth: depth + 1, &random)
        }
        let isKeyed = model.identity(relationship.destination).contains(where: \.isKey)
        let formed = Self.formed(
          value, relationship.nulls, relationship.isLenient, relationship.isToMany, isKeyed, &random)
        add(formed, path, relationship.alias, members, &random)
      }
    }
    if let mark = model.lineage(entity).last(where: { $0.mark != nil })?.mark, random.chance(percent: 10) {
      members.add(mark.path, random.chance(percent: 80) ? mark.value : false)
    }
    addShared(to: members, &random)
    if let shared = model.shared(entity), let own = members.json.objectValue {
      let inner = object(shared.destination, depth: depth, &random)?.objectValue ?? [:]
      return .object(JSONObject(own.filter { inner[$0.key] == nil } + inner.members))
    }
    return peeled(members.json, declared, entity, &random)
  }

  /// Puts a value under its key path or its alias or, occasionally, different values under both.
  private func add(
    _ value: JSON, _ path: [String], _ alias: [String]?, _ members: Members, _ random: inout SeededRandom
  ) {
    let path = path == ["@value"] ? nil : path
    guard let alias, alias != ["@key"], RandomModel.outside(alias) == nil, random.chance(percent: 50) else {
      if let path { members.add(path, value) }
      return
    }
    members.add(alias, value)
    if model.isRich, let path, random.chance(percent: 10) { members.add(path, .null) }
  }

  /// Adds values that objects inside an object read from it (M19). No entity maps the keys of these values.
  private func addShared(to members: Members, _ random: inout SeededRandom) {
    guard model.hasSurroundings else { return }
    for entity in model.entities {
      for attribute in entity.attributes {
        guard let keys = attribute.outside, keys.last!.hasPrefix("s"), random.chance(percent: 60) else { continue }
        members.add(keys, random.chance(percent: 5) ? .null : Self.value(attribute, &random))
      }
      for relationship in entity.relationships {
        let path = RandomModel.outside(relationship.path) ?? RandomModel.outside(relationship.alias)
        guard let path, random.chance(percent: 60) else { continue }
        let odd: JSON = random.pick([nil, .object(["x": 1])])
        members.add(
          path, random.chance(percent: 5) ? odd : identifier(relationship.destination, &random) ?? .null)
      }
    }
  }

  /// An object that contains a payload.
  func envelope(_ own: [JSONObject.Member], _ random: inout SeededRandom) -> JSON {
    let members = Members()
    addShared(to: members, &random)
    let shared = members.json.objectValue?.members ?? []
    let (first, second) = random.chance(percent: 50) ? (own, shared) : (shared, own)
    return .object(JSONObject(first + second))
  }

  /// An object in the form that dictionary transformers unwrap.
  private func peeled(_ inner: JSON, _ declared: Int, _ entity: Int, _ random: inout SeededRandom) -> JSON {
    guard model.lineage(entity).contains(where: { $0.transformer != nil }) else { return inner }
    var json = inner
    for _ in 0..<random.below(3) {
      let peel = random.chance(percent: 3) ? 5 : json
      json = .object(
        JSONObject([("kind", inner["kind"]), ("peel", peel)].compactMap { key, value in value.map { (key, $0) } }))
    }
    return json
  }

  /// Objects inside their owner (M12).
  private func owned(_ relationship: RandomModel.Relationship, depth: Int, _ random: inout SeededRandom) -> JSON {
    guard relationship.isToMany else {
      return object(relationship.destination, depth: depth, isOwned: true, &random) ?? .null
    }
    return .array(
      (0..<random.below(4)).map { _ in
        if random.chance(percent: 5) { return .null }
        if random.chance(percent: 2) { return identifier(relationship.destination, &random) ?? .null }
        return object(relationship.destination, depth: depth, isOwned: true, &random) ?? .null
      })
  }

  /// An identifier that contains the identifier of the owner (M12).
  private func ownedIdentifier(
    _ declared: Int, _ owner: RandomModel.Relationship, _ random: inout SeededRandom
  ) -> JSON? {
    let number = random.below(poolSize)
    var values: [JSON] = []
    for name in model.entities[declared].identity {
      if let attribute = model.entities[declared].attributes.first(where: { $0.name == name }) {
        let isIndex = attribute.path == ["@index"]
        values.append(isIndex ? .number(JSONNumber(number / 2)) : Self.identityValue(attribute, number))
      } else if let own = identifier(owner.destination, &random) {
        values.append(own)
      } else {
        return nil
      }
    }
    return values.count == 1 ? values[0] : .array(values)
  }

  private func identifier(_ declared: Int, _ random: inout SeededRandom) -> JSON? {
    if let shared = model.shared(declared) { return identifier(shared.destination, &random) }
    if let owner = model.owner(declared) { return ownedIdentifier(declared, owner, &random) }
    let identity = model.identity(declared)
    guard !identity.isEmpty else { return nil }
    let number = random.below(poolSize)
    let isKnown = model.entities[declared].isAbstract || entity(of: number, declared) != nil
    guard isKnown || random.chance(percent: 3) else { return nil }
    let values = identity.map { Self.identityValue($0, number) }
    return values.count == 1 ? values[0] : .array(values)
  }

  /// The entity of the object with an identity; nil if a relationship to `declared` cannot refer to this entity.
  private func entity(of number: Int, _ declared: Int) -> Int? {
    let root = model.entities[declared].root
    let hierarchy = model.entities.indices.filter { model.entities[$0].root == root && !model.entities[$0].isAbstract }
    let entity = hierarchy[number % hierarchy.count]
    return model.choices(declared).contains(entity) ? entity : nil
  }

  private static func discriminator(_ text: String) -> JSON { JSONNumber(text).map { .number($0) } ?? .string(text) }

  // MARK: Forms

  /// Occasionally returns a value in another form with the same meaning (M20, M22).
  private static func formed(
    _ value: JSON, _ nulls: [JSON], _ isLenient: Bool, _ isList: Bool, _ isAmbiguous: Bool, _ random: inout SeededRandom
  ) -> JSON {
    if !nulls.isEmpty, random.chance(percent: value.isNull ? 60 : 4) { return random.pick(nulls) }
    guard isLenient, random.chance(percent: 60) else { return value }
    guard isList else {
      if value.isNull { return random.pick([[], "", false, nil]) }
      return random.chance(percent: 5) && value.objectValue == nil ? [value, value] : [value]
    }
    guard case .array(let elements) = value else { return value }
    if elements.count == 1, random.chance(percent: 50) { return elements[0] }
    if isAmbiguous { return value }
    let first = random.chance(percent: 5) ? 1 : 0
    return .object(JSONObject(elements.enumerated().map { ("\($0 + first)", $1) }))
  }

  // MARK: Values

  static func identityValue(_ attribute: RandomModel.Attribute, _ number: Int) -> JSON {
    switch attribute.type {
    case .string:
      let text = ["é", "e\u{301}", "", "a\"\\\n", "x", "Ω/1"][number]
      return .string(attribute.transformer == "Picky" && number == 4 ? "none" : text)
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

  /// Returns a value in a form that only `Lenient` reads, if the type has such a form (T6).
  private static func lenientForm(_ type: AttributeType, _ number: Int) -> JSON {
    switch type {
    case .integer16, .integer32, .integer64: .string([" 7", "+0", "-007", "1e1"][number])
    case .float, .double, .decimal: .string(["0.5", "+1.25 ", "-02", "100"][number])
    case .boolean: [1, 0, "yes", "0"][number]
    case .string: [7, true, 0.5, false][number]
    case .date: [1_409_444_955, 1_409_444_955_250, -1, 0.5][number]
    case .binary: "AA=="
    case .uuid: "00000000-0000-0000-0000-00000000000A"
    case .uri: "urn:x:2"
    case .json: number < 2 ? 1.5 : "text"
    }
  }

  static func value(_ attribute: RandomModel.Attribute, _ random: inout SeededRandom) -> JSON {
    guard attribute.isList else { return single(attribute, &random) }
    return .array((0..<random.below(4)).map { _ in single(attribute, &random) })
  }

  private static func single(_ attribute: RandomModel.Attribute, _ random: inout SeededRandom) -> JSON {
    let number = random.below(4)
    switch attribute.transformer {
    case "Picky": return .string(random.chance(percent: 2) ? "bad" : ["", "none", "a", "x"][number])
    case "StringToInteger", "StringToDecimal": return .string("\(number)")
    case "IntegerToBoolean": return .number(JSONNumber(number % 2))
    case "Lenient" where random.chance(percent: 60): return lenientForm(attribute.type, number)
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
    case .string:
      .string(
        [
          "", "e\u{301}\(RandomPayload.avoidsNUL ? "" : "\u{0}")", "a long text of more than thirty-two bytes, really",
          "\"q\"",
        ][number])
    case .date:
      .string(
        ["1969-12-31T23:59:59Z", "2014-08-31T00:29:15.000001Z", "2024-02-29T12:00:00Z", "1970-01-01T00:00:00Z"][number])
    case .binary: .string(["", "AA==", "Zm9v", "/+8="][number])
    case .uuid: .string("00000000-0000-0000-0000-00000000000\(number)")
    case .uri: .string(["https://a.b/é", "mailto:x@y", "https://a.b/c?d=e", "urn:x:1"][number])
    case .json: [.array([1, nil, "x"]), .object(["a": [:], "b": 1]), "text", false][number]
    }
  }

  /// Returns a payload that has a random mistake most of the time.
  static func damaged(_ payload: JSON, _ random: inout SeededRandom) -> JSON {
    replacing(random.below(placeCount(payload)), in: payload, by: random.pick(wrongValues))
  }

  /// Values that are wrong in most locations.
  static let wrongValues: [JSON] = [
    "wrong \u{1}", .number(JSONNumber("123456.5")!), .array([true]), .object(["x": 1]), true,
  ]

  /// The number of values in a payload, including the payload itself.
  static func placeCount(_ payload: JSON) -> Int {
    var count = 0
    _ = rewrite(payload) { value in
      count += 1
      return value
    }
    return count
  }

  /// The payload with a different value at a location.
  static func replacing(_ chosen: Int, in payload: JSON, by other: JSON) -> JSON {
    var place = -1
    return rewrite(payload) { value in
      place += 1
      return place == chosen ? other : value
    }
  }

  static func rewrite(_ value: JSON, _ change: (JSON) -> JSON) -> JSON {
    switch change(value) {
    case .array(let elements): .array(elements.map { rewrite($0, change) })
    case .object(let object):
      .object(JSONObject(uncheckedMembers: object.map { ($0.key, rewrite($0.value, change)) }))
    case let other: other
    }
  }

  /// The payload with a repeated member in one of its objects.
  static func doubled(_ payload: JSON, _ random: inout SeededRandom) -> JSON {
    var places = 0
    _ = rewrite(payload) { value in
      if value.objectValue?.isEmpty == false { places += 1 }
      return value
    }
    guard places > 0 else { return payload }
    let chosen = random.below(places)
    let number = random.below(100)
    places = -1
    return rewrite(payload) { value in
      guard case .object(let object) = value, !object.isEmpty else { return value }
      places += 1
      return places == chosen
        ? .object(JSONObject(uncheckedMembers: object.members + [object[number % object.count]])) : value
    }
  }

  /// A payload that contains each object several times, and is long enough that repeated nested objects are recognized.
  static func repeated(_ payload: JSON, _ random: inout SeededRandom) -> JSON {
    let elements = payload.arrayValue ?? [payload]
    guard !elements.isEmpty else { return payload }
    var all = elements
    var size = payload.description.utf8.count
    while size < 5_000, all.count < 300 {
      all.append(random.pick(elements))
      size += all[all.count - 1].description.utf8.count
    }
    return .array(all)
  }

  /// The payload with the members of its objects in different orders.
  static func shuffled(_ value: JSON, _ random: inout SeededRandom) -> JSON {
    switch value {
    case .array(let elements): .array(elements.map { shuffled($0, &random) })
    case .object(let object):
      .object(JSONObject(object.map { ($0.key, shuffled($0.value, &random)) }.shuffled(using: &random)))
    default: value
    }
  }

  /// The payload in the form that JSONSerialization would return, made without using the library.
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

/// An object's members at key paths, in the order in which their positions were reserved.
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

    /// The value at this key path; nil if there is none.
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
