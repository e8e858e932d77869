import Graft
import GraftTestSupport

/// A random model and edits to it: two versions as their authors might write them.
struct RandomVersions {
  struct Attribute {
    var name: String
    var type: String
    var isOptional = false
    var hasDefault = false
    var renamedFrom: String?
  }

  struct Relationship {
    var name: String
    var destination: String
    var isToMany = false
    var isOrdered = false
    var isOptional = true
    var inverse: String?
    var renamedFrom: String?
  }

  struct Entity {
    var name: String
    var parent: String?
    var isAbstract = false
    var identity: [String] = []
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
    var renamedFrom: String?
  }

  private var random: SeededRandom
  private var counter = 0
  private(set) var entities: [Entity] = []
  /// Descriptions of the edits for messages.
  private(set) var edits: [String] = []

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    for _ in 0..<1 + random.below(3) { addHierarchy() }
    for _ in 0..<random.below(5) { addRelationship() }
    edits = []
  }

  private mutating func name(_ prefix: String) -> String {
    counter += 1
    return "\(prefix)\(counter)"
  }

  private static let types = [
    "integer16", "integer32", "integer64", "float", "double", "decimal", "boolean", "string", "date", "uuid", "uri",
  ]

  private mutating func attribute() -> Attribute {
    let isOptional = random.chance(percent: 50)
    return Attribute(
      name: name("a"), type: random.pick(Self.types), isOptional: isOptional,
      hasDefault: random.chance(percent: 30))
  }

  private mutating func addHierarchy() {
    let count = random.chance(percent: 50) ? 1 : 2 + random.below(2)
    let root = name("E")
    for index in 0..<count {
      var entity = Entity(name: index == 0 ? root : name("E"), parent: index == 0 ? nil : root)
      if index == 0 {
        entity.identity = ["id"]
        entity.attributes.append(Attribute(name: "id", type: random.pick(["integer16", "integer32", "string"])))
        entity.isAbstract = count > 1 && random.chance(percent: 30)
      }
      for _ in 0..<random.below(4) { entity.attributes.append(attribute()) }
      entities.append(entity)
    }
  }

  // MARK: Edits

  /// Makes some edits. Not all edits result in a model that can be loaded.
  mutating func edit() {
    for _ in 0..<1 + random.below(3) {
      switch random.below(16) {
      case 0, 1: addAttribute()
      case 2: removeAttribute()
      case 3, 4: renameAttribute()
      case 5, 6: changeType()
      case 7: toggleOptional()
      case 8: addHierarchy()
      case 9: removeEntity()
      case 10: renameEntity()
      case 11: addRelationship()
      case 12: removeRelationship()
      case 13: changeRelationship()
      case 14: changeEntity()
      default: moveAttribute()
      }
    }
  }

  private mutating func addAttribute() {
    let index = random.below(entities.count)
    var added = attribute()
    // A name that was removed can be used again.
    if random.chance(percent: 10) { added.name = "a\(1 + random.below(counter))" }
    edits.append("add \(entities[index].name).\(added.name)")
    entities[index].attributes.append(added)
  }

  /// A property of an entity, except for the identity.
  private mutating func someAttribute() -> (entity: Int, attribute: Int)? {
    let entity = random.below(entities.count)
    let places = entities[entity].attributes.indices.filter { entities[entity].attributes[$0].name != "id" }
    return places.isEmpty ? nil : (entity, random.pick(places))
  }

  private mutating func removeAttribute() {
    guard let (entity, place) = someAttribute() else { return }
    edits.append("remove \(entities[entity].name).\(entities[entity].attributes.remove(at: place).name)")
  }

  private mutating func moveAttribute() {
    guard let (entity, place) = someAttribute() else { return }
    let other = random.below(entities.count)
    var moved = entities[entity].attributes.remove(at: place)
    if random.chance(percent: 50) { moved.renamedFrom = nil }
    edits.append("move \(entities[entity].name).\(moved.name) to \(entities[other].name)")
    entities[other].attributes.append(moved)
  }

  private mutating func renameAttribute() {
    let entity = random.below(entities.count)
    guard !entities[entity].attributes.isEmpty else { return }
    let place = random.below(entities[entity].attributes.count)
    let former = entities[entity].attributes[place].name
    let new = name("a")
    edits.append("rename \(entities[entity].name).\(former) to \(new)")
    entities[entity].attributes[place].name = new
    if random.chance(percent: 70) { entities[entity].attributes[place].renamedFrom = former }
    entities[entity].identity = entities[entity].identity.map { $0 == former ? new : $0 }
  }

  private mutating func changeType() {
    let entity = random.below(entities.count)
    guard !entities[entity].attributes.isEmpty else { return }
    let place = random.below(entities[entity].attributes.count)
    entities[entity].attributes[place].type = random.pick(Self.types)
    edits.append("change the type of \(entities[entity].name).\(entities[entity].attributes[place].name)")
  }

  private mutating func toggleOptional() {
    guard let (entity, place) = someAttribute() else { return }
    entities[entity].attributes[place].isOptional.toggle()
    edits.append("toggle 'optional' of \(entities[entity].name).\(entities[entity].attributes[place].name)")
  }

  private mutating func removeEntity() {
    guard entities.count > 1 else { return }
    let name = entities.remove(at: random.below(entities.count)).name
    edits.append("remove \(name)")
    for index in entities.indices { entities[index].relationships.removeAll { $0.destination == name } }
    dropInverses()
  }

  private mutating func renameEntity() {
    let index = random.below(entities.count)
    let former = entities[index].name
    let new = name("E")
    edits.append("rename \(former) to \(new)")
    entities[index].name = new
    if random.chance(percent: 70) { entities[index].renamedFrom = former }
    for index in entities.indices {
      if entities[index].parent == former { entities[index].parent = new }
      for place in entities[index].relationships.indices
      where entities[index].relationships[place].destination == former {
        entities[index].relationships[place].destination = new
      }
    }
  }

  private mutating func changeEntity() {
    let index = random.below(entities.count)
    edits.append("change \(entities[index].name)")
    switch random.below(3) {
    case 0: entities[index].isAbstract.toggle()
    case 1:
      let names = entities[index].attributes.filter { !$0.isOptional }.map(\.name)
      entities[index].identity = names.isEmpty || random.chance(percent: 20) ? [] : [random.pick(names)]
    default: entities[index].parent = random.chance(percent: 50) ? nil : random.pick(entities).name
    }
  }

  // MARK: Relationships

  private mutating func addRelationship() {
    let (owner, other) = (random.below(entities.count), random.below(entities.count))
    var relationship = Relationship(
      name: name("r"), destination: entities[other].name, isToMany: random.chance(percent: 50))
    relationship.isOrdered = relationship.isToMany && random.chance(percent: 30)
    relationship.isOptional = random.chance(percent: 90)
    edits.append("add \(entities[owner].name).\(relationship.name)")
    if random.chance(percent: 60) {
      var inverse = Relationship(
        name: name("r"), destination: entities[owner].name, isToMany: random.chance(percent: 50),
        inverse: relationship.name)
      inverse.isOrdered = inverse.isToMany && random.chance(percent: 30)
      relationship.inverse = inverse.name
      entities[other].relationships.append(inverse)
    }
    entities[owner].relationships.append(relationship)
  }

  private mutating func someRelationship() -> (entity: Int, relationship: Int)? {
    let entity = random.below(entities.count)
    let count = entities[entity].relationships.count
    return count == 0 ? nil : (entity, random.below(count))
  }

  private mutating func removeRelationship() {
    guard let (entity, place) = someRelationship() else { return }
    edits.append("remove \(entities[entity].name).\(entities[entity].relationships.remove(at: place).name)")
    dropInverses()
  }

  /// Removes references to inverses that no longer exist.
  private mutating func dropInverses() {
    let names = Set(entities.flatMap(\.relationships).map(\.name))
    for index in entities.indices {
      for place in entities[index].relationships.indices {
        if let inverse = entities[index].relationships[place].inverse, !names.contains(inverse) {
          entities[index].relationships[place].inverse = nil
        }
      }
    }
  }

  private mutating func changeRelationship() {
    guard let (entity, place) = someRelationship() else { return }
    let former = entities[entity].relationships[place].name
    edits.append("change \(entities[entity].name).\(former)")
    switch random.below(5) {
    case 0:
      let new = name("r")
      entities[entity].relationships[place].name = new
      if random.chance(percent: 70) { entities[entity].relationships[place].renamedFrom = former }
      for index in entities.indices {
        for other in entities[index].relationships.indices
        where entities[index].relationships[other].inverse == former {
          entities[index].relationships[other].inverse = new
        }
      }
    case 1: entities[entity].relationships[place].isToMany.toggle()
    case 2: entities[entity].relationships[place].isOrdered.toggle()
    case 3: entities[entity].relationships[place].isOptional.toggle()
    default: entities[entity].relationships[place].destination = random.pick(entities).name
    }
  }
}

// MARK: Texts

extension RandomVersions {
  /// The model file.
  var text: String {
    let model = JSONObject(uncheckedMembers: entities.map { (key: $0.name, value: json($0)) })
    return JSON.object(["keyStrategy": "sameName", "entities": .object(model)]).description
  }

  private func json(_ entity: Entity) -> JSON {
    var json: JSONObject = [:]
    json["renamedFrom"] = entity.renamedFrom.map(JSON.string)
    json["parent"] = entity.parent.map(JSON.string)
    if entity.isAbstract { json["abstract"] = true }
    if !entity.identity.isEmpty { json["identityAttributes"] = .array(entity.identity.map(JSON.string)) }
    let subEntities = entities.filter { $0.parent == entity.name && !$0.isAbstract }.map(\.name)
    if entity.parent == nil, !subEntities.isEmpty {
      json["entityMapper"] = [
        "JSONKeyPath": "kind", "entities": .object(JSONObject(subEntities.map { (key: $0, value: .string($0)) })),
      ]
    }
    json["attributes"] = .object(
      JSONObject(uncheckedMembers: entity.attributes.map { (key: $0.name, value: self.json($0)) }))
    json["relationships"] = .object(
      JSONObject(uncheckedMembers: entity.relationships.map { (key: $0.name, value: self.json($0)) }))
    return .object(json)
  }

  private func json(_ attribute: Attribute) -> JSON {
    var json: JSONObject = ["type": .string(attribute.type), "optional": .boolean(attribute.isOptional)]
    json["renamedFrom"] = attribute.renamedFrom.map(JSON.string)
    if attribute.hasDefault { json["default"] = value(attribute.type, 7) }
    return .object(json)
  }

  private func json(_ relationship: Relationship) -> JSON {
    var json: JSONObject = [
      "destination": .string(relationship.destination), "toMany": .boolean(relationship.isToMany),
    ]
    if relationship.isOrdered { json["ordered"] = true }
    json["optional"] = .boolean(relationship.isOptional)
    json["inverse"] = relationship.inverse.map(JSON.string)
    json["renamedFrom"] = relationship.renamedFrom.map(JSON.string)
    return .object(json)
  }

  /// Returns a value of a type as JSON.
  private func value(_ type: String, _ number: Int) -> JSON {
    switch type {
    case "integer16", "integer32", "integer64", "float", "double", "decimal": .number(JSONNumber(number))
    case "boolean": .boolean(number % 2 == 0)
    case "date": .string("2026-01-0\(1 + number % 9)T00:00:00Z")
    case "uuid": .string("00000000-0000-0000-0000-00000000000\(number % 10)")
    case "uri": .string("https://example.com/\(number)")
    default: .string("text \(number)")
    }
  }

  /// Returns payloads with two objects of each entity that can have objects. The objects are related to other objects.
  var payloads: [(entity: String, payload: JSON)] {
    entities.enumerated().filter { !$0.element.isAbstract }.map { index, entity in
      (
        entity.name,
        .array((0..<2).map { number in object(entity, numbered: index * 2 + number) })
      )
    }
  }

  private func object(_ entity: Entity, numbered number: Int) -> JSON {
    let lineage = [entity] + entities.filter { $0.name == entity.parent }
    var json: JSONObject = ["kind": .string(entity.name)]
    for attribute in lineage.flatMap(\.attributes) { json[attribute.name] = value(attribute.type, number) }
    for relationship in lineage.flatMap(\.relationships) {
      guard let target = entities.firstIndex(where: { $0.name == relationship.destination && !$0.isAbstract }) else {
        continue
      }
      let root = entities.first { $0.name == entities[target].parent } ?? entities[target]
      let id = value(root.attributes[0].type, target * 2)
      json[relationship.name] = relationship.isToMany ? [id] : id
    }
    return .object(json)
  }
}
