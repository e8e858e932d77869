import Foundation
import Graft
import Testing

@testable import GraftSQLite

/// Changes to a model that lose nothing need no step (S17).
@Suite("Stores: lossless model changes") struct LosslessChangeTests {
  typealias Kind = DataMigrationTests.Kind
  typealias Trial = DataMigrationTests.Trial

  private static func numbers(_ version: String, _ types: [String]) -> String {
    let attributes = types.enumerated().map { #""v\#($0)": {"type": "\#($1)", "optional": true}"# }
    return DataMigrationTests.model(
      version,
      #""Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", \#(attributes.joined(separator: ", "))}}"#
    )
  }

  @Test("S17: numbers become strings in the form in which JSON writes them", arguments: Kind.allCases)
  func numbers(_ kind: Kind) throws {
    let trial = try Trial(kind)
    let types = ["integer16", "integer32", "integer64", "float", "double", "decimal"]
    let payload =
      #"[{"id": 1, "v0": -7, "v1": 0, "v2": -9223372036854775808, "v3": 0.1, "v4": -2.5, "v5": 12345678901234567890.125}, {"id": 2, "v3": 16777216, "v4": 1e300}, {"id": 3, "v0": 32767, "v4": 0.30000000000000004}]"#
    try trial.write(Self.numbers("1", types), payload)
    let context = try trial.open(Self.numbers("2", types.map { _ in "string" }))
    #expect(
      try context.all("Hero")
        == #"[{"id":1,"v0":"-7","v1":"0","v2":"-9223372036854775808","v3":"0.1","v4":"-2.5","v5":"12345678901234567890.125"},{"id":2,"v0":null,"v1":null,"v2":null,"v3":"16777216","v4":"1e+300","v5":null},{"id":3,"v0":"32767","v1":null,"v2":null,"v3":null,"v4":"0.30000000000000004","v5":null}]"#
    )
    try trial.verify()
  }

  @Test("S17: floats become the doubles with the same JSON form", arguments: Kind.allCases)
  func floats(_ kind: Kind) throws {
    func text(_ version: String, _ type: String) -> String {
      DataMigrationTests.model(
        version,
        #"""
        "Hero": {"identityAttributes": "id", "attributes": {"id": "\#(type)",
          "x": {"type": "\#(type)", "optional": true, "maximum": 0.3, "enum": [0.1, 0.3, -0.0]},
          "all": {"type": "\#(type)", "list": true, "optional": true}}}
        """#)
    }
    let trial = try Trial(kind)
    let payload =
      #"[{"id": 0.1, "x": 0.1, "all": [0.1, 16777216, 3e38]}, {"id": 0.7, "x": 0.3}, {"id": 3.4028235e38, "x": -0.0}]"#
    try trial.write(text("1", "float"), payload)
    let context = try trial.open(text("2", "double"))
    #expect(
      try context.all("Hero")
        == #"[{"id":0.1,"x":0.1,"all":[0.1,16777216,3e+38]},{"id":0.7,"x":0.3,"all":null},{"id":3.4028235e+38,"x":\#(kind == .sqlite ? "0" : "-0"),"all":null}]"#
    )
    for hero in try context.fetch(ofEntity: "Hero") { try hero.validate() }
    try context.importJSON(payload, ofEntity: "Hero")
    #expect(try context.count(ofEntity: "Hero") == 3)
    try trial.verify()
  }

  @Test(
    "S17: an identity of integers becomes an identity of strings, and references are kept", arguments: Kind.allCases)
  func identity(_ kind: Kind) throws {
    func text(_ version: String, _ type: String) -> String {
      DataMigrationTests.model(
        version,
        #"""
        "Hero": {"identityAttributes": "id", "attributes": {"id": "\#(type)"},
          "relationships": {"boss": {"destination": "Hero", "JSONRepresentation": "identifier"}}}
        """#)
    }
    let trial = try Trial(kind)
    try trial.write(text("1", "integer64"), #"[{"id": 10, "boss": 9}, {"id": 9}, {"id": 11, "boss": 12}]"#)
    let context = try trial.open(text("2", "string"))
    #expect(
      try context.all("Hero") == #"[{"id":"10","boss":"9"},{"id":"11","boss":"12"},"12",{"id":"9","boss":null}]"#)
    try context.importJSON(#"[{"id": "9", "boss": "10"}]"#, ofEntity: "Hero")
    try context.commit()
    #expect(try trial.open(text("2", "string")).count(ofEntity: "Hero") == 4)
    try trial.verify()
  }

  /// Teams and their members. A pilot and a captain share the column of their ship.
  private static func crew(_ version: String, ships: String, inverse: String, order: String = "") -> String {
    DataMigrationTests.model(
      version,
      #"""
      "Person": {"identityAttributes": "id", "entityMapper": {"JSONKeyPath": "kind", "entities": {"p": "Pilot", "c": "Captain"}}, "attributes": {"id": "integer64"}},
      "Pilot": {"parent": "Person", "relationships": {"ship": {"destination": "Ship", \#(ships)\#(inverse)"JSONRepresentation": "identifier"}}},
      "Captain": {"parent": "Person", "relationships": {"ship": {"destination": "Ship", "JSONRepresentation": "identifier"}}},
      "Ship": {"identityAttributes": "id", "attributes": {"id": "integer64"}\#(order)}
      """#)
  }
  private static let people =
    #"[{"kind": "p", "id": 1, "ship": 10}, {"kind": "p", "id": 2, "ship": 11}, {"kind": "p", "id": 3}, {"kind": "c", "id": 4, "ship": 10}, {"kind": "p", "id": 5, "ship": 10}]"#

  @Test("S17: a to-one becomes a to-many and keeps its links", arguments: Kind.allCases, [false, true])
  func toMany(_ kind: Kind, isOrdered: Bool) throws {
    let trial = try Trial(kind)
    try trial.write(Self.crew("1", ships: "", inverse: ""), Self.people, "Person")
    let many = #""toMany": true, "ordered": \#(isOrdered), "#
    let context = try trial.open(Self.crew("2", ships: many, inverse: ""))
    let expected =
      #"[{"kind":"p","id":1,"ship":[10]},{"kind":"p","id":2,"ship":[11]},{"kind":"p","id":3,"ship":[]},{"kind":"c","id":4,"ship":10},{"kind":"p","id":5,"ship":[10]}]"#
    #expect(try context.all("Person") == expected)
    try context.importJSON(#"[{"kind": "p", "id": 3, "ship": [11, 10]}]"#, ofEntity: "Person")
    try context.commit()
    #expect(
      try trial.open(Self.crew("2", ships: many, inverse: "")).all("Person")
        == expected.replacing(#""id":3,"ship":[]"#, with: #""id":3,"ship":[\#(isOrdered ? "11,10" : "10,11")]"#))
    try trial.verify()
  }

  @Test("S17: lists without an order get the order in which their objects were inserted", arguments: Kind.allCases)
  func ordered(_ kind: Kind) throws {
    func text(_ version: String, _ order: String) -> String {
      DataMigrationTests.model(
        version,
        #"""
        "Team": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "members": {"destination": "Person", "toMany": true, \#(order)"inverse": "team", "JSONRepresentation": "identifier"},
          "fans": {"destination": "Person", "toMany": true, \#(order)"inverse": "clubs", "JSONRepresentation": "identifier"},
          "rivals": {"destination": "Team", "toMany": true, \#(order)"JSONRepresentation": "identifier"}}},
        "Person": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "team": {"destination": "Team", "inverse": "members", "JSONRepresentation": "none"},
          "clubs": {"destination": "Team", "toMany": true, \#(order)"inverse": "fans", "JSONRepresentation": "identifier"}}}
        """#)
    }
    let trial = try Trial(kind)
    let (old, new) = (text("1", ""), text("2", #""ordered": true, "#))
    try trial.write(old, #"[{"id": 9}, {"id": 3}, {"id": 7}, {"id": 5}]"#, "Person")
    try trial.write(
      old, #"[{"id": 2, "members": [3, 5], "fans": [5, 7, 9], "rivals": [1, 2]}, {"id": 1, "fans": [9]}]"#, "Team")
    try trial.write(old, #"[{"id": 2, "members": [3, 5, 9, 7]}]"#, "Team")
    let teams =
      #"[{"id":1,"members":[],"fans":[9],"rivals":[]},{"id":2,"members":[9,3,7,5],"fans":[9,7,5],"rivals":[1,2]}]"#
    var context = try trial.open(new)
    let migrated = try context.all("Team")
    #expect(migrated == teams, "\(migrated)")
    #expect(try context.all("Person").hasPrefix(#"[{"id":3,"clubs":[]},{"id":5,"clubs":[2]},{"id":7,"clubs":[2]}"#))
    // Objects that are not moved keep their positions.
    try context.importJSON(
      #"[{"id": 2, "members": [9, 7, 3, 5], "fans": [9, 5, 7], "rivals": [2, 1]}, {"id": 1, "members": [4], "fans": [7, 4, 9]}]"#,
      ofEntity: "Team")
    try context.commit()
    let moved =
      #"[{"id":1,"members":[4],"fans":[7,4,9],"rivals":[]},{"id":2,"members":[9,7,3,5],"fans":[9,5,7],"rivals":[2,1]}]"#
    context = try trial.open(new)
    #expect(try context.all("Team") == moved)
    try context.importJSON(#"[{"id": 2, "members": [9, 7, 3, 5, 4]}]"#, ofEntity: "Team")
    try context.commit()
    #expect(try trial.open(new).all("Team").contains(#""members":[9,7,3,5,4]"#))
    try trial.verify()
  }

  @Test(
    "S17: a to-one with an inverse also becomes a to-many, and the inverse keeps its order",
    arguments: Kind.allCases)
  func toManyWithInverse(_ kind: Kind) throws {
    let trial = try Trial(kind)
    let inverse = #""inverse": "pilots", "#
    let ships =
      #", "relationships": {"pilots": {"destination": "Pilot", "toMany": true, "ordered": true, "inverse": "ship", "JSONRepresentation": "identifier"}}"#
    let old = Self.crew("1", ships: "", inverse: inverse, order: ships)
    try trial.write(old, Self.people, "Person")
    try trial.write(old, #"[{"id": 10, "pilots": [5, 1]}]"#, "Ship")
    let context = try trial.open(Self.crew("2", ships: #""toMany": true, "#, inverse: inverse, order: ships))
    #expect(try context.all("Ship") == #"[{"id":10,"pilots":[5,1]},11]"#)
    try context.importJSON(#"[{"kind": "p", "id": 1, "ship": [10, 11]}]"#, ofEntity: "Person")
    try context.commit()
    try context.importJSON(#"[{"id": 11}]"#, ofEntity: "Ship")
    #expect(try context.all("Ship") == #"[{"id":10,"pilots":[5,1]},{"id":11,"pilots":[2,1]}]"#)
    try trial.verify()
  }

  @Test("S17: a to-one whose inverse is a to-one becomes a to-many", arguments: Kind.allCases)
  func oneToOne(_ kind: Kind) throws {
    func text(_ version: String, _ words: String) -> String {
      DataMigrationTests.model(
        version,
        #"""
        "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"car": {"destination": "Car", \#(words)"inverse": "driver", "JSONRepresentation": "identifier"}}},
        "Car": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"driver": {"destination": "Hero", "inverse": "car", "JSONRepresentation": "identifier"}}}
        """#)
    }
    let trial = try Trial(kind)
    try trial.write(text("1", ""), #"[{"id": 1, "car": 7}, {"id": 2, "car": 8}, {"id": 3}]"#)
    let context = try trial.open(text("2", #""toMany": true, "#))
    #expect(try context.all("Hero") == #"[{"id":1,"car":[7]},{"id":2,"car":[8]},{"id":3,"car":[]}]"#)
    try trial.verify()
  }

  @Test(
    "S17: a to-one does not become a to-many if its inverse allows only one object, because links could be lost",
    arguments: Kind.allCases)
  func refused(_ kind: Kind) throws {
    func text(_ version: String, _ words: String, _ inverse: String) -> String {
      DataMigrationTests.model(
        version,
        #"""
        "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {"car": {"destination": "Car", \#(words)"JSONRepresentation": "identifier"}}},
        "Car": {"identityAttributes": "id", "attributes": {"id": "integer64"}\#(inverse)}
        """#)
    }
    let trial = try Trial(kind)
    let old = text("1", "", "")
    try trial.write(old, #"[{"id": 1, "car": 7}, {"id": 2, "car": 7}]"#)
    let new = text(
      "2", #""toMany": true, "inverse": "driver", "#,
      #", "relationships": {"driver": {"destination": "Hero", "inverse": "car"}}"#)
    #expect(try trial.refusal(new, old, []).contains("'toMany' of 'Hero.car' changes from false to true"))
  }
}
