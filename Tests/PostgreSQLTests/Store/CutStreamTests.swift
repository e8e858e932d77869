import Foundation
import Graft
import GraftPostgreSQL
import GraftTestSupport
import Testing

/// Stores whose connections are cut at any byte.
///
/// `GRAFT_CUTS` is the number of cuts in each direction, 40 by default.
@Suite("PostgreSQL: a store whose stream is cut", .enabled(if: Cluster.isAvailable), .serialized)
struct CutStreamTests {
  @Test(
    "acknowledged commits are stored, failed commits are not, and the context can still be used",
    arguments: [true, false])
  func cut(isDown: Bool) throws {
    let cluster = try Cluster()
    let proxy = try Proxy(to: cluster)
    defer { proxy.stop() }
    let model = try ManagedObjectModel(text: SharedDatabaseTests.model, name: "m.json")
    _ = try PostgreSQLStore(cluster.url, model: model)
    let url = cluster.url(folder: proxy.folder)
    // The first run has no cut, to count the bytes.
    proxy.setPlan(Proxy.Plan())
    try #require(try importEvent(0, url, model) == nil)
    let total = isDown ? proxy.counts.down : proxy.counts.up
    let cuts = ProcessInfo.processInfo.environment["GRAFT_CUTS"].flatMap(Int.init) ?? 40
    let direct = try PostgreSQLStore(cluster.url, model: model)
    var failures = 0
    for number in 1...cuts {
      var plan = Proxy.Plan(connections: 2)
      let place = total * number / (cuts + 1)
      if isDown { plan.down = place } else { plan.up = place }
      proxy.setPlan(plan)
      let failure = try importEvent(number, url, model)
      if failure != nil { failures += 1 }
      let found = try ManagedObjectContext(store: direct).count(ofEntity: "Event", where: "id = \(String(number))")
      #expect(found == (failure == nil ? 1 : 0), "cut after \(place) bytes: \(failure ?? "no error")")
    }
    #expect(failures > 0)
    #expect(try direct.verify() == [])
    print("\(cuts) cuts of \(total) bytes \(isDown ? "from" : "to") the server: \(failures) errors")
  }

  /// Imports an event with a new store. After an error, the same context imports another event.
  ///
  /// - Returns: the error of the first import.
  private func importEvent(_ number: Int, _ url: String, _ model: ManagedObjectModel) throws -> String? {
    var options = PostgreSQLStore.Options()
    options.callTimeout = .seconds(60)
    let store: PostgreSQLStore
    do {
      store = try PostgreSQLStore(url, model: model, options: options)
    } catch {
      return "\(error)"
    }
    let context = ManagedObjectContext(store: store)
    do {
      _ = try objects(ofEntity: "Event", fromJSON: "[{\"id\": \"\(number)\"}]", in: context)
      return nil
    } catch {
      context.rollBack()
      _ = try context.merge()
      _ = try objects(ofEntity: "Event", fromJSON: "[{\"id\": \"after \(number)\"}]", in: context)
      #expect(context.checkInvariants() == [])
      return "\(error)"
    }
  }
}
