import Foundation
import Graft
import GraftTestSupport

struct LawFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A case of a law: a random model, a context, and the steps so far.
struct LawCase {
  var random: SeededRandom
  let model: RandomModel
  let loaded: ManagedObjectModel
  private(set) var context: ManagedObjectContext
  private var payloads: RandomPayload
  private let isDense: Bool
  /// Whether edits look up the objects that they change one at a time, so no other objects are loaded.
  var isSparing = false
  /// The steps so far, which are described only on request.
  private var steps: [() -> String] = []

  /// - Parameters:
  ///   - hasOwners: whether objects can be identified inside owners (M12).
  ///   - hasSurroundings: whether values can be read from outside objects (M19).
  ///   - isDense: whether there are few objects of few entities with many relationships, so that most changes affect several objects.
  ///   - hasForms: whether values can have other forms (M20, M21, M22).
  ///   - hasAlternates: whether additional attributes can identify objects (M27).
  ///   - hasSharing: whether objects can be the `@value` of other objects (M23).
  ///   - hook: a closure that every closure of the model calls first.
  init(
    seed: UInt64, isRich: Bool = false, isForExports: Bool = false, hasOwners: Bool = false,
    hasSurroundings: Bool = false, isDense: Bool = false, hasForms: Bool = false,
    hasAlternates: Bool = false, hasSharing: Bool = false,
    hook: @escaping @Sendable () throws -> Void = {}
  ) throws {
    random = SeededRandom(seed: seed)
    model = RandomModel(
      &random, isRich: isRich, isForExports: isForExports, hasOwners: hasOwners, hasSurroundings: hasSurroundings,
      isDense: isDense, hasForms: hasForms, hasAlternates: hasAlternates, hasSharing: hasSharing)
    do throws(ModelError) {
      loaded = try ManagedObjectModel(text: model.text, transformers: LawClosures.registry(calling: hook))
    } catch {
      throw LawFailure("\(error)\n\(model.text)")
    }
    context = ManagedObjectContext(model: loaded)
    payloads = RandomPayload(model: model)
    if isDense { payloads.poolSize = 3 }
    self.isDense = isDense
  }

  /// A case of a law about several contexts. Every second model is dense, and the other models have every feature that stores support.
  init(ofContexts seed: UInt64) throws {
    if seed % 2 == 0 {
      try self.init(seed: seed, isDense: true)
    } else {
      try self.init(seed: seed, isRich: true, hasOwners: seed % 4 == 1, hasSurroundings: seed % 3 == 0)
    }
  }

  /// A description of the model and the steps, for failures.
  var story: String { ([model.text] + steps.map { $0() }).joined(separator: "\n") }

  /// Continues with another context, such as a context that has opened the same store again.
  mutating func goOn(with context: ManagedObjectContext) { self.context = context }

  /// Starts again with the same model and an empty context.
  mutating func startAgain(keepsStory: Bool = false) {
    context = ManagedObjectContext(model: loaded)
    if !keepsStory { steps = [] }
    // Most defects appear in small payloads, and many small payloads can be tested.
    payloads.deepest = random.pick([1, 1, 1, 2, 2, 3])
  }

  mutating func note(_ step: @autoclosure @escaping () -> String) { steps.append(step) }

  /// Whether a payload should contain a mistake, as every second payload does.
  var isDamaged: Bool { mutating get { random.chance(percent: 50) } }

  // MARK: Importing

  mutating func payload() -> (entity: Int, payload: JSON) {
    let entity = random.below(model.entities.count)
    return (entity, payloads.make(entity, &random))
  }

  /// An object that contains a payload, along with values that the payload's objects read from it (M19).
  mutating func envelope(_ members: [JSONObject.Member]) -> JSON { payloads.envelope(members, &random) }

  /// A payload of objects of one entity.
  mutating func payload(of entity: Int) -> JSON { payloads.make(entity, &random) }

  /// Imports a payload. Returns the error if the import fails.
  mutating func importing(_ payload: JSON, _ entity: Int) throws -> ImportError? {
    try importing(Array(payload.description.utf8), entity)
  }

  mutating func importing(_ bytes: [UInt8], _ entity: Int) throws -> ImportError? {
    let name = model.entities[entity].name
    note("import \(name): \(String(decoding: bytes, as: UTF8.self))")
    do throws(ImportError) {
      try context.importJSON(bytes, ofEntity: name)
      return nil
    } catch {
      note("  fails: \(error)")
      return error
    }
  }

  func importingDictionaries(_ payload: JSON, _ entity: Int, in context: ManagedObjectContext) -> ImportError? {
    let name = model.entities[entity].name
    do throws(ImportError) {
      switch RandomPayload.foundation(payload) {
      case let array as [Any]: try objects(ofEntity: name, fromJSON: array, in: context)
      case let dictionary as [String: Any]: try objects(ofEntity: name, fromJSON: dictionary, in: context)
      default: try objects(ofEntity: name, fromJSON: payload, in: context)
      }
      return nil
    } catch {
      return error
    }
  }

  /// The forms of input (I1).
  enum Way: CaseIterable { case bytes, text, json, dictionaries }

  /// Imports a payload in one of the forms. Returns the error if the import fails.
  mutating func importing(
    _ payload: JSON, _ entity: Int, by way: Way, at keyPath: JSONKeyPath? = nil,
    options: ImportOptions = ImportOptions()
  ) -> ImportError? {
    let name = model.entities[entity].name
    note("import \(name), \(way)\(keyPath.map { ", at \($0)" } ?? ""): \(payload)")
    do throws(ImportError) {
      switch way {
      case .bytes:
        try context.importJSON(Array(payload.description.utf8), ofEntity: name, at: keyPath, options: options)
      case .text: try context.importJSON(payload.description, ofEntity: name, at: keyPath, options: options)
      case .json: try context.importJSON(payload, ofEntity: name, at: keyPath, options: options)
      case .dictionaries:
        switch RandomPayload.foundation(payload) {
        case let array as [Any]: try context.importJSON(array, ofEntity: name, at: keyPath, options: options)
        case let dictionary as [String: Any]:
          try context.importJSON(dictionary, ofEntity: name, at: keyPath, options: options)
        default: try context.importJSON(payload, ofEntity: name, at: keyPath, options: options)
        }
      }
      return nil
    } catch {
      note("  fails: \(error)")
      return error
    }
  }

  // MARK: Exporting

  /// Exports every entity's objects, base entities first. An object is written in full every time it is reached, unless that is very often.
  mutating func exportEverything() throws -> [(entity: Int, bytes: [UInt8])] {
    try model.entities.indices.map { entity in
      var options = ExportOptions()
      options.maxObjects = 300
      options.sortsKeys = random.chance(percent: 20)
      // An omitted nil is read as the default if there is a default.
      let hasDefaults = model.entities.contains { $0.attributes.contains(where: \.hasDefault) }
      options.omitsNil = !hasDefaults && random.chance(percent: 30)
      let name = model.entities[entity].name
      do throws(ExportError) {
        return (entity, try context.exportAll(of: name, options: options))
      } catch {
        options.maxObjects = nil
        options.sharedObjects = .once
        return (entity, try context.exportAll(of: name, options: options))
      }
    }
  }

  /// Whether an export contains everything about the current graph.
  func exportsEverything() throws -> Bool {
    guard model.exportsEverything else { return false }
    return try context.placeholders.allSatisfy { placeholder in
      let entity = model.entities.firstIndex { $0.name == placeholder.entity.name } ?? 0
      return model.relationshipsLostOnPlaceholders(entity).allSatisfy { name in
        switch try? placeholder.propertyValue(of: name) {
        case nil: true
        case .objects(let objects): objects.isEmpty
        default: false
        }
      }
    }
  }

  // MARK: Editing

  /// Sets a property, inserts an object or deletes one.
  mutating func edit() throws {
    let roots = model.entities.indices.filter { model.entities[$0].parent == nil }
    let all = try roots.flatMap { try candidates(model.entities[$0].name) }
    if all.isEmpty || random.chance(percent: 15) {
      let names = model.entities.filter { !$0.isAbstract }.map(\.name)
      guard !names.isEmpty else { return }
      let inserted = context.insert(ofEntity: random.pick(names))
      let name = inserted.description
      note("insert \(name)")
      if isDense { identify(inserted) }
      return
    }
    let object = random.pick(all)
    if random.chance(percent: 20) {
      let name = object.description
      note("delete \(name)")
      try? context.delete(object)
      return
    }
    let number = model.entities.firstIndex { $0.name == object.entity.name }!
    let lineage = model.lineage(number)
    let attributes = lineage.flatMap(\.attributes)
    let relationships = lineage.flatMap(\.relationships)
    if let attribute = attributes.isEmpty || random.chance(percent: 40) ? nil : random.pick(attributes) {
      guard !object.isPlaceholder else { return }
      set(attribute, object)
    } else if let relationship = relationships.isEmpty ? nil : random.pick(relationships) {
      // A different owner could give two objects the same identity, which traps (M12).
      if model.isOwning(relationship) || model.owner(number)?.name == relationship.name { return }
      try set(relationship, object)
    }
  }

  /// Returns the objects of an entity from which to choose.
  private mutating func candidates(_ name: String) throws -> [ManagedObject] {
    guard isSparing else { return try context.fetch(ofEntity: name) }
    let count = try context.count(ofEntity: name)
    return try (0..<min(count, 2)).flatMap { _ in
      try context.fetch(ofEntity: name, limit: 1, offset: random.below(count))
    }
  }

  /// Sets the identity of an inserted object, which can be an identity that other contexts also use.
  private mutating func identify(_ object: ManagedObject) {
    let number = model.entities.firstIndex { $0.name == object.entity.name }!
    let pool = random.below(payloads.poolSize)
    for attribute in model.identity(number) {
      var plain = attribute
      plain.transformer = nil
      let json = RandomPayload.identityValue(plain, pool)
      note("set \(object.entity.name).\(attribute.name) = \(json)")
      try? object.setValue(try? AttributeValue(json: json, type: attribute.type), of: attribute.name)
    }
  }

  private mutating func set(_ attribute: RandomModel.Attribute, _ object: ManagedObject) {
    var plain = attribute
    plain.transformer = nil
    let isIdentity =
      isDense
      && model.identity(model.entities.firstIndex { $0.name == object.entity.name }!)
        .contains { $0.name == attribute.name }
    let json =
      isIdentity
      ? RandomPayload.identityValue(plain, random.below(payloads.poolSize)) : RandomPayload.value(plain, &random)
    let isNil = random.chance(percent: isDense && !attribute.isOptional ? 1 : 20)
    let name = object.description
    note("set \(name).\(attribute.name) = \(isNil ? "nil" : json.description)")
    let value =
      isNil
      ? nil
      : attribute.isList
        ? try? AttributeValue(json: json, listOf: attribute.type)
        : try? AttributeValue(json: json, type: attribute.type)
    // Another object might already have the identity.
    try? object.setValue(value, of: attribute.name)
  }

  private mutating func set(_ relationship: RandomModel.Relationship, _ object: ManagedObject) throws {
    let targets = try candidates(model.entities[relationship.destination].name)
    let name = object.description
    guard relationship.isToMany else {
      let target: ManagedObject? = targets.isEmpty || random.chance(percent: 25) ? nil : random.pick(targets)
      let targetName = target?.description ?? "nil"
      note("set \(name).\(relationship.name) = \(targetName)")
      object[relationship.name] = target
      return
    }
    let chosen: [ManagedObject] = targets.isEmpty ? [] : (0..<random.below(4)).map { _ in random.pick(targets) }
    let chosenNames = chosen.map(\.description)
    note("set \(name).\(relationship.name) = \(chosenNames)")
    object[relationship.name] = chosen
  }

  // MARK: Expecting

  func expectSame(_ left: [UInt8], _ right: [UInt8], _ problem: String) throws {
    if left == right { return }
    let lines = [left, right].map { Set(String(decoding: $0, as: UTF8.self).split(separator: "\n")) }
    throw LawFailure(
      "\(problem):\n- \(lines[0].subtracting(lines[1]).sorted().joined(separator: "\n- "))\n+ \(lines[1].subtracting(lines[0]).sorted().joined(separator: "\n+ "))"
    )
  }

  func expectInvariants(_ step: String) throws {
    let problems = context.checkInvariants()
    if !problems.isEmpty { throw LawFailure("after \(step): \(problems.joined(separator: "; "))") }
  }
}
