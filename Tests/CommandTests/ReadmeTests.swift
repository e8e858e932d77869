import Foundation
import Graft
import GraftSQLite
import Testing

// The classes of the documentation, as they appear there.

final class Hero: ManagedObject {
  var name: String? {
    get { self["name"] }
    set { self["name"] = newValue }
  }
  var publisher: Publisher? {
    get { self["publisher"] }
    set { self["publisher"] = newValue }
  }
  var powers: RelatedObjects<Power> { self["powers"] }
}

final class Power: ManagedObject {
  var name: String? { self["name"] }
  var heroes: Set<Hero> { self["heroes"] }
}

final class Publisher: ManagedObject {
  var name: String? {
    get { self["name"] }
    set { self["name"] = newValue }
  }
}

final class Order: ManagedObject {
  var note: String? {
    get { self["note"] }
    set { self["note"] = newValue }
  }
}

@Suite("README and documentation") struct ReadmeTests {
  static func file(_ path: String) throws -> String {
    try String(contentsOf: Invocation.root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The text of an article.
  static func page(_ name: String) throws -> String { try file("Sources/Graft/Graft.docc/\(name).md") }

  /// The README and the articles of the documentation.
  private static let pages: [String] = {
    let folder = "Sources/Graft/Graft.docc"
    let articles = try? FileManager.default.contentsOfDirectory(
      atPath: Invocation.root.appendingPathComponent(folder).path)
    return ["README.md"] + (articles ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
  }()

  /// Returns the text of all pages.
  private static func text() throws -> String { try pages.map(file).joined(separator: "\n") }

  /// Returns the blocks of code in a language, starting with the README.
  private static func blocks(_ language: String) throws -> [String] { blocks(language, in: try text()) }

  /// Returns the blocks of code in a language or, without a language, the blocks of output.
  static func blocks(_ language: String, in text: String) -> [String] {
    var blocks: [String] = []
    var lines: [Substring] = []
    var isWanted: Bool?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      switch (isWanted, line.hasPrefix("```")) {
      case (nil, true): isWanted = line.dropFirst(3) == language
      case (nil, false): break
      case (true, false): lines.append(line)
      case (false, false): break
      case (let wanted?, true):
        if wanted { blocks.append(lines.joined(separator: "\n")) }
        lines = []
        isWanted = nil
      }
    }
    return blocks
  }

  /// The lines without their indentation.
  static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: true)
      .map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
  }

  /// After new measurements: `GRAFT_RECORD=1 swift test --filter ReadmeTests/figures` draws the chart again.
  @Test("The figures in the README and in its chart match the performance page")
  func figures() throws {
    let page = try Self.page("Performance").split(separator: "\n").map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let workloads = [
      ("heroes", "nested, shared objects"), ("ids", "identifiers only"), ("posts", "flat, dates and numbers"),
      ("events", "nested, shared, key paths"),
    ]
    let rows = try workloads.map { workload, meaning in
      let cells = try #require(page.first { $0.count > 4 && ["P1", "P2"].contains($0[0]) && $0[1] == workload })
      return ImportChart.Row(
        workload: workload, meaning: meaning, graft: cells[2], baseline: cells[3], ratio: cells[4])
    }
    let chart = "Sources/Graft/Graft.docc/Imports.svg"
    if ProcessInfo.processInfo.environment["GRAFT_RECORD"] == "1" {
      let url = Invocation.root.appendingPathComponent(chart)
      try ImportChart(rows: rows).svg.write(to: url, atomically: true, encoding: .utf8)
    }
    #expect(try Self.file(chart) == ImportChart(rows: rows).svg)
    let figures = rows.map { "\($0.workload) \($0.graft) against \($0.baseline)" }.joined(separator: ", ")
    #expect(try Self.file("README.md").contains("![Imports of 10 MB of JSON: \(figures)](\(chart))"))
  }

  @Test("The documented migration splits a name")
  func migrationExample() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("graft-readme-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("comics.graft")
    func model(_ version: Int, _ attributes: String) throws -> ManagedObjectModel {
      try ManagedObjectModel(
        text: """
          {"keyStrategy": "sameName", "version": "\(version)",
            "entities": {"Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", \(attributes)}}}}
          """)
    }
    do {
      let store = try SQLiteStore(at: url, model: model(1, #""name": "string""#))
      try ManagedObjectContext(store: store).importJSON(#"[{"id": 1, "name": "Bruce Wayne"}]"#, ofEntity: "Hero")
    }
    let model = try model(2, #""givenName": "string", "familyName": {"type": "string", "optional": true}"#)
    do {
      var options = SQLiteStore.Options()
      options.migrations = [
        StoreMigration(to: "2", replacing: ["Hero.name"]) { step in
          try step.forEach("Hero") { old, new in
            let name: String = old["name"] ?? ""
            let words = name.split(separator: " ", maxSplits: 1).map(String.init)
            new?["givenName"] = words.first
            new?["familyName"] = words.count > 1 ? words[1] : nil
          }
        }
      ]
      let store = try SQLiteStore(at: url, model: model, options: options)
      let hero = try ManagedObjectContext(store: store).find(ofEntity: "Hero", identity: 1)
      #expect(hero?["givenName"] == "Bruce" && hero?["familyName"] == "Wayne")
    }
  }

  @Test("The documented store keeps its objects for the next process")
  func storeExample() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("graft-readme-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("comics.graft")
    let model = try ManagedObjectModel(
      text:
        #"{"entities": {"Hero": {"identityAttributes": "id", "attributes": {"id": {"type": "string", "JSONKeyPath": "id"}, "name": {"type": "string", "optional": true}}}}}"#
    )
    let data = Data(#"[{"id": "a"}, {"id": "b"}]"#.utf8)
    do {
      let store = try SQLiteStore(at: url, model: model)
      let context = try ManagedObjectContext(model: model, store: store)
      try context.importJSON(data, ofEntity: "Hero")
    }
    let store = try SQLiteStore(at: url, model: model)
    let context = try ManagedObjectContext(model: model, store: store)
    #expect(try context.count(ofEntity: "Hero") == 2)
    let other = try ManagedObjectContext(model: model, store: store)
    let commits = store.commits()
    let writer = Task.detached {
      try ManagedObjectContext(model: model, store: store).importJSON(#"[{"id": "c"}]"#, ofEntity: "Hero")
    }
    for await _ in commits {
      try other.merge()
      break
    }
    // The loop as it is in the documentation, where it never ends.
    func follow() async throws {
      for await _ in store.commits() { try context.merge() }
    }
    _ = follow
    _ = try await writer.value
    #expect(try other.find(ofEntity: "Hero", identity: "c") != nil)
    do {
      context.mergesChanges = true
      let background = try BackgroundContext(model: model, store: store, mergesChanges: true)
      #expect(try context.count(ofEntity: "Hero") == 3)
      #expect(try await background.perform { try $0.count(ofEntity: "Hero") } == 3)
    }
    do {
      let draft = context.makeChild()
      try draft.find(ofEntity: "Hero", id: "a")?["name"] = "Batman"
      try draft.commit()  // an uncommitted change of the parent
      try context.commit()  // in the store
      #expect(
        try ManagedObjectContext(model: model, store: store).find(ofEntity: "Hero", identity: "a")?["name"] == "Batman")
    }
  }

  @Test("The README's first example has at most 30 lines, and prints the documented output")
  func firstExample() throws {
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    final class Hero: ManagedObject {
      var name: String? { self["name"] }
      var powers: RelatedObjects<Power> { self["powers"] }
    }

    final class Power: ManagedObject {
      var name: String? { self["name"] }
      var heroes: RelatedObjects<Hero> { self["heroes"] }
    }

    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Hero": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string"},
            "relationships": {"powers": {"destination": "Power", "toMany": true, "inverse": "heroes"}}},
          "Power": {"identityAttributes": "id", "attributes": {"id": "integer64", "name": "string"},
            "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "powers", "JSONKeyPath": null}}}}}
        """, classes: [Hero.self, Power.self])
    let context = ManagedObjectContext(model: model)

    // Power 9 is nested. Power 4 is only an identifier: nothing else is known about it yet.
    let otter: Hero = try object(
      fromJSON: #"{"id": 1, "name": "Otter", "powers": [4, {"id": 9, "name": "Diving"}]}"#, in: context)

    // A later payload describes power 4. Another hero has it as well.
    let stealth = try object(Power.self, fromJSON: #"{"id": 4, "name": "Stealth"}"#, in: context)
    try object(Hero.self, fromJSON: ["id": 2, "name": "Lynx", "powers": [4]], in: context)

    print(otter.powers.compactMap(\.name))  // ["Stealth", "Diving"]
    print(stealth.heroes.compactMap(\.name))  // ["Otter", "Lynx"]
    print(try jsonString(from: otter))
    // {"id":1,"name":"Otter","powers":[{"id":4,"name":"Stealth"},{"id":9,"name":"Diving"}]}

    let example = try #require(ReadmeTests.blocks("swift").first)
    let lines = ReadmeTests.lines(example)
    #expect(lines.count <= 30)
    let documented = lines.suffix(4).flatMap { $0.components(separatedBy: "// ").dropFirst() }
    #expect(printed == documented && printed.count == 3)
    #expect(try ReadmeTests.file("README.md").contains("```swift\n" + example))
  }

  @Test("The response to an object that was sent is imported as documented")
  func answer() throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Order": {"identityAttributes": "id",
            "attributes": {"id": {"type": "integer64", "optional": true}, "note": "string"},
            "relationships": {"lines": {"destination": "Line", "toMany": true, "ordered": true, "inverse": "order"}}},
          "Line": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"order": {"destination": "Order", "inverse": "lines"}}}}}
        """, classes: [Order.self])
    let context = ManagedObjectContext(model: model)
    let answer = #"{"id": 7, "lines": [{"id": 21}, {"id": 22}]}"#
    let order = context.insert(Order.self)  // no id yet
    order.note = "by tomorrow"
    try order.merge(fromJSON: answer)  // {"id": 7, "lines": [{"id": 21}, {"id": 22}]}
    #expect(order["id"] == 7 && (order["lines"] as [ManagedObject]).count == 2)
  }

  @Test("The README's diagram is the program's output")
  func picture() throws {
    let drawn = try Invocation(["diagram", "Models/Comics.json", "--format", "svg"])
    #expect(try drawn.output == ReadmeTests.file("Models/Comics.svg"))
  }

  @Test("The documented program compiles and behaves as described")
  func program() throws {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: try folder.file("Heroes.json", try #require(ReadmeTests.blocks("jsonc").first)))
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }

    let model = try ManagedObjectModel(
      contentsOf: url, transformers: transformers, classes: [Hero.self, Power.self, Publisher.self])
    let context = ManagedObjectContext(model: model)

    let heron: Hero = try object(
      fromJSON: """
        {"id": "101", "name": "Night Heron", "publisher": "10",
         "powers": [{"id": "1", "name": "Silent flight"}, "2"]}
        """, in: context)

    // Power 2 and publisher 10 are known by identifier only. Later payloads fill them, in any order.
    try objects(Power.self, fromJSON: #"[{"id": "2", "name": "Night vision"}]"#, in: context)
    try object(ofEntity: "Publisher", fromJSON: ["id": "10", "name": "Lantern Press"], in: context)

    print(heron.powers.count, heron.publisher?.name ?? "?")  // 2 Lantern Press
    heron.name = "Old Heron"
    print(try jsonString(from: heron))

    struct Page: Decodable {
      var heroes: ManagedObjectsUpsert<Hero>
      var next: Int?
    }

    let decoder = JSONDecoder()
    decoder.userInfo[.managedObjectContext] = context
    let page = try decoder.decode(
      Page.self, from: Data(#"{"heroes": [{"id": "101", "name": "Heron"}], "next": 2}"#.utf8))

    print(page.heroes.objects[0] === heron)  // true: updated, not inserted

    #expect(
      printed == [
        "2 Lantern Press",
        #"{"id":"101","name":"Old Heron","real_name":null,"slug":null,"powers":[{"id":"1","name":"Silent flight"},"#
          + #"{"id":"2","name":"Night vision"}],"publisher":{"id":"10","name":"Lantern Press"}}"#,
        "true",
      ])
    #expect(model.warnings.map(\.code) == [.oneWayTransformer])
    #expect(try context.placeholders.isEmpty)
  }

  @Test("The documented import without faulty elements works as described")
  func faultyElements() throws {
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }
    let model = try ManagedObjectModel(
      text: try #require(ReadmeTests.blocks("jsonc").first), transformers: transformers,
      classes: [Hero.self, Power.self, Publisher.self])
    let context = ManagedObjectContext(model: model)
    let text = #"[{"id": "101", "name": "A"}, {"id": 102, "name": "B"}]"#
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    let report = try context.importJSON(text, into: Hero.self, options: ImportOptions(faultyElements: .skip))
    for element in report.faultyElements {
      print(element.path, element.diagnostics.map(\.message))
    }
    print(DiagnosticRenderer().render(report.warnings))

    #expect(printed.count == 2 && printed[0].hasPrefix("$[1] [\"expected a string") && printed[1].contains("warning: "))
    #expect(try context.fetch(Hero.self).compactMap(\.name) == ["A"])
  }

  private static var transformers: TransformerRegistry {
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }
    return transformers
  }

  @Test("The documented imports with reports, dry runs, combined payloads and streams work as described")
  func imports() throws {
    let folder = try TemporaryFolder()
    let model = try ManagedObjectModel(
      text: try #require(ReadmeTests.blocks("jsonc").first), transformers: Self.transformers,
      classes: [Hero.self, Power.self, Publisher.self])
    let context = ManagedObjectContext(model: model)
    try objects(Hero.self, fromJSON: #"[{"id": "101", "name": "A"}, {"id": "102", "name": "B"}]"#, in: context)
    let text = #"[{"id": "101", "name": "C"}]"#
    let document = #"{"heroes": [{"id": "101", "powers": ["1"]}], "powers": [{"id": "1", "name": "P"}]}"#
    let url = URL(fileURLWithPath: try folder.file("heroes.jsonl", "{\"id\": \"7\", \"name\": \"S\"}\n"))
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    // How many objects changed and, on request, what changed in each of them.
    let report = try context.importJSON(text, into: Hero.self, options: ImportOptions(reportsDetails: true))
    print(report, report.details.first?.changes ?? [])

    // A dry run: reports what would change, then rolls back.
    let wouldBe = try context.dryRun { try context.importJSON(text, into: Hero.self) }

    // Several entities of one document as one payload; heroes that the list no longer mentions are deleted.
    try context.importJSON(
      document, [.objects(ofEntity: "Hero", at: "heroes", missing: .delete), .objects(ofEntity: "Power", at: "powers")])

    // Several imports and changes in one transaction: all or nothing.
    try context.atomically {
      try context.importJSON(text, into: Hero.self)
      try context.find(Hero.self, id: 101)?.name = "Heron"
    }

    // JSON Lines, or a document with a long array, of any length: batch by batch, in bounded memory.
    try context.importStream(contentsOf: url, ofEntity: "Hero", format: .lines) { progress in print(progress.objects) }

    #expect(report.updated == ["Hero": 1] && wouldBe.unchanged == ["Hero": 1])
    #expect(printed.count == 2 && printed[0].contains(#"old: "A""#) && printed[1] == "1")
    #expect(try context.fetch(Hero.self).compactMap(\.name) == ["Heron", "S"])
  }

  @Test("The documented large exports produce the same output as other exports")
  func largeExports() throws {
    let context = ManagedObjectContext(
      model: try ManagedObjectModel(
        text: try #require(ReadmeTests.blocks("jsonc").first), transformers: Self.transformers,
        classes: [Hero.self, Power.self, Publisher.self]))
    try objects(Hero.self, fromJSON: #"[{"id": "101", "name": "A"}, {"id": "102", "name": "B"}]"#, in: context)
    let folder = try TemporaryFolder()
    let file = URL(fileURLWithPath: folder.path("heroes.json"))
    let other = URL(fileURLWithPath: try folder.file("pieces.json", ""))
    let handle = try FileHandle(forWritingTo: other)

    try writeJSON(from: context.fetch(Hero.self), to: file)
    try writeJSON(from: context.fetch(Hero.self)) { piece in try handle.write(contentsOf: piece) }

    let whole = try jsonData(from: context.fetch(Hero.self))
    #expect(try Data(contentsOf: file) == whole && Data(contentsOf: other) == whole)

    try writeJSON(from: context.fetch(Hero.self), to: file, options: ExportOptions(writesLines: true))
    #expect(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count == 2)
  }

  @Test("The documented import of a list whose parent is known works as described")
  func knownParent() throws {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "Album": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"photos": {"destination": "Photo", "toMany": true, "inverse": "album", "JSONKeyPath": null}}},
          "Photo": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"album": {"destination": "Album", "inverse": "photos", "optional": false, "JSONKeyPath": null}}}}}
        """#)
    let context = ManagedObjectContext(model: model)
    let album: ManagedObject = try object(ofEntity: "Album", fromJSON: #"{"id": 9}"#, in: context)
    let data = Data(#"[{"id": 1}, {"id": 2}]"#.utf8)

    try context.importJSON(data, into: "photos", of: album)

    let photos: [ManagedObject] = album["photos"]
    #expect(photos.count == 2 && photos.allSatisfy { $0["album"] as ManagedObject? === album })
  }

  @Test("The documented graph examples compile and behave as described")
  @MainActor func graph() async throws {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: try folder.file("Heroes.json", try #require(ReadmeTests.blocks("jsonc").first)))
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }
    let model = try ManagedObjectModel(
      contentsOf: url, transformers: transformers, classes: [Hero.self, Power.self, Publisher.self])
    let context = ManagedObjectContext(model: model)
    let data = Data(
      #"""
      [{"id": "1", "name": "B", "powers": ["1", "2"], "publisher": "10"}, {"id": "2", "name": "A"}]
      """#.utf8)
    try objects(Hero.self, fromJSON: data, in: context)
    var printed = ""
    func print(_ changes: ContextChanges) { printed = changes.description }

    let best = try context.fetch(Hero.self, sortedBy: .ascending(\.publisher?.name), .descending("name"), limit: 10)
    best[0].powers.removeAll()  // the inverse follows
    try context.delete(best[1])  // by the delete rules of the model
    print(context.changes)  // old and new values, since the last commit
    try context.commit()  // validates, and throws; context.rollBack() returns to the last commit

    let main = context
    let background = BackgroundContext(model: model)
    let count = try await background.perform { context in try objects(Hero.self, fromJSON: data, in: context).count }
    main.restore(await background.snapshot())  // objects that views hold stay the same

    let more = #"{"id": "2", "name": "Robin"}"#
    var updates = await background.updates().makeAsyncIterator()
    try await background.importJSON(more, into: Hero.self)
    if let changes = await updates.next() { main.merge(changes) }
    #expect(
      printed == """
        Hero(1) powers: - Power(1) - Power(2)
        Power(1) heroes: - Hero(1)
        Power(2) heroes: - Hero(1)
        - Hero(2)
        """)
    #expect(try count == 2 && main.count(Hero.self) == 2 && !best[0].isDeleted)
  }

  @Test("The documented validations compile, and reject the values that they should reject")
  func validations() throws {
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }

    transformers.registerValidation(ofEntity: "Hero", attribute: "name") { (name: String) in
      if name.hasPrefix(" ") { throw ValidationFailure("names begin with a letter") }
    }
    transformers.registerValidation(of: Hero.self) { hero in
      if hero.powers.count > 9 { throw ValidationFailure("nobody has more than nine powers", of: "powers") }
    }

    let stored = try transformers.value("Slug", from: "Bat Man")
    let written = try transformers.json("Slug", from: stored)

    #expect(stored == .string("bat man") && written == "bat man")
    let model = try ManagedObjectModel(
      text: try #require(ReadmeTests.blocks("jsonc").first), transformers: transformers, classes: [Hero.self])
    let error = #expect(throws: ImportError.self) {
      try objects(
        ofEntity: "Hero",
        fromJSON: """
          [{"id": "1", "name": " x"}, {"id": "2", "name": "y", "powers": ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]}]
          """, in: ManagedObjectContext(model: model))
    }
    #expect(
      error?.diagnostics.map { "\($0.path ?? ""): \($0.message)" } == [
        "$[0].name: 'Hero.name' is not valid: names begin with a letter",
        "$[1].powers: 'Hero.powers' is not valid: nobody has more than nine powers",
      ])
  }

  @Test("The documented transformers and mappers of a program work as described")
  func ownTransformers() throws {
    let folder = try TemporaryFolder()
    let event = try #require(ReadmeTests.blocks("json").first { $0.contains("Unwrap") })
    let url = URL(
      fileURLWithPath: try folder.file(
        "Events.json",
        #"{"entities": {\#(event), "OnlineEvent": {"parent": "Event"}, "LocalEvent": {"parent": "Event"}}}"#))

    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Cents") { (price: Double) in
      Int((price * 100).rounded())
    } reverse: { cents in
      Double(cents) / 100
    }
    transformers.registerDictionaryTransformer(named: "Unwrap") { dictionary in
      dictionary["event"] as? [String: Any]  // nil keeps the dictionary as it is
    }
    transformers.registerEntityMapper(named: "Event") { dictionary in
      dictionary["venue"] == nil ? "OnlineEvent" : "LocalEvent"  // nil gives no answer
    }
    let model = try ManagedObjectModel(contentsOf: url, transformers: transformers)

    let events = try objects(
      ofEntity: "Event",
      fromJSON: #"[{"event": {"id": 1, "price": 0.29}}, {"id": 2, "price": 12, "venue": "Roxy"}]"#,
      in: ManagedObjectContext(model: model))
    #expect(events.map(\.entity.name) == ["OnlineEvent", "LocalEvent"])
    #expect(events.map { $0["price"] } == [29, 1200])
    #expect(
      try String(decoding: jsonData(from: events), as: UTF8.self)
        == #"[{"id":1,"price":0.29},{"id":2,"price":12}]"#)
  }

  @Test("The first documented model reads the payload next to the model")
  func firstModel() throws {
    let folder = try TemporaryFolder()
    let page = try ReadmeTests.file("Sources/Graft/Graft.docc/ModelFiles.md")
    let payload = try #require(page.firstMatch(of: /`feed\.json`: `(.*)`\./)).1
    let model = try folder.file("Feed.json", try #require(ReadmeTests.blocks("jsonc", in: page).first))
    let feed = try folder.file("feed.json", String(payload))
    #expect(try Invocation(["lint", model]).messages == "no findings in 1 model file\n")
    #expect(try Invocation(["explain", model, "Item"]).output.contains("Example, imported as Item:"))
    let graft = try Invocation(["import", "--model", model, "Item=\(feed)", "--at", "items"])
    #expect(graft.output == "Imported 1 payload\n  Item    1 inserted\n  Author  1 inserted\n")
  }

  @Test("All Swift code in the documentation appears verbatim in this file or in the files of the guides")
  func code() throws {
    /// The lines except import declarations, which are at the top of a file.
    func code(_ text: String) -> [String] { ReadmeTests.lines(text).filter { !$0.hasPrefix("import ") } }
    let folder = Invocation.root.appendingPathComponent("Tests/CommandTests/Guides")
    let guides = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    let files = try (["ReadmeTests.swift"] + guides.sorted().map { "Guides/\($0)" })
      .map { try code(ReadmeTests.file("Tests/CommandTests/\($0)")) }
    let blocks = try ReadmeTests.blocks("swift")
    #expect(blocks.count >= 9)
    for block in blocks {
      let lines = code(block)
      let isTested = files.contains { file in file.indices.contains { file[$0...].starts(with: lines) } }
      #expect(isTested, "\(block)")
    }
  }

  private static let queriedModel = """
    {"keyStrategy": "sameName", "entities": {
      "Hero": {"identityAttributes": "name",
        "attributes": {"name": "string", "age": {"type": "integer64", "optional": true}},
        "relationships": {"publisher": {"destination": "Publisher", "inverse": "heroes"}}},
      "Publisher": {"identityAttributes": "name", "attributes": {"name": "string"},
        "relationships": {"heroes": {"destination": "Hero", "toMany": true, "inverse": "publisher", "JSONKeyPath": null}}}}}
    """

  @Test("The documented queries compile and select the described objects")
  func queries() throws {
    final class Publisher: ManagedObject {
      override class var queryableProperties: [QueryableProperty] { [.init(\Publisher.name, "name")] }
      var name: String? { self["name"] }
    }
    final class Hero: ManagedObject {
      override class var queryableProperties: [QueryableProperty] {
        [.init(\Hero.name, "name"), .init(\Hero.age, "age"), .init(\Hero.publisher, "publisher")]
      }
      var name: String? { self["name"] }
      var age: Int? { self["age"] }
      var publisher: Publisher? { self["publisher"] }
    }
    let model = try ManagedObjectModel(text: Self.queriedModel, classes: [Hero.self, Publisher.self])
    let context = ManagedObjectContext(model: model)
    try objects(
      ofEntity: "Hero",
      fromJSON: #"[{"name": "Batman", "age": 30, "publisher": {"name": "DC"}}, {"name": "Otter"}]"#, in: context)

    let wanted = "Batman"
    let heroes = try context.fetch(
      Hero.self, where: #Predicate { $0.name == wanted && $0.publisher?.name == "DC" }, sortedBy: \.name, limit: 20)
    let first = try context.fetchOne(Hero.self, where: #Predicate { $0.age == nil }, sortedBy: .descending(\.name))
    let count = try context.count(Hero.self, where: #Predicate { $0.age == nil })
    let exists = try context.exists(Hero.self, where: #Predicate { $0.name == wanted })
    try context.delete(Hero.self, where: #Predicate { $0.publisher == nil })
    #expect(first?.context === context)
    #expect(try heroes.map(\.name) == ["Batman"] && count == 1 && exists && context.count(Hero.self) == 1)

    let total = try context.sum(\Hero.age)
    let oldest = try context.maximum(\Hero.age, where: #Predicate { $0.publisher != nil })
    for group in try context.count(groupedBy: \Hero.age) { print(group.key ?? 0, group.value) }
    #expect(total == 30 && oldest == 30)
  }

  @Test("The documented live results compile and follow the described changes")
  func liveResults() async throws {
    final class Publisher: ManagedObject {
      override class var queryableProperties: [QueryableProperty] { [.init(\Publisher.name, "name")] }
      var name: String? { self["name"] }
    }
    final class Hero: ManagedObject {
      override class var queryableProperties: [QueryableProperty] {
        [.init(\Hero.name, "name"), .init(\Hero.age, "age"), .init(\Hero.publisher, "publisher")]
      }
      var name: String? { self["name"] }
      var age: Int? { self["age"] }
      var publisher: Publisher? { self["publisher"] }
    }
    let model = try ManagedObjectModel(text: Self.queriedModel, classes: [Hero.self, Publisher.self])
    let store = SnapshotStore.inMemory(model: model)
    let context = try ManagedObjectContext(model: model, store: store)
    try objects(
      ofEntity: "Hero",
      fromJSON: #"[{"name": "Batman", "age": 30, "publisher": {"name": "DC"}}, {"name": "Otter"}]"#, in: context)
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    let dc = "DC"
    let heroes = try context.results(
      Hero.self, where: #Predicate { $0.publisher?.name == dc }, sortedBy: .descending(\.age), .ascending(\.name))
    print(heroes.count, heroes.first?.name ?? "nobody")

    let robin = context.insert(Hero.self)
    robin["name"] = "Robin"
    robin["age"] = 13
    robin["publisher"] = heroes.first?.publisher
    print(heroes.map { $0.name ?? "?" })  // "Batman", "Robin"
    #expect(printed == ["1 Batman", #"["Batman", "Robin"]"#])

    printed = []
    let byPublisher = try context.results(
      ofEntity: "Hero", sortedBy: .ascending("name"), sectionedBy: .ascending("publisher.name"))
    for section in byPublisher.sections {
      print(section.value.flatMap { String(attributeValue: $0) } ?? "none", section.count)
    }
    #expect(printed == ["DC 2", "none 1"])

    printed = []
    var ids = heroes.objectIDs
    var updates = heroes.updates().makeAsyncIterator()
    robin["age"] = 40
    try context.commit()
    if let changes = await updates.next() {
      print(changes)
      // Hero(Robin) from 1 to 0
      // Hero(Robin) at 0 updated
      ids = ids.applying(changes)
    }
    #expect(printed == ["Hero(Robin) from 1 to 0\nHero(Robin) at 0 updated"])
    #expect(ids == heroes.objectIDs && ids.first == robin.objectID)
    let newest = try context.results(Hero.self, sortedBy: .descending(\.age), limit: 50)
    #expect(newest.map(\.name) == ["Robin", "Batman", "Otter"])

    let other = try ManagedObjectContext(model: model, store: store)
    try other.delete(ofEntity: "Hero", where: "name = 'Robin'")
    try other.commit()
    try context.merge()
    #expect(newest.map(\.name) == ["Batman", "Otter"] && heroes.count == 1)
  }

  /// Never called: each of its loops ends with its context.
  private func liveValues() async throws {
    final class Publisher: ManagedObject {
      var name: String? { self["name"] }
    }
    final class Hero: ManagedObject {
      var age: Int? { self["age"] }
      var publisher: Publisher? { self["publisher"] }
    }
    let model = try ManagedObjectModel(text: Self.queriedModel, classes: [Hero.self, Publisher.self])
    let store = SnapshotStore.inMemory(model: model)
    let context = try ManagedObjectContext(model: model, store: store)
    let dc = "DC"

    let count = try context.liveCount(Hero.self, where: #Predicate { $0.publisher?.name == dc })
    let oldest = try context.liveMaximum(\Hero.age)
    print(count.value, oldest.value ?? 0)
    for await number in count.updates() { print(number) }

    for await _ in store.commits() { try context.merge() }
  }

  @Test("The documented search finds the described objects")
  func search() throws {
    let context = ManagedObjectContext(model: try ManagedObjectModel(text: Self.queriedModel))
    context.insert(ofEntity: "Hero")["name"] = "Anders Ångström"

    let typed = "angstrom"
    let found = try context.fetch(ofEntity: "Hero", where: "name contains[cd] \(typed)")  // finds "Ångström"
    #expect(found.count == 1)
    #expect(try context.count(ofEntity: "Hero", where: "name contains[c] \(typed)") == 0)
  }

  @Test("The documented conditions compile and select the described objects")
  func conditions() throws {
    final class Hero: ManagedObject {
      var name: String? { self["name"] }
    }
    let model = try ManagedObjectModel(text: Self.queriedModel, classes: [Hero.self])
    let context = ManagedObjectContext(model: model)
    try objects(
      ofEntity: "Hero",
      fromJSON: #"[{"name": "Batman", "age": 31, "publisher": {"name": "DC"}}, {"name": "Otter"}]"#, in: context)

    let (publisher, names) = ("DC", ["Batman", "Otter", "Robin"])
    let heroes = try context.fetch(
      ofEntity: "Hero", where: "publisher.name = \(publisher) and age > 30", sortedBy: .ascending("name"), limit: 20)
    let count = try context.count(ofEntity: "Hero", where: "name in \(names)")
    let exists = try context.exists(ofEntity: "Hero", where: "some publisher.heroes (age > 20)")
    try context.delete(ofEntity: "Hero", where: "publisher is null")
    let isYoung: ObjectCondition = "age < 20 or age is null"
    let others = try context.fetch(Hero.self, where: "\(isYoung) and name not in \(names)", sortedBy: \.name)
    #expect(try heroes.count == 1 && count == 2 && exists && others.isEmpty && context.count(ofEntity: "Hero") == 1)

    let error = #expect(throws: StoreError.self) { try context.count(ofEntity: "Hero", where: "nme = 'Batman'") }
    let page = try ReadmeTests.file("Sources/Graft/Graft.docc/Queries.md")
    #expect(page.contains(try #require(error?.description.split(separator: "\n").first)))
  }

  @Test("The documented program output is the actual output")
  func console() throws {
    let blocks = try ReadmeTests.blocks("console")
    #expect(!blocks.isEmpty)
    for block in blocks {
      let parts = block.split(separator: "\n", maxSplits: 1).map(String.init)
      let words = try #require(parts.first)
      #expect(words.hasPrefix("$ graft "))
      let graft = try Invocation(String(words.dropFirst("$ graft ".count)))
      #expect(parts.last.map { $0 + "\n" } == graft.output + graft.messages)
    }
  }

  @Test("The documented models are formatted")
  func layout() throws {
    for block in try ReadmeTests.blocks("jsonc") { #expect(try ModelFileFormatter.format(block) == block + "\n") }
  }

  @Test("The documentation contains every model file key, every type and every built-in transformer")
  func words() throws {
    let text = try ReadmeTests.text()
    let old = ModelFileKey.identityAttribute
    for key in ModelFileKey.allCases where key != old { #expect(text.contains("`\(key.rawValue)`"), "\(key)") }
    for type in AttributeType.allCases { #expect(text.contains("`\(type.rawValue)`"), "\(type)") }
    for name in TransformerRegistry.standard.valueTransformerNames { #expect(text.contains("`\(name)`"), "\(name)") }
  }

  @Test("The documented limits match the code")
  func limits() throws {
    let text = try ReadmeTests.text()
    let limits = ImportLimits()
    #expect(limits.bytes == 1 << 30 && text.contains("| bytes of a payload | 1 GiB |"))
    #expect(limits.depth == 512 && text.contains("| nesting | 512 levels |"))
    #expect(limits.objects == 16_777_216 && text.contains("| new objects of a payload | 16,777,216 |"))
    #expect(limits.stringBytes == 64 << 20 && text.contains("| bytes of a string | 64 MiB |"))
    #expect(limits.numberBytes == 1024 && text.contains("| bytes of a number | 1,024 |"))
    #expect(limits.errors == 20 && text.contains("| errors that are collected | 20 |"))
  }

  @Test("Every file to which the documentation links exists")
  func links() throws {
    for page in ReadmeTests.pages {
      let folder = Invocation.root.appendingPathComponent(page).deletingLastPathComponent()
      for match in try ReadmeTests.file(page).matches(of: #/\]\(([^)#:]+)\)/#) {
        #expect(
          FileManager.default.fileExists(atPath: folder.appendingPathComponent(String(match.1)).path),
          "\(page): \(match.1)")
      }
    }
  }
}

#if canImport(SwiftUI)
  import SwiftUI

  struct HeroList: View {
    let heroes: LiveResults<Hero>

    var body: some View {
      List {
        ForEach(heroes, id: \.objectID) { hero in
          Text(hero.name ?? "?")
        }
      }
    }
  }
#endif
