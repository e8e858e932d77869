/// The errors of a payload, in the order in which they are found. All parts of an import share one log.
final class FaultLog {
  let context: ManagedObjectContext
  /// The faults so far.
  private(set) var list: FaultList
  /// The first error that a closure threw.
  private(set) var cause: (any Error)?
  private var messages: Set<String> = []
  /// The largest offset of a fault.
  private var lastOffset = -1
  /// The offsets of the faults; nil until they are first needed.
  private var offsets: Set<Int>?
  /// The offsets of values that violate a rule of their own attribute.
  private var refusedOffsets: Set<Int> = []
  /// The recorded faults that several objects share.
  private var shared: Set<SharedFault> = []
  /// The number of running closures whose faults are kept separately.
  private var openAsides = 0

  private struct SharedFault: Hashable {
    var offset: Int
    var kind: String
  }

  /// The probable mistakes that are not errors.
  let suspicions: Suspicions

  init(_ context: ManagedObjectContext, limit: Int, keepsAll: Bool, findsWarnings: Bool) {
    self.context = context
    suspicions = Suspicions(entityCount: context.model.plan.entities.count, isWanted: findsWarnings)
    list = FaultList(limit: limit, keepsAll: keepsAll)
  }

  var plan: Plan { context.model.plan }

  /// Records a finding at an offset in the payload.
  func record(_ finding: ImportFinding, at offset: Int, length: Int = 1) {
    record(ImportFault(finding, at: offset, length: length))
  }

  func record(_ fault: ImportFault) {
    if fault.isShared, openAsides == 0,
      !shared.insert(SharedFault(offset: fault.offset, kind: fault.finding.kind)).inserted
    {
      return
    }
    // The values that identify an object may be read again once the object is known.
    if fault.offset <= lastOffset, isKnown(fault) { return }
    lastOffset = max(lastOffset, fault.offset)
    offsets?.insert(fault.offset)
    list.append(fault)
    messages.insert(fault.finding.message)
    if fault.finding.code == .notJSON || fault.finding.code == .unresolvedIdentifier {
      refusedOffsets.insert(fault.offset)
    }
  }

  private func isKnown(_ fault: ImportFault) -> Bool {
    let known = offsets ?? Set(list.faults.map(\.offset))
    offsets = known
    return known.contains(fault.offset) && list.contains { $0.isSame(as: fault) }
  }

  /// Keeps the first error that a closure threw.
  func note(_ error: (any Error)?) { if cause == nil { cause = error } }

  func hasMessage(_ message: String) -> Bool { messages.contains(message) }

  func isRefused(at offset: Int) -> Bool { refusedOffsets.contains(offset) }

  /// Stops reading if more faults were found than are wanted.
  @inline(__always)
  func stopIfFull() throws(JSONSyntaxError) {
    if list.isFull { throw JSONSyntaxError(offset: 0, problem: .stopped) }
  }

  /// Replaces the faults from a position onward, one by one.
  func replace(from first: Int, _ placed: (ArraySlice<ImportFault>) -> [ImportFault]) {
    list.replace(from: first, placed)
    offsets = nil
  }

  /// Faults that may turn out not to matter.
  struct Aside {
    var faults: [ImportFault] = []
    var cause: (any Error)?
  }

  /// Calls a closure whose faults are kept separately.
  func aside<Result>(limit: Int, _ body: () -> Result) -> (Result, Aside) {
    let outer = (list, cause)
    (list, cause, offsets) = (FaultList(limit: limit), nil, nil)
    openAsides += 1
    let result = body()
    openAsides -= 1
    let aside = Aside(faults: list.faults, cause: cause)
    (list, cause) = outer
    offsets = nil
    return (result, aside)
  }

  /// Adds faults that were kept separately and turned out to matter.
  func take(_ aside: Aside) {
    for fault in aside.faults { record(fault) }
    note(aside.cause)
  }

  // MARK: Closures

  /// Records that a closure of the program made a forbidden call, even if the closure caught the error (T5).
  func recordRefusedCall(at offset: @autoclosure () -> Int, length: @autoclosure () -> Int = 1) {
    guard context.activity.pointee.refusedCall != nil, let call = context.activity.pointee.takeRefusedCall() else {
      return
    }
    recordOnce(.refusedCall(call), at: offset(), length: length())
  }

  /// Records the error that a closure threw. If a call by the closure was rejected earlier, that call is also recorded, because it caused
  /// the error.
  func recordThrown(_ finding: ImportFinding, _ error: any Error, at offset: Int, length: Int = 1) {
    note(error)
    let call = context.activity.pointee.takeRefusedCall()
    if let call { recordOnce(.refusedCall(call), at: offset, length: length) }
    guard let words = ProgramClosure.refusal(in: error) else {
      return record(finding, at: offset, length: length)
    }
    if call == nil {
      recordOnce(.refusedCall(.init(code: .reentrantCall, words: words)), at: offset, length: length)
    }
  }

  /// Records a finding only once, because the cause is the same if a closure repeats the call.
  private func recordOnce(_ finding: ImportFinding, at offset: Int, length: Int) {
    if list.contains(where: { $0.finding.code == finding.code && $0.finding.message == finding.message }) { return }
    record(finding, at: offset, length: length)
  }

  func refuseHook(_ hook: String, _ error: any Error, _ entity: Int, at start: Int) {
    recordThrown(.hookFailed(hook, plan.entities[entity], error), error, at: start)
  }

  // MARK: Entities

  /// - Parameter start: the start of the discriminator's value; for a closure, which may have read any value, the opening brace.
  func refuseAnswer(_ answer: String, _ declared: EntityPlan, mapper: String?, at start: Int, length: Int = 1) {
    let legal = declared.concreteAndSubentities.map { plan.entities[$0].name }
    record(.wrongEntity(answer, declared, mapper: mapper, legal: legal), at: start, length: length)
  }

  func refuseEntity(_ own: Int, expected: Int, at start: Int) {
    record(.entityConflict(plan.entities[own], expected: plan.entities[expected]), at: start)
  }

  func refuseAbstract(_ entity: Int, at start: Int) {
    let entity = plan.entities[entity]
    if case .table(let path, let entities) = entity.mapper {
      record(.abstractEntity(entity, mapper: (path, entities.discriminators)), at: start)
    } else {
      record(.abstractEntity(entity, mapper: nil), at: start)
    }
  }
}
