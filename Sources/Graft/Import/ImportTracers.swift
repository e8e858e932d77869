/// The observers of an import, one for each traced object.
struct ImportTracers {
  private var tracers: [ImportTracer]

  init(_ traces: [ImportTrace], _ context: ManagedObjectContext) {
    tracers = traces.map { trace in
      trace.begin()
      return ImportTracer(trace, context)
    }
  }

  /// Notifies the observers that a piece of the payload begins.
  mutating func begin(_ reader: PayloadReader) { for index in tracers.indices { tracers[index].begin(reader) } }

  /// Notifies the observers that a piece of the payload has been read.
  mutating func end(_ shelf: PieceShelf) { for index in tracers.indices { tracers[index].record(shelf) } }

  /// Notifies the observers that the innermost object has all its cells.
  mutating func willApply(_ reader: PayloadReader) { for index in tracers.indices { tracers[index].willApply(reader) } }

  /// Notifies the observers that the innermost object has been applied.
  ///
  /// - Parameter row: the object's row; nil if the object was refused.
  mutating func didApply(_ row: UInt32?, _ reader: PayloadReader) {
    for index in tracers.indices { tracers[index].didApply(row, reader) }
  }

  /// Notifies the observers that the values that the innermost object had set aside have been applied.
  ///
  /// - Parameter fields: the fields of these values.
  mutating func didApplyOwned(_ row: UInt32, _ fields: [Int], _ reader: PayloadReader) {
    for index in tracers.indices { tracers[index].didApplyOwned(row, fields, reader) }
  }

  /// Notes the identifiers among the payload's own objects that were read since the last call.
  mutating func noteRoots(_ reader: PayloadReader) { for index in tracers.indices { tracers[index].noteRoots(reader) } }

  /// Notifies the observers that the payload's own objects so far were dictionaries.
  mutating func skipRoots(_ reader: PayloadReader) {
    for index in tracers.indices { tracers[index].rootCount = reader.roots.rows.count }
  }

  /// Notifies the observers that a dictionary is skipped, or marks its object as deleted.
  mutating func noteSkip(
    _ row: UInt32, _ opening: PayloadReader.Opening, at offset: Int, isMark: Bool, _ reader: PayloadReader
  ) {
    for index in tracers.indices { tracers[index].noteSkip(row, opening, at: offset, isMark: isMark, reader) }
  }

  /// Notifies the observers that everything has been read. Pending decisions follow.
  mutating func willFinish(_ reader: PayloadReader, _ deferrals: Deferrals) {
    for index in tracers.indices { tracers[index].willFinish(reader, deferrals) }
  }

  mutating func didFinish(_ shelf: PieceShelf) { for index in tracers.indices { tracers[index].didFinish(shelf) } }
}
