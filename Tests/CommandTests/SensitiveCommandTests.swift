import Foundation
import Testing

/// The program's output about sensitive values (M29).
@Suite("graft: sensitive values") struct SensitiveCommandTests {
  private static let model = """
    {"entities": {"User": {
      "identityAttributes": "email",
      "attributes": {
        "email": {"type": "string", "JSONKeyPath": "email", "sensitive": true},
        "age": {"type": "integer16", "optional": true, "JSONKeyPath": "age", "sensitive": true}
      },
      "relationships": {"friend": {"destination": "User", "JSONKeyPath": "friend"}}
    }}}
    """

  private static let payload = """
    [{"email": "ann@example.com", "age": 21081}, {"email": "bob@example.com", "age": 21082, "friend": "ann@example.com"},
     {"email": "ann@example.com", "age": 21083}]
    """

  private static func isSilent(_ graft: Invocation) -> Bool {
    // The name of a temporary folder can contain any text.
    let text = (graft.output + graft.messages).replacing(#/graft-tests-[0-9A-F-]+/#, with: "")
    return !text.contains("@example") && !text.contains(#/2108[123]/#)
  }

  @Test("M29: reports, dumps, traces and errors hide values, and exports contain them")
  func output() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file("Users.json", Self.model)
    let store = folder.path("users.graft")
    func run(_ words: String..., input: String = Self.payload) throws -> Invocation {
      try Invocation(["import", "--model", model, "User=-"] + words, input: input)
    }
    let report = try run("--report", "json")
    #expect(Self.isSilent(report) && report.output.contains("User(<hidden>)") && report.status == 0)
    let dump = try run("--dump", "-", "--quiet")
    #expect(Self.isSilent(dump) && dump.output.contains(#""email": "<hidden>", "age": "<hidden>""#))
    let trace = try run("--trace", "User(ann@example.com)")
    #expect(Self.isSilent(trace), "\(trace.output)\(trace.messages)")
    #expect(
      trace.messages.contains("User(<hidden>): 3 mentions") || trace.output.contains("User(<hidden>): 3 mentions"))
    #expect((trace.output + trace.messages).contains(#""<hidden>" -> "<hidden>""#))
    let absent = try run("--trace", "User(cat@example.com)")
    #expect(Self.isSilent(absent))
    let faulty = try run(input: #"[{"email": "ann@example.com", "age": "21082"}]"#)
    #expect(Self.isSilent(faulty) && faulty.messages.contains("found <hidden>") && faulty.status == 1)
    let stored = try run("--store", store, "--report", "json")
    #expect(Self.isSilent(stored) && stored.status == 0)
    let again = try run("--store", store, "--report", "json", input: #"[{"email": "ann@example.com", "age": 21082}]"#)
    #expect(Self.isSilent(again) && again.output.contains(#""old": "<hidden>""#))
    for words in [["store", "info", store], ["store", "verify", store], ["explain", model]] {
      #expect(Self.isSilent(try Invocation(words)), "\(words)")
    }
    let exported = try Invocation(["export", "--store", store, "User"])
    #expect(exported.output.contains(#""email":"ann@example.com""#) && exported.status == 0)
  }
}
