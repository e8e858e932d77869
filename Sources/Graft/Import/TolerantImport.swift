/// An import that skips faulty elements (I18). The payload is imported repeatedly without its faulty elements until nothing fails.
///
///     [{"id": 1}, {"id": "x"}, {"id": 3}]     is refused for its second element
///     [{"id": 1},              {"id": 3}]     is imported
///
/// The final import is an ordinary import, so no other code is affected. Each round omits at least one more element, and takes as
/// long as an import.
///
/// An element may be at fault only because of another element, which took an object that it requires or changed the entity of an
/// object. Elements with errors in their own values are removed first. Elements that were skipped because of other elements are
/// tried again at the end, one by one.
final class TolerantImport {
  private struct Piece {
    var parts: [PlannedPart]
    /// The offsets of the skipped elements.
    var skipped: Set<Int> = []
  }

  private let context: ManagedObjectContext
  private let options: ImportOptions
  private let hasReport: Bool
  private let isCommitted: Bool
  private let shelf = PieceShelf()
  private var pieces: [Piece] = []
  private var faulty = SkippedElements()
  /// Elements that were omitted because of another element, and that may be correct without that other element.
  private var dependent: [Start] = []
  /// The elements that turned out to be faulty even without the elements that are omitted.
  private var refused: [Start] = []
  /// The element that is being tried again.
  private var returned: Start?
  /// Whether nothing fails without the omitted elements.
  private var isSettled = false

  /// The maximum number of rounds. More are needed only if elements depend on each other in a long chain.
  private static let mostRounds = 100
  /// The number of faults to collect in a round, even if fewer elements may be skipped, because one element may contain many. A round
  /// that finds more ends early, and the next one continues without the elements found so far.
  private static let mostFaults = 1_000
  /// The maximum number of elements, among those skipped because of other elements, that are tried again, each in its own round.
  private static let mostReturns = 20

  init(
    _ context: ManagedObjectContext, _ options: ImportOptions, hasReport: Bool = true, isCommitted: Bool = true
  ) {
    self.context = context
    self.options = options
    self.hasReport = hasReport
    self.isCommitted = isCommitted
  }

  // MARK: Pieces

  /// Adds a piece of the payload.
  ///
  /// - Parameter origin: the later location of the piece's bytes; nil if the bytes stay in memory until the end.
  func add(_ source: PayloadSource, _ parts: [PlannedPart], _ origin: PieceShelf.Origin? = nil) {
    _ = shelf.add(source, origin)
    if origin != nil { shelf.release() }
    pieces.append(Piece(parts: parts))
  }

  // MARK: Rounds

  /// Imports all pieces, without their faulty elements.
  ///
  /// - Returns: the rows of the payload's objects, in payload order, if the payload was read in one piece.
  /// - Throws: an ``ImportError`` if there is an error outside the elements.
  func finish(_ recorder: inout ImportRecorder?) throws(ImportError) -> [UInt32] {
    let before = recorder?.checkpoint()
    for round in 1... {
      let attempt = try OpenImport(
        context, options, isCommitted: isCommitted, shelf: shelf,
        mostFaults: max(options.limits.errors, options.limits.faultyElements, TolerantImport.mostFaults),
        hasReport: hasReport)
      do throws(ImportError) {
        for index in pieces.indices { try read(index, attempt, &recorder) }
        if dependent.count > TolerantImport.mostReturns { dependent = [] }
        let isTrial = returned != nil || !dependent.isEmpty
        let roots = try attempt.finish(&recorder, isTrial: isTrial)
        if !isTrial {
          recorder?.note(faulty, options)
          return roots
        }
        keepReturned()
      } catch {
        guard let faults = attempt.refusal?.faults else { throw error }
        if returned != nil {
          skipReturned()
        } else if !skip(faults) {
          throw error
        }
        try checkLimits(round, error)
      }
      if round < TolerantImport.mostRounds { returnNext() } else { dependent = [] }
      if let before { recorder?.rewind(to: before) }
    }
    return []
  }

  private func read(
    _ index: Int, _ attempt: OpenImport, _ recorder: inout ImportRecorder?
  ) throws(ImportError) {
    guard let (source, base) = shelf[index] else { throw ImportFinding.lostPiece.error() }
    let piece = pieces[index]
    guard !piece.skipped.isEmpty else { return try attempt.read(source, at: base, piece.parts, &recorder) }
    var bytes = Array(source.bytes)
    OutermostElements(source, piece.parts, context.model.plan).blank(piece.skipped, in: &bytes)
    try LentBytes.with(bytes) { bytes throws(ImportError) in
      try attempt.read(source.replacing(bytes), at: base, piece.parts, &recorder)
    }
  }

  private func checkLimits(_ round: Int, _ error: ImportError) throws(ImportError) {
    let most = options.limits.faultyElements
    if faulty.count > most {
      let limit = ImportFinding.tooManyFaultyElements(most, options.words).error()
      throw ImportError(limit.diagnostics + error.diagnostics, underlyingError: error.underlyingError, isAtLimit: true)
    }
    if round >= TolerantImport.mostRounds, !isSettled {
      throw ImportError(
        ImportFinding.dependentElements(rounds: round).error().diagnostics + error.diagnostics,
        underlyingError: error.underlyingError)
    }
  }

  // MARK: Elements that depend on others

  /// When nothing fails, tries again the next element that was omitted because of another element.
  private func returnNext() {
    guard isSettled, !dependent.isEmpty else { return }
    let next = dependent.removeFirst()
    returned = next
    pieces[next.piece].skipped.remove(next.index)
  }

  /// Keeps the element that was tried again, because nothing failed. More elements may follow.
  private func keepReturned() {
    isSettled = true
    guard let element = returned else { return }
    returned = nil
    faulty.remove(element.offset)
    dependent = refused + dependent
    refused = []
  }

  private func skipReturned() {
    guard let element = returned else { return }
    returned = nil
    pieces[element.piece].skipped.insert(element.index)
    refused.append(element)
  }

  // MARK: Faults

  /// The start of an element.
  private struct Start: Hashable {
    var piece: Int
    /// The offset of the element's first byte in the piece, and among all the bytes read.
    var index: Int
    var offset: Int
  }

  /// A fault, and the element that contains it.
  private struct Located {
    var fault: ImportFault
    var start: Start
    var entity: Int
    /// Whether the element would be at fault in any payload.
    var isOwn: Bool
  }

  /// Omits the elements that contain the given faults.
  ///
  /// - Returns: whether there are any such elements.
  private func skip(_ faults: [ImportFault]) -> Bool {
    // A call that a closure must not make is a fault of the program.
    if faults.contains(where: { $0.finding.code == .reentrantCall }) { return false }
    var located = locate(faults)
    let own = Set(located.filter(\.isOwn).map(\.start))
    if own.isEmpty {
      for start in Set(located.map(\.start)).sorted(by: { $0.offset < $1.offset }) { dependent.append(start) }
    } else {
      located.removeAll { !own.contains($0.start) }
    }
    for found in located { pieces[found.start.piece].skipped.insert(found.start.index) }
    note(located)
    return !located.isEmpty
  }

  /// Returns the faults that lie in elements, in payload order.
  private func locate(_ faults: [ImportFault]) -> [Located] {
    var byPiece: [Int: [Int]] = [:]
    for (index, fault) in faults.enumerated() {
      if let piece = shelf.index(of: fault.offset) { byPiece[piece, default: []].append(index) }
    }
    var located: [Located] = []
    for (index, members) in byPiece.sorted(by: { $0.key < $1.key }) {
      guard let (source, base) = shelf[index] else { continue }
      let elements = OutermostElements(source, pieces[index].parts, context.model.plan)
      for member in members {
        let fault = faults[member]
        let offset = fault.offset - base
        let skipped = pieces[index].skipped
        let isLeft = { (element: OutermostElements.Element) in !skipped.contains(element.range.lowerBound) }
        let found = elements.element(at: offset, where: isLeft).map { [$0] }
        // If the error is outside the objects of a line, all objects of the line are skipped.
        for element in found ?? elements.elements(aroundWhichIs: offset).filter(isLeft) {
          let isRepeatedKey = element.hasKey && offset == element.range.lowerBound
          let isOwn = !fault.finding.isRelational && !isRepeatedKey
          let start = Start(
            piece: index, index: element.range.lowerBound, offset: base + element.range.lowerBound)
          located.append(Located(fault: fault, start: start, entity: element.entity, isOwn: isOwn))
        }
      }
    }
    return located.enumerated().sorted {
      ($0.element.fault.offset, $0.offset) < ($1.element.fault.offset, $1.offset)
    }.map(\.element)
  }

  /// Keeps the report of elements that contain errors.
  private func note(_ located: [Located]) {
    let placed = shelf.place(located.map(\.fault)[...])
    let spots = shelf.spots(of: located.map(\.start.offset))
    for (found, fault) in zip(located, placed) {
      guard let spot = spots[found.start.offset] else { continue }
      faulty.add(fault, found.start.offset, spot, entity: context.model.plan.entities[found.entity].name)
    }
  }
}
