/// Something that a program does n times, or with n objects, and that must cost in proportion to n.
struct CostCase: Sendable {
  /// What is counted, and what must be true when it has run.
  struct Work {
    var body: () throws -> Void
    var check: () throws -> Void

    init(_ body: @escaping () throws -> Void, check: @escaping () throws -> Void) {
      self.body = body
      self.check = check
    }
  }

  let name: String
  /// The n at which it is measured, and then at twice that.
  let size: Int
  /// Makes what the work needs, which is not counted.
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

  /// Every case.
  static let all = [importCases, hostileCases, faultCases, exportCases, graphCases, unitCases, modelCases].flatMap {
    $0
  }
}

/// What a case did that it should not have done.
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

/// Only instructions inside this function are counted: its name is the script's `--toggle-collect`.
@inline(never)
func runMeasured(_ body: () throws -> Void) throws {
  try body()
  // Without something to do at the end, the call would be a jump.
  measuredCount += 1
}
