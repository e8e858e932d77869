import Foundation
import Graft

/// The model that all cases share.
enum CostModel {
  static let text = #"""
    {
      "keyStrategy": "sameName",
      "entities": {
        "Hub": {
          "identityAttributes": "id",
          "attributes": {"id": "integer64"},
          "relationships": {
            "members": {"destination": "Member", "toMany": true, "inverse": "hub"},
            "tags": {"destination": "Tag", "toMany": true, "mergeRule": "union"},
            "known": {"destination": "Tag", "toMany": true, "unresolvedRule": "skip"},
            "parts": {"destination": "Part", "toMany": true, "inverse": "whole", "deleteRule": "cascade"},
            "lines": {"destination": "Line", "toMany": true, "inverse": "hub", "deleteOrphans": true, "ordered": true}
          }
        },
        "Member": {
          "class": "CostMember",
          "identityAttributes": "id",
          "attributes": {
            "id": "integer64",
            "name": {"type": "string", "optional": true},
            "rank": {"type": "integer64", "optional": true},
            "data": {"type": "json", "optional": true}
          },
          "relationships": {
            "hub": {"destination": "Hub", "inverse": "members", "JSONRepresentation": "identifier"},
            "friends": {
              "destination": "Member", "toMany": true, "inverse": "friends", "JSONRepresentation": "identifier"
            }
          }
        },
        "Tag": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
        "Part": {
          "attributes": {"note": {"type": "string", "optional": true}},
          "relationships": {"whole": {"destination": "Hub", "inverse": "parts"}}
        },
        "Line": {
          "identityAttributes": "id",
          "attributes": {"id": "integer64"},
          "relationships": {"hub": {"destination": "Hub", "inverse": "lines"}}
        },
        "Keyed": {
          "identityAttributes": "id",
          "attributes": {"id": {"type": "string", "JSONKeyPath": "id", "JSONKeyPathAliases": ["@key"]}, "name": "string"}
        },
        "Shape": {
          "abstract": true,
          "identityAttributes": "id",
          "entityMapper": {"JSONKeyPath": "type", "entities": {"circle": "Circle", "square": "Square"}},
          "attributes": {
            "id": {"type": "string", "optional": true, "JSONKeyPath": "id", "JSONKeyPathAliases": ["key", "@key"]},
            "name": {"type": "string", "optional": true, "JSONKeyPath": "name", "JSONKeyPathAliases": ["title", "label"]},
            "value": {"type": "json", "optional": true}
          },
          "relationships": {
            "child": {"destination": "Shape"},
            "children": {"destination": "Shape", "toMany": true}
          }
        },
        "Circle": {"parent": "Shape"},
        "Square": {"parent": "Shape"},
        "Named": {
          "identityAttributes": "id",
          "attributes": {
            "id": {"type": "integer64", "optional": true},
            "name": {"type": "string", "optional": true, "JSONKeyPath": "name", "JSONKeyPathAliases": ["title", "label"]},
            "value": {"type": "json", "optional": true}
          },
          "relationships": {"child": {"destination": "Named"}}
        },
        "Ruled": {
          "identityAttributes": "id",
          "attributes": {"id": "integer64", "name": "string", "size": {"type": "integer64", "optional": true, "minimum": 1}}
        }
      }
    }
    """#

  private static let model = Result { () throws(ModelError) in
    try ManagedObjectModel(text: text, name: "Costs.json", classes: [CostMember.self])
  }

  static func context() throws -> ManagedObjectContext { ManagedObjectContext(model: try model.get()) }

  /// Returns a context with n members of one hub, and a live reference to each of them.
  static func members(_ count: Int) throws -> (context: ManagedObjectContext, members: [ManagedObject]) {
    let context = try context()
    return (context, try objects(ofEntity: "Member", fromJSON: memberText(count), in: context))
  }

  static func memberText(_ count: Int) -> String {
    array(count) { #"{"id":\#($0),"name":"member \#($0)","rank":\#($0 &* 7919 % 10_007),"hub":1}"# }
  }

  static func array(_ count: Int, _ element: (Int) -> String) -> String {
    "[" + (0..<count).map(element).joined(separator: ",") + "]"
  }
}

/// A member that can be decoded.
final class CostMember: ManagedObject, Decodable {
  override class var entityName: String { "Member" }

  var name: String? { self["name"] }
  var rank: Int? { self["rank"] }
}

extension ManagedObjectContext {
  func hub() throws -> ManagedObject {
    guard let hub = try find(ofEntity: "Hub", identity: 1) else { throw CostError("there is no hub") }
    return hub
  }

  /// Imports text, and returns the number of an entity's objects afterwards.
  func load(_ text: String, _ entity: String) throws {
    try objects(ofEntity: entity, fromJSON: text)
  }
}
