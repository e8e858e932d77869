import Graft
import GraftTestSupport
import Testing

/// With storeWins, the deletion of an object is discarded if another context changed the object.
@Suite("Deletions that are discarded") struct KeptOwnerTests {
  struct Form: CustomTestStringConvertible {
    var testDescription: String
    /// Members to add to the declaration of `Order.lines`.
    var lines: String
    /// Members to add to the declaration of its inverse `Line.order`, if it has one.
    var order: String?
    var identity = #""id""#
    /// Whether a line that is not deleted stays in its order.
    var keepsOrder = true
    var isToMany: Bool { lines.contains("toMany") }
  }

  static let forms = [
    Form(
      testDescription: "identified in the order", lines: #", "toMany": true, "deleteRule": "cascade""#, order: "",
      identity: #"["order", "id"]"#),
    Form(testDescription: "cascade", lines: #", "toMany": true, "deleteRule": "cascade""#, order: ""),
    Form(testDescription: "deny", lines: #", "toMany": true, "deleteRule": "deny""#, order: ""),
    Form(testDescription: "required", lines: #", "toMany": true"#, order: #", "optional": false"#),
    Form(testDescription: "one-to-one", lines: #", "deleteRule": "cascade""#, order: #", "optional": false"#),
    Form(testDescription: "no inverse", lines: #", "deleteRule": "cascade""#),
    Form(
      testDescription: "many-to-many", lines: #", "toMany": true, "deleteRule": "cascade""#, order: #", "toMany": true"#
    ),
    Form(
      testDescription: "many-to-many with a minimum", lines: #", "toMany": true"#,
      order: #", "toMany": true, "minCount": 1"#),
    Form(testDescription: "neither", lines: #", "toMany": true"#, order: "", keepsOrder: false),
  ]

  private func model(_ form: Form) throws -> ManagedObjectModel {
    let inverse = form.order == nil ? "" : #", "inverse": "order""#
    let order = form.order.map { #", "relationships": {"order": {"destination": "Order", "inverse": "lines"\#($0)}}"# }
    return try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "Shop": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
            "orders": {"destination": "Order", "toMany": true, "inverse": "shop", "deleteRule": "cascade"}}},
          "Order": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
            "shop": {"destination": "Shop", "inverse": "orders"}, "lines": {"destination": "Line"\#(inverse)\#(form.lines)}}},
          "Line": {"identityAttributes": \#(form.identity),
            "attributes": {"id": "integer64", "n": {"type": "integer64", "optional": true}}\#(order ?? "")}}}
        """#)
  }

  @Test(
    "S5: storeWins: if an object's deletion is discarded, the objects that it depends on are also kept",
    arguments: ContextSource.Kind.allCases, forms)
  func owners(kind: ContextSource.Kind, form: Form) throws {
    let source = try ContextSource(kind, model(form))
    let lines = [#"{"id": 1, "n": 1}"#, #"{"id": 2, "n": 1}"#]
    try source.context().importJSON(
      #"{"id": 5, "orders": [{"id": 1, "lines": \#(form.isToMany ? "[\(lines.joined(separator: ", "))]" : lines[0])}, 2]}"#,
      ofEntity: "Shop")
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = .storeWins
    for entity in ["Line", "Order", "Shop"] {
      for object in try mine.fetch(ofEntity: entity) where !object.isDeleted { try mine.delete(object) }
    }
    try #require(theirs.fetch(ofEntity: "Line", where: "id = 1").first)["n"] = 2
    try theirs.commit()
    try mine.commit()
    #expect(mine.checkInvariants() == [])
    #expect(try mine.fetch(ofEntity: "Line").map { $0["n"] as Int? } == [2])
    // The order depends on the shop.
    #expect(try mine.fetch(ofEntity: "Order").map { "\($0)" } == (form.keepsOrder ? ["Order(1)"] : []))
    #expect(try mine.count(ofEntity: "Shop") == (form.keepsOrder ? 1 : 0))
    if form.keepsOrder { #expect(try mine.count(ofEntity: "Line", where: "id = 1") == 1) }
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5: storeWins: an object whose deletion is discarded gets its one-to-one link back",
    arguments: ContextSource.Kind.allCases)
  func pairs(kind: ContextSource.Kind) throws {
    for isOld in [false, true] {
      let source = try ContextSource(kind, ManagedObjectModel(text: Fixture.nodes))
      try source.context().importJSON(#"[{"id": 1, "next": 2, "partner": 2}, {"id": 3}]"#, ofEntity: "Node")
      let (mine, theirs) = (try source.context(), try source.context())
      mine.conflictPolicy = .storeWins
      let (one, two) = (try node(1, mine), try node(2, mine))
      try mine.delete(one)
      let new = isOld ? try node(3, mine) : mine.insert(ofEntity: "Node")
      if !isOld { new["id"] = 4 }
      new["next"] = two
      new["partner"] = two
      try node(1, theirs)["n"] = 7
      try theirs.commit()
      try mine.commit()
      #expect(mine.checkInvariants() == [])
      #expect(try node(2, mine)["previous"] as ManagedObject? == node(1, mine))
      #expect(try node(1, mine)["partner"] as ManagedObject? == node(2, mine))
      #expect(new["next"] as ManagedObject? == nil)
      try source.expectAgreement(of: mine, theirs)
    }
  }

  private func node(_ id: Int, _ context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.find(ofEntity: "Node", id: id))
  }
}
