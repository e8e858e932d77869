/// Writes each object as a document of its own: JSON Lines.
///
///     {"id":1,"name":"Batman"}
///     {"id":2,"name":"Robin"}
///     [["DC","Joker"]]               an identifier of two values, in an array, because a line with an array is read as a list of objects
extension Exporter {
  /// Writes objects, one on each line.
  ///
  /// - Parameter declared: the entity whose objects an import expects in the lines; nil for the entity of each object.
  mutating func lines(_ places: [(table: Int, row: UInt32)], as declared: EntityPlan?) throws(ExportError) {
    for place in places {
      document.beginAnother(at: output.count)
      try line(place.table, place.row, as: declared)
      if output.count > document.start { output.byte(UInt8(ascii: "\n")) }
      try endLine()
    }
  }

  private mutating func line(_ table: Int, _ number: UInt32, as declared: EntityPlan?) throws(ExportError) {
    let row = reader.row(table, number)
    let entity = declared?.index ?? row.entity
    if row.isPlaceholder {
      // A placeholder without an identifier is omitted, as in an array (E2).
      if hasIdentifierForm(row, as: entity) { _ = try identifier(table, number) }
    } else if source.graph.hasKeyFirst(layouts + entity) {
      try keyed([(table, number)], as: declared, isSingle: true)
    } else {
      document.begin(.object)
      // An object on a line of its own has no position.
      try requireHome(table, number, index: requiredIndex(row) == nil ? nil : .max)
      try requirePlace(table, number)
      try root(table, number, as: entity)
    }
    if output.count > document.start, output.byte(at: document.start) == UInt8(ascii: "[") {
      output.bracket(from: document.start)
    }
  }
}
