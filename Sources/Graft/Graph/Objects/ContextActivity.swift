#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A reader of a context's graph that copies it before it changes; see ``ParentSnapshot``.
protocol GraphReader: AnyObject {
  /// Copies the graph, unless that has been done, and reads the copy from now on.
  func copyGraph()
}

/// The work in progress in a context, and the closure of the program that it is calling. Calls that the closure must not make
/// are refused, with an error that names it (T5).
///
/// Accessed through a pointer, so that calling a closure costs only two more stores.
struct ContextActivity {
  /// Work that calls closures of the program.
  enum Work: UInt8 {
    case none, importing, exporting, validating

    var nounPhrase: String {
      switch self {
      case .none: "nothing"
      case .importing: "an import"
      case .exporting: "an export"
      case .validating: "a validation"
      }
    }
  }

  var work: Work { Work(rawValue: flags & ~ContextActivity.isRead).unsafelyUnwrapped }
  /// The work, and whether child contexts read the graph itself. Both are in one byte, so a call that changes the graph needs
  /// only one comparison.
  private var flags: UInt8 = 0
  private static var isRead: UInt8 { 0x80 }
  /// The readers of the graph itself, until it changes; see ``ManagedObjectContext/willChange()``.
  private var readers: [WeakReader] = []
  /// The closure that is running.
  var closure = ProgramClosure.unknown
  /// A call of a closure that was refused.
  struct RefusedCall {
    var code: DiagnosticCode
    /// The message.
    var words: String
  }

  /// The first such call, even if the closure caught its error. The work fails because of it.
  var refusedCall: RefusedCall?
  /// Whether a missing required value reads as nil, because objects are being sorted by it, and whether such a value was missing.
  var missing: (isNil: Bool, occurred: Bool) = (false, false)
  /// A counter that grows with each call that may change the graph. Children of the context compare it.
  private(set) var calls: UInt = 0
  /// The thread that does the work.
  private var thread = pthread_self()

  mutating func begin(_ work: Work) {
    flags = flags & ContextActivity.isRead | work.rawValue
    closure = .unknown
    thread = pthread_self()
    if work == .importing { calls &+= 1 }
  }

  mutating func noteCall() { calls &+= 1 }

  mutating func end() { flags &= ContextActivity.isRead }

  /// Whether a call can change the graph right away: no work is in progress, and no child context reads the graph itself.
  @inline(__always) var isFree: Bool { flags == 0 }

  /// Adds a reader of the graph itself.
  mutating func add(_ reader: any GraphReader) {
    readers.removeAll { $0.reader == nil }
    readers.append(WeakReader(reader: reader))
    flags |= ContextActivity.isRead
  }

  /// Removes and returns the readers of the graph itself.
  mutating func takeReaders() -> [any GraphReader] {
    defer { readers = [] }
    flags &= ~ContextActivity.isRead
    return readers.compactMap(\.reader)
  }

  private struct WeakReader {
    weak var reader: (any GraphReader)?
  }

  mutating func takeRefusedCall() -> RefusedCall? {
    defer { refusedCall = nil }
    return refusedCall
  }

  /// Whether the current thread does the work and runs its closures. Calls on other threads do not come from these closures.
  var isOnItsThread: Bool { pthread_equal(thread, pthread_self()) != 0 }
}

extension Reference<ContextActivity> {
  /// Calls a closure of the program.
  @inline(__always)
  func run<Result, Failure: Error>(
    _ closure: ProgramClosure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = pointee.closure
    let isOutermost = pointee.work == .none
    // Outside imports and exports, only validations run.
    if isOutermost { pointee.begin(.validating) }
    pointee.closure = closure
    defer {
      pointee.closure = outer
      if isOutermost { pointee.end() }
    }
    return try body()
  }
}

/// A closure of the program that the library calls during its work. This is plain data; its name is computed only if needed.
enum ProgramClosure {
  /// A conversion of a type that the program defines, or the description of its error.
  case unknown
  case valueTransformer(index: Int)
  case reverseTransformer(entity: Int, slot: Int)
  case dictionaryTransformer(entity: Int)
  case entityMapper(entity: Int)
  case shouldImport(entity: Int)
  case willImport(entity: Int)
  case didImport(entity: Int)
  case deleteWhere(entity: Int)
  case valueValidation(entity: Int, slot: Int)
  case objectValidation(entity: Int)

  /// Whether the closure may change the graph, because everything has been read when it runs.
  var isEditing: Bool {
    if case .didImport = self { return true }
    return false
  }

  /// Returns the message if an error comes from a call that the closure must not make; nil for any other error.
  static func refusal(in error: any Error) -> String? {
    switch error {
    case let error as any DiagnosticError:
      guard let first = error.diagnostics.first else { return nil }
      return first.code == .reentrantCall ? first.message : nil
    case DecodingError.dataCorrupted(let context): return context.underlyingError.flatMap(refusal)
    case EncodingError.invalidValue(_, let context): return context.underlyingError.flatMap(refusal)
    default: return nil
    }
  }

  /// Returns the name for messages.
  func name(_ plan: Plan) -> String {
    switch self {
    case .unknown: return "a closure"
    case .valueTransformer(let index): return "the transformer '\(plan.transformers[index].name)'"
    case .reverseTransformer(let entity, let slot):
      return "the reverse of the transformer '\(plan.entities[entity].properties[slot].transformer?.name ?? "")'"
    case .dictionaryTransformer(let entity):
      return "the dictionary transformer '\(plan.entities[entity].dictionaryTransformer?.name ?? "")'"
    case .entityMapper(let entity):
      guard case .closure(let name, _) = plan.entities[entity].mapper else { return "the entity mapper" }
      return "the entity mapper '\(name)'"
    case .shouldImport(let entity): return "'shouldImport' of '\(plan.entities[entity].name)'"
    case .willImport(let entity): return "'willImport' of '\(plan.entities[entity].name)'"
    case .didImport(let entity): return "'didImport' of '\(plan.entities[entity].name)'"
    case .deleteWhere(let entity): return "the 'deleteWhere' closure for '\(plan.entities[entity].name)'"
    case .valueValidation(let entity, let slot):
      return "a validation of '\(plan.entities[entity].name).\(plan.entities[entity].properties[slot].name)'"
    case .objectValidation(let entity): return "a validation of '\(plan.entities[entity].name)'"
    }
  }
}

extension ManagedObjectContext {
  /// Whether an import, an export or a validation is under way.
  var isBusy: Bool { activity.pointee.work != .none }

  /// Returns the reason why the running closure must not make a call; nil if it may, or if none is running. If it must not, the work
  /// fails, regardless of what the closure does with the error.
  ///
  /// - Parameters:
  ///   - call: the call, as a verb phrase.
  ///   - isForHooks: whether the call only changes objects, which `didImport` may do at the end of an import.
  func refusal(of call: @autoclosure () -> String, isForHooks: Bool = false) -> String? {
    guard isBusy else { return nil }
    let work = activity.pointee.work.nounPhrase
    precondition(
      activity.pointee.isOnItsThread,
      "the context is used by two threads at once: one tries to \(call()) while another is in the middle of \(work). A context and its objects belong to the isolation that created them; to share a context, use 'BackgroundContext'"
    )
    if isForHooks, activity.pointee.closure.isEditing { return nil }
    let words =
      "\(activity.pointee.closure.name(model.plan)) must not \(call()): the context is in the middle of \(work)"
    noteRefusedCall(.reentrantCall, words)
    return words
  }

  /// Throws if a closure that may only read makes a call that changes objects (T5).
  func checkUse(_ call: @autoclosure () -> String) throws(PropertyError) {
    activity.pointee.noteCall()
    if activity.pointee.isFree { return }
    willChange()
    if let words = refusal(of: call(), isForHooks: true) { throw PropertyError(.reentrantCall, words) }
  }

  /// Whether a closure makes a call that it must not make, and that cannot throw. The call is ignored, and the work fails (T5).
  func isReentrant(_ call: @autoclosure () -> String, isForHooks: Bool = true) -> Bool {
    activity.pointee.noteCall()
    if activity.pointee.isFree { return false }
    willChange()
    return refusal(of: call(), isForHooks: isForHooks) != nil
  }

  /// Whether a closure makes a call that it must not make, although the call does not change the graph (T5).
  func isRefused(_ call: @autoclosure () -> String) -> Bool { refusal(of: call()) != nil }

  /// Whether a missing required value reads as nil. Records that one was missing.
  func isMissingNil() -> Bool {
    guard activity.pointee.missing.isNil else { return false }
    activity.pointee.missing.occurred = true
    return true
  }

  private func noteRefusedCall(_ code: DiagnosticCode, _ words: String) {
    if activity.pointee.refusedCall == nil {
      activity.pointee.refusedCall = ContextActivity.RefusedCall(code: code, words: words)
    }
  }

  /// Returns whether a closure of the program is running, whose read of a missing or invalid value then fails the work (I20).
  func isReadInClosure(_ words: String, advice: String? = "check 'isPlaceholder' first, or read an optional value")
    -> Bool
  {
    guard isBusy, activity.pointee.isOnItsThread else { return false }
    noteRefusedCall(
      .missingValue,
      "\(activity.pointee.closure.name(model.plan)) reads \(words)\(advice.map { "; \($0)" } ?? "")"
    )
    return true
  }
}
