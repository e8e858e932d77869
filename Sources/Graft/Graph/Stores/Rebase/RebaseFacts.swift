/// The facts that a rebase requires about two versions of a store: the base of the changes, and the later version, with the changes of
/// other contexts. As in ``Rebase``, "here" is the context that rebases its changes, and "there" is the later version.
struct RebaseFacts {
  /// The rows that both sides wrote, in the base and in the later version. Rows that were deleted there are missing in the later
  /// version.
  var base: [StoredPlace: StoredRow] = [:]
  var theirs: [StoredPlace: StoredRow] = [:]
  /// The rows that the changes refer to and that were deleted there.
  var deletedTargets: Set<StoredPlace> = []
  /// The rows with identities that the changes assign to other rows.
  var holders: [StoredPlace: StoredPlace] = [:]
  /// The holders that existed before and received the identity of an object that was deleted there. Such a holder is a different object.
  var others: Set<StoredPlace> = []
  /// The rows of the store with alternate identities that the changes assign, by the rows that receive them (M27).
  var rivals: [StoredPlace: [Rival]] = [:]
  /// Pairs of rows that the changes give the same identity, because each side changed a part of the identity.
  var clashes: [(first: StoredPlace, second: StoredPlace)] = []
  /// The members of lists that both sides may have changed.
  var lists: [StoredList: (base: [Int64], theirs: [Int64])] = [:]
  /// The former members of ordered lists from which members were removed here.
  var orders: [StoredList: [Int64]] = [:]
  /// The links of rows that were deleted there and are inserted again.
  var linksDeletedThere: Set<StoredPair> = []
  /// The objects that were added there to relationships of deleted objects, if the delete rule is 'cascade' or 'deny'.
  var joined: [StoredPlace: Joined] = [:]
  /// With storeWins: objects deleted here that are needed by other objects whose deletion is discarded.
  var needed: Set<StoredPlace> = []

  /// Whether other contexts deleted a row that was also changed or deleted here.
  func isDeletedThere(_ place: StoredPlace) -> Bool { base[place] != nil && theirs[place] == nil }

  /// Whether other contexts changed the values or references of a row, but did not delete it. A row that only has a new position is
  /// unchanged: its list has changed.
  func isChangedThere(_ place: StoredPlace, _ schema: StoreSchema) -> Bool {
    guard let old = base[place], let new = theirs[place] else { return false }
    if (old.entity, old.isPlaceholder, old.isBare) != (new.entity, new.isPlaceholder, new.isBare) { return true }
    let columns = schema.tables[place.table].columns
    return columns.indices.contains { !columns[$0].isPosition && old.values[$0] != new.values[$0] }
  }

  struct Rival {
    var place: StoredPlace
    /// The identity, as a position in ``StoreSchema/Table/identities``.
    var identity: Int
  }

  struct Joined {
    var cascading: [StoredPlace] = []
    var denying: [StoredPlace] = []
  }
}
