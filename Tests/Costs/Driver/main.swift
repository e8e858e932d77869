import Foundation

// Runs one case at several sizes, so that its instructions can be counted: see Tests/Costs/run.
//
//     GraftCosts list               prints each case with the size at which it is measured
//     GraftCosts run CASE N...      exits with status 0 if the results of the case are correct

do {
  let words = Array(CommandLine.arguments.dropFirst())
  switch words.first {
  case "list" where words.count == 1:
    for cost in CostCase.all { print(cost.name, cost.size) }
  case "run" where words.count >= 3:
    let sizes = words.dropFirst(2).compactMap { Int($0) }.filter { $0 >= 0 }
    guard let cost = CostCase.all.first(where: { $0.name == words[1] }), sizes.count == words.count - 2 else {
      throw CostError("no such case or size: \(words.dropFirst().joined(separator: " "))")
    }
    for size in sizes { try cost.run(size) }
  default:
    throw CostError("expected 'list', or 'run CASE N...'")
  }
} catch {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
