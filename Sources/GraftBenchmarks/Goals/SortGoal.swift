import Graft

/// P17: sorted fetches, against `sorted` on equal class instances or, with a limit, against finding the least in a single pass.
extension Benchmark {
  func measureSorting(_ report: inout Report) throws {
    let size = options.largestCount
    Standard.progress("sorting \(size) objects")
    let context = try MemberGraph(try MembersModel.load(), MemberValues.payload(size, perHub: 100)).context
    let typed = TypedMembers(size, perHub: 100)
    defer { typed.dismantle() }
    for order in SortedOrder.all {
      for limit in [nil, 10] {
        Standard.progress("sorting \(size) objects by \(order.name)")
        let expected = order.ids(typed.all, limit)
        let samples = try Samples(
          rounds: options.graphRounds,
          [
            Contender(
              .graft, prepare: {}, run: { try context.fetch(Member.self, sortedBy: [order.key], limit: limit) },
              finish: { _, found in
                try require(found.map { $0.id ?? -1 } == expected, "another order by \(order.name)")
              }),
            Contender(
              .typed, prepare: {},
              run: {
                limit == nil
                  ? typed.all.sorted(by: order.precedes) : typed.all.min(by: order.precedes).map { [$0] } ?? []
              }, finish: { _, found in try require(!found.isEmpty, "nothing was sorted") }),
          ])
        report.add(
          Row(
            goal: .p17, measure: "\(size) by \(order.name)" + (limit.map { ", limit \($0)" } ?? ""),
            graft: .milliseconds(samples.median(.graft)), baseline: .milliseconds(samples.median(.typed)),
            result: Quantity(samples.ratio(.graft, to: .typed), "x"), target: limit == nil ? .sorting : .sortingLimited)
        )
      }
    }
  }
}

/// A sort order of members for both sides of the comparison.
private struct SortedOrder {
  var name: String
  var key: SortKey<Member>
  var precedes: (TypedMember, TypedMember) -> Bool

  static var all: [SortedOrder] {
    [
      SortedOrder(name: "an integer", key: .ascending(\.rank)) { $0.rank < $1.rank },
      SortedOrder(name: "a number, descending", key: .descending("score")) { $0.score > $1.score },
      SortedOrder(name: "a text", key: .ascending(\.name)) { $0.name < $1.name },
    ]
  }

  /// Returns the identifiers of the first members.
  func ids(_ members: [TypedMember], _ limit: Int?) -> [Int] {
    members.sorted(by: precedes).prefix(limit ?? .max).map(\.id)
  }
}
