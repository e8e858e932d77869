import Graft
import GraftTestSupport
import Testing

/// Imports into a relationship of an object (I24) or onto an object (I23), while another context changes the data.
@Suite("Stores: imports into a given object") struct KnownObjectImportTests {
  private static func source(_ kind: ContextSource.Kind) throws -> ContextSource {
    try ContextSource(
      kind,
      ManagedObjectModel(
        text: """
          {"keyStrategy": "sameName", "entities": {
            "Album": {"identityAttributes": "id", "attributes": {"id": "integer64", "title": {"type": "string", "optional": true}},
              "relationships": {"photos": {"destination": "Photo", "toMany": true, "inverse": "album"}}},
            "Photo": {"identityAttributes": "id", "attributes": {"id": "integer64"},
              "relationships": {"album": {"destination": "Album", "optional": true, "inverse": "photos"}}}}}
          """))
  }

  @Test(
    "I23, I24, S14: an import changes the given object even after other objects have been evicted",
    arguments: ContextSource.Kind.allCases)
  func evicted(kind: ContextSource.Kind) throws {
    let source = try Self.source(kind)
    let albums = "[" + (1...100).map { "{\"id\": \($0)}" }.joined(separator: ",") + "]"
    let writer = try source.context()
    try writer.importJSON(albums, ofEntity: "Album")
    for kept in [[10], [99], [3, 50, 100]] {
      let context = try source.context()
      context.loadedObjectLimit = 10
      let held = try { try context.fetch(ofEntity: "Album").filter { kept.contains($0["id"] ?? 0) } }()
      let album = try #require(held.last)
      let id: Int = try #require(album["id"])
      try context.importJSON("[{\"id\": \(id)1}, {\"id\": \(id)2}]", into: "photos", of: album)
      let photos: RelatedObjects<ManagedObject> = album["photos"]
      #expect(Set(photos.compactMap { $0["id"] as Int? }) == [id * 10 + 1, id * 10 + 2] && album["id"] == id)
      try album.merge(fromJSON: "{\"id\": \(id), \"title\": \"merged\"}")
      #expect(album["title"] == "merged" && album["id"] == id)
      let owners = try source.context().fetch(ofEntity: "Photo").map { photo in
        (photo["id"] as Int? ?? 0) / 10 == (photo["album"] as ManagedObject?)?["id"] as Int?
      }
      #expect(!owners.contains(false))
    }
  }

  @Test(
    "I23, I24: importing into an object that another context has deleted causes an error",
    arguments: ContextSource.Kind.allCases)
  func deleted(kind: ContextSource.Kind) throws {
    let source = try Self.source(kind)
    let (here, other) = (try source.context(), try source.context())
    try here.importJSON(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#, ofEntity: "Album")
    try here.commit()
    func deleted(_ id: Int) throws -> ManagedObject {
      let album = try #require(try here.find(ofEntity: "Album", id: id))
      try other.merge()
      try other.delete(#require(try other.find(ofEntity: "Album", id: id)))
      try other.commit()
      return album
    }
    func message(_ body: () throws -> Void) -> String {
      do { try body() } catch { return "\(error)" }
      return ""
    }
    let into = try deleted(1)
    let photos = #"[{"id": 1}]"#
    #expect(message { try here.importJSON(photos, into: "photos", of: into) }.contains("was deleted"))
    let onto = try deleted(2)
    #expect(message { try onto.merge(fromJSON: #"{"id": 2, "title": "x"}"#) }.contains("was deleted"))
    #expect(try here.count(ofEntity: "Photo") == 0 && here.count(ofEntity: "Album") == 1)
  }
}
