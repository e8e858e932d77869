import Foundation
import Testing

@Suite("graft import --assume") struct AssumeTests {
  private static let model = """
    {
      "keyStrategy": "sameName",
      "entities": {
        "Thing": {
          "abstract": true,
          "identityAttributes": "id",
          "entityMapperName": "Kind",
          "JSONDictionaryTransformerName": "Flatten",
          "attributes": {
            "id": "integer64",
            "cents": { "type": "integer64", "JSONTransformerName": "Cents" },
            "slug": { "type": "string", "JSONTransformerName": "Slug" },
          },
        },
        "Book": { "parent": "Thing" },
      },
    }
    """

  private func run(_ words: String..., payload: String) throws -> Invocation {
    let folder = try TemporaryFolder()
    let model = try folder.file("m.json", AssumeTests.model)
    return try Invocation(
      ["import", "--model", model, "Book=-", "--export", "Book=-", "--quiet"] + words, input: payload)
  }

  private static let all = ["Kind", "Flatten", "Slug"].flatMap { ["--assume", "\($0)=asIs"] }

  @Test("Stand-ins replace the program's transformers with built-in transformers or none")
  func standIns() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file("m.json", AssumeTests.model)
    let words = ["import", "--model", model, "Book=-", "--export", "Book=-", "--quiet"] + AssumeTests.all
    let graft = try Invocation(
      words + ["--assume=Cents=StringToInteger"], input: #"{"id": 1, "cents": "950", "slug": "A Book"}"#)
    #expect(graft.messages == "" && graft.status == 0)
    #expect(graft.output.filter { !$0.isWhitespace } == #"[{"id":1,"cents":"950","slug":"ABook"}]"#)
    // Without a transformer, a number in a string is rejected.
    let strict = try Invocation(
      words + ["--assume=Cents=asIs"], input: #"{"id": 1, "cents": "950", "slug": "A Book"}"#)
    #expect(strict.messages.contains("expected an integer for 'Book.cents', found the string \"950\""))
    #expect(strict.status == 1)
  }

  @Test("Without a stand-in, the model's own names cause errors")
  func missing() throws {
    let graft = try run("--assume", "Cents=asIs", payload: "[]")
    #expect(graft.status == 1 && graft.messages.contains("the transformer 'Slug' of attribute 'Thing.slug' is neither"))
    let advice = "note: if your program registers it, try the model with a replacement: --assume "
    for word in ["Slug=StringToInteger", "Kind=asIs", "Flatten=asIs"] {
      #expect(graft.messages.contains("\(advice)\(word)\n"))
    }
    #expect(!graft.messages.contains("\(advice)Cents"))
  }

  @Test(
    "A stand-in causes a usage error if it cannot be used or replaces nothing",
    arguments: [
      ("Slug", "expected '--assume' NAME=TRANSFORMER, such as '--assume Slug=asIs', found 'Slug'"),
      ("Slug=", "expected '--assume' NAME=TRANSFORMER, such as '--assume Slug=asIs', found 'Slug='"),
      (
        "Slug=StringToIntegr",
        "'--assume' does not name a built-in transformer: 'StringToIntegr'; did you mean 'StringToInteger'?"
      ),
      ("Slug=DateFormat(yyyy'x)", "the transformer 'DateFormat(yyyy'x)' is malformed: "),
      ("Slg=asIs", "the model does not name a transformer or mapper 'Slg'; did you mean 'Slug'?"),
      ("Kind=Lowercase", "'Kind' is an entity mapper: only 'asIs' can stand in for it"),
      ("Flatten=Lowercase", "'Flatten' is a dictionary transformer: only 'asIs' can stand in for it"),
    ])
  func usage(word: String, message: String) throws {
    let graft = try run("--assume", word, payload: "[]")
    #expect(graft.status == 2 && graft.messages.hasPrefix("graft import: \(message)"), "\(graft.messages)")
  }

  @Test("--assume takes each name once, and cannot be combined with a store")
  func conflicts() throws {
    #expect(try run("--assume", "Slug=asIs", "--assume", "Slug=Lowercase", payload: "[]").status == 2)
    let folder = try TemporaryFolder()
    let graft = try run("--assume", "Slug=asIs", "--store", folder.path("s.graft"), payload: "[]")
    #expect(graft.status == 2)
    #expect(try folder.names == [])
  }

  @Test("Names in the model and possible stand-ins are completed")
  func completion() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file("m.json", AssumeTests.model)
    func answer(_ word: String) throws -> [String] {
      try Invocation(["completions", "--complete", "--", "import", "--model", model, "--assume", word]).output
        .split(separator: "\n").map(String.init)
    }
    #expect(try answer("") == ["Kind=", "Flatten=", "Cents=", "Slug="])
    #expect(try answer("Cents=").prefix(2) == ["Cents=asIs", "Cents=Blank"])
  }
}
