/// A changed property of a row.
struct ChangedProperty {
  var slot: Int
  var values: Values

  /// The previous or current value of a property: the value of an attribute, or the rows of a relationship.
  enum Values {
    case attribute(old: AttributeValue?, new: AttributeValue?)
    case links(old: [UInt32], new: [UInt32])

    /// Whether links contain the same rows: in any order if the relationship is not ordered.
    func isSame(_ slot: SlotPlan) -> Bool {
      guard case .links(let old, let new) = self, old.count == new.count else { return false }
      if slot.isOrdered { return old == new }
      let (lost, gained) = Values.differences(old, new)
      return lost.isEmpty && gained.isEmpty
    }

    /// Whether links were only gained: no link was lost, and the old links are in their old order.
    func isMereGain(_ slot: SlotPlan) -> Bool {
      guard case .links(let old, let new) = self, new.count > old.count else { return false }
      if !slot.isOrdered { return Values.differences(old, new).lost.isEmpty }
      var kept = 0
      for row in new where kept < old.count && row == old[kept] { kept += 1 }
      return kept == old.count
    }

    /// The rows that are in only one of two lists, in any order. Expected O(n) if most rows are in both lists and in the same order,
    /// which is usual: new links are appended, and the remaining links keep their order when one is removed.
    private static func differences(_ old: [UInt32], _ new: [UInt32]) -> (lost: [UInt32], gained: [UInt32]) {
      var lost: [UInt32] = []
      var kept = 0
      for row in old {
        if kept < new.count, row == new[kept] { kept += 1 } else { lost.append(row) }
      }
      var gained = Array(new[kept...])
      if lost.isEmpty || gained.isEmpty { return (lost, gained) }
      // Rows that were moved are in both lists.
      lost.sort()
      gained.sort()
      var (onlyOld, onlyNew): ([UInt32], [UInt32]) = ([], [])
      var next = 0
      for row in lost {
        while next < gained.count, gained[next] < row {
          onlyNew.append(gained[next])
          next += 1
        }
        if next < gained.count, gained[next] == row { next += 1 } else { onlyOld.append(row) }
      }
      return (onlyOld, onlyNew + gained[next...])
    }
  }
}
