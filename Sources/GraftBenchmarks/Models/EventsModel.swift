/// The model of the workload `events`. The inverses are not mapped.
enum EventsModel {
  static let text = """
    {
      "name": "Events",
      "entities": {
        "Actor": {
          "identityAttributes": "identifier",
          "attributes": {
            "identifier": {"type": "integer64", "JSONKeyPath": "id"},
            "login": {"type": "string", "JSONKeyPath": "login"},
            "gravatar": {"type": "string", "JSONKeyPath": "gravatar_id"},
            "url": {"type": "string", "JSONKeyPath": "url"},
            "avatarURL": {"type": "string", "JSONKeyPath": "avatar_url"}
          },
          "relationships": {"events": {"destination": "Event", "toMany": true, "inverse": "actor"}}
        },
        "Repo": {
          "identityAttributes": "identifier",
          "attributes": {
            "identifier": {"type": "integer64", "JSONKeyPath": "id"},
            "name": {"type": "string", "JSONKeyPath": "name"},
            "url": {"type": "string", "JSONKeyPath": "url"}
          },
          "relationships": {"events": {"destination": "Event", "toMany": true, "inverse": "repo"}}
        },
        "Org": {
          "identityAttributes": "identifier",
          "attributes": {
            "identifier": {"type": "integer64", "JSONKeyPath": "id"},
            "login": {"type": "string", "JSONKeyPath": "login"},
            "url": {"type": "string", "JSONKeyPath": "url"}
          },
          "relationships": {"events": {"destination": "Event", "toMany": true, "inverse": "org"}}
        },
        "Commit": {
          "identityAttributes": "sha",
          "attributes": {
            "sha": {"type": "string", "JSONKeyPath": "sha"},
            "authorName": {"type": "string", "JSONKeyPath": "author.name"},
            "authorEmail": {"type": "string", "JSONKeyPath": "author.email"},
            "message": {"type": "string", "JSONKeyPath": "message"},
            "isDistinct": {"type": "boolean", "JSONKeyPath": "distinct"},
            "url": {"type": "string", "JSONKeyPath": "url"}
          },
          "relationships": {"event": {"destination": "Event", "inverse": "commits"}}
        },
        "Event": {
          "identityAttributes": "identifier",
          "attributes": {
            "identifier": {"type": "string", "JSONKeyPath": "id"},
            "type": {"type": "string", "JSONKeyPath": "type"},
            "pushIdentifier": {"type": "integer64", "JSONKeyPath": "payload.push_id"},
            "size": {"type": "integer64", "JSONKeyPath": "payload.size"},
            "ref": {"type": "string", "JSONKeyPath": "payload.ref"},
            "isPublic": {"type": "boolean", "JSONKeyPath": "public"},
            "createdAt": {"type": "date", "JSONKeyPath": "created_at"}
          },
          "relationships": {
            "actor": {"destination": "Actor", "inverse": "events", "JSONKeyPath": "actor"},
            "repo": {"destination": "Repo", "inverse": "events", "JSONKeyPath": "repo"},
            "commits": {
              "destination": "Commit", "toMany": true, "inverse": "event", "JSONKeyPath": "payload.commits"
            },
            "org": {"destination": "Org", "inverse": "events", "JSONKeyPath": "org"}
          }
        }
      }
    }
    """
}
