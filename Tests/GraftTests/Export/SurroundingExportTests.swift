import Foundation
import Graft
import GraftTestSupport
import Testing

/// Exports of values that an import reads from outside an object (M19, E5).
@Suite("Exports of values from outside an object") struct SurroundingExportTests {
  private static func model(_ order: String, _ line: String, identity: Bool = false) -> String {
    """
    "Order": {
      "identityAttributes": "id", "attributes": {"id": "integer64", \(order)},
      "relationships": {
        "user": {"destination": "User"},
        "lines": {"destination": "Line", "toMany": true, "ordered": true}
      }
    },
    "Line": {\(identity ? #""identityAttributes": "sku", "# : "")"attributes": {"sku": "string", \(line)}},
    "User": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}}}
    """
  }

  /// Exports the order that a payload describes. Expects that importing the export into another context produces the same graph.
  private func exported(
    _ payload: String, _ model: String, transformers: TransformerRegistry = .standard,
    options: ExportOptions = ExportOptions()
  ) throws -> String {
    let context = try Fixture.context(model, transformers: transformers)
    let order = try object(ofEntity: "Order", fromJSON: payload, in: context)
    var options = options
    options.incompleteRelationships = .error
    let data = try jsonData(from: order, options: options)
    let other = try Fixture.context(model, transformers: transformers)
    try other.importJSON(data, ofEntity: "Order")
    #expect(other.dump() == context.dump())
    return String(decoding: data, as: UTF8.self)
  }

  @Test(
    "M19, E5: a value that an import reads outside the object in a different form is written in that form",
    arguments: [
      (#""day": "date""#, #""day": {"type": "string", "JSONKeyPath": "@parent.day"}"#, #""2024-05-01T00:00:00Z""#),
      (#""day": "string""#, #""day": {"type": "date", "JSONKeyPath": "@parent.day"}"#, #""2024-05-01T00:00:00Z""#),
      (#""day": "integer64""#, #""day": {"type": "double", "JSONKeyPath": "@parent.day"}"#, "3"),
      (#""day": "integer64""#, #""day": {"type": "json", "JSONKeyPath": "@root.day"}"#, "3"),
      (#""day": "json""#, #""day": {"type": "boolean", "JSONKeyPath": "@root.day"}"#, "true"),
      (#""day": "json""#, #""day": {"type": "integer16", "JSONKeyPath": "@root.day.x.y"}"#, #"{"x":{"y":-4}}"#),
      (
        #""day": {"type": "integer64", "JSONTransformerName": "StringToInteger"}"#,
        #""day": {"type": "string", "JSONKeyPath": "@parent.day"}"#, #""12""#
      ),
      (
        #""day": "string""#,
        #""day": {"type": "integer64", "JSONKeyPath": "@parent.day", "JSONTransformerName": "StringToInteger"}"#,
        #""12""#
      ),
      (
        #""day": {"type": "string", "list": true}"#,
        #""day": {"type": "date", "list": true, "JSONKeyPath": "@parent.day"}"#, #"["2024-05-01T00:00:00Z"]"#
      ),
      (#""day": "uri""#, #""day": {"type": "uri", "JSONKeyPath": "@parent.day"}"#, #""http://a.b/c?d=[e]""#),
    ])
  func forms(order: String, line: String, value: String) throws {
    let payload = #"{"id":1,"day":\#(value),"user":null,"lines":[{"sku":"a"},{"sku":"b"}]}"#
    #expect(try exported(payload, Self.model(order, line)) == payload)
  }

  @Test("M19, E5: an object can read values that are written for a neighboring object")
  func related() throws {
    let model = Self.model(
      #""n": {"type": "integer64", "optional": true}"#,
      #""userID": {"type": "integer64", "JSONKeyPath": "@parent.user.id"}, "who": {"type": "string", "optional": true, "JSONKeyPath": "@root.user.name"}"#
    )
    let payload = #"{"id":1,"n":null,"user":{"id":5,"name":"Ann"},"lines":[{"sku":"a"}]}"#
    #expect(try exported(payload, model) == payload)
    // If the user is written as an identifier, the export fails, because an import would refuse it.
    let context = try Fixture.context(model)
    let order = try object(ofEntity: "Order", fromJSON: payload, in: context)
    let options = ExportOptions(identifiersOnly: true, incompleteRelationships: .error)
    #expect(throws: ExportError.self) { try jsonData(from: order, options: options) }
  }

  @Test("M19, E5: an object can read a neighboring group of keys as one value, and the discriminator of a mapper")
  func groupsAndMappers() throws {
    let group = Self.model(
      #""a": {"type": "integer64", "JSONKeyPath": "g.a"}, "b": {"type": "integer64", "JSONKeyPath": "g.h.b"}"#,
      #""g": {"type": "json", "JSONKeyPath": "@parent.g"}"#)
    let payload = #"{"id":1,"g":{"a":1,"h":{"b":2}},"user":null,"lines":[{"sku":"a"}]}"#
    #expect(try exported(payload, group) == payload)
    let mapper = """
      "Order": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"plain": "Order", "rush": "Rush"}},
        "relationships": {"lines": {"destination": "Line", "toMany": true, "ordered": true}}
      },
      "Rush": {"parent": "Order"},
      "Line": {"attributes": {"kind": {"type": "string", "JSONKeyPath": "@parent.kind"}}}
      """
    let rush = #"{"kind":"rush","id":1,"lines":[{}]}"#
    let back = try exported(rush, mapper)
    #expect(try JSON(text: back) == JSON(text: rush))
  }

  @Test("M19, E5: an object without value has null written outside it, unless another object writes that value")
  func nulls() throws {
    let model = Self.model(
      #""day": {"type": "date", "optional": true}"#,
      #""day": {"type": "string", "optional": true, "JSONKeyPath": "@parent.day"}"#, identity: true)
    let payload = #"{"id":1,"day":null,"user":null,"lines":[{"sku":"a"}]}"#
    #expect(try exported(payload, model) == payload)
    let context = try Fixture.context(model)
    let order = try object(ofEntity: "Order", fromJSON: payload, in: context)
    let line = try #require(try context.find(ofEntity: "Line", identity: "a"))
    line["day"] = "2024-05-01T00:00:00Z"
    #expect(
      String(decoding: try jsonData(from: order), as: UTF8.self) == #"{"id":1,"day":null,"user":null,"lines":["a"]}"#)
    order["day"] = try Date("2024-05-01T00:00:00Z", strategy: .iso8601)
    #expect(String(decoding: try jsonData(from: order), as: UTF8.self).contains(#"[{"sku":"a"}]"#))
    // If nulls are omitted, an import reads no value.
    order["day"] = nil as Date?
    #expect(
      String(decoding: try jsonData(from: order, options: ExportOptions(omitsNil: true)), as: UTF8.self)
        == #"{"id":1,"lines":[{"sku":"a"}]}"#)
  }

  @Test("M19, T5: an export fails if a transformer that it tries calls the context")
  func refusedCall() throws {
    let holder = ContextHolder()
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Call") { (text: String) -> String? in
      if let context = holder.context { try context.importJSON("[]", ofEntity: "User") }
      return text
    }
    let model = Self.model(
      #""day": "string""#, #""day": {"type": "string", "JSONKeyPath": "@parent.day", "JSONTransformerName": "Call"}"#)
    let context = try Fixture.context(model, transformers: transformers)
    let order = try object(
      ofEntity: "Order", fromJSON: #"{"id": 1, "day": "x", "lines": [{"sku": "a"}]}"#, in: context)
    holder.context = context
    let error = #expect(throws: ExportError.self) { try jsonData(from: order) }
    #expect(error?.diagnostics.map(\.code) == [.reentrantCall])
  }

  private final class ContextHolder: @unchecked Sendable { var context: ManagedObjectContext? }

  @Test("M19, M11: an export fails if a collection's element has the key that other objects read at the root")
  func rootCollections() throws {
    let context = try Fixture.context(
      """
      "Hero": {
        "identityAttributes": "id",
        "attributes": {
          "id": {"type": "string", "JSONKeyPath": "@key"}, "name": {"type": "string", "optional": true},
          "page": {"type": "json", "optional": true, "JSONKeyPath": "@root.page"}
        }
      }
      """)
    let heroes = try objects(
      ofEntity: "Hero", fromJSON: #"{"a": {"name": "A"}, "b": {"name": "B"}}"#, in: context)
    #expect(
      String(decoding: try jsonData(from: heroes), as: UTF8.self) == #"{"a":{"name":"A"},"b":{"name":"B"}}"#)
    let page = try object(ofEntity: "Hero", fromJSON: #"{"page": {"name": "P"}}"#, in: context)
    try page.setValue(nil, of: "page")
    let error = #expect(throws: ExportError.self) { try jsonData(from: heroes + [page]) }
    #expect(error?.diagnostics.map(\.code) == [.misplacedObject])
  }
}
