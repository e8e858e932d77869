import Foundation
import Graft
import GraftTestSupport
import Testing

/// A store whose model file is missing is read with a model that is made from the store's layout.
@Suite("Laws of stored models") struct StoredModelLawTests {
  @Test("S17: the model that is made from a layout has this same layout, except for rules")
  func model() throws {
    for seed in GraphLawTests.seeds {
      let model = try LawCase(seed: seed).context.model
      let layout = StoreLayout(StoreSchema(model)).withoutRules
      let found = try StoreLayout(StoreSchema(layout.model())).withoutRules
      let (left, right) = (Self.comparable(found), Self.comparable(layout))
      #expect(left.entities == right.entities, "GRAFT_LAW_SEED=\(seed)")
      #expect(left.tables == right.tables, "GRAFT_LAW_SEED=\(seed)")
      #expect(left.links == right.links, "GRAFT_LAW_SEED=\(seed)")
    }
  }

  @Test("S9: the layout of a store does not depend on the order of entities and properties in the model file")
  func order() throws {
    for seed in GraphLawTests.seeds {
      var one =
        seed % 2 == 0
        ? try LawCase(ofContexts: seed) : try LawCase(seed: seed, isRich: true, hasOwners: true, hasAlternates: true)
      let file = try JSON(parsing: Array(one.model.text.utf8))
      let text = RandomPayload.shuffled(file, &one.random).description
      let model = try ManagedObjectModel(text: text, transformers: LawClosures.registry())
      #expect(
        StoreLayout(StoreSchema(model)).text == StoreLayout(StoreSchema(one.loaded)).text,
        "GRAFT_LAW_SEED=\(seed)\n\(text)")
    }
  }

  /// Whether the key of an entity mapper was a string is not recorded in the properties.
  private static func comparable(_ layout: StoreLayout) -> StoreLayout {
    var layout = layout
    for table in layout.tables.indices { layout.tables[table].hasBareDiscriminators = false }
    return layout
  }
}
