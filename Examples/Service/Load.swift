import Foundation

/// Sends requests on many connections at the same time, checks every answer, and finally checks that no acknowledged write is lost.
///
/// Each connection posts 20 heroes: 19 from a pool that all connections share, and one that only this connection writes. Then it reads one
/// of them back.
final class Load: @unchecked Sendable {
  private let urls: [URL]
  private let connections: Int
  private let seconds: Double
  /// Each run on the same store uses different identifiers.
  private let base = Int.random(in: 1...1_000_000) * 1_000_000_000

  private let lock = NSLock()
  private var posts: [Double] = []
  private var reads: [Double] = []
  private var checks: [Double] = []
  private var reconnections = 0
  private var wrong: [String] = []
  /// The numbers of the acknowledged heroes of each connection.
  private var acknowledged: [[Int]]

  struct Hero: Codable, Equatable {
    struct Power: Codable, Equatable {
      let id: Int
      let name: String
    }

    let id: Int
    let name: String
    let level: Int
    let powers: [Power]

    init(_ id: Int, level: Int) {
      self.id = id
      self.level = level
      name = "Hero \(id)"
      powers = [0, 1].map { Power(id: (id + $0) % 50, name: "Power \((id + $0) % 50)") }
    }

    /// Whether this hero has the given identifier and the values that belong to it, at any level.
    func isHero(_ id: Int) -> Bool {
      let expected = Hero(id, level: level)
      return self.id == id && name == expected.name && level >= 0
        && powers.sorted { $0.id < $1.id } == expected.powers.sorted { $0.id < $1.id }
    }
  }

  init(_ urls: [URL], connections: Int, seconds: Double) {
    self.urls = urls
    self.connections = connections
    self.seconds = seconds
    acknowledged = Array(repeating: [], count: connections)
  }

  /// Runs the load and prints what it measured. Returns whether all answers were right.
  func run() -> Bool {
    signal(SIGPIPE, SIG_IGN)
    let begin = ContinuousClock.now
    forEachConnection { number, client in
      var count = 0
      while ContinuousClock.now - begin < .seconds(self.seconds) {
        self.exchange(number, count, &client)
        count += 1
      }
    }
    let time = (ContinuousClock.now - begin) / .seconds(1)
    forEachConnection(check)

    posts.sort()
    reads.sort()
    let writes = acknowledged.reduce(0) { $0 + $1.count }
    print("\(connections) connections, \(posts.count + reads.count) requests, \(reconnections) reconnections")
    print("\(Int(Double(posts.count + reads.count) / time)) requests/s")
    print("import of 20 heroes: p50 \(at(0.5, posts)) ms, p99 \(at(0.99, posts)) ms")
    print("read of one hero: p50 \(at(0.5, reads)) ms, p99 \(at(0.99, reads)) ms")
    for text in wrong.prefix(10) { print("wrong: \(text)") }
    print("\(writes) acknowledged imports, \(wrong.count) errors")
    return wrong.isEmpty && writes > 0
  }

  private func at(_ part: Double, _ times: [Double]) -> Double {
    times.isEmpty ? 0 : (times[Int(Double(times.count - 1) * part)] * 10).rounded() / 10
  }

  private func forEachConnection(_ body: @escaping @Sendable (Int, inout HTTPClient) -> Void) {
    let group = DispatchGroup()
    for number in 0..<connections {
      group.enter()
      Thread.detachNewThread { [self] in
        var client = HTTPClient(urls[number % urls.count])
        body(number, &client)
        group.leave()
      }
    }
    group.wait()
  }

  // MARK: One connection

  private func exchange(_ number: Int, _ count: Int, _ client: inout HTTPClient) {
    let unique = base + number * 1_000_000 + count
    var ids = Set([unique])
    while ids.count < 20 { ids.insert(Int.random(in: 1...1000)) }
    let heroes = ids.map { Hero($0, level: $0 == unique ? count : Int.random(in: 0...9)) }
    guard let body = try? JSONEncoder().encode(heroes) else { return }

    guard let post = request(&client, \.posts, { try $0.post("/heroes", body) }) else { return }
    guard let report = try? JSONDecoder().decode([String: [String: Int]].self, from: post.body),
      ["inserted", "updated", "unchanged"].reduce(0, { $0 + (report[$1]?["Hero"] ?? 0) }) == 20
    else { return fail("not 20 heroes: \(String(decoding: post.body, as: UTF8.self))") }
    lock.withLock { acknowledged[number].append(count) }

    let wanted = Bool.random() ? unique : ids.randomElement() ?? unique
    guard let get = request(&client, \.reads, { try $0.get("/heroes/\(wanted)") }) else { return }
    guard let hero = try? JSONDecoder().decode(Hero.self, from: get.body), hero.isHero(wanted),
      wanted != unique || hero.level == count
    else { return fail("not hero \(wanted): \(String(decoding: get.body, as: UTF8.self))") }
  }

  /// Sends a request. If the server closes the connection before it answers, sends it to the next server, because all requests can be
  /// repeated.
  private func request(
    _ client: inout HTTPClient, _ times: ReferenceWritableKeyPath<Load, [Double]>,
    _ send: (HTTPClient) throws -> HTTPClient.Answer
  ) -> HTTPClient.Answer? {
    for attempt in 1... {
      do {
        let begin = ContinuousClock.now
        let answer = try send(client)
        let time = (ContinuousClock.now - begin) / .milliseconds(1)
        lock.withLock { self[keyPath: times].append(time) }
        if answer.status == 200 { return answer }
        fail("\(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        return nil
      } catch {
        if attempt > 10 * urls.count {
          fail("\(error)")
          return nil
        }
        lock.withLock { reconnections += 1 }
        let next = (urls.firstIndex(of: client.url) ?? 0) + 1
        client = HTTPClient(urls[next % urls.count])
        usleep(10_000)
      }
    }
    return nil
  }

  private func fail(_ text: String) { lock.withLock { wrong.append(text) } }

  // MARK: Afterwards

  /// Reads back what a connection wrote.
  private func check(_ number: Int, _ client: inout HTTPClient) {
    var missing = Set(lock.withLock { acknowledged[number] })
    let begin = base + number * 1_000_000
    for first in stride(from: 0, through: missing.max() ?? 0, by: 500) {
      let condition = "id >= \(begin + first) and id < \(begin + first + 500)"
      guard let answer = request(&client, \.checks, { try $0.get("/heroes", ["where": condition, "limit": "1000"]) })
      else { return }
      guard let heroes = try? JSONDecoder().decode([Hero].self, from: answer.body) else {
        return fail("not a list of heroes: \(String(decoding: answer.body.prefix(1000), as: UTF8.self))")
      }
      for hero in heroes where hero.isHero(begin + hero.level) { missing.remove(hero.level) }
    }
    if !missing.isEmpty { fail("connection \(number) lost the heroes \(missing.sorted().prefix(5))") }
  }
}
