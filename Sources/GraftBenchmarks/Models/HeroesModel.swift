/// The model of the workloads `heroes` and `ids`. The inverses are not mapped.
enum HeroesModel {
  static func text(nested: Bool) -> String {
    let representation = nested ? "object" : "identifier"
    return """
      {
        "name": "Heroes",
        "entities": {
          "Power": {
            "identityAttributes": "identifier",
            "attributes": {
              "identifier": {"type": "integer64", "JSONKeyPath": "id", "JSONTransformerName": "StringToInteger"},
              "name": {"type": "string", "JSONKeyPath": "name"}
            },
            "relationships": {
              "heroes": {"destination": "Hero", "toMany": true, "inverse": "powers"}
            }
          },
          "Publisher": {
            "identityAttributes": "identifier",
            "attributes": {
              "identifier": {"type": "integer64", "JSONKeyPath": "id", "JSONTransformerName": "StringToInteger"},
              "name": {"type": "string", "JSONKeyPath": "name"}
            },
            "relationships": {
              "heroes": {"destination": "Hero", "toMany": true, "inverse": "publisher"}
            }
          },
          "Hero": {
            "identityAttributes": "identifier",
            "attributes": {
              "identifier": {"type": "integer64", "JSONKeyPath": "id", "JSONTransformerName": "StringToInteger"},
              "name": {"type": "string", "JSONKeyPath": "name"},
              "realName": {"type": "string", "optional": true, "JSONKeyPath": "real_name"},
              "gender": {"type": "string", "JSONKeyPath": "gender"},
              "alignment": {"type": "string", "JSONKeyPath": "alignment"},
              "appearances": {"type": "integer64", "JSONKeyPath": "appearances"},
              "height": {"type": "double", "JSONKeyPath": "height"},
              "createdAt": {"type": "date", "JSONKeyPath": "created_at"},
              "deck": {"type": "string", "JSONKeyPath": "deck"}
            },
            "relationships": {
              "powers": {
                "destination": "Power", "toMany": true, "ordered": true, "inverse": "heroes",
                "JSONKeyPath": "powers", "JSONRepresentation": "\(representation)"
              },
              "publisher": {
                "destination": "Publisher", "inverse": "heroes",
                "JSONKeyPath": "publisher", "JSONRepresentation": "\(representation)"
              }
            }
          }
        }
      }
      """
  }
}
