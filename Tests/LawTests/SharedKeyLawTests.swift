import Foundation
import Graft
import GraftTestSupport
import Testing

/// References in several keys (M24) that share keys with attributes, with to-ones, with each other and with the mapper of their object. The
/// models are random, some values mean null, and exports have random options.
///
/// `GRAFT_SHARED_KEY_CASES` sets the number of cases; `GRAFT_LAW_SEED` selects one by its seed.
@Suite("Laws of shared keys") struct SharedKeyLawTests {
  private static let seeds = LawSeeds.seeds("GRAFT_SHARED_KEY_CASES", 600)

  /// A random model: an item with attributes, a shop, and references in a few keys.
  private struct Model {
    struct Reference {
      var name: String
      var destination: String
      var keys: [(name: String, path: String)]
    }

    private static let keys = ["k0", "k1", "k2", "g.k3", "g.k4"]
    var text = ""
    var attributes: [(name: String, path: String, type: String)] = []
    var shop: String?
    var references: [Reference] = []
    let hasIdentity: Bool
    var identityType: String
    var hasInner = false
    /// Whether a key selects the entity of an item. References can share this key.
    var hasMapper = false

    init(_ random: inout SeededRandom) {
      hasIdentity = random.chance(percent: 85)
      identityType = random.element(of: ["integer64", "string", "uuid"])
      for (number, path) in Model.keys.enumerated() where random.chance(percent: 30) {
        attributes.append(("a\(number)", path, random.element(of: ["integer64", "string", "lenient"])))
      }
      let free = Model.keys.filter { key in !attributes.contains { $0.path == key } }
      if random.chance(percent: 60), let path = free.isEmpty ? nil : random.element(of: free) { shop = path }
      hasInner = random.chance(percent: 30)
      hasMapper = random.chance(percent: 30)
      for number in 0..<1 + random.below(3) {
        let isOwned = random.chance(percent: 40)
        let names = isOwned ? ["shop", "sku"] : ["a", "b"]
        var paths = Model.keys + (hasInner ? ["o.id"] : []) + (hasMapper ? ["kind"] : []) + ["own\(number)"]
        let keys = names.map { name in
          let path = random.element(of: paths)
          paths.removeAll { $0 == path }
          return (name, path)
        }
        references.append(Reference(name: "r\(number)", destination: isOwned ? "Product" : "Place", keys: keys))
      }
      text = makeText(&random)
    }

    /// Whether a nil reference can be distinguished from its values in other keys.
    func hasOwnKey(_ reference: Reference) -> Bool {
      reference.keys.contains { key in
        key.path.hasPrefix("own")
          || !attributes.contains { $0.path == key.path } && shop != key.path && !key.path.hasPrefix("o.")
            && key.path != "kind"
            && !references.contains { other in
              other.name != reference.name && other.keys.contains { $0.path == key.path }
            }
      }
    }

    /// Omits some properties.
    func choose(_ options: inout ExportOptions, _ random: inout SeededRandom) {
      let relationships = references.map(\.name) + (shop == nil ? [] : ["shop"]) + (hasInner ? ["inner"] : [])
      if random.chance(percent: 30) {
        let names = attributes.map(\.name) + relationships
        options.properties = ["Item": Set(names.filter { _ in random.chance(percent: 60) })]
      }
      if random.chance(percent: 30) {
        let name = random.element(of: relationships)
        let isExported = text.contains("\"\(name)\": {") && !isOnlyImported(name)
        if isExported { options.representations = ["Item": [name: .none]] }
      }
    }

    private func isOnlyImported(_ name: String) -> Bool {
      guard let start = text.range(of: "\"\(name)\": {\"destination\"") else { return false }
      let rest = text[start.upperBound...]
      let end = rest.range(of: "\": {\"destination\"")?.lowerBound ?? rest.endIndex
      return rest[..<end].contains("JSONDirection")
    }

    private func makeText(_ random: inout SeededRandom) -> String {
      func nulls() -> String {
        random.chance(percent: 8) ? ", \"JSONNulls\": [\(random.element(of: ["1", "\"1\"", "2"]))]" : ""
      }
      func attribute(_ type: String, _ path: String) -> String {
        let isLenient = type == "lenient"
        let direction = random.chance(percent: 10) ? ", \"JSONDirection\": \"import\"" : ""
        return
          "{\"type\": \"\(isLenient ? "integer64" : type)\", \"optional\": true, \"JSONKeyPath\": \"\(path)\"\(isLenient ? ", \"JSONTransformerName\": \"Lenient\"" : "")\(direction)\(nulls())}"
      }
      let attributes =
        ["\"id\": {\"type\": \"integer64\", \"JSONKeyPath\": \"id\"}"]
        + self.attributes.map { "\"\($0.name)\": \(attribute($0.type, $0.path))" }
      var relationships = references.map { reference in
        let keys = reference.keys.map { "\"\($0.name)\": \"\($0.path)\"" }.joined(separator: ", ")
        let rule = random.chance(percent: 20) ? ", \"unresolvedRule\": \"skip\"" : ""
        let inverse = random.chance(percent: 40)
        let direction = random.chance(percent: 10) ? ", \"JSONDirection\": \"import\"" : ""
        return (
          "\"\(reference.name)\": {\"destination\": \"\(reference.destination)\", \"JSONKeyPath\": {\(keys)}\(rule)\(direction)\(nulls())\(inverse ? ", \"inverse\": \"\(reference.name)s\"" : "")}",
          inverse ? (reference.destination, reference.name) : nil
        )
      }
      if let shop {
        let form = random.element(of: ["identifier", "identifier", "object"])
        relationships.append(
          (
            "\"shop\": {\"destination\": \"Shop\", \"inverse\": \"items\", \"JSONKeyPath\": \"\(shop)\", \"JSONRepresentation\": \"\(form)\"}",
            ("Shop", "item")
          ))
      }
      if hasInner {
        relationships.append(("\"inner\": {\"destination\": \"Shop\", \"JSONKeyPath\": \"o\"}", nil))
      }
      func inverses(_ entity: String) -> String {
        relationships.compactMap(\.1).filter { $0.0 == entity }.map { _, name in
          "\"\(name)s\": {\"destination\": \"Item\", \"toMany\": true, \"inverse\": \"\(name == "item" ? "shop" : name)\"}"
        }.joined(separator: ", ")
      }
      let sort = random.chance(percent: 50)
      return """
        {"entities": {
          \(hasMapper ? "\"Special\": {\"parent\": \"Item\"}," : "")
          "Item": {\(hasMapper ? "\"entityMapper\": {\"JSONKeyPath\": \"kind\", \"entities\": {\"1\": \"Item\", \"2\": \"Special\"}}, " : "")\(hasIdentity ? "\"identityAttributes\": \"id\", " : "")"attributes": {\(attributes.joined(separator: ", "))},
            "relationships": {\(relationships.map(\.0).joined(separator: ", "))}},
          "Shop": {"identityAttributes": "id", "attributes": {"id": {"type": "\(identityType)", "JSONKeyPath": "id"}},
            "relationships": {\(inverses("Shop"))}},
          "Product": {"identityAttributes": ["shop", "sku"],
            "attributes": {"shop": {"type": "\(identityType)", "JSONKeyPath": "shop"}, "sku": {"type": "string", "JSONKeyPath": "sku"\(nulls())}},
            "relationships": {\(inverses("Product"))}},
          "Place": {"identityAttributes": ["a", "b"],
            "attributes": {"a": {"type": "\(sort ? "integer64" : identityType)", "JSONKeyPath": "a"},
              "b": {"type": "\(identityType)", "JSONKeyPath": "b"}},
            "relationships": {\(inverses("Place"))}}}}
        """
    }
  }

  private static let uuids = ["0F8FAD5B-D9CB-469F-A165-70867728950E", "7C9E6679-7425-40DE-944B-E07FC1F90AE7"]

  /// A value that is often valid for several types.
  private static func value(_ random: inout SeededRandom, _ type: String) -> JSON {
    switch type {
    case "string": .string(random.element(of: ["1", "2", uuids[0]]))
    case "uuid": .string(random.element(of: uuids))
    default: .number(JSONNumber(1 + random.below(2)))
    }
  }

  private static func payload(_ random: inout SeededRandom, _ model: Model, _ id: Int) -> JSON {
    var object: [String: JSON] = ["id": .number(JSONNumber(id))]
    var group: [String: JSON] = [:]
    for key in ["k0", "k1", "k2", "g.k3", "g.k4", "own0", "own1", "own2"] where random.chance(percent: 70) {
      var value = random.chance(percent: 15) ? .null : value(&random, model.identityType)
      if let attribute = model.attributes.first(where: { $0.path == key }), !value.isNull {
        value = Self.value(&random, attribute.type)
      }
      if key.hasPrefix("g.") { group[String(key.dropFirst(2))] = value } else { object[key] = value }
    }
    if model.hasMapper { object["kind"] = value(&random, model.identityType == "uuid" ? "string" : model.identityType) }
    if !group.isEmpty { object["g"] = .object(JSONObject(group.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })) }
    if model.hasInner, random.chance(percent: 70) {
      object["o"] = random.chance(percent: 20) ? .null : ["id": value(&random, model.identityType)]
    }
    return .object(JSONObject(object.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
  }

  @Test("E4, E5, M24: exports of references that share keys either contain the links or omit them")
  func exports() throws {
    var (imported, whole, lost, refused) = (0, 0, 0, 0)
    for seed in Self.seeds {
      var random = SeededRandom(seed: seed)
      let description = Model(&random)
      let model = try ManagedObjectModel(text: description.text)
      let context = ManagedObjectContext(model: model)
      for id in 1...6 {
        let payload = Self.payload(&random, description, id)
        if (try? context.importJSON([payload].description, ofEntity: "Item")) != nil { imported += 1 }
      }
      try Self.edit(context, description, &random)
      var options = ExportOptions()
      options.omitsNil = random.chance(percent: 20)
      options.sortsKeys = random.chance(percent: 20)
      if random.chance(percent: 20) { options.sharedObjects = .once }
      description.choose(&options, &random)
      let story: Comment = "GRAFT_LAW_SEED=\(seed)\n\(description.text)\n\(options)"
      for entity in ["Item", "Shop", "Product", "Place"] {
        let before = String(decoding: context.dump(), as: UTF8.self)
        // Links that cannot be expressed cause errors if the keys belong to other properties.
        guard let export = try? context.exported(entity, options) else {
          refused += 1
          continue
        }
        // Objects without identity are inserted again.
        if description.hasIdentity {
          do {
            try context.importJSON(export, ofEntity: entity)
            let after = String(decoding: context.dump(), as: UTF8.self)
            #expect(after == before, "\(story.rawValue)\n\(entity): \(export)")
          } catch {
            Issue.record("\(story.rawValue)\n\(entity): \(export)\n\(error)")
          }
        }
        var strict = options
        strict.incompleteRelationships = .error
        guard entity == "Item", let complete = try? context.exported(entity, strict) else {
          lost += 1
          continue
        }
        whole += 1
        #expect(complete == export, story)
        // Omitted values are missing in the copy.
        let isWhole =
          options.properties.isEmpty && options.representations.isEmpty && !description.text.contains("JSONDirection")
        if options.sharedObjects == .once || !isWhole { continue }
        let fresh = ManagedObjectContext(model: model)
        do {
          try fresh.importJSON(complete, ofEntity: entity)
          let again = try fresh.exported(entity, strict)
          #expect(again == complete, story)
        } catch {
          Issue.record("\(story.rawValue)\n\(entity): \(complete)\n\(error)")
        }
      }
    }
    if Self.seeds.count >= 100 {
      #expect(
        imported > Self.seeds.count && whole > Self.seeds.count / 10 && lost > 10 && refused > 10,
        "\(imported) \(whole) \(lost) \(refused)")
    }
  }

  /// Links items to objects other than those that the values in the keys identify.
  private static func edit(_ context: ManagedObjectContext, _ model: Model, _ random: inout SeededRandom) throws {
    for item in try context.fetch(ofEntity: "Item") {
      for reference in model.references where random.chance(percent: 30) {
        let targets = try context.fetch(ofEntity: reference.destination)
        guard !targets.isEmpty else { continue }
        if random.chance(percent: 75) {
          item[reference.name] = random.element(of: targets)
        } else if model.hasOwnKey(reference) {
          item[reference.name] = nil as ManagedObject?
        }
      }
    }
  }
}

extension SeededRandom {
  /// - Precondition: the array is not empty.
  fileprivate mutating func element<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}
