/// An operation on n objects, or n operations, whose cost must be proportional to n.
struct CostCase: Sendable {
  /// The work that is counted, and the condition that must hold afterwards.
  struct Work {
    var body: () throws -> Void
    var check: () throws -> Void

    init(_ body: @escaping () throws -> Void, check: @escaping () throws -> Void) {
      self.body = body
      self.check = check
    }
  }

  let name: String
  /// The first size n that is measured. The second size is twice as large.
  let size: Int
  /// Creates the input of the work. This is not counted.
  let prepare: @Sendable (Int) throws -> Work

  init(_ name: String, _ size: Int, _ prepare: @escaping @Sendable (Int) throws -> Work) {
    self.name = name
    self.size = size
    self.prepare = prepare
  }

  /// Runs the case and checks its result.
  func run(_ size: Int) throws {
    let work = try prepare(size)
    try runMeasured(work.body)
    try work.check()
  }

  /// All cases.
  static let all = [
    importCases, recordCases, hostileCases, surroundingCases, faultCases, exportCases, graphCases, unitCases,
    modelCases,
  ]
  .flatMap {
    $0
  }
}

/// The error for an unexpected result of a case.
struct CostError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// Fails a case whose result is wrong.
func expect(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
  if !isRight { throw CostError("wrong result: \(what())") }
}

func expectEqual<Value: Equatable>(_ found: Value, _ expected: Value) throws {
  try expect(found == expected, "found \(found), expected \(expected)")
}

nonisolated(unsafe) private var measuredCount = 0

/// Only instructions inside this function are counted: the script passes its name to `--toggle-collect`.
@inline(never)
func runMeasured(_ body: () throws -> Void) throws {
  try body()
  // Without an instruction at the end, the compiler would turn the call into a jump.
  measuredCount += 1
}
