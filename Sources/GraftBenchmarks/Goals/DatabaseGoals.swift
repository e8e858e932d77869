import Foundation
import Graft
import GraftPostgreSQL

/// DB: a store in PostgreSQL against hand-written statements, with the same database, the same columns, and COPY on both sides.
///
/// Times are wall-clock time, because the server also does work.
extension Benchmark {
  func measureDatabase(_ report: inout Report) throws {
    guard let url = ProcessInfo.processInfo.environment["GRAFT_BENCH_DATABASE"] else {
      Standard.error("DB is skipped: GRAFT_BENCH_DATABASE names no database, such as postgresql:///bench\n")
      return
    }
    Standard.progress("database")
    let document = Documents.first(.posts, megabytes: options.comparedSize)
    let posts = DatabasePosts(
      url: url, model: try ManagedObjectModel(text: PostsModel.text), document: document,
      records: try TypedCoding.decoder.decode([PostRecord].self, from: document.data))
    try measureDatabaseImports(posts, &report)
    try measureDatabaseReads(posts, &report)
    try measureDatabaseCommits(posts, &report)
    guard subject != nil else { return }
    let samples = try Samples(rounds: options.comparedRounds, [try posts.request()])
    let time = Quantity.milliseconds(samples.median(.request))
    report.add(
      Row(
        goal: .database, measure: "a context, 20 objects, an export", graft: time, baseline: nil, result: time,
        target: .databaseRequest))
  }

  private func measureDatabaseImports(_ posts: DatabasePosts, _ report: inout Report) throws {
    let samples = try Samples(
      rounds: options.comparedRounds,
      (subject == nil ? [] : [posts.graftImport, try posts.graftImportAgain()])
        + [posts.typedImport, try posts.typedImportAgain()])
    let microseconds = { (name: Contender.Name) in
      Quantity(samples.median(name).map { $0 / Double(posts.records.count) * 1e6 }, "us/post")
    }
    report.add(
      Row(
        goal: .database, measure: "import", graft: microseconds(.graft), baseline: microseconds(.typed),
        result: Quantity(samples.ratio(.graft, to: .typed), "x"), target: .databaseImport))
    report.add(
      Row(
        goal: .database, measure: "import again", graft: microseconds(.graftAgain), baseline: microseconds(.typedAgain),
        result: Quantity(samples.ratio(.typedAgain, to: .graftAgain), "x"), target: .databaseImportAgain))
  }

  private func measureDatabaseReads(_ posts: DatabasePosts, _ report: inout Report) throws {
    for (measure, graft, typed, count) in [
      ("an object by its identity", try posts.graftFinds(), try posts.typedFinds(), DatabasePosts.finds),
      ("a page by a predicate", try posts.graftFetches(), try posts.typedFetches(), DatabasePosts.fetches),
    ] {
      let samples = try Samples(rounds: options.comparedRounds, (subject == nil ? [] : [graft]) + [typed])
      let time = { (name: Contender.Name) in
        Quantity(samples.median(name).map { $0 / Double(count) * 1e6 }, "us")
      }
      report.add(
        Row(
          goal: .database, measure: measure, graft: time(.graft), baseline: time(.typed),
          result: Quantity(samples.ratio(.graft, to: .typed), "x"), target: .databaseReads))
    }
  }

  /// Measures commits. Each program has its own connection or store.
  private func measureDatabaseCommits(_ posts: DatabasePosts, _ report: inout Report) throws {
    for programs in [1, 8] {
      let samples = try Samples(
        rounds: options.comparedRounds,
        (subject == nil ? [] : [try posts.graftCommits(programs)]) + [try posts.typedCommits(programs)])
      let rate = { (name: Contender.Name) in
        Quantity(samples.median(name).map { Double(programs * DatabasePosts.commits) / $0 }, "commits/s")
      }
      report.add(
        Row(
          goal: .database, measure: programs == 1 ? "commits" : "commits of \(programs) programs", graft: rate(.graft),
          baseline: rate(.typed), result: Quantity(samples.ratio(.typed, to: .graft), "x"), target: .databaseCommits))
    }
  }
}

/// The posts of a payload, to be stored in both ways.
private struct DatabasePosts {
  static let commits = 50
  static let finds = 1_000
  static let fetches = 20
  private static let page = 100

  let url: String
  let model: ManagedObjectModel
  let document: Document
  let records: [PostRecord]

  private func requireAll(_ count: Int) throws {
    guard count == records.count else { throw BenchmarkError("database: \(count) posts, not \(records.count)") }
  }

  // MARK: Imports

  var graftImport: Contender {
    Contender(
      .graft, clock: WallTime.now, prepare: { try StoreInSchema(url, model) },
      run: { try $0.context().importJSON(document.bytes, ofEntity: "Post") },
      finish: { place, report in
        try requireAll(report.inserted["Post"] ?? 0)
        try requireAll(place.context().count(ofEntity: "Post"))
      })
  }

  func graftImportAgain() throws -> Contender {
    let place = try filledStore()
    return Contender(
      .graftAgain, clock: WallTime.now, prepare: {},
      run: { try place.context().importJSON(document.bytes, ofEntity: "Post") },
      finish: { _, report in try requireAll(report.unchanged["Post"] ?? 0) })
  }

  var typedImport: Contender {
    Contender(
      .typed, clock: WallTime.now, prepare: { try TableInSchema(url) }, run: { try $0.table.merge(document.data) },
      finish: { place, _ in try requireAll(place.table.count()) })
  }

  func typedImportAgain() throws -> Contender {
    let place = try filledTable()
    return Contender(
      .typedAgain, clock: WallTime.now, prepare: {}, run: { try place.table.merge(document.data) },
      finish: { _, _ in try requireAll(place.table.count()) })
  }

  // MARK: Reads

  /// The posts that are looked up one at a time.
  private var chosen: [Int] { (0..<DatabasePosts.finds).map { records[$0 * 7_919 % records.count].id } }

  private func checkTitles(_ titles: [String]) throws {
    let expected = (0..<DatabasePosts.finds).map { records[$0 * 7_919 % records.count].title }
    try require(titles == expected, "database: other posts were found")
  }

  func graftFinds() throws -> Contender {
    let place = try filledStore()
    let ids = chosen
    return Contender(
      .graft, clock: WallTime.now, prepare: { try place.context() },
      run: { context in try ids.map { try context.find(ofEntity: "Post", identity: $0)?["title"] ?? "" } },
      finish: { _, titles in try checkTitles(titles) })
  }

  func typedFinds() throws -> Contender {
    let place = try filledTable()
    let ids = chosen
    return Contender(
      .typed, clock: WallTime.now, prepare: {},
      run: { try ids.map { try place.table.posts("id = $1", [Int64($0)], limit: 1).first?.title ?? "" } },
      finish: { _, titles in try checkTitles(titles) })
  }

  /// Checks the published posts with the highest scores below a number that differs from fetch to fetch.
  private func checkScores(_ pages: [[Double]]) throws {
    for (number, scores) in pages.enumerated() {
      let bound = DatabasePosts.bound(number)
      let expected = records.filter { $0.published && $0.score < Double(bound) }.map(\.score).sorted(by: >)
      try require(scores == Array(expected.prefix(DatabasePosts.page)), "database: a page has other posts")
    }
  }

  private static func bound(_ number: Int) -> Int { 40 + number * 3 }

  func graftFetches() throws -> Contender {
    let place = try filledStore()
    return Contender(
      .graft, clock: WallTime.now, prepare: { try place.context() },
      run: { context in
        try (0..<DatabasePosts.fetches).map { number in
          let posts = try context.fetch(
            ofEntity: "Post", where: "isPublished and score < \(DatabasePosts.bound(number))",
            sortedBy: .descending("score"), limit: DatabasePosts.page)
          return posts.map { $0["score"] ?? 0.0 }
        }
      }, finish: { _, pages in try checkScores(pages) })
  }

  func typedFetches() throws -> Contender {
    let place = try filledTable()
    return Contender(
      .typed, clock: WallTime.now, prepare: {},
      run: {
        try (0..<DatabasePosts.fetches).map { number in
          let posts = try place.table.posts(
            "published AND score < $1", [Int64(DatabasePosts.bound(number))], order: "score DESC",
            limit: DatabasePosts.page)
          return posts.map(\.score)
        }
      }, finish: { _, pages in try checkScores(pages) })
  }

  private func filledStore() throws -> StoreInSchema {
    let place = try StoreInSchema(url, model)
    try place.context().importJSON(document.bytes, ofEntity: "Post")
    return place
  }

  private func filledTable() throws -> TableInSchema {
    let place = try TableInSchema(url)
    try place.table.merge(document.data)
    return place
  }

  // MARK: Commits

  /// Returns a post to change. Each program changes its own posts.
  private func post(_ program: Int, _ number: Int) -> Int {
    records[(program * DatabasePosts.commits + number) % records.count].id
  }

  func graftCommits(_ programs: Int) throws -> Contender {
    let place = try filledStore()
    let stores = try (0..<programs).map { _ in try place.anotherStore() }
    return Contender(
      .graft, clock: WallTime.now, prepare: {},
      run: {
        try inParallel(programs) { program in
          for number in 0..<DatabasePosts.commits {
            let context = try ManagedObjectContext(model: model, store: stores[program])
            let post = try context.find(ofEntity: "Post", identity: post(program, number))
            post?["score"] = (post?["score"] ?? 0.0) + 1
            try context.commit()
          }
        }
      }, finish: { _, _ in withExtendedLifetime(place) {} })
  }

  func typedCommits(_ programs: Int) throws -> Contender {
    let place = try filledTable()
    let connections = try (0..<programs).map { _ in ConnectionInThread(try place.schema.connection()) }
    return Contender(
      .typed, clock: WallTime.now, prepare: {},
      run: {
        try inParallel(programs) { program in
          for number in 0..<DatabasePosts.commits {
            try PostTable.increaseScore(post(program, number), connections[program].connection)
          }
        }
      }, finish: { _, _ in withExtendedLifetime(place) {} })
  }

  // MARK: Requests

  /// Simulates a request to a service, which imports 20 posts and responds with one of them.
  func request() throws -> Contender {
    let place = try filledStore()
    var round = 0
    return Contender(
      .request, repetitions: 20, clock: WallTime.now,
      prepare: {
        round += 1
        let posts = records.prefix(20).map { "{\"id\": \($0.id), \"score\": \(round)}" }
        return "[\(posts.joined(separator: ", "))]"
      },
      run: { text in
        let context = try place.context()
        let posts = try objects(ofEntity: "Post", fromJSON: text, in: context)
        return try jsonData(from: posts[0])
      }, finish: { _, data in try require(!data.isEmpty, "database: an answer is empty") })
  }
}

/// A schema that is dropped with the object.
private final class DatabaseSchema: Sendable {
  let url: String
  private let name = "graft_bench_\(UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: ""))"
  private let database: String

  init(_ database: String) throws {
    self.database = database
    url = database + (database.contains("?") ? "&" : "?") + "options=-csearch_path%3D\(name)"
    try PostgreSQLConnection(ConnectionString(database)).execute("CREATE SCHEMA \(name)")
  }

  deinit {
    try? PostgreSQLConnection(ConnectionString(database)).execute(
      "SET client_min_messages = error; DROP SCHEMA \(name) CASCADE")
  }

  func connection() throws -> PostgreSQLConnection { try PostgreSQLConnection(ConnectionString(url)) }
}

/// A store in its own schema.
private final class StoreInSchema: Sendable {
  private let schema: DatabaseSchema
  private let model: ManagedObjectModel
  private let store: PostgreSQLStore

  init(_ database: String, _ model: ManagedObjectModel) throws {
    schema = try DatabaseSchema(database)
    self.model = model
    store = try PostgreSQLStore(schema.url, model: model)
  }

  func context() throws -> ManagedObjectContext { try ManagedObjectContext(model: model, store: store) }

  func anotherStore() throws -> PostgreSQLStore { try PostgreSQLStore(schema.url, model: model) }
}

/// A table in its own schema.
private final class TableInSchema {
  let schema: DatabaseSchema
  let table: PostTable

  init(_ database: String) throws {
    schema = try DatabaseSchema(database)
    table = try PostTable(schema.url)
  }
}

/// A connection that one thread uses at a time.
private struct ConnectionInThread: @unchecked Sendable {
  let connection: PostgreSQLConnection

  init(_ connection: PostgreSQLConnection) { self.connection = connection }
}
