/// The deletions at the end of a payload: orphans, and objects that a complete list does not mention (M6).
///
/// A `deny` relationship prevents a deletion only if it contains an object that is not deleted. A denied deletion therefore waits
/// for the object that denied it, because the order of a payload does not decide what exists at its end (D14).
///
///     delete A, which is denied while B exists     A waits for B
///     delete B                                     A is tried again
///
struct PendingDeletions {
  struct Deletion {
    var place: RowPlace
    /// The offset in the payload of the value that requests the deletion.
    var offset: Int
    var reason: ImportFinding.Deletion
  }

  /// Deletions to be tried again.
  private var ready: [Deletion] = []
  private var waiting: [RowPlace: [(deletion: Deletion, denial: GraphEditor.Denial)]] = [:]

  /// Notes that a deletion was denied.
  mutating func wait(_ deletion: Deletion, _ denial: GraphEditor.Denial) {
    waiting[denial.target, default: []].append((deletion, denial))
  }

  /// Notes that objects were deleted.
  mutating func wake(_ deleted: [RowPlace]) {
    if waiting.isEmpty { return }
    for place in deleted { ready += (waiting.removeValue(forKey: place) ?? []).map(\.deletion) }
  }

  /// Returns a deletion to be tried again.
  mutating func next() -> Deletion? { ready.popLast() }

  /// Deletions that are still denied, in payload order.
  var denied: [(deletion: Deletion, denial: GraphEditor.Denial)] {
    waiting.values.joined().sorted { left, right in
      (left.deletion.offset, left.deletion.place.table, left.deletion.place.row)
        < (right.deletion.offset, right.deletion.place.table, right.deletion.place.row)
    }
  }
}
