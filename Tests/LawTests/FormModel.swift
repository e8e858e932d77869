/// A model with all forms of values that attributes and relationships read, and a payload that uses many of these forms.
enum FormModel {
  static let text = #"""
    {
      "keyStrategy": "sameName",
      "entities": {
        "Product": {
          "identityAttributes": ["shop", "sku"],
          "attributes": {
            "shop": "integer32",
            "sku": "string",
            "price": {"type": "decimal", "optional": true, "JSONTransformerName": ["Blank", "StringToDecimal"]}
          }
        },
        "Tag": {
          "identityAttributes": "name",
          "attributes": {"name": {"type": "string", "JSONTransformerName": "Lowercase"}}
        },
        "Planet": {
          "identityAttributes": "id",
          "attributes": {"id": "integer32", "name": {"type": "string", "optional": true, "maxLength": 5}}
        },
        "Issue": {
          "identityAttributes": "id",
          "attributes": {"id": "integer64", "title": {"type": "string", "optional": true}}
        },
        "Animal": {
          "abstract": true,
          "entityMapper": {"JSONKeyPath": "kind", "entities": {"cow": "Cow", "hen": "Hen"}},
          "attributes": {"name": {"type": "string", "optional": true}}
        },
        "Cow": {"parent": "Animal", "attributes": {"milk": "double"}},
        "Hen": {"parent": "Animal", "attributes": {"eggs": {"type": "integer16", "optional": true}}},
        "Person": {
          "identityAttributes": "id",
          "attributes": {
            "id": {"type": "uuid", "JSONKeyPath": "id", "JSONKeyPathAliases": ["meta.uuid"]},
            "name": {"type": "string", "optional": true, "JSONNulls": ["", "n/a"]}
          }
        },
        "Price": {
          "identityAttributes": "currency",
          "attributes": {
            "currency": {"type": "string", "JSONKeyPath": "@key"},
            "amount": {"type": "decimal", "optional": true, "JSONKeyPath": "@value"}
          }
        },
        "Entry": {
          "identityAttributes": "id",
          "attributes": {
            "id": "integer64",
            "born": {
              "type": "date", "optional": true, "JSONNulls": ["", "0000-00-00"],
              "JSONTransformerName": "DateFormat(yyyy-MM-dd|dd.MM.yyyy)"
            },
            "seen": {"type": "date", "optional": true, "JSONTransformerName": "UnixTime"},
            "sent": {"type": "date", "optional": true, "JSONTransformerName": "UnixTimeMilliseconds"},
            "at": {"type": "date", "optional": true},
            "counts": {"type": "integer64", "list": true, "optional": true, "JSONTransformerName": "Split(,)"},
            "labels": {"type": "string", "list": true, "optional": true, "lenient": true},
            "size": {"type": "integer16", "optional": true, "JSONTransformerName": "StringToInteger"},
            "ratio": {"type": "double", "optional": true, "JSONTransformerName": "StringToDouble"},
            "active": {"type": "boolean", "optional": true, "JSONTransformerName": ["Lowercase", "StringToBoolean"]},
            "flag": {"type": "boolean", "optional": true, "JSONTransformerName": "IntegerToBoolean"},
            "note": {"type": "string", "optional": true, "JSONTransformerName": "Blank", "maxLength": 20},
            "weight": {"type": "double", "optional": true, "JSONTransformerName": "Blank"},
            "mixed": {"type": "integer32", "optional": true, "JSONTransformerName": "Lenient"},
            "when": {"type": "date", "optional": true, "JSONTransformerName": "Lenient"},
            "page": {"type": "uri", "optional": true, "JSONTransformerName": "StringToURL"},
            "key": {"type": "uuid", "optional": true, "JSONTransformerName": "StringToUUID"},
            "image": {"type": "binary", "optional": true},
            "path": {"type": "string", "optional": true, "JSONKeyPath": "a.b.c", "JSONKeyPathAliases": ["c"]},
            "scores": {
              "type": "integer32", "list": true, "optional": true, "JSONKeyPath": "results[].score",
              "JSONDirection": "import"
            }
          },
          "relationships": {
            "product": {"destination": "Product", "JSONKeyPath": {"shop": "shop_id", "sku": "sku"}},
            "best": {"destination": "Product"},
            "planet": {"destination": "Planet", "JSONTransformerName": ["LastPathSegment", "StringToInteger"]},
            "issues": {
              "destination": "Issue", "toMany": true, "JSONKeyPath": "issues.edges[].node", "JSONDirection": "import"
            },
            "tags": {"destination": "Tag", "toMany": true, "lenient": true},
            "owner": {"destination": "Planet", "lenient": true, "JSONNulls": [0, "none"]},
            "author": {"destination": "Person", "JSONReferences": true},
            "animals": {"destination": "Animal", "toMany": true},
            "prices": {"destination": "Price", "toMany": true}
          }
        }
      }
    }
    """#

  static let payload = #"""
    [
      {
        "id": 1, "born": "2001-02-03", "seen": 1550102400, "sent": 1550102400000, "at": "2019-01-02T03:04:05Z",
        "counts": "1,2,3", "labels": ["a", "b"], "size": "12", "ratio": "0.5", "active": "True", "flag": 1, "note": "x",
        "weight": 1.5, "mixed": "007", "when": 1550102400, "page": "https://example.org/x", "image": "AA==",
        "key": "00000000-0000-0000-0000-000000000001", "a": {"b": {"c": "x"}},
        "results": [{"score": 1}, null, {"score": 2, "x": 1}, {}], "shop_id": 3, "sku": "A", "best": [3, "B"],
        "planet": "https://example.org/planets/7/", "issues": {"edges": [{"node": {"id": 1, "title": "t"}}, {"node": 2}]},
        "tags": ["A", {"name": "b"}], "owner": [{"id": 4, "name": "Mars"}],
        "author": {"id": "00000000-0000-0000-0000-00000000000a"},
        "animals": [{"kind": "cow", "name": "Ada", "milk": 2}, {"kind": "hen", "eggs": 3}],
        "prices": {"EUR": 3.5, "USD": {}, "GBP": null}
      },
      {
        "id": 2, "born": "", "seen": "1550102400", "at": null, "counts": [4], "labels": "c", "owner": 0, "c": "y",
        "tags": {"0": "z"}, "author": {"meta": {"uuid": "00000000-0000-0000-0000-00000000000b"}, "name": "n/a"},
        "planet": "8", "best": {"shop": 4, "sku": "C", "price": " "}, "note": " ", "weight": "", "mixed": 5
      },
      {"id": 3, "labels": {"0": "a", "1": "b"}, "tags": "q", "owner": [], "counts": "", "results": []}
    ]
    """#
}
