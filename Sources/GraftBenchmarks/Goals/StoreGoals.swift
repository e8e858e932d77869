import Foundation
import Graft
import GraftSQLite

/// S11: a store, against JSONDecoder and hand-written statements, with the same SQLite, the same settings and the same columns.
///
/// Times are also processor time here, so they exclude the time that the disk takes, on both sides.
extension Benchmark {
  func measureStore(_ report: inout Report) throws {
    Standard.progress("store")
    let folder = try BenchmarkFolder()
    defer { folder.remove() }
    let document = Documents.first(.posts, megabytes: options.comparedSize)
    let records = try TypedCoding.decoder.decode([PostRecord].self, from: document.data)
    let posts = StoredPosts(
      model: try ManagedObjectModel(text: PostsModel.text, classes: [StoredPost.self]), document: document,
      records: records, folder: folder)
    if let fault = try posts.fault() { report.add(fault: fault) }
    try measureStoreImports(posts, &report)
    try measureStoreReads(posts, &report)
    if subject != nil { try measureParallelReads(&report) }
  }

  private func measureStoreImports(_ posts: StoredPosts, _ report: inout Report) throws {
    let samples = try Samples(
      rounds: options.comparedRounds,
      (subject == nil ? [] : [posts.graftImport, try posts.graftImportAgain()])
        + [posts.typedImport, posts.bareInserts, try posts.typedImportAgain()])
    let count = Double(posts.records.count)
    let microseconds = { (name: Contender.Name) in Quantity(samples.median(name).map { $0 / count * 1e6 }, "us/post") }
    for (measure, graft, baseline, result, target) in [
      ("import", .graft, .typed, samples.ratio(.typed, to: .graft), .storeImport),
      ("import, against bare inserts", .graft, .bare, samples.ratio(.graft, to: .bare), .storeOverInserts),
      ("import again", .graftAgain, .typedAgain, samples.ratio(.typedAgain, to: .graftAgain), .storeImportAgain),
    ] as [(String, Contender.Name, Contender.Name, Double?, Target)] {
      report.add(
        Row(
          goal: .s11, measure: measure, graft: microseconds(graft), baseline: microseconds(baseline),
          result: Quantity(result, "x"), target: target))
    }
  }

  private func measureStoreReads(_ posts: StoredPosts, _ report: inout Report) throws {
    guard subject != nil else { return }
    let samples = try Samples(
      rounds: options.comparedRounds, [try posts.opening(), try posts.finding(), try posts.filtering()])
    for (measure, name, factor, unit, target) in [
      ("opening a store", .opening, 1e3, "ms", .storeOpening),
      ("an object by its identity", .finding, 1e6 / Double(StoredPosts.finds), "us", .storeFinding),
      (
        "a predicate in memory, per object", .filtering,
        1e9 / Double(posts.records.count * StoredPosts.passes), "ns", .predicate
      ),
    ] as [(String, Contender.Name, Double, String, Target)] {
      let time = Quantity(samples.median(name).map { $0 * factor }, unit)
      report.add(Row(goal: .s11, measure: measure, graft: time, baseline: nil, result: time, target: target))
    }
  }
}

/// The posts of a payload, to be stored in both ways.
private struct StoredPosts {
  static let finds = 2_000
  static let passes = 20

  let model: ManagedObjectModel
  let document: Document
  let records: [PostRecord]
  let folder: BenchmarkFolder

  // MARK: Results

  /// Stores the posts in both ways, and compares the tables; nil if they are equal.
  func fault() throws -> String? {
    let graft = folder.file()
    try imported(into: graft)
    let typed = try PostDatabase(folder.file())
    try typed.merge(document.data)
    let expected = try typed.summary()
    let found = try PostDatabase.summary(
      of: graft, table: "Post",
      columns: [
        "identifier", "userIdentifier", "title", "slug", "body", "score", "rating", "isPublished", "createdAt",
        "updatedAt",
      ])
    return found == expected ? nil : "store: \(found), the baseline has \(expected)"
  }

  private func imported(into url: URL) throws {
    let store = try SQLiteStore(at: url, model: model)
    try ManagedObjectContext(model: model, store: store).importJSON(document.bytes, ofEntity: "Post")
  }

  private func requireAll(_ count: Int) throws {
    guard count == records.count else { throw BenchmarkError("store: \(count) posts, not \(records.count)") }
  }

  // MARK: Imports

  var graftImport: Contender {
    Contender(
      .graft, prepare: { try SQLiteStore(at: folder.file(), model: model) },
      run: { store in
        try ManagedObjectContext(model: model, store: store).importJSON(document.bytes, ofEntity: "Post")
      }, finish: { _, report in try requireAll(report.inserted["Post"] ?? 0) })
  }

  func graftImportAgain() throws -> Contender {
    let url = folder.file()
    try imported(into: url)
    let store = try SQLiteStore(at: url, model: model)
    return Contender(
      .graftAgain, prepare: {},
      run: {
        try ManagedObjectContext(model: model, store: store).importJSON(document.bytes, ofEntity: "Post")
      }, finish: { _, report in try requireAll(report.unchanged["Post"] ?? 0) })
  }

  var typedImport: Contender {
    Contender(
      .typed, prepare: { try PostDatabase(folder.file()) }, run: { try $0.merge(document.data) },
      finish: { database, _ in try requireAll(database.count()) })
  }

  func typedImportAgain() throws -> Contender {
    let database = try PostDatabase(folder.file())
    try database.merge(document.data)
    return Contender(
      .typedAgain, prepare: {}, run: { try database.merge(document.data) },
      finish: { _, _ in try requireAll(database.count()) })
  }

  var bareInserts: Contender {
    Contender(
      .bare, prepare: { try PostDatabase(folder.file()) }, run: { try $0.insert(records) },
      finish: { database, _ in try requireAll(database.count()) })
  }

  // MARK: Reading

  func opening() throws -> Contender {
    let url = folder.file()
    try imported(into: url)
    return Contender(
      .opening, prepare: {},
      run: { try ManagedObjectContext(model: model, store: SQLiteStore(at: url, model: model)) },
      finish: { _, context in
        guard try context.find(StoredPost.self, identity: records[0].id) != nil else {
          throw BenchmarkError("store: a post is missing")
        }
      })
  }

  /// Measures finding objects, each of which is loaded from the store.
  func finding() throws -> Contender {
    let url = folder.file()
    try imported(into: url)
    let store = try SQLiteStore(at: url, model: model)
    let ids = (0..<min(Self.finds, records.count)).map { records[$0 * 7919 % records.count].id }
    return Contender(
      .finding, prepare: { try ManagedObjectContext(model: model, store: store) },
      run: { context in try ids.reduce(0) { try $0 + (context.find(StoredPost.self, identity: $1) == nil ? 0 : 1) } },
      finish: { _, found in
        guard found == ids.count else { throw BenchmarkError("store: \(found) of \(ids.count) posts were found") }
      })
  }

  /// Measures two terms, without a store.
  func filtering() throws -> Contender {
    let context = ManagedObjectContext(model: model)
    try context.importJSON(document.bytes, ofEntity: "Post")
    let least = 50.0
    let expected = records.lazy.filter { $0.published && $0.score > least }.count
    return Contender(
      .filtering, prepare: {},
      run: {
        try (0..<Self.passes).reduce(0) { sum, _ in
          sum + (try context.count(StoredPost.self, where: #Predicate { $0.isPublished == true && $0.score > least }))
        }
      },
      finish: { _, found in
        guard found == expected * Self.passes else {
          throw BenchmarkError("predicate: \(found) posts, not \(expected)")
        }
      })
  }
}

/// The part of `graft generate`'s output that is read here.
private final class StoredPost: ManagedObject {
  override class var entityName: String { "Post" }
  override class var queryableProperties: [QueryableProperty] {
    [.init(\StoredPost.score, "score"), .init(\StoredPost.isPublished, "isPublished")]
  }

  var score: Double { self[required: 5] }
  var isPublished: Bool? { self[slot: 7] }
}

/// A folder for the files of a measurement.
struct BenchmarkFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("graft-bench-\(UUID())", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Returns the location of a file that does not exist yet.
  func file() -> URL { url.appendingPathComponent("\(UUID()).db") }

  func remove() { try? FileManager.default.removeItem(at: url) }
}
