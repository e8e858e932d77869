import Graft
import GraftTestSupport
import Testing

@Suite("Export: depth") struct ExportDepthTests {
  private func text(_ object: ManagedObject, _ depth: Int, omitsNil: Bool = false) throws -> String {
    try object.context.text(object, ExportOptions(omitsNil: omitsNil, maxDepth: depth))
  }

  /// The number of nested levels in JSON text.
  private func depth(_ text: String) -> Int {
    var (depth, deepest) = (0, 0)
    for byte in text.utf8 {
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
      deepest = max(deepest, depth)
    }
    return deepest
  }

  private static let nodes = #"""
    "Node": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "next": {"destination": "Node"}, "all": {"destination": "Node", "toMany": true}}}
    """#

  @Test("E2: a graph as deep as an import can read is exported completely", arguments: [1, 2, 509, 510, 511, 512])
  func deepest(levels: Int) throws {
    let context = try Fixture.context(Self.nodes)
    let text =
      (1...levels).map { "{\"id\":\($0),\"next\":" }.joined() + "null" + String(repeating: "}", count: levels)
    let first = try context.load(text, "Node")[0]
    let exported = try context.text(first)
    let copy = ManagedObjectContext(model: context.model)
    try copy.load(exported, "Node")
    #expect(
      try copy.dumpText == context.dumpText && copy.placeholders.isEmpty && copy.count(ofEntity: "Node") == levels)
    #expect(depth(exported) == min(512, levels + 1))
    // An import would reject the empty array of the innermost object.
    #expect(exported.contains(#""id":512,"next":null}"#) == (levels == 512))
  }

  @Test(
    "E2: arrays, groups and objects are counted as levels; below the limit, only empty lists are written",
    arguments: 1...9)
  func exact(limit: Int) throws {
    let context = try Fixture.context(
      #"""
      "Node": {"identityAttributes": "id", "attributes": {
          "id": "integer64", "city": {"type": "string", "optional": true, "JSONKeyPath": "home.address.city"}},
        "relationships": {"next": {"destination": "Node"}, "all": {"destination": "Node", "toMany": true}}}
      """#)
    let first = try context.load(
      #"""
      {"id": 1, "next": {"id": 2, "home": {"address": {"city": "x"}}, "all": [{"id": 3}]},
       "all": [{"id": 4, "home": {"address": {"city": "y"}}}]}
      """#, "Node")[0]
    let home = #""home":null"#
    let last = #""next":null,"all":[]"#
    // For each limit: the exported object, its `next`, and its `all`.
    let nexts = [
      "2", "2", "2",
      #"{"id":2,"home":{"address":{"city":"x"}},"next":null,"all":[{"id":3,\#(home),\#(last)}]}"#,
    ]
    let alls = [nil, "[4]", "[4]", "[4]", #"[{"id":4,"home":{"address":{"city":"y"}},\#(last)}]"#]
    var expected = #"{"id":1,\#(home),"next":\#(nexts[min(limit, 4) - 1])"#
    if let all = alls[min(limit, 5) - 1] { expected += #","all":\#(all)"# }
    let text = try text(first, limit)
    #expect(text == expected + "}")
    #expect(depth(text.replacing("[]", with: "")) <= limit)
    // E4: importing the export changes nothing, regardless of its contents.
    let before = context.dumpText
    try context.load(text, "Node")
    #expect(context.dumpText == before)
  }

  @Test("E2: a collection is counted as a level; an object that does not fit is written as its identifier")
  func collections() throws {
    let context = try Fixture.context(
      Self.nodes
        + #", "Pair": {"identityAttributes": "a,b", "attributes": {"a": "integer64", "b": "integer64"}}, "Note": {"attributes": {"text": "string"}}"#
    )
    try context.load(#"[{"id": 1, "next": {"id": 2}}]"#, "Node")
    func exported(_ entity: String, _ depth: Int) throws -> String {
      try context.exported(entity, ExportOptions(maxDepth: depth))
    }
    #expect(try exported("Node", 1) == "[1,2]")
    #expect(try exported("Node", 2) == #"[{"id":1,"next":2,"all":[]},{"id":2,"next":null,"all":[]}]"#)
    #expect(
      try exported("Node", 3)
        == #"[{"id":1,"next":{"id":2,"next":null,"all":[]},"all":[]},{"id":2,"next":null,"all":[]}]"#)
    try context.load(#"[{"a": 1, "b": 2}]"#, "Pair")
    try context.load(#"[{"text": "x"}]"#, "Note")
    #expect(try exported("Pair", 2) == #"[{"a":1,"b":2}]"#)
    for entity in ["Pair", "Note"] {
      let error = #expect(throws: ExportError.self) { try exported(entity, 1) }
      #expect(
        error?.description
          == "<export>: error: an object of '\(entity)' is nested deeper than the limit of 1 ('maxDepth') (at $[0])")
    }
    let error = #expect(throws: ExportError.self) { try exported("Node", 0) }
    #expect(error?.diagnostics.map(\.code) == [.limitDepth])
  }

  @Test("E2: a composite identifier is an array, which is counted as a level")
  func composites() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "card": {"destination": "Card"}, "cards": {"destination": "Card", "toMany": true}}},
      "Card": {"identityAttributes": "a,b", "attributes": {"a": "integer64", "b": "integer64", "c": {"type": "string", "optional": true, "JSONKeyPath": "g.c"}}}
      """#)
    let hero = try context.load(
      #"{"id": 1, "card": {"a": 1, "b": 2, "g": {"c": "x"}}, "cards": [[1, 2], [3, 4]]}"#, "Hero")[0]
    #expect(try text(hero, 1) == #"{"id":1}"#)
    #expect(try text(hero, 2) == #"{"id":1,"card":[1,2]}"#)
    #expect(try text(hero, 3) == #"{"id":1,"card":{"a":1,"b":2,"g":{"c":"x"}},"cards":[[1,2],[3,4]]}"#)
    #expect(
      try text(hero, 4)
        == #"{"id":1,"card":{"a":1,"b":2,"g":{"c":"x"}},"cards":[{"a":1,"b":2,"g":{"c":"x"}},[3,4]]}"#)
  }

  @Test("E7: if nil is omitted, nil values below the limit are omitted as well, but empty lists are written")
  func omitsNil() throws {
    let context = try Fixture.context(
      #"""
      "Node": {"attributes": {"name": "string", "city": {"type": "string", "optional": true, "JSONKeyPath": "home.city"}},
        "relationships": {"all": {"destination": "Node", "toMany": true}}}
      """#)
    let node = try context.load(#"{"name": "x"}"#, "Node")[0]
    #expect(try text(node, 1) == #"{"name":"x","home":null,"all":[]}"#)
    #expect(try text(node, 1, omitsNil: true) == #"{"name":"x","all":[]}"#)
    #expect(try text(node, 2) == #"{"name":"x","home":null,"all":[]}"#)
  }

  @Test("E7: a group without values is written as null, unless an import would also set other properties to nil")
  func nilGroups() throws {
    let context = try Fixture.context(
      #"""
      "Node": {"identityAttributes": "id", "attributes": {
          "id": "integer64",
          "city": {"type": "string", "optional": true, "JSONKeyPath": "home.address.city"},
          "zip": {"type": "string", "optional": true, "JSONKeyPath": "home.zip"},
          "secret": {"type": "string", "optional": true, "JSONKeyPath": "home.secret", "JSONDirection": "import"},
          "nick": {"type": "string", "optional": true, "JSONKeyPath": "meta.nick"}},
        "relationships": {
          "tags": {"destination": "Node", "toMany": true, "JSONKeyPath": "meta.tags"},
          "owner": {"destination": "Node", "inverse": "owned", "JSONKeyPath": "link.owner"},
          "owned": {"destination": "Node", "toMany": true, "inverse": "owner"}}}
      """#)
    func exported(_ text: String) throws -> String {
      let node = try context.load(text, "Node")[0]
      let result = try self.text(node, 9)
      let before = context.dumpText
      try context.load(result, "Node")
      #expect(context.dumpText == before)
      return result
    }
    // A list is never null, and null for the group would clear a property that is only imported.
    #expect(
      try exported(#"{"id": 1}"#) == #"{"id":1,"home":null,"meta":{"nick":null,"tags":[]},"link":null,"owned":[]}"#)
    #expect(
      try exported(#"{"id": 2, "home": {"secret": "x"}}"#)
        == #"{"id":2,"home":{"address":null,"zip":null},"meta":{"nick":null,"tags":[]},"link":null,"owned":[]}"#)
    #expect(
      try exported(#"{"id": 3, "home": {"zip": "1"}}"#)
        == #"{"id":3,"home":{"address":null,"zip":"1"},"meta":{"nick":null,"tags":[]},"link":null,"owned":[]}"#)
    // The relationship to the owner, from which the object was reached, is omitted, and null would clear the relationship.
    #expect(try exported(#"{"id": 4, "owned": [{"id": 5}]}"#).contains(#"{"id":5,"home":null"#))
    #expect(try context.find(ofEntity: "Node", identity: 5)?.description == "Node(5)")
  }

  @Test(
    "E2: a group that contains links below the limit is omitted, even if it contains an inverse that is omitted anyway")
  func groups() throws {
    let context = try Fixture.context(
      #"""
      "A": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"bs": {"destination": "B", "toMany": true, "inverse": "a"}, "other": {"destination": "A", "JSONKeyPath": "g.other"}}},
      "B": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"a": {"destination": "A", "inverse": "bs", "JSONKeyPath": "g.a"}}}
      """#)
    let first = try context.load(#"{"id": 1, "bs": [{"id": 2}], "g": {"other": 7}}"#, "A")[0]
    #expect(try text(first, 1) == #"{"id":1}"#)
    #expect(try text(first, 3) == #"{"id":1,"bs":[{"id":2}],"g":{"other":7}}"#)
    let before = context.dumpText
    for limit in 1...4 {
      try context.load(text(first, limit), "A")
      #expect(context.dumpText == before)
    }
  }

  @Test(
    "E2: `json` values are counted: an object whose value is too deep is written as an identifier; a root is refused"
  )
  func jsonValues() throws {
    let context = try Fixture.context(
      #"""
      "Node": {"identityAttributes": "id", "attributes": {"id": "integer64", "v": {"type": "json", "optional": true}},
        "relationships": {"next": {"destination": "Node"}}}
      """#)
    let first = try context.load(#"{"id": 1, "next": {"id": 2, "v": [["]}\"[[["]]}}"#, "Node")[0]
    let second: ManagedObject? = first["next"]
    let text2 = #"{"id":2,"v":[["]}\"[[["]],"next":null}"#
    #expect(try text(first, 3) == #"{"id":1,"v":null,"next":2}"#)
    #expect(try text(first, 4) == #"{"id":1,"v":null,"next":\#(text2)}"#)
    #expect(try text(#require(second), 3) == text2)
    let error = #expect(throws: ExportError.self) { try text(#require(second), 2) }
    #expect(
      error?.description
        == "<export>: error: the value of 'Node.v' is nested deeper than the limit of 2 ('maxDepth') (at $)")
    let deep = String(repeating: "[", count: 511) + String(repeating: "]", count: 511)
    let third = try context.load(#"{"id": 3, "v": \#(deep)}"#, "Node")[0]
    #expect(try context.text(third) == #"{"id":3,"v":\#(deep),"next":null}"#)
    first["next"] = third
    #expect(try context.text(first) == #"{"id":1,"v":null,"next":3}"#)
  }

  @Test("E2: the nesting of a reverse closure's result is counted")
  func reverses() throws {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Wrap") { (json: JSON) in
      json
    } reverse: { (json: JSON) in
      [json] as JSON
    }
    let context = try Fixture.context(
      #""X": {"attributes": {"v": {"type": "json", "JSONTransformerName": "Wrap"}}}"#, transformers: registry)
    let object = try context.load(#"{"v": [1]}"#, "X")[0]
    #expect(try text(object, 3) == #"{"v":[[1]]}"#)
    let error = #expect(throws: ExportError.self) { try text(object, 2) }
    #expect(error?.diagnostics.map(\.path) == ["$.v"])
  }

  @Test("E2: keyed collections are counted as levels, and elements that are not objects are not counted")
  func keyed() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "powers": {"destination": "Power", "toMany": true}, "scores": {"destination": "Score", "toMany": true}}},
      "Power": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64", "JSONKeyPath": "@key"}}},
      "Score": {"attributes": {"name": {"type": "string", "JSONKeyPath": "@key"}, "points": {"type": "json", "JSONKeyPath": "@value"}}}
      """#)
    let hero = try context.load(#"{"id": 1, "powers": {"4": {}}, "scores": {"a": 1, "b": 2}}"#, "Hero")[0]
    #expect(try text(hero, 1) == #"{"id":1}"#)
    #expect(try text(hero, 2) == #"{"id":1,"powers":[4],"scores":{"a":1,"b":2}}"#)
    #expect(try text(hero, 3) == #"{"id":1,"powers":{"4":{}},"scores":{"a":1,"b":2}}"#)
    #expect(try context.exported("Power", ExportOptions(maxDepth: 1)) == "[4]")
    #expect(try context.exported("Power", ExportOptions(maxDepth: 2)) == #"{"4":{}}"#)
    #expect(try context.exported("Score", ExportOptions(maxDepth: 1)) == #"{"a":1,"b":2}"#)
  }
}
