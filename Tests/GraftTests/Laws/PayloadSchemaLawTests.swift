import Foundation
import Graft
import GraftTestSupport
import GraftTools
import Testing

/// The schemas of payloads, checked by an independent validator: Python's jsonschema. Without it, nothing is checked.
@Suite("Laws of payload schemas", .enabled(if: SchemaValidator.isInstalled)) struct PayloadSchemaLawTests {
  @Test(
    "What imports without faults and contradictions, and what is exported of it, is valid by the schemas of payloads")
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
        // A value that a later mention contradicts is not validated.
        let report = try? context.importJSON(
          payload.description, ofEntity: entity.name, options: ImportOptions(warnings: .report))
        // Nor is what is wrong inside a dictionary that is not newer than its object.
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
    #expect(imported > 50)
    let faults = try SchemaValidator.faults(cases)
    if !faults.isEmpty { Issue.record("\(faults.prefix(10).joined(separator: "\n"))") }
  }
}
