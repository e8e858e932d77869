import Foundation
import Graft
import GraftTestSupport
import Testing

/// A migration step that restores everything that it replaces changes nothing.
///
/// The number of models is a fifth of `GRAFT_STORE_CASES`, 1,000 by default; `GRAFT_LAW_SEED` selects one of them by its seed.
@Suite("Laws of migration steps") struct StepLawTests {
  private static let seeds = LawSeeds.seeds("GRAFT_STORE_CASES", 1_000, each: 5)

  @Test("S17: objects that a step copies are unchanged in every kind of store, and the step runs once")
  func copies() throws {
    var counts: [String: Int] = [:]
    try unchanged { one in
      let copy = try ObjectCopy(of: one.context, &one.random)
      for name in copy.replaced { counts[name.contains(".") ? "properties" : "entities", default: 0] += 1 }
      let model = try ManagedObjectModel(
        text: one.model.text.replacing("{", with: #"{"version": "2", "#, maxReplacements: 1),
        transformers: LawClosures.registry(calling: {}))
      return (model, [copy.migration], "replacing \(copy.replaced)")
    }
    print("S17 law: \(counts.sorted { $0.key < $1.key })")
    if Self.seeds.count > 20 { #expect(counts.count == 2) }
  }

  @Test("S21: attributes that get their own values in their own type are unchanged in every kind of store")
  func declared() throws {
    var count = 0
    try unchanged { one in
      var description = one.loaded.contents
      description.version = "2"
      let identifying = Set(
        description.entities.flatMap { $0.identityAttributes + $0.alternateIdentities.flatMap(\.properties) })
      for entity in description.entities.indices {
        for number in description.entities[entity].attributes.indices where one.random.below(4) > 0 {
          let attribute = description.entities[entity].attributes[number]
          // A URL does not preserve the spelling of a string.
          if attribute.type == .uri || identifying.contains(attribute.name) { continue }
          description.entities[entity].attributes[number].migration = AttributeMigration(
            to: "2", attributes: [attribute.name])
          count += 1
        }
      }
      let model = try ManagedObjectModel(description, transformers: LawClosures.registry(calling: {}))
      return (model, [], ModelFileWriter().text(of: description))
    }
    print("S21 law: \(count) attributes")
    if Self.seeds.count > 20 { #expect(count > 20) }
  }

  /// Fills stores, opens them with another version of the model, and expects the stores to contain the same objects.
  ///
  /// - Parameter next: returns the other version, the steps of the program, and a description of the changes.
  private func unchanged(
    _ next: (inout LawCase) throws -> (model: ManagedObjectModel, steps: [StoreMigration], story: String)
  ) throws {
    var failures = 0
    for seed in Self.seeds where failures < 3 {
      var one = try LawCase(seed: seed, hasOwners: seed % 3 == 0)
      guard one.model.isIdentified else { continue }
      let payloads = (0..<3).map { _ in one.payload() }
      for (entity, payload) in payloads { _ = one.importing(payload, entity, by: .bytes) }
      let (model, steps, story) = try next(&one)
      for kind in MigratedPlace.Kind.available where kind != .postgresql || seed % 5 == 0 {
        do {
          let place = try MigratedPlace(kind)
          let old = try place.open(one.loaded)
          for (entity, payload) in payloads {
            _ = try? old.importJSON(payload.description, ofEntity: one.model.entities[entity].name)
          }
          let before = try Self.whole(old)
          old.reset()
          let new = try place.open(model, steps)
          let after = try Self.whole(new)
          let (found, wanted) = (String(decoding: after, as: UTF8.self), String(decoding: before, as: UTF8.self))
          try expect(after == before, "the step changed something:\n\(found)\nbefore:\n\(wanted)")
          try expect(new.checkInvariants() == [], "\(new.checkInvariants())")
          let never = steps.map { StoreMigration(to: $0.version) { _ in throw LawFailure("the step runs again") } }
          try expect(Self.whole(place.open(model, never)) == before, "it is another one when it is opened again")
          try expect(place.damage(model).isEmpty, "it is damaged")
        } catch {
          failures += 1
          Issue.record("GRAFT_LAW_SEED=\(seed) \(kind): \(error)\n\(story)\n\(one.story)")
        }
      }
    }
  }

  private func expect(_ condition: Bool, _ words: @autoclosure () -> String) throws {
    if !condition { throw LawFailure(words()) }
  }

  /// The dump of the whole store.
  private static func whole(_ context: ManagedObjectContext) throws -> Data {
    for entity in context.model.entities where entity.parentName == nil { _ = try context.fetch(ofEntity: entity.name) }
    return context.dump()
  }
}

/// A step that replaces entities and properties, and copies the contents of the old objects to the new ones.
private struct ObjectCopy {
  /// The replaced entities, and replaced properties as `Entity.property`.
  let replaced: [String]

  /// Chooses the entities and properties to replace.
  init(of context: ManagedObjectContext, _ random: inout SeededRandom) throws {
    let entities = context.model.contents.entities
    func lineage(_ name: String) -> [String] { ObjectCopy.lineage(name, entities) }
    // Objects that are known only by their identifiers cannot be inserted.
    let unknown = Set(try context.placeholders.flatMap { ObjectCopy.lineage($0.entity.name, entities) })
    let isIdentifying = Set(entities.flatMap { entity in entity.identityAttributes.map { "\(entity.name).\($0)" } })
    var names: [String] = []
    for entity in entities {
      // A URL does not preserve the spelling of a string.
      let hasURIs = entities.contains { other in
        lineage(other.name).contains(entity.name)
          && lineage(other.name).contains { name in
            entities.contains { $0.name == name && $0.attributes.contains { $0.type == .uri } }
          }
      }
      if random.chance(percent: 25), !hasURIs, !unknown.contains(entity.name),
        ObjectCopy.isFree(entity.name, entities, unknown)
      {
        names.append(entity.name)
      }
      for name in entity.attributes.map(\.name) + entity.relationships.map(\.name)
      where random.chance(percent: 30) && !isIdentifying.contains("\(entity.name).\(name)") {
        let relationship = entity.relationships.first { $0.name == name }
        if entity.attributes.contains(where: { $0.name == name && $0.type == .uri }) { continue }
        // A step does not visit objects that are known only by identifiers, but their lists also have an order.
        if let relationship, !unknown.isDisjoint(with: lineage(relationship.destinationName)) { continue }
        if relationship != nil, !unknown.isDisjoint(with: lineage(entity.name)) { continue }
        let inverse = relationship.flatMap { r in r.inverseName.map { "\(r.destinationName).\($0)" } }
        if inverse.map(isIdentifying.contains) != true { names.append("\(entity.name).\(name)") }
      }
    }
    replaced = names
  }

  /// Whether an entity has no unknown objects, and none that identify other objects, which would also be replaced.
  private static func isFree(_ name: String, _ entities: [EntityDescription], _ unknown: Set<String>) -> Bool {
    let family = entities.filter { lineage($0.name, entities).contains(name) }.map(\.name)
    let hasOwned = entities.contains { entity in
      entity.relationships.contains {
        entity.identityAttributes.contains($0.name)
          && !Set(lineage($0.destinationName, entities)).isDisjoint(with: family)
      }
    }
    return !hasOwned && unknown.isDisjoint(with: family)
  }

  private static func lineage(_ name: String, _ entities: [EntityDescription]) -> [String] {
    var lineage: [String] = []
    var next: String? = name
    while let name = next {
      lineage.append(name)
      next = entities.first { $0.name == name }?.parentName
    }
    return lineage
  }

  var migration: StoreMigration {
    StoreMigration(to: "2", replacing: replaced) { step in
      let roots = step.old.model.entities.filter { $0.parentName == nil }.map(\.name)
      var copies: [ManagedObjectID: ManagedObject] = [:]
      func copy(of object: ManagedObject) throws -> ManagedObject? {
        try copies[object.objectID] ?? step.counterpart(of: object)
      }
      for root in roots {
        try step.forEach(root) { old, kept in
          let new = kept ?? step.new.insert(ofEntity: old.entity.name)
          if kept == nil { copies[old.objectID] = new }
          for name in ObjectCopy.attributes(old) {
            // A new object has defaults.
            let value = try ObjectCopy.value(old, name)
            if try ObjectCopy.value(new, name) != value { try new.setValue(value, of: name) }
          }
        }
      }
      for root in roots {
        try step.forEach(root) { old, _ in
          guard let new = try copy(of: old) else { throw LawFailure("\(old) has no counterpart") }
          for relationship in ObjectCopy.relationships(old) {
            switch try old.propertyValue(of: relationship) {
            case .object(let target)?: new[relationship] = try copy(of: target)
            case .objects(let targets)?: new[relationship] = try targets.compactMap(copy)
            default: break
            }
          }
        }
      }
    }
  }

  private static func value(_ object: ManagedObject, _ name: String) throws -> AttributeValue? {
    guard case .attribute(let value)? = try object.propertyValue(of: name) else { return nil }
    return value
  }

  private static func properties(_ object: ManagedObject) -> [EntityDescription] {
    lineage(object.entity.name, object.context.model.contents.entities).compactMap { name in
      object.context.model.contents.entities.first { $0.name == name }
    }
  }
  private static func attributes(_ object: ManagedObject) -> [String] {
    properties(object).flatMap { $0.attributes.map(\.name) }
  }
  private static func relationships(_ object: ManagedObject) -> [String] {
    properties(object).flatMap { $0.relationships.map(\.name) }
  }
}
