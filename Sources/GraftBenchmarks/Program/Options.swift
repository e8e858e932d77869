/// The options of the command line.
struct Options {
  enum Format: String { case text, json }

  var format = Format.text
  /// The selected goals; empty for all.
  var goals: Set<Goal> = []
  var workloads: Set<Workload> = []
  var size: Int?
  var rounds: Int?
  var isQuick = false
  var checks = false
  var showsHelp = false

  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var words = ArraySlice(Array(arguments))
    while let word = words.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let value = { () throws(UsageError) -> String in
        if parts.count == 2 { return parts[1] }
        guard let next = words.popFirst() else { throw UsageError("\(word) requires a value") }
        return next
      }
      switch parts[0] {
      case "--format":
        let text = try value()
        guard let format = Format(rawValue: text) else {
          throw UsageError("--format takes text or json, not '\(text)'")
        }
        self.format = format
      case "--filter": try addFilter(value())
      case "--size":
        let text = try value()
        guard let size = Int(text), [1, 10, 100].contains(size) else {
          throw UsageError("--size takes 1, 10 or 100, not '\(text)'")
        }
        self.size = size
      case "--rounds":
        let text = try value()
        guard let rounds = Int(text), rounds > 0 else {
          throw UsageError("--rounds takes a number from 1, not '\(text)'")
        }
        self.rounds = rounds
      case "--quick" where parts.count == 1: isQuick = true
      case "--check" where parts.count == 1: checks = true
      case "--help" where parts.count == 1, "-h" where parts.count == 1: showsHelp = true
      default: throw UsageError("unknown option '\(word)'")
      }
    }
  }

  private mutating func addFilter(_ text: String) throws(UsageError) {
    for word in text.split(separator: ",") {
      if let goal = Goal(rawValue: word.uppercased()) {
        goals.insert(goal)
      } else if let workload = Workload(rawValue: word.lowercased()) {
        workloads.insert(workload)
      } else {
        throw UsageError("--filter takes goals (P1 to P22, Q7, S11, DB) and workloads, not '\(word)'")
      }
    }
  }
}

/// A usage error.
struct UsageError: Error {
  var message: String

  init(_ message: String) { self.message = message }
}
