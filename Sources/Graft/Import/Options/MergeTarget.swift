/// The object that a payload of one dictionary is merged onto, regardless of its identity (I23).
///
///     draft #3, lines #1 at 0, #2 at 1        {"id": 7, "lines": [{"id": 21}, {"id": 22}]}
///     becomes 7, with the lines 21 and 22
final class MergeTarget {
  let object: ManagedObject
  /// Whether the object is united with another object that has the identity.
  let unites: Bool
  /// Whether a dictionary of the payload has described the object.
  var isMet = false
  /// The rows of objects that disappeared, each with the row of the object that replaces it.
  var united: [RowPlace: RowPlace] = [:]
  /// The rows of members without identity, by relationship and then by position.
  private var members: [Int: [UInt64: UInt32]] = [:]

  init(_ object: ManagedObject, unites: Bool) {
    self.object = object
    self.unites = unites
  }

  var table: Int { object.table }
  var row: UInt32 { object.number }
  var name: String { object.description }

  /// Begins an attempt. An import that has a conflict is repeated.
  func begin() {
    (isMet, united, members) = (false, [:], [:])
    object.context.state.loadRow(table, row)
  }

  /// Returns the member of a relationship that has no identity and has the given position among the payload's objects.
  ///
  /// - Parameters:
  ///   - position: the value of the attribute that reads `@index`.
  ///   - attribute: the slot of the attribute.
  func member(at position: UInt64, _ attribute: Int, of relationship: Int) -> UInt32? {
    let found = members[relationship] ?? members(of: relationship, attribute)
    members[relationship] = found
    return found[position]
  }

  private func members(of relationship: Int, _ attribute: Int) -> [UInt64: UInt32] {
    let state = object.context.state
    let slot = state.layouts[state.row(table, row).entity].slots[relationship]
    var found: [UInt64: UInt32] = [:]
    for number in RowReader(state).targets(state.row(table, row), slot) {
      let member = state.row(slot.destinationTable, number)
      let layout = state.layouts[member.entity]
      guard attribute < layout.slotCount, member.isSet(layout.slots[attribute]),
        GraphIdentity.hash(layout, row: member, state.pointee) == nil
      else { continue }
      // If two members have the same position, the first member is used.
      if found[member[layout.slots[attribute]]] == nil { found[member[layout.slots[attribute]]] = number }
    }
    return found
  }
}
