import Graft
import GraftTestSupport
import Testing

/// Imports that replace objects without identity. Their reports are compared with the objects' contents before and after the import.
@Suite("Laws of replaced objects") struct ReplacedObjectTests {
  private static let model = """
    {
      "keyStrategy": "sameName",
      "entities": {
        "Owner": {
          "identityAttributes": "id",
          "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
          "relationships": {
            "listed": {"destination": "Child", "toMany": true, "ordered": true, "inverse": "lister", "deleteOrphans": true},
            "kept": {"destination": "Child", "toMany": true, "inverse": "keeper", "deleteOrphans": true}
          }
        },
        "Child": {
          "attributes": {"kind": {"type": "json", "optional": true}},
          "relationships": {
            "lister": {"destination": "Owner", "inverse": "listed"},
            "keeper": {"destination": "Owner", "inverse": "kept"},
            "tag": {"destination": "Tag", "inverse": "children", "JSONRepresentation": "identifier"},
            "parts": {"destination": "Part", "toMany": true, "inverse": "child", "deleteRule": "cascade"}
          }
        },
        "Part": {
          "attributes": {"size": {"type": "integer64", "optional": true}},
          "relationships": {"child": {"destination": "Child", "inverse": "parts"}}
        },
        "Tag": {
          "identityAttributes": "id",
          "attributes": {"id": "integer64"},
          "relationships": {"children": {"destination": "Child", "toMany": true, "inverse": "tag"}}
        }
      }
    }
    """

  @Test(
    "Replaced objects are equal if their JSON differs only in white space or in the spelling of numbers and strings"
  )
  func whiteSpace() throws {
    let context = ManagedObjectContext(model: try ManagedObjectModel(text: Self.model))
    func load(_ kind: String) throws -> ImportReport {
      try context.importJSON(#"{"id": 1, "listed": [{"kind": \#(kind)}]}"#, ofEntity: "Owner")
    }
    _ = try load(#"[1,["a b",-2,null]]"#)
    #expect(try load(#"[ 1, ["a b", -2,\#tnull ] ]"#).unchanged == ["Owner": 1])
    #expect(try load(#"[ 1, ["ab", -2, null ] ]"#).updated == ["Owner": 1])
    #expect(try load(#"[1, ["ab", -2, null, {"x": 1, "y": [2]}]]"#).updated == ["Owner": 1])
    #expect(try load(#"[1,["ab",-2,null,{"y":[2],"x":1}]]"#).unchanged == ["Owner": 1])
    #expect(try load(#"[1, 20, "AB"]"#).updated == ["Owner": 1])
    #expect(try load(#"[1.0, 2e1, "\u0041B"]"#).unchanged == ["Owner": 1])
  }

  @Test("D10: replaced objects with adjacent numbers of links or entities are not mistaken for equal objects")
  func neighbors() throws {
    let kinds = ["A", "B", "C", "D", "E"]
    let context = try Fixture.context(
      """
      "Owner": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {
          "children": {"destination": "Child", "toMany": true, "inverse": "owner", "deleteOrphans": true}
        }
      },
      "Child": {
        "entityMapper": {
          "JSONKeyPath": "kind", "entities": {\(kinds.map { "\"\($0)\": \"\($0)\"" }.joined(separator: ", "))}
        },
        "attributes": {"number": {"type": "integer64", "optional": true}},
        "relationships": {
          "owner": {"destination": "Owner", "inverse": "children"}, "tags": {"destination": "Tag", "toMany": true}
        }
      },
      \(kinds.map { "\"\($0)\": {\"parent\": \"Child\"}" }.joined(separator: ",\n")),
      "Tag": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
      """)
    try context.load("[0, 1, 2, 3, 4, 5, 6, 7]", "Tag")
    func replace(by child: String) throws -> [String: Int] {
      try context.importJSON("{\"id\": 1, \"children\": [\(child)]}", ofEntity: "Owner").updated
    }
    try context.load(#"{"id": 1, "children": []}"#, "Owner")
    for tags in [[0, 3], [1, 2], [4, 7], [5, 6]] {
      #expect(try replace(by: "{\"tags\": \(tags)}") == ["Owner": 1], "tags \(tags)")
      #expect(try replace(by: "{\"tags\": \(tags)}") == [:], "tags \(tags)")
    }
    for kind in kinds {
      for other in kinds where other != kind {
        for number in 0..<4 {
          _ = try replace(by: "{\"kind\": \"\(kind)\", \"number\": 0}")
          let child = "{\"kind\": \"\(other)\", \"number\": \(number)}"
          #expect(try replace(by: child) == ["Owner": 1], "\(kind) 0 -> \(child)")
        }
      }
    }
  }

  private static func child(_ random: inout SeededRandom) -> JSON {
    let kinds: [JSON] = [1, [1, 2], ["a": 1, "b": 2], ["b": 2, "a": 1], .null]
    let parts = (0..<random.below(3)).map { _ in JSON.object(["size": JSON.number(JSONNumber(random.below(2)))]) }
    return [
      "kind": kinds[random.below(kinds.count)], "tag": .number(JSONNumber(random.below(3))), "parts": .array(parts),
    ]
  }

  private static func owner(_ id: Int, _ random: inout SeededRandom) -> JSON {
    func children() -> JSON { .array((0..<random.below(4)).map { _ in child(&random) }) }
    return [
      "id": .number(JSONNumber(id)), "name": random.chance(percent: 80) ? "a" : "b", "listed": children(),
      "kept": children(),
    ]
  }

  /// The contents of an object's children, in order or sorted.
  private static func contents(_ children: [ManagedObject], isOrdered: Bool = false) -> [String] {
    let texts = children.map { child in
      let kind: JSON = child["kind"] ?? .null
      let members = kind.objectValue.map { $0.map { "\($0.0): \($0.1)" }.sorted().description } ?? "\(kind)"
      let (lister, keeper, tag): (ManagedObject?, ManagedObject?, ManagedObject?) = (
        child["lister"], child["keeper"], child["tag"]
      )
      let parts: [ManagedObject] = child["parts"]
      let sizes = parts.map { part -> Int? in part["size"] }.map { $0 ?? -1 }.sorted()
      return [lister, keeper, tag].map { $0?.description ?? "none" }.joined(separator: " ") + " \(members) \(sizes)"
    }
    return isOrdered ? texts : texts.sorted()
  }

  /// For each object with an identity, by name, the values that reports compare.
  private static func picture(_ context: ManagedObjectContext) throws -> [String: [[String]]] {
    var picture: [String: [[String]]] = [:]
    for owner in try context.fetch(ofEntity: "Owner") {
      let name: String? = owner["name"]
      let (listed, kept): ([ManagedObject], [ManagedObject]) = (owner["listed"], owner["kept"])
      picture[owner.description] = [[name ?? ""], contents(listed, isOrdered: true), contents(kept)]
    }
    for tag in try context.fetch(ofEntity: "Tag") {
      let children: [ManagedObject] = tag["children"]
      picture[tag.description] = [contents(children)]
    }
    return picture
  }

  private static func isPart(_ old: [String], of new: [String]) -> Bool {
    let counts = Dictionary(new.map { ($0, 1) }, uniquingKeysWith: +)
    return Dictionary(old.map { ($0, 1) }, uniquingKeysWith: +).allSatisfy { counts[$0, default: 0] >= $1 }
  }

  @Test(
    "D10: replacing an object without identity with an equal object is no change to the objects that refer to it"
  )
  func replacing() throws {
    let model = try ManagedObjectModel(text: Self.model)
    var unchanged = 0
    for seed in 1...100 as ClosedRange<UInt64> {
      var random = SeededRandom(seed: seed)
      let context = ManagedObjectContext(model: model)
      var owners = (0..<3).map { Self.owner($0, &random) }
      try context.importJSON(JSON.array(owners), ofEntity: "Owner")
      for _ in 0..<4 {
        let before = try Self.picture(context)
        for id in owners.indices where random.chance(percent: 20) { owners[id] = Self.owner(id, &random) }
        let plain = try context.dryRun { try context.importJSON(JSON.array(owners), ofEntity: "Owner") }
        let report = try context.importJSON(
          JSON.array(owners), ofEntity: "Owner", options: ImportOptions(reportsDetails: true))
        let after = try Self.picture(context)
        #expect(plain.updated == report.updated && plain.unchanged == report.unchanged, "seed \(seed)")
        let told = Dictionary(report.details.map { ($0.name, $0.outcome) }) { first, _ in first }
        for (name, old) in before {
          let new = after[name] ?? []
          let expected: ImportReport.ObjectReport.Outcome? =
            name.hasPrefix("Owner") ? old == new ? nil : .updated : Self.isPart(old[0], of: new[0]) ? nil : .unlinked
          #expect(told[name] == expected, "seed \(seed): \(name) \(old) -> \(new)")
          if expected == nil { unchanged += 1 }
        }
      }
    }
    #expect(unchanged > 500)
  }
}
