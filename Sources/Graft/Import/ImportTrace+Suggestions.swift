extension ImportTrace {
  /// Returns the names of objects that were probably intended: objects of other entities with the same identity, then objects of the same
  /// entity with a similar identity, or its first objects. Only objects in memory are considered.
  package func suggestions(in context: ManagedObjectContext) -> [String] {
    if hidesIdentity { return [] }
    let (state, plan) = (context.state, context.model.plan)
    let reader = RowReader(state)
    var same: [String] = []
    var identities: [String] = []
    let wanted = plan.entity(named: entityName)?.index ?? 0
    for table in 0..<state.tableCount {
      for number in 0..<UInt32(state.tables[table].rowCount) {
        let row = state.row(table, number)
        guard row.isLoaded, let values = reader.identityJSON(row) else {
          continue
        }
        let own = plan.entities[row.entity]
        let text = GraphNames.text(values)
        if plan.layouts[own.index].isKind(of: plan.layouts[wanted]) {
          if identities.count < ImportTrace.mostCompared { identities.append(text) }
        } else if text == identity, same.count < ImportTrace.mostSuggestions {
          same.append(GraphNames.name(own.name, values, isHidden: own.hidesIdentity))
        }
      }
    }
    var near: [String] = []
    while near.count < ImportTrace.mostSuggestions, let next = Suggestion.nearest(to: identity, among: identities) {
      near.append(next)
      identities.removeAll { $0 == next }
    }
    if near.isEmpty, same.isEmpty { near = Array(identities.prefix(ImportTrace.mostSuggestions)) }
    return same + near.map { "\(entityName)(\($0))" }
  }

  private static let mostSuggestions = 3
  private static let mostCompared = 100_000
}
