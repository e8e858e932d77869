import Foundation
import Graft
import GraftTestSupport

/// A model that is loaded once, and the entity as which its payloads are imported.
struct PayloadSetting: Sendable {
  let model: ManagedObjectModel
  let entity: String
  var keyPath: JSONKeyPath?
  /// The graph before an import.
  private let base: ContextSnapshot
  fileprivate let payloads: [[UInt8]]

  /// Creates a context whose graph is empty or equals the base.
  func context(hasBase: Bool = false) -> ManagedObjectContext {
    hasBase ? ManagedObjectContext(base) : ManagedObjectContext(model: model)
  }

  private init(
    _ model: ManagedObjectModel, _ entity: String, _ payloads: [[UInt8]], keyPath: JSONKeyPath? = nil, base: Int = 0
  ) throws {
    self.model = model
    self.entity = entity
    self.payloads = payloads
    self.keyPath = keyPath
    let context = ManagedObjectContext(model: model)
    try context.importJSON(payloads[base], ofEntity: entity, at: keyPath)
    self.base = context.snapshot()
  }

  private init(_ name: String, _ entity: String, _ payloads: String..., keyPath: JSONKeyPath? = nil) throws {
    let text = String(decoding: try Repository.bytes("Models/\(name).json"), as: UTF8.self)
    let model = try PayloadSetting.model(text, entity)
    let payloads = try payloads.map { try Repository.bytes("Examples/Payloads/\($0).json") }
    try self.init(model, entity, payloads, keyPath: keyPath)
  }

  /// Loads a model that declares a class for an entity.
  private static func model(
    _ text: String, _ entity: String, _ transformers: TransformerRegistry = .standard
  ) throws -> ManagedObjectModel {
    let classes = CodableTarget.classes.filter { $0.entityName == entity }
    return try ManagedObjectModel(text: text, transformers: transformers, classes: classes)
  }

  /// The settings, by the first byte of an input.
  static let all: [PayloadSetting] = {
    do {
      return try [
        PayloadSetting("Comics", "Hero", "comics", "comics-update"), PayloadSetting("Comics", "Power", "powers"),
        PayloadSetting("Cards", "Deck", "cards"), PayloadSetting("Messages", "Conversation", "messages"),
        PayloadSetting("Timetable", "Course", "timetable", "timetable-update"),
        PayloadSetting("Posts", "Post", "posts"),
        PayloadSetting("Twitter", "Tweet", "tweets", keyPath: "statuses"),
        PayloadSetting("GitHubEvents", "Event", "events"),
        PayloadSetting("Catalog", "Event", "catalog", keyPath: "events"), everyWord(),
      ]
    } catch {
      fatalError("\(error)")
    }
  }()

  /// Returns the setting that the first byte of an input selects.
  static func named(by byte: UInt8) -> PayloadSetting { all[Int(byte) % all.count] }

  /// The payloads of all settings, each after a header that selects its setting.
  static func inputs(headerLength: Int) throws -> [[UInt8]] {
    all.enumerated().flatMap { index, setting in
      setting.payloads.map { [UInt8(index)] + Array(repeating: 0, count: headerLength - 1) + $0 }
    }
  }

  /// A model that uses every key of model files.
  private static func everyWord() throws -> PayloadSetting {
    var transformers = TransformerRegistry.standard
    transformers.registerDictionaryTransformer(named: "Flatten") { $0 }
    transformers.registerEntityMapper(named: "Guess") { _ in "Villain" }
    let payloads = [
      #"""
      [{"id": 1, "type": "hero", "a": {"b": "Bat"}, "kind": "x", "version": 3, "stats": {"strength": 9.5, "rank": "high"},
        "since": "2014-08-31", "names": "Bat, Man", "count": "2", "team": {"league": "A", "title": "B"},
        "friends": ["/heroes/2", 0], "rival": {"league": "A", "title": "C"},
        "allies": {"edges": [{"node": "A/D"}, {"node": "A/E"}]}},
       {"ident": 2, "type": "h", "name": "Cat", "kind": "y", "version": 4, "names": ["Cat"], "status": {"is_deleted": "no"}}]
      """#,
      #"[{"id": 1, "type": "hero", "status": {"is_deleted": "yes"}, "version": 9}, {"id": 3, "type": "villain", "kind": "z"}]"#,
      "[]",
    ]
    return try PayloadSetting(
      model(everyWordOfTheModelFile, "Thing", transformers), "Thing",
      payloads.map { Array($0.utf8) }, base: 2)
  }
}
