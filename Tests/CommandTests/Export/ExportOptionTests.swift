import Testing

/// The options for writing objects, which 'graft import' and 'graft export' share.
@Suite("graft: export options") struct ExportOptionTests {
  private static let payload =
    #"[{"id": "1", "name": "A", "powers": [{"id": "7", "name": "P"}]}, {"id": "2", "name": "B"}]"#

  private static func imported(_ words: String) throws -> Invocation {
    try Invocation(
      ["import", "--model", "Models/Comics.json", "Hero=-", "--export", "Power=-", "--quiet"]
        + words.split(separator: " ").map(String.init), input: payload)
  }

  @Test("--indent writes each member on a separate line, and --omit-nil omits properties without a value")
  func shapes() throws {
    #expect(try Self.imported("").output == #"[{"id":"7","name":"P","heroes":["1"]}]"# + "\n")
    #expect(
      try Self.imported("--indent").output == """
        [
          {
            "id": "7",
            "name": "P",
            "heroes": [
              "1"
            ]
          }
        ]

        """)
    let graft = try Invocation(
      ["import", "--model", "Models/Comics.json", "Publisher=-", "--export", "Publisher=-", "--quiet", "--omit-nil"],
      input: #"[{"id": "7", "name": "P", "founded": null}]"#)
    #expect(graft.output == #"[{"id":"7","name":"P","heroes":[]}]"# + "\n", "\(graft.messages)")
  }

  @Test("--roots leaves out objects that other objects contain, and parts of one document are imported together")
  func roots() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "m.json",
      #"{"keyStrategy": "sameName", "entities": {"A": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"as": {"destination": "A", "toMany": true}, "b": {"destination": "B"}}}, "B": {"identityAttributes": "id", "attributes": {"id": "integer64", "x": "boolean"}}}}"#
    )
    let graft = try Invocation(
      ["import", "--model", model, "A@data.a=-", "B@data.b=-", "--export", "A=-", "--quiet", "--roots"],
      input: #"{"data": {"b": [{"id": 1, "x": true}], "a": [{"id": 1}, {"id": 2, "as": [1], "b": 1}]}}"#)
    #expect(
      graft.output == #"[{"id":2,"as":[{"id":1,"as":[],"b":null}],"b":{"id":1,"x":true}}]"# + "\n", "\(graft.messages)")
  }

  @Test("--representation sets how a relationship is written when imports or stores are exported")
  func representations() throws {
    let folder = try TemporaryFolder()
    let store = folder.path("c.graft")
    let first = try Invocation(
      ["import", "--model", "Models/Comics.json", "Hero=-", "--store", store, "--export", "Hero=-", "--quiet"]
        + ["--omit-nil", "--representation", "Hero.powers=identifier"], input: Self.payload)
    #expect(
      first.output
        == #"[{"id":"1","name":"A","retired":false,"powers":["7"],"sidekicks":[]},{"id":"2","name":"B","retired":false,"powers":[],"sidekicks":[]}]"#
        + "\n")
    let second = try Invocation(
      ["export", "--store", store, "Hero", "--omit-nil", "--representation", "Hero.powers=none"])
    #expect(
      second.output
        == #"[{"id":"1","name":"A","retired":false,"sidekicks":[]},{"id":"2","name":"B","retired":false,"sidekicks":[]}]"#
        + "\n")
    let wrong = try Invocation(["export", "--store", store, "Hero", "--representation", "Hero.power=none"])
    #expect(
      wrong.messages == """
        error: '--representation' names 'Hero.power', which is not a relationship of the model; did you mean 'powers'?
        1 error; nothing was written

        """)
    #expect(wrong.status == 1)
  }

  @Test("--lines writes JSON Lines, which an import can read")
  func lines() throws {
    let folder = try TemporaryFolder()
    let store = folder.path("c.graft")
    _ = try Invocation(
      ["import", "--model", "Models/Comics.json", "Hero=-", "--store", store], input: Self.payload)
    let lines = try Invocation(["export", "--store", store, "Hero", "--lines", "--omit-nil", "--depth", "2"])
    #expect(
      lines.output == #"""
        {"id":"1","name":"A","retired":false,"powers":["7"],"sidekicks":[]}
        {"id":"2","name":"B","retired":false,"powers":[],"sidekicks":[]}

        """#, "\(lines.messages)")
    let again = try Invocation(
      ["import", "--model", "Models/Comics.json", "Hero=-", "--lines", "--store", store], input: lines.output)
    #expect(again.output.contains("Hero  2 unchanged"), "\(again.output)\(again.messages)")
    let none = try Invocation(["export", "--store", store, "Publisher", "--lines"])
    #expect(none.output == "" && none.status == 0)
    #expect(try Invocation(["export", "--store", store, "Hero", "--lines", "--indent"]).status == 2)
  }

  @Test("--missing delete deletes objects that no payload mentions, and the report counts them")
  func missing() throws {
    let folder = try TemporaryFolder()
    let store = folder.path("c.graft")
    _ = try Invocation(
      ["import", "--model", "Models/Comics.json", "Hero=-", "--store", store], input: Self.payload)
    let graft = try Invocation(
      ["import", "--model", "Models/Comics.json", "Hero=-", "--store", store, "--missing", "delete"],
      input: #"[{"id": "2", "name": "B"}]"#)
    #expect(graft.output.contains("Hero   1 unchanged, 1 deleted"), "\(graft.output)\(graft.messages)")
    let heroes = try Invocation(["export", "--store", store, "Hero", "--omit-nil"])
    #expect(heroes.output == #"[{"id":"2","name":"B","retired":false,"powers":[],"sidekicks":[]}]"# + "\n")
  }
}
