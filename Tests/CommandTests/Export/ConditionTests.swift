import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("graft export --where") struct ConditionTests {
  private static let model = #"""
    { "keyStrategy": "sameName", "entities": {
      "Hero": {
        "identityAttributes": "id",
        "attributes": {
          "id": "integer32", "name": "string",
          "realName": { "type": "string", "optional": true },
          "appearances": { "type": "integer16", "optional": true },
          "height": { "type": "double", "optional": true },
          "price": { "type": "decimal", "optional": true },
          "isActive": { "type": "boolean", "default": false },
          "born": { "type": "date", "optional": true },
          "code": { "type": "uuid", "optional": true },
          "page": { "type": "uri", "optional": true },
          "rank": { "type": "integer16", "optional": true, "JSONTransformerName": "StringToInteger" },
          "extra": { "type": "json", "optional": true },
          "not": { "type": "string", "optional": true }
        },
        "relationships": {
          "publisher": { "destination": "Publisher", "inverse": "heroes" },
          "powers": { "destination": "Power", "toMany": true, "inverse": "heroes" },
          "friend": { "destination": "Hero" }
        }
      },
      "Publisher": {
        "identityAttributes": "name", "attributes": { "name": "string", "founded": { "type": "integer16", "optional": true } },
        "relationships": { "heroes": { "destination": "Hero", "toMany": true, "inverse": "publisher", "JSONRepresentation": "none" } }
      },
      "Power": {
        "identityAttributes": ["name", "kind"], "attributes": { "name": "string", "kind": "string", "level": { "type": "integer16", "optional": true } },
        "relationships": { "heroes": { "destination": "Hero", "toMany": true, "inverse": "powers", "JSONRepresentation": "none" } }
      }
    } }
    """#

  private static let heroes = #"""
    [
      { "id": 1, "name": "Batman", "realName": "Bruce Wayne", "appearances": 30, "height": 1.88, "price": 12.50, "isActive": true,
        "born": "1939-05-01T00:00:00Z", "code": "6B29FC40-CA47-1067-B31D-00DD010662DA", "page": "https://example.com/batman",
        "rank": "7", "extra": { "a": 1 }, "not": "said \"no\"", "publisher": { "name": "DC", "founded": 1934 },
        "powers": [{ "name": "Wealth", "kind": "money", "level": 9 }, { "name": "Agility", "kind": "body", "level": 3 }], "friend": 2 },
      { "id": 2, "name": "Robin", "realName": "Robin", "appearances": 12, "born": "1940-04-01T12:30:00+02:00", "publisher": "DC",
        "powers": [{ "name": "Agility", "kind": "body" }], "friend": 1 },
      { "id": 3, "name": "Spider-Man", "realName": "Peter Parker", "appearances": 44, "price": 12.5, "isActive": true,
        "publisher": { "name": "Marvel", "founded": 1939 }, "friend": 3 },
      { "id": 4, "name": "Batgirl", "height": 1.7, "rank": "12" },
      { "id": 5, "name": "Zo\u00eb\\" }
    ]
    """#

  private static func store(_ folder: TemporaryFolder) throws -> String {
    let store = folder.path("comics.graft")
    let graft = try Invocation(
      ["import", "--model", folder.file("model.json", model), "--store", store, "Hero=-"], input: heroes)
    #expect(graft.status == 0, "\(graft.messages)")
    return store
  }

  /// Returns the heroes' identifiers in an export of depth 1, in order.
  private static func ids(_ graft: Invocation) -> [Int] {
    (try? JSONSerialization.jsonObject(with: Data(graft.output.utf8)) as? [Int]) ?? []
  }

  @Test("A condition selects the objects to export")
  func conditions() throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(folder)
    let cases: [(String, [Int])] = [
      (#"name = "Batman""#, [1]), (#"name == 'Batman'"#, [1]), (#"'Batman' = name"#, [1]),
      (#"name != "Batman""#, [2, 3, 4, 5]), (#"name <> "Batman""#, [2, 3, 4, 5]),
      (#"name = "Zo\u00eb\\""#, [5]), (#"name = 'Zoë\\'"#, [5]),
      ("appearances > 12", [1, 3]), ("appearances >= 12", [1, 2, 3]), ("appearances < 30", [2]),
      ("appearances <= 30", [1, 2]), ("12 < appearances", [1, 3]), ("appearances > 100000", []),
      ("appearances = null", [4, 5]), ("appearances is null", [4, 5]), ("appearances IS NOT NULL", [1, 2, 3]),
      ("not (appearances > 12)", [2, 4, 5]), ("! appearances > 12", [2, 4, 5]), ("not not appearances > 12", [1, 3]),
      ("height > 1.75", [1]), ("price = 12.50", [1, 3]), ("price = 12.5", [1, 3]), ("price < 1.3e1", [1, 3]),
      ("isActive", [1, 3]), ("not isActive", [2, 4, 5]), ("isActive = true and id > 1", [3]),
      (#"born < "1939-12-31T23:59:59Z""#, [1]), (#"born = "1940-04-01T10:30:00Z""#, [2]),
      (#"code = "6b29fc40-ca47-1067-b31d-00dd010662da""#, [1]), (#"page = "https://example.com/batman""#, [1]),
      ("rank = 7", [1]), (#"rank = "7""#, [1]), (#"rank > "7""#, [4]), ("extra is not null", [1]),
      (#"`not` = "said \"no\"""#, [1]), (#"`not` contains '"no"'"#, [1]),
      (#"name beginsWith "Bat""#, [1, 4]), (#"NAME contains "x""#.replacingOccurrences(of: "NAME", with: "name"), []),
      (#"realName contains "Parker" or name = "Robin""#, [2, 3]), ("realName = name", [2]),
      (#"name in ("Robin", "Batgirl")"#, [2, 4]), ("id in (1)", [1]), ("appearances in (null, 12)", [2, 4, 5]),
      (#"publisher.name = "DC""#, [1, 2]), (#"publisher = "DC""#, [1, 2]), (#"publisher != "DC""#, [3, 4, 5]),
      ("publisher = null", [4, 5]), ("publisher.founded > 1935", [3]), ("publisher.name = null", [4, 5]),
      ("friend.id = id", [3]), (#"friend.publisher.name = "DC" && friend.friend.name = name"#, [1, 2]),
      ("friend = friend.friend", [3, 4, 5]), ("friend = 2", [1]), ("powers.count > 1", [1]),
      ("powers.count = 0", [3, 4, 5]),
      (#"some powers (name = "Agility" and level = 3)"#, [1, 2]), ("some powers (level > 3)", [1]),
      (#"every powers (name = "Agility")"#, [2, 3, 4, 5]), (#"some publisher.heroes (name = "Robin")"#, [1, 2]),
      ("publisher.heroes.count = 2", [1, 2]),
      (#"name = "Batman" or name = "Robin" and appearances = 0"#, [1]),
      (#"(name = "Batman" or name = "Robin") and appearances = 12"#, [2]),
      (#"name = "Batman" || isActive"#, [1, 3]), ("id = 1.0", [1]),
    ]
    for (condition, expected) in cases {
      let graft = try Invocation(["export", "--store", store, "Hero", "--depth", "1", "--where", condition])
      #expect(Self.ids(graft) == expected && graft.status == 0, "\(condition): \(graft.output)\(graft.messages)")
    }
  }

  @Test("Objects are sorted, and their number is limited")
  func sorted() throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(folder)
    let cases: [([String], [Int])] = [
      (["--sort", "name"], [4, 1, 2, 3, 5]), (["--sort=-name"], [5, 3, 2, 1, 4]),
      (["--sort", "-appearances,name"], [3, 1, 2, 4, 5]), (["--sort", "-isActive,-id"], [3, 1, 5, 4, 2]),
      (["--sort", "publisher.name,-id"], [2, 1, 3, 5, 4]), (["--limit", "2"], [1, 2]),
      (["--sort", "-id", "--limit", "2"], [5, 4]),
      (["--where", "appearances > 0", "--sort=-id", "--limit=9"], [3, 2, 1]),
      (["--where", "isActive", "--limit", "1"], [1]),
    ]
    for (words, expected) in cases {
      let graft = try Invocation(["export", "--store", store, "Hero", "--depth", "1"] + words)
      #expect(Self.ids(graft) == expected && graft.status == 0, "\(words): \(graft.output)\(graft.messages)")
    }
  }

  @Test("A faulty condition is shown with a caret below the fault")
  func excerpt() throws {
    let folder = try TemporaryFolder()
    let graft = try Invocation(
      ["export", "--store", try Self.store(folder), "Hero", "--where", #"name = "Batman" and apearances > 10"#])
    #expect(
      graft.messages == #"""
        --where:1:21: error: 'Hero' has no property 'apearances'; did you mean 'appearances'?
        1 | name = "Batman" and apearances > 10
          |                     ^~~~~~~~~~
        graft export: the condition has an error; nothing was exported
        Try 'graft export --help'.

        """#)
    #expect(graft.output == "" && graft.status == 2)
  }

  @Test("The error for each fault has its location and names what was expected")
  func faults() throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(folder)
    let deep = String(repeating: "(", count: 5000) + "isActive" + String(repeating: ")", count: 5000)
    let cases = [
      ("name", "1: error: 'name' is not a boolean; compare it with a value"),
      ("name =", "7: error: expected a value, found the end"),
      ("name = = 1", "8: error: expected a value, found ="),
      ("name = Batman", #"8: error: 'Hero' has no property 'Batman'; text needs quotes: "Batman""#),
      ("name = \"Batman", "8: error: the quote is never closed"),
      (#"name = "a\q""#, #"10: error: expected an escape such as \n, \" or \u00e9; write a backslash as \\"#),
      ("appearances > \"x\"", #"15: error: expected an integer for 'appearances', found the string "x""#),
      ("appearances = 1.5", "15: error: expected an integer for 'appearances', found the number 1.5"),
      ("appearances > 01", "15: error: expected a number as in JSON; dates and other text need quotes"),
      ("born > 1939-05-01", "12: error: expected a number as in JSON; dates and other text need quotes"),
      (
        "born > \"1939-05-01\"", #"8: error: expected a date (RFC 3339 text) for 'born', found the string "1939-05-01""#
      ),
      ("name < null", "6: error: null can only be compared with = or !="),
      ("isActive > true", "10: error: 'isActive' has no order: its type is boolean; compare it with = or !="),
      ("appearances contains 1", "13: error: 'contains' compares text, but 'appearances' is not a string"),
      ("extra = 1", "9: error: 'extra' is JSON, which can only be compared with null"),
      ("name.length = 1", "6: error: 'name' is an attribute, which has no properties"),
      (
        "powers.name = \"x\"",
        "8: error: 'powers' is a to-many relationship; write 'some powers (name ...)' or 'powers.count'"
      ),
      (
        "powers = 1",
        "1: error: 'powers' is a to-many relationship; write 'some powers (...)' or compare 'powers.count'"
      ),
      ("some name (x = 1)", "6: error: 'name' is not a to-many relationship"),
      ("some powers (nam = 'x')", "14: error: 'Power' has no property 'nam'; did you mean 'name'?"),
      ("publisher > \"DC\"", "1: error: 'publisher' is an object; compare one of its attributes"),
      ("publisher.nme = \"DC\"", "11: error: 'Publisher' has no property 'nme'; did you mean 'name'?"),
      ("(isActive", "10: error: expected ')' after the condition, found the end"),
      ("isActive)", "9: error: expected 'and', 'or' or the end, found )"),
      ("isActive isActive", "10: error: expected a comparison such as = or contains, found isActive"),
      ("name = 'a' name", "12: error: expected 'and', 'or' or the end, found name"),
      ("1 = 1", "1: error: expected a property to compare"),
      ("name = 'x' # y", "12: error: expected a name, a value or a comparison, found #"),
      ("name in 'x'", "9: error: expected '(' after 'in', found 'x'"),
      ("name is 'x'", "9: error: expected 'null' after 'is'; compare other values with =, found 'x'"),
      (
        "name = appearances",
        "6: error: the predicate compares values of types string and integer; compare values of the same type"
      ),
      (deep, "101: error: conditions are nested more than 100 deep"),
    ]
    for (condition, message) in cases {
      let graft = try Invocation(["export", "--store", store, "Hero", "--where", condition])
      #expect(
        graft.messages.hasPrefix("--where:1:\(message)\n"), "\(condition.prefix(60)): \(graft.messages.prefix(300))")
      #expect(graft.status == 2 && graft.output == "")
    }
    for (order, message) in [
      ("nam", "1: error: 'Hero' has no property 'nam'; did you mean 'name'?"),
      ("name,-powers", "7: error: 'powers' is not an attribute to sort by"),
      ("name,,id", "6: error: expected the name of an attribute, such as name or -publisher.name"),
      ("extra", "1: error: 'extra' is JSON, which has no order"),
      ("publisher.", "1: error: expected the name of an attribute, such as name or -publisher.name"),
    ] {
      let graft = try Invocation(["export", "--store", store, "Hero", "--sort", order])
      #expect(graft.messages.hasPrefix("--sort:1:\(message)\n") && graft.status == 2, "\(order): \(graft.messages)")
    }
    let graft = try Invocation(["export", "--store", store, "Hero", "--limit", "0"])
    #expect(graft.messages.contains("'--limit' expects a positive integer, found '0'") && graft.status == 2)
  }

  @Test("Conditions have the same meaning without a store, and their errors have a code")
  func memory() throws {
    let context = ManagedObjectContext(model: try ManagedObjectModel(text: Self.model))
    try context.importJSON(Self.heroes, ofEntity: "Hero")
    func export(_ condition: String) throws -> String {
      let selection = try ObjectSelection(
        of: "Hero", in: context, where: (condition, "<condition>"), sortedBy: ("-id", "<order>"))
      return try context.exported(selection, of: "Hero", options: ExportOptions(maxDepth: 1))
    }
    #expect(try export("publisher = 'DC' or appearances > 40") == "[3,2,1]")
    #expect { try export("nam = 1") } throws: { error in
      let diagnostic = (error as? ConditionError)?.diagnostic
      return diagnostic?.code == .invalidCondition && diagnostic?.suggestion == "name"
    }
  }

  @Test("Conditions on members of members test the right objects")
  func nested() throws {
    let folder = try TemporaryFolder()
    let model = #"""
      { "keyStrategy": "sameName", "entities": {
        "Team": { "identityAttributes": "id", "attributes": { "id": "integer32" },
          "relationships": { "members": { "destination": "Hero", "toMany": true } } },
        "Hero": { "identityAttributes": "id", "attributes": { "id": "integer32" },
          "relationships": { "gadgets": { "destination": "Gadget", "toMany": true } } },
        "Item": { "identityAttributes": "id", "attributes": { "id": "integer32" } },
        "Gadget": { "parent": "Item", "attributes": { "weight": { "type": "integer32", "optional": true } } }
      } }
      """#
    let teams = #"""
      [{ "id": 1, "members": [{ "id": 1, "gadgets": [{ "id": 7, "weight": 3 }, { "id": 8, "weight": 1 }] }, { "id": 2 }] },
       { "id": 2, "members": [{ "id": 2 }] }, { "id": 3 }]
      """#
    let store = folder.path("teams.graft")
    let path = try folder.file("model.json", model)
    #expect(try Invocation(["import", "--model", path, "--store", store, "Team=-"], input: teams).status == 0)
    let context = ManagedObjectContext(model: try ManagedObjectModel(text: model))
    try context.importJSON(teams, ofEntity: "Team")
    for (condition, expected) in [
      ("some members (gadgets.count = 2)", "[1]"), ("some members (gadgets.count = 0)", "[1,2]"),
      ("every members (gadgets.count = 0)", "[2,3]"), ("some members (some gadgets (weight = 3) and id = 1)", "[1]"),
      ("some members (every gadgets (weight < 3))", "[1,2]"), ("id in (3, 1, 3) and members.count in (0, 5)", "[3]"),
    ] {
      let graft = try Invocation(["export", "--store", store, "Team", "--depth", "1", "--where", condition])
      #expect(graft.output == expected + "\n" && graft.status == 0, "\(condition): \(graft.messages)")
      let selection = try ObjectSelection(of: "Team", in: context, where: (condition, "<condition>"))
      let text = try context.exported(selection, of: "Team", options: ExportOptions(maxDepth: 1))
      #expect(text == expected, "\(condition)")
    }
  }

  @Test("Random text as a condition never crashes the program")
  func random() throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(folder)
    let words = [
      "name", "=", "and", "or", "not", "(", ")", "\"x\"", "1", "-", "powers", "some", ".", "count", "in", ",", "is",
      "null",
      "publisher", "\\", "'", "`", "é", "isActive", "contains", "born", ">",
    ]
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<60 {
      let text = (0..<Int.random(in: 1...8, using: &generator)).map { _ in words.randomElement()! }.joined(
        separator: " ")
      let graft = try Invocation(["export", "--store", store, "Hero", "--where", text])
      #expect([0, 2].contains(graft.status), "\(text): \(graft.messages)")
    }
  }
}
