import Foundation
import Testing

@Suite("graft generate: names") struct GenerateNameTests {
  private func generate(_ entities: String, name: String = "M") throws -> Invocation {
    try Invocation(
      "generate - --output -", input: "{\"name\": \"\(name)\", \"entities\": {\n\(entities)\n}}")
  }

  /// Returns the first group of every match of a pattern.
  private func matches(_ text: String, _ pattern: Regex<(Substring, Substring)>) -> [String] {
    text.matches(of: pattern).map { String($0.output.1) }
  }

  @Test("A class has its entity's name, written as a Swift type name")
  func classNames() throws {
    let entities = [
      "Hero": "Hero", "blog_post": "BlogPost", "hero_URL": "HeroURL", "Blog_Post": "Blog_Post", "été": "Été",
      "日本": "日本",
      "real name": "RealName", "2nd place": "Entity2ndPlace", "🎉": "PartyPopper", "+": "PlusSign", "class": "Class",
      "Date": "DateEntity", "String": "StringEntity", "Graft": "GraftEntity", "ManagedObject": "ManagedObjectEntity",
      "Any": "AnyEntity", "Type": "TypeEntity", "Character": "Character", "Set": "Set", "Optional": "Optional",
    ]
    let graft = try generate(entities.keys.map { "\"\($0)\": {}" }.joined(separator: ",\n"))
    let expected = entities.map { "\($0.value) \"\($0.key)\"" }
    let found = graft.output.matches(of: #/class (\S+): ManagedObject(?s:.)*?entityName: String { (".*") }/#)
      .map { "\($0.output.1) \($0.output.2)" }
    #expect(Set(found) == Set(expected))
  }

  @Test("A property keeps its name from the model wherever Swift allows it")
  func propertyNames() throws {
    let names = [
      ("name", "name"), ("real_name", "real_name"), ("ID", "ID"), ("größe", "größe"), ("real name", "realName"),
      ("a-b", "aB"), ("2nd", "property2nd"), ("class", "`class`"), ("Self", "`Self`"), ("self", "self_"),
      ("init", "init_"), ("Type", "Type_"), ("description", "description_"), ("context", "context_"),
      ("entity", "entity_"), ("isDeleted", "isDeleted_"), ("value", "value"), ("hash", "hash"), ("_", "lowLine"),
      ("$ref", "dollarSignRef"), ("a+b", "aPlusSignB"),
    ]
    let graft = try generate(
      "\"A\": {\"attributes\": {\(names.map { "\"\($0.0)\": \"string\"" }.joined(separator: ", "))}}")
    #expect(matches(graft.output, #/  var (\S+): String\?/#) == names.map(\.1))
  }

  @Test("A case is named after its raw value, and keeps this name when values are appended")
  func caseNames() throws {
    let cases = [
      ("good", "good"), ("in progress", "inProgress"), ("in-progress", "inHyphenMinusProgress"),
      ("IN_PROGRESS", "inLowLineProgress"), ("HTTPError", "httpError"), ("iOS", "iOS"), ("USD", "usd"),
      ("Open", "open"),
      ("open", "open_2"), ("default", "`default`"), ("none", "none_"), ("None", "none_2"), ("self", "self_"),
      ("init", "init_"), ("rawValue", "rawValue_"), ("1", "value1"), ("-1", "hyphenMinus1"), ("16:9", "value16_9"),
      ("169", "value169"), ("A", "a"), ("A+", "aPlusSign"), ("A-", "aHyphenMinus"), ("C#", "cNumberSign"),
      ("", "empty"), (" ", "space"), ("🎉", "partyPopper"), ("日本", "日本"), ("été", "été"),
    ]
    func names(_ count: Int) throws -> [String] {
      let values = cases.prefix(count).map { "\"\($0.0)\"" }.joined(separator: ", ")
      let graft = try generate(#""A": {"attributes": {"x": {"type": "string", "enum": ["# + values + "]}}}")
      return matches(graft.output, #/    case (\S+)/#)
    }
    #expect(try names(cases.count) == cases.map(\.1))
    #expect(try names(9) == cases.prefix(9).map(\.1))
  }

  @Test("An enum does not hide a class, a property, or a name that the generated code uses")
  func enumNames() throws {
    let graft = try generate(
      #"""
      "Status": {"attributes": {
        "status": {"type": "string", "enum": ["a"]}, "type": {"type": "string", "enum": ["a"]},
        "date": {"type": "string", "enum": ["a"]}, "order_state": {"type": "string", "enum": ["a"]},
        "kind": {"type": "string", "enum": ["a"]}}},
      "Sub": {"parent": "Status", "attributes": {"Kind": {"type": "string", "enum": ["a"]}}}
      """#)
    #expect(
      matches(graft.output, #/ enum (\S+): String/#) == [
        "StatusValue", "TypeValue", "DateValue", "OrderState", "KindValue", "KindValue2",
      ])
  }

  @Test("The enum for the model is named after the model or its file")
  func modelNames() throws {
    let folder = try TemporaryFolder()
    func name(_ file: String, _ text: String) throws -> [String] {
      let graft = try Invocation(["generate", folder.file(file, text), "--output", "-"])
      return matches(graft.output, #/enum (\S+Model) /#)
    }
    let nameless = #"{"entities": {}}"#
    #expect(try name("Comics.json", #"{"name": "marvel comics", "entities": {}}"#) == ["MarvelComicsModel"])
    #expect(try name("Comics.json", #"{"name": "ShopModel", "entities": {}}"#) == ["ShopModel"])
    #expect(try name("comic-shop.model.json", nameless) == ["ComicShopModel"])
    #expect(try name("2.json", nameless) == ["Model2Model"])
  }

  @Test("Names that are the same in Swift are reported, each at its location")
  func collisions() throws {
    let graft = try generate(
      #"""
      "Hero": {"attributes": {"real name": "string", "realName": "string"}},
      "hero": {},
      "Sub": {"parent": "Hero", "attributes": {"real-name": "string"}},
      "Big": {"class": "String"},
      "MModel": {}
      """#)
    #expect(
      graft.messages == #"""
        <stdin>:2:48: error: the properties 'real name' and 'realName' of 'Hero' would both be 'realName' in Swift; rename one of them
        2 | "Hero": {"attributes": {"real name": "string", "realName": "string"}},
          |                                                ^~~~~~~~~~
        <stdin>:2:25: note: the other one is here
        <stdin>:3:1: error: the class of entity 'hero' would be 'Hero', and the class of 'Hero' is 'Hero'; give one of them another "class"
        3 | "hero": {},
          | ^~~~~~
        <stdin>:2:1: note: the other one is here
        <stdin>:4:42: error: the properties 'realName' and 'real-name' of 'Sub' would both be 'realName' in Swift; rename one of them
        4 | "Sub": {"parent": "Hero", "attributes": {"real-name": "string"}},
          |                                          ^~~~~~~~~~~
        <stdin>:2:48: note: the other one is here
        <stdin>:5:18: error: the class of entity 'Big' cannot be 'String', which the generated code uses for something else
        5 | "Big": {"class": "String"},
          |                  ^~~~~~~~
        <stdin>:6:1: error: the class of entity 'MModel' cannot be 'MModel', the name of the model; give it another "class"
        6 | "MModel": {}
          | ^~~~~~~~
        5 errors in the model; nothing is generated

        """#)
    #expect(graft.output == "" && graft.status == 1)
  }
}
