import Graft
import GraftTestSupport
import Testing

/// Costs are proportional to the request, and to nothing else. Tests/Costs counts instructions; here, a clock detects costs that are a
/// hundred times too high.
@Suite("Proportional cost", .serialized) struct ProportionTests {
  private static let shapes = #"""
    "Shape": {"abstract": true, "identityAttributes": "id",
      "entityMapper": {"JSONKeyPath": "type", "entities": {"circle": "Circle"}},
      "attributes": {
        "id": {"type": "string", "optional": true, "JSONKeyPath": "id", "JSONKeyPathAliases": ["key"]},
        "name": {"type": "string", "optional": true, "JSONKeyPath": "name", "JSONKeyPathAliases": ["title", "label"]},
        "value": {"type": "json", "optional": true}},
      "relationships": {"child": {"destination": "Shape"}}},
    "Circle": {"parent": "Shape"},
    "Named": {"identityAttributes": "id", "attributes": {
        "id": {"type": "integer64", "optional": true},
        "name": {"type": "string", "optional": true, "JSONKeyPath": "name", "JSONKeyPathAliases": ["title", "label"]},
        "value": {"type": "json", "optional": true}},
      "relationships": {"child": {"destination": "Named"}}},
    "Hub": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
      "tags": {"destination": "Tag", "toMany": true, "mergeRule": "union"},
      "parts": {"destination": "Tag", "toMany": true}}},
    "Tag": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}}}
    """#

  /// The shortest time of three runs.
  private func time(_ body: () throws -> () throws -> Void) throws -> Duration {
    var best = Duration.seconds(1_000)
    for _ in 0..<3 {
      let work = try body()
      best = min(best, try ProcessorClock().measure(work))
    }
    return best
  }

  private func importTime(_ text: String, _ entity: String) throws -> Duration {
    let bytes = Array(text.utf8)
    return try time {
      let context = try Fixture.context(Self.shapes)
      return { try context.importJSON(bytes, ofEntity: entity) }
    }
  }

  @Test(
    "I15: a large value at the end of 250 levels costs no more than the value, for any look-up at each level")
  func levels() throws {
    let value = "[" + (0..<4_000).map { #"{"number": \#($0), "text": "some text"}"# }.joined(separator: ",") + "]"
    func nested(_ open: String, _ close: String, _ core: String) -> String {
      (0..<250).map { open.replacing("~", with: String($0)) }.joined() + core
        + (0..<250).reversed().map { close.replacing("~", with: String($0)) }.joined()
    }
    let circle = #"{"id":"core","value":\#(value),"type":"circle"}"#
    let named = #"{"id":1000,"value":\#(value),"label":"x"}"#
    let flat = try (importTime(circle, "Shape"), importTime(named, "Named"))
    let mapped = nested(#"{"id":"~","child":"#, #","type":"circle"}"#, circle)
    let prefilled = nested(#"{"child":"#, #","label":"x","type":"circle","key":"~"}"#, circle)
    let aliased = nested(#"{"id":~,"child":"#, #","label":"x"}"#, named)
    #expect(try importTime(mapped, "Shape") < flat.0 * 15 + .milliseconds(100))
    #expect(try importTime(prefilled, "Shape") < flat.0 * 15 + .milliseconds(100))
    #expect(try importTime(aliased, "Named") < flat.1 * 15 + .milliseconds(100))
  }

  @Test("I15: an object to which 20,000 dictionaries each add a link costs no more than 20,000 objects")
  func unions() throws {
    let adding = "[" + (0..<20_000).map { #"{"id":1,"tags":[\#($0)]}"# }.joined(separator: ",") + "]"
    let owning = "[" + (0..<20_000).map { #"{"id":\#($0),"tags":[\#($0)]}"# }.joined(separator: ",") + "]"
    #expect(try importTime(adding, "Hub") < importTime(owning, "Hub") * 6)
  }

  @Test(
    "I10: rollbacks, dry runs and failed imports take time in proportion to the changes, not to the number of objects"
  )
  func held() throws {
    func work(_ count: Int) throws -> Duration {
      try time {
        let context = try Fixture.context(Self.shapes)
        let held = try context.load("[" + (0..<count).map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]", "Tag")
        let numbered = (0..<count).map { _ in context.insert(ofEntity: "Named").objectID }
        try context.commit()
        return {
          for _ in 0..<100 {
            _ = context.insert(ofEntity: "Named").objectID
            held[0]["name"] = "new"
            context.rollBack()
            try context.dryRun { try context.load(#"{"id":-1}"#, "Tag") }
            #expect(throws: ImportError.self) { try context.load(#"[{"id":-1},{"id":true}]"#, "Tag") }
          }
          #expect(held.count == numbered.count && !held[0].isDeleted)
        }
      }
    }
    #expect(try work(20_000) < work(20) * 6)
  }

  @Test("C2: a commit of 4,000 changed and observed objects costs no more than ten commits of 400")
  func followers() throws {
    func work(_ count: Int) throws -> Duration {
      try time {
        let context = try Fixture.context(Self.shapes)
        let tags = try context.load("[" + (0..<count).map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]", "Tag")
        let streams = tags.map { $0.updates() }
        for tag in tags { tag["name"] = "new" }
        return {
          try context.commit()
          #expect(streams.count == count)
        }
      }
    }
    #expect(try work(4_000) < work(400) * 40)
  }

  @Test("I11: the time to locate 4,000 faults in one line is proportional to their number", arguments: [true, false])
  func faults(areAlike: Bool) throws {
    func work(_ count: Int) throws -> Duration {
      let text =
        "["
        + (0..<count).map { #"{"id":\#($0),"\#(areAlike ? "name" : "key\($0)")":\#($0)}"# }
        .joined(separator: ",") + "]"
      var options = ImportOptions()
      options.limits.errors = count
      options.unknownKeys = .error
      return try time {
        let context = try Fixture.context(Self.shapes)
        return {
          let error = #expect(throws: ImportError.self) {
            try objects(ofEntity: "Tag", fromJSON: text, in: context, options: options)
          }
          let diagnostics = error?.diagnostics ?? []
          #expect(diagnostics.count == (areAlike ? 1 : count) && diagnostics.reduce(0) { $0 + $1.count } == count)
          let location = diagnostics.last?.location
          let column = areAlike ? #"[{"id":0,"name":"#.utf8.count : text.utf8.count - 2 * "\(count - 1)".utf8.count - 8
          #expect(location?.line == 1 && location?.column == column + 1)
        }
      }
    }
    #expect(try work(4_000) < work(400) * 40)
  }

  @Test("S5: a commit of new positions in lists that are ordered on both sides takes time in proportion to the links")
  func orderedLinks() throws {
    func time(_ count: Int) throws -> Duration {
      try self.time {
        let model = try ManagedObjectModel(
          text: """
            {"keyStrategy": "sameName", "entities": {
              "Row": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
                "cells": {"destination": "Cell", "toMany": true, "ordered": true, "inverse": "rows"}}},
              "Cell": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
                "rows": {"destination": "Row", "toMany": true, "ordered": true, "inverse": "cells"}}}}}
            """)
        let context = try ManagedObjectContext(model: model, store: SnapshotStore.inMemory(model: model))
        try context.importJSON(#"[{"id": 1, "cells": \#(Array(0..<count))}, {"id": 2}]"#, ofEntity: "Row")
        // The second row moves to the front of each list of rows. Each link to the first row changes its position in the cell's list, but
        // not in the first row's list.
        let cells = (0..<count).map { "{\"id\": \($0), \"rows\": [2, 1]}" }
        return {
          try context.importJSON("[\(cells.joined(separator: ","))]", ofEntity: "Cell")
          #expect(try (context.find(ofEntity: "Cell", id: 3)?["rows"] as RelatedObjects<ManagedObject>?)?.count == 2)
        }
      }
    }
    let (small, large) = (try time(400), try time(6_400))
    #expect(large < small * 50 + .milliseconds(100), "\(large) for 16 times as much as in \(small)")
  }
}
