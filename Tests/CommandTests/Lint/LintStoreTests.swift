import Foundation
import Testing

@Suite("graft lint --store") struct LintStoreTests {
  private let folder: TemporaryFolder
  private let store: String

  private static func model(_ indexes: String = "", team: String = "") -> String {
    """
    {"keyStrategy": "sameName", "entities": {
      "Hero": {"identityAttributes": "id", \(indexes)
        "attributes": {"id": "integer64", "name": "string", "age": {"type": "integer16", "optional": true},
          "price": {"type": "decimal", "optional": true}},
        "relationships": {"team": {"destination": "Team", "inverse": "heroes"}}},
      "Villain": {"parent": "Hero", "attributes": {"plan": {"type": "string", "optional": true}}},
      "Team": {"identityAttributes": "id", \(team)
        "attributes": {"id": "integer64", "city": {"type": "string", "optional": true}},
        "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "team"}}}}}
    """
  }

  private static let payload = """
    [{"id": 1, "name": "Batman", "age": 35, "team": {"id": 1, "city": "Gotham"}}, {"id": 2, "name": "Robin", "team": 1}]
    """

  init() throws {
    folder = try TemporaryFolder()
    store = folder.path("comics.graft")
    let model = try folder.file("Comics.json", Self.model())
    #expect(try Invocation(["import", "--model", model, "--store", store, "Hero=-"], input: Self.payload).status == 0)
  }

  private func lint(_ words: String...) throws -> Invocation { try Invocation(["lint", "--store", store] + words) }

  @Test("M28: for a query that reads a whole table, the finding names the index to declare")
  func missing() throws {
    let graft = try lint(
      "--where", #"Hero: name = "Batman" and age > 30 and team.city = "Gotham""#, "--where", "Hero: id = 1 or team = 1",
      "--where", #"Hero: name contains "man""#, "--where", #"Villain: plan = "x" and name = "y""#, "--sort",
      "Hero: -age")
    let query = #"Hero: name = "Batman" and age > 30 and team.city = "Gotham""#
    #expect(
      graft.output == """
        \(query): reads 2 rows of 'Hero'; add "indexes": [["name","age"]] to entity 'Hero'
        \(query): reads 1 row of 'Team'; add "indexes": ["city"] to entity 'Team'
        Villain: plan = "x" and name = "y": reads 2 rows of 'Hero'; add "indexes": [["plan","name"]] to entity 'Villain'
        Hero: -age: sorts 2 rows of 'Hero'; add "indexes": ["age"] to entity 'Hero'

        """)
    #expect(graft.messages == "4 parts of queries without an index\n" && graft.status == 1)
  }

  @Test("M28: once the suggested indexes are declared, there are no findings")
  func declared() throws {
    let model = try folder.file(
      "Next.json", Self.model(#""indexes": [["name", "age"], "age", "price"],"#, team: #""indexes": ["city"],"#))
    #expect(try Invocation(["store", "migrate", store, "--model", model]).status == 0)
    let graft = try lint(
      "--where", #"Hero: name = "Batman" and age > 30 and team.city = "Gotham""#, "--sort", "Hero: -age", "--where",
      "Hero: price = 2.5")
    #expect(graft.output == "" && graft.messages == "no index is missing\n" && graft.status == 0)
    // An index does not sort decimals by value.
    #expect(try lint("--sort", "Hero: price", "--where", "Hero: price > 2.5").status == 0)
  }

  @Test("Wrong arguments cause usage errors, and a wrong condition is shown with its location")
  func usage() throws {
    for (words, message) in [
      (["--where", "name = 1"], "expects an entity, a colon and a query"),
      (["x.json"], "the model is given with '--model'"),
      ([], "no query is given"), (["--where", "Nobody: a = 1"], "'Nobody'"), (["--where", "Hero: nmae = 'x'"], "nmae"),
    ] {
      let graft = try Invocation(["lint", "--store", store] + words)
      #expect(graft.status == 2 && graft.messages.contains(message), "\(words): \(graft.messages)")
      #expect(graft.output == "")
    }
    #expect(try Invocation(["lint", "--store", folder.path("none.graft"), "--where", "Hero: id = 1"]).status == 3)
  }

  @Test("M28: a plan and a diff list the indexes that are added and removed")
  func plans() throws {
    let old = try folder.file("Old.json", Self.model())
    let new = try folder.file("New.json", Self.model(#""indexes": ["name", ["name", "age"]],"#))
    let diff = try Invocation(["diff", old, new])
    #expect(
      diff.output == """
        Stores are migrated automatically:
          create an index on 'Hero.name'
          create an index on 'Hero.name, Hero.age'

        """)
    #expect(diff.status == 0)
    let plan = try Invocation(["store", "migrate", store, "--model", new, "--plan"])
    #expect(plan.output.contains("create an index on 'Hero.name, Hero.age'\n") && plan.status == 0)
    #expect(try Invocation(["store", "migrate", store, "--model", new]).status == 0)
    #expect(
      try Invocation(["store", "migrate", store, "--model", old, "--plan"]).output.contains(
        "drop the index on 'Hero.name'\n"))
    #expect(try Invocation(["store", "verify", store]).status == 0)
    #expect(
      try Invocation(["explain", new, "Villain"]).output.contains("Indexes of SQLite stores: 'name'; 'name, age'."))
  }
}
