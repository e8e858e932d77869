#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The work in progress in a context, and the closure of the program that it is calling. Calls that the closure must not make
/// are refused, with an error that names the closure (T5).
///
/// The activity is accessed through a pointer, so that calling a closure costs only two more writes to memory.
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
  /// A refused call that a closure made.
  struct RefusedCall {
    var code: DiagnosticCode
    /// The message.
    var words: String
  }

  /// The first refused call, even if the closure caught the error. The work fails because of this call.
  var refusedCall: RefusedCall?
  /// `isNil` is whether a missing required value reads as nil, as when objects are sorted by the value. `occurred` is whether such a value
  /// was missing.
  var missing: (isNil: Bool, occurred: Bool) = (false, false)
  /// A counter that grows with each call that may change the graph. Child contexts compare this counter to detect changes.
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

  /// Whether a call can change the graph right away, because no work is in progress and no child context reads the graph itself.
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

  /// Records a refused call, unless an earlier refused call has been recorded.
  mutating func noteRefusedCall(_ code: DiagnosticCode, _ words: String) {
    if refusedCall == nil { refusedCall = RefusedCall(code: code, words: words) }
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
