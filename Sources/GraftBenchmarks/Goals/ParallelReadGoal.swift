import Foundation
import Graft
import GraftSQLite

/// S11: contexts of one SQLite store that read at the same time, each in its own thread, against the same contexts in sequence.
extension Benchmark {
  private static let contexts = 8

  func measureParallelReads(_ report: inout Report) throws {
    Standard.progress("store: reads in parallel")
    let folder = try BenchmarkFolder()
    defer { folder.remove() }
    let document = Documents.first(.heroes, megabytes: options.comparedSize)
    let store = try SQLiteStore(
      at: folder.file(), model: ManagedObjectModel(text: HeroesModel.text(nested: true)))
    try ManagedObjectContext(store: store).importJSON(document.bytes, ofEntity: "Hero")
    let readers = Readers(store: store, expected: try Readers.read(store))
    let samples = try Samples(
      rounds: options.comparedRounds,
      [readers.contender(.many, threads: Self.contexts), readers.contender(.few, threads: 1)])
    let milliseconds = { (name: Contender.Name) in Quantity.milliseconds(samples.median(name)) }
    report.add(
      Row(
        goal: .s11, measure: "\(Self.contexts) contexts that read in parallel (baseline: in turn)",
        graft: milliseconds(.many), baseline: milliseconds(.few), result: Quantity(samples.ratio(.few, to: .many), "x"),
        target: .parallelReads))
  }

  private struct Readers: Sendable {
    let store: SQLiteStore
    let expected: Int

    /// Fetches all heroes in pages, and follows their relationships.
    ///
    /// - Returns: the number of letters in the names of their publishers, and of their powers.
    static func read(_ store: SQLiteStore) throws -> Int {
      let context = ManagedObjectContext(store: store)
      var sum = 0
      var last = Int.min
      while true {
        let heroes = try context.fetch(
          ofEntity: "Hero", where: "identifier > \(last)", sortedBy: .ascending("identifier"), limit: 500)
        guard let end = heroes.last else { return sum }
        for hero in heroes {
          let powers: RelatedObjects<ManagedObject> = hero["powers"]
          let publisher: ManagedObject? = hero["publisher"]
          let name: String? = publisher?["name"]
          sum += powers.count + (name?.utf8.count ?? 0)
        }
        last = end["identifier"] ?? .max
      }
    }

    func contender(_ name: Contender.Name, threads: Int) -> Contender {
      Contender(
        name, clock: WallTime.now, prepare: {},
        run: {
          let sums = Guarded<[Int]>([])
          try inParallel(threads) { _ in
            for _ in 0..<Benchmark.contexts / threads {
              let sum = try Readers.read(store)
              sums.withLock { $0.append(sum) }
            }
          }
          return sums.withLock { $0 }
        },
        finish: { _, sums in
          guard sums == Array(repeating: expected, count: Benchmark.contexts) else {
            throw BenchmarkError("store: contexts that read in parallel found \(sums), not \(expected)")
          }
        })
    }
  }
}

/// Calls a closure on several separate threads.
func inParallel(_ threads: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
  let failures = Guarded<[any Error]>([])
  let group = DispatchGroup()
  for thread in 0..<threads {
    group.enter()
    Thread.detachNewThread {
      defer { group.leave() }
      do { try body(thread) } catch { failures.withLock { $0.append(error) } }
    }
  }
  group.wait()
  if let failure = failures.withLock({ $0.first }) { throw failure }
}
