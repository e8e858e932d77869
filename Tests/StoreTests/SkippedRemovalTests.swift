import Graft
import GraftTestSupport
import Testing

/// A store that skips a version of its model in which properties or entities were renamed or removed.
@Suite("Migrations that skip removals and renamings") struct SkippedRemovalTests {
  private static func model(_ version: Int, _ entities: String, removed: [String] = []) -> String {
    """
    {"version": "\(version)", "keyStrategy": "sameName", "removed": [\(removed.map { "\"\($0)\"" }.joined(separator: ","))], "entities": {\(entities)}}
    """
  }

  private static func entity(_ name: String, _ relationships: String = "", _ rest: String = "") -> String {
    """
    "\(name)": {"identityAttributes": "id", "attributes": {"id": "integer64"\(rest)}, "relationships": {\(relationships)}}
    """
  }

  private static func side(_ name: String, _ destination: String, _ inverse: String, _ rest: String = "") -> String {
    let other = inverse.isEmpty ? "" : ", \"inverse\": \"\(inverse)\""
    return "\"\(name)\": {\"destination\": \"\(destination)\", \"JSONRepresentation\": \"identifier\"\(rest)\(other)}"
  }

  @Test(
    "S9: consent to remove one side of a relationship does not permit losing the links of the other side",
    arguments: MigratedPlace.Kind.available,
    [
      ("", #", "toMany": true"#), (#", "toMany": true"#, #", "toMany": true, "ordered": true"#),
      (#", "toMany": true"#, #", "toMany": true"#),
    ])
  func removedSide(kind: MigratedPlace.Kind, shapes: (here: String, there: String)) throws {
    let both = [
      Self.entity("H", Self.side("q", "Q", "hs", shapes.here)),
      Self.entity("Q", Self.side("hs", "H", "q", shapes.there)),
    ]
    let one = [Self.entity("H", Self.side("q", "Q", "", shapes.here)), Self.entity("Q")]
    let none = [Self.entity("H"), Self.entity("Q")]
    let payload = shapes.here.isEmpty ? #"[{"id": 1, "q": 7}]"# : #"[{"id": 1, "q": [7]}]"#
    for path in [[1, 2], [2]] {
      let place = try MigratedPlace(kind)
      let models = [
        Self.model(1, both.joined(separator: ",")), Self.model(2, one.joined(separator: ","), removed: ["Q.hs"]),
        Self.model(3, none.joined(separator: ","), removed: ["Q.hs"]),
      ]
      try place.fill(models[0], "H", payload)
      for version in path.dropLast() { _ = try place.open(models[version]) }
      let error = #expect(throws: StoreError.self) { try place.open(models[2]) }
      #expect("\(error.map { "\($0)" } ?? "")".contains(#"add "removed": ["H.q"]"#), "\(path)")
      let agreed = Self.model(3, none.joined(separator: ","), removed: ["Q.hs", "H.q"])
      #expect(throws: Never.self) { try place.open(agreed) }
    }
  }

  @Test("S16: the identity of a sub-entity's objects can be renamed", arguments: MigratedPlace.Kind.available)
  func renamedIdentity(kind: MigratedPlace.Kind) throws {
    func model(_ version: Int, _ attribute: String, _ name: String) -> String {
      Self.model(
        version,
        """
        "P": {"abstract": true, "attributes": {\(attribute)}},
        "S": {"parent": "P", "identityAttributes": "\(name)", "attributes": {"v": "integer64"}}
        """)
    }
    let place = try MigratedPlace(kind)
    try place.fill(model(1, #""id": "integer64""#, "id"), "S", #"[{"id": 7, "v": 1}]"#)
    let new = model(2, #""ident": {"type": "integer64", "renamedFrom": "id", "JSONKeyPath": "id"}"#, "ident")
    let context = try place.open(new)
    try context.importJSON(#"[{"id": 7, "v": 2}]"#, ofEntity: "S")
    #expect(try context.fetch(ofEntity: "S").map { try jsonString(from: $0) } == [#"{"id":7,"v":2}"#])
    #expect(try place.damage(context.model).isEmpty)
  }

  @Test(
    "S16: a removal can use any name that the entity has had", arguments: MigratedPlace.Kind.available,
    ["A.x", "B.x", "H.x"])
  func removedUnderOtherName(kind: MigratedPlace.Kind, name: String) throws {
    let place = try MigratedPlace(kind)
    let x = #", "x": {"type": "string", "optional": true}"#
    try place.fill(Self.model(1, Self.entity("A", "", x)), "A", #"[{"id": 1, "x": "a"}]"#)
    let renamed = #""H": {"renamedFrom": ["B", "A"], "identityAttributes": "id", "attributes": {"id": "integer64"}}"#
    #expect(throws: StoreError.self) { try place.open(Self.model(3, renamed)) }
    let context = try place.open(Self.model(3, renamed, removed: [name]))
    #expect(try context.count(ofEntity: "H") == 1)
  }
}
