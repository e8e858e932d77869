import Foundation

@testable import Graft

/// A faulty payload in `Tests/Fixtures/bad-payloads`, `<topic>/<case>.json`, next to the output that users see when they import it.
///
/// The model of a topic is `model.json`. If the topic has a file `existing.json`, it contains the objects that exist before each import, by
/// the names of their entities. `<case>.options` sets options other than the defaults.
struct BadPayload: Sendable, CustomStringConvertible {
  /// The import options of a case.
  struct Options: Decodable {
    struct Limits: Decodable {
      var bytes, depth, objects, stringBytes, numberBytes, errors: Int?
    }

    /// The entity of the objects, or nil for the first entity of the model.
    var entity: String?
    var at: String?
    var unknownKeys: String?
    var limits: Limits?
    /// Whether the payload is imported as a single object.
    var isSingle: Bool?
    /// Whether the payload is JSON Lines.
    var isLines: Bool?
    /// `delete` deletes the objects that the payload does not mention.
    var missing: String?
  }

  /// The topic and the case, such as `types/string-for-an-integer`.
  let description: String

  static let folder = BadModel.folder.deletingLastPathComponent()
    .appendingPathComponent("bad-payloads", isDirectory: true)

  static let all: [BadPayload] = {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return paths.filter {
      $0.hasSuffix(".json") && !$0.hasSuffix("/model.json") && !$0.hasSuffix("/existing.json")
    }.sorted().map { BadPayload(description: String($0.dropLast(5))) }
  }()

  var topic: String { String(description.prefix { $0 != "/" }) }
  var file: URL { Self.folder.appendingPathComponent(description + ".json") }
  var expectedFile: URL { Self.folder.appendingPathComponent(description + ".expected") }
  private var topicFolder: URL { Self.folder.appendingPathComponent(topic, isDirectory: true) }

  func options() throws -> Options {
    let url = Self.folder.appendingPathComponent(description + ".options")
    guard FileManager.default.fileExists(atPath: url.path) else { return Options() }
    return try JSONDecoder().decode(Options.self, from: Data(contentsOf: url))
  }

  /// A context with the model of the topic and the objects that exist before the import.
  func context() throws -> ManagedObjectContext {
    let text = try String(contentsOf: topicFolder.appendingPathComponent("model.json"), encoding: .utf8)
    let closures = BadPayloadClosures()
    let model = try ManagedObjectModel(
      text: text, name: "model.json", transformers: closures.registry(topic), classes: closures.classes(topic))
    let context = ManagedObjectContext(model: model)
    closures.context = context
    let existing = topicFolder.appendingPathComponent("existing.json")
    if FileManager.default.fileExists(atPath: existing.path) {
      let objects = try JSONDecoder().decode(JSON.self, from: Data(contentsOf: existing)).objectValue?.members ?? []
      try context.importJSON(
        Data(contentsOf: existing), objects.map { .objects(ofEntity: $0.key, at: JSONKeyPath(keys: [$0.key])) })
    }
    return context
  }

  /// Imports the payload.
  ///
  /// - Returns: the error that the import throws, or nil if the payload is accepted.
  func error(in context: ManagedObjectContext) throws -> ImportError? {
    let set = try options()
    let entity = set.entity ?? context.model.entities[0].name
    let path = set.at.map { JSONKeyPath(keys: $0.split(separator: ".").map(String.init)) }
    var options = ImportOptions(sourceName: file.lastPathComponent)
    options.unknownKeys = set.unknownKeys.flatMap(ImportOptions.UnknownKeys.init) ?? .ignore
    options.limits.bytes = set.limits?.bytes ?? options.limits.bytes
    options.limits.depth = set.limits?.depth ?? options.limits.depth
    options.limits.objects = set.limits?.objects ?? options.limits.objects
    options.limits.stringBytes = set.limits?.stringBytes ?? options.limits.stringBytes
    options.limits.numberBytes = set.limits?.numberBytes ?? options.limits.numberBytes
    options.limits.errors = set.limits?.errors ?? options.limits.errors
    do throws(ImportError) {
      let data: Data
      do { data = try Data(contentsOf: file) } catch { return nil }
      if set.isLines == true {
        let stream = try ImportStream(ofEntity: entity, in: context, format: .lines, options: options)
        try stream.append(data)
        try stream.finish()
      } else if set.missing == "delete" {
        try context.importJSON(data, [.objects(ofEntity: entity, at: path, missing: .delete)], options: options)
      } else if set.isSingle == true {
        try object(ofEntity: entity, fromJSON: data, in: context, at: path, options: options)
      } else {
        try objects(ofEntity: entity, fromJSON: data, in: context, at: path, options: options)
      }
      return nil
    } catch {
      return error
    }
  }
}

/// The closures that a program registers for the topics of the catalog.
private final class BadPayloadClosures: @unchecked Sendable {
  weak var context: ManagedObjectContext?

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private final class Watched: ManagedObject, ImportObserving {
    static func shouldImport(_ payload: JSON) throws -> Bool {
      try check("shouldImport", payload)
      return true
    }

    func willImport(_ payload: JSON) throws { try Self.check("willImport", payload) }

    func didImport(_ payload: JSON) throws { try Self.check("didImport", payload) }

    private static func check(_ hook: String, _ payload: JSON) throws {
      if payload["name"]?.stringValue == hook { throw Failure(description: "the watch is over") }
    }
  }

  func classes(_ topic: String) -> [ManagedObject.Type] { topic == "closures" ? [Watched.self] : [] }

  func registry(_ topic: String) -> TransformerRegistry {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Rank") { (rank: Int) throws -> Int? in
      if rank == 13 { throw Failure(description: "there is no rank 13") }
      return rank * 10_000
    }
    registry.registerValueTransformer(named: "Look") { [self] (number: Int) throws -> Int? in
      try context?.importJSON(#"{"id": 2}"#, ofEntity: "Watched")
      return number
    }
    registry.registerDictionaryTransformer(named: "Flatten") { dictionary in
      if dictionary["fails"] != nil { throw Failure(description: "it is flat already") }
      if dictionary["isNoJSON"] != nil { return ["id": Date(timeIntervalSince1970: 0)] }
      return dictionary["made"] == nil ? nil : ["id": "five"]
    }
    registry.registerEntityMapper(named: "Kind") { dictionary in
      if dictionary["fails"] != nil { throw Failure(description: "there is no kind") }
      return dictionary["kind"] as? String
    }
    registry.registerEntityMapper(named: "NoAnswer") { _ in nil }
    if topic == "values" {
      registry.registerValidation(ofEntity: "Event", attribute: "seats") { (seats: Int) in
        if seats == 13 { throw ValidationFailure("13 brings bad luck") }
      }
      registry.registerValidation(ofEntity: "Event") { event in
        guard let start: Int = event["start"], let end: Int = event["end"], end < start else { return }
        throw ValidationFailure("it ends before it begins", of: "end")
      }
    }
    return registry
  }
}
