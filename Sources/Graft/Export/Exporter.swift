#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes objects as JSON: rows to bytes, in one pass, without recursion (E1-E4).
///
///     object frame   step 3 of Hero: "powers":
///     list frame     row 2 of 5
///     object frame   step 0 of Power          <- written next
struct Exporter {
  let source: ExportSource
  var steps: ExportSteps
  var document = ExportedDocument()
  var objects: WrittenObjects
  /// The destination of finished pieces; nil if the export is returned as a whole.
  var pieces: ExportPieces?

  var output = JSONOutput()
  var frames = PlainStack<Frame>(capacity: 32)
  /// Rows of the lists that are open.
  var rows = PlainStack<UInt32>(capacity: 64)
  /// The starts of the open groups, for removing empty groups.
  var groupStarts = PlainStack<Int>()
  /// The number of open arrays and objects.
  private(set) var depth = 0
  var paths = PathFacts()
  var keyHolders = KeyHolders()
  /// Values of enclosing objects that other objects read (M19).
  var outsideMemory = OutsideMemory()
  /// The error for a refused call by a closure that was run only for its result.
  private var refusal: ExportError?

  init(_ context: ManagedObjectContext, _ options: ExportOptions) throws(ExportError) {
    source = ExportSource(context, options)
    steps = try ExportSteps(source.plan, options)
    objects = WrittenObjects(limit: options.maxObjects ?? Exporter.defaultObjectLimit(source.state))
  }

  /// The default depth limit of imports.
  static let importedDepth = 512

  private static func defaultObjectLimit(_ state: Reference<GraphState>) -> Int {
    1_000_000 + 16 * (0..<state.tableCount).reduce(0) { $0 + state.tables[$1].rowCount }
  }

  mutating func free() {
    output.free()
    frames.free()
    rows.free()
    groupStarts.free()
  }

  // MARK: Roots

  static func data(of object: ManagedObject, _ options: ExportOptions) throws(ExportError) -> Data {
    var exporter = try Exporter(object.context, options)
    defer { exporter.free() }
    if options.writesLines {
      let place = (table: object.table, row: object.number)
      try check([object])
      try exporter.write([place], as: nil, isKeyed: false, mayRepeat: false, isReadAsEntity: false)
    } else {
      try exporter.write(object)
    }
    return exporter.result()
  }

  /// Returns the export of an object and, for text that transformers wrote, the stored values by offset.
  static func dataAndStoredValues(
    of object: ManagedObject, _ options: ExportOptions
  ) throws(ExportError) -> (data: Data, stored: [Int: AttributeValue]) {
    var options = options
    // The offsets refer to the text without line breaks and indentation.
    options.indents = false
    options.writesLines = false
    var exporter = try Exporter(object.context, options)
    defer { exporter.free() }
    exporter.output.beginNotingStored()
    exporter.document = ExportedDocument(isForImports: false)
    try exporter.write(object)
    let stored = Dictionary(
      (exporter.output.stored ?? []).map { ($0.offset, $0.value) }, uniquingKeysWith: { _, last in last })
    return (exporter.result(), stored)
  }

  mutating func write(_ object: ManagedObject) throws(ExportError) {
    try Exporter.check([object])
    try writing { exporter throws(ExportError) in
      exporter.state.loadRow(object.table, object.number)
      let row = exporter.reader.row(object.table, object.number)
      let layout = exporter.layouts + row.entity
      if row.isPlaceholder, exporter.document.isForImports {
        try exporter.placeholder(object)
      } else if exporter.source.graph.hasKeyFirst(layout) {
        // The key of the object can only be written in an enclosing object.
        try exporter.keyed([(object.table, object.number)], as: nil, isSingle: true)
      } else {
        exporter.document.begin(.object)
        try exporter.requireHome(object.table, object.number, index: nil)
        try exporter.root(object.table, object.number, as: row.entity)
      }
    }
  }

  /// Writes a placeholder as its identifier (E2): importing anything else would turn it into a full object.
  private mutating func placeholder(_ object: ManagedObject) throws(ExportError) {
    let row = reader.row(object.table, object.number)
    document.begin(.object)
    guard hasIdentifierForm(row, as: row.entity), try identifier(object.table, object.number) else {
      throw ExportError(
        code: .unreadableObject,
        "'\(object)' is a placeholder, and an import cannot read its identifier: import the object first")
    }
  }

  static func data(of objects: [ManagedObject], _ options: ExportOptions) throws(ExportError) -> Data {
    guard let context = objects.first?.context else { return empty(options) }
    try check(objects)
    let places = objects.map { (table: $0.table, row: $0.number) }
    return try data(of: places, in: context, options, as: commonEntity(places, in: context), mayRepeat: true)
  }

  /// The export of no objects.
  static func empty(_ options: ExportOptions) -> Data { Data((options.writesLines ? "" : "[]").utf8) }

  /// The nearest entity that all objects belong to; nil if there is no such entity.
  static func commonEntity(
    _ places: [(table: Int, row: UInt32)], in context: ManagedObjectContext
  ) -> EntityPlan? {
    let layouts = context.model.plan.layouts
    var common: EntityPlan?
    for (index, place) in places.enumerated() {
      let entity = context.state.row(place.table, place.row).entity
      if index == 0 { common = context.model.plan.entities[entity] }
      if entity == common?.index { continue }
      while let candidate = common, !layouts[entity].isKind(of: layouts[candidate.index]) { common = candidate.parent }
    }
    return common
  }

  /// - Parameters:
  ///   - entity: the nearest entity that all objects belong to; nil if there is no such entity.
  ///   - isReadAsEntity: whether an import certainly expects objects of that entity.
  static func data(
    of places: [(table: Int, row: UInt32)], in context: ManagedObjectContext, _ options: ExportOptions,
    as entity: EntityPlan?, isKeyed: Bool = true, mayRepeat: Bool = false, isReadAsEntity: Bool = false
  ) throws(ExportError) -> Data {
    if options.rootsOnly {
      return try data(
        ofRoots: places, in: context, options, as: entity, isKeyed: isKeyed, mayRepeat: mayRepeat,
        isReadAsEntity: isReadAsEntity)
    }
    var exporter = try Exporter(context, options)
    exporter.output.reserve(forObjects: places.count)
    defer { exporter.free() }
    try exporter.write(places, as: entity, isKeyed: isKeyed, mayRepeat: mayRepeat, isReadAsEntity: isReadAsEntity)
    return exporter.result()
  }

  /// Writes an array of objects, a collection by keys, or lines.
  mutating func write(
    _ places: [(table: Int, row: UInt32)], as entity: EntityPlan?, isKeyed: Bool, mayRepeat: Bool,
    isReadAsEntity: Bool
  ) throws(ExportError) {
    try writing { exporter throws(ExportError) in
      if exporter.hasStore { for place in places { exporter.state.loadRow(place.table, place.row) } }
      if isReadAsEntity, let entity { try exporter.requireReadable(places, as: entity) }
      if exporter.source.options.writesLines { return try exporter.lines(places, as: entity) }
      exporter.descend()
      if exporter.source.options.maxDepth < 1 { throw exporter.tooDeep("the collection of objects") }
      if isKeyed, exporter.areKeyed(places, as: entity) {
        exporter.ascend()
        try exporter.keyed(places, as: entity, isSingle: false, mayRepeat: mayRepeat)
        return
      }
      exporter.output.byte(UInt8(ascii: "["))
      for place in places {
        try exporter.element(place.table, place.row, as: entity)
        try exporter.endElement()
      }
      exporter.output.byte(UInt8(ascii: "]"))
    }
  }

  mutating func result() -> Data {
    source.options.indents ? Data(JSONIndenter.indented(output.bytes)) : output.takeData()
  }

  static func check(_ objects: [ManagedObject]) throws(ExportError) {
    for object in objects {
      precondition(object.context === objects[0].context, "'\(object)' belongs to another context")
      if object.isDeleted { throw ExportError(code: .deletedObject, "'\(object)' was deleted") }
    }
  }

  /// Runs the writing while closures must not change the context (T5), and always unmarks every object afterward.
  mutating func writing(
    _ body: (inout Exporter) throws(ExportError) -> Void
  ) throws(ExportError) {
    if let words = source.context.refusal(of: "export") { throw ExportError(code: .reentrantCall, words) }
    source.context.activity.pointee.begin(.exporting)
    defer {
      source.context.activity.pointee.end()
      source.context.activity.pointee.refusedCall = nil
    }
    do throws(ExportError) {
      try body(&self)
      // The length is otherwise checked at the end of each object. The end of the array follows the last object, so it is checked here.
      try checkLength()
      let call = source.context.activity.pointee.takeRefusedCall().map { ExportError(code: $0.code, $0.words) }
      if let refusal = refusal ?? call { throw refusal }
      try throwStoreFailure()
    } catch {
      for index in 0..<frames.count where frames[index].kind == .object {
        reader.row(frames[index].table, frames[index].row).isOnPath = false
      }
      forgetWritten()
      throw error
    }
  }

  /// Runs a closure that examines its own output.
  mutating func examining<Result>(
    _ body: (inout Exporter) throws(ExportError) -> Result
  ) throws(ExportError) -> Result {
    output.isExamined = true
    defer { output.isExamined = false }
    return try body(&self)
  }

  /// If an error comes from a call that a closure must not make (T5), keeps the error, so that the export fails at its end.
  mutating func noteRefusedCall(in error: any Error) {
    if let words = ProgramClosure.refusal(in: error) { refusal = ExportError(code: .reentrantCall, words) }
  }

  /// Throws if the store failed: in that case, values that could not be loaded were read as absent.
  private func throwStoreFailure() throws(ExportError) {
    do { try source.context.binding?.throwFailure() } catch {
      throw ExportError(diagnostics: error.diagnostics, underlyingError: error)
    }
  }

  /// Writes an element of the array that is the export. A placeholder that has no identifier in that array is left out (E2).
  private mutating func element(_ table: Int, _ number: UInt32, as declared: EntityPlan?) throws(ExportError) {
    let row = reader.row(table, number)
    if isIdentifier(row) {
      if hasIdentifierForm(row, as: declared?.index ?? row.entity) {
        separate()
        if try identifier(table, number) {
          document.countElement()
          return
        }
      } else if row.isPlaceholder {
        return
      }
    }
    try requireHome(table, number, index: document.count)
    document.countElement()
    separate()
    try requirePlace(table, number)
    try root(table, number, as: declared?.index ?? row.entity)
  }

  mutating func root(_ table: Int, _ number: UInt32, as declared: Int) throws(ExportError) {
    let row = reader.row(table, number)
    if let misfit = misfit(row),
      !layouts[row.entity].forms.readsElements || fitsBare(row, as: declared, back: -1) != true
    {
      throw tooDeep(row, misfit)
    }
    if layouts[row.entity].forms.readsElements {
      try element(table, number, as: declared, back: -1)
    } else {
      try open(table, number, back: -1)
    }
    try run()
    forgetWritten()
  }

  mutating func forgetWritten(from first: Int = 0) {
    objects.forgetListed(from: first, reader)
  }

  @inline(__always) mutating func descend() { depth += 1 }
  @inline(__always) mutating func ascend() { depth -= 1 }

  // MARK: The loop

  mutating func run() throws(ExportError) {
    while frames.count > 0 {
      switch frames.last.pointee.kind {
      case .object: try members()
      case .list: try elements()
      case .keyed: try keyedElements()
      }
    }
  }

  /// Writes members until the object ends, or a member with objects begins.
  mutating func members() throws(ExportError) {
    // A pointer, because copying the frame is expensive; it is valid until a relationship opens another frame.
    let frame = frames.last
    if frame.pointee.mayBeNull, try leaveOutNull() { return }
    let row = reader.row(frame.pointee.table, frame.pointee.row)
    let entity = frame.pointee.entity
    let back = frame.pointee.back
    let layout = layouts + entity
    let count = steps.count(entity)
    let steps = self.steps[entity]
    var index = frame.pointee.step
    while index < count {
      let step = steps + index
      index += 1
      switch step.pointee.action {
      case .attribute:
        let slot = layout.pointee.slots + step.pointee.slot
        guard row.isSet(slot) else {
          noValue(step, row)
          continue
        }
        if plainMember(step, row[slot], slot.pointee.kind) { continue }
        key(step)
        if keepsValue(row[slot], slot, step.pointee.writing) { continue }
        try attribute(row, slot, step.pointee.writing, entity, step.pointee.slot)
      case .discriminator:
        key(step)
        if let mapped = step.pointee.discriminator { discriminator(mapped, row) }
      case .part: try part(index - 1, row, back)
      case .reference, .unwritten:
        if let lost = try lostReference(step, row, back, next: index) {
          frame.pointee.begin(index, output.count, objects.listed.count)
          try leaveOut(lost)
          return
        }
      case .openGroup:
        if depth < source.options.maxDepth {
          // In most groups, at least one value is not nil, often the first.
          let first = steps + index
          let hasValue =
            first.pointee.action == .attribute && row.isSet(layout.pointee.slots + first.pointee.slot)
            || source.options.omitsNil
          if !hasValue, let next = endOfNilGroup(index, row, frame.pointee) {
            key(step)
            output.raw("null")
            index = next
            continue
          }
          openGroup(step)
          continue
        }
        let next = groupEnd(index, entity)
        if let lost = objectInGroup(index, next, row, frame.pointee) {
          frame.pointee.begin(next, output.count, objects.listed.count)
          try leaveOut(lost)
          return
        }
        nullGroup(index, next, row, frame.pointee)
        index = next
      case .closeGroup:
        closeGroup()
      case .toOne:
        if step.pointee.slot == back, !step.pointee.sharesKey || !isNeeded(index - 1, row, back) { continue }
        if try toOne(row, layout.pointee.slots + step.pointee.slot, step, index) { return }
      case .toMany:
        if step.pointee.slot == back { continue }
        if try toMany(row, layout.pointee.slots + step.pointee.slot, step, index) { return }
      case .shared:
        if try shared(row, layout.pointee.slots + step.pointee.slot, step, index) { return }
      }
    }
    try endObject(row)
  }

  /// Writes the member of an attribute without a value.
  @inline(__always)
  private mutating func noValue(_ step: PlanReference<ExportStep>, _ row: Row) {
    if let mapped = step.pointee.discriminator {
      key(step)
      discriminator(mapped, row)
    } else if !source.options.omitsNil {
      key(step)
      output.raw("null")
    }
  }

  /// Opens the object that several key paths share.
  private mutating func openGroup(_ step: PlanReference<ExportStep>) {
    groupStarts.append(output.count)
    key(step)
    output.byte(UInt8(ascii: "{"))
    descend()
  }

  /// Closes the object, or removes it if it is empty.
  private mutating func closeGroup() {
    ascend()
    if output.last == UInt8(ascii: "{") {
      output.truncate(to: groupStarts.last.pointee)
    } else {
      output.byte(UInt8(ascii: "}"))
    }
    groupStarts.truncate(to: groupStarts.count - 1)
  }

  @inline(__always)
  private mutating func endObject(_ row: Row) throws(ExportError) {
    if !frames.last.pointee.isShared {
      output.byte(UInt8(ascii: "}"))
      ascend()
    }
    row.isOnPath = false
    frames.truncate(to: frames.count - 1)
    try checkLength()
  }

  @inline(__always)
  private mutating func checkLength() throws(ExportError) {
    guard let limit = source.options.maxBytes, (pieces?.bytes ?? 0) + output.count > limit else { return }
    let name = source.options.words.maxBytes.map { " (\($0))" } ?? ""
    throw ExportError(code: .limitBytes, "the export is longer than the limit of \(limit) bytes\(name)")
  }

  @inline(__always)
  mutating func key(_ step: PlanReference<ExportStep>) {
    output.member(step.pointee.prefix)
  }

  mutating func key(_ step: ExportStep) {
    output.member(step.prefix)
  }

  /// Writes a discriminator, as a number or boolean if payloads have one (E4).
  mutating func discriminator(_ mapped: ExportStep.Discriminator, _ row: Row) {
    if row.hasBareDiscriminator {
      output.raw(mapped.bareText)
    } else {
      output.raw(mapped.text)
    }
  }

  // MARK: Objects

  /// Begins and counts an object.
  ///
  /// - Parameter isShared: whether the object's members are written into the dictionary of the innermost object (M23).
  @inline(__always)
  mutating func open(_ table: Int, _ number: UInt32, back: Int, isShared: Bool = false) throws(ExportError) {
    objects.count += 1
    if objects.count > objects.limit { try raiseLimit() }
    let row = reader.row(table, number)
    row.isOnPath = true
    if source.isObserved { source.context.hub.noteObject(table, number, slots: layouts[row.entity].slotCount) }
    if source.options.rootsOnly { objects.begin(RowPlace(table: table, row: number), at: output.count) }
    if source.options.sharedObjects == .once { objects.list(RowPlace(table: table, row: number), row) }
    frames.append(Frame(kind: .object, table: table, row: number, entity: row.entity, back: back))
    if isShared {
      frames.last.pointee.isShared = true
      return
    }
    output.byte(UInt8(ascii: "{"))
    descend()
  }

  /// Counts the rows again, because more rows may have been loaded from the store since the export began.
  @inline(never)
  private mutating func raiseLimit() throws(ExportError) {
    if source.options.maxObjects == nil { objects.limit = Exporter.defaultObjectLimit(state) }
    if objects.count > objects.limit { throw tooManyObjects }
  }

  /// The error for an export that repeats objects too often, with the remedies that the options do not use yet.
  private var tooManyObjects: ExportError {
    let words = source.options.words
    let once = source.options.sharedObjects == .once ? nil : words.once.map { "export with \($0)" }
    let ways = [once, "lower \(words.maxDepth)", words.maxObjects.map { "raise \($0)" }].compactMap(\.self)
    return ExportError(
      code: .limitObjects,
      "more than \(objects.limit) objects would be written, and an object is counted each time it is written: \(ways.joined(separator: ", or "))"
    )
  }

  /// Whether a related object is written as its identifier because it is a placeholder, is being written at an outer level, was already
  /// written (with `once`), or is nested too deep (E2).
  ///
  /// This method is mutating, like the methods that it calls, because otherwise the exporter would be copied for each object.
  @inline(__always)
  mutating func isIdentifier(_ row: Row) -> Bool {
    if row.isPlaceholder || row.isOnPath { return true }
    if source.options.sharedObjects == .once, row.isListed { return true }
    return depth + 1 + layouts[row.entity].export.reach > source.options.maxDepth && misfit(row) != nil
  }

  /// Writes a to-one relationship; returns true if the open frames have changed.
  mutating func toOne(
    _ row: Row, _ slot: PlanReference<SlotPlan>, _ step: PlanReference<ExportStep>,
    _ next: Int
  ) throws(ExportError) -> Bool {
    guard let target = reader.target(row, slot.pointee) else {
      if !source.options.omitsNil {
        key(step)
        output.raw("null")
      }
      return false
    }
    let table = slot.pointee.destinationTable
    let targetRow = reader.row(table, target)
    let entity = targetRow.entity
    frames.last.pointee.begin(next, output.count, objects.listed.count)
    key(step)
    if let place = unusualPlace(of: targetRow, slot.pointee, step.pointee) {
      switch form(targetRow, at: place) {
      case .object: break
      case .identifier:
        if try identifier(table, target, in: frames.last.pointee, slot) { return false }
        try leaveOut(Omission(reason: .transformed, table: table, row: target))
        return true
      case .mention:
        try mention(targetRow, steps.mention(entity, source).steps, back: slot.pointee.inverse)
        return false
      case .none(let reason):
        try leaveOut(Omission(reason: reason, table: table, row: target))
        return true
      }
      // An object whose key path is `@key` cannot be written with its key in a to-one relationship.
      try requirePlace(table, target)
    }
    if slot.pointee.hasUnusualIdentifiers { frames.last.pointee.mayBeNull = true }
    if layouts[entity].forms.readsElements {
      if try element(table, target, as: slot.pointee.destination, back: slot.pointee.inverse) { return true }
      return slot.pointee.hasUnusualIdentifiers ? try leaveOutNull() : false
    }
    try open(table, target, back: slot.pointee.inverse)
    return true
  }
}
