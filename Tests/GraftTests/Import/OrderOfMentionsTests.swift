import Graft
import GraftTestSupport
import Testing

@Suite("Import: order of mentions") struct OrderOfMentionsTests {
  private static let model = #"""
    "Base": {"identityAttributes": "id", "attributes": {"id": "integer64"},
      "entityMapper": {"JSONKeyPath": "kind", "entities": {"sub": "Sub"}},
      "relationships": {"z": {"destination": "Item"}, "m": {"destination": "Item", "JSONKeyPath": "group.m"}}},
    "Sub": {"parent": "Base", "relationships": {"y": {"destination": "Item"}, "a": {"destination": "Item"},
      "k": {"destination": "Item", "JSONKeyPath": "group.k"}}},
    "Item": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string"}}
    """#

  /// The item with the ID 1; its name shows which mention was applied last.
  private func item(_ name: String) -> [String: Any] { ["id": 1, "name": name] }

  private func lastName(_ dictionary: [String: Any], in context: ManagedObjectContext) throws -> String? {
    try object(ofEntity: "Base", fromJSON: dictionary, in: context)
    return try context.find(ofEntity: "Item", identity: 1)?["name"]
  }

  @Test("I7: dictionaries are read in model order, even with sub-entities")
  func modelOrder() throws {
    let context = try Fixture.context(Self.model)
    #expect(try lastName(["id": 1, "z": item("z"), "group": ["m": item("m")]], in: context) == "m")
    #expect(
      try lastName(["id": 2, "kind": "sub", "y": item("y"), "z": item("z"), "a": item("a")], in: context) == "a")
    #expect(
      try lastName(
        ["id": 3, "kind": "sub", "y": item("y"), "group": ["k": item("k"), "m": item("m")], "z": item("z")],
        in: context) == "y")
    // No discriminator chooses the entity: the existing object is a 'Sub'.
    #expect(try lastName(["id": 2, "y": item("y2"), "a": item("a2"), "z": item("z2")], in: context) == "a2")
  }

  @Test("I7: a dictionary transformer's result is also read in model order")
  func transformed() throws {
    var registry = TransformerRegistry.standard
    registry.registerDictionaryTransformer(named: "Same") { $0 }
    let context = try Fixture.context(
      #"""
      "Base": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "JSONDictionaryTransformerName": "Same",
        "relationships": {"z": {"destination": "Item"}, "a": {"destination": "Item"}}},
      "Item": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string"}}
      """#, transformers: registry)
    #expect(try lastName(["id": 1, "a": item("a"), "z": item("z")], in: context) == "a")
    let text = #"{"id": 2, "a": {"id": 1, "name": "a2"}, "z": {"id": 1, "name": "z2"}}"#
    try object(ofEntity: "Base", fromJSON: text, in: context)
    #expect(try context.find(ofEntity: "Item", identity: 1)?["name"] as String? == "a2")
  }

  @Test("I1: closures receive the unmapped keys of nested dictionaries")
  func nestedKeys() throws {
    var registry = TransformerRegistry.standard
    registry.registerDictionaryTransformer(named: "Lift") { dictionary in
      let inner = dictionary["inner"] as? [String: Any]
      return ["id": dictionary["id"] ?? 0, "name": inner?["unmapped"] ?? "missing"]
    }
    let context = try Fixture.context(
      #"""
      "Outer": {"attributes": {}, "relationships": {"item": {"destination": "Item"}}},
      "Item": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string"},
        "JSONDictionaryTransformerName": "Lift", "relationships": {"inner": {"destination": "Outer"}}}
      """#, transformers: registry)
    let item: [String: Any] = ["id": 1, "inner": ["unmapped": "found"] as [String: Any]]
    try object(ofEntity: "Outer", fromJSON: ["item": item], in: context)
    #expect(try context.find(ofEntity: "Item", identity: 1)?["name"] as String? == "found")
  }

  @Test("D1: deferred unions are all applied, and an unresolved to-one keeps its object")
  func waiting() throws {
    let context = try Fixture.context(
      #"""
      "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "powers": {"destination": "Power", "toMany": true, "mergeRule": "union", "unresolvedRule": "skip"},
        "best": {"destination": "Power", "unresolvedRule": "skip"},
        "all": {"destination": "Power", "toMany": true, "unresolvedRule": "skip"},
        "made": {"destination": "Power", "toMany": true}}},
      "Power": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
      """#)
    let hero = try context.load(
      #"""
      [{"id": 1, "powers": [4], "best": 4, "all": [4]},
       {"id": 1, "powers": [5, 99], "best": 99, "all": [5, 99]},
       {"id": 1, "powers": [], "made": [{"id": 4}, {"id": 5}]}]
      """#, "Hero")[0]
    func ids(_ name: String) -> Set<Int> { Set((hero[name] as [ManagedObject]).compactMap { $0["id"] }) }
    #expect(ids("powers") == [4, 5])
    #expect((hero["best"] as ManagedObject?)?["id"] as Int? == 4)
    #expect(ids("all") == [5])
    try context.load(
      #"[{"id": 1, "powers": [6], "best": 6}, {"id": 1, "powers": null, "best": null, "made": [{"id": 6}]}]"#, "Hero")
    #expect(ids("powers") == [] && (hero["best"] as ManagedObject?) == nil)
    #expect(try context.placeholders.isEmpty)
    #expect(context.checkInvariants() == [])
  }

  private static let tree = #"""
    "Node": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "parent": {"destination": "Node", "inverse": "children", "unresolvedRule": "RULE"},
      "children": {"destination": "Node", "toMany": true, "inverse": "parent", "JSONKeyPath": "below.children"}}}
    """#

  @Test("I7: if both sides of an inverse are mentioned, the later mention wins", arguments: ["placeholder", "skip"])
  func twoSides(rule: String) throws {
    func drawing(_ text: String) throws -> String {
      let context = try Fixture.context(Self.tree.replacing("RULE", with: rule))
      try context.load(text, "Node")
      return context.drawing
    }
    #expect(
      try drawing(#"{"id": 1, "below": {"children": []}, "parent": 1}"#)
        == "Node(1) parent=Node(1) children=[Node(1)]")
    #expect(try drawing(#"{"id": 1, "parent": {"id": 1}, "below": {"children": []}}"#) == "Node(1)")
    #expect(try drawing(#"{"id": 1, "parent": {"id": 1}, "below": {"children": null}}"#) == "Node(1)")
    #expect(try drawing(#"{"id": 1, "parent": {"id": 1}, "below": null}"#) == "Node(1)")
    #expect(try drawing(#"{"id": 1, "below": {"children": [{"id": 1}]}, "parent": null}"#) == "Node(1)")
    #expect(
      try drawing(#"{"id": 1, "parent": null, "below": {"children": [{"id": 1}]}}"#)
        == "Node(1) parent=Node(1) children=[Node(1)]")
  }

  @Test("I7: null on the key path of one side of an inverse takes effect in the order of the payload")
  func nullSide() throws {
    func drawing(_ text: String) throws -> String {
      let context = try Fixture.context(
        #"""
        "Node": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "parent": {"destination": "Node", "inverse": "children", "JSONKeyPath": "above.parent"},
          "children": {"destination": "Node", "toMany": true, "inverse": "parent"}}}
        """#)
      try context.load(text, "Node")
      return context.drawing
    }
    #expect(try drawing(#"{"id": 1, "children": [1], "above": null}"#) == "Node(1)")
    #expect(
      try drawing(#"{"id": 1, "above": null, "children": [1]}"#) == "Node(1) parent=Node(1) children=[Node(1)]")
  }

  @Test("I7: the mentions of both sides of an inverse are ordered separately for each nested object")
  func nestedSides() throws {
    let context = try Fixture.context(Self.tree.replacing("RULE", with: "placeholder"))
    try context.load(
      #"{"id": 1, "below": {"children": [{"id": 2, "below": {"children": []}, "parent": 2}, {"id": 3}]}, "parent": 3}"#,
      "Node")
    #expect(
      context.drawing == """
        Node(1) parent=Node(3) children=[Node(2), Node(3)]
        Node(2) parent=Node(1)
        Node(3) parent=Node(1) children=[Node(1)]
        """)
  }
}
