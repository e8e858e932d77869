import Foundation
import Graft
import GraftTestSupport
import Testing

/// An export writes what an import reads at `@value`, or omits the relationship (M23, E4, E5).
@Suite("Element values: exports") struct ElementValueExportTests {
  private static let box = """
    "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "slots": {"destination": "Slot", "toMany": true, "ordered": true, "optional": true, "deleteOrphans": true,
        "inverse": "box"}}}
    """

  private static func slot(_ members: String = "", _ attributes: String = "") -> String {
    """
    "Slot": {"identityAttributes": ["box", "position"], "attributes": {
      \(attributes)"position": {"type": "integer32", "JSONKeyPath": "@index"}}, "relationships": {
      "box": {"destination": "Box", "inverse": "slots", "JSONKeyPath": null},
      "item": {"destination": "Item", "JSONKeyPath": "@value"\(members)}}}
    """
  }

  private static let item = #""Item": {"identityAttributes": "id", "attributes": {"id": "integer64"}}"#

  /// Imports a box and exports it, then imports the export into the same graph and into an empty graph.
  private func roundTrip(_ entities: [String], _ text: String, _ options: ExportOptions = ExportOptions()) throws {
    let context = try Fixture.context(entities.joined(separator: ",\n"))
    let box = try object(ofEntity: "Box", fromJSON: text, in: context)
    var options = options
    options.incompleteRelationships = .error
    #expect(try jsonString(from: box, options: options) == text)
    let before = context.drawing
    try object(ofEntity: "Box", fromJSON: text, in: context)
    #expect(context.drawing == before)
    let other = ManagedObjectContext(model: context.model)
    try object(ofEntity: "Box", fromJSON: text, in: other)
    #expect(other.drawing == before)
  }

  @Test("M23, E4: an element that represents a chain of objects is written as that element")
  func chains() throws {
    let item = #""Item": {"relationships": {"thing": {"destination": "Thing", "JSONKeyPath": "@value"}}}"#
    let thing = #""Thing": {"relationships": {"part": {"destination": "Part", "JSONKeyPath": "@value"}}}"#
    let part =
      #""Part": {"identityAttributes": "pid", "attributes": {"pid": "integer64", "name": {"type": "string", "optional": true}}}"#
    let entities = [Self.box, Self.slot(), item, thing, part]
    let context = try Fixture.context(entities.joined(separator: ",\n"))
    let text = #"{"id":1,"slots":[7,{"pid":8,"name":"n"},9]}"#
    let box = try object(ofEntity: "Box", fromJSON: text, in: context)
    #expect(try jsonString(from: box) == text)
    // A part at the end of the chain is missing.
    let first = try #require(try context.fetch(ofEntity: "Thing").first)
    first["part"] = ManagedObject?.none
    #expect(try jsonString(from: box) == #"{"id":1}"#)
  }

  @Test("M23, E4: an object whose other properties have their defaults is written as its identifier")
  func defaults() throws {
    let count =
      #""count": {"type": "integer16", "default": 1}, "word": {"type": "string", "default": "a longer text"}, "#
    try roundTrip([Self.box, Self.slot("", count), Self.item], #"{"id":1,"slots":[5,6,5]}"#)
    let context = try Fixture.context([Self.box, Self.slot("", count), Self.item].joined(separator: ",\n"))
    let box = try object(ofEntity: "Box", fromJSON: #"{"id": 1, "slots": [5]}"#, in: context)
    let slot = try #require(try context.fetch(ofEntity: "Slot").first)
    slot["word"] = "another longer text"
    #expect(try jsonString(from: box) == #"{"id":1}"#)
    slot["word"] = "a longer text"
    #expect(try jsonString(from: box) == #"{"id":1,"slots":[5]}"#)
  }

  @Test(
    "M11, E4: an object whose other properties have their defaults is written as its value, in arrays and under keys")
  func defaultsOfValues() throws {
    let box = """
      "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "tags": {"destination": "Tag", "toMany": true}, "sizes": {"destination": "Size", "toMany": true}}}
      """
    let tag = """
      "Tag": {"identityAttributes": "name", "attributes": {"name": {"type": "string", "JSONKeyPath": "@value"},
        "count": {"type": "integer16", "default": 1}}}
      """
    let size = """
      "Size": {"identityAttributes": "name", "attributes": {"name": {"type": "string", "JSONKeyPath": "@key"},
        "width": {"type": "double", "JSONKeyPath": "@value"}, "unit": {"type": "string", "default": "mm"}}}
      """
    try roundTrip([box, tag, size], #"{"id":1,"tags":["a","b"],"sizes":{"l":3.5,"m":2}}"#)
  }

  @Test("M23, E2: an element at the maximum depth is written", arguments: [false, true])
  func depth(hasDictionaries: Bool) throws {
    var options = ExportOptions()
    options.maxDepth = hasDictionaries ? 3 : 2
    let elements = hasDictionaries ? #"{"id":5},{"id":6}"# : "5,6"
    try roundTrip([Self.box, Self.slot(), Self.item], #"{"id":1,"slots":[\#(elements)]}"#, options)
    let tags = """
      "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "tags": {"destination": "Tag", "toMany": true, "ordered": true}, "one": {"destination": "Tag"}}}
      """
    let tag =
      #""Tag": {"identityAttributes": "name", "attributes": {"name": {"type": "string", "JSONKeyPath": "@value"}}}"#
    options.maxDepth = 2
    try roundTrip([tags, tag], #"{"id":1,"tags":["a","b"],"one":"a"}"#, options)
    options.maxDepth = 1
    let context = try Fixture.context(tag)
    let list = try objects(ofEntity: "Tag", fromJSON: #"["a","b"]"#, in: context)
    #expect(try jsonString(from: list, options: options) == #"["a","b"]"#)
  }

  @Test("M23, E2: a keyed collection is written at the maximum depth")
  func keyedDepth() throws {
    let box = """
      "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "slots": {"destination": "Slot", "toMany": true}}}
      """
    let slot = """
      "Slot": {"identityAttributes": "key", "attributes": {"key": {"type": "string", "JSONKeyPath": "@key"}},
        "relationships": {"item": {"destination": "Item", "JSONKeyPath": "@value"}}}
      """
    var options = ExportOptions()
    options.maxDepth = 2
    try roundTrip([box, slot, Self.item], #"{"id":1,"slots":{"a":5,"b":6}}"#, options)
  }

  @Test("M23, E5: a relationship is omitted, or the export is refused, if an object in the relationship has no @value")
  func missing() throws {
    let context = try Fixture.context([Self.box, Self.slot(), Self.item].joined(separator: ",\n"))
    let box = try object(ofEntity: "Box", fromJSON: #"{"id": 1, "slots": [5, 6]}"#, in: context)
    let slot = try #require(try context.fetch(ofEntity: "Slot").first)
    slot["item"] = ManagedObject?.none
    var options = ExportOptions()
    let text = try jsonString(from: box, options: options)
    #expect(text == #"{"id":1}"#)
    let before = context.drawing
    try object(ofEntity: "Box", fromJSON: text, in: context)
    #expect(context.drawing == before)
    options.incompleteRelationships = .error
    let error = #expect(throws: ExportError.self) { try jsonString(from: box, options: options) }
    #expect(
      error?.description
        == "<export>: error: 'Slot(1,0)' has no 'item', but an import reads its dictionary as one: set 'Slot.item', or omit the relationship that contains it with 'incompleteRelationships: .omit' (at $.slots[0])"
    )
    // The object is a root, so there is no relationship that could be omitted.
    let bare = try Fixture.context(
      [#""Slot": {"relationships": {"item": {"destination": "Item", "JSONKeyPath": "@value"}}}"#, Self.item]
        .joined(separator: ",\n"))
    let alone = try objects(ofEntity: "Slot", fromJSON: "[5]", in: bare)
    alone[0]["item"] = ManagedObject?.none
    let refusal = #expect(throws: ExportError.self) { try jsonString(from: alone) }
    #expect(refusal?.diagnostics.map(\.code) == [.misplacedValue])
  }

  @Test(
    "M23, E5: a relationship with a valueless object is omitted if an import reads every element as a value")
  func missingValue() throws {
    let box = """
      "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "all": {"destination": "Any", "toMany": true, "ordered": true}, "one": {"destination": "Any"}}}
      """
    let any = #""Any": {"attributes": {"raw": {"type": "json", "optional": true, "JSONKeyPath": "@value"}}}"#
    let context = try Fixture.context([box, any].joined(separator: ",\n"))
    let box1 = try object(ofEntity: "Box", fromJSON: #"{"id": 1, "all": [1, {"x": 2}], "one": 3}"#, in: context)
    let all: [ManagedObject] = box1["all"]
    all[1]["raw"] = JSON?.none
    #expect(try jsonString(from: box1) == #"{"id":1,"one":3}"#)
    let one: ManagedObject = try #require(box1["one"])
    one["raw"] = JSON?.none
    #expect(try jsonString(from: box1) == #"{"id":1}"#)
    #expect(throws: ExportError.self) { try jsonString(from: [all[1]]) }
    var options = ExportOptions()
    options.incompleteRelationships = .error
    let error = #expect(throws: ExportError.self) { try jsonString(from: box1, options: options) }
    #expect(error?.diagnostics.map(\.code) == [.misplacedValue])
  }

  @Test("M23, E5: the `properties` option keeps @value, and `representations` cannot omit it")
  func chosenProperties() throws {
    let note = #""note": {"type": "string", "optional": true}, "#
    let context = try Fixture.context([Self.box, Self.slot("", note), Self.item].joined(separator: ",\n"))
    let box = try object(ofEntity: "Box", fromJSON: #"{"id": 1, "slots": [{"id": 5, "note": "n"}]}"#, in: context)
    var options = ExportOptions()
    options.properties = ["Slot": ["note"]]
    #expect(try jsonString(from: box, options: options) == #"{"id":1,"slots":[{"note":"n","id":5}]}"#)
    options.properties = [:]
    options.representations = ["Slot": ["item": .none]]
    let error = #expect(throws: ExportError.self) { try jsonString(from: box, options: options) }
    #expect(
      error?.description
        == "error: 'representations' omits 'Slot.item', but an import reads each dictionary of 'Slot' as one: omit the relationships that contain 'Slot' instead"
    )
  }

  @Test(
    "M23, E4: an object that is already being written is written as its identity if '@value' is an alias"
  )
  func mentionsOfOpenObjects() throws {
    let context = try Fixture.context(
      #"""
      "Tag": {"identityAttributes": "name",
        "attributes": {"name": {"type": "string", "JSONKeyPath": "name", "JSONKeyPathAliases": ["@value"]},
          "color": {"type": "string", "optional": true}},
        "relationships": {"uses": {"destination": "Use", "toMany": true, "inverse": "owner"}, "base": {"destination": "Tag"}}},
      "Use": {"identityAttributes": ["owner", "code"], "attributes": {"code": "integer64"},
        "relationships": {"owner": {"destination": "Tag", "inverse": "uses", "JSONKeyPath": null},
          "near": {"destination": "Tag", "optional": false}, "all": {"destination": "Tag", "toMany": true, "ordered": true}}}
      """#)
    try context.importJSON(
      #"[{"name": "a", "color": "red", "uses": [{"code": 1, "near": "a", "all": ["a", "b"]}], "base": "a"}]"#,
      ofEntity: "Tag")
    let text = try context.exported("Tag", ExportOptions(omitsNil: true))
    #expect(text.contains(#""near":{"name":"a"}"#) && text.contains(#""base":{"name":"a"}"#), "\(text)")
    let fresh = ManagedObjectContext(model: context.model)
    try fresh.importJSON(text, ofEntity: "Tag")
    #expect(fresh.dump() == context.dump())
  }
}
