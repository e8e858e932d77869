/// Names the objects of stored rows in messages about a migration.
struct RowNames {
  private let schema: StoreSchema
  private let table: Int

  init(_ schema: StoreSchema, table: Int) {
    self.schema = schema
    self.table = table
  }

  func entity(_ rows: StoredRows, _ row: Int) -> EntityPlan? {
    let plan = schema.model.plan
    return plan.entityNumbers[schema.tables[table].entityNames[rows.headers[row].entity]].map { plan.entities[$0] }
  }

  func value(_ rows: StoredRows, _ row: Int, _ column: Int, _ slot: Int) -> AttributeValue? {
    guard let entity = entity(rows, row) else { return nil }
    let slot = schema.model.plan.layouts[entity.index].slots[slot]
    return rows.values.attributeValue(row: row, column: column, slot.kind, listOf: slot.elementType)
  }

  /// The name of an object in messages: `Hero(1699)`. An object without an identity is named by the number of its row.
  func name(_ rows: StoredRows, _ row: Int) -> String {
    guard let entity = entity(rows, row) else { return "" }
    let place = schema.places[entity.index]
    let identity = entity.identitySlots.map { slot -> JSON in
      guard case .column(let column) = place[slot] else { return .null }
      return value(rows, row, column, slot)?.jsonValue ?? .null
    }
    let isKnown = !identity.isEmpty && !identity.contains(.null)
    return GraphNames.name(entity, isKnown ? identity : nil) { Int(rows.headers[row].id) }
  }
}
