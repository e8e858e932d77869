import Graft
import GraftTestSupport
import Testing

@Suite("Export: discriminators") struct ExportDiscriminatorTests {
  private static let identity = #""identityAttributes": "id""#

  /// Imports and exports objects, and returns the export. Expects that importing it into an empty context produces the same contents, and
  /// that importing it again changes nothing.
  private func returned(_ context: ManagedObjectContext, _ entity: String) throws -> (text: String, isSame: Bool) {
    let text = try context.exported(entity)
    let before = context.dumpText
    let copy = ManagedObjectContext(model: context.model)
    try copy.load(text, entity)
    try context.load(text, entity)
    return (text, copy.dumpText == before && context.dumpText == before)
  }

  @Test(
    "D4: an entity's first discriminator is written; only numbers, true and false are written without quotes",
    arguments: [
      (#""text": "T", "1": "T""#, "1", #""text""#), (#""1": "T", "text": "T""#, #""text""#, #""1""#),
      (#""1": "T", "text": "T""#, "1", "1"), (#""2": "T", "1": "T""#, "1", "2"),
      (#""2": "T", "1": "T""#, #""1""#, #""2""#),
      (#""true": "T""#, "true", "true"), (#""true": "T""#, #""true""#, #""true""#),
      (#""no": "T", "false": "T""#, "false", #""no""#),
      (#""01": "T", "1": "T""#, "1", #""01""#), (#""1.50e2": "T""#, "1.50e2", "1.50e2"),
      (#""null": "T", "3": "T""#, "3", #""null""#),
      (#""": "T", "3": "T""#, "3", #""""#), (#""a\"b\u0001": "T", "3": "T""#, "3", #""a\"b\u0001""#),
    ])
  func firstKey(table: String, discriminator: String, written: String) throws {
    let context = try Fixture.context(
      #"""
      "M": {\#(Self.identity), "attributes": {"id": "integer64"},
        "entityMapper": {"JSONKeyPath": "type", "entities": {\#(table)}}},
      "T": {"parent": "M"}
      """#)
    let object = try context.load(#"{"id": 1, "type": \#(discriminator)}"#, "M")[0]
    #expect(try context.text(object) == #"{"type":\#(written),"id":1}"#)
    let (text, isSame) = try returned(context, "M")
    #expect(text == #"[{"type":\#(written),"id":1}]"#)
    #expect(isSame)
  }

  @Test(
    "D4: if the discriminator's attribute is nil, the discriminator is written in the form that the attribute reads",
    arguments: [
      (#""type": "integer16""#, #""1": "S""#, "1"), (#""type": "integer64""#, #""1.0": "S""#, "1.0"),
      (#""type": "double""#, #""1.5": "S""#, "1.5"), (#""type": "float""#, #""2": "S""#, "2"),
      (#""type": "decimal""#, #""0.10": "S""#, "0.10"), (#""type": "boolean""#, #""true": "S""#, "true"),
      (#""type": "string""#, #""1": "S""#, #""1""#), (#""type": "json""#, #""1": "S""#, #""1""#),
      (#""type": "date""#, #""2024-01-02T00:00:00Z": "S""#, #""2024-01-02T00:00:00Z""#),
      (#""type": "integer64", "JSONTransformerName": "StringToInteger""#, #""1": "S""#, #""1""#),
      (#""type": "boolean", "JSONTransformerName": "IntegerToBoolean""#, #""1": "S""#, "1"),
      // The first listed key that the attribute can store is written, even if the model lists other keys before it.
      (#""type": "integer16""#, #""x": "S", "99999": "S", "2": "S""#, "2"),
      (#""type": "integer16", "maximum": 5"#, #""7": "S", "3": "S""#, "3"),
      (#""type": "string", "enum": ["b"]"#, #""a": "S", "b": "S""#, #""b""#),
    ])
  func formOfAttribute(attribute: String, table: String, written: String) throws {
    let context = try Fixture.context(
      #"""
      "B": {\#(Self.identity), "attributes": {"id": "integer64", "t": {\#(attribute), "optional": true}},
        "entityMapper": {"JSONKeyPath": "t", "entities": {\#(table)}}},
      "S": {"parent": "B"}
      """#)
    try context.load(#"[{"id": 1, "t": null}]"#, "S")
    #expect(try context.exported("S") == #"[{"t":\#(written),"id":1}]"#)
    let copy = ManagedObjectContext(model: context.model)
    try copy.load(context.exported("B"), "B")
    #expect(try copy.count(ofEntity: "S") == 1)
  }

  @Test(
    "D4: an attribute that cannot store any key of its entity stays null, and importing the export changes nothing",
    arguments: [
      (#""type": "integer16""#, #""x": "S", "1.5": "S""#), (#""type": "boolean""#, #""1": "S""#),
      (#""type": "integer16", "minimum": 5"#, #""4": "S""#), (#""type": "uuid""#, #""1": "S""#),
    ])
  func noForm(attribute: String, table: String) throws {
    let context = try Fixture.context(
      #"""
      "B": {\#(Self.identity), "attributes": {"id": "integer64", "t": {\#(attribute), "optional": true}},
        "entityMapper": {"JSONKeyPath": "t", "entities": {\#(table)}}},
      "S": {"parent": "B"}
      """#)
    try context.load(#"[{"id": 1, "t": null}]"#, "S")
    #expect(try context.exported("B") == #"[{"t":null,"id":1}]"#)
    #expect(try context.exported("B", ExportOptions(omitsNil: true)) == #"[{"id":1}]"#)
    let before = context.dumpText
    try context.load(context.exported("B"), "B")
    #expect(context.dumpText == before)
  }

  @Test("D4: a discriminator that a closure reads keeps the form that it had in the payload")
  func closures() throws {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Nothing") { (_: JSON) -> Int? in nil }
    let context = try Fixture.context(
      #"""
      "B": {\#(Self.identity),
        "attributes": {"id": "integer64", "t": {"type": "integer64", "optional": true, "JSONTransformerName": "Nothing"}},
        "entityMapper": {"JSONKeyPath": "t", "entities": {"1": "S"}}},
      "S": {"parent": "B"}
      """#, transformers: registry)
    try context.load(#"[{"id": 1, "t": 1}, {"id": 2, "t": "1"}]"#, "B")
    let (text, isSame) = try returned(context, "B")
    #expect(text == #"[{"t":1,"id":1},{"t":"1","id":2}]"#)
    #expect(isSame)
  }
}
