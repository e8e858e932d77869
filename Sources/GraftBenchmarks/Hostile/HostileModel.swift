/// The model of the hostile inputs. Every property except the inverses is mapped by its own name.
enum HostileModel {
  static let text = """
    {
      "name": "Hostile",
      "keyStrategy": "sameName",
      "entities": {
        "Item": {
          "identityAttributes": "id",
          "attributes": {
            "id": "string",
            "name": {"type": "string", "optional": true},
            "note": {"type": "string", "optional": true},
            "kind": {"type": "string", "optional": true},
            "size": {"type": "integer64", "optional": true},
            "weight": {"type": "double", "optional": true},
            "visible": {"type": "boolean", "optional": true},
            "changed": {"type": "date", "optional": true}
          }
        },
        "Number": {
          "identityAttributes": "id",
          "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}}
        },
        "Group": {
          "identityAttributes": "id",
          "attributes": {"id": "integer64"},
          "relationships": {
            "owners": {"destination": "Owner", "toMany": true, "inverse": "group", "JSONKeyPath": null}
          }
        },
        "Owner": {
          "identityAttributes": "id",
          "attributes": {"id": "integer64"},
          "relationships": {"group": {"destination": "Group", "inverse": "owners"}}
        },
        "Team": {
          "identityAttributes": "id",
          "attributes": {"id": "integer64"},
          "relationships": {
            "members": {"destination": "Member", "toMany": true, "ordered": true, "inverse": "team"}
          }
        },
        "Member": {
          "identityAttributes": "id",
          "attributes": {"id": "integer64"},
          "relationships": {"team": {"destination": "Team", "inverse": "members", "JSONKeyPath": null}}
        },
        "Link": {
          "identityAttributes": "id",
          "attributes": {"id": "integer64"},
          "relationships": {
            "child": {"destination": "Link", "inverse": "parent"},
            "parent": {"destination": "Link", "inverse": "child", "JSONKeyPath": null}
          }
        }
      }
    }
    """
}
