import Graft
import GraftTestSupport
import Testing

/// Sibling entities whose to-one relationships have the same name and destination share a column in a store, but not a relationship.
@Suite("Siblings that share a column") struct SharedColumnTests {
  private static let policies: [ConflictPolicy] = [.refuse, .storeWins, .contextWins, .mergeByProperty]

  /// Albums with photos and videos, whose to-one relationships share a column.
  ///
  /// - Parameter videos: members that make the list of videos different; nil if there is no such list.
  private static func albums(_ videos: String?) throws -> ManagedObjectModel {
    let list = videos.map {
      #", "videos": {"destination": "Video", "toMany": true, "inverse": "album"\#($0)}"#
    }
    return try ManagedObjectModel(
      entities: #"""
        "Album": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "photos": {"destination": "Photo", "toMany": true, "ordered": true, "inverse": "album", "deleteRule": "cascade"}\#(list ?? "")}},
        "Medium": {"identityAttributes": "id",
          "attributes": {"id": "integer64", "title": {"type": "string", "optional": true}}},
        "Photo": {"parent": "Medium", "relationships": {"album": {"destination": "Album", "inverse": "photos"}}},
        "Video": {"parent": "Medium", "relationships": {"album": {"destination": "Album"\#(list == nil ? "" : #", "inverse": "videos""#)}}}
        """#)
  }

  @Test(
    "S8: a merge takes over an object whose one-way to-one shares a column with the inverse of an ordered list",
    arguments: ContextSource.Kind.allCases)
  func siblingWithoutInverse(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, Self.albums(nil))
    try source.context().importJSON(#"{"id": 1, "photos": [{"id": 1}, {"id": 2}]}"#, ofEntity: "Album")
    try source.context().importJSON(#"{"id": 5, "album": 1}"#, ofEntity: "Video")
    let (mine, theirs) = (try source.context(), try source.context())
    let video = try #require(try mine.find(ofEntity: "Video", id: 5))
    #expect((video["album"] as ManagedObject?)?["id"] == 1)
    try #require(try theirs.find(ofEntity: "Video", id: 5))["title"] = "Theirs"
    try theirs.commit()
    #expect(try mine.merge())
    #expect(video["title"] == "Theirs")
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S4, S8: two ordered lists whose members share a column each keep their order",
    arguments: ContextSource.Kind.allCases, [["videos"], ["photos"], ["photos", "videos"]])
  func orders(kind: ContextSource.Kind, reordered: [String]) throws {
    for isConcurrent in [false, true] {
      let source = try ContextSource(kind, Self.albums(#", "ordered": true"#))
      try source.context().importJSON(
        #"{"id": 1, "photos": [{"id": 1}, {"id": 2}, {"id": 3}], "videos": [{"id": 4}, {"id": 5}, {"id": 6}]}"#,
        ofEntity: "Album")
      let (mine, theirs) = (try source.context(), try source.context())
      mine.conflictPolicy = .mergeByProperty
      let album = try mine.object("Album", 1)
      var expected = ["photos": [1, 2, 3], "videos": [4, 5, 6]]
      for name in reordered {
        album[name] = Array((album[name] as [ManagedObject]).reversed())
        expected[name]?.reverse()
      }
      if isConcurrent {
        // The commit is rebased, although the other commit does not affect the lists.
        let other = theirs.insert(ofEntity: "Photo")
        other["id"] = 9
        try theirs.commit()
      }
      try mine.commit()
      let found = try source.context()
      for name in ["photos", "videos"] {
        #expect(
          try found.list(name, of: "Album", 1) == expected[name], "\(name), concurrent: \(isConcurrent)")
      }
      try source.expectAgreement(of: mine, theirs)
    }
  }

  @Test("S4: no positions are written for an unordered list whose members share a column with those of an ordered list")
  func unorderedBesideOrdered() throws {
    let store = SnapshotStore.inMemory(model: try Self.albums(""))
    func addVideo(_ id: Int, _ context: ManagedObjectContext, loadsList: Bool) throws {
      let album = try context.object("Album", 1)
      if loadsList { #expect((album["videos"] as [ManagedObject]).count > 0) }
      let video = context.insert(ofEntity: "Video")
      video["id"] = id
      video["album"] = album
      try context.commit()
    }
    try ManagedObjectContext(store: store).importJSON(
      #"{"id": 1, "videos": [{"id": 4}, {"id": 5}, {"id": 6}]}"#, ofEntity: "Album")
    try addVideo(7, ManagedObjectContext(store: store), loadsList: false)
    let base = try store.latestCommit()
    try addVideo(8, ManagedObjectContext(store: store), loadsList: true)
    // Only the new video is written.
    #expect(try store.changes(since: base).written.values.map(\.count) == [1])
    #expect(try ManagedObjectContext(store: store).list("videos", of: "Album", 1).sorted() == [4, 5, 6, 7, 8])
  }

  @Test(
    "M6, S5: 'cascade' does not delete objects that another context added to a different list of the deleted object",
    arguments: ContextSource.Kind.allCases, policies)
  func cascadeOfSibling(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    for videos in ["", nil] {
      let source = try ContextSource(kind, Self.albums(videos))
      try source.context().importJSON(#"{"id": 1}"#, ofEntity: "Album")
      try source.context().importJSON(#"{"id": 5}"#, ofEntity: "Video")
      let (mine, theirs) = (try source.context(), try source.context())
      mine.conflictPolicy = policy
      try mine.delete(mine.object("Album", 1))
      try theirs.object("Video", 5)["album"] = try theirs.object("Album", 1)
      try theirs.commit()
      // The video is not deleted with the album, and does not prevent the album's deletion; it only loses its link to the album.
      try mine.commit()
      let found = try source.context()
      #expect(try found.ids(of: "Album") == [], "\(videos ?? "nil")")
      #expect(try found.ids(of: "Video") == [5], "\(videos ?? "nil")")
      #expect(try found.object("Video", 5)["album"] as ManagedObject? == nil)
      try source.expectAgreement(of: mine, theirs)
    }
  }

  @Test(
    "S5: an ordered list does not conflict with another list whose members share its column",
    arguments: ContextSource.Kind.allCases)
  func listOfSibling(kind: ContextSource.Kind) throws {
    let source = try ContextSource(kind, Self.albums(""))
    try source.context().importJSON(#"{"id": 1, "photos": [{"id": 1}, {"id": 2}]}"#, ofEntity: "Album")
    try source.context().importJSON(#"{"id": 5}"#, ofEntity: "Video")
    let (mine, theirs) = (try source.context(), try source.context())
    try mine.object("Album", 1)["photos"] = [2, 1].map { try mine.object("Photo", $0) }
    try theirs.object("Video", 5)["album"] = try theirs.object("Album", 1)
    try theirs.commit()
    #expect(throws: Never.self) { try mine.commit() }
    #expect(try source.context().list("photos", of: "Album", 1) == [2, 1])
    #expect(try source.context().list("videos", of: "Album", 1) == [5])
    mine.rollBack()
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5: contextWins replaces a to-one whose column a sibling uses for a one-to-one",
    arguments: ContextSource.Kind.allCases)
  func toOneOfSibling(kind: ContextSource.Kind) throws {
    let model = try ManagedObjectModel(
      entities: #"""
        "Album": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {"cover": {"destination": "Photo", "inverse": "album"}}},
        "Medium": {"identityAttributes": "id",
          "attributes": {"id": "integer64", "title": {"type": "string", "optional": true}}},
        "Photo": {"parent": "Medium", "relationships": {"album": {"destination": "Album", "inverse": "cover"}}},
        "Video": {"parent": "Medium", "relationships": {"album": {"destination": "Album"}}}
        """#)
    let source = try ContextSource(kind, model)
    try source.context().importJSON(#"[{"id": 1}, {"id": 2}]"#, ofEntity: "Album")
    try source.context().importJSON(#"{"id": 5, "album": 1}"#, ofEntity: "Video")
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = .contextWins
    try mine.object("Video", 5)["title"] = "Mine"
    try theirs.object("Video", 5)["album"] = try theirs.object("Album", 2)
    try theirs.commit()
    try mine.commit()
    let found = try source.context().object("Video", 5)
    #expect(found["title"] == "Mine")
    #expect((found["album"] as ManagedObject?)?["id"] == 1)
    try source.expectAgreement(of: mine, theirs)
  }
}
