import Foundation
import Testing

@Suite("graft schema") struct SchemaTests {
  @Test("Models/model.schema.json is up to date: 'graft schema > Models/model.schema.json'")
  func file() throws {
    let graft = try Invocation("schema")
    let url = Invocation.root.appendingPathComponent("Models/model.schema.json")
    #expect(try String(contentsOf: url, encoding: .utf8) == graft.output)
    #expect(graft.messages == "" && graft.status == 0)
  }

  @Test("The schema is JSON and declares its dialect")
  func dialect() throws {
    let data = Data(try Invocation("schema").output.utf8)
    let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
  }

  @Test("Every model in the repository names the schema on its first line")
  func models() throws {
    let folder = Invocation.root.appendingPathComponent("Models")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json") }
    #expect(!names.isEmpty)
    for name in names {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      #expect(text.contains("\n{\n  \"$schema\": \"./model.schema.json\",\n"), "\(name)")
    }
  }

  @Test("An output that cannot be written is reported")
  func unwritable() throws {
    guard let full = FileHandle(forWritingAtPath: "/dev/full") else { return }
    let graft = try Invocation(["schema"], output: full)
    #expect(graft.messages.hasPrefix("graft schema: cannot write standard output: "))
    #expect(graft.status == 3)
  }
}
