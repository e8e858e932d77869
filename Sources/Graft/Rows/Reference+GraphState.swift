/// The accessors that most of the code uses to read a graph: `state.row(table, row)` for `state.pointee.row(table, row)`. See
/// ``GraphState`` for their descriptions.
extension Reference where Value == GraphState {
  @inline(__always) var plan: Unmanaged<Plan> { pointee.plan }
  @inline(__always) var layouts: PlanReference<EntityLayout> { pointee.layouts }
  @inline(__always) var tables: UnsafeMutablePointer<Table> { pointee.tables }
  @inline(__always) var tableCount: Int { pointee.tableCount }
  @inline(__always) func row(_ table: Int, _ row: UInt32) -> Row { pointee.row(table, row) }

  // MARK: Transactions

  var hasChanges: Bool { pointee.hasChanges }
  var openUnits: Int { pointee.openUnits }
  var unitJournalStart: Int { pointee.unitJournalStart }
  @inline(__always) func isNewInUnit(_ table: Int, _ row: UInt32) -> Bool { pointee.isNewInUnit(table, row) }
  func committedRows(_ table: Int) -> Int { pointee.committedRows(table) }
  func deletedInUnit(_ table: Int) -> Bool { pointee.deletedInUnit(table) }
  func deletedSinceCommit(_ table: Int) -> Bool { pointee.deletedSinceCommit(table) }

  // MARK: Loading

  func beginLoad() -> RowLoads.Load { pointee.beginLoad() }
  func endLoad(_ load: RowLoads.Load) { pointee.endLoad(load) }
}
