import Foundation
import Graft

/// P18: the live bytes of a context in which objects come and go, after many rounds compared with a few.
extension Benchmark {
  func measureMemoryOfRounds(_ report: inout Report) throws {
    let model = try MembersModel.load()
    let many = 300
    for isImport in [true, false] {
      let measure = isImport ? "inserted by import" : "inserted by hand"
      Standard.progress("memory of rounds: \(measure)")
      // The first context also allocates things that are created only once.
      var warm: ComingAndGoing? = ComingAndGoing(model, isImport: isImport)
      for _ in 0..<3 { try warm?.run() }
      warm = nil
      let before = LiveMemory.bytes()
      let graph = ComingAndGoing(model, isImport: isImport)
      for _ in 0..<10 { try graph.run() }
      let few = LiveMemory.bytes()
      for _ in 10..<many { try graph.run() }
      let last = LiveMemory.bytes()
      let kilobytes = { (bytes: Int?) in
        Quantity(bytes.flatMap { bytes in before.map { Double(bytes - $0) / 1000 } }, "kB")
      }
      var ratio: Double?
      if let before, let few, let last { ratio = Double(last - before) / Double(few - before) }
      report.add(
        Row(
          goal: .p18, measure: "\(many) rounds of 1,000 objects, \(measure)", graft: kilobytes(last),
          baseline: kilobytes(few), result: Quantity(ratio, "x"), target: .memoryOfRounds))
      withExtendedLifetime(graph) {}
    }
  }
}

/// A context in which 1,000 objects of 1 KB appear and disappear in each round.
private final class ComingAndGoing {
  private let context: ManagedObjectContext
  private let isImport: Bool
  private let text = String(repeating: "x", count: 1000)
  private var round = 0

  init(_ model: ManagedObjectModel, isImport: Bool) {
    context = ManagedObjectContext(model: model)
    self.isImport = isImport
  }

  func run() throws {
    round += 1
    let ids = (0..<1000).map { round * 1000 + $0 }
    let members: [Member]
    if isImport {
      let payload = ids.map {
        #"{"id":\#($0),"name":"\#(text)","rank":1,"score":1,"isActive":true,"hub":1}"#
      }.joined(separator: ",")
      members = try objects(Member.self, fromJSON: "[\(payload)]", in: context)
    } else {
      members = ids.map { id in
        let member = context.insert(Member.self)
        member.id = id
        member.name = text
        member.rank = 1
        member.score = 1
        member.isActive = true
        return member
      }
      try context.commit()
    }
    for member in members { try context.delete(member) }
    try context.commit()
    try require(context.count(Member.self) == 0, "some members are left")
  }
}
