import Foundation

/// Checks the laws of a fuzz target for inputs. `Tests/Fuzz/run` builds it with libFuzzer, and describes how.
///
///     GraftFuzz replay TARGET FILE...      checks files, such as findings
///     GraftFuzz seeds TARGET FOLDER        writes valid inputs to start fuzzing with
///     GraftFuzz length TARGET              the maximum length of inputs
///     GraftFuzz dictionary                 words that inputs may contain
///     GraftFuzz targets
///
/// If `GRAFT_FUZZ_TARGET` names a target, libFuzzer runs, and reads the arguments.
let words = Array(CommandLine.arguments.dropFirst())
let target = words.count > 1 ? FuzzTarget(rawValue: words[1]) : nil

do {
  if let fuzzed = ProcessInfo.processInfo.environment["GRAFT_FUZZ_TARGET"].flatMap(FuzzTarget.init) { try fuzz(fuzzed) }
  switch (words.first, target) {
  case ("targets", _): print(FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n"))
  case ("dictionary", _): print(FuzzWords.dictionary, terminator: "")
  case ("length", let target?): print(target.longestInput)
  case ("seeds", let target?) where words.count == 3:
    for (number, seed) in try target.seeds().enumerated() where seed.count <= target.longestInput {
      try Data(seed).write(to: URL(fileURLWithPath: words[2]).appendingPathComponent("seed-\(number)"))
    }
  case ("replay", let target?):
    for file in words.dropFirst(2) {
      do {
        try target.check(Array(try Data(contentsOf: URL(fileURLWithPath: file))))
      } catch { throw BrokenLaw("\(file): \(error)") }
    }
    print("\(words.count - 2) inputs keep the laws of \(target.rawValue)")
  default: throw BrokenLaw("usage: GraftFuzz replay TARGET FILE..., seeds TARGET FOLDER, length TARGET, or targets")
  }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
