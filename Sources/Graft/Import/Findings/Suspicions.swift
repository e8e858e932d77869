/// Probable mistakes that are noted while a payload is read (I19). Only the facts are recorded; whether they become warnings is
/// decided at the end.
///
/// To keep imports fast, only rare cases and the first few occurrences of frequent cases are noted.
final class Suspicions {
  /// A value in a dictionary that differs from its object's value, although an earlier dictionary of the payload described the object.
  struct Difference {
    var place: RowPlace
    var entity: Int
    var slot: Int
    /// The offset of the second dictionary.
    var offset: Int
    /// Whether the second dictionary describes another state of the object, so that its values are updates, not contradictions.
    var isLaterState: Bool
    /// For a to-many relationship, the number of objects before the second dictionary, and the number in that dictionary.
    var counts: (old: Int, new: Int)?
  }

  /// An ordered list that names an object several times.
  struct Repeat {
    /// The relationship.
    var field: Int
    var object: RowPlace
    /// The offset of the list.
    var offset: Int
  }

  /// An identifier that probably means that there is no object, and that created a placeholder.
  struct EmptyReference {
    /// The entity and the slot of the to-one relationship.
    var entity: Int
    var slot: Int
    var placeholder: RowPlace
    var offset: Int
  }

  /// An object with keys that the model does not map.
  struct Sample {
    var entity: Int
    var offset: Int
  }

  /// Whether warnings are collected.
  let isWanted: Bool
  private(set) var differences: [Difference] = []
  /// Dictionaries without any mapped key, by entity.
  private(set) var strangers: [Int: [Int]] = [:]
  private(set) var samples: [Sample] = []
  /// Dictionaries that a mapper skipped.
  private(set) var skipped: [ImportFault] = []
  /// The later dictionaries of objects described by several dictionaries, if the dictionaries were compared.
  private(set) var repeated: [(object: RowPlace, offset: Int)] = []
  /// Ordered lists with repeats.
  private(set) var repeats: [Repeat] = []
  private(set) var emptyReferences: [EmptyReference] = []
  /// Links that other links take away.
  var claims: LinkClaims
  /// The number of further samples to take, for each entity.
  private let room: PlainStack<UInt8>
  /// The number of further dictionaries to compare without finding a difference, for each entity.
  private let patience: PlainStack<UInt16>
  private var lastSample = -1

  private static let mostSamples: UInt8 = 3
  private static let mostPatience: UInt16 = 64
  private static let mostKept = 10_000

  init(entityCount: Int, isWanted: Bool) {
    self.isWanted = isWanted
    room = PlainStack(repeating: isWanted ? Suspicions.mostSamples : 0, count: entityCount)
    patience = PlainStack(repeating: isWanted ? Suspicions.mostPatience : 0, count: entityCount)
    claims = LinkClaims(isWanted: isWanted)
  }

  deinit {
    room.free()
    patience.free()
  }

  // MARK: Keys

  /// Notes that an object has a key that the model does not map.
  @inline(__always)
  func noteUnmappedKey(_ entity: Int, inObjectAt offset: Int) {
    if room[entity] > 0, offset != lastSample { add(Sample(entity: entity, offset: offset)) }
  }

  @inline(never)
  private func add(_ sample: Sample) {
    room[sample.entity] -= 1
    lastSample = sample.offset
    samples.append(sample)
  }

  /// Returns the samples since the last call.
  func takeSamples() -> [Sample] {
    defer { samples = [] }
    return samples
  }

  /// Notes a dictionary without any mapped key.
  @inline(never)
  func noteStranger(_ entity: Int, at offset: Int) {
    guard isWanted, strangers[entity, default: []].count < Suspicions.mostKept else { return }
    strangers[entity, default: []].append(offset)
  }

  /// Notes a dictionary that a mapper skips (M15).
  @inline(never)
  func noteSkipped(_ fault: @autoclosure () -> ImportFault) {
    if isWanted, skipped.count < Suspicions.mostKept { skipped.append(fault()) }
  }

  // MARK: Lists

  /// Notes that an ordered list names an object again.
  @inline(never)
  func noteRepeat(_ field: Int, of object: RowPlace, at offset: Int) {
    guard isWanted, repeats.count < Suspicions.mostKept else { return }
    repeats.append(Repeat(field: field, object: object, offset: offset))
  }

  /// Notes that an identifier such as 0 created a placeholder.
  @inline(never)
  func noteEmptyReference(_ slot: Int, of entity: Int, to placeholder: RowPlace, at offset: Int) {
    guard isWanted, emptyReferences.count < Suspicions.mostKept else { return }
    emptyReferences.append(
      EmptyReference(entity: entity, slot: slot, placeholder: placeholder, offset: offset))
  }

  // MARK: Dictionaries with one identity

  /// Returns whether a dictionary is compared with an earlier dictionary of the same object. If the dictionaries of an entity agree, they
  /// are soon no longer compared.
  @inline(__always)
  func isWatching(_ entity: Int) -> Bool { patience[entity] > 0 }

  /// Notes that a dictionary gives an object a different list than before.
  func noteDifference(
    of place: RowPlace, _ entity: Int, _ slot: Int, counts: (old: Int, new: Int), at offset: Int
  ) {
    guard differences.count < Suspicions.mostKept else { return }
    differences.append(
      Difference(place: place, entity: entity, slot: slot, offset: offset, isLaterState: false, counts: counts))
  }

  /// Compares the cells of a dictionary with the object's row, before they are written.
  ///
  /// - Parameters:
  ///   - rows: the rows of the dictionary's lists.
  ///   - isWaiting: whether a row is an identifier that is not known yet.
  ///   - modificationSlot: the slot of the modification attribute (M17): if its value differs, a dictionary describes a
  ///     different state of the object.
  /// - Returns: whether both dictionaries describe the same state.
  @inline(never)
  func compare(
    _ cells: Cells, _ rows: PlainStack<UInt32>, _ row: Row, _ place: RowPlace, of entity: Int,
    _ state: Reference<GraphState>, at offset: Int, isWaiting: (UInt32) -> Bool, modificationSlot: Int?
  ) -> Bool {
    let layout = state.layouts + entity
    func differs(_ index: Int) -> Bool {
      let cell = cells[index]
      let slot = layout.pointee.slots + index
      // The list is about to be set, which loads it anyway.
      if cell.tag == .rows { state.loadList(row, slot.pointee) }
      guard row.isSet(slot) else { return false }
      let stored = row[slot]
      switch cell.tag {
      case .text: return !state.pointee.texts.equals(stored, cell.bytes)
      case .word: return stored != cell.bits
      // Objects without identity are always new.
      case .row: return stored != cell.bits && state.layouts[slot.pointee.destination].identity.count > 0
      case .rows: return listDiffers(index)
      default: return false
      }
    }
    func list(_ index: Int) -> ArraySlice<UInt32> {
      let first = Int(truncatingIfNeeded: cells[index].bits)
      return Array(rows.elements[first..<first + cells[index].count])[...]
    }
    func listDiffers(_ index: Int) -> Bool {
      let slot = layout.pointee.slots[index]
      guard !slot.isUnion, !slot.isOwning, state.layouts[slot.destination].identity.count > 0 else { return false }
      let (old, new) = (RowReader(state).targetsInMemory(row, slot), list(index))
      if new.contains(where: isWaiting) { return false }
      return slot.isOrdered ? !old.elementsEqual(new) : old.count != new.count || Set(old) != Set(new)
    }
    let isLaterState = modificationSlot.map(differs) ?? false
    var agrees = true
    if repeated.count < Suspicions.mostKept { repeated.append((place, offset)) }
    for index in 0..<layout.pointee.slotCount where differs(index) {
      agrees = false
      if differences.count < Suspicions.mostKept {
        var difference = Difference(
          place: place, entity: entity, slot: index, offset: offset, isLaterState: isLaterState)
        if cells[index].tag == .rows {
          let count = RowReader(state).targetsInMemory(row, layout.pointee.slots[index]).count
          difference.counts = (count, cells[index].count)
        }
        differences.append(difference)
      }
    }
    if agrees { patience[entity] -= 1 }
    return !isLaterState
  }
}
