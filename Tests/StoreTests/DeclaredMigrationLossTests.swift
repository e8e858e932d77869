import Foundation
import Graft
import GraftTestSupport
import Testing

/// `migratedFrom` must not lose or guess values: each value is kept, moved, or refused with an error that names its object.
@Suite("Migrations that the model declares do not lose values") struct DeclaredMigrationLossTests {
  /// A model of one version. Each entity is identified by the integer `id`, unless its text begins with a different identity.
  private static func model(_ version: String, _ entities: [(String, String)], _ head: String = "") -> String {
    let texts = entities.map { name, text in
      text.hasPrefix("{")
        ? "\"\(name)\": \(text)"
        : "\"\(name)\": {\"identityAttributes\": \"id\", \"attributes\": {\"id\": \"integer64\"\(text)}}"
    }
    return """
      {\(head)"version": "\(version)", "keyStrategy": "sameName", "entities": {\(texts.joined(separator: ", "))}}
      """
  }

  private static func optional(_ name: String, _ type: String = "string", _ rest: String = "") -> String {
    ", \"\(name)\": {\"type\": \"\(type)\", \"optional\": true\(rest.isEmpty ? "" : ", \(rest)")}"
  }

  private static func from(_ version: String, _ attributes: String, _ rest: String = "") -> String {
    "\"migratedFrom\": {\"version\": \"\(version)\", \"attributes\": \(attributes)\(rest.isEmpty ? "" : ", \(rest)")}"
  }

  /// A member with a to-one relationship to a team, which is identified by its name.
  private static func teams(
    _ relationship: String, _ member: String = "", _ team: String = #""city": {"type": "string", "optional": true}"#
  ) -> [(String, String)] {
    [
      (
        "M",
        #"{"identityAttributes": "id", "attributes": {"id": "integer64"\#(member)}, "relationships": {"team": {"destination": "T", \#(relationship)}}}"#
      ), ("T", #"{"identityAttributes": "name", "attributes": {"name": "string", \#(team)}}"#),
    ]
  }

  private static let names = #"{"name": "tname", "city": "tcity"}"#

  /// Fills a store, opens it with the next version, and exports an entity.
  private static func migrated(
    _ kind: MigratedPlace.Kind, _ first: String, _ payloads: [(String, String)], _ next: String, _ entity: String
  ) throws -> String {
    let place = try MigratedPlace(kind)
    for (entity, payload) in payloads { try place.fill(first, entity, payload) }
    var options = ExportOptions()
    options.sortsKeys = true
    let objects = try place.open(next).fetch(ofEntity: entity)
    let texts = try objects.map { try jsonString(from: $0, options: options) }.sorted()
    return texts.joined(separator: " ")
  }

  private static func refused(
    _ kind: MigratedPlace.Kind, _ first: String, _ payloads: [(String, String)], _ next: String, _ words: String...,
    location: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let place = try MigratedPlace(kind)
    for (entity, payload) in payloads { try place.fill(first, entity, payload) }
    let before = try payloads.map { try place.open(first).exported($0.0) }
    let error = #expect(throws: (any Error).self, sourceLocation: location) { _ = try place.open(next) }
    let text = error.map { "\($0)" } ?? ""
    for word in words { #expect(text.contains(word), "\(text)", sourceLocation: location) }
    #expect(try payloads.map { try place.open(first).exported($0.0) } == before, sourceLocation: location)
  }

  @Test("S21: a source is found under every name that the model has for it", arguments: MigratedPlace.Kind.available)
  func renamed(kind: MigratedPlace.Kind) throws {
    let first = Self.model("1", [("H", Self.optional("age"))])
    let payload = [("H", #"[{"id": 1, "age": "41"}]"#)]
    let years = Self.optional("years", "integer64", #""renamedFrom": "age", \#(Self.from("3", "\"years\""))"#)
    #expect(try Self.migrated(kind, first, payload, Self.model("3", [("H", years)]), "H") == #"{"id":1,"years":41}"#)
    let parts = [0, 1].map {
      Self.optional("part\($0)", "string", Self.from("3", "\"title\"", #""separator": " ", "part": \#($0)"#))
    }
    let divided = Self.model("3", [("H", Self.optional("title", "string", #""renamedFrom": "age""#) + parts.joined())])
    #expect(
      try Self.migrated(kind, first, [("H", #"[{"id": 1, "age": "4 1"}]"#)], divided, "H")
        == #"{"id":1,"part0":"4","part1":"1","title":"4 1"}"#)
    let team = Self.model("3", Self.teams(#""renamedFrom": "tm", \#(Self.from("3", #"{"name": "team"}"#))"#))
    let member = Self.model("1", [("M", Self.optional("tm"))])
    #expect(
      try Self.migrated(kind, member, [("M", #"[{"id": 1, "tm": "O"}]"#)], team, "M")
        == #"{"id":1,"team":{"city":null,"name":"O"}}"#)
  }

  @Test(
    "S21: a relationship is not accepted as a source, whether or not the relationship is kept",
    arguments: MigratedPlace.Kind.available)
  func relationships(kind: MigratedPlace.Kind) throws {
    let payload = [("M", #"[{"id": 1, "team": {"name": "O"}}]"#)]
    let first = Self.model("1", Self.teams(#""optional": true"#))
    let name = Self.optional("teamName", "string", Self.from("2", "\"team\""))
    try Self.refused(kind, first, payload, Self.model("2", Self.teams(#""optional": true"#, name)), "is a relationship")
    let gone = Self.model("2", [("M", name), Self.teams("")[1]])
    try Self.refused(kind, first, payload, gone, "'M.teamName'", "'team' is a relationship there")
    let own = Self.model("2", Self.teams(Self.from("2", #"{"name": "team"}"#)))
    try Self.refused(kind, first, payload, own, "is a relationship")
  }

  @Test(
    "S21: a migration that makes an object from attributes does not take the object from its owner",
    arguments: MigratedPlace.Kind.available)
  func oneToOne(kind: MigratedPlace.Kind) throws {
    let first = Self.model("1", [("M", Self.optional("tname") + Self.optional("tcity"))])
    let next = Self.model(
      "2",
      [
        Self.teams("\"inverse\": \"member\", \(Self.from("2", Self.names))")[0],
        (
          "T",
          #"{"identityAttributes": "name", "attributes": {"name": "string", "city": {"type": "string", "optional": true}}, "relationships": {"member": {"destination": "M", "inverse": "team", "JSONKeyPath": null}}}"#
        ),
      ])
    let payload = [("M", #"[{"id": 1, "tname": "O", "tcity": "B"}, {"id": 2, "tname": "O", "tcity": "B"}]"#)]
    try Self.refused(kind, first, payload, next, "'M.team' of 'M(2)' cannot become 'T(O)': 'T(O)' already has 'M(1)'")
  }

  @Test("S21: a value that equals the default is still treated as a value", arguments: MigratedPlace.Kind.available)
  func defaults(kind: MigratedPlace.Kind) throws {
    let first = Self.model("1", [("M", Self.optional("tname") + Self.optional("tcity"))])
    let city = #""city": {"type": "string", "optional": true, "default": "Bonn"}"#
    let next = Self.model("2", Self.teams(Self.from("2", Self.names), "", city))
    for cities in [["Bonn", "Ulm"], ["Ulm", "Bonn"]] {
      let members = cities.enumerated().map { #"{"id": \#($0), "tname": "O", "tcity": "\#($1)"}"# }
      try Self.refused(
        kind, first, [("M", "[\(members.joined(separator: ","))]")], next, "'T(O)' already has a different value")
    }
    let one = [("M", #"[{"id": 1, "tname": "O", "tcity": "Ulm"}, {"id": 2, "tname": "O"}]"#)]
    #expect(try Self.migrated(kind, first, one, next, "T") == #"{"city":"Ulm","name":"O"}"#)
    // The attribute's own value, which is in the store.
    let texts = Self.model("1", [("I", Self.optional("a", "string", #""default": "x""#) + Self.optional("b"))])
    let own = Self.model("2", [("I", Self.optional("a", "string", #""default": "x", \#(Self.from("2", "\"b\""))"#))])
    try Self.refused(kind, texts, [("I", #"[{"id": 1, "b": "y"}]"#)], own, "'I(1)' already has a different value")
    let new = Self.model("2", [("I", Self.optional("c", "string", #""default": "x", \#(Self.from("2", "\"b\""))"#))])
    let removed = "{\"removed\": [\"I.a\"], " + new.dropFirst()
    #expect(try Self.migrated(kind, texts, [("I", #"[{"id": 1, "b": "y"}]"#)], removed, "I") == #"{"c":"y","id":1}"#)
    // A nil value in an attribute that is now required.
    let number = #", "a": {"type": "integer64", "default": 5, \#(Self.from("2", "\"a\""))}"#
    let plain = Self.model("1", [("I", Self.optional("a"))])
    #expect(
      try Self.migrated(
        kind, plain, [("I", #"[{"id": 1, "a": "7"}, {"id": 2}]"#)], Self.model("2", [("I", number)]), "I")
        == #"{"a":5,"id":2} {"a":7,"id":1}"#)
  }

  @Test(
    "S21: objects made from attributes find other objects in their final state, in any order of the entities",
    arguments: MigratedPlace.Kind.available)
  func order(kind: MigratedPlace.Kind) throws {
    let city = #""city": {"type": "integer64", "optional": true, \#(Self.from("2", "\"city\""))}"#
    let next = Self.teams(Self.from("2", Self.names), "", city)
    let old = [
      ("M", Self.optional("tname") + Self.optional("tcity")),
      (
        "T",
        #"{"identityAttributes": "name", "attributes": {"name": "string", "city": {"type": "string", "optional": true}}}"#
      ),
    ]
    let members = #"[{"id": 1, "tname": "O", "tcity": "5"}]"#
    for entities in [next, next.reversed()] {
      let payloads = [("M", members), ("T", #"[{"name": "O"}]"#)]
      #expect(
        try Self.migrated(kind, Self.model("1", old), payloads, Self.model("2", entities), "T")
          == #"{"city":5,"name":"O"}"#)
      let other = [("M", members), ("T", #"[{"name": "O", "city": "9"}]"#)]
      try Self.refused(
        kind, Self.model("1", old), other, Self.model("2", entities), "'T(O)' already has a different value")
    }
  }

  @Test(
    "S21: a number that does not fit the new type exactly is refused, unless a transformer returns the nearest number",
    arguments: [
      ("string", #""9007199254740993""#, "double"), ("decimal", "1.2345678901234567890123", "double"),
      ("integer64", "9007199254740993", "double"), ("integer64", "16777217", "float"),
      ("double", "3.141592653589793", "float"),
    ])
  func digits(type: String, value: String, next: String) throws {
    let first = Self.model("1", [("H", Self.optional("a", type))])
    let payload = [("H", "[{\"id\": 1, \"a\": \(value)}]")]
    let exact = Self.model("2", [("H", Self.optional("a", next, Self.from("2", "\"a\"")))])
    try Self.refused(.sqlite, first, payload, exact, "'H(1)'", "is not exactly a \(next)")
    let nearest = Self.from("2", "\"a\"", #""JSONTransformerName": "Lenient""#)
    #expect(
      try Self.migrated(.sqlite, first, payload, Self.model("2", [("H", Self.optional("a", next, nearest))]), "H") != ""
    )
    let fits = [("H", #"[{"id": 1, "a": \#(type == "string" ? #""0.5""# : type == "integer64" ? "4" : "0.1")}]"#)]
    #expect(throws: Never.self) { try Self.migrated(.sqlite, first, fits, exact, "H") }
  }

  @Test(
    "S21: a source that the store does not have causes an error, unless it is listed as removed",
    arguments: MigratedPlace.Kind.available)
  func missing(kind: MigratedPlace.Kind) throws {
    let first = Self.model("1", [("H", Self.optional("a"))])
    let payload = [("H", #"[{"id": 1, "a": "x"}]"#)]
    let both = Self.optional("a") + Self.optional("t", "string", Self.from("2", "\"aa\""))
    try Self.refused(
      kind, first, payload, Self.model("2", [("H", both)]),
      "'H.t' gets its values from 'H.aa', which the store does not have")
    let consent = Self.model("2", [("H", both)], #""removed": ["H.aa"], "#)
    #expect(try Self.migrated(kind, first, payload, consent, "H") == #"{"a":"x","id":1,"t":null}"#)
  }

  @Test(
    "S21: an object of another entity with the same identity causes an error", arguments: MigratedPlace.Kind.available)
  func otherEntity(kind: MigratedPlace.Kind) throws {
    let base = ("T", #"{"identityAttributes": "name", "attributes": {"name": "string"}}"#)
    let sub = ("U", #"{"parent": "T"}"#)
    let first = Self.model("1", [("M", Self.optional("tname")), base, sub])
    let member = Self.teams(Self.from("2", #"{"name": "tname"}"#))[0].1.replacing(#""T""#, with: #""U""#)
    try Self.refused(
      kind, first, [("M", #"[{"id": 1, "tname": "O"}]"#), ("T", #"[{"name": "O"}]"#)],
      Self.model("2", [("M", member), base, sub]), "'M.team' of 'M(1)'", "'T(O)', which is not a 'U'")
  }

  @Test("S21: the error for an object without an identity names the object that has the attributes")
  func unidentified() throws {
    let first = Self.model("1", [("M", Self.optional("tname") + Self.optional("tcity"))])
    try Self.refused(
      .sqlite, first, [("M", #"[{"id": 1, "tcity": "Bonn"}]"#)],
      Self.model("2", Self.teams(Self.from("2", Self.names))),
      "'M.team' of 'M(1)'", "'T.name', which identifies it, has no value")
  }

  @Test("S21: all values that do not fit are reported, up to a limit of 100")
  func faults() throws {
    let first = Self.model("1", [("H", Self.optional("a") + Self.optional("b"))])
    let numbers = ["a", "b"].map { Self.optional($0, "integer64", Self.from("2", "\"\($0)\"")) }.joined()
    for (count, expected) in [(3, 6), (200, 100)] {
      let place = try MigratedPlace(.sqlite)
      let heroes = (0..<count).map { #"{"id": \#($0), "a": "x", "b": "y"}"# }
      try place.fill(first, "H", "[\(heroes.joined(separator: ","))]")
      let error = #expect(throws: StoreError.self) { try place.open(Self.model("2", [("H", numbers)])) }
      let faults = error?.diagnostics.filter { $0.message.contains("expected an integer") } ?? []
      #expect(faults.count == expected && faults.first?.message.contains("'H(0)'") == true, "\(faults)")
    }
  }

  @Test("S21, M29: errors do not show a value that used to be sensitive")
  func sensitive() throws {
    let first = Self.model("1", [("H", Self.optional("pin", "string", #""sensitive": true"#))])
    let next = Self.model("2", [("H", Self.optional("code", "integer64", Self.from("2", "\"pin\"")))])
    let place = try MigratedPlace(.sqlite)
    try place.fill(first, "H", #"[{"id": 1, "pin": "secret"}]"#)
    let error = #expect(throws: StoreError.self) { try place.open(next) }
    #expect(error?.description.contains("secret") == false && error?.description.contains("<hidden>") == true)
  }

  @Test("S21: lists become lists, and are not converted to strings")
  func lists() throws {
    let list = #""list": true"#
    let first = Self.model("1", [("H", Self.optional("a", "string", list) + Self.optional("b"))])
    let payload = [("H", #"[{"id": 1, "a": ["x", "y"], "b": "z"}]"#)]
    let joined = Self.optional("c", "string", "\(list), \(Self.from("2", #"["a", "b"]"#))")
    #expect(
      try Self.migrated(.sqlite, first, payload, Self.model("2", [("H", joined)]), "H")
        == #"{"c":["x","y","z"],"id":1}"#)
    let divided = Self.optional("c", "string", "\(list), \(Self.from("2", "\"a\"", #""separator": ",""#))")
    try Self.refused(
      .sqlite, first, payload, Self.model("2", [("H", divided + Self.optional("b"))]),
      "a list cannot be joined or split")
  }

  @Test("S21: versions are compared as numbers, not as strings")
  func versions() throws {
    let first = Self.model("1", [("H", Self.optional("a") + Self.optional("b"))])
    let next = Self.model(
      "2",
      [
        (
          "H",
          Self.optional("a", "string", Self.from("2", "\"b\""))
            + Self.optional("b", "string", Self.from("2.0", "\"a\""))
        )
      ])
    #expect(
      try Self.migrated(.sqlite, first, [("H", #"[{"id": 1, "a": "x", "b": "y"}]"#)], next, "H")
        == #"{"a":"y","b":"x","id":1}"#)
  }

  @Test(
    "S21: a store that skips versions gets the same parts of a string, even if other parts were removed since",
    arguments: MigratedPlace.Kind.available)
  func removedParts(kind: MigratedPlace.Kind) throws {
    func model(_ version: String, _ numbers: [Int], _ others: String = "") -> String {
      let attributes = numbers.map {
        Self.optional("part\($0)", "string", Self.from("2", "\"name\"", #""separator": " ", "part": \#($0)\#(others)"#))
      }
      let removed = (0..<3).filter { !numbers.contains($0) }.map { "\"H.part\($0)\"" }.joined(separator: ",")
      let text = Self.model(version, [("H", attributes.joined())])
      return removed.isEmpty ? text : text.replacing("\"entities\"", with: "\"removed\": [\(removed)], \"entities\"")
    }
    let first = Self.model("1", [("H", Self.optional("name"))])
    for kept in [[0], [1], [2], [0, 1], [0, 2], [1, 2]] {
      let place = try MigratedPlace(kind)
      let other = try MigratedPlace(kind)
      for one in [place, other] {
        try one.fill(
          first, "H",
          #"[{"id": 1, "name": "Ada King of Lovelace"}, {"id": 2, "name": "Ada"}, {"id": 3, "name": "A B"}]"#)
      }
      _ = try place.open(model("2", [0, 1, 2]))
      let last = model("3", kept, #", "parts": 3"#)
      let whole = try place.open(last).exported("H")
      #expect(try other.open(last).exported("H") == whole, "\(kept)")
      #expect(kept != [0] || whole.contains(#""part0":"Ada"}"#), "\(whole)")
    }
  }

  @Test("S21: strings are not joined if one of the sources is missing", arguments: MigratedPlace.Kind.available)
  func missingParts(kind: MigratedPlace.Kind) throws {
    let first = Self.model("1", [("H", Self.optional("name") + Self.optional("city"))])
    let payload = [("H", #"[{"id": 1, "name": "Ada King", "city": "London"}]"#)]
    let label = Self.optional("label", "string", Self.from("3", #"["first", "city"]"#, #""separator": ", ""#))
    let last = Self.optional("last", "string", Self.from("2", "\"name\"", #""separator": " ", "part": 1, "parts": 2"#))
    // Version 2 would have made 'first' from 'name'.
    let next = Self.model("3", [("H", label + last)])
    try Self.refused(
      kind, first, payload, next, "'H.label' gets its values from 'H.first', which the store does not have")
    let consented = next.replacing("\"entities\"", with: "\"removed\": [\"H.first\"], \"entities\"")
    #expect(try Self.migrated(kind, first, payload, consented, "H") == #"{"id":1,"label":"London","last":"King"}"#)
    // Other names of an attribute are not sources that are joined.
    let either = Self.model(
      "3",
      [("H", Self.optional("label", "string", Self.from("3", #"["first", "city", "town"]"#)) + Self.optional("name"))])
    #expect(try Self.migrated(kind, first, payload, either, "H").contains(#""label":"London""#))
  }

  @Test("S21: a removed source can be listed under each name of its entity", arguments: MigratedPlace.Kind.available)
  func removedSources(kind: MigratedPlace.Kind) throws {
    let first = Self.model("1", [("P", Self.optional("note"))])
    let move = Self.optional("text", "string", Self.from("3", "\"name\""))
    let sub =
      #"{"parent": "P", "attributes": {"nm": {"type": "string", "optional": true, \#(Self.from("3", "\"name\""))}}}"#
    func next(_ removed: String, _ entities: [(String, String)]) -> String {
      Self.model("3", entities).replacing("\"entities\"", with: "\"removed\": [\"\(removed)\"], \"entities\"")
    }
    let renamed =
      #"{"renamedFrom": "P", "identityAttributes": "id", "attributes": {"id": "integer64", "note": {"type": "string", "optional": true}\#(move)}}"#
    for (model, entity) in [
      (next("P.name", [("P", Self.optional("note") + move), ("S", sub)]), "P"), (next("P.name", [("Q", renamed)]), "Q"),
      (next("Q.name", [("Q", renamed)]), "Q"),
    ] {
      #expect(
        try Self.migrated(kind, first, [("P", #"[{"id": 1, "note": "x"}]"#)], model, entity).contains(#""note":"x""#))
    }
    try Self.refused(
      kind, first, [("P", #"[{"id": 1}]"#)], next("P.other", [("P", Self.optional("note") + move)]),
      "which the store does not have")
  }

  @Test(
    "S21, D9: URIs and dates keep their stored values, no matter how they are moved",
    arguments: MigratedPlace.Kind.available)
  func storedTexts(kind: MigratedPlace.Kind) throws {
    for (type, texts) in [
      ("uri", ["http://é.com/ö", "http://xn--9ca.com/%C3%B6", "HTTP://É.com/ö?q=ä"]),
      ("date", ["9999-12-31T23:59:59.123457Z", "0001-01-01T00:00:00.000001Z", "2020-02-29T12:00:00Z"]),
    ] {
      for isList in [false, true] {
        for (target, isRenamed) in [(type, false), (type, true), ("string", true)] {
          let list = isList ? #""list": true"# : ""
          let first = Self.model("1", [("H", Self.optional("v", type, list))])
          let move = Self.from("2", "\"v\"") + (isList ? ", " + list : "")
          let next = Self.model("2", [("H", Self.optional(isRenamed ? "w" : "v", target, move))])
          let values = texts.enumerated().map { #"{"id": \#($0), "v": \#(isList ? "[\"\($1)\"]" : "\"\($1)\"")}"# }
          let place = try MigratedPlace(kind)
          try place.fill(first, "H", "[\(values.joined(separator: ","))]")
          let found = try place.open(next).exported("H")
          for text in texts { #expect(found.contains("\"\(text)\""), "\(type) to \(target): \(found)") }
        }
      }
    }
  }

  @Test(
    "S21: a model that would lose values in every store is rejected",
    arguments: [
      (from("2", "\"name\"", #""separator": " ", "part": 1"#), "no attribute takes part 0, which would be lost"),
      (from("2", "\"name\"", #""separator": " ", "part": -1"#), "parts are numbered from 0"),
      (from("2", "\"name\"", #""separator": " ", "part": 0"#), "no attribute takes another part"),
      (from("2", "\"name\"", #""separator": " ", "part": 2, "parts": 2"#), "there is no part 2: 'parts' is 2"),
      (from("2", "\"name\"", #""separator": " ", "parts": 2"#), "one attribute with a separator needs a 'part'"),
      (from("2", "\"name\"", #""parts": 2"#), "'parts' needs a 'part'"),
    ])
  func models(migration: String, words: String) {
    let error = #expect(throws: (any Error).self) {
      try ManagedObjectModel(text: Self.model("2", [("H", Self.optional("name", "string", migration))]))
    }
    #expect(error.map { "\($0)".contains(words) } == true, "\(error.map { "\($0)" } ?? "")")
  }
}
