import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

@Suite("Children of a parent that has only some objects in memory") struct ChildReferrerTests {
  /// A child that shows an object that its parent, after a change, does not have in memory.
  private func family(
    _ kind: ContextSource.Kind, _ entities: String, _ entity: String, _ payload: String, shown: (String, Int)
  ) throws -> (child: ManagedObjectContext, shown: ManagedObject, source: ContextSource) {
    let note = #""Note": {"identityAttributes": "id", "attributes": {"id": "integer64"}}"#
    let source = try ContextSource(kind, ManagedObjectModel(entities: "\(entities), \(note)"))
    try source.context().importJSON(payload, ofEntity: entity)
    // The new parents have nothing in memory.
    try source.replaceParents()
    let child = try source.context()
    let object = try child.object(shown.0, shown.1)
    let parent = try #require(source.parents.last)
    parent.insert(ofEntity: "Note")["id"] = 1
    #expect(try child.merge())
    return (child, object, source)
  }

  private static let children: [ContextSource.Kind] = [
    .childOfMemory, .childOfSnapshot, .childOfSQLite, .grandchildOfSQLite,
  ]

  @Test(
    "S5: a child validates objects that require a deleted object, regardless of what its parent has in memory",
    arguments: children)
  func requiredReference(kind: ContextSource.Kind) throws {
    let (child, album, source) = try family(
      kind,
      #"""
      "Album": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
      "Video": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"album": {"destination": "Album", "optional": false}}}
      """#, "Video", #"{"id": 5, "album": {"id": 1}}"#, shown: ("Album", 1))
    try child.delete(album)
    #expect(throws: ValidationError.self) { try child.commit() }
    withExtendedLifetime(source) {}
  }

  @Test(
    "S5: a child validates lists that require a deleted object, regardless of what its parent has in memory",
    arguments: children)
  func requiredList(kind: ContextSource.Kind) throws {
    let (child, photo, source) = try family(
      kind,
      #"""
      "Album": {"identityAttributes": "id", "attributes": {"id": "integer64"},
        "relationships": {"photos": {"destination": "Photo", "toMany": true, "optional": false}}},
      "Photo": {"identityAttributes": "id", "attributes": {"id": "integer64"}}
      """#, "Album", #"{"id": 1, "photos": [{"id": 2}]}"#, shown: ("Photo", 2))
    try child.delete(photo)
    #expect(throws: ValidationError.self) { try child.commit() }
    withExtendedLifetime(source) {}
  }

  @Test(
    "S5: a child reads the list of an object that its parent has not loaded, even if a sibling entity has no inverse",
    arguments: children, [false, true])
  func listBesideSibling(kind: ContextSource.Kind, isDeleted: Bool) throws {
    let (child, album, source) = try family(
      kind,
      #"""
      "Album": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "photos": {"destination": "Photo", "toMany": true, "inverse": "album", "deleteRule": "cascade"}}},
      "Medium": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
      "Photo": {"parent": "Medium", "relationships": {"album": {"destination": "Album", "inverse": "photos"}}},
      "Video": {"parent": "Medium", "relationships": {"album": {"destination": "Album"}}}
      """#, "Album", #"{"id": 1, "photos": [{"id": 2}, {"id": 3}]}"#, shown: ("Album", 1))
    if isDeleted {
      try child.delete(album)
      try child.commit()
      #expect(try source.context().ids(of: "Photo") == [])
    } else {
      #expect(try child.list("photos", of: "Album", 1).sorted() == [2, 3])
    }
  }
}
