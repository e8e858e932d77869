import Foundation
import Graft
import GraftTestSupport
import GraftTools
import Testing

/// A trace contains everything that happens to an object, and tracing changes nothing.
///
/// `GRAFT_LAW_SEED` selects one model by its seed.
@Suite("Laws of traces") struct TraceLawTests {
  /// The objects of a graph by name: attributes and to-ones as values, to-manys as sets of names.
  private static func objects(_ context: ManagedObjectContext) throws -> [UTF8Key: [String: Property]] {
    var objects: [UTF8Key: [String: Property]] = [:]
    let dump = try #require(try JSON(parsing: Array(context.dump())).objectValue)
    for (_, list) in dump {
      for object in list.arrayValue ?? [] {
        guard let name = object["id"]?.stringValue else { continue }
        var properties: [String: Property] = [:]
        for (key, value) in object["attributes"]?.objectValue ?? JSONObject([]) { properties[key] = .value(value) }
        for (key, value) in object["relationships"]?.objectValue ?? JSONObject([]) {
          properties[key] =
            value.arrayValue.map { .links(toNamed: $0.compactMap(\.stringValue)) }
            ?? .value(value, isRelationship: true)
        }
        objects[UTF8Key(name)] = properties
      }
    }
    return objects
  }

  private enum Property: Equatable {
    case value(JSON)
    case links(Set<UTF8Key>)

    /// The links to objects, identified by their identities because an object's entity can change later.
    static func links(toNamed names: some Sequence<String>) -> Property { .links(Set(names.map(identity))) }

    /// The value of an attribute, or the identity of the object to which a to-one leads.
    static func value(_ value: JSON, isRelationship: Bool) -> Property {
      .value(isRelationship ? value.stringValue.map { .string(identity($0).text) } ?? .null : value)
    }

    private static func identity(_ name: String) -> UTF8Key { UTF8Key(String(name.drop { $0 != "(" && $0 != "#" })) }
  }

  /// Returns the state of an object after a number of mentions.
  private static func replay(_ mentions: [ImportTrace.Mention], on former: [String: Property]?) -> [String: Property] {
    var properties = former ?? [:]
    for change in mentions.flatMap(\.changes) {
      switch change.effect {
      case .value(_, let new):
        properties[change.property] = .value(new, isRelationship: change.isRelationship)
      case .links(let added, let removed):
        guard case .links(let added) = Property.links(toNamed: added),
          case .links(let removed) = Property.links(toNamed: removed)
        else { continue }
        var links: Set<UTF8Key> = []
        if case .links(let earlier)? = properties[change.property] { links = earlier }
        properties[change.property] = .links(links.union(added).subtracting(removed))
      }
    }
    return properties
  }

  /// The entity and the identity in a name; nil if the object has no identity.
  private static func parts(_ name: String) -> (entity: String, identity: String)? {
    guard let open = name.firstIndex(of: "("), name.hasSuffix(")") else { return nil }
    return (String(name[..<open]), String(name[name.index(after: open)...].dropLast()))
  }

  @Test(
    "A traced import produces the same graph, and the changes of its mentions lead from the old object to the new one")
  func completeness() throws {
    var (traced, mentioned) = (0, 0)
    for seed in GraphLawTests.seeds {
      var one = try LawCase(seed: seed, isRich: seed % 2 == 0, hasSurroundings: seed % 3 == 0)
      let (first, earlier) = one.payload()
      _ = try one.importing(earlier, first)
      let before = try TraceLawTests.objects(one.context)
      let (entity, payload) = one.payload()
      let name = one.model.entities[entity].name
      let bytes = Array(payload.description.utf8)
      let plain = ManagedObjectContext(model: one.loaded)
      plain.restore(one.context.snapshot())
      guard (try? plain.importJSON(bytes, ofEntity: name)) != nil else { continue }
      let after = try TraceLawTests.objects(plain)
      // An object without identity has no lasting name, and an object whose entity changes has two names.
      var traces: [ImportTrace] = []
      for name in Set(before.keys).union(after.keys) {
        guard let (entity, identity) = TraceLawTests.parts(name.text) else { continue }
        let others = before.keys.compactMap { TraceLawTests.parts($0.text)?.identity }
        if before[name] == nil, others.contains(where: { UTF8Key($0) == UTF8Key(identity) }) { continue }
        traces.append(try ImportTrace(entity, identity, in: one.loaded))
      }
      var options = ImportOptions()
      options.traces = traces
      _ = try one.context.importJSON(bytes, ofEntity: name, options: options)
      #expect(one.context.dump() == plain.dump(), "seed \(seed)\n\(one.story)")
      for trace in traces {
        traced += 1
        mentioned += trace.mentions.isEmpty ? 0 : 1
        let replayed = TraceLawTests.replay(trace.mentions, on: before[UTF8Key(trace.name)])
        guard let now = after[UTF8Key(trace.name)] else {
          #expect(
            trace.mentions.last?.match == .deleted || TraceLawTests.isNarrowed(trace, before, after),
            "seed \(seed): \(trace.name)")
          continue
        }
        // A trace does not repeat identifiers as values.
        let isCreated = trace.mentions.contains { $0.match == .placeholder }
        let facts = ModelFacts(one.loaded.contents)
        let identity = facts.entity(trace.entityName).map { facts.identity($0).map(\.name) } ?? []
        for (property, value) in now where !TraceLawTests.hasNameless(value) {
          let told = replayed[property] ?? .value(.null)
          let isEmpty = value == .links([]) && told == .value(.null)
          if isCreated, told == .value(.null), identity.contains(property) { continue }
          #expect(told == value || isEmpty, "seed \(seed): \(trace.name).\(property)\n\(payload)\n\(one.story)")
        }
      }
    }
    #expect(traced > GraphLawTests.seeds.count && mentioned > GraphLawTests.seeds.count / 2)
  }

  /// Whether an object has a different name now because its entity changed.
  private static func isNarrowed(
    _ trace: ImportTrace, _ before: [UTF8Key: [String: Property]], _ after: [UTF8Key: [String: Property]]
  ) -> Bool {
    after.keys.contains { before[$0] == nil && parts($0.text)?.identity == trace.identity }
  }

  /// Whether a property leads to an object without identity, which has a different name later.
  private static func hasNameless(_ property: Property) -> Bool {
    switch property {
    case .links(let names): names.contains { $0.text.hasPrefix("#") }
    case .value(.string(let name)): name.hasPrefix("#")
    case .value: false
    }
  }
}
