import Foundation
import GraftTestSupport
import Testing

@testable import Graft

/// IDs of objects that are identified inside their owners (M12), some with identities declared by a sub-entity (M8).
@Suite("IDs of owned objects") struct OwnedObjectIDTests {
  private func context() throws -> ManagedObjectContext {
    try Fixture.context(
      """
      "Order": {
        "abstract": true, "identityAttributes": "id", "attributes": {"id": "decimal"},
        "entityMapper": {"JSONKeyPath": "kind", "entities": {"shop": "Shop", "mail": "Mail"}},
        "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order"}}
      },
      "Shop": {"parent": "Order", "identityAttributes": "till", "attributes": {"till": "string"}},
      "Mail": {"parent": "Order", "identityAttributes": "box", "attributes": {"box": "string"}},
      "Line": {
        "identityAttributes": "order,number", "attributes": {"number": "integer64", "text": {"type": "string", "optional": true}},
        "relationships": {"order": {"destination": "Order", "inverse": "lines", "JSONKeyPath": null}}
      }
      """)
  }

  private static let payload = #"""
    [{"kind": "shop", "id": 1.5, "till": "a", "lines": [{"number": 1, "text": "shop"}]},
     {"kind": "mail", "id": 1.5, "box": "a", "lines": [{"number": 1, "text": "mail"}]}]
    """#

  @Test("M8, M12: an ID finds its object even if an object of another owner has the same values")
  func siblings() throws {
    let context = try context()
    try context.importJSON(Self.payload, ofEntity: "Order")
    let lines = try context.fetch(ofEntity: "Line")
    #expect(Set(lines.map(\.objectID)).count == 2)
    let other = try self.context()
    try other.importJSON(Self.payload, ofEntity: "Order")
    for line in lines {
      let id = try JSONDecoder().decode(ManagedObjectID.self, from: JSONEncoder().encode(line.objectID))
      #expect(try id == line.objectID && context.find(id) === line)
      #expect(try other.find(id)?["text"] as String? == line["text"])
      #expect(id.identity == line.objectID.identity)
    }
  }

  @Test(
    "An encoded ID whose owner is malformed is refused",
    arguments: [
      #"{"space": "Shop"}"#, #"{"space": "Shop", "identity": [1]}"#, #"{"space": 1, "identity": ["1"]}"#, "null",
    ])
  func malformed(owner: String) throws {
    let text = JSON.object(["entity": "Line", "space": "Line", "identity": [.string(owner), "1"]]).description
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(ManagedObjectID.self, from: Data(text.utf8)) }
  }

  @Test("M12, C9: changes are merged into a context that does not know the owner")
  func mergedChanges() async throws {
    let source = try context()
    let target = ManagedObjectContext(model: source.model)
    var updates = source.updates().makeAsyncIterator()
    try source.importJSON(Self.payload, ofEntity: "Order")
    #expect(target.merge(try #require(await updates.next())) == [])
    #expect(target.dumpText == source.dumpText)
    #expect(target.checkInvariants().isEmpty)
  }

  @Test("M12, I21: if an owner's identity changes, changes to its objects are still attributed to the same objects")
  func renamedOwner() async throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "Order": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order", "deleteRule": "cascade"}}},
          "Line": {"identityAttributes": "order, sku",
            "attributes": {"sku": "string", "count": {"type": "integer64", "optional": true}},
            "relationships": {"order": {"destination": "Order", "inverse": "lines", "JSONKeyPath": null}}}}}
        """#)
    let (source, target) = (ManagedObjectContext(model: model), ManagedObjectContext(model: model))
    var updates = source.updates().makeAsyncIterator()
    func line(_ sku: String) throws -> ManagedObject {
      try #require(try source.fetch(ofEntity: "Line").first { $0["sku"] == sku })
    }
    try source.importJSON(#"{"id": 3, "lines": [{"sku": "a"}, {"sku": "b"}]}"#, ofEntity: "Order")
    #expect(target.merge(try #require(await updates.next())) == [])
    let order = try #require(try source.find(ofEntity: "Order", identity: 3))
    let (first, second) = (try line("a").objectID, try line("b").objectID)
    try source.delete(line("a"))
    try line("b")["count"] = 2
    order["id"] = 5
    try source.commit()
    let changes = try #require(await updates.next())
    #expect(changes.deleted == [first])
    let update = try #require(changes.updated.first { $0.id.entityName == "Line" })
    #expect(try update.previousID == second && update.id == line("b").objectID && update.id != second)
    #expect(target.merge(changes) == [])
    #expect(target.dumpText == source.dumpText && target.checkInvariants() == [])
    // After a rollback, the IDs refer to the same objects as before.
    order["id"] = 7
    try line("b")["count"] = 4
    let renamed = try line("b").objectID
    source.rollBack()
    let back = try #require(await updates.next())
    #expect(back.updated.contains { $0.previousID == renamed })
    // The IDs of unchanged lines also change, because they contain the owner's identity.
    let untouched = try line("b").objectID
    order["id"] = 11
    try source.commit()
    let last = try #require(await updates.next())
    let part = try #require(last.updated.first { $0.previousID == untouched })
    #expect(try part.id == line("b").objectID && part.properties.isEmpty && last.updated.count == 2)
    #expect(target.merge(last) == [] && target.dumpText == source.dumpText)
    // An owner is deleted together with its lines.
    order["id"] = 9
    try source.delete(order)
    try source.commit()
    #expect(target.merge(try #require(await updates.next())) == [])
    #expect(try target.count(ofEntity: "Line") == 0 && target.count(ofEntity: "Order") == 0)
  }

  @Test(
    "M12, S14: if an owner was renamed, a commit after other contexts' commits reports the new IDs of its objects once")
  func renamedOwnerOfRebasedCommit() throws {
    let parent = ManagedObjectContext(
      model: try ManagedObjectModel(
        text: #"""
          {"keyStrategy": "sameName", "entities": {
            "Order": {"identityAttributes": "id", "attributes": {"id": "integer64"},
              "relationships": {"lines": {"destination": "Line", "toMany": true, "inverse": "order"}}},
            "Line": {"identityAttributes": "order, sku", "attributes": {"sku": "string"},
              "relationships": {"order": {"destination": "Order", "inverse": "lines", "JSONKeyPath": null}}}}}
          """#))
    try parent.importJSON(#"{"id": 3, "lines": [{"sku": "a"}]}"#, ofEntity: "Order")
    let (mine, theirs) = (parent.makeChild(), parent.makeChild())
    var told: [ContextChanges] = []
    mine.observers.add { told.append($0) }
    let line = try #require(try mine.fetch(ofEntity: "Line").first)
    let former = line.objectID
    try #require(try mine.find(ofEntity: "Order", identity: 3))["id"] = 5
    try theirs.importJSON(#"{"id": 4, "lines": [{"sku": "b"}]}"#, ofEntity: "Order")
    try mine.commit()
    let updates = told.flatMap(\.updated).filter { $0.id.entityName == "Line" }
    #expect(updates.map(\.previousID) == [former] && updates.map(\.id) == [line.objectID], "\(told)")
  }
}
