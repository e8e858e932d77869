import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Property errors") struct PropertyErrorTests {
  @Test("I11: what an object refuses has a code")
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

  @Test("I9: everything that is wrong with an object is a diagnostic of its own")
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

  @Test("I1: a value in Swift that is not JSON has a code and a path")
  func conversion() throws {
    let error = #expect(throws: JSONConversionError.self) { try JSON(foundation: ["a": [Date()]]) }
    #expect(error?.diagnostics.map(\.code) == [.notJSON] && error?.diagnostics[0].path == "$.a[0]")
    #expect(error?.description == "a Date is not a JSON value (at $.a[0])")
  }

  @Test("I11: only JSON that is nested too deeply is said to be; a list counts as a level")
  func depth() throws {
    let context = try context(
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
