import GraftTestSupport
import Testing

@testable import Graft

@Suite("Size limits of models") struct ModelSizeTests {
  private func check(_ model: ModelDescription) -> [String] {
    ModelFile.check(model, transformers: .standard).filter { $0.severity == .error }.map(\.description)
  }

  private func attributes(_ count: Int) -> [AttributeDescription] {
    (0..<count).map { AttributeDescription("a\($0)", .integer64, isOptional: true) }
  }

  @Test("M9: the limits are the limits of the journal and of a row")
  func limits() {
    #expect(ModelLimits.hierarchies == 8_191 && ModelLimits.entities == 65_535 && ModelLimits.properties == 64_525)
    #expect(ModelLimits.rowWords(properties: ModelLimits.properties) <= 65_535)
    #expect(ModelLimits.rowWords(properties: ModelLimits.properties + 1) > 65_535)
    let entry = JournalEntry(
      .unindexed, table: ModelLimits.hierarchies - 1, row: .max,
      word: ModelLimits.rowWords(properties: ModelLimits.properties) - 1, old: 7)
    #expect(entry.kind == .unindexed && entry.table == 8_190 && entry.row == .max && entry.word == 65_534)
    #expect(RowHeader(entity: ModelLimits.entities - 1, RowHeader.placeholder).entity == 65_534)
  }

  @Test("M9: a model can have at most 8,191 hierarchies")
  func hierarchies() {
    let entities = (0..<8_192).map { EntityDescription("E\($0)") }
    #expect(check(ModelDescription(entities: Array(entities.dropLast()))) == [])
    #expect(
      check(ModelDescription(entities: entities)) == [
        "error: the model has 8192 entities without a parent: the limit is 8191"
      ])
    let text = "{\"entities\": {" + entities.map { "\"\($0.name)\": {}" }.joined(separator: ",\n") + "}}"
    #expect(throws: ModelError.self) { try ManagedObjectModel(text: text) }
    #expect(
      findings(entities: entities.map { "\"\($0.name)\": {}" }.joined(separator: ",\n")).filter { $0.contains("error") }
        == ["8193:1: error: the model has 8192 entities without a parent: the limit is 8191"])
  }

  @Test("M9: a model can have at most 65,535 entities")
  func entities() {
    let entities = (0..<65_536).map { number in
      var entity = EntityDescription("E\(number)")
      if number > 0 { entity.parentName = "E0" }
      return entity
    }
    #expect(check(ModelDescription(entities: Array(entities.dropLast()))) == [])
    #expect(
      check(ModelDescription(entities: entities)) == ["error: the model has 65536 entities: the limit is 65535"]
    )
  }

  @Test("M9: an entity can have at most 64,525 properties, including inherited properties")
  func properties() {
    let base = EntityDescription("Base", attributes: attributes(64_525))
    #expect(check(ModelDescription(entities: [base])) == [])
    var sub = EntityDescription("Sub", attributes: [AttributeDescription("b", .string, isOptional: true)])
    sub.parentName = "Base"
    var leaf = EntityDescription("Leaf", attributes: [AttributeDescription("c", .string, isOptional: true)])
    leaf.parentName = "Sub"
    #expect(
      check(ModelDescription(entities: [base, sub, leaf])) == [
        "error: entity 'Sub' has 64526 properties, including inherited ones: the limit is 64525"
      ])
  }

  @Test("M9: changes to the largest possible row are recorded and rolled back in the right slots")
  func largestRow() throws {
    let entity = EntityDescription("Wide", attributes: attributes(64_525))
    let context = ManagedObjectContext(model: try ManagedObjectModel(ModelDescription(entities: [entity])))
    let object = context.insert(ofEntity: "Wide")
    object["a64524"] = 1
    try context.commit()
    object["a64524"] = 2
    object["a0"] = 3
    context.rollBack()
    #expect(object["a64524"] as Int? == 1 && object["a0"] as Int? == nil)
    #expect(context.checkInvariants() == [])
  }

  @Test("M9: changes in the last hierarchy of the largest possible model are rolled back")
  func lastHierarchy() throws {
    let entities = (0..<8_191).map { EntityDescription("E\($0)", attributes: attributes(1)) }
    let context = ManagedObjectContext(model: try ManagedObjectModel(ModelDescription(entities: entities)))
    let object = context.insert(ofEntity: "E8190")
    object["a0"] = 1
    try context.commit()
    object["a0"] = 2
    context.rollBack()
    #expect(object["a0"] as Int? == 1)
    #expect(context.checkInvariants() == [])
  }
}
