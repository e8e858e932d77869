import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

@Suite("Siblings whose relationships share a column") struct SiblingColumnTests {
  /// Albums with photos and videos. The to-ones of both are named `album` and share a column.
  ///
  /// - Parameters:
  ///   - photo: additional members of `Photo.album`.
  ///   - photos: additional members of `Album.photos`.
  private static func albums(photo: String = "", photos: String = "") -> String {
    #"""
    "Album": {"identityAttributes": "id",
      "attributes": {"id": "integer64", "title": {"type": "string", "optional": true}},
      "relationships": {
        "photos": {"destination": "Photo", "toMany": true, "inverse": "album"\#(photos)},
        "videos": {"destination": "Video", "toMany": true, "inverse": "album"}}},
    "Medium": {"identityAttributes": "id",
      "attributes": {"id": "integer64", "title": {"type": "string", "optional": true}}},
    "Photo": {"parent": "Medium", "relationships": {"album": {"destination": "Album", "inverse": "photos"\#(photo)}}},
    "Video": {"parent": "Medium", "relationships": {"album": {"destination": "Album", "inverse": "videos"}}}
    """#
  }

  @Test(
    "S5: a deletion does not cascade along a sibling's to-one that shares the column",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.contextWins, .mergeByProperty])
  func cascadeAlongSibling(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    let model = try ManagedObjectModel(entities: Self.albums(photo: #", "deleteRule": "cascade""#))
    let source = try ContextSource(kind, model)
    try source.context().importJSON(#"{"id": 1}"#, ofEntity: "Album")
    try source.context().importJSON(#"{"id": 5}"#, ofEntity: "Video")
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = policy
    try mine.delete(mine.object("Video", 5))
    try theirs.object("Video", 5)["album"] = try theirs.object("Album", 1)
    try theirs.commit()
    try mine.commit()
    #expect(try source.context().ids(of: "Video") == [])
    #expect(try source.context().ids(of: "Album") == [1])
    try source.expectAgreement(of: mine, theirs)
  }

  @Test(
    "S5: a deletion is not denied by the rule of a sibling that shares the column",
    arguments: ContextSource.Kind.allCases, [ConflictPolicy.contextWins, .mergeByProperty])
  func deniedBySibling(kind: ContextSource.Kind, policy: ConflictPolicy) throws {
    let model = try ManagedObjectModel(entities: Self.albums(photo: #", "deleteRule": "deny""#))
    let source = try ContextSource(kind, model)
    try source.context().importJSON(#"{"id": 1}"#, ofEntity: "Album")
    try source.context().importJSON(#"{"id": 5}"#, ofEntity: "Video")
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = policy
    try mine.delete(mine.object("Video", 5))
    try theirs.object("Video", 5)["album"] = try theirs.object("Album", 1)
    try theirs.commit()
    #expect(throws: Never.self) { try mine.commit() }
    #expect(try source.context().ids(of: "Video") == [])
    #expect(try source.context().ids(of: "Album") == [1])
  }

  @Test(
    "S5: storeWins: a deletion is not discarded only because of a sibling that shares the column",
    arguments: ContextSource.Kind.allCases, [false, true])
  func neededSibling(kind: ContextSource.Kind, isRequired: Bool) throws {
    let model = try ManagedObjectModel(
      entities: isRequired
        ? Self.albums(photos: #", "optional": false"#) : Self.albums(photo: #", "deleteRule": "cascade""#))
    let source = try ContextSource(kind, model)
    try source.context().importJSON(#"{"id": 1, "photos": [{"id": 2}], "videos": [{"id": 5}]}"#, ofEntity: "Album")
    let (mine, theirs) = (try source.context(), try source.context())
    mine.conflictPolicy = .storeWins
    try mine.delete([mine.object("Album", 1), mine.object("Photo", 2), mine.object("Video", 5)])
    try theirs.object("Album", 1)["title"] = "Theirs"
    try theirs.commit()
    try mine.commit()
    let found = try source.context()
    #expect(try found.ids(of: "Album") == [1])
    #expect(try found.ids(of: "Photo") == [2])
    // No context changed the video, and no object requires it.
    #expect(try found.ids(of: "Video") == [])
    try source.expectAgreement(of: mine, theirs)
  }

  /// Two versions of the album model.
  private static func version(_ number: Int, _ entities: String) -> String {
    #"{"version": "\#(number)", "keyStrategy": "sameName", "entities": {\#(entities)}}"#
  }

  @Test(
    "S16: a list that becomes required is not satisfied by a sibling's objects that share its column",
    arguments: MigratedPlace.Kind.available)
  func requiredBesideSibling(kind: MigratedPlace.Kind) throws {
    let place = try MigratedPlace(kind)
    let old = Self.version(1, Self.albums())
    try place.fill(old, "Video", #"{"id": 5, "album": {"id": 1}}"#)
    let error = #expect(throws: StoreError.self) {
      try place.open(Self.version(2, Self.albums(photos: #", "optional": false"#)))
    }
    #expect(error?.description.contains("Album.photos") == true, "\(error as Any)")
  }

  @Test(
    "S16: a list does not exceed a new maximum because of a sibling's objects that share its column",
    arguments: MigratedPlace.Kind.available)
  func maximumBesideSibling(kind: MigratedPlace.Kind) throws {
    let place = try MigratedPlace(kind)
    let old = Self.version(1, Self.albums())
    try place.fill(old, "Photo", #"{"id": 2, "album": {"id": 1}}"#)
    try place.fill(old, "Video", #"{"id": 5, "album": 1}"#)
    #expect(throws: Never.self) { _ = try place.open(Self.version(2, Self.albums(photos: #", "maxCount": 1"#))) }
  }

  @Test(
    "S16: an inverse can be added to a relationship without links, even if a sibling has links in the same column",
    arguments: MigratedPlace.Kind.available)
  func inverseBesideSibling(kind: MigratedPlace.Kind) throws {
    func entities(_ album: String, _ video: String) -> String {
      #"""
      "Album": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {\#(album)}},
      "Medium": {"identityAttributes": "id", "attributes": {"id": "integer64"}},
      "Photo": {"parent": "Medium", "relationships": {"album": {"destination": "Album"}}},
      "Video": {"parent": "Medium", "relationships": {"album": {"destination": "Album"\#(video)}}}
      """#
    }
    let place = try MigratedPlace(kind)
    try place.fill(Self.version(1, entities("", "")), "Photo", #"{"id": 2, "album": {"id": 1}}"#)
    let next = entities(#""video": {"destination": "Video", "inverse": "album"}"#, #", "inverse": "video""#)
    let context = try place.open(Self.version(2, next))
    #expect((try context.object("Photo", 2)["album"] as ManagedObject?)?["id"] == 1)
  }

  @Test(
    "S12: a live list follows the values of two lists whose members share a column",
    arguments: [nil] + ContextSource.Kind.allCases, ["photos", "videos"])
  func liveListOfSiblings(kind: ContextSource.Kind?, name: String) throws {
    let model = try ManagedObjectModel(entities: Self.albums())
    let source = try kind.map { try ContextSource($0, model) }
    let context = try source?.context() ?? ManagedObjectContext(model: model)
    try context.importJSON(#"{"id": 1, "photos": [{"id": 2}], "videos": [{"id": 5}]}"#, ofEntity: "Album")
    let condition: ObjectCondition = name == "photos" ? "some photos (title = 'x')" : "some videos (title = 'x')"
    let list = try context.results(ofEntity: "Album", where: condition)
    #expect(list.count == 0)
    let member = try name == "photos" ? context.object("Photo", 2) : context.object("Video", 5)
    member["title"] = "x"
    #expect(try context.fetch(ofEntity: "Album", where: condition).count == 1)
    #expect(list.count == 1)
    try context.commit()
    #expect(list.count == 1)
    member["title"] = "y"
    #expect(list.count == 0)
  }

  @Test("S5: merging under numbered insertions takes time proportional to the number of insertions")
  func numberedInsertions() throws {
    let source = try ContextSource(.snapshot, ManagedObjectModel(entities: Self.albums()))
    let (mine, theirs) = (try source.context(), try source.context())
    try theirs.importJSON(#"{"id": 1}"#, ofEntity: "Album")
    try mine.merge()
    let clock = ContinuousClock()
    func measured(_ count: Int, from first: Int) throws -> Duration {
      for number in first..<first + count { mine.insert(ofEntity: "Album")["id"] = number }
      _ = mine.snapshot()
      theirs.insert(ofEntity: "Photo")["id"] = first
      try theirs.commit()
      let start = clock.now
      let isMerged = try mine.merge()
      let duration = start.duration(to: clock.now)
      #expect(isMerged)
      mine.rollBack()
      return duration
    }
    _ = try measured(100, from: 1_000)
    let short = try measured(2_000, from: 10_000)
    let long = try measured(20_000, from: 20_000)
    // Ten times as much work; quadratic time would be a hundred times as long.
    #expect(long < short * 30, "\(short), then \(long)")
  }
}
