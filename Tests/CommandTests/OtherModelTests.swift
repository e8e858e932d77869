import Foundation
import Testing

/// Commands with a model other than the store's own.
@Suite("Stores and other models") struct OtherModelTests {
  private static func model(_ entity: String, _ attributes: String) -> String {
    """
    {
      "keyStrategy": "sameName",
      "entities": { "\(entity)": { "identityAttributes": "id", "attributes": { "id": "integer64"\(attributes) } } },
    }
    """
  }

  private let folder: TemporaryFolder
  private let store: String

  /// A store with two heroes.
  init() throws {
    folder = try TemporaryFolder()
    store = folder.path("s.graft")
    let model = try folder.file("Hero.json", Self.model("Hero", #", "name": {"type": "string", "optional": true}"#))
    let graft = try Invocation(
      ["import", "--model", model, "--store", store, "Hero=-"], input: #"[{"id": 1, "name": "A"}, {"id": 2}]"#)
    #expect(graft.status == 0, "\(graft.messages)")
  }

  private var heroes: String { get throws { try Invocation(["export", "--store", store, "Hero"]).output } }

  @Test("S9: an import or export with a model that would remove objects is refused, and the store is unchanged")
  func removedEntity() throws {
    let (before, bytes) = (try heroes, try Data(contentsOf: URL(fileURLWithPath: store)))
    let model = try folder.file("Card.json", Self.model("Card", ""))
    let message = "the model does not declare 'Hero', and the store has objects of it; to remove them, add"
    let imported = try Invocation(["import", "--model", model, "--store", store, "Card=-"], input: "[]")
    #expect(imported.messages.contains(message) && imported.status == 3)
    let exported = try Invocation(["export", "--model", model, "--store", store, "Card"])
    #expect(exported.messages.contains(message) && exported.status == 3)
    let refused = try Invocation(["store", "migrate", store, "--model", model])
    #expect(refused.messages.contains(message) && refused.status == 1)
    #expect(try heroes == before && before.contains(#""name":"A""#))
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == bytes)
    let migrated = try Invocation(["store", "migrate", store, "--model", model, "--remove", "Hero"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: store + ".backup-1")).count > 0)
    #expect(migrated.status == 0 && migrated.output.contains("remove the entity 'Hero' and its objects\n"))
    #expect(try Invocation(["import", "--model", model, "--store", store, "Card=-"], input: "[]").status == 0)
  }

  @Test(
    "S21: a migration whose values do not fit ends with status 1, lists these values, and leaves the store unchanged")
  func unfitValues() throws {
    let before = try heroes
    let number =
      #", "name": {"type": "integer64", "optional": true, "migratedFrom": {"version": "2", "attributes": "name"}}"#
    let model = try folder.file(
      "New.json", Self.model("Hero", number).replacing("{\n  \"key", with: "{\n  \"version\": \"2\", \"key"))
    let plan = try Invocation(["store", "migrate", store, "--model", model, "--plan"])
    let migrated = try Invocation(["store", "migrate", store, "--model", model])
    #expect(migrated.status == 1, "\(migrated.messages)")
    // A plan tries the migration on a copy of the store.
    #expect(plan.status == 1 && plan.messages == migrated.messages && plan.output == "", "\(plan.messages)")
    #expect(
      migrated.messages.contains("'Hero.name' cannot have the value that 'Hero(1)' gives it: expected an integer"),
      "\(migrated.messages)")
    #expect(try heroes == before)
  }

  @Test("S21: an import migrates a store if its model moves values without removing any")
  func movedValues() throws {
    let nick =
      #", "nick": {"type": "string", "optional": true, "migratedFrom": {"version": "2", "attributes": "name"}}"#
    let text = Self.model("Hero", nick).replacing("{\n  \"key", with: "{\n  \"version\": \"2\", \"key")
    let model = try folder.file("New.json", text)
    let plan = try Invocation(["store", "migrate", store, "--model", model, "--plan"])
    #expect(plan.output == "add 'Hero.nick'\ngive 'Hero.nick' the values of 'name'\n", "\(plan.output)")
    let imported = try Invocation(["import", "--model", model, "--store", store, "Hero=-"], input: #"{"id": 3}"#)
    #expect(imported.status == 0, "\(imported.messages)")
    let now = try heroes
    #expect(now.contains(#"{"id":1,"nick":"A"}"#), "\(now)")
    // The store is not migrated if the model drops values, or requires new values that are not given.
    let required = try folder.file("Required.json", text.replacing(nick, with: "\(nick), \"age\": \"integer64\""))
    let other = try Invocation(["store", "migrate", store, "--model", required, "--plan"])
    #expect(other.status == 1 && other.messages.contains("'Hero.age' is new and required"), "\(other.messages)")
  }

  @Test(
    "S21: an import does not run a migration that drops part of a string; the plan and the diff report such a migration"
  )
  func lostPart() throws {
    for target in ["nick", "name"] {
      let attribute = """
        , "\(target)": {"type": "string", "optional": true, "migratedFrom":
        {"version": "2", "attributes": "name", "separator": " ", "part": 0, "parts": 2}}
        """
      let text = Self.model("Hero", attribute).replacing("{\n  \"key", with: "{\n  \"version\": \"2\", \"key")
      let model = try folder.file("Part.json", text)
      let loss = "remove part 1 of 'Hero.name', counted from 0, because no attribute takes it"
      let plan = try Invocation(["store", "migrate", store, "--model", model, "--plan"])
      #expect(plan.output.contains(loss + "\n") && plan.status == 0, "\(plan.output)")
      let refused = try Invocation(["import", "--model", model, "--store", store, "Hero=-"], input: "[]")
      #expect(refused.status == 3 && refused.messages.contains("would change it: \(loss)"), "\(refused.messages)")
      let difference = try Invocation(["diff", folder.path("Hero.json"), model])
      #expect(difference.output.contains(loss) && !difference.output.contains("renamedFrom"), "\(difference.output)")
    }
    // A parent entity and its sub-entity can each get one part of a string: objects of the parent alone have only their part. Two versions
    // can also split one string.
    func plan(_ entities: String, version: String) throws -> String {
      let model = try folder.file(
        "Family.json", "{\"version\": \"\(version)\", \"keyStrategy\": \"sameName\", \"entities\": {\(entities)}}")
      let plan = try Invocation(["store", "migrate", store, "--model", model, "--plan"])
      #expect(plan.status == 0, "\(plan.messages)")
      return plan.output
    }
    func part(_ name: String, _ number: Int, version: String = "2") -> String {
      """
      "\(name)": {"type": "string", "optional": true, "migratedFrom":
      {"version": "\(version)", "attributes": "name", "separator": " ", "part": \(number), "parts": 2}}
      """
    }
    let hero = #""Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "#
    let family = "\(hero)\(part("first", 0))}}, \"Star\": {\"parent\": \"Hero\", \"attributes\": {\(part("last", 1))}}"
    #expect(
      try plan(family, version: "2").contains("remove part 1 of 'Hero.name', counted from 0"))
    let versions = "\(hero)\(part("first", 0)), \(part("last", 1, version: "3"))}}"
    #expect(try !plan(versions, version: "3").contains("remove"))
    // A string that is split completely, or is also kept, loses nothing.
    for others in [
      #""rest": {"type": "string", "optional": true, "migratedFrom": {"version": "2", "attributes": "name", "separator": " ", "part": 1, "parts": 2}}"#,
      #""name": {"type": "string", "optional": true}"#,
      #""all": {"type": "string", "optional": true, "migratedFrom": {"version": "2", "attributes": "name"}}"#,
    ] {
      let attribute = """
        , "nick": {"type": "string", "optional": true, "migratedFrom":
        {"version": "2", "attributes": "name", "separator": " ", "part": 0, "parts": 2}}, \(others)
        """
      let text = Self.model("Hero", attribute).replacing("{\n  \"key", with: "{\n  \"version\": \"2\", \"key")
      let model = try folder.file("Parts.json", text)
      let plan = try Invocation(["store", "migrate", store, "--model", model, "--plan"])
      #expect(!plan.output.contains("remove") && plan.status == 0, "\(plan.output) \(plan.messages)")
    }
  }

  @Test(
    "S9: an import is refused if its model would remove stored values; a model that adds properties migrates the store")
  func removedAttribute() throws {
    let smaller = try folder.file("Smaller.json", Self.model("Hero", ""))
    let refused = try Invocation(["import", "--model", smaller, "--store", store, "Hero=-"], input: #"{"id": 3}"#)
    #expect(
      refused.messages.contains("the model does not declare 'Hero.name', and the store has values of it; ")
        && refused.status == 3)
    // If the model file lists removals, only 'migrate' removes the values.
    let listed = try folder.file(
      "Listed.json",
      Self.model("Hero", "").replacingOccurrences(
        of: "\"entities\"", with: "\"removed\": [\"Hero.name\"], \"entities\""))
    let told = try Invocation(["import", "--model", listed, "--store", store, "Hero=-"], input: #"{"id": 3}"#)
    #expect(told.messages.contains("would change it: remove 'Hero.name' and its values; ") && told.status == 3)
    let larger = try folder.file(
      "Larger.json",
      Self.model(
        "Hero", #", "name": {"type": "string", "optional": true}, "age": {"type": "integer16", "optional": true}"#))
    let words = ["import", "--model", larger, "--store", store, "Hero=-"]
    // A dry run changes nothing.
    let trial = try Invocation(words + ["--dry-run"], input: #"{"id": 1, "age": 7}"#)
    #expect(trial.messages.contains("would change it: add 'Hero.age'; ") && trial.status == 3)
    #expect(try !heroes.contains("age"))
    #expect(try Invocation(words, input: #"{"id": 1, "age": 7}"#).status == 0)
    #expect(try heroes.contains(#""name":"A","age":7"#))
  }

  @Test("S9: an entity without objects can be removed by an import")
  func emptyEntity() throws {
    let empty = folder.path("empty.graft")
    let hero = folder.path("Hero.json")
    #expect(try Invocation(["import", "--model", hero, "--store", empty, "Hero=-"], input: "[]").status == 0)
    let card = try folder.file("Card.json", Self.model("Card", ""))
    #expect(try Invocation(["import", "--model", card, "--store", empty, "Card=-"], input: #"{"id": 1}"#).status == 0)
  }

  @Test("S16: an empty file is not migrated, because that would create a store in the file")
  func fileWithoutContent() throws {
    let empty = try folder.file("nothing.graft", "")
    for words in [[], ["--plan"]] {
      let graft = try Invocation(["store", "migrate", empty, "--model", folder.path("Hero.json")] + words)
      #expect(graft.messages.contains("it is empty: its creation is in progress, or was interrupted"))
      #expect(graft.status == 3)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: empty)).isEmpty)
  }

  @Test("Without '--output', the error of a backup explains how to name the copy")
  func backup() throws {
    let graft = try Invocation(["store", "backup", store, folder.path("copy.graft")])
    #expect(
      graft.messages.hasPrefix("graft store: give the copy with an option: '--output' \(folder.path("copy.graft"))\n")
    )
    #expect(graft.status == 2)
  }

  @Test(
    "S16: a first import that a signal ends leaves no file",
    arguments: FileTests.signals.filter { $0 != SIGHUP }, [false, true])
  func interrupted(signal: Int32, isBlocked: Bool) throws {
    let path = folder.path("interrupted.graft")
    let process = Process()
    process.executableURL = Invocation.program
    process.arguments = ["import", "--model", folder.path("Hero.json"), "--store", path, "Hero=-"]
    let input = Pipe()
    process.standardInput = input
    process.standardError = FileHandle.nullDevice
    // The threads of tests block signals, and child processes inherit this.
    if isBlocked { try process.run() } else { try withSignalsUnblocked { try process.run() } }
    for _ in 0..<500 where !FileManager.default.fileExists(atPath: path) { usleep(10_000) }
    #expect(FileManager.default.fileExists(atPath: path))
    usleep(200_000)
    kill(process.processIdentifier, signal)
    process.waitForEnd()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("."))
    #expect(!left.contains { $0.hasPrefix("interrupted.graft") }, "\(left)")
    _ = input
  }

  @Test(
    "S9: an export does not change the format of existing data, so programs with the former model continue to work",
    arguments: [
      #", "title": {"type": "string", "optional": true, "renamedFrom": "name"}"#,
      #", "name": {"type": "string", "default": "-"}"#,
      #", "title": {"type": "string", "optional": true, "migratedFrom": {"version": "2", "attributes": "name"}}, "name": {"type": "string", "optional": true}"#,
    ])
  func otherForm(attributes: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    let model = try folder.file(
      "New.json", Self.model("Hero", attributes).replacing("{\n  \"key", with: "{\n  \"version\": \"2\", \"key"))
    let refused = try Invocation(["export", "--model", model, "--store", store, "Hero"])
    #expect(refused.status == 3 && refused.messages.contains("run 'graft store migrate' first"), "\(refused.messages)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == bytes)
    #expect(try Invocation(["store", "migrate", store, "--model", model]).status == 0)
    #expect(try Invocation(["export", "--model", model, "--store", store, "Hero"]).status == 0)
  }

  @Test("Names for '--remove' must be names in the store")
  func unknownRemoval() throws {
    let model = try folder.file("Smaller.json", Self.model("Hero", ""))
    let wrong = try Invocation(["store", "migrate", store, "--model", model, "--remove", "Hero.nmae"])
    #expect(
      wrong.status == 2
        && wrong.messages.contains("the store has no 'Hero.nmae' that '--remove' could name; did you mean 'Hero.name'?"),
      "\(wrong.messages)")
    let right = try Invocation(["store", "migrate", store, "--model", model, "--remove", "Hero.name"])
    #expect(right.status == 0 && right.output == "remove 'Hero.name' and its values\n", "\(right.messages)")
  }
}
