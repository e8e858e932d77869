/// The elements that tolerant imports skipped (I18), with their faults.
struct SkippedElements {
  private struct Entry {
    var element: ImportReport.FaultyElement
    /// The faults of the element, with their locations.
    var faults: [ImportFault] = []
  }

  /// The elements, by the offsets at which they begin.
  private var entries: [Int: Entry] = [:]

  /// The elements, in payload order.
  var elements: [ImportReport.FaultyElement] { ordered.map(\.element) }

  private var ordered: [Entry] { entries.sorted { $0.key < $1.key }.map(\.value) }

  var count: Int { entries.count }

  /// Adds a fault of an element.
  ///
  /// - Parameters:
  ///   - fault: the fault, with its location.
  ///   - start: the start of the element.
  mutating func add(_ fault: ImportFault, _ start: Int, _ spot: PieceShelf.Spot, entity: String) {
    let element = ImportReport.FaultyElement(
      entityName: entity, path: spot.path, line: spot.line, sourceName: spot.sourceName, diagnostics: [])
    entries[start, default: Entry(element: element)].element.diagnostics.append(FaultReporter.diagnostic(fault))
    entries[start]?.faults.append(fault)
  }

  /// Removes an element, which is not skipped after all.
  mutating func remove(_ start: Int) { entries[start] = nil }

  /// The faults in payload order. A fault in a value that several elements read appears only once.
  var faults: [ImportFault] {
    var shared: Set<Shared> = []
    return ordered.flatMap(\.faults).filter { fault in
      !fault.isShared || shared.insert(Shared(offset: fault.offset, kind: fault.finding.kind)).inserted
    }
  }

  private struct Shared: Hashable {
    var offset: Int
    var kind: String
  }
}
