/// A correct model file that uses every key.
package let everyWordOfTheModelFile = #"""
  {
    // A model that uses every word.
    "$schema": "model.schema.json", "name": "Comics", "version": "1.0", "doc": "Heroes", "keyStrategy": "explicit",
    "JSONNulls": ["", {}],
    "removed": ["Sidekick", "Hero.nickname"],
    "userInfo": {"team": ["a", {"b": 1}]},
    "entities": {
      "Thing": {
        "doc": "What has a name", "abstract": true, "class": "ThingObject",
        "identityAttributes": "identifier", "alternateIdentities": ["kind", ["version", "kind"]],
        "JSONDictionaryTransformerName": "Flatten", "modificationAttribute": "version",
        "deletedWhen": {"doc": "By the league", "JSONKeyPath": "status.is_deleted", "equals": "yes"},
        "indexes": ["name", ["kind", "name"]],
        "entityMapper": {
          "doc": "By type", "JSONKeyPath": "type", "entities": {"hero": "Hero", "h": "Hero", "villain": "Villain"},
          "otherwise": "Hero",
        },
        "attributes": {
          "identifier": {"type": "integer64", "JSONKeyPath": "id", "JSONKeyPathAliases": ["@key", "ident"]},
          "name": {
            "doc": "In full", "type": "string", "optional": true, "JSONKeyPath": ["a.b", "name"], "minLength": 1,
            "maxLength": 80, "pattern": "^[A-Z][a-z]+$", "default": "Nobody",
          },
          "kind": "string",
          "version": {"type": "integer32", "optional": true, "JSONKeyPath": "version"},
        },
      },
      "Hero": {
        "parent": "Thing",
        "attributes": {
          "strength": {"type": "double", "minimum": 0, "maximum": 1e2, "default": 1.5, "JSONKeyPath": "stats.strength"},
          "rank": {"type": "string", "enum": ["low", "high"], "extensible": true, "default": "low", "JSONKeyPath": "stats.rank"},
          "since": {
            "type": "date", "optional": true, "JSONTransformerName": "DateFormat(yyyy-MM-dd)", "JSONKeyPath": "since",
            "JSONDirection": "import",
            "sensitive": true, "userInfo": {},
          },
          "price": {"type": "decimal", "minimum": 0.10, "default": 12.50},
          "weight": {"type": "float", "default": 0.5},
          "photo": {"type": "binary", "default": "AAEC", "maxLength": 10},
          "key": {"type": "uuid", "default": "00000000-0000-0000-0000-000000000001"},
          "page": {"type": "uri", "default": "https://example.com/"},
          "born": {"type": "date", "default": "2014-08-31T00:29:15Z"},
          "extra": {"type": "json", "default": {"a": [1, 2, null]}},
          "active": {"type": "boolean", "default": true},
          "names": {
            "type": "string", "list": true, "minCount": 1, "maxCount": 9, "minLength": 1, "default": ["Bat", "Bats"],
            "JSONKeyPath": "names", "JSONTransformerName": ["Split(, )", "Lowercase"], "JSONNulls": [], "lenient": true,
          },
          "count": {
            "type": "integer16", "default": 3, "enum": [1, 2, 3], "JSONTransformerName": "StringToInteger",
            "JSONKeyPath": "count",
          },
        },
        "relationships": {
          "team": {
            "destination": "Team", "inverse": "members", "JSONKeyPath": "team", "deleteRule": "deny",
            "unresolvedRule": "skip", "JSONRepresentation": "identifier",
          },
          "friends": {
            "destination": "Hero", "toMany": true, "inverse": "friends", "JSONKeyPath": "friends", "mergeRule": "union",
            "JSONDirection": "both", "lenient": true, "JSONNulls": [0, false], "JSONReferences": true,
            "JSONTransformerName": "LastPathSegment",
          },
          "rival": {"destination": "Team", "JSONKeyPath": {"league": "rival.league", "title": "rival.title"}},
          "allies": {
            "destination": "Team", "toMany": true, "JSONKeyPath": "allies.edges[].node", "JSONTransformerName": ["Split(/)"],
          },
        },
      },
      "Villain": {"parent": "Thing", "entityMapperName": "Guess"}, /* nobody
        knows */
      "Team": {
        "identityAttributes": ["league", "title"],
        "attributes": {
          "league": {"type": "string", "JSONKeyPath": "league"}, "title": {"type": "string", "JSONKeyPath": "title"},
        },
        "relationships": {
          "members": {
            "doc": "In order", "destination": "Hero", "toMany": true, "ordered": true, "inverse": "team", "minCount": 1,
            "maxCount": 7, "optional": false, "deleteOrphans": true, "JSONKeyPath": "members",
            "JSONKeyPathAliases": ["heroes"], "userInfo": {"color": "red"},
          },
        },
      },
      "Entry": {
        "attributes": {
          "key": {"type": "string", "JSONKeyPath": "@key"},
          "value": {"type": "json", "JSONKeyPath": "@value", "JSONKeyPathAliases": ["value"]},
        },
      },
    },
  }
  """#
