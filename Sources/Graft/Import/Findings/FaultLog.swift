/// What is wrong with a payload, as it is found: all parts of an import share it.
final class FaultLog {
  let context: ManagedObjectContext
  /// The faults so far.
  private(set) var list: FaultList
  /// The first error that a closure threw.
  private(set) var cause: (any Error)?
  private var messages: Set<String> = []
  /// Where values are that were refused by a rule of their own.
  private var refusedOffsets: Set<Int> = []

  init(_ context: ManagedObjectContext, limit: Int) {
    self.context = context
    list = FaultList(limit: limit)
  }

  var plan: Plan { context.model.plan }

  func record(_ fault: ImportFault) {
    list.append(fault)
    messages.insert(fault.message)
    if fault.code == "no-json" || fault.code == "unresolved-identifier" { refusedOffsets.insert(fault.offset) }
  }

  /// Keeps the first error that a closure threw.
  func note(_ error: (any Error)?) { if cause == nil { cause = error } }

  func hasMessage(_ message: String) -> Bool { messages.contains(message) }

  func isRefused(at offset: Int) -> Bool { refusedOffsets.contains(offset) }

  /// Stops reading when more faults were found than are wanted.
  @inline(__always)
  func stopIfFull() throws(JSONSyntaxError) {
    if list.isFull { throw JSONSyntaxError(offset: 0, problem: .stopped) }
  }

  /// Replaces the faults from a position on, one by one.
  func replace(from first: Int, _ placed: (ArraySlice<ImportFault>) -> [ImportFault]) { list.replace(from: first, placed) }

  /// Faults that may turn out not to count.
  struct Aside {
    var faults: [ImportFault] = []
    var cause: (any Error)?
  }

  /// Calls a closure whose faults are put aside.
  func aside<Result>(limit: Int, _ body: () -> Result) -> (Result, Aside) {
    let outer = (list, cause)
    (list, cause) = (FaultList(limit: limit), nil)
    let result = body()
    let aside = Aside(faults: list.faults, cause: cause)
    (list, cause) = outer
    return (result, aside)
  }

  /// Takes in faults that were put aside, for they count.
  func take(_ aside: Aside) {
    for fault in aside.faults { record(fault) }
    note(aside.cause)
  }

  // MARK: Closures

  /// Records that a closure of the program made a call that it must not make, and that could not throw (T5).
  func recordRefusedCall(at offset: @autoclosure () -> Int, length: @autoclosure () -> Int = 1) {
    guard context.activity.pointee.refusedCall != nil, let words = context.activity.pointee.takeRefusedCall() else {
      return
    }
    recordReentrancy(words, at: offset(), length: length())
  }

  /// Once: a closure that does it again has the same cause.
  func recordReentrancy(_ words: String, at offset: Int, length: Int = 1) {
    let code = "reentrant-import"
    if list.contains(where: { $0.code == code && $0.message == words }) { return }
    record(ImportFault(offset: offset, length: length, code: code, message: words))
  }
}
