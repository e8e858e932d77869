import Foundation
import Graft
import Testing

@Suite("Attribute values") struct AttributeMatrixTests {
  static func model(_ optional: Bool) throws -> ManagedObjectModel {
    let attributes = AttributeMatrix.types.map {
      #""\#($0)": {"type": "\#($0)", "optional": \#(optional), "JSONKeyPath": "\#($0)"}"#
    }
    return try ManagedObjectModel(
      text: #"{"entities": {"Thing": {"attributes": {\#(attributes.joined(separator: ",\n"))}}}}"#, name: "Things.json")
  }

  /// The value of an attribute after an import, as JSON, or the diagnostic of the error.
  private func outcome(_ type: String, _ run: (ManagedObjectContext) throws -> [ManagedObject]) throws -> (
    String, Diagnostic?
  ) {
    let context = ManagedObjectContext(model: try Self.model(true))
    let empty = context.dump()
    do {
      let things = try run(context)
      let thing = try #require(things.first)
      guard case .attribute(let value) = try? thing.propertyValue(of: type) else { return ("nil", nil) }
      return (value.jsonValue.description, nil)
    } catch let error as ImportError {
      #expect(error.diagnostics.count == 1 || error.diagnostics.contains { $0.code == .notJSON })
      #expect(context.dump() == empty)
      return ("-", error.diagnostics.first)
    }
  }

  static let rows = AttributeMatrix.table.split(separator: "\n").map { line in
    line.split(separator: " ").map { String($0.replacing("␠", with: " ")) }
  }

  @Test("M5, D9: every JSON value in every attribute type is read exactly or rejected at its location")
  func matrix() throws {
    for row in Self.rows {
      let json = row[0]
      for (type, expected) in zip(AttributeMatrix.types, row.dropFirst()) {
        let text = #"{"\#(type)": \#(json)}"#
        let (value, diagnostic) = try outcome(type) { try objects(ofEntity: "Thing", fromJSON: text, in: $0) }
        #expect(value == expected, "\(json) as \(type)")
        guard let diagnostic else { continue }
        #expect(diagnostic.path == "$.\(type)")
        #expect(diagnostic.location?.column == type.count + 6 && diagnostic.location?.line == 1)
        #expect(diagnostic.location?.length == json.unicodeScalars.count)
        #expect(diagnostic.message.contains("for 'Thing.\(type)', found "))
        #expect(diagnostic.notes.first?.location?.file == "Things.json")
      }
    }
    #expect(Self.rows.allSatisfy { $0.count == AttributeMatrix.types.count + 1 })
  }

  @Test("I1: an import of dictionaries stores the same values and reports the same errors as an import of bytes")
  func dictionaries() throws {
    var count = 0
    for row in Self.rows {
      for value in AttributeMatrix.foundationValues(row[0]) {
        count += 1
        for (type, expected) in zip(AttributeMatrix.types, row.dropFirst()) {
          let (stored, diagnostic) = try outcome(type) {
            try objects(ofEntity: "Thing", fromJSON: [type: value], in: $0)
          }
          let what: Comment = "\(row[0]) as \(Swift.type(of: value)), in \(type)"
          // A dictionary preserves the value of a number, but not its spelling.
          if type == "json", case .number = try JSON(foundation: value) {
            #expect(JSONNumber(stored) == JSONNumber(expected), what)
          } else {
            #expect(stored == expected, what)
          }
          guard let diagnostic else { continue }
          let text = #"{"\#(type)": \#(row[0])}"#
          let (_, ofText) = try outcome(type) { try objects(ofEntity: "Thing", fromJSON: text, in: $0) }
          #expect(diagnostic.path == ofText?.path && diagnostic.code == ofText?.code, what)
          #expect(diagnostic.message == ofText?.message && diagnostic.notes == ofText?.notes, what)
          #expect(diagnostic.location == nil, what)
        }
      }
    }
    #expect(count > 80)
  }

  @Test("I1: a dictionary value that is not JSON causes an error with its path, not a crash")
  func noJSON() throws {
    let values: [Any] = [
      Date(), Data(), Double.nan, Double.infinity, -Float.infinity, Decimal.nan, NSSet(), URL(fileURLWithPath: "/"),
      NSObject(),
    ]
    for value in values {
      for type in AttributeMatrix.types {
        for value in [value, [value], ["a": value]] as [Any] {
          let (stored, diagnostic) = try outcome(type) {
            try objects(ofEntity: "Thing", fromJSON: [type: value], in: $0)
          }
          #expect(stored == "-" && diagnostic?.path?.hasPrefix("$.\(type)") == true, "\(value)")
        }
      }
    }
  }

  @Test("I3, I9: null, absent and rejected values of required attributes cause one error each, at their locations")
  func required() throws {
    let model = try Self.model(false)
    for type in AttributeMatrix.types {
      let others = AttributeMatrix.types.filter { $0 != type }.map { #""\#($0)": \#(Self.legal[$0] ?? "")"# }.joined(
        separator: ", ")
      for (text, offset, path) in [
        ("{\(others)}", 0, "$.\(type)"), ("{\"\(type)\": null, \(others)}", type.utf8.count + 5, "$.\(type)"),
        ("{\"\(type)\": \(type == "json" ? "nul" : "[]"), \(others)}", type.utf8.count + 5, "$.\(type)"),
      ] {
        let context = ManagedObjectContext(model: model)
        let error = #expect(throws: ImportError.self) { try objects(ofEntity: "Thing", fromJSON: text, in: context) }
        #expect(error?.diagnostics.count == 1)
        #expect(
          error?.diagnostics.first?.location?.offset == offset && error?.diagnostics.first?.path == path, "\(text)")
        #expect(try context.count(ofEntity: "Thing") == 0)
      }
    }
  }

  static let legal = [
    "integer16": "1", "integer32": "1", "integer64": "1", "float": "1", "double": "1", "decimal": "1",
    "boolean": "true",
    "string": #""a""#, "date": #""2024-02-29T12:00:00Z""#, "binary": #""QUJD""#,
    "uuid": #""6F9619FF-8B86-D011-B42D-00C04FC964FF""#, "uri": #""https://example.com""#, "json": "[1]",
  ]

  static let relationships = try? ManagedObjectModel(
    text: #"""
      {"entities": {
        "Owner": {"relationships": {
          "one": {"destination": "Item", "JSONKeyPath": "one"}, "many": {"destination": "Item", "toMany": true, "JSONKeyPath": "many"}
        }},
        "Item": {"identityAttributes": "id", "attributes": {"id": {"type": "integer32", "JSONKeyPath": "id"}}}
      }}
      """#)

  static let linked: [(String, String)] = [
    (#"{"one": null, "many": null}"#, "0 items"), (#"{"one": 1, "many": [1, 2, 1, null]}"#, "2 items"),
    (#"{"one": {"id": 1}, "many": [{"id": 1}, 1, {"id": 1e0}]}"#, "1 items"), (#"{"many": []}"#, "0 items"),
    (#"{"one": []}"#, "expected an object or an identifier for 'Owner.one', found an array"),
    (#"{"one": [1]}"#, "expected an object or an identifier for 'Owner.one', found an array"),
    (#"{"one": "1"}"#, #"expected an integer for 'Item.id', found the string "1""#),
    (#"{"one": true}"#, "expected an integer for 'Item.id', found true"),
    (#"{"one": 1.5}"#, "expected an integer from -2147483648 to 2147483647 for 'Item.id', found the number 1.5"),
    (
      #"{"one": 3000000000}"#,
      "expected an integer from -2147483648 to 2147483647 for 'Item.id', found the number 3000000000"
    ),
    (#"{"many": 1}"#, "expected an array for the to-many relationship 'Owner.many', found the number 1"),
    (#"{"many": "1"}"#, #"expected an array for the to-many relationship 'Owner.many', found the string "1""#),
    (#"{"many": false}"#, "expected an array for the to-many relationship 'Owner.many', found false"),
    (#"{"many": {"id": 1}}"#, "expected an array for the to-many relationship 'Owner.many', found an object"),
    (#"{"many": [[1]]}"#, "expected an object or an identifier for 'Owner.many', found an array"),
    (#"{"many": [1, "2"]}"#, #"expected an integer for 'Item.id', found the string "2""#),
    (#"{"many": [{"id": "2"}]}"#, #"expected an integer for 'Item.id', found the string "2""#),
  ]

  @Test(
    "I5: to-one and to-many accept only the matching form; any other form causes an error, not a crash",
    arguments: linked)
  func links(text: String, expected: String) throws {
    let model = try #require(Self.relationships)
    let dictionary = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    for way in 0..<2 {
      let context = ManagedObjectContext(model: model)
      var outcome: String
      do throws(ImportError) {
        if way == 0 {
          try objects(ofEntity: "Owner", fromJSON: text, in: context)
        } else {
          try objects(ofEntity: "Owner", fromJSON: dictionary, in: context)
        }
        outcome = ""
      } catch {
        outcome = error.diagnostics.map(\.message).joined(separator: "; ")
        #expect((error.diagnostics[0].location == nil) == (way == 1))
        #expect(context.dump() == Data("{}\n".utf8))
      }
      if outcome.isEmpty { outcome = "\(try context.count(ofEntity: "Item")) items" }
      #expect(outcome == expected)
    }
  }
}
