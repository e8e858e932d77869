import Foundation
import Graft
import GraftTestSupport
import GraftTools
import Testing

/// `GRAFT_INFERENCE_CASES` sets the number of payloads: 400 by default. `GRAFT_LAW_SEED` selects one by its seed.
@Suite("Laws of inference") struct InferenceLawTests {
  private static let seeds = LawSeeds.seeds("GRAFT_INFERENCE_CASES", 400)

  @Test("The model that is inferred from a payload can import the payload")
  func importsItsSample() throws {
    var (count, simplified, refused) = (0, 0, 0)
    for seed in Self.seeds {
      var one = try LawCase(seed: seed, isRich: true)
      let (_, payload) = one.payload()
      guard Self.holdsOnlyObjects(payload) else { continue }
      let source = SourceText(name: "things.json", bytes: Array(payload.description.utf8))
      do {
        let model = try ModelInference([.init(source, entityName: "Thing")]).run()
        count += 1
        if model.isSimplified { simplified += 1 }
        #expect(model.findings == [], "GRAFT_LAW_SEED=\(seed)\n\(payload)\n\(model.text)")
        #expect(try ManagedObjectModel(text: model.text).warnings == [], "GRAFT_LAW_SEED=\(seed)")
      } catch let error as InferenceError
        where error.diagnostics.contains(where: { $0.message.hasSuffix("found none") })
      {
        // Adds maps of maps, and maps of empty objects.
        refused += 1
      } catch {
        Issue.record("GRAFT_LAW_SEED=\(seed): \(error)\n\(payload)")
      }
    }
    print("inference: \(count) payloads, \(simplified) of them with fewer guesses")
    #expect(Self.seeds.count == 1 || count > Self.seeds.count / 4 && simplified * 10 < count && refused * 100 <= count)
  }

  /// Identifiers and nulls in place of objects reveal nothing about an entity, and an empty object has no properties.
  private static func holdsOnlyObjects(_ payload: JSON) -> Bool {
    switch payload {
    case .object(let object): !object.isEmpty
    case .array(let elements):
      elements.contains { $0.objectValue?.isEmpty == false }
        && elements.allSatisfy { $0.objectValue != nil || $0.isNull }
    default: false
    }
  }
}
