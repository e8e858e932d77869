import Foundation
import Testing

@Suite("Reports of batches") struct BatchReportTests {
  private static let model = """
    {
      "keyStrategy": "sameName",
      "entities": {
        "Hero": {
          "identityAttributes": "id",
          "attributes": { "id": "integer64", "name": { "type": "string", "optional": true } },
          "relationships": { "friend": { "destination": "Hero" } },
        },
      },
    }
    """

  /// Imports payloads into a store in batches of one object, and returns the lines of the report.
  private func lines(_ payloads: [String], _ words: String...) throws -> [String] {
    let folder = try TemporaryFolder()
    let model = try folder.file("m.json", Self.model)
    var lines: [String] = []
    for payload in payloads {
      let words =
        ["import", "--model", model, "--store", folder.path("s.graft"), "--batch-size", "1", "Hero=-"] + words
      let graft = try Invocation(words + ["--warnings", "none"], input: payload)
      #expect(graft.status == 0, "\(graft.messages)")
      lines += graft.output.split(separator: "\n").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
    }
    return lines
  }

  @Test("D10: an object that is repeated in a later batch is reported once, as inserted")
  func repeated() throws {
    let payload = #"[{"id": 1, "name": "a"}, {"id": 2}, {"id": 1, "name": "b"}, {"id": 2}, {"id": 1, "name": "c"}]"#
    #expect(try lines([payload]) == ["Hero  2 inserted"])
    // In the second run, the store has both objects, and the last dictionary of Hero(1) equals the stored object.
    #expect(try lines([payload, payload]) == ["Hero  2 inserted", "Hero  1 updated, 1 unchanged"])
  }

  @Test(
    "D10: a placeholder that a later batch fills is reported as inserted, and an object updated twice as updated")
  func placeholders() throws {
    #expect(try lines([#"[{"id": 1, "friend": 2}, {"id": 2}, {"id": 3, "friend": 2}]"#]) == ["Hero  3 inserted"])
    #expect(
      try lines([#"[{"id": 1}]"#, #"[{"id": 1}, {"id": 1, "name": "x"}, {"id": 1}]"#])
        == ["Hero  1 inserted", "Hero  1 updated"])
  }

  @Test("I12: the JSON report of batches in a store lists the changes to each object, as without a store")
  func objectsOfBatches() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file("m.json", Self.model)
    func ids(_ words: String...) throws -> [String] {
      let graft = try Invocation(
        ["import", "--model", model, "--batch-size", "1", "--report", "json", "Hero=-"] + words,
        input: #"[{"id": 1, "name": "a"}, {"id": 2}]"#)
      #expect(graft.status == 0, "\(graft.messages)")
      let report = try #require(try JSONSerialization.jsonObject(with: Data(graft.output.utf8)) as? [String: Any])
      #expect((report["inserted"] as? [String: Any])?["Hero"] as? Int == 2)
      return (report["objects"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    }
    #expect(try ids() == ["Hero(1)", "Hero(2)"])
    #expect(try ids("--store", folder.path("s.graft")) == ["Hero(1)", "Hero(2)"])
  }
}
