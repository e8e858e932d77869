import Foundation
import Testing

@Suite("graft store salvage") struct SalvageCommandTests {
  private static let model = """
    {"keyStrategy": "sameName", "entities": {
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}}}}}
    """

  @Test("The readable rows are copied, and the other rows are listed")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let (store, copy) = (folder.path("heroes.graft"), folder.path("copy.graft"))
    let model = try folder.file("model.json", Self.model)
    let heroes = (0..<50).map { "{\"id\": \($0), \"name\": \"hero number \($0) of all\"}" }.joined(separator: ",")
    #expect(try Invocation(["import", "--model", model, "--store", store, "Hero=-"], input: "[\(heroes)]").status == 0)
    let sound = try Invocation(["store", "salvage", store, "--output", copy])
    #expect(sound.output == "\(copy): the whole store was copied\n" && sound.status == 0)

    // One letter of a name is replaced in the file.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    let name = try #require(bytes.range(of: Data("hero number 17 of all".utf8)))
    bytes[name.lowerBound] = UInt8(ascii: "z")
    try bytes.write(to: URL(fileURLWithPath: store))
    let other = folder.path("other.graft")
    let damaged = try Invocation(["store", "salvage", store, "--output", other])
    #expect(damaged.status == 1)
    #expect(damaged.messages.contains("error: row 18 of table 'Hero' cannot be read"), "\(damaged.messages)")
    #expect(damaged.messages.contains("the rest was copied to '\(other)'"), "\(damaged.messages)")
    let exported = try Invocation(["export", "--store", other, "Hero"]).output
    #expect(exported.matches(of: /"id"/).count == 49 && !exported.contains("number 17 of"))
    #expect(try Invocation(["store", "verify", other]).status == 0)

    #expect(try Invocation(["export", "--store", store, "Hero"]).status != 0)
    let rest = try Invocation(["export", "--store", store, "Hero", "--skip-damaged"])
    #expect(rest.output == exported && rest.status == 1)
    #expect(rest.messages.contains("row 18 of table 'Hero' cannot be read"), "\(rest.messages)")
    #expect(rest.messages.contains("1 error in '\(store)'; the rest was exported"), "\(rest.messages)")
    #expect(try Invocation(["export", "--store", other, "Hero", "--skip-damaged"]).status == 0)
  }

  @Test("An existing copy is not overwritten, and an output is required")
  func usage() throws {
    let folder = try TemporaryFolder()
    let store = folder.path("heroes.graft")
    let model = try folder.file("model.json", Self.model)
    #expect(try Invocation(["import", "--model", model, "--store", store, "Hero=-"], input: "[]").status == 0)
    let copy = try folder.file("copy.graft", "something else")
    #expect(try Invocation(["store", "salvage", store, "--output", copy]).status == 3)
    #expect(try folder.text("copy.graft") == "something else")
    #expect(try Invocation(["store", "salvage", store]).status == 2)
  }
}
