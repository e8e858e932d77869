/// The memory that a context uses, by purpose. Used by tests that check that memory is returned.
package struct StorageSizes {
  /// The bytes of text storage, including unused bytes.
  package var texts = 0
  /// The capacity for rows.
  package var rows = 0
  /// The capacity for entries of identity indexes.
  package var identities = 0
  /// The bytes of to-many relationships, including bytes that are free for reuse.
  package var vectors = 0
  /// The capacity for entries of the journal and its companions.
  package var journal = 0
  /// The capacity for handles.
  package var handles = 0
  /// The number of objects without an identity that have a number.
  package var numbers = 0

  /// The approximate number of bytes.
  package var total: Int {
    texts + rows * 64 + identities * 8 + vectors + journal * 16 + handles * 8 + numbers * 48
  }
}

extension ManagedObjectContext {
  package var storageSizes: StorageSizes {
    let state = state.pointee
    var sizes = StorageSizes()
    sizes.texts = state.texts.size
    for table in 0..<state.tableCount {
      sizes.rows += state.tables[table].chunks.count << Table.rowShift
      for space in 0..<state.tables[table].identitySpaces {
        sizes.identities += state.tables[table].indexes[space].capacity
      }
      for index in 0..<state.tables[table].alternateCount {
        sizes.identities += state.tables[table].alternates[index].capacity
      }
    }
    sizes.vectors = state.vectors.size
    sizes.journal =
      state.journal.capacity + state.retired.capacity + state.touched.capacity + state.orphans.capacity
    sizes.handles = (0..<state.tableCount).reduce(0) { $0 + handles[$1].capacity }
    sizes.numbers = rowNumbers.numbers.count
    return sizes
  }
}
