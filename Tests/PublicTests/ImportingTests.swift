import Foundation
import Graft
import Testing

@Suite("Importing, from outside the package") struct ImportingTests {
  let context: ManagedObjectContext

  init() throws { context = try Newsroom.context() }

  @Test("Payloads in all forms are imported by the same function")
  func forms() throws {
    let text = #"{"id": 1, "title": " Floods ", "tags": ["water"]}"#
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("article-\(UUID()).json")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let dictionary: [String: Any] = ["id": 1, "title": " Floods ", "tags": ["water"]]
    let json: JSON = ["id": 1, "title": " Floods ", "tags": ["water"]]

    let articles: [Article] = [
      try object(fromJSON: text, in: context), try object(fromJSON: Data(text.utf8), in: context),
      try object(fromJSON: Array(text.utf8), in: context), try object(fromJSON: dictionary, in: context),
      try object(fromJSON: json, in: context), try object(fromJSON: file, in: context),
    ]
    #expect(Set(articles).count == 1 && articles[0].title == "Floods")
    #expect(try context.count(Article.self) == 1 && context.count(ofEntity: "Tag") == 1)
  }

  @Test("JSON text can be parsed into a value, and a fault in the text has a line")
  func text() throws {
    let json = try JSON(text: #" {"b": 1.50, "a": [true, null, "x"]} "#)
    #expect(json == ["b": .number(try #require(JSONNumber("1.50"))), "a": [true, nil, "x"]])
    #expect("\(json)" == #"{"b":1.50,"a":[true,null,"x"]}"#)
    let error = try #require(throws: ImportError.self) { try JSON(text: "{\n  \"a\": tru\n}", sourceName: "a.json") }
    #expect(error.diagnostics.map(\.code) == [.syntaxError])
    #expect("\(error)".hasPrefix("a.json:2:8: error: expected a JSON value"), "\(error)")
    for text in ["", "1 2", #"{"a": 1, "a": 2}"#, String(repeating: "[", count: 2_000)] {
      #expect(throws: ImportError.self) { try JSON(text: text) }
    }
  }

  @Test("Imports by class and by entity name, of one or many objects, return objects in payload order")
  func verbs() throws {
    let article = try object(Article.self, fromJSON: ["id": 1, "title": "A", "author": 7], in: context)
    let same = try object(ofEntity: "Article", fromJSON: "1", in: context)
    let all = try objects(Article.self, fromJSON: #"{"items": [2, 1]}"#, in: context, at: "items")
    #expect(article === same && all.map(\.id) == [2, 1])
    #expect(try article.author?.articles == [article] && context.placeholders.count == 2)
  }

  @Test("A context imports by class or by entity name")
  func methods() throws {
    let article = try context.object(Article.self, fromJSON: #"{"id": 21, "title": "Dikes"}"#)
    #expect(try context.object(ofEntity: "Article", fromJSON: #"{"id": 21}"#) === article)
    let articles = try context.objects(Article.self, fromJSON: #"[{"id": 22, "title": "Locks"}, {"id": 21}]"#)
    #expect(articles.map(\.title) == ["Locks", "Dikes"])
    #expect(try context.objects(ofEntity: "Article", fromJSON: #"[{"id": 22}]"#).first === articles[0])
  }

  @Test("A report counts the changed objects and describes each change")
  func report() throws {
    try context.importJSON(["id": 1, "title": "Old"], into: Article.self)
    let report = try context.importJSON(
      [["id": 1, "title": "New"], ["id": 2, "title": "Second"]], ofEntity: "Article",
      options: ImportOptions(sourceName: "feed", reportsDetails: true))
    #expect(report.inserted == ["Article": 1] && report.updated == ["Article": 1])
    let update = try #require(report.details.first { $0.outcome == .updated })
    #expect(update.name == "Article(1)" && update.path == "$[0]" && update.sourceName == "feed")
    #expect(update.changes.map(\.name) == ["title"] && update.changes[0].old == "Old" && update.changes[0].new == "New")
  }

  @Test("Parts of one document are imported together, and objects that a complete list omits are deleted")
  func parts() throws {
    try objects(Tag.self, fromJSON: ["old", "water"], in: context)
    let report = try context.importJSON(
      ["tags": [["name": "water"], ["name": "fire"]], "people": [["id": 1]]],
      [
        .objects(Tag.self, at: "tags", missing: .deleteWhere { $0["name"] != "kept" }),
        .objects(ofEntity: "Author", at: "people"), .objects(Article.self, at: "articles", isRequired: false),
      ])
    #expect(report.inserted == ["Author": 1, "Tag": 1] && report.filled == ["Tag": 1])
  }

  @Test("An error contains every diagnostic, with its location in the payload and in the model")
  func errors() throws {
    let error = #expect(throws: ImportError.self) {
      try objects(
        Article.self, fromJSON: #"[{"id": 1, "title": 5}, {"id": "x", "title": "B"}]"#, in: context,
        options: ImportOptions(sourceName: "feed.json"))
    }
    let diagnostics = try #require(error).diagnostics
    #expect(diagnostics.count == 2 && diagnostics.allSatisfy { $0.severity == .error })
    #expect(diagnostics.map(\.path) == ["$[0].title", "$[1].id"])
    #expect(diagnostics[0].location?.description == "feed.json:1:21")
    #expect(diagnostics[0].notes.first?.location?.file == "newsroom.json")
    #expect(DiagnosticRenderer(width: 80).render(diagnostics).contains("^"))
    #expect(try context.count(Article.self) == 0 && !context.hasChanges)
  }

  @Test("Import options include limits and the handling of unknown keys")
  func options() throws {
    var options = ImportOptions(unknownKeys: .error)
    #expect(throws: ImportError.self) {
      try object(Tag.self, fromJSON: ["name": "a", "colour": "red"], in: context, options: options)
    }
    options.unknownKeys = .report
    let report = try context.importJSON(["name": "a", "colour": "red"], into: Tag.self, options: options)
    #expect(report.unknownKeys.map(\.key) == ["colour"] && report.unknownKeys[0].entityName == "Tag")
    options.limits.objects = 1
    #expect(throws: ImportError.self) { try context.importJSON(["b", "c"], into: Tag.self, options: options) }
  }

  @Test("Hooks can skip dictionaries and compute values")
  func hooks() throws {
    let payload: JSON = [["id": 1, "text": "two words"], ["id": 2, "text": "gone", "deleted": true]]
    let drafts = try objects(Draft.self, fromJSON: payload, in: context)
    #expect(drafts.count == 1 && drafts[0]["words"] == 2)
  }

  @Test("An error thrown by a transformer is the cause of the import's error")
  func cause() throws {
    struct TooLoud: Error {}
    var transformers = TransformerRegistry()
    transformers.registerValueTransformer(named: "Trim") { (text: String) throws -> String in throw TooLoud() }
    let context = ManagedObjectContext(model: try Newsroom.model(transformers))
    let error = #expect(throws: ImportError.self) {
      try object(Article.self, fromJSON: ["id": 1, "title": "HELP"], in: context)
    }
    #expect(error?.underlyingError is TooLoud)
  }

  @Test("A file or chunks of bytes can be streamed in batches, with progress")
  func streams() throws {
    let lines = (1...10).map { #"{"id": \#($0), "text": "line \#($0)"}"# }.joined(separator: "\n")
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("drafts-\(UUID()).jsonl")
    try Data(lines.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var steps: [Int] = []
    let report = try context.importStream(
      contentsOf: file, into: Draft.self, format: .lines, batches: ImportBatches(size: 4)
    ) { steps.append($0.objects) }
    #expect(report.inserted == ["Draft": 10] && steps == [4, 8, 10])

    let stream = try ImportStream(
      ofEntity: "Draft", in: context, format: .lines, batches: ImportBatches(size: 4, atomicity: .whole))
    for byte in lines.utf8 { try stream.append([byte]) }
    #expect(try stream.finish().unchanged == ["Draft": 10])
  }

  @Test("An asynchronous sequence can be streamed")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func asynchronousStreams() async throws {
    let (chunks, feed) = AsyncStream.makeStream(of: [UInt8].self)
    feed.yield(Array(#"[{"id": 1, "text": "a"}, "#.utf8))
    feed.yield(Array(#"{"id": 2, "text": "b"}]"#.utf8))
    feed.finish()
    let report = try await context.importStream(chunks, ofEntity: "Draft")
    #expect(report.inserted == ["Draft": 2])
  }
}
