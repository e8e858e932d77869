import Graft

/// A graph as plain values, taken from its dump. Reports and changes are compared with such pictures.
struct GraphPicture {
  struct Object {
    var id: ManagedObjectID
    /// The name in the dump.
    var name: String
    var entityName: String
    var isPlaceholder: Bool
    /// The attributes and relationships of the entity, as in the dump.
    var attributes: JSONObject
    var relationships: JSONObject
    /// The objects to which relationships lead.
    var links: [String: [ManagedObjectID]] = [:]
  }

  private(set) var objects: [ManagedObjectID: Object] = [:]
  /// The objects in the order of the dump.
  private(set) var ids: [ManagedObjectID] = []

  private static let documents = try? ManagedObjectModel(
    text: #"{"keyStrategy": "sameName", "entities": {"Document": {"attributes": {"content": "json"}}}}"#)

  init(_ context: ManagedObjectContext, _ model: RandomModel) throws {
    guard case .object(let dump) = try GraphPicture.json(context.dumpBytes()) else { throw LawFailure("no dump") }
    var byName: [UTF8Key: ManagedObjectID] = [:]
    for entity in model.entities where entity.parent == nil {
      for object in try context.fetch(ofEntity: entity.name) {
        let known = byName.updateValue(object.objectID, forKey: UTF8Key(object.description))
        if known != nil { throw LawFailure("two objects are called \(object)") }
      }
    }
    for (entityName, members) in dump {
      for member in members.arrayValue ?? [] {
        guard let name = member["id"]?.stringValue, let id = byName[UTF8Key(name)] else {
          throw LawFailure("the dump calls an object \(member["id"] ?? .null), and nothing else does")
        }
        var object = Object(
          id: id, name: name, entityName: entityName, isPlaceholder: member["placeholder"] == true,
          attributes: member["attributes"]?.objectValue ?? [:],
          relationships: member["relationships"]?.objectValue ?? [:])
        for (relationship, value) in object.relationships {
          object.links[relationship] = try (value.arrayValue ?? [value]).filter { !$0.isNull }.map { target in
            guard let id = byName[UTF8Key(target.stringValue ?? "")] else {
              throw LawFailure("the dump links \(name) to \(target), which does not exist")
            }
            return id
          }
        }
        guard objects.updateValue(object, forKey: id) == nil else { throw LawFailure("two objects have the id \(id)") }
        ids.append(id)
      }
    }
    guard ids.count == byName.count else { throw LawFailure("the dump does not have every object") }
  }

  private static func json(_ bytes: [UInt8]) throws -> JSON {
    guard let documents else { throw LawFailure("no model of documents") }
    let context = ManagedObjectContext(model: documents)
    let document = try object(
      ofEntity: "Document", fromJSON: Array("{\"content\": ".utf8) + bytes + Array("}".utf8), in: context)
    return document["content"] ?? .null
  }
}

/// The difference between two pictures.
struct PictureDifference {
  struct Property {
    var name: String
    var old: JSON
    var new: JSON
    /// The links of a relationship; unordered links are sorted. Old links have the objects' new names.
    var links: (old: [ManagedObjectID], new: [ManagedObjectID])?
    /// Whether links were only added.
    var isMereGain = false
  }

  var inserted: [GraphPicture.Object] = []
  var deleted: [GraphPicture.Object] = []
  /// Objects that are in both pictures, with their differences.
  var kept: [(before: GraphPicture.Object, after: GraphPicture.Object, properties: [Property])] = []

  /// - Parameters:
  ///   - deleted: old objects whose ID belongs to a different object in the other picture, or to no object.
  ///   - renamed: objects whose ID is different afterwards.
  ///   - comparesContents: whether a deleted object without identity equals a new object with equal contents.
  init(
    _ before: GraphPicture, _ after: GraphPicture, _ model: RandomModel, deleted gone: Set<ManagedObjectID> = [],
    renamed: [ManagedObjectID: ManagedObjectID] = [:], comparesContents: Bool = false
  ) throws {
    var moved: [ManagedObjectID: ManagedObjectID] = [:]
    var images = Set<ManagedObjectID>()
    for id in before.ids {
      if gone.contains(id) { continue }
      let image = renamed[id] ?? id
      guard after.objects[image] != nil else { continue }
      guard images.insert(image).inserted else { throw LawFailure("two objects became \(image)") }
      moved[id] = image
    }
    let classes = comparesContents ? ContentPartition(before, after, model, moved) : nil
    for id in before.ids {
      guard let object = before.objects[id] else { continue }
      guard let image = moved[id].flatMap({ after.objects[$0] }) else {
        deleted.append(object)
        continue
      }
      kept.append((object, image, PictureDifference.properties(object, image, before, after, model, moved, classes)))
    }
    inserted = after.ids.filter { !images.contains($0) }.compactMap { after.objects[$0] }
  }

  private static func properties(
    _ old: GraphPicture.Object, _ new: GraphPicture.Object, _ before: GraphPicture, _ after: GraphPicture,
    _ model: RandomModel, _ moved: [ManagedObjectID: ManagedObjectID], _ classes: ContentPartition?
  ) -> [Property] {
    let entity = model.entities.firstIndex { $0.name == new.entityName } ?? 0
    var properties: [Property] = []
    for described in model.lineage(entity) {
      for attribute in described.attributes {
        let (left, right) = (old.attributes[attribute.name] ?? .null, new.attributes[attribute.name] ?? .null)
        if !isSame(left, right) { properties.append(Property(name: attribute.name, old: left, new: right)) }
      }
      for relationship in described.relationships {
        func sorted(_ names: [JSON]) -> [JSON] {
          relationship.isOrdered ? names : names.sorted { UTF8Key.precedes($0.stringValue ?? "", $1.stringValue ?? "") }
        }
        let (left, right) = (old.links[relationship.name] ?? [], new.links[relationship.name] ?? [])
        // A deleted object is represented by itself: it equals no existing object, unless contents are compared.
        let images = left.map { classes?.old($0) ?? moved[$0].map { .kept($0) } ?? .gone($0) }
        let targets = right.map { classes?.new($0) ?? .kept($0) }
        if ContentPartition.isSame(images, targets, isOrdered: relationship.isOrdered) { continue }
        let oldNames = sorted(left.compactMap { before.objects[$0].map { .string($0.name) } })
        let newNames = sorted(right.compactMap { after.objects[$0].map { .string($0.name) } })
        let isMereGain = ContentPartition.isGain(images, targets, isOrdered: relationship.isOrdered)
        properties.append(
          Property(
            name: relationship.name, old: relationship.isToMany ? .array(oldNames) : oldNames.first ?? .null,
            new: relationship.isToMany ? .array(newNames) : newNames.first ?? .null, links: (left, right),
            isMereGain: isMereGain))
      }
    }
    return properties
  }

  /// Numbers are compared as text, so -0.0 is not 0.0.
  static func isSame(_ left: JSON, _ right: JSON) -> Bool {
    guard case .number(let one) = left, case .number(let other) = right else { return left == right }
    return one.text == other.text
  }
}

/// Deleted and new objects without identity, compared by their contents: entity, attributes, and the destinations of relationships.
struct ContentPartition {
  /// An object as the destination of links.
  enum Target: Hashable {
    case kept(ManagedObjectID), gone(ManagedObjectID), contents(Int)
  }

  private struct Contents: Hashable {
    var last: Int
    var entityName: String
    var attributes: [String: JSON]
    var numbers: [String: String]
    var ordered: [String: [Target]]
    var unordered: [String: [Target: Int]]
  }

  private var old: [ManagedObjectID: Int] = [:]
  private var new: [ManagedObjectID: Int] = [:]

  init(
    _ before: GraphPicture, _ after: GraphPicture, _ model: RandomModel, _ moved: [ManagedObjectID: ManagedObjectID]
  ) {
    let images = Set(moved.values)
    func isNameless(_ object: GraphPicture.Object?) -> Bool {
      object.map { $0.name.hasPrefix("\($0.entityName)#") } ?? false
    }
    for id in before.ids where moved[id] == nil && isNameless(before.objects[id]) { old[id] = 0 }
    for id in after.ids where !images.contains(id) && isNameless(after.objects[id]) { new[id] = 0 }
    let orders = Dictionary(
      model.entities.flatMap(\.relationships).map { ($0.name, $0.isOrdered) }
    ) { first, _ in first }
    var count = 1
    while true {
      var classes: [Contents: Int] = [:]
      func number(_ object: GraphPicture.Object, _ last: Int, _ target: (ManagedObjectID) -> Target) -> Int {
        var contents = Contents(
          last: last, entityName: object.entityName, attributes: [:], numbers: [:], ordered: [:], unordered: [:])
        for (name, value) in object.attributes {
          contents.attributes[name] = value
          if case .number(let number) = value { contents.numbers[name] = number.text }
        }
        for (name, links) in object.links {
          let targets = links.map(target)
          if orders[name] == true {
            contents.ordered[name] = targets
          } else {
            contents.unordered[name] = Dictionary(targets.map { ($0, 1) }, uniquingKeysWith: +)
          }
        }
        let number = classes[contents] ?? classes.count
        classes[contents] = number
        return number
      }
      let (lastOld, lastNew) = (old, new)
      for (id, last) in lastOld {
        guard let object = before.objects[id] else { continue }
        old[id] = number(object, last) { id in
          lastOld[id].map { .contents($0) } ?? moved[id].map { .kept($0) } ?? .gone(id)
        }
      }
      for (id, last) in lastNew {
        guard let object = after.objects[id] else { continue }
        new[id] = number(object, last) { id in lastNew[id].map { .contents($0) } ?? .kept(id) }
      }
      if classes.count <= count { return }
      count = classes.count
    }
  }

  func old(_ id: ManagedObjectID) -> Target? { old[id].map { .contents($0) } }
  func new(_ id: ManagedObjectID) -> Target? { new[id].map { .contents($0) } }

  static func isSame(_ old: [Target], _ new: [Target], isOrdered: Bool) -> Bool {
    old == new || !isOrdered && counts(old) == counts(new)
  }

  /// Returns whether links were only added.
  static func isGain(_ old: [Target], _ new: [Target], isOrdered: Bool) -> Bool {
    guard new.count > old.count else { return false }
    if isOrdered {
      var left = old[...]
      for target in new where target == left.first { left.removeFirst() }
      return left.isEmpty
    }
    let after = counts(new)
    return counts(old).allSatisfy { after[$0, default: 0] >= $1 }
  }

  private static func counts(_ targets: [Target]) -> [Target: Int] {
    Dictionary(targets.map { ($0, 1) }, uniquingKeysWith: +)
  }
}
