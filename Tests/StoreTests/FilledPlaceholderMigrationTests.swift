import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

@Suite("Migrations that fill placeholders") struct FilledPlaceholderMigrationTests {
  /// Two versions of the album model.
  private static func version(_ number: Int, _ entities: String) -> String {
    #"{"version": "\#(number)", "keyStrategy": "sameName", "entities": {\#(entities)}}"#
  }

  @Test(
    "S16: a placeholder that a migration fills gets its values in place of defaults",
    arguments: MigratedPlace.Kind.available)
  func filledPlaceholder(kind: MigratedPlace.Kind) throws {
    func text(_ version: Int, _ attributes: String, _ relationships: String) -> String {
      Self.version(
        version,
        #"""
        "M": {"identityAttributes": "id", "attributes": {"id": "integer64"\#(attributes)}, "relationships": {\#(relationships)}},
        "X": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"t": {"destination": "T"}}},
        "T": {"identityAttributes": "name",
          "attributes": {"name": "string", "city": {"type": "string", "optional": true, "default": "Bonn"}}}
        """#)
    }
    let old = text(
      1, #", "tname": {"type": "string", "optional": true}, "tcity": {"type": "string", "optional": true}"#, "")
    let new = text(
      2, "",
      #""team": {"destination": "T", "migratedFrom": {"version": "2", "attributes": {"name": "tname", "city": "tcity"}}}"#
    )
    let place = try MigratedPlace(kind)
    // The team is a placeholder.
    try place.fill(old, "X", #"{"id": 1, "t": "N"}"#)
    try place.fill(old, "M", #"[{"id": 1, "tname": "N", "tcity": "Ulm"}, {"id": 2, "tname": "N"}]"#)
    let team = try #require(try place.open(new).find(ofEntity: "T", id: "N"))
    #expect(team["city"] as String? == "Ulm")
    #expect(!team.isPlaceholder)
  }
}
