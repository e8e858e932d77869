import Foundation

// Runs one case at one size, so that its instructions can be counted: see Tests/Costs/run.
//
//     GraftCosts list            prints each case with the size at which it is measured
//     GraftCosts run CASE N      exits with status 0 if the result of the case is correct

do {
  let words = Array(CommandLine.arguments.dropFirst())
  switch words.first {
  case "list" where words.count == 1:
    for cost in CostCase.all { print(cost.name, cost.size) }
  case "run" where words.count == 3:
    guard let cost = CostCase.all.first(where: { $0.name == words[1] }), let size = Int(words[2]), size >= 0 else {
      throw CostError("no such case or size: \(words[1]) \(words[2])")
    }
    try cost.run(size)
  default:
    throw CostError("expected 'list', or 'run CASE N'")
  }
} catch {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
