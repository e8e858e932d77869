import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

@Suite("Objects that only have a new position, and discarded deletions") struct RepositionedObjectTests {
  /// Albums with photos in order.
  private static func ordered(_ rule: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: #"""
        "Album": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "photos": {"destination": "Photo", "toMany": true, "ordered": true, "inverse": "album", "deleteRule": "\#(rule)"}}},
        "Photo": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"album": {"destination": "Album", "inverse": "photos"}}}
        """#)
  }

  @Test(
    "S5: storeWins: an owner is not kept without its parts if another context only reordered the parts",
    arguments: ContextSource.Kind.allCases)
  func reorderedThere(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, Self.ordered("cascade"))
    try source.context().importJSON(#"{"id": 1, "photos": [{"id": 1}, {"id": 2}, {"id": 3}]}"#, ofEntity: "Album")
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = .storeWins
    try mine.delete(mine.object("Album", 1))
    try theirs.object("Album", 1)["photos"] = [3, 1, 2].map { try theirs.object("Photo", $0) }
    try theirs.commit()
    try mine.commit()
    let found = try source.context()
    let (albums, photos) = (try found.ids(of: "Album"), try found.ids(of: "Photo"))
    // Either everything is deleted, because no object was changed, or everything is as in the store.
    #expect(albums == [] && photos == [] || albums == [1] && photos == [1, 2, 3], "\(albums) \(photos)")
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5: contextWins: 'cascade' deletes an object that another context added, or the object keeps its owner",
    arguments: ContextSource.Kind.allCases)
  func cascadeOfRepositioned(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, Self.ordered("cascade"))
    try source.context().importJSON(
      #"[{"id": 1}, {"id": 2, "photos": [{"id": 1}, {"id": 2}, {"id": 3}]}]"#, ofEntity: "Album")
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = .contextWins
    try mine.object("Album", 2)["photos"] = [3, 1, 2].map { try mine.object("Photo", $0) }
    try mine.delete(mine.object("Album", 1))
    try theirs.object("Photo", 2)["album"] = try theirs.object("Album", 1)
    try theirs.commit()
    try mine.commit()
    let found = try source.context()
    let (photos, list) = (try found.ids(of: "Photo"), try found.list("photos", of: "Album", 2))
    #expect(try found.ids(of: "Album") == [2])
    #expect(photos == [1, 3] && list == [3, 1] || list == [3, 1, 2], "photos \(photos), list \(list)")
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5: contextWins: 'deny' applies to an object that another context added, or the object keeps its owner",
    arguments: ContextSource.Kind.allCases)
  func denialByRepositioned(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, Self.ordered("deny"))
    try source.context().importJSON(
      #"[{"id": 1}, {"id": 2, "photos": [{"id": 1}, {"id": 2}, {"id": 3}]}]"#, ofEntity: "Album")
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = .contextWins
    try mine.object("Album", 2)["photos"] = [3, 1, 2].map { try mine.object("Photo", $0) }
    try mine.delete(mine.object("Album", 1))
    try theirs.object("Photo", 2)["album"] = try theirs.object("Album", 1)
    try theirs.commit()
    var isRefused = false
    do { try mine.commit() } catch is ConflictError { isRefused = true }
    let found = try source.context()
    let album = try (found.object("Photo", 2)["album"] as ManagedObject?)?["id"] as Int?
    #expect(album == (isRefused ? 1 : 2))
    #expect(try found.ids(of: "Album") == (isRefused ? [1, 2] : [2]))
  }

  @Test(
    "S5: a reinserted object has the same position with contextWins as with mergeByProperty",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.contextWins, .mergeByProperty])
  func replacedAndRepositioned(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    let model = try ManagedObjectModel(
      entities: #"""
        "User": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "pens": {"destination": "Pen", "toMany": true, "ordered": true, "inverse": "user"}}},
        "Pen": {"identityAttributes": "id", "alternateIdentities": ["token"],
          "attributes": {"id": {"type": "integer64", "optional": true}, "token": {"type": "string", "optional": true}},
          "relationships": {"user": {"destination": "User", "inverse": "pens"}}}
        """#)
    let source = try ContextSource(kind, model)
    try source.context().importJSON(
      #"{"id": 1, "pens": [{"token": "a"}, {"token": "b"}, {"token": "c"}]}"#, ofEntity: "User")
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = policy
    let user = try mine.object("User", 1)
    user["pens"] = Array((user["pens"] as [ManagedObject]).reversed())
    let other = try theirs.object("User", 1)
    let old = try #require((other["pens"] as [ManagedObject]).first { $0["token"] as String? == "b" })
    try theirs.delete(old)
    try theirs.commit()
    let new = theirs.insert(ofEntity: "Pen")
    new["id"] = 7
    new["token"] = "b"
    new["user"] = other
    try theirs.commit()
    try mine.commit()
    let pens = try source.context().object("User", 1)["pens"] as [ManagedObject]
    #expect(pens.map { $0["token"] as String? } == ["c", "b", "a"])
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5: storeWins: a discarded deletion restores all references, even if another context only added an object",
    arguments: ContextSource.Kind.allCases, ["cascade", "deny"])
  func restoredReferences(kind: ContextSource.Kind, rule: String) throws {
    let model = try ManagedObjectModel(
      entities: #"""
        "Shop": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "orders": {"destination": "Order", "toMany": true, "inverse": "shop", "deleteRule": "\#(rule)"},
          "visitors": {"destination": "Visitor", "toMany": true, "inverse": "shop"}}},
        "Order": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"shop": {"destination": "Shop", "inverse": "orders"}}},
        "Visitor": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"shop": {"destination": "Shop", "inverse": "visitors"}}}
        """#)
    let source = try ContextSource(kind, model)
    try source.context().importJSON(#"{"id": 1, "visitors": [{"id": 1}, {"id": 2}]}"#, ofEntity: "Shop")
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = .storeWins
    try mine.delete(mine.object("Shop", 1))
    let order = theirs.insert(ofEntity: "Order")
    order["id"] = 5
    order["shop"] = try theirs.object("Shop", 1)
    try theirs.commit()
    try mine.commit()
    let found = try source.context()
    #expect(try found.ids(of: "Shop") == [1])
    #expect(try found.list("orders", of: "Shop", 1) == [5])
    #expect(try found.list("visitors", of: "Shop", 1).sorted() == [1, 2])
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5: deleting an object does not edit the lists that contain it, whether or not the lists are required",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.contextWins, .refuse])
  func deletedMember(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    for isOptional in [true, false] {
      let model = try ManagedObjectModel(
        entities: #"""
          "Album": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
            "photos": {"destination": "Photo", "toMany": true, "optional": \#(isOptional)}}},
          "Photo": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
          """#)
      let source = try ContextSource(kind, model)
      try source.context().importJSON(#"{"id": 1, "photos": [{"id": 1}, {"id": 2}]}"#, ofEntity: "Album")
      let (mine, theirs) = (try source.context(), try source.context())
      mine.conflictPolicy = policy
      try mine.delete(mine.object("Photo", 1))
      let photo = theirs.insert(ofEntity: "Photo")
      photo["id"] = 3
      try theirs.object("Album", 1)["photos"] = [1, 2, 3].map { try theirs.object("Photo", $0) }
      try theirs.commit()
      #expect(throws: Never.self, "optional: \(isOptional)") { try mine.commit() }
      #expect(try source.context().list("photos", of: "Album", 1).sorted() == [2, 3], "optional: \(isOptional)")
    }
  }
}
