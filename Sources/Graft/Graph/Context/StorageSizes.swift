/// What a context takes of the memory, by what takes it. For tests: memory must come back.
package struct StorageSizes {
  /// Bytes of texts, those that no object has any more included.
  package var texts = 0
  /// Rows that there is room for.
  package var rows = 0
  /// Entries of identity indexes that there is room for.
  package var identities = 0
  /// Bytes of to-many relationships, those that wait to be used again included.
  package var vectors = 0
  /// Entries of the journal, and of what goes with it, that there is room for.
  package var journal = 0
  /// Handles that there is room for.
  package var handles = 0
  /// Objects without identity that have a number.
  package var numbers = 0

  /// About how many bytes these are.
  package var total: Int {
    texts + rows * 64 + identities * 8 + vectors + journal * 16 + handles * 24 + numbers * 48
  }
}

extension ManagedObjectContext {
  package var storageSizes: StorageSizes {
    let state = state.pointee
    var sizes = StorageSizes()
    sizes.texts = state.texts.size
    for table in 0..<state.tableCount {
      sizes.rows += state.tables[table].chunks.count << Table.rowShift
      for space in 0..<state.tables[table].indexCount {
        sizes.identities += state.tables[table].indexes[space].capacity
      }
    }
    sizes.vectors = state.vectors.size
    sizes.journal =
      state.journal.capacity + state.retired.capacity + state.touched.capacity + state.orphans.capacity
    sizes.handles = handles.reduce(0) { $0 + $1.capacity }
    sizes.numbers = rowNumbers.numbers.count
    return sizes
  }
}
