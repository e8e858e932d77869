/// Determines how an object that is nested in its owner lost it (M12): the payload deletes the owner, or a later dictionary of
/// the owner replaces the relationship.
///
///     [{"id": 1, "profile": {"bio": "x"}}, {"id": 1, "profile": null}]
///                           ^ has no owner at the end              ^ because the relationship is replaced here
///
/// A payload may have as many such objects as dictionaries, so the results are cached.
final class LostOwners {
  /// The reason why the object at an offset lost its owner.
  struct Loss {
    var object: Int
    var isDeleted: Bool
    /// The location in the payload of the cause, if there is one.
    var note: ImportFault.Note?
  }

  /// The dictionaries that describe the objects of a table.
  private struct Dictionaries {
    /// All the dictionaries, by offset.
    var all: [(offset: Int, row: UInt32)] = []
    var offsets: [UInt32: [Int]] = [:]

    /// Returns the dictionaries before an offset, in reverse order.
    func before(_ offset: Int) -> some Sequence<(offset: Int, row: UInt32)> {
      var (low, high) = (0, all.count)
      while low < high {
        let middle = (low + high) / 2
        if all[middle].offset < offset { low = middle + 1 } else { high = middle }
      }
      return all[..<low].suffix(LostOwners.mostTried).reversed()
    }
  }

  private struct Place: Hashable {
    var offset: Int
    var slot: Int
  }

  private let context: ManagedObjectContext
  private let shelf: PieceShelf
  private let marked: MarkedObjects?
  /// The dictionaries of each table, by their offsets.
  private var dictionaries: [Int: Dictionaries] = [:]
  /// The value of each relationship in a dictionary; nil if the dictionary does not have the relationship.
  private var values: [Place: Range<Int>?] = [:]

  /// The maximum number of dictionaries tried, because other owners may be nested between an owner and the object.
  private static let mostTried = 16

  init(_ context: ManagedObjectContext, _ shelf: PieceShelf, _ marked: MarkedObjects?) {
    self.context = context
    self.shelf = shelf
    self.marked = marked
  }

  private var plan: Plan { context.model.plan }

  /// Determines how an object lost its owner; nil if the object had no owner, or if the reason is unknown.
  ///
  /// - Parameters:
  ///   - offsets: the dictionaries of the object.
  ///   - slot: the relationship to the owner.
  func find(ofObjectsAt offsets: [Int], _ entity: EntityPlan, _ slot: Int, _ mentions: Mentions) -> Loss? {
    guard let inverse = entity.properties[slot].relationship?.inverseName else { return nil }
    let table = plan.layouts[entity.index].slots[slot].destinationTable
    let known = dictionaries(of: table, mentions)
    for object in offsets.reversed() {
      for dictionary in known.before(object) {
        let owner = context.state.row(table, dictionary.row)
        let ownerEntity = plan.entities[owner.entity]
        guard let slot = ownerEntity.properties.firstIndex(where: { $0.name == inverse }),
          value(of: slot, ownerEntity, inObjectAt: dictionary.offset)?.contains(object) == true
        else { continue }
        let name = GraphNames(context.state, plan).name(table, dictionary.row)
        if owner.isDeleted {
          let mark = marked?.mark(of: RowPlace(table: table, row: dictionary.row))
          let note = mark.map { ImportFault.Note(words: "\(name) is marked as deleted", offset: $0) }
          return Loss(object: object, isDeleted: true, note: note)
        }
        let later = known.offsets[dictionary.row]?.lazy.filter { $0 > object }
          .compactMap { self.value(of: slot, ownerEntity, inObjectAt: $0) }.first
        guard let later else { return nil }
        let note = ImportFault.Note(words: "'\(inverse)' of \(name) is replaced", offset: later.lowerBound)
        return Loss(object: object, isDeleted: false, note: note)
      }
    }
    return nil
  }

  private func dictionaries(of table: Int, _ mentions: Mentions) -> Dictionaries {
    if let known = dictionaries[table] { return known }
    var found = Dictionaries()
    for touch in mentions.all.elements where Int(touch.table) == table {
      found.all.append((offset: touch.offset, row: touch.row))
    }
    // `Mentions` contains only objects that several dictionaries describe or that have rules, so dictionaries of the touched rows are
    // added.
    for touch in context.state.pointee.touched.elements where Int(touch.table) == table {
      if context.state.row(table, touch.row).header.isDescribed {
        found.all.append((offset: touch.offset, row: touch.row))
      }
    }
    found.all.sort { $0.offset < $1.offset }
    for dictionary in found.all { found.offsets[dictionary.row, default: []].append(dictionary.offset) }
    dictionaries[table] = found
    return found
  }

  private func value(of slot: Int, _ entity: EntityPlan, inObjectAt offset: Int) -> Range<Int>? {
    let place = Place(offset: offset, slot: slot)
    if let known = values[place] { return known }
    var range: Range<Int>?
    if let start = shelf.ownValue(of: slot, entity, plan, inObjectAt: offset), var reader = shelf.scanner(at: start) {
      try? reader.skipValue()
      range = start..<max(start + 1, reader.offset)
    }
    values[place] = .some(range)
    return range
  }
}
