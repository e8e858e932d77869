import Graft
import Testing

extension ManagedObjectContext {
  /// Merges, unless pending changes cause a conflict. A refused merge changes nothing.
  ///
  /// - Returns: whether there was anything to take over; nil for a conflict.
  func mergeOrStay() throws -> Bool? {
    let before = hasChanges ? changes.description : ""
    do {
      return try merge()
    } catch let error as ConflictError {
      let after = changes.description
      #expect(before == after, "changes before and after a refused merge: \(error)")
      #expect(checkInvariants() == [])
      return nil
    }
  }
}
