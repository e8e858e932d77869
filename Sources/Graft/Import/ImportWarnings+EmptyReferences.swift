/// Placeholders that exist only because a service sends an identifier such as 0 when there is no object (I19).
extension ImportWarnings {
  /// Adds a warning for each identifier whose object the payload does not describe.
  func addEmptyReferences(_ list: inout FaultList) {
    for reference in log.suspicions.emptyReferences {
      let row = state.row(reference.placeholder.table, reference.placeholder.row)
      guard row.isPlaceholder, !row.isDeleted, let found = shelf.found(at: reference.offset) else { continue }
      let entity = plan.entities[reference.entity]
      let subject = ImportFinding.Subject(entity: entity, property: entity.properties[reference.slot])
      list.append(
        ImportFault(
          .emptyReference(subject, found: found.phrase, shelf.text(at: reference.offset)), at: reference.offset,
          length: found.length))
    }
  }
}
