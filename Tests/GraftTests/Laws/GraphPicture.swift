import Graft

/// A graph as plain values, taken from its dump: what reports and changes are held against.
struct GraphPicture {
  struct Object {
    var id: ManagedObjectID
    /// What the dump calls it.
    var name: String
    var entityName: String
    var isPlaceholder: Bool
    /// The entity's attributes and relationships, as the dump has them.
    var attributes: JSONObject
    var relationships: JSONObject
    /// The objects that relationships lead to.
    var links: [String: [ManagedObjectID]] = [:]
  }

  private(set) var objects: [ManagedObjectID: Object] = [:]
  /// In the order of the dump.
  private(set) var ids: [ManagedObjectID] = []

  private static let documents = try? ManagedObjectModel(
    text: #"{"keyStrategy": "sameName", "entities": {"Document": {"attributes": {"content": "json"}}}}"#)

  init(_ context: ManagedObjectContext, _ model: RandomModel) throws {
    guard case .object(let dump) = try GraphPicture.json(context.dumpBytes()) else { throw LawFailure("no dump") }
    var byName: [UTF8Key: ManagedObjectID] = [:]
    for entity in model.entities where entity.parent == nil {
      for object in context.fetch(ofEntity: entity.name) {
        let known = byName.updateValue(object.objectID, forKey: UTF8Key(object.description))
        if known != nil { throw LawFailure("two objects are called \(object)") }
      }
    }
    for (entityName, members) in dump {
      for member in members.arrayValue ?? [] {
        guard let name = member["id"]?.stringValue, let id = byName[UTF8Key(name)] else {
          throw LawFailure("the dump calls an object \(member["id"] ?? .null), and nobody else does")
        }
        var object = Object(
          id: id, name: name, entityName: entityName, isPlaceholder: member["placeholder"] == true,
          attributes: member["attributes"]?.objectValue ?? [:],
          relationships: member["relationships"]?.objectValue ?? [:])
        for (relationship, value) in object.relationships {
          object.links[relationship] = try (value.arrayValue ?? [value]).filter { !$0.isNull }.map { target in
            guard let id = byName[UTF8Key(target.stringValue ?? "")] else {
              throw LawFailure("the dump links \(name) to \(target), which is not there")
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

/// What differs between two pictures.
struct PictureDifference {
  struct Property {
    var name: String
    var old: JSON
    var new: JSON
    /// Of a relationship; unordered ones are sorted. Those of before are named as they are after.
    var links: (old: [ManagedObjectID], new: [ManagedObjectID])?
    /// Links were only gained.
    var isMereGain = false
  }

  var inserted: [GraphPicture.Object] = []
  var deleted: [GraphPicture.Object] = []
  /// Objects that are in both pictures, and what differs.
  var kept: [(before: GraphPicture.Object, after: GraphPicture.Object, properties: [Property])] = []

  /// - Parameters:
  ///   - deleted: objects of before that are in the other picture under one id with another object, or not at all.
  ///   - renamed: objects whose id is another one after.
  init(
    _ before: GraphPicture, _ after: GraphPicture, _ model: RandomModel, deleted gone: Set<ManagedObjectID> = [],
    renamed: [ManagedObjectID: ManagedObjectID] = [:]
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
    for id in before.ids {
      guard let object = before.objects[id] else { continue }
      guard let image = moved[id].flatMap({ after.objects[$0] }) else {
        deleted.append(object)
        continue
      }
      kept.append((object, image, PictureDifference.properties(object, image, before, after, model, moved)))
    }
    inserted = after.ids.filter { !images.contains($0) }.compactMap { after.objects[$0] }
  }

  private static func properties(
    _ old: GraphPicture.Object, _ new: GraphPicture.Object, _ before: GraphPicture, _ after: GraphPicture,
    _ model: RandomModel, _ moved: [ManagedObjectID: ManagedObjectID]
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
        // An object that is gone stands for itself: it equals none of those that are there.
        let images = left.map { moved[$0] }
        if images == right || !relationship.isOrdered && Set(images) == Set(right) && images.count == right.count {
          continue
        }
        let oldNames = sorted(left.compactMap { before.objects[$0].map { .string($0.name) } })
        let newNames = sorted(right.compactMap { after.objects[$0].map { .string($0.name) } })
        let known = Set(images)
        let kept = right.filter(known.contains)
        let isMereGain =
          right.count > left.count && !images.contains(nil)
          && (relationship.isOrdered ? kept == images : kept.count == images.count)
        properties.append(
          Property(
            name: relationship.name, old: relationship.isToMany ? .array(oldNames) : oldNames.first ?? .null,
            new: relationship.isToMany ? .array(newNames) : newNames.first ?? .null, links: (left, right),
            isMereGain: isMereGain))
      }
    }
    return properties
  }

  /// Numbers by their text: -0.0 is not 0.0.
  static func isSame(_ left: JSON, _ right: JSON) -> Bool {
    guard case .number(let one) = left, case .number(let other) = right else { return left == right }
    return one.text == other.text
  }
}
