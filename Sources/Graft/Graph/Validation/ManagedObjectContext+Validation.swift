extension ManagedObjectContext {
  /// The maximum number of failures to collect.
  private static let mostFailures = 20

  /// Validates everything that was inserted or changed since the last ``commit()`` or import, as an import does
  /// ([I9](doc:Rules#I9)): required values and links, bounds, lengths, patterns and counts. Placeholders are exempt.
  ///
  /// Objects that require a deleted object are also found, even if there is no inverse. Expected time in proportion to the changes. If a
  /// required relationship without an inverse may refer to a deleted object, all objects that have it are checked.
  ///
  /// - Throws: a ``ValidationError`` with at most 20 failures.
  public func validate() throws(ValidationError) {
    if isRefused("validate the context") { return }
    let editor = GraphEditor(state)
    loadReferrers()
    editor.dropRequiredLinksToDeleted()
    var places = Set<RowPlace>()
    for table in 0..<state.tableCount {
      let first = state.committedRows(table)
      for number in first..<max(first, state.tables[table].rowCount)
      where state.pointee.isNew(table, UInt32(number), since: first) {
        places.insert(RowPlace(table: table, row: UInt32(number)))
      }
    }
    let set = valuesSet(in: places)
    for entry in state.pointee.journal.elements { places.insert(RowPlace(table: entry.table, row: entry.row)) }
    loadToValidate(Array(places))
    let validator = RowValidator(self)
    var diagnostics: [Diagnostic] = []
    lazy var names = GraphNames(state, model.plan)
    for place in places.sorted() {
      let row = state.row(place.table, place.row)
      let layout = state.layouts + row.entity
      if row.isNotValidated {
        if layout.pointee.identity.hasOwner {
          diagnostics += validator.lostOwners(ofPlaceholder: row).map { diagnostic($0, place, names) }
        }
        continue
      }
      if !set.isEmpty, set.contains(place), let contradiction = validator.contradiction(row) {
        diagnostics.append(diagnostic(contradiction, place, names))
      }
      let words = state.tables[place.table].presenceWords
      if !layout.pointee.reading.hasRules, validator.isComplete(row, layout, words: words) { continue }
      var failures = validator.failures(row, names)
      if failures.isEmpty, !model.plan.entities[row.entity].validations.isEmpty {
        failures = validator.failures(of: object(place.table, place.row))
      }
      diagnostics += failures.map { diagnostic($0, place, names) }
      if let call = activity.pointee.takeRefusedCall() {
        let name = names.name(place.table, place.row)
        diagnostics.append(Diagnostic(.error, code: call.code, "\(call.words) (\(name))"))
      }
      if diagnostics.count >= ManagedObjectContext.mostFailures { break }
    }
    guard diagnostics.isEmpty else {
      throw ValidationError(Array(diagnostics.prefix(ManagedObjectContext.mostFailures)))
    }
  }

  /// The objects for which the value that selects the entity was set since the last commit, but not by an import.
  ///
  /// - Parameter new: the places of the new objects.
  private func valuesSet(in new: Set<RowPlace>) -> Set<RowPlace> {
    let selectors = model.plan.features.selectors
    if selectors.isEmpty { return [] }
    var places = new
    for entry in state.pointee.journal.elements where entry.kind == .word {
      let entity = state.row(entry.table, entry.row).entity
      if let slot = selectors[entity], entry.word == state.layouts[entity].slots[slot].cell {
        places.insert(RowPlace(table: entry.table, row: entry.row))
      }
    }
    if state.openUnits == 0 { return places }
    return places.filter { !state.row($0.table, $0.row).header.isDescribed(in: state.pointee.importEpoch) }
  }

  private func diagnostic(_ failure: ValidationFinding, _ place: RowPlace, _ names: GraphNames) -> Diagnostic {
    let entity = model.plan.entities[state.row(place.table, place.row).entity]
    var diagnostic = failure.diagnostic(entity, object(place.table, place.row))
    diagnostic.message += " (\(names.name(place.table, place.row)))"
    return diagnostic
  }
}
