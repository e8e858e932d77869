/// The observers of one import: one for each object that is traced.
struct ImportTracers {
  private var tracers: [ImportTracer]

  init(_ traces: [ImportTrace], _ context: ManagedObjectContext) {
    tracers = traces.map { trace in
      trace.begin()
      return ImportTracer(trace, context)
    }
  }

  /// A piece of the payload begins.
  mutating func begin(_ reader: PayloadReader) { for index in tracers.indices { tracers[index].begin(reader) } }

  /// A piece of the payload has been read.
  mutating func end(_ shelf: PieceShelf) { for index in tracers.indices { tracers[index].record(shelf) } }

  /// The innermost object has all its cells.
  mutating func willApply(_ reader: PayloadReader) { for index in tracers.indices { tracers[index].willApply(reader) } }

  /// The innermost object was applied.
  ///
  /// - Parameter row: nil if it was refused.
  mutating func didApply(_ row: UInt32?, _ reader: PayloadReader) {
    for index in tracers.indices { tracers[index].didApply(row, reader) }
  }

  /// What the innermost object had set aside was applied.
  ///
  /// - Parameter fields: the fields of these values.
  mutating func didApplyOwned(_ row: UInt32, _ fields: [Int], _ reader: PayloadReader) {
    for index in tracers.indices { tracers[index].didApplyOwned(row, fields, reader) }
  }

  /// Notes the identifiers among the payload's own objects that were read since the last call.
  mutating func noteRoots(_ reader: PayloadReader) { for index in tracers.indices { tracers[index].noteRoots(reader) } }

  /// The payload's own objects so far were dictionaries.
  mutating func skipRoots(_ reader: PayloadReader) {
    for index in tracers.indices { tracers[index].rootCount = reader.roots.rows.count }
  }

  /// A dictionary is skipped, or marks its object as deleted.
  mutating func noteSkip(
    _ row: UInt32, _ opening: PayloadReader.Opening, at offset: Int, isMark: Bool, _ reader: PayloadReader
  ) {
    for index in tracers.indices { tracers[index].noteSkip(row, opening, at: offset, isMark: isMark, reader) }
  }

  /// Everything has been read; what waited for that is decided next.
  mutating func willFinish(_ reader: PayloadReader, _ deferrals: Deferrals) {
    for index in tracers.indices { tracers[index].willFinish(reader, deferrals) }
  }

  mutating func didFinish(_ shelf: PieceShelf) { for index in tracers.indices { tracers[index].didFinish(shelf) } }
}
