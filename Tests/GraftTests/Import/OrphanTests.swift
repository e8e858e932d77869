import Graft
import GraftTestSupport
import Testing

private func orders(_ words: String = "", item: String = "", note: String = "") throws -> ManagedObjectContext {
  try context(
    """
    "Order": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"items": {"destination": "Item", "toMany": true, "inverse": "order", "deleteOrphans": true\(words)}}
    },
    "Item": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {
        "order": {"destination": "Order", "inverse": "items"\(item)},
        "notes": {"destination": "Note", "toMany": true, "inverse": "item", "deleteRule": "cascade"\(note)},
        "parts": {"destination": "Part", "toMany": true, "inverse": "items", "deleteOrphans": true}
      }
    },
    "Note": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"item": {"destination": "Item", "inverse": "notes"}}
    },
    "Part": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"items": {"destination": "Item", "toMany": true, "inverse": "parts"}}
    }
    """)
}

@Suite("Orphans") struct OrphanTests {
  @Test("M6: what a to-one lets go of is an orphan, too")
  func toOne() throws {
    let context = try context(
      """
      "Person": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "home": {"destination": "Home", "inverse": "people", "deleteOrphans": true}}},
      "Home": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "people": {"destination": "Person", "toMany": true, "inverse": "home"}}}
      """)
    try objects(ofEntity: "Person", fromJSON: #"[{"id": 1, "home": {"id": 7}}, {"id": 2, "home": 7}]"#, in: context)
    try objects(ofEntity: "Person", fromJSON: #"[{"id": 1, "home": {"id": 8}}]"#, in: context)
    #expect(context.count(ofEntity: "Home") == 2)
    try objects(ofEntity: "Person", fromJSON: #"[{"id": 2, "home": null}]"#, in: context)
    #expect(context.drawing == "Person(1) home=Home(8)\nPerson(2)\nHome(8) people=[Person(1)]")
  }

  @Test("M6: an orphan that several let go of in one payload is deleted once")
  func letGoTwice() throws {
    let context = try orders()
    try objects(
      ofEntity: "Item", fromJSON: #"[{"id": 1, "parts": [{"id": 7}]}, {"id": 2, "parts": [{"id": 7}]}]"#, in: context)
    try objects(ofEntity: "Item", fromJSON: #"[{"id": 1, "parts": []}, {"id": 2, "parts": []}]"#, in: context)
    #expect(context.drawing == "Item(1)\nItem(2)")
    #expect(context.snapshot().count == 2)
  }

  @Test("M6: what `replace` lets go of is deleted, when it leaves the inverse empty")
  func replaced() throws {
    let context = try orders()
    try objects(
      ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1}, {"id": 2}]}, {"id": 2, "items": [{"id": 3}]}]"#,
      in: context)
    let second = try #require(context.find(ofEntity: "Item", identity: 2))
    let report = try context.importJSON(Array(#"[{"id": 1, "items": [{"id": 1}, {"id": 4}]}]"#.utf8), ofEntity: "Order")
    #expect(
      context.drawing == """
        Order(1) items=[Item(1), Item(4)]
        Order(2) items=[Item(3)]
        Item(1) order=Order(1)
        Item(3) order=Order(2)
        Item(4) order=Order(1)
        """)
    #expect(second.isDeleted && context.find(ofEntity: "Item", identity: 2) == nil)
    #expect(report.deleted == ["Item": 1] && report.inserted == ["Item": 1] && report.updated == ["Order": 1])
  }

  @Test("M6: null and an empty array let go of all", arguments: ["null", "[]"])
  func emptied(value: String) throws {
    let context = try orders()
    try objects(ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1}, 2]}]"#, in: context)
    try objects(ofEntity: "Order", fromJSON: #"[{"id": 1, "items": \#(value)}]"#, in: context)
    #expect(context.drawing == "Order(1)")
  }

  @Test("M6: what finds another owner in the same payload stays, before or after")
  func moved() throws {
    for text in [
      #"[{"id": 1, "items": []}, {"id": 2, "items": [1]}]"#, #"[{"id": 2, "items": [1]}, {"id": 1, "items": []}]"#,
      #"[{"id": 1, "items": []}, {"id": 2}, {"id": 2, "items": [{"id": 1}]}]"#,
      #"[{"id": 1, "items": []}, {"id": 2, "items": [1]}, {"id": 1}]"#,
    ] {
      let context = try orders()
      try objects(ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1}]}]"#, in: context)
      try objects(ofEntity: "Order", fromJSON: text, in: context)
      #expect(context.drawing == "Order(1)\nOrder(2) items=[Item(1)]\nItem(1) order=Order(2)")
    }
  }

  @Test("M6: what another one still holds stays")
  func shared() throws {
    let context = try orders()
    try objects(
      ofEntity: "Item", fromJSON: #"[{"id": 1, "parts": [{"id": 1}, {"id": 2}]}, {"id": 2, "parts": [2]}]"#, in: context
    )
    try objects(ofEntity: "Item", fromJSON: #"[{"id": 1, "parts": []}]"#, in: context)
    #expect(context.drawing == "Item(1)\nItem(2) parts=[Part(2)]\nPart(2) items=[Item(2)]")
    try objects(ofEntity: "Item", fromJSON: #"[{"id": 2, "parts": [2]}]"#, in: context)
    try objects(ofEntity: "Item", fromJSON: #"[{"id": 2, "parts": []}]"#, in: context)
    #expect(context.drawing == "Item(1)\nItem(2)")
  }

  @Test("M6: an owner of the other side that lets go makes no orphan; nor does `union`")
  func otherSide() throws {
    let context = try orders()
    try objects(ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1}]}]"#, in: context)
    try objects(ofEntity: "Item", fromJSON: #"[{"id": 1, "order": null}]"#, in: context)
    #expect(context.drawing == "Order(1)\nItem(1)")
    let union = try orders(#", "mergeRule": "union""#)
    try objects(
      ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1}]}, {"id": 1, "items": [{"id": 2}]}]"#, in: union)
    #expect(union.count(ofEntity: "Item") == 2)
  }

  @Test("M6: orphans are deleted by their delete rules, and may leave orphans themselves")
  func chain() throws {
    let context = try orders()
    try objects(
      ofEntity: "Order",
      fromJSON:
        #"[{"id": 1, "items": [{"id": 1, "notes": [{"id": 1}], "parts": [{"id": 1}, {"id": 2}]}, {"id": 2, "parts": [2]}]}]"#,
      in: context)
    try objects(ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [2]}]"#, in: context)
    #expect(
      context.drawing == """
        Order(1) items=[Item(2)]
        Item(2) order=Order(1) parts=[Part(2)]
        Part(2) items=[Item(2)]
        """)
  }

  @Test("M6: an orphan whose deletion is denied fails the import")
  func denied() throws {
    let context = try context(
      """
      "Order": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"items": {"destination": "Item", "toMany": true, "inverse": "order", "deleteOrphans": true}}
      },
      "Item": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {
          "order": {"destination": "Order", "inverse": "items"},
          "notes": {"destination": "Item", "toMany": true, "deleteRule": "deny"}
        }
      }
      """)
    try objects(ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1, "notes": [{"id": 2}]}]}]"#, in: context)
    #expect(
      refusals(#"[1️⃣{"id": 1, "items": []}]"#, of: "Order", in: context, withNotes: true) == [
        "1️⃣ error: an orphan cannot be deleted: 'Item.notes' still leads to objects (at $[0])",
        "  m.json:10:68: note: 'notes' says \"deleteRule\": \"deny\" here",
      ])
    #expect(context.drawing == "Order(1) items=[Item(1)]\nItem(1) order=Order(1) notes=[Item(2)]\nItem(2)")
  }

  @Test("M6: an orphan that was required elsewhere: what loses it is validated (D6)")
  func requiredElsewhere() throws {
    let context = try context(
      """
      "Order": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"items": {"destination": "Item", "toMany": true, "inverse": "order", "deleteOrphans": true}}
      },
      "Item": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {
          "order": {"destination": "Order", "inverse": "items"}, "label": {"destination": "Label", "inverse": "item"}
        }
      },
      "Label": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"item": {"destination": "Item", "optional": false, "inverse": "label"}}
      }
      """)
    try objects(ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1, "label": {"id": 1}}]}]"#, in: context)
    #expect(
      refusals(#"[1️⃣{"id": 1, "items": []}]"#, of: "Order", in: context) == [
        "1️⃣ error: expected a value for 'Label.item', which is not optional, found none (Label(1) was changed from the other side) (at $[0])"
      ])
  }

  @Test("I2: the identity of a deleted orphan is free again")
  func identityIsFree() throws {
    let context = try orders()
    try objects(ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1}]}]"#, in: context)
    for _ in 1...3 {
      try objects(ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 2}]}]"#, in: context)
      try objects(ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1}]}]"#, in: context)
    }
    #expect(context.drawing == "Order(1) items=[Item(1)]\nItem(1) order=Order(1)")
  }

  @Test("I10: an import that fails brings orphans back")
  func takenBack() throws {
    let context = try orders()
    try objects(
      ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1, "notes": [{"id": 1}]}, {"id": 2}]}]"#, in: context)
    #expect(refusals(#"[{"id": 1, "items": []}, {"id": 1️⃣"x"}]"#, of: "Order", in: context).count == 1)
    let first = try #require(context.find(ofEntity: "Item", identity: 1))
    #expect(!first.isDeleted && (first["notes"] as [ManagedObject]).count == 1)
  }
}
