extension Fixture {
  /// Heroes with alternate identities, and their teams.
  package static let uniqueKeys = #"""
    "Hero": {
      "identityAttributes": "id", "alternateIdentities": ["slug", ["team", "number"]],
      "attributes": {
        "id": {"type": "integer64", "optional": true}, "slug": {"type": "string", "optional": true},
        "number": {"type": "integer16", "optional": true}, "name": {"type": "string", "optional": true}
      },
      "relationships": {"team": {"destination": "Team", "inverse": "heroes"}}
    },
    "Villain": {"parent": "Hero", "attributes": {"plan": {"type": "string", "optional": true}}},
    "Team": {
      "identityAttributes": "name", "attributes": {"name": "string"},
      "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "team"}}
    }
    """#

  /// Orders with lines and customers; orders and lines are found by several kinds of identity.
  package static let orders = #"""
    "Order": {
      "identityAttributes": "id", "attributes": {"id": {"type": "integer64", "optional": true}, "note": {"type": "string", "optional": true}},
      "relationships": {
        "customer": {"destination": "Customer", "inverse": "orders"},
        "lines": {"destination": "Line", "toMany": true, "ordered": true, "inverse": "order"}
      }
    },
    "Line": {
      "identityAttributes": "id", "alternateIdentities": ["token"],
      "attributes": {
        "id": {"type": "integer64", "optional": true}, "token": {"type": "string", "optional": true},
        "position": {"type": "integer32", "optional": true, "JSONKeyPath": "@index"}, "sku": {"type": "string", "optional": true}
      },
      "relationships": {"order": {"destination": "Order", "inverse": "lines", "JSONKeyPath": null}}
    },
    "Customer": {
      "identityAttributes": "name", "attributes": {"name": "string"},
      "relationships": {"orders": {"destination": "Order", "toMany": true, "inverse": "customer"}, "favorite": {"destination": "Order"}}
    }
    """#

  /// The text of a model whose only entity has one-to-one relationships to itself.
  package static let nodes = """
    {"keyStrategy": "sameName", "entities": {"Node": {
      "identityAttributes": "id", "attributes": {"id": "integer64", "n": {"type": "integer64", "optional": true}},
      "relationships": {
        "next": {"destination": "Node", "inverse": "previous"},
        "previous": {"destination": "Node", "inverse": "next"},
        "partner": {"destination": "Node", "inverse": "partner"}}}}}
    """
}
