import Graft

/// A graph of members for operations.
struct MemberGraph {
  let context: ManagedObjectContext

  /// - Parameter payload: see `MemberValues`.
  init(_ model: ManagedObjectModel, _ payload: [UInt8]) throws {
    context = ManagedObjectContext(model: model)
    try context.importJSON(payload, ofEntity: "Member")
  }

  func hub(_ id: Int) throws -> Hub {
    guard let hub = try context.find(Hub.self, identity: id) else { throw BenchmarkError("there is no hub \(id)") }
    return hub
  }

  func member(_ id: Int) throws -> Member {
    guard let member = try context.find(Member.self, identity: id) else {
      throw BenchmarkError("there is no member \(id)")
    }
    return member
  }
}

/// Payloads of members by their count, each in one hub, created once.
struct MemberPayloads {
  private var known: [Int: [UInt8]] = [:]

  init(_ counts: [Int]) {
    for count in counts { known[count] = MemberValues.payload(count, perHub: count) }
  }

  subscript(count: Int) -> [UInt8] { known[count] ?? [] }
}

/// Fails if a result is wrong.
func require(_ isRight: Bool, _ what: @autoclosure () throws -> String) throws {
  if !isRight { throw BenchmarkError("wrong result: \(try what())") }
}
