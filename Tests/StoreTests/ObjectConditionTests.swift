import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

/// Conditions written as text and evaluated without a store and by each store.
@Suite("S6: conditions as text") struct ObjectConditionTests {
  private enum Grade: String, AttributeConvertible { case good, bad }

  private static let model = #"""
    { "keyStrategy": "sameName", "entities": {
      "Team": { "identityAttributes": "title", "attributes": { "title": "string" },
        "relationships": { "members": { "destination": "Person", "toMany": true, "inverse": "team" } } },
      "Person": { "identityAttributes": "name",
        "attributes": {
          "name": "string", "age": { "type": "integer64", "optional": true }, "height": { "type": "double", "optional": true },
          "price": { "type": "decimal", "optional": true }, "born": { "type": "date", "optional": true },
          "code": { "type": "uuid", "optional": true }, "page": { "type": "uri", "optional": true },
          "picture": { "type": "binary", "optional": true }, "isActive": { "type": "boolean", "optional": true },
          "grade": { "type": "string", "optional": true }, "not": { "type": "string", "optional": true } },
        "relationships": { "team": { "destination": "Team", "inverse": "members" }, "rival": { "destination": "Person" } } }
    } }
    """#

  private static let code = UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA")
  private static let page = URL(string: "https://example.com/ann?a=%22b%22")
  private static let born = Date(timeIntervalSince1970: 1_000_000_000.25)
  /// A value that would change the meaning of text if it were inserted without quotes.
  private static let hostile = #"x" or "" = ""\ '`"#

  static func source(_ kind: QueryTests.Kind) throws -> ManagedObjectContext {
    let model = try ManagedObjectModel(text: model)
    let source = try kind.source(model)
    let context = try source?.context() ?? ManagedObjectContext(model: model)
    try context.importJSON(
      [
        [
          "name": "Ann", "age": 30, "height": 1.75, "price": JSON.number(JSONNumber("12.50") ?? 0), "isActive": true,
          "code": "6b29fc40-ca47-1067-b31d-00dd010662da", "page": "https://example.com/ann?a=%22b%22",
          "picture": "AAEC/w==",
          "born": "2001-09-09T01:46:40.25Z", "grade": "good", "not": "x", "team": ["title": "DC"],
        ],
        ["name": .string(hostile), "age": -9, "isActive": false, "grade": "bad", "team": "DC", "rival": "Ann"],
        ["name": "Zoë\n\u{1}", "team": ["title": "Marvel"]],
      ] as JSON, ofEntity: "Person")
    try context.commit()
    return try source?.context() ?? context
  }

  private static func names(_ context: ManagedObjectContext, _ condition: ObjectCondition) throws -> [String] {
    try context.fetch(ofEntity: "Person", where: condition).map { $0["name"] ?? "?" }
  }

  @Test(
    "S6: interpolated values of every type are compared in the same way as attributes",
    arguments: QueryTests.Kind.allCases)
  func values(_ kind: QueryTests.Kind) throws {
    let context = try Self.source(kind)
    let (code, page) = (try #require(Self.code), try #require(Self.page))
    let (noText, noAges) = (nil as String?, [] as [Int])
    let all = ["Ann", Self.hostile, "Zoë\n\u{1}"]
    let cases: [(ObjectCondition, [String])] = [
      ("name = \("Ann")", ["Ann"]), ("name = \(Self.hostile)", [Self.hostile]), ("name = \("Zoë\n\u{1}")", [all[2]]),
      ("name != \(Self.hostile)", ["Ann", all[2]]), ("age = \(30)", ["Ann"]), ("age < \(-8 as Int8)", [Self.hostile]),
      ("age > 29.5", ["Ann"]), ("age >= 30.5", []), ("age < \(-8.5)", [Self.hostile]),
      ("age <= 30.5 and age > -9.5", ["Ann", Self.hostile]),
      ("age < \(Int64.max)", ["Ann", Self.hostile]), ("age > \(Int64.min)", ["Ann", Self.hostile]),
      ("height = \(1.75)", ["Ann"]), ("height < \(1e300)", ["Ann"]), ("height > \(-1.5e-300)", ["Ann"]),
      ("price = \(Decimal(12.5))", ["Ann"]), ("isActive = \(true)", ["Ann"]), ("isActive = \(false)", [Self.hostile]),
      ("born = \(Self.born)", ["Ann"]), ("born > \(Date.distantPast)", ["Ann"]), ("born > \(Date.distantFuture)", []),
      ("code = \(code)", ["Ann"]), ("page = \(page)", ["Ann"]), ("picture = \(Data([0, 1, 2, 255]))", ["Ann"]),
      ("grade = \(Grade.good)", ["Ann"]), ("grade = \(noText)", [all[2]]),
      ("grade != \(noText)", ["Ann", Self.hostile]),
      ("grade in \([Grade.good, .bad])", ["Ann", Self.hostile]), ("name in \([Self.hostile, "?"])", [Self.hostile]),
      ("age not in (30)", [Self.hostile, all[2]]), ("grade NOT IN \([Grade.bad])", ["Ann", all[2]]),
      ("age in \(noAges)", []), ("not age in \(noAges)", all), ("age in \([30, nil] as JSON)", ["Ann", all[2]]),
      ("\(property: "team.title") = \("DC") and \(property: "not") = 'x'", ["Ann"]),
      ("team = \("DC")", ["Ann", Self.hostile]), (#"name in ("\u0041nn", "\ud83d\ude00")"#, ["Ann"]),
      ("some team.members (name = \(Self.hostile))", ["Ann", Self.hostile]),
    ]
    for (condition, expected) in cases {
      #expect(try Self.names(context, condition) == expected, "\(condition)")
      #expect(try context.count(ofEntity: "Person", where: condition) == expected.count, "\(condition)")
      #expect(try context.exists(ofEntity: "Person", where: condition) == !expected.isEmpty, "\(condition)")
      #expect(try Self.names(context, ObjectCondition(condition.description)) == expected, "\(condition)")
    }
  }

  @Test(
    "S6: conditions take pending changes into account, and can be sorted and limited",
    arguments: QueryTests.Kind.allCases)
  func pending(_ kind: QueryTests.Kind) throws {
    let context = try Self.source(kind)
    let ben = context.insert(ofEntity: "Person")
    (ben["name"], ben["age"]) = ("Ben", 40)
    try #require(try context.find(ofEntity: "Person", identity: "Ann"))["age"] = 50
    let sorted = try context.fetch(
      ofEntity: "Person", where: "age > 0", sortedBy: [.descending("age")], limit: 1, offset: 1)
    #expect(sorted == [ben])
    #expect(try context.delete(ofEntity: "Person", where: "age > 45 or team is not null") == 3)
    #expect(try Self.names(context, "name is not null") == ["Ben"])
    #expect(try context.count(ofEntity: "Person", where: "team is null") == 1)
  }

  @Test("S6: errors show their location in the condition")
  func errors() throws {
    let context = try Self.source(.memory)
    let cases: [(ObjectCondition, String)] = [
      ("nam = 'x'", "condition:1:1: error: 'Person' has no property 'nam'"), ("name = ", "expected a value"),
      ("age = \("x")", "expected an integer"), ("age = 29.5", "expected an integer"),
      ("age < '29'", "expected an integer"), ("age < \(UInt64.max)", "found the number 18446744073709551615"),
      ("height = \(Double.nan)", "1:10: error: expected a number for 'height', found the string \"nan\""),
      ("height = \(-Double.infinity)", "found the string \"-inf\""),
      ("price = \(Decimal.nan)", "found the string \"NaN\""),
      ("born < \(Date(timeIntervalSince1970: .infinity))", "found the string \"inf seconds after 1970\""),
      ("nam in ()", "has no property 'nam'"), ("name = nil", "'Person' has no property 'nil'; write null"),
      ("name = Ann", "'Person' has no property 'Ann'; text needs quotes: \"Ann\""),
      ("name = 'x' & age = 1", "1:12: error: expected a name, a value or a comparison, found &"),
      (#"name = "\ud83d""#, "1:9: error: the escape is one half of a surrogate pair, whose other half is missing"),
      (#"name = "\ude00\ud83d""#, "1:9: error: the escape is one half"), (#"name = "\ud83d\u0041""#, "1:9: error"),
      (#"name = "\ud83d\n""#, "1:9: error: the escape is one half"),
      ("\(property: "na`\u{301}me") = 1", "has no property 'na`\u{301}me'"),
      ("\(property: "na\\\u{301}me") = 1", "has no property 'na\\\u{301}me'"),
      ("\(property: "team.\u{301}x") = 1", "'Team' has no property '\u{301}x'"),
      ("\(property: "na`me") = 1", "has no property 'na`me'"),
      ("\(property: "team.") = 1", "'Team' has no property ''"),
      ("name = \(["a": 1] as JSON)", "expected a name, a value"), ("name", "is not a boolean"),
      ("", "expected a property"),
    ]
    for (condition, message) in cases {
      let error = #expect(throws: StoreError.self) { try context.count(ofEntity: "Person", where: condition) }
      #expect(error?.diagnostics.first?.code == .invalidCondition, "\(condition)")
      #expect(error.map { "\($0)".contains(message) } == true, "\(condition): \(error.map { "\($0)" } ?? "")")
    }
  }

  @Test(
    "S6: a condition of any length or depth either selects objects or causes an error",
    arguments: QueryTests.Kind.allCases)
  func extent(_ kind: QueryTests.Kind) throws {
    let context = try Self.source(kind)
    func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    let path = repeated("rival.", 10_000) + "name"
    let errors = [
      ("\(path) = 'x'", "condition:1:1: error: the path has more than 100 names"),
      ("name = \(path)", "condition:1:8: error: the path has more than 100 names"),
      ("some \(path) (age = 1)", "condition:1:6: error: the path has more than 100 names"),
      (repeated("(", 10_000) + "age = 30" + repeated(")", 10_000), "conditions are nested more than 100 deep"),
      (repeated("some team.members (", 10_000), "conditions are nested more than 100 deep"),
    ]
    for (text, message) in errors {
      let error = #expect(throws: StoreError.self) {
        try context.fetch(ofEntity: "Person", where: ObjectCondition(text))
      }
      #expect(error.map { "\($0)".contains(message) } == true, "\(message): \(error.map { "\($0)" } ?? "")")
    }
    let texts = [
      repeated("age = 30 or ", 2_000) + "age = 30", repeated("age = 30 and ", 2_000) + "age = 30",
      repeated("not ", 20_000) + "age = 30", repeated("(", 99) + "age = 30" + repeated(")", 99),
      "age in (30\(repeated(", 1", 100_000)))",
      repeated("(age = 30 or age = 1 and ", 99) + "age = 1" + repeated(")", 99),
      repeated("rival.", 99) + "name is null and age = 30",
    ]
    for text in texts { #expect(try Self.names(context, ObjectCondition(text)) == ["Ann"], "\(text.prefix(50))") }
    for isPending in [false, true] {
      if isPending { context.insert(ofEntity: "Person")["name"] = "Ben" }
      let all = ObjectCondition(repeated("every team.members (", 10) + "age < 100" + repeated(")", 10))
      #expect(try Self.names(context, "team is not null and \(all)") == ["Ann", Self.hostile], "\(isPending)")
      #expect(try context.count(ofEntity: "Person", where: all) == (isPending ? 3 : 2))
    }
  }

  @Test("S6: an interpolated condition keeps its own meaning", arguments: QueryTests.Kind.allCases)
  func parts(_ kind: QueryTests.Kind) throws {
    let context = try Self.source(kind)
    let isYoung: ObjectCondition = "age < \(0) or name = \(")\"")"
    let isActive: ObjectCondition = "isActive"
    let isBoth: ObjectCondition = "\(isYoung) or \(isActive)"
    let cases: [(ObjectCondition, [String])] = [
      ("\(isYoung) and \(isActive)", []), ("not \(isYoung)", ["Ann", "Zoë\n\u{1}"]),
      ("\(isBoth) and name != 'Ann'", [Self.hostile]),
      ("some team.members \(isYoung)", ["Ann", Self.hostile]), ("\(isActive)", ["Ann"]),
    ]
    for (condition, expected) in cases { #expect(try Self.names(context, condition) == expected, "\(condition)") }
    // Without parentheses, each of these conditions would have a different meaning in the condition around it.
    let faults: [(text: String, message: String)] = [
      ("age = 1) or (age = 30", "condition:1:8: error: expected 'and', 'or' or the end, found )"),
      ("name = 'x", "condition:1:8: error: the quote is never closed"),
      ("", "condition:1:1: error: expected a property, found the end"),
      ("30", "condition:1:3: error: expected a comparison, found the end"),
    ]
    for (text, message) in faults {
      let part = ObjectCondition(text)
      for condition in ["name is null and \(part)", "age in \(part) or '' = \("'")", "\(part)"] as [ObjectCondition] {
        let error = #expect(throws: StoreError.self) { try context.count(ofEntity: "Person", where: condition) }
        #expect(error.map { "\($0)".contains(message) } == true, "\(error.map { "\($0)" } ?? "")")
      }
    }
  }

  @Test(
    "S6: a value that is interpolated between quotes is refused, because it could end the quoted string",
    arguments: QueryTests.Kind.allCases
  )
  func quotedValues(_ kind: QueryTests.Kind) throws {
    let context = try Self.source(kind)
    let (typed, name) = (#"x" or name != ""#, "name")
    let part: ObjectCondition = "name = '\(typed)'"
    let conditions: [ObjectCondition] = [
      "name = \"\(typed)\"", "name = '\(typed)'", "name = '\\'\(typed)'", "age = 1 or name contains 'a\(7)b'",
      "`\(property: name)` = 'x'", "age = 30 and '\(part)' = name", "\(part) or age = 30", "not \(part)",
    ]
    for condition in conditions {
      let error = #expect(throws: StoreError.self) { try context.delete(ofEntity: "Person", where: condition) }
      #expect(
        error.map { "\($0)".contains("an interpolated value is between quotes; remove the quotes") } == true,
        "\(condition)")
    }
    // Quotes that are already closed, or that are inside quotes of a different kind, have no effect.
    let values: [ObjectCondition] = [
      "name in ('\"', \(typed)) and age = 1", #"name in ('\'', "'", \#(typed)) and age = 1"#,
    ]
    for condition in values { #expect(try context.count(ofEntity: "Person", where: condition) == 0) }
  }

  @Test("S6: errors for SQL or predicate syntax name the correct syntax")
  func habits() throws {
    let context = try Self.source(.memory)
    for (text, advice) in [
      ("name LIKE 'a%'", "found LIKE; write contains or beginsWith"),
      ("name endsWith 'x'", "for the end of a string, use a closure"), ("name startswith 'x'", "write beginsWith"),
      ("age BETWEEN 1 and 2", "write two comparisons"), ("name MATCHES '.*'", "use a closure"),
      ("ANY team.members.age > 3", "write some powers (name = \"Flight\")"), ("age > ?", "interpolate the value"),
      ("name = %@", "interpolate the value"), ("name = $1", "interpolate the value"),
    ] {
      let error = #expect(throws: StoreError.self) {
        try context.count(ofEntity: "Person", where: ObjectCondition(text))
      }
      #expect(error.map { "\($0)".contains(advice) } == true, "\(text): \(error.map { "\($0)" } ?? "")")
    }
  }

  @Test("S6: an error names the sub-entity that has the property")
  func subentities() throws {
    let context = ManagedObjectContext(
      model: try ManagedObjectModel(
        text: #"""
          { "keyStrategy": "sameName", "entities": {
            "Animal": { "attributes": { "name": "string" } },
            "Bird": { "parent": "Animal", "attributes": { "wings": "integer16" } },
            "Duck": { "parent": "Bird", "attributes": {
              "pond": { "type": "string", "optional": true }, "nam": { "type": "string", "optional": true } } },
            "Pond": { "relationships": { "animals": { "destination": "Animal", "toMany": true } } }
          } }
          """#))
    let cases: [(entity: String, condition: ObjectCondition, message: String)] = [
      ("Animal", "wings = 2", "condition:1:1: error: 'wings' is a property of 'Bird', a sub-entity of 'Animal'"),
      ("Animal", "name = pond", "condition:1:8: error: 'pond' is a property of 'Duck', a sub-entity of 'Animal'"),
      ("Animal", "nam = ''", "condition:1:1: error: 'nam' is a property of 'Duck', a sub-entity of 'Animal'"),
      ("Pond", "some animals (wings = 2)", "1:15: error: 'wings' is a property of 'Bird', a sub-entity of 'Animal'"),
      ("Duck", "wing = 2", "'Duck' has no property 'wing'; did you mean 'wings'?"),
    ]
    for (entity, condition, message) in cases {
      let error = #expect(throws: StoreError.self) { try context.count(ofEntity: entity, where: condition) }
      #expect(error.map { "\($0)".contains(message) } == true, "\(error.map { "\($0)" } ?? "")")
    }
  }

  @Test("S6: lists and JSON values can be compared only with null, and have no order")
  func listsAndJSON() throws {
    let context = ManagedObjectContext(
      model: try ManagedObjectModel(
        text: #"""
          { "keyStrategy": "sameName", "entities": { "Page": { "attributes": {
            "words": { "type": "string", "list": true, "optional": true }, "extra": { "type": "json", "optional": true } } } } }
          """#))
    for (name, kind) in [("words", "a list"), ("extra", "JSON")] {
      let error = #expect(throws: StoreError.self) {
        try context.count(ofEntity: "Page", where: "\(property: name) = 1")
      }
      #expect(error?.diagnostics.first?.message == "'\(name)' is \(kind), which can only be compared with null")
      let conditionError = #expect(throws: ConditionError.self) {
        try ObjectSelection(of: "Page", in: context, sortedBy: (name, "<order>"))
      }
      #expect(conditionError?.diagnostic.message == "'\(name)' is \(kind), which has no order")
    }
  }

  @Test("S6: integers are compared with doubles without being rounded", arguments: QueryTests.Kind.allCases)
  func integersAndDoubles(_ kind: QueryTests.Kind) throws {
    let context = try Self.source(kind)
    let values: [(Int64, Double)] = [
      (9_007_199_254_740_993, 9_007_199_254_740_992), (-9_007_199_254_740_993, -9_007_199_254_740_992),
      (.max, 0x1p63), (.min, -0x1p63), (.min, -0x1.1p63), (2, 1.5), (-2, -1.5), (1, 1.5), (0, -0.0),
    ]
    for (number, (age, height)) in values.enumerated() {
      let person = context.insert(ofEntity: "Person")
      (person["name"], person["age"], person["height"]) = ("\(number)", age, height)
    }
    try context.commit()
    // The condition that the store evaluates, and the condition that is tested in memory.
    for isPending in [false, true] {
      if isPending { context.insert(ofEntity: "Team")["title"] = "new" }
      let cases: [(String, [String])] = [
        ("age = height", ["3", "8"]), ("age < height", ["1", "2", "6", "7"]), ("height > age", ["1", "2", "6", "7"]),
        ("age > height", ["0", "4", "5"]), ("age >= height", ["0", "3", "4", "5", "8"]),
        ("height <= age", ["0", "3", "4", "5", "8"]),
      ]
      for (condition, expected) in cases {
        let found = try Self.names(
          context, ObjectCondition(condition + " and team is null and name != 'Zoë\\n\\u0001'"))
        #expect(found == expected, "\(condition), \(isPending)")
      }
    }
  }

  @Test(
    "S6: properties named after SQL keywords do not change a condition's meaning", arguments: QueryTests.Kind.allCases)
  func wordsOfSQL(_ kind: QueryTests.Kind) throws {
    let words = ["true", "False", "null", "rowid", "current_date", "select", "t", "_id", "value", "abort"]
    for word in words {
      let model = try ManagedObjectModel(
        text: """
          {"keyStrategy": "sameName", "entities": {"A": {"identityAttributes": "id", "attributes": {
              "id": {"type": "integer64", "optional": true}, "\(word)": {"type": "integer64", "optional": true}},
            "relationships": {"others": {"destination": "A", "toMany": true, "inverse": "owner"},
              "owner": {"destination": "A", "inverse": "others"}}}}}
          """)
      let context = try kind.source(model)?.context() ?? ManagedObjectContext(model: model)
      try context.importJSON(
        [["id": 1, word: 0], ["id": 2, word: 1], ["id": 3, word: nil, "owner": 2]] as JSON, ofEntity: "A")
      let cases: [(ObjectCondition, [Int])] = [
        ("not (id > 1)", [1]), ("id != 2", [1, 3]), ("id is null", []), ("id is not null", [1, 2, 3]),
        ("owner is null", [1, 2]), ("every others (id > 5)", [1, 3]), ("not some others (id = 3)", [1, 3]),
      ]
      for (condition, expected) in cases {
        let found: [Int?] = try context.fetch(ofEntity: "A", where: condition, sortedBy: .ascending("id")).map {
          $0["id"]
        }
        #expect(found == expected, "'\(word)', \(condition)")
      }
      #expect(try context.delete(ofEntity: "A", where: "not (id > 1)") == 1)
    }
  }
}
