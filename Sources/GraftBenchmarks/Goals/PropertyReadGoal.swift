import Graft

/// P21: reads of generated properties, and looking objects up by their identity.
extension Benchmark {
  func measurePropertyReads(_ report: inout Report) throws {
    Standard.progress("property reads")
    let size = 10_000
    let passes = 50
    let graph = try MemberGraph(try MembersModel.load(), MemberValues.payload(size, perHub: 100))
    let members = try graph.context.fetch(Member.self)
    let hubs = try graph.context.fetch(Hub.self)
    let typed = TypedMembers(size, perHub: 100)
    defer { typed.dismantle() }
    let ids = MemberValues.chosen(size, of: size, round: 0)
    let cases = [
      PropertyRead("Double", .numberRead) {
        members.reduce(0) { $0 &+ Int($1.score ?? 0) }
      } typed: {
        typed.all.reduce(0) { $0 &+ Int($1.score) }
      },
      PropertyRead("Bool", .numberRead) {
        members.reduce(0) { $0 &+ ($1.isActive == true ? 1 : 0) }
      } typed: {
        typed.all.reduce(0) { $0 &+ ($1.isActive ? 1 : 0) }
      },
      PropertyRead("to-one", .toOneRead) {
        members.reduce(0) { $0 &+ ($1.hub === hubs[0] ? 1 : 0) }
      } typed: {
        typed.all.reduce(0) { $0 &+ ($1.hub === typed.hubs[0] ? 1 : 0) }
      },
      PropertyRead("count of a to-many", .countRead) {
        (0..<100).reduce(0) { sum, _ in hubs.reduce(sum) { $0 &+ $1.members.count } }
      } typed: {
        (0..<100).reduce(0) { sum, _ in typed.hubs.reduce(sum) { $0 &+ $1.members.count } }
      },
      PropertyRead("find, against a dictionary", .finding) {
        try ids.reduce(0) { try $0 &+ (graph.context.find(Member.self, identity: $1) === members[$1] ? 1 : 0) }
      } typed: {
        ids.reduce(0) { $0 &+ (typed.byID[$1] === typed.all[$1] ? 1 : 0) }
      },
    ]
    for read in cases {
      let expected = read.typed()
      let contender = { (side: Contender.Name, run: @escaping () throws -> Int) in
        Contender(
          side, prepare: {}, run: { try (0..<passes).reduce(0) { sum, _ in try sum &+ consume(run()) } },
          finish: { _, sum in try require(sum == expected * passes, "\(read.name): a wrong sum") })
      }
      let samples = try Samples(
        rounds: options.comparedRounds, [contender(.graft, read.graft), contender(.typed, read.typed)])
      let nanoseconds = { (side: Contender.Name) in
        Quantity(samples.median(side).map { $0 / Double(passes * size) * 1e9 }, "ns")
      }
      let isRatio = read.target == .finding
      report.add(
        Row(
          goal: .p21, measure: read.name, graft: nanoseconds(.graft), baseline: nanoseconds(.typed),
          result: isRatio ? Quantity(samples.ratio(.graft, to: .typed), "x") : nanoseconds(.graft),
          target: read.target))
    }
  }
}

/// 10,000 reads on both sides, which return the same sum.
private struct PropertyRead {
  var name: String
  var target: Target
  var graft: () throws -> Int
  var typed: () -> Int

  init(_ name: String, _ target: Target, graft: @escaping () throws -> Int, typed: @escaping () -> Int) {
    self.name = name
    self.target = target
    self.graft = graft
    self.typed = typed
  }
}
