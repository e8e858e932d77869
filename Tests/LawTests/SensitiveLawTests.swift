import Foundation
import Graft
import GraftTestSupport
import Testing

/// Text for people never contains a sensitive value, regardless of the payload (M29).
///
/// `GRAFT_LAW_SEED` selects one model by its seed.
@Suite("Laws of sensitive values") struct SensitiveLawTests {
  /// Markers, one of which is in every string and in many numbers of a payload.
  private static let marker = "QZmarkQZ"
  private static let number = "31415926535"

  /// A random model in which all attributes are sensitive; nil if it has no attributes, or if an attribute is read from a key, which text
  /// for people can contain.
  private static func model(_ one: LawCase) throws -> ManagedObjectModel? {
    if one.model.entities.allSatisfy(\.attributes.isEmpty) { return nil }
    if one.model.entities.contains(where: { $0.attributes.contains(where: \.isKey) }) { return nil }
    var description = one.loaded.contents
    for entity in description.entities.indices {
      for attribute in description.entities[entity].attributes.indices {
        description.entities[entity].attributes[attribute].isSensitive = true
      }
    }
    return try ManagedObjectModel(description, transformers: LawClosures.registry())
  }

  /// Returns the payload with markers in its values.
  private static func marked(_ value: JSON, _ random: inout SeededRandom) -> JSON {
    switch value {
    case .string(let text): return .string(random.chance(percent: 60) ? text + marker : text)
    case .number:
      guard random.chance(percent: 40) else { return value }
      return random.chance(percent: 50) ? .number(JSONNumber(number)!) : .string(marker)
    case .boolean: return random.chance(percent: 10) ? .string(marker) : value
    case .array(let elements): return .array(elements.map { marked($0, &random) })
    case .object(let object):
      return .object(JSONObject(object.map { (key: $0.key, value: marked($0.value, &random)) }))
    case .null: return value
    }
  }

  private struct Texts {
    var all: [String] = []

    mutating func add(_ diagnostics: [Diagnostic]) {
      all += diagnostics.map(\.description)
      all.append(DiagnosticRenderer(isColored: false, width: 80).render(diagnostics))
      all.append(DiagnosticRenderer(style: .json).render(diagnostics))
      all.append(String(reflecting: diagnostics))
    }

    mutating func add(_ report: ImportReport) {
      add(report.warnings)
      for element in report.faultyElements { add(element.diagnostics) }
      all += [report.description, String(reflecting: report.details), String(reflecting: report)]
    }

    mutating func add(_ context: ManagedObjectContext) throws {
      all.append(String(decoding: context.dump(), as: UTF8.self))
      all.append(context.changes.description)
      all.append(String(reflecting: context.changes.updated))
      for name in context.model.entities.map(\.name) {
        for object in try context.fetch(ofEntity: name) {
          all += [object.description, object.objectID.description, String(reflecting: object.objectID)]
          var mirrored = ""
          Swift.dump(object.objectID, to: &mirrored)
          all.append(mirrored)
        }
      }
    }
  }

  /// A trace of an object that has a single identity value.
  private static func traces(in context: ManagedObjectContext, _ random: inout SeededRandom) throws -> [ImportTrace] {
    let objects = try context.model.entities.flatMap { try context.fetch(ofEntity: $0.name) }
    let known = objects.filter { $0.objectID.identity?.count == 1 }.map(\.objectID)
    guard let id = known.isEmpty ? nil : random.pick(known), let value = id.identity?.first else { return [] }
    let text = value.stringValue ?? value.description
    return (try? ImportTrace(id.entityName, text, in: context.model)).map { [$0] } ?? []
  }

  private static func run(
    seed: UInt64
  ) throws -> (imports: Int, failures: Int, mentions: Int, exports: Bool)? {
    var one = try LawCase(seed: seed, isRich: true, hasOwners: true, hasSurroundings: seed % 3 == 0)
    guard let model = try model(one) else { return nil }
    let isStored = seed % 4 == 0
    let context =
      isStored
      ? ManagedObjectContext(store: SnapshotStore.inMemory(model: model)) : ManagedObjectContext(model: model)
    var (texts, imports, failures, mentions) = (Texts(), 0, 0, 0)
    for _ in 0..<12 {
      var (entity, payload) = one.payload()
      payload = marked(payload, &one.random)
      if one.isDamaged { payload = RandomPayload.damaged(payload, &one.random) }
      var text = payload.description
      if one.random.chance(percent: 10) { text = String(text.dropLast(one.random.below(12) + 1)) }
      var options = ImportOptions()
      options.unknownKeys = one.random.chance(percent: 30) ? .error : .report
      options.faultyElements = one.random.chance(percent: 30) ? .skip : .error
      options.warnings = one.random.chance(percent: 20) ? .error : .report
      options.reportsDetails = true
      let traces = try traces(in: context, &one.random)
      options.traces = traces
      imports += 1
      let name = one.model.entities[entity].name
      do throws(ImportError) {
        switch (one.random.below(4), RandomPayload.foundation(payload)) {
        case (0, _): texts.add(try context.importJSON(payload, ofEntity: name, options: options))
        case (1, let list as [Any]): texts.add(try context.importJSON(list, ofEntity: name, options: options))
        case (1, let object as [String: Any]):
          texts.add(try context.importJSON(object, ofEntity: name, options: options))
        default: texts.add(try context.importJSON(text, ofEntity: name, options: options))
        }
      } catch {
        failures += 1
        texts.add(error.diagnostics)
        texts.all.append("\(error)")
      }
      for trace in traces {
        texts.all += [trace.name, String(reflecting: trace.mentions), "\(trace.suggestions(in: context))"]
        mentions += trace.mentions.count
      }
      try texts.add(context)
    }
    for text in texts.all where text.contains(marker) || text.contains(number) {
      let place = text.range(of: marker) ?? text.range(of: number)!
      let start = text.index(place.lowerBound, offsetBy: -200, limitedBy: text.startIndex) ?? text.startIndex
      throw LawFailure("seed \(seed): \(text[start...].prefix(400))\n\(one.model.text)")
    }
    let exported = model.entities.compactMap { entity in
      (try? context.fetch(ofEntity: entity.name)).flatMap { try? jsonData(from: $0) }
    }
    return (imports, failures, mentions, exported.contains { String(decoding: $0, as: UTF8.self).contains(marker) })
  }

  @Test("M29: no message, report, dump or description contains a sensitive value")
  func nothingIsShown() throws {
    if let seed = ProcessInfo.processInfo.environment["GRAFT_LAW_SEED"].flatMap(UInt64.init) {
      _ = try Self.run(seed: seed)
      return
    }
    var (imports, failures, mentions, exports) = (0, 0, 0, 0)
    for seed in 1...150 as ClosedRange<UInt64> {
      guard let result = try Self.run(seed: seed) else { continue }
      imports += result.imports
      failures += result.failures
      mentions += result.mentions
      exports += result.exports ? 1 : 0
    }
    // Otherwise, the law would prove nothing.
    let facts = "\(imports) imports, \(failures) failures, \(mentions) mentions, \(exports) exports"
    #expect(imports > 500 && failures > 100 && imports - failures > 100, "\(facts)")
    #expect(mentions > 100 && exports > 20, "\(facts)")
  }
}
