import Foundation

// Runs cases at several sizes so that their instructions can be counted. See Tests/Costs/run.
//
//     GraftCosts list               prints each case with the size at which it is measured
//     GraftCosts run CASE N...      exits with status 0 if the results of the case are correct; more cases may follow

do {
  let words = Array(CommandLine.arguments.dropFirst())
  switch words.first {
  case "list" where words.count == 1:
    for cost in CostCase.all { print(cost.name, cost.size) }
  case "run" where words.count >= 3:
    var cost: CostCase?
    for word in words.dropFirst() {
      if let named = CostCase.all.first(where: { $0.name == word }) {
        cost = named
      } else if let cost, let size = Int(word), size >= 0 {
        try cost.run(size)
      } else {
        throw CostError("no such case or size: \(word)")
      }
    }
  default:
    throw CostError("expected 'list', or 'run CASE N...'")
  }
} catch {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
