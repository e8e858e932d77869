import Foundation
import Graft
import GraftTestSupport
import GraftTools
import Testing

/// The schemas of payloads, checked by an independent validator: Python's jsonschema. If jsonschema is not installed, nothing is checked.
@Suite("Laws of payload schemas", .enabled(if: SchemaValidator.isInstalled)) struct PayloadSchemaLawTests {
  @Test(
    "Payloads that import without faults and contradictions, and their exports, are valid under the payload schemas")
  func random() throws {
    var cases: [JSON] = []
    var (imported, rejected) = (0, 0)
    for seed in GraphLawTests.seeds where seed % 3 == 0 {
      var random = SeededRandom(seed: seed)
      let model = RandomModel(&random, isRich: seed % 2 == 0, isForExports: false)
      let loaded = try ManagedObjectModel(text: model.text, transformers: LawClosures.registry(calling: {}))
      let reads = PayloadSchema(loaded.contents, direction: .import)
      let writes = PayloadSchema(loaded.contents, direction: .export)
      let payloads = RandomPayload(model: model)
      for _ in 0..<4 {
        let number = random.below(model.entities.count)
        let entity = try #require(loaded.entity(named: model.entities[number].name))
        var payload = payloads.make(number, &random)
        if random.chance(percent: 20) { payload = RandomPayload.damaged(payload, &random) }
        let context = ManagedObjectContext(model: loaded)
        // A value that a later mention contradicts is not validated by the import.
        let report = try? context.importJSON(
          payload.description, ofEntity: entity.name, options: ImportOptions(warnings: .report))
        // Mistakes inside a dictionary that is not newer than its object are not validated either.
        let mayBeOld = report?.skipped.isEmpty == false && model.entities.contains { $0.modification != nil }
        guard let report, !mayBeOld, !report.warnings.contains(where: { $0.code == .contradiction }) else {
          rejected += 1
          continue
        }
        imported += 1
        let name = "seed \(seed), \(entity.name)"
        cases.append(["name": .string(name), "schema": reads.json(of: entity), "payload": payload])
        guard let bytes = try? context.exportAll(of: entity.name, options: ExportOptions()),
          let export = try? JSON(parsing: bytes)
        else { continue }
        cases.append(["name": .string("\(name), export"), "schema": writes.json(of: entity), "payload": export])
      }
    }
    print("\(imported) payloads were imported, \(rejected) were not")
    #expect(imported * 4 > imported + rejected)
    let faults = try SchemaValidator.faults(cases)
    if !faults.isEmpty { Issue.record("\(faults.prefix(10).joined(separator: "\n"))") }
  }

  @Test("A schema accepts what an import accepts, and refuses 95 % of the faults that a schema can express")
  func mutations() throws {
    var comparison = SchemaComparison()
    for seed in GraphLawTests.seeds where seed % 4 == 0 {
      var random = SeededRandom(seed: seed)
      let model = RandomModel(
        &random, isRich: seed % 8 == 0, hasOwners: seed % 12 == 0, hasSurroundings: seed % 20 == 0,
        hasForms: seed % 3 == 0)
      let loaded = try ManagedObjectModel(text: model.text, transformers: LawClosures.registry(calling: {}))
      let payloads = RandomPayload(model: model)
      for _ in 0..<6 {
        let number = random.below(model.entities.count)
        let entity = try #require(loaded.entity(named: model.entities[number].name))
        let payload = PayloadMutation.mutate(payloads.make(number, &random), &random)
        comparison.add(payload, of: entity, loaded, seed)
      }
    }
    try expectAgreement(comparison)
  }

  @Test("Schemas also agree with imports for a model with all forms of values")
  func forms() throws {
    let model = try ManagedObjectModel(text: FormModel.text)
    let payload = try JSON(text: FormModel.payload)
    let entity = try #require(model.entity(named: "Entry"))
    var comparison = SchemaComparison()
    comparison.add(payload, of: entity, model, 0)
    for seed in GraphLawTests.seeds {
      var random = SeededRandom(seed: seed)
      comparison.add(PayloadMutation.mutate(payload, &random), of: entity, model, seed)
    }
    try expectAgreement(comparison)
  }

  private func expectAgreement(_ comparison: SchemaComparison) throws {
    let result = try comparison.result()
    let (refused, missed) = (result.refused, result.missed.count)
    print(
      "\(result.accepted) payloads were imported, \(refused) refused, \(missed) of these only by the import; "
        + "\(comparison.inexpressible) refused for what a schema cannot express")
    if !result.wronglyRefused.isEmpty {
      Issue.record("only the schema refuses:\n\(result.wronglyRefused.prefix(10).joined(separator: "\n"))")
    }
    if missed * 20 > refused {
      Issue.record("only the import refuses:\n\(result.missed.prefix(20).joined(separator: "\n"))")
    }
    let cases = GraphLawTests.seeds.count
    if cases > 100 { #expect(result.accepted * 20 > cases && refused * 10 > cases) }
  }
}
