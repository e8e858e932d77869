import Graft

/// The model of the graph operations: members of hubs, and the parts that a hub owns.
enum MembersModel {
  static func load() throws -> ManagedObjectModel {
    try ManagedObjectModel(text: text, name: "Members.json", classes: [Hub.self, Member.self, Part.self])
  }

  private static let text = """
    {
      "name": "Members",
      "keyStrategy": "sameName",
      "entities": {
        "Hub": {
          "identityAttributes": "id",
          "attributes": {"id": "integer64"},
          "relationships": {
            "members": {"destination": "Member", "toMany": true, "inverse": "hub", "JSONKeyPath": null},
            "parts": {"destination": "Part", "toMany": true, "inverse": "whole", "deleteRule": "cascade"}
          }
        },
        "Member": {
          "identityAttributes": "id",
          "deletedWhen": {"JSONKeyPath": "gone", "equals": true},
          "attributes": {
            "id": "integer64",
            "name": "string",
            "rank": "integer64",
            "score": "double",
            "isActive": "boolean"
          },
          "relationships": {
            "hub": {"destination": "Hub", "inverse": "members", "JSONRepresentation": "identifier"}
          }
        },
        "Part": {
          "attributes": {"number": "integer64"},
          "relationships": {"whole": {"destination": "Hub", "inverse": "parts", "JSONKeyPath": null}}
        }
      }
    }
    """
}

// The parts of `graft generate`'s output that are used here.

final class Hub: ManagedObject {
  override class var generatedProperties: [String] { ["id: integer"] }

  var members: RelatedObjects<Member> { self[slot: 1] }
  var parts: RelatedObjects<Part> { self[slot: 2] }
}

final class Member: ManagedObject {
  override class var generatedProperties: [String] {
    ["id: integer", "name: string", "rank: integer", "score: double", "isActive: boolean"]
  }

  override class var queryableProperties: [QueryableProperty] {
    [
      .init(\Member.name, "name"), .init(\Member.rank, "rank"), .init(\Member.score, "score"),
      .init(\Member.isActive, "isActive"),
    ]
  }

  var id: Int? {
    get { self[slot: 0] }
    set { self[slot: 0] = newValue }
  }
  var name: String? {
    get { self[slot: 1] }
    set { self[slot: 1] = newValue }
  }
  var rank: Int? {
    get { self[slot: 2] }
    set { self[slot: 2] = newValue }
  }
  var score: Double? {
    get { self[slot: 3] }
    set { self[slot: 3] = newValue }
  }
  var isActive: Bool? {
    get { self[slot: 4] }
    set { self[slot: 4] = newValue }
  }
  var hub: Hub? {
    get { self[slot: 5] }
    set { self[slot: 5] = newValue }
  }
}

final class Part: ManagedObject {
  override class var generatedProperties: [String] { ["number: integer"] }
}
