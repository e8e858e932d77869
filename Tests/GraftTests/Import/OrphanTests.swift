import Graft
import GraftTestSupport
import Testing

private func orders(_ words: String = "", item: String = "", note: String = "") throws -> ManagedObjectContext {
  try Fixture.context(
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
  @Test("D12: the previous object of a to-one is deleted as an orphan at the end of the payload")
  func toOne() throws {
    let context = try Fixture.context(
      """
      "Person": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "home": {"destination": "Home", "inverse": "people", "deleteOrphans": true}}},
      "Home": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "people": {"destination": "Person", "toMany": true, "inverse": "home"}}}
      """)
    try objects(ofEntity: "Person", fromJSON: #"[{"id": 1, "home": {"id": 7}}, {"id": 2, "home": 7}]"#, in: context)
    try objects(ofEntity: "Person", fromJSON: #"[{"id": 1, "home": {"id": 8}}]"#, in: context)
    #expect(try context.count(ofEntity: "Home") == 2)
    try objects(ofEntity: "Person", fromJSON: #"[{"id": 2, "home": null}]"#, in: context)
    #expect(context.drawing == "Person(1) home=Home(8)\nPerson(2)\nHome(8) people=[Person(1)]")
  }

  @Test("M6: an orphan that several objects release in one payload is deleted only once")
  func letGoTwice() throws {
    let context = try orders()
    try objects(
      ofEntity: "Item", fromJSON: #"[{"id": 1, "parts": [{"id": 7}]}, {"id": 2, "parts": [{"id": 7}]}]"#, in: context)
    try objects(ofEntity: "Item", fromJSON: #"[{"id": 1, "parts": []}, {"id": 2, "parts": []}]"#, in: context)
    #expect(context.drawing == "Item(1)\nItem(2)")
    #expect(context.snapshot().count == 2)
  }

  @Test("M6: an object that `replace` removes from a relationship is deleted if its inverse becomes empty")
  func replaced() throws {
    let context = try orders()
    try objects(
      ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1}, {"id": 2}]}, {"id": 2, "items": [{"id": 3}]}]"#,
      in: context)
    let second = try #require(try context.find(ofEntity: "Item", identity: 2))
    let report = try context.importJSON(Array(#"[{"id": 1, "items": [{"id": 1}, {"id": 4}]}]"#.utf8), ofEntity: "Order")
    #expect(
      context.drawing == """
        Order(1) items=[Item(1), Item(4)]
        Order(2) items=[Item(3)]
        Item(1) order=Order(1)
        Item(3) order=Order(2)
        Item(4) order=Order(1)
        """)
    #expect(try second.isDeleted && context.find(ofEntity: "Item", identity: 2) == nil)
    #expect(report.deleted == ["Item": 1] && report.inserted == ["Item": 1] && report.updated == ["Order": 1])
  }

  @Test("M6: null and an empty array release all objects of a relationship", arguments: ["null", "[]"])
  func emptied(value: String) throws {
    let context = try orders()
    try objects(ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1}, 2]}]"#, in: context)
    try objects(ofEntity: "Order", fromJSON: #"[{"id": 1, "items": \#(value)}]"#, in: context)
    #expect(context.drawing == "Order(1)")
  }

  @Test("M6: an object that gets another owner in the same payload is not deleted, in either order")
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

  @Test("M6: an object that still has another owner is not deleted")
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

  @Test(
    "M6: an object that clears its own link to its owner is not deleted as an orphan, and `union` deletes no orphans")
  func otherSide() throws {
    let context = try orders()
    try objects(ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1}]}]"#, in: context)
    try objects(ofEntity: "Item", fromJSON: #"[{"id": 1, "order": null}]"#, in: context)
    #expect(context.drawing == "Order(1)\nItem(1)")
    let union = try orders(#", "mergeRule": "union""#)
    try objects(
      ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1}]}, {"id": 1, "items": [{"id": 2}]}]"#, in: union)
    #expect(try union.count(ofEntity: "Item") == 2)
  }

  @Test("M6: orphans are deleted by their delete rules, which can produce further orphans")
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
    let context = try Fixture.context(
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
        "1️⃣ error: the orphan 'Item(1)' cannot be deleted: 'Item.notes' still has objects (at $[0])",
        "  m.json:10:68: note: 'notes' declares \"deleteRule\": \"deny\" here",
      ])
    #expect(context.drawing == "Order(1) items=[Item(1)]\nItem(1) order=Order(1) notes=[Item(2)]\nItem(2)")
  }

  private func partsInUse() throws -> ManagedObjectContext {
    let context = try Fixture.context(
      """
      "Order": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {
          "items": {"destination": "Item", "toMany": true, "ordered": true, "inverse": "order", "deleteOrphans": true}
        }
      },
      "Item": {
        "identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {
          "order": {"destination": "Order", "inverse": "items"},
          "needs": {"destination": "Item", "toMany": true, "deleteRule": "deny"}
        }
      }
      """)
    try objects(
      ofEntity: "Item", fromJSON: "[{\"id\": 1, \"needs\": [2]}, {\"id\": 2, \"needs\": [3]}, {\"id\": 3}]", in: context
    )
    return context
  }

  @Test(
    "D14: an orphan can be deleted if the object that denies its deletion is also deleted, in any order",
    arguments: [[1, 2, 3], [3, 2, 1], [2, 1, 3], [2, 3, 1]])
  func deniedByOrphans(order: [Int]) throws {
    let context = try partsInUse()
    try objects(ofEntity: "Order", fromJSON: #"{"id": 1, "items": \#(order)}"#, in: context)
    try objects(ofEntity: "Order", fromJSON: #"{"id": 1, "items": []}"#, in: context)
    #expect(context.drawing == "Order(1)" && context.checkInvariants() == [])
  }

  @Test(
    "D14: objects that a complete list omits can also be deleted together; the error names only the objects that stay",
    arguments: [false, true])
  func deniedByMissing(isReversed: Bool) throws {
    let context = try partsInUse()
    if isReversed {
      context.reset()
      try objects(
        ofEntity: "Item", fromJSON: #"[{"id": 3}, {"id": 2, "needs": [3]}, {"id": 1, "needs": [2]}]"#, in: context)
    }
    let error = #expect(throws: ImportError.self) {
      try context.importJSON(#"[{"id": 3}]"#, [.objects(ofEntity: "Item", missing: .delete)])
    }
    #expect(
      error?.diagnostics.map(\.message).sorted() == [
        "'Item(1)', which the payload does not mention, cannot be deleted: 'Item.needs' still has objects",
        "'Item(2)', which the payload does not mention, cannot be deleted: 'Item.needs' still has objects",
      ])
    #expect(try context.importJSON("[]", [.objects(ofEntity: "Item", missing: .delete)]).deleted == ["Item": 3])
  }

  @Test("M6: an object that requires a deleted orphan is validated (D6)")
  func requiredElsewhere() throws {
    let context = try Fixture.context(
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
        "1️⃣ error: expected a value for 'Label.item', which is not optional, found none (Label(1) was changed through an inverse) (at $[0])"
      ])
  }

  @Test("I2: a deleted orphan's identity can be used again")
  func identityIsFree() throws {
    let context = try orders()
    try objects(ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1}]}]"#, in: context)
    for _ in 1...3 {
      try objects(ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 2}]}]"#, in: context)
      try objects(ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1}]}]"#, in: context)
    }
    #expect(context.drawing == "Order(1) items=[Item(1)]\nItem(1) order=Order(1)")
  }

  @Test("I10: a failed import restores orphans")
  func takenBack() throws {
    let context = try orders()
    try objects(
      ofEntity: "Order", fromJSON: #"[{"id": 1, "items": [{"id": 1, "notes": [{"id": 1}]}, {"id": 2}]}]"#, in: context)
    #expect(refusals(#"[{"id": 1, "items": []}, {"id": 1️⃣"x"}]"#, of: "Order", in: context).count == 1)
    let first = try #require(try context.find(ofEntity: "Item", identity: 1))
    #expect(!first.isDeleted && (first["notes"] as [ManagedObject]).count == 1)
  }
}
