/// One payload on its way in: its objects' entity, its bytes, and how to read them.
package struct ImportPayload {
  /// The entity of the payload's objects.
  package var entityName: String
  /// The text.
  package var bytes: [UInt8]
  /// Where in the document the objects stand.
  package var keyPath: JSONKeyPath?
  /// How to read it.
  package var options: ImportOptions

  package init(_ entityName: String, bytes: [UInt8], at keyPath: JSONKeyPath? = nil, options: ImportOptions = .init()) {
    self.entityName = entityName
    self.bytes = bytes
    self.keyPath = keyPath
    self.options = options
  }
}

/// Runs imports in a context: all or nothing (I10).
struct ImportRun {
  let context: ManagedObjectContext
  /// The payload must be one object, not an array.
  var isSingle = false

  /// Imports one payload and commits.
  ///
  /// - Returns: the rows of the payload's objects, in payload order.
  func run(
    _ bytes: UnsafeBufferPointer<UInt8>, into entity: EntityPlan, at path: JSONKeyPath?, _ options: ImportOptions,
    isText: Bool, faults: [ImportFault] = []
  ) throws(ImportError) -> [UInt32] {
    var report: ImportReport?
    let rows = try unit(bytes, entity, path, options, isText: isText, faults: faults, report: &report)
    context.state.pointee.commit()
    return rows
  }

  /// Imports one payload, commits, and says what it did.
  func report(
    _ bytes: UnsafeBufferPointer<UInt8>, into entity: EntityPlan, at path: JSONKeyPath?, _ options: ImportOptions,
    isText: Bool, faults: [ImportFault] = []
  ) throws(ImportError) -> ImportReport {
    var report: ImportReport? = emptyReport
    _ = try unit(bytes, entity, path, options, isText: isText, faults: faults, report: &report)
    context.state.pointee.commit()
    return report ?? emptyReport
  }

  /// Imports several payloads as one unit: when one fails, nothing of any is kept.
  func run(_ payloads: [ImportPayload]) throws(ImportError) -> ImportReport {
    var total = emptyReport
    try enter()
    context.closeGapsIfUnchanged()
    context.state.pointee.begin()
    context.isBusy = false
    for payload in payloads {
      var report: ImportReport? = emptyReport
      do throws(ImportError) {
        let entity = try context.importedEntity(payload.entityName)
        let bytes = payload.bytes
        _ = try ImportRun.withBytes(bytes) { bytes throws(ImportError) in
          try unit(bytes, entity, payload.keyPath, payload.options, isText: true, faults: [], report: &report)
        }
      } catch {
        context.state.pointee.rollBack()
        context.detachMissing()
        throw error
      }
      if let report { total.merge(report) }
    }
    context.state.pointee.end()
    context.state.pointee.commit()
    return total
  }

  private var emptyReport: ImportReport { ImportReport(entityNames: context.model.plan.entities.map(\.name)) }

  private func enter() throws(ImportError) {
    guard !context.isBusy else {
      throw ImportError(
        code: "reentrant-import",
        "the context is in the middle of an import: a transformer or mapper must not import into it")
    }
    context.isBusy = true
  }

  /// One payload as one unit of work on top of what is there; taken back when it fails.
  private func unit(
    _ bytes: UnsafeBufferPointer<UInt8>, _ entity: EntityPlan, _ path: JSONKeyPath?, _ options: ImportOptions,
    isText: Bool, faults: [ImportFault], report: inout ImportReport?
  ) throws(ImportError) -> [UInt32] {
    try enter()
    defer { context.isBusy = false }
    let state = context.state
    context.closeGapsIfUnchanged()
    state.pointee.begin()
    var importer = PayloadImporter(bytes, plan: context.model.plan, state: state, options: options)
    importer.context = context
    importer.faults = faults
    importer.isSingle = isSingle
    defer { importer.free() }
    let reporter = FaultReporter(bytes: bytes, isText: isText, options: options)
    do throws(JSONSyntaxError) {
      try importer.importAll(entity.index, at: path)
    } catch {
      takeBack()
      var error = error
      // What a dictionary transformer gave has no place of its own in the payload.
      if let outer = importer.outerInputs.first { error.offset = outer.offset }
      if error.problem == .stopped { throw reporter.error(importer.faults, cause: importer.cause) }
      throw reporter.error(error, after: importer.faults, cause: importer.cause)
    }
    guard importer.faults.isEmpty else {
      takeBack()
      throw reporter.error(importer.faults, cause: importer.cause)
    }
    if report != nil { ReportWriter(state: state).write(into: &report) }
    state.pointee.end()
    return importer.roots
  }

  private func takeBack() {
    context.state.pointee.rollBack()
    context.detachMissing()
  }

  static func withBytes<Result>(
    _ bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) throws(ImportError) -> Result
  ) throws(ImportError) -> Result {
    try bytes.withUnsafeBufferPointer { buffer throws(ImportError) in try body(buffer) }
  }
}

/// Reads off the touched rows what an import did (D10).
struct ReportWriter {
  let state: UnsafeMutablePointer<GraphState>

  func write(into report: inout ImportReport?) {
    struct Place: Hashable {
      var table: Int
      var row: UInt32
    }
    var before: [Place: UInt64] = [:]
    for entry in state.pointee.journal.elements where entry.kind == .word && entry.word == 0 {
      let place = Place(table: entry.table, row: entry.row)
      if before[place] == nil { before[place] = entry.old }
    }
    report?.entries.reserveCapacity(state.pointee.touched.count)
    for touch in state.pointee.touched.elements {
      let table = Int(touch.table)
      let header = state.pointee.row(table, touch.row)[0]
      let isPlaceholder = header & RowHeader.placeholder != 0
      let status: ImportReport.Status
      if Int(touch.row) >= state.pointee.tables[table].firstNewRow {
        if header & RowHeader.deleted != 0 { continue }
        status = isPlaceholder ? .placeholder : .inserted
      } else if header & RowHeader.deleted != 0 {
        status = .deleted
      } else if !isPlaceholder, !before.isEmpty,
        let old = before[Place(table: table, row: touch.row)], old & RowHeader.placeholder != 0
      {
        status = .filled
      } else if header & RowHeader.described != 0 {
        status = header & RowHeader.changed != 0 ? .updated : .unchanged
      } else {
        continue
      }
      report?.entries.append(
        ImportReport.Entry(
          table: touch.table, row: touch.row, entity: Int32(RowHeader.entity(header)), status: status))
    }
  }
}
