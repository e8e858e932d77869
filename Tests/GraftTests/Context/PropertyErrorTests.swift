import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Property errors") struct PropertyErrorTests {
  @Test("I11: property errors of an object have codes")
  func codes() throws {
    let context = try Fixture.context(Fixture.comics)
    try context.load(#"[{"id": 1, "powers": [7]}, {"id": 2}]"#, "Hero")
    let hero = try #require(try context.find(ofEntity: "Hero", identity: 1))
    let power = try #require(try context.find(ofEntity: "Power", identity: 7))
    func code(_ body: () throws(PropertyError) -> Void) -> DiagnosticCode? {
      do {
        try body()
        return nil
      } catch {
        #expect(error.diagnostics.count == 1 && error.description.hasPrefix(error.diagnostics[0].message))
        return error.diagnostics[0].code
      }
    }
    #expect(code { () throws(PropertyError) in try hero.setValue("x", of: "nam") } == .unknownProperty)
    #expect(code { () throws(PropertyError) in try hero.setValue("x", of: "powers") } == .wrongPropertyKind)
    #expect(code { () throws(PropertyError) in try hero.setValue("x", of: "id") } == .wrongType)
    #expect(code { () throws(PropertyError) in try hero.setValue(2, of: "id") } == .duplicateIdentity)
    #expect(code { () throws(PropertyError) in try power.setValue(AttributeValue?.none, of: "id") } == .missingIdentity)
    try context.delete(hero)
    #expect(code { () throws(PropertyError) in try hero.setValue("x", of: "name") } == .deletedObject)
  }

  @Test("I11, M12: relationships, including owners, can be set by a method that throws")
  func relationships() throws {
    let context = try Fixture.context(
      #"""
      "Order": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order"}}},
      "Line": {"identityAttributes": ["order", "key"], "attributes": {"key": "string"},
        "relationships": {"order": {"destination": "Order", "inverse": "lines"}, "next": {"destination": "Line"}}}
      """#)
    try context.importJSON(
      #"[{"id": 1, "lines": [{"key": "a"}]}, {"id": 2, "lines": [{"key": "a"}, {"key": "b"}]}]"#, ofEntity: "Order")
    let (one, two) = (
      try #require(try context.find(ofEntity: "Order", id: 1)), try #require(try context.find(ofEntity: "Order", id: 2))
    )
    let lines: RelatedObjects<ManagedObject> = two["lines"]
    let (first, second, own) = (lines[0], lines[1], (one["lines"] as RelatedObjects<ManagedObject>)[0])
    func code(_ body: () throws(PropertyError) -> Void) -> DiagnosticCode? {
      do {
        try body()
        return nil
      } catch {
        return error.diagnostics[0].code
      }
    }
    #expect(code { () throws(PropertyError) in try first.setValue(one, of: "order") } == .duplicateIdentity)
    #expect(code { () throws(PropertyError) in try one.setValue([own, first], of: "lines") } == .duplicateIdentity)
    #expect(lines.count == 2)
    #expect(code { () throws(PropertyError) in try second.setValue(one, of: "order") } == nil)
    #expect(second["order"] as ManagedObject? === one && lines.count == 1)
    #expect(code { () throws(PropertyError) in try second.setValue(one, of: "next") } == .wrongType)
    #expect(code { () throws(PropertyError) in try second.setValue([first], of: "next") } == .wrongPropertyKind)
    #expect(code { () throws(PropertyError) in try second.setValue(one, of: "key") } == .wrongPropertyKind)
    #expect(code { () throws(PropertyError) in try second.setValue(one, of: "nxt") } == .unknownProperty)
    try second.setValue(first, of: "next")
    #expect(second["next"] as ManagedObject? === first)
    try second.setValue(nil, of: "next")
    #expect(second["next"] as ManagedObject? == nil)
    let other = ManagedObjectContext(model: context.model)
    let foreign = other.insert(ofEntity: "Line")
    #expect(code { () throws(PropertyError) in try second.setValue(foreign, of: "next") } == .wrongType)
    try context.delete(first)
    #expect(code { () throws(PropertyError) in try second.setValue(first, of: "next") } == .deletedObject)
  }

  @Test("I9: an object that requires a deleted object is incomplete, even without an inverse")
  func deletedTarget() throws {
    let context = try Fixture.context(
      #"""
      "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"team": {"destination": "Team", "optional": false}}}
      """#)
    try context.importJSON(#"{"id": 1, "team": {"id": 7}}"#, ofEntity: "Hero")
    let hero = try #require(try context.find(ofEntity: "Hero", id: 1))
    try hero.validate()
    try context.delete(try #require(try context.find(ofEntity: "Team", id: 7)))
    let error = try #require(throws: PropertyError.self) { try hero.validate() }
    #expect(error.diagnostics.map(\.code) == [.missingValue])
  }

  @Test("I9: each mistake in an object is a separate diagnostic")
  func validation() throws {
    let context = try Fixture.context(#""Hero": {"attributes": {"name": "string", "motto": "string"}}"#)
    let hero = context.insert(ofEntity: "Hero")
    let error = #expect(throws: PropertyError.self) { try hero.validate() }
    #expect(error?.diagnostics.map(\.code) == [.missingValue, .missingValue])
    #expect(error?.diagnostics[1].notes.first?.location?.line == 2)
    #expect(
      error?.description == "expected a value for 'Hero.name', which is not optional, found none; "
        + "expected a value for 'Hero.motto', which is not optional, found none")
  }

  @Test("I1: a Swift value that has no JSON form is reported with a code and a path")
  func conversion() throws {
    let error = #expect(throws: JSONConversionError.self) { try JSON(foundation: ["a": [Date()]]) }
    #expect(error?.diagnostics.map(\.code) == [.notJSON] && error?.diagnostics[0].path == "$.a[0]")
    #expect(error?.description == "a Date is not a JSON value (at $.a[0])")
  }

  @Test(
    "I11: the error for too deeply nested JSON is reported only for such JSON; a list is counted as a level")
  func depth() throws {
    let context = try Fixture.context(
      #"""
      "Page": {"attributes": {
        "tags": {"type": "string", "list": true, "optional": true}, "parts": {"type": "json", "list": true, "optional": true},
        "data": {"type": "json", "optional": true}}}
      """#)
    let page = context.insert(ofEntity: "Page")
    func message(_ value: AttributeValue, of name: String) -> String? {
      do {
        try page.setValue(value, of: name)
        return nil
      } catch {
        return error.diagnostics[0].message
      }
    }
    #expect(
      message(.string("x"), of: "tags") == "'Page.tags' is declared a list of string: it cannot hold the string \"x\"")
    func nested(_ depth: Int) -> JSON { (0..<depth).reduce(.null) { json, _ in [json] } }
    #expect(message(.json(nested(1024)), of: "data") == nil)
    #expect(message(.json(nested(1025)), of: "data")?.hasSuffix("which is nested deeper than 1024") == true)
    #expect(message(.list([.json(nested(1023))]), of: "parts") == nil)
    #expect(page["parts"] as [JSON]? == [nested(1023)])
    #expect(message(.list([.json(nested(1024))]), of: "parts")?.hasSuffix("which is nested deeper than 1024") == true)
  }
}
