import Foundation
import Graft
import GraftTestSupport
import Testing

/// Exports with all options, imported into the original graph.
///
/// `GRAFT_EXPORT_CASES` sets the number of cases: 5,000 by default, fewer in continuous integration. Each case is one export of a random
/// graph with random options. Each model is used for fifty cases; `GRAFT_LAW_SEED` selects the cases of one model.
@Suite("Laws of exports") struct ExportLawTests {
  private static let graphsOfModel = 10
  private static let exportsOfGraph = 5
  private static let parts: UInt64 = 4
  private static let seeds = LawSeeds.seeds("GRAFT_EXPORT_CASES", 5_000, each: graphsOfModel * exportsOfGraph)

  private struct Counts {
    var cases = 0
    /// The export threw an error.
    var refused = 0
    /// The import did not change the graph.
    var same = 0
    /// Objects without identity were inserted again from each dictionary that describes them (I2).
    var inserted = 0
  }

  @Test("E5: importing an export into its own graph changes nothing, regardless of the options", arguments: 0..<parts)
  func exports(part: UInt64) {
    var counts = Counts()
    var failures = 0
    for seed in Self.seeds where seed % Self.parts == part || Self.seeds.count == 1 {
      do {
        var one = try LawCase(
          seed: seed, isForExports: true, hasOwners: true, hasSurroundings: seed % 3 > 0, hasForms: seed % 2 == 0)
        do {
          for _ in 0..<Self.graphsOfModel { try tryGraph(&one, &counts) }
          continue
        } catch {
          Issue.record("GRAFT_LAW_SEED=\(seed): \(error)\n\(one.story)")
        }
      } catch {
        Issue.record("GRAFT_LAW_SEED=\(seed): \(error)")
      }
      failures += 1
      if failures == 3 { return }
    }
    print("GRAFT_LAW_SEED=\(Self.seeds), part \(part): \(counts)")
    if Self.seeds.count >= 100 {
      #expect(counts.cases >= Self.seeds.count / 4 * Self.graphsOfModel * Self.exportsOfGraph)
      #expect(counts.same > counts.cases / 2 && counts.refused > 10 && counts.inserted > 10)
    }
  }

  private func tryGraph(_ one: inout LawCase, _ counts: inout Counts) throws {
    try fill(&one)
    for _ in 0..<Self.exportsOfGraph {
      counts.cases += 1
      // After the import, objects without identity are different objects.
      if try tryExport(&one, &counts) { try fill(&one) }
    }
  }

  @Test("E2: an array of roots contains every object that the array of all objects contains", arguments: 0..<parts)
  func roots(part: UInt64) throws {
    var (cases, shorter) = (0, 0)
    for seed in Self.seeds where seed % Self.parts == part || Self.seeds.count == 1 {
      var one = try LawCase(seed: seed, isForExports: true, hasOwners: false, hasSurroundings: false)
      // An import would not read the contents of a relationship that is only exported.
      if one.model.entities.contains(where: { $0.relationships.contains { $0.direction == "export" } }) { continue }
      for _ in 0..<Self.graphsOfModel {
        try fill(&one)
        for entity in one.model.entities {
          guard let all = try? one.context.exportAll(of: entity.name, options: ExportOptions(maxObjects: 300)),
            let roots = try? one.context.exportAll(
              of: entity.name, options: ExportOptions(rootsOnly: true, maxObjects: 300)),
            let whole = try Self.described(all, entity.name, one.context.model)
          else { continue }
          // If nothing in the payload identifies an object's sub-entity, its last description is used.
          if try !Self.names(of: entity, one).isSubset(of: whole) { continue }
          cases += 1
          if roots.count < all.count { shorter += 1 }
          let described = try Self.described(roots, entity.name, one.context.model)
          #expect(
            described == whole,
            """
            GRAFT_LAW_SEED=\(seed) \(entity.name): \(one.story)
            all: \(String(decoding: all, as: UTF8.self))
            roots: \(String(decoding: roots, as: UTF8.self))
            """)
        }
      }
    }
    print("GRAFT_LAW_SEED=\(Self.seeds), part \(part): \(cases) cases, \(shorter) shorter")
    if Self.seeds.count >= 100 { #expect(shorter > 10) }
  }

  /// The objects with an identity of an entity and its sub-entities.
  private static func names(of entity: RandomModel.Entity, _ one: LawCase) throws -> Set<String> {
    func isKind(_ name: Substring) -> Bool {
      var other = one.model.entities.first { $0.name == name }
      while let candidate = other, candidate.name != entity.name {
        other = candidate.parent.map { one.model.entities[$0] }
      }
      return other != nil
    }
    return Set(
      try objects(one.context.dumpBytes()).filter { name, object in
        isIdentified(name) && object["placeholder"] == false && isKind(name.prefix { $0 != "(" })
      }.keys)
  }

  /// The objects with an identity that an export describes; nil if the export cannot be imported alone.
  private static func described(_ export: [UInt8], _ name: String, _ model: ManagedObjectModel) throws -> Set<String>? {
    let context = ManagedObjectContext(model: model)
    guard (try? context.importJSON(export, ofEntity: name)) != nil else { return nil }
    return Set(
      try objects(context.dumpBytes()).filter { isIdentified($0.key) && $0.value["placeholder"] == false }.keys)
  }

  /// Makes a graph by imports and, occasionally, by edits.
  private func fill(_ one: inout LawCase) throws {
    one.startAgain()
    for _ in 0..<1 + one.random.below(4) {
      let (entity, payload) = one.payload()
      _ = try one.importing(payload, entity)
    }
    guard one.random.chance(percent: 30) else { return }
    try? one.context.commit()
    for _ in 0..<1 + one.random.below(6) { try one.edit() }
    do {
      try one.context.commit()
    } catch {
      // An import would also refuse this graph.
      one.context.rollBack()
      one.note("rolled back")
    }
  }

  /// Exports and imports. Returns true if objects were inserted.
  private func tryExport(_ one: inout LawCase, _ counts: inout Counts) throws -> Bool {
    let options = Self.options(&one)
    let before = one.context.dumpBytes()
    let document: (entity: Int, bytes: [UInt8])?
    do {
      document = try Self.export(&one, options)
    } catch let error as ExportError {
      counts.refused += 1
      one.note("  export fails: \(error)")
      try one.expectSame(before, one.context.dumpBytes(), "a failed export changed the graph")
      try one.expectInvariants("a failed export")
      return false
    }
    guard let (entity, bytes) = document else { return false }
    // The elements of a collection by keys and of a list of identifiers are also on separate lines.
    if options.writesLines {
      guard bytes.isEmpty || bytes.last == UInt8(ascii: "\n"), !bytes.contains([10, 10]) else {
        throw LawFailure("the export has blank or unfinished lines")
      }
    }
    one.note("export \(options)")
    try one.expectInvariants("an export")
    let report: ImportReport
    let name = one.model.entities[entity].name
    one.note("import \(name): \(String(decoding: bytes, as: UTF8.self))")
    do throws(ImportError) {
      report =
        options.writesLines
        ? try Self.importLines(bytes, name, one.context) : try one.context.importJSON(bytes, ofEntity: name)
    } catch {
      // New objects without identity can take over links that old objects require.
      guard try Self.objects(before).keys.contains(where: { !Self.isIdentified($0) }) else {
        throw LawFailure("an export cannot be imported: \(error)")
      }
      try one.expectSame(before, one.context.dumpBytes(), "a failed import changed the graph")
      return false
    }
    try one.expectInvariants("the import of an export")
    let after = one.context.dumpBytes()
    guard !report.inserted.isEmpty else {
      try one.expectSame(before, after, "importing an export changed something")
      // Dictionaries that are not newer than the stored object are skipped (M17).
      let skipsEqual = one.model.entities.contains { $0.modification != nil }
      guard report.updated.isEmpty, report.deleted.isEmpty, report.placeholders.isEmpty, report.filled.isEmpty,
        report.skipped.isEmpty || skipsEqual
      else {
        throw LawFailure("the report says that something changed: \(report)")
      }
      counts.same += 1
      return false
    }
    counts.inserted += 1
    try expectNothingLost(try Self.objects(before), try Self.objects(after), one.model)
    return true
  }

  private static func importLines(
    _ bytes: [UInt8], _ name: String, _ context: ManagedObjectContext
  ) throws(ImportError) -> ImportReport {
    let stream = try ImportStream(
      ofEntity: name, in: context, format: .lines, batches: ImportBatches(atomicity: .whole))
    try stream.append(bytes)
    return try stream.finish()
  }

  // MARK: Exporting

  private static func options(_ one: inout LawCase) -> ExportOptions {
    var options = ExportOptions(maxObjects: 500)
    if one.random.chance(percent: 60) { options.maxDepth = 1 + one.random.below(8) }
    if one.random.chance(percent: 30) { options.sharedObjects = .once }
    options.omitsNil = one.random.chance(percent: 30)
    options.sortsKeys = one.random.chance(percent: 20)
    options.indents = one.random.chance(percent: 10)
    options.identifiersOnly = one.random.chance(percent: 10)
    options.rootsOnly = one.random.chance(percent: 15)
    options.writesLines = one.random.chance(percent: 15)
    if one.random.chance(percent: 8) { options.incompleteRelationships = .error }
    for (number, entity) in one.model.entities.enumerated() {
      let lineage = one.model.lineage(number)
      let relationships = lineage.flatMap(\.relationships)
      if one.random.chance(percent: 10) {
        let names = lineage.flatMap(\.attributes).map(\.name) + relationships.map(\.name)
        options.properties[entity.name] = Set(names.filter { _ in one.random.chance(percent: 50) })
      }
      for relationship in relationships
      where relationship.path != nil && relationship.direction != "import" && one.random.chance(percent: 8) {
        options.representations[entity.name, default: [:]][relationship.name] = one.random.pick([
          RelationshipDescription.JSONRepresentation.object, .identifier, .none,
        ])
      }
    }
    return options
  }

  /// All objects of an entity, one object, or several objects of one entity; nil if the entity has no objects.
  private static func export(
    _ one: inout LawCase, _ options: ExportOptions
  ) throws -> (entity: Int, bytes: [UInt8])? {
    let entity = one.random.below(one.model.entities.count)
    let name = one.model.entities[entity].name
    if one.random.chance(percent: 60) {
      var options = options
      options.pieceLength = one.random.below(40)
      return (entity, try one.context.exportAll(of: name, options: options))
    }
    let all = try one.context.fetch(ofEntity: name).filter { $0.entity.name == name }
    if one.random.chance(percent: 50) {
      // A placeholder that is exported alone is written as an object, because there is nothing else to write.
      guard let object = all.filter({ !$0.isPlaceholder }).randomElement(using: &one.random) else { return nil }
      return (
        entity,
        try sameText(isLines: options.writesLines) {
          try jsonData(from: object, options: options)
        } andDictionaries: {
          try json(from: object, options: options)
        }
      )
    }
    let some = Array(all.shuffled(using: &one.random).prefix(1 + one.random.below(4)))
    if some.isEmpty { return nil }
    return (
      entity,
      try sameText(isLines: options.writesLines) {
        try jsonData(from: some, options: options)
      } andDictionaries: {
        try json(from: some, options: options)
      }
    )
  }

  /// Exports as text and as dictionaries. Both must be equal, or fail with the same error (E1).
  private static func sameText(
    isLines: Bool, _ text: () throws -> Data, andDictionaries dictionaries: () throws -> Any
  ) throws -> [UInt8] {
    let bytes: [UInt8]
    if isLines { return Array(try text()) }
    do {
      bytes = Array(try text())
    } catch let error as ExportError {
      do {
        _ = try dictionaries()
        throw LawFailure("dictionaries are exported, and their text is not: \(error)")
      } catch let other as ExportError {
        guard "\(other)" == "\(error)" else { throw LawFailure("dictionaries fail with '\(other)', not '\(error)'") }
      }
      throw error
    }
    let (read, made) = (described(try JSON(parsing: bytes).foundationValue), described(try dictionaries()))
    // A collection by keys is a single value, which is the only element.
    guard made == read || made == "[\(read)]" else { throw LawFailure("dictionaries are \(made), not \(read)") }
    return bytes
  }

  /// Describes a tree of Foundation values with their types.
  private static func described(_ value: Any) -> String {
    switch value {
    case let members as [String: Any]:
      "{\(members.sorted { $0.key < $1.key }.map { "\($0.key): \(described($0.value))" }.joined(separator: ", "))}"
    case let elements as [Any]: "[\(elements.map(described).joined(separator: ", "))]"
    default: "\(type(of: value)) \(value)"
    }
  }

  // MARK: Comparing

  /// The objects of a dump, by name.
  private static func objects(_ dump: [UInt8]) throws -> [String: JSON] {
    let read = try JSONSerialization.jsonObject(with: Data(dump))
    guard case .object(let entities) = try JSON(foundation: read) else { return [:] }
    var objects: [String: JSON] = [:]
    for (_, list) in entities {
      for object in list.arrayValue ?? [] { objects[object["id"]?.stringValue ?? ""] = object }
    }
    return objects
  }

  private static func isIdentified(_ name: String) -> Bool { name.contains("(") }

  /// Checks that objects with an identity keep their values and the links between them, and have at least as many links to other objects.
  private func expectNothingLost(
    _ before: [String: JSON], _ after: [String: JSON], _ model: RandomModel
  ) throws {
    // When new objects replace the objects in a list, the old objects are deleted, along with other objects' links to them.
    let deletesOrphans = model.entities.contains { $0.relationships.contains(where: \.deletesOrphans) }
    for (name, old) in before where Self.isIdentified(name) {
      guard let new = after[name] else {
        if deletesOrphans { continue }
        throw LawFailure("\(name) is gone")
      }
      guard old["attributes"] == new["attributes"], old["placeholder"] == new["placeholder"] else {
        throw LawFailure("\(name) was\n- \(old), and is\n+ \(new)")
      }
      if deletesOrphans { continue }
      for (relationship, links) in old["relationships"]?.objectValue ?? [:] {
        let (was, now) = (Self.targets(links), Self.targets(new["relationships"]?[relationship]))
        guard was.filter(Self.isIdentified) == now.filter(Self.isIdentified), was.count <= now.count else {
          throw LawFailure("\(name).\(relationship) was \(was), and is \(now)")
        }
      }
    }
    for name in after.keys where Self.isIdentified(name) && before[name] == nil {
      throw LawFailure("\(name) is new")
    }
  }

  private static func targets(_ links: JSON?) -> [String] {
    switch links {
    case .string(let name): [name]
    case .array(let names): names.compactMap(\.stringValue)
    default: []
    }
  }
}
