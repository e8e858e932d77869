import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Imports: faulty elements") struct TolerantImportTests {
  private static let model = """
    "Hero": {
      "identityAttributes": "id",
      "attributes": {"id": "integer64", "name": "string", "age": {"type": "integer16", "optional": true, "maximum": 200}},
      "relationships": {
        "powers": {"destination": "Power", "toMany": true, "inverse": "heroes"},
        "rival": {"destination": "Hero", "unresolvedRule": "deny", "inverse": "rivals"},
        "rivals": {"destination": "Hero", "toMany": true, "inverse": "rival", "JSONKeyPath": null}
      }
    },
    "Power": {
      "identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", "optional": true}},
      "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "powers", "JSONKeyPath": null}}
    },
    "Skill": {
      "identityAttributes": "id",
      "attributes": {"id": {"type": "string", "JSONKeyPath": "@key"}, "level": "integer64"}
    }
    """

  private static let skipping = ImportOptions(sourceName: "p.json", faultyElements: .skip)

  /// The faults of each skipped element, with the element's location.
  private func faults(_ report: ImportReport) -> [String] {
    report.faultyElements.map { element in
      "\(element.entityName) \(element.path):\(element.line ?? 0): "
        + element.diagnostics.map(\.message).joined(separator: "; ")
    }
  }

  @Test(
    "I18: if three of 500 objects are faulty, 497 objects are imported and all faults of the three objects are listed")
  func acceptance() throws {
    var lines = (0..<500).map { #"{"id": \#($0), "name": "Hero \#($0)", "powers": [\#($0 % 7)]}"# }
    lines[17] = #"{"id": "17", "name": 5}"#
    lines[230] = #"{"id": 230, "powers": [{"id": true}], "age": 201}"#
    lines[499] = #"{"id": 499, "name": "Hero", "rival": 1000}"#
    let context = try Fixture.context(Self.model)
    let report = try context.importJSON(
      "[\n\(lines.joined(separator: ",\n"))\n]", ofEntity: "Hero", options: Self.skipping)
    #expect(report.inserted == ["Hero": 497] && report.placeholders == ["Power": 7])
    #expect(
      faults(report) == [
        """
        Hero $[17]:19: expected an integer for 'Hero.id', found the string "17"; \
        expected a string for 'Hero.name', found the number 5
        """,
        """
        Hero $[230]:232: expected a value for 'Hero.name', which is not optional, found none; \
        expected an integer for 'Power.id', found true; expected at most 200 for 'Hero.age', found the number 201
        """,
        "Hero $[499]:501: no 'Hero' has this identifier, and 'Hero.rival' accepts existing objects only",
      ])
    let strict = try Fixture.context(Self.model)
    let rest = lines.enumerated().filter { ![17, 230, 499].contains($0.offset) }.map(\.element)
    try strict.importJSON("[\(rest.joined(separator: ","))]", ofEntity: "Hero")
    #expect(context.dumpText == strict.dumpText)
  }

  @Test("I18: warnings combine similar faults of the skipped elements, with their locations")
  func warnings() throws {
    let context = try Fixture.context(Self.model)
    let payload = (1...6).map { #"{"id": \#($0), "name": \#($0 == 2 ? "\"Ada\"" : "0")}"# }.joined(separator: ",\n")
    let report = try context.importJSON("[\(payload)]", ofEntity: "Hero", options: Self.skipping)
    #expect(
      report.warnings.map(\.description) == [
        "p.json:1:20: warning: expected a string for 'Hero.name', found the number 0 (5 times)"
      ])
    #expect(report.faultyElements.map(\.path) == ["$[0]", "$[2]", "$[3]", "$[4]", "$[5]"])
    #expect(report.inserted == ["Hero": 1])
  }

  @Test("I18: faulty elements of keyed collections, envelopes, lines and dictionaries are skipped")
  func shapes() throws {
    func faulty(_ payload: some JSONPayload, _ entity: String, at keyPath: JSONKeyPath? = nil) throws -> [String] {
      let context = try Fixture.context(Self.model)
      let report = try context.importJSON(payload, ofEntity: entity, at: keyPath, options: Self.skipping)
      return report.faultyElements.map(\.path) + ["\(report.inserted[entity] ?? 0)"]
    }
    #expect(try faulty(#"{"a": {"level": 1}, "b c": {"level": "x"}, "d": 7}"#, "Skill") == ["$['b c']", "$.d", "1"])
    #expect(
      try faulty(#"{"x": [0], "list": [{"id": 1}, {"id": 2, "name": ""}, 7]}"#, "Hero", at: "list") == [
        "$.list[0]", "1",
      ])
    #expect(try faulty(["list": [["id": 1, "name": "A"], ["id": Date()]]], "Hero", at: "list") == ["$.list[1]", "1"])
    #expect(try faulty([["id": Date()], ["id": 1, "name": "A"]] as [Any], "Hero") == ["$[0]", "1"])
    #expect(
      try faulty(#"[[1, 2], {"id": 1, "name": "A"}, {}, [], "x"]"#, "Hero") == ["$[0]", "$[2]", "$[3]", "$[4]", "1"])
    #expect(try faulty(#"[[1, 2]]"#, "Hero") == ["$[0]", "0"])
  }

  @Test("I18: each line of JSON Lines is an element, unless the line contains an array", arguments: [1, 2, 100])
  func lines(batchSize: Int) throws {
    let text = """
      \u{FEFF}{"id": "1"}
      {"id": 2, "name": "A"}

      [{"id": 3}, {"id": 4, "name": "B"}, {"id": 5, "name": null}]
      {"id": 6, "name": 7}
      """
    for atomicity in ImportBatches.Atomicity.allCases {
      let context = try Fixture.context(Self.model)
      let stream = try ImportStream(
        ofEntity: "Hero", in: context, format: .lines,
        batches: ImportBatches(size: batchSize, atomicity: atomicity), options: Self.skipping)
      for byte in text.utf8 { try stream.append([byte]) }
      let report = try stream.finish()
      #expect(report.faultyElements.map(\.path) == ["$", "$[0]", "$[2]", "$"])
      #expect(report.faultyElements.map(\.line) == [1, 4, 4, 5])
      #expect(try context.fetch(ofEntity: "Hero").map { $0["id"] as Int? } == [2, 4])
    }
  }

  @Test("I18: a line without objects at the key path is skipped, and other lines are read", arguments: [1, 100])
  func linesWithoutObjects(batchSize: Int) throws {
    let text = """
      {"data": {"items": [{"id": 1, "name": "A"}]}}
      {"error": "busy"}
      {"data": "none"}
      {"data": {"items": [{"id": 2}, {"id": 3, "name": "C"}]}}
      """
    for atomicity in ImportBatches.Atomicity.allCases {
      func stream(_ text: String, _ options: ImportOptions) throws -> (ImportReport, [String]) {
        let context = try Fixture.context(Self.model)
        let stream = try ImportStream(
          ofEntity: "Hero", in: context, at: "data.items", format: .lines,
          batches: ImportBatches(size: batchSize, atomicity: atomicity), options: options)
        try stream.append(text.utf8)
        return try (stream.finish(), context.fetch(ofEntity: "Hero").map(\.objectID.description))
      }
      let (report, heroes) = try stream(text, Self.skipping)
      #expect(report.faultyElements.map(\.line) == [2, 3, 4] && heroes == ["Hero(1)", "Hero(3)"])
      #expect(
        report.faultyElements.flatMap(\.diagnostics).map(\.code) == [.noObject, .blockedKeyPath, .missingValue])
      // A line that is not JSON might be a part of another line, so it fails the import.
      let cut = #expect(throws: ImportError.self) { try stream(text + "\n{\"error\": ", Self.skipping) }
      #expect(cut?.diagnostics.contains { $0.code == .syntaxError } == true)
      // If faulty elements are not skipped, the error reports all faulty lines that are read together.
      let strict = #expect(throws: ImportError.self) { try stream(text, ImportOptions(sourceName: "p.json")) }
      let lines = batchSize == 1 && atomicity == .each ? [2] : [2, 3, 4]
      #expect(strict?.diagnostics.map { $0.location?.line } == lines)
    }
  }

  @Test("I18: a faulty value that several elements read causes one warning, and a fault in each of the elements")
  func sharedFaults() throws {
    let context = try Fixture.context(
      #"""
      "Line": {
        "identityAttributes": "id",
        "attributes": {"id": "integer64", "page": {"type": "integer64", "JSONKeyPath": "@root.page"}}
      }
      """#)
    let text = #"{"page": "x", "lines": [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}, {"id": 5}]}"#
    for size in [1, 2, 100] {
      let stream = try ImportStream(
        ofEntity: "Line", in: context, at: "lines", format: .lines, batches: ImportBatches(size: size),
        options: Self.skipping)
      try stream.append("\(text)\n\(text)".utf8)
      let report = try stream.finish()
      #expect(report.faultyElements.count == 10 && report.faultyElements.allSatisfy { $0.diagnostics.count == 1 })
      #expect(report.warnings.map { $0.location?.line } == [1, 2])
      let message = #"expected an integer for 'Line.page', found the string "x""#
      #expect(report.warnings.allSatisfy { $0.message == message })
    }
  }

  @Test("I18: an element that depends on a skipped element is also skipped, in any form of stream")
  func dependents() throws {
    let text =
      #"[{"id": 1, "name": "A", "rival": 2}, {"id": 2, "name": "B", "rival": 3}, {"id": 3}, {"id": 4, "name": "D"}]"#
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try text.write(to: folder, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: folder) }
    let context = try Fixture.context(Self.model)
    let report = try context.importStream(
      contentsOf: folder, ofEntity: "Hero", batches: ImportBatches(size: 1, atomicity: .whole), options: Self.skipping)
    #expect(report.faultyElements.map(\.path) == ["$[0]", "$[1]", "$[2]"])
    #expect(report.inserted == ["Hero": 1] && context.checkInvariants() == [])
    // With batches, known objects are determined at the end of each batch.
    let batches = try Fixture.context(Self.model)
    let one = try batches.importStream(
      contentsOf: folder, ofEntity: "Hero", batches: ImportBatches(size: 1), options: Self.skipping)
    #expect(one.faultyElements.map(\.path) == ["$[0]", "$[1]", "$[2]"])
  }

  @Test("I18: skipping elements keeps changes made in code while a whole stream is open")
  func openStream() throws {
    let context = try Fixture.context(Self.model)
    let stream = try ImportStream(
      ofEntity: "Hero", in: context, batches: ImportBatches(size: 1, atomicity: .whole), options: Self.skipping)
    try stream.append(Array(#"[{"id": 1}, {"id": 2, "name": "B"}"#.utf8))
    try context.load(#"{"id": 3, "name": "C"}"#, "Hero")
    context.insert(ofEntity: "Power")["id"] = 9
    try stream.append(Array(#", {"id": 4, "name": "D", "rival": 3}]"#.utf8))
    let report = try stream.finish()
    #expect(report.inserted == ["Hero": 2] && report.faultyElements.map(\.path) == ["$[0]"])
    #expect(try context.fetch(ofEntity: "Hero").map { $0["id"] as Int? } == [3, 2, 4])
    #expect(try context.count(ofEntity: "Power") == 1 && context.checkInvariants() == [])
  }

  @Test("I18: a syntax error, an exceeded limit or a fault outside the list fails the import")
  func failures() throws {
    let context = try Fixture.context(Self.model)
    func codes(
      _ text: String, at keyPath: JSONKeyPath? = nil, _ options: ImportOptions = TolerantImportTests.skipping
    ) -> [String] {
      do {
        try context.importJSON(text, ofEntity: "Hero", at: keyPath, options: options)
        return []
      } catch {
        return error.diagnostics.map(\.code.rawValue)
      }
    }
    #expect(codes(#"[{"id": "x"}, {"id": 1,}]"#) == ["wrong-type", "syntax-error"])
    #expect(codes(#"{"id": 1}"#) == ["missing-value"])
    #expect(codes(#"[{"id": 1}]"#, at: "list").count == 1)
    var few = Self.skipping
    few.limits.faultyElements = 2
    #expect(codes("[1, {}, {}, {}]", few).first == "limit-faulty-elements")
    #expect(codes("[1, {}, {}]", few) == [])
    few.limits.objects = 1
    #expect(codes("[1, {}, {}]", few).contains("limit-objects"))
    #expect(throws: ImportError.self) {
      try object(ofEntity: "Hero", fromJSON: #"{"id": 1}"#, in: context, options: Self.skipping)
    }
    #expect(try context.fetch(ofEntity: "Hero").isEmpty == false && context.checkInvariants() == [])
  }

  @Test("I18: elements that depend on each other in a long chain cause an error, in bounded time")
  func chain() throws {
    let elements = (0..<200).map { #"{"id": \#($0), "name": "N", "rival": \#($0 + 1)}"# }.joined(separator: ",")
    let context = try Fixture.context(Self.model)
    #expect {
      try context.importJSON("[\(elements)]", ofEntity: "Hero", options: Self.skipping)
    } throws: { error in
      (error as? ImportError)?.diagnostics.first?.code.rawValue == "limit-faulty-elements"
    }
    #expect(try context.fetch(ofEntity: "Hero").isEmpty)
  }

  @Test("I18: a complete list does not mention objects that only a skipped element mentions, so they are deleted")
  func missing() throws {
    let context = try Fixture.context(Self.model)
    try context.load(#"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]"#, "Hero")
    let report = try context.importJSON(
      #"[{"id": 1, "name": "A"}, {"id": 2, "name": 7}]"#, [.objects(ofEntity: "Hero", missing: .delete)],
      options: Self.skipping)
    #expect(report.deleted == ["Hero": 1] && report.unchanged == ["Hero": 1])
    #expect(try context.fetch(ofEntity: "Hero").map { $0["id"] as Int? } == [1])
  }

  @Test("I18: each part of a document skips its own faulty elements; a dry run reports the same and changes nothing")
  func parts() throws {
    let text = #"{"heroes": [{"id": 1, "name": "A", "powers": [1, 2]}, {"id": 2}], "powers": [{"id": 1}, {"id": "2"}]}"#
    let parts: [ImportPart] = [.objects(ofEntity: "Hero", at: "heroes"), .objects(ofEntity: "Power", at: "powers")]
    let context = try Fixture.context(Self.model)
    let report = try context.dryRun { try context.importJSON(text, parts, options: Self.skipping) }
    #expect(try context.fetch(ofEntity: "Hero").isEmpty)
    #expect(report == (try context.importJSON(text, parts, options: Self.skipping)))
    #expect(report.faultyElements.map(\.path) == ["$.heroes[1]", "$.powers[1]"])
    #expect(report.faultyElements.map(\.entityName) == ["Hero", "Power"])
    #expect(report.inserted == ["Hero": 1, "Power": 1] && report.placeholders == ["Power": 1])
  }

  @Test("I18: objects(fromJSON:) returns the objects that were imported")
  func objectsThemselves() throws {
    let context = try Fixture.context(Self.model)
    let heroes = try objects(
      ofEntity: "Hero", fromJSON: #"[{"id": 1}, {"id": 2, "name": "B"}, null, {"id": 3, "name": "C"}]"#, in: context,
      options: Self.skipping)
    #expect(heroes.map(\.description) == ["Hero(2)", "Hero(3)"])
  }

  @Test("I18: a background context also skips faulty elements, and its store receives the other elements")
  func store() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    let model = try Fixture.context(Self.model).model
    let stored = try ManagedObjectContext(model: model, store: try SnapshotStore(at: url, model: model))
    let payload = #"[{"id": 1, "name": "A"}, {"id": 2}, {"id": 3, "name": "C"}]"#
    let report = try stored.importJSON(payload, ofEntity: "Hero", options: Self.skipping)
    #expect(report.faultyElements.map(\.path) == ["$[1]"])
    let again = try ManagedObjectContext(model: model, store: try SnapshotStore(at: url, model: model))
    #expect(try again.fetch(ofEntity: "Hero").map { $0["id"] as Int? } == [1, 3])
    let background = BackgroundContext(model: model)
    let other = try await background.perform { context in
      try context.importJSON(payload, ofEntity: "Hero", options: Self.skipping)
    }
    #expect(other == report)
  }

  @Test(
    "I18: an element with more faults than the limit for faulty elements is one faulty element", arguments: [3, 10_000])
  func oneElementWithManyErrors(limit: Int) throws {
    let names = (0..<30).map { "a\($0)" }
    let context = try Fixture.context(
      """
      "T": {"identityAttributes": "id", "attributes": {"id": "integer64", \
      \(names.map { #""\#($0)": {"type": "integer64", "optional": true}"# }.joined(separator: ", "))}}
      """)
    let faulty = #"{"id": 1, \#(names.map { #""\#($0)": "x""# }.joined(separator: ", "))}"#
    let options = ImportOptions(faultyElements: .skip, limits: ImportLimits(faultyElements: limit))
    let report = try context.importJSON("[\(faulty), {\"id\": 2}]", ofEntity: "T", options: options)
    #expect(report.inserted == ["T": 1] && report.faultyElements.count == 1)
  }

  @Test("I18: a faulty element is listed with all of its faults, even if earlier elements have many faults")
  func allFaultsOfLaterElement() throws {
    let context = try Fixture.context(
      #""T": {"identityAttributes": "id", "attributes": {"id": "integer64", "tags": {"type": "string", "list": true, "optional": true}}}"#
    )
    func element(_ id: Int, _ count: Int) -> String {
      "{\"id\": \(id), \"tags\": [\(Array(repeating: "1", count: count).joined(separator: ", "))]}"
    }
    let options = ImportOptions(faultyElements: .skip, limits: ImportLimits(faultyElements: 5))
    let report = try context.importJSON(
      "[\(element(1, 990)), \(element(2, 50)), {\"id\": 3}]", ofEntity: "T", options: options)
    #expect(report.inserted == ["T": 1])
    #expect(report.faultyElements.map(\.diagnostics.count) == [990, 50])
  }
}
