/// Classes of objects without identity that have equal contents: objects that an import deleted, in their previous state, and
/// objects that the import inserted (D10).
///
///     Tweet(1) -> Mention#1 {indices: [3, 15], user: User(501)}     deleted    represents both
///     Tweet(1) -> Mention#2 {indices: [3, 15], user: User(501)}     new
///
/// Contents are equal if the entities and attributes are equal, and if relationships contain the same objects or objects of the
/// same class. The initial classes therefore ignore links between these objects, and are divided by the classes of the links'
/// targets until the number of classes no longer grows. The number of rounds is limited, which keeps the cost in proportion to the
/// number of objects and links. If the limit is reached, no contents are treated as equal.
struct ContentClasses {
  /// A link between two of the objects.
  private struct Link {
    var target: Int
    var slot: UInt64
    var isOrdered: Bool
  }

  private let state: Reference<GraphState>
  private let history: RowHistory
  private let reader: RowReader
  private let seeds: IdentityHash.Seeds
  private static let mostRounds = 64

  private var isFound = false
  /// The objects, with deleted objects first.
  private var rows = RowMap()
  /// A hash of each object's contents.
  private var hashes: [UInt64] = []
  /// The links of all objects, and the position at which each object's links end.
  private var links: [Link] = []
  private var ends: [Int] = []
  /// For each object, the first object of its class.
  private var first: [Int] = []

  init(_ state: Reference<GraphState>, _ history: RowHistory) {
    self.state = state
    self.history = history
    reader = RowReader(state)
    seeds = state.pointee.seeds
  }

  /// Returns the values with each object represented by the first object of its class. Other objects represent themselves.
  mutating func represented(_ values: ChangedProperty.Values, _ slot: SlotPlan) -> ChangedProperty.Values {
    guard case .links(let old, let new) = values,
      old.contains(where: { reader.isDeleted(slot.destinationTable, $0) }), !new.isEmpty
    else { return values }
    find()
    return .links(
      old: old.map { representative($0, slot.destinationTable) },
      new: new.map { representative($0, slot.destinationTable) })
  }

  private func representative(_ row: UInt32, _ table: Int) -> UInt32 {
    rows[table, row].map { rows.places[first[$0]].row } ?? row
  }

  /// Visits the objects that are represented by another object.
  func forEachRepresented(_ body: (_ place: RowPlace, _ representative: RowPlace) -> Void) {
    for (number, place) in rows.places.enumerated() where first[number] != number {
      body(place, rows.places[first[number]])
    }
  }

  // MARK: Objects

  /// Finds the classes when they are first needed.
  private mutating func find() {
    if isFound { return }
    isFound = true
    let touched = state.pointee.touched.elements
    for isNew in [false, true] {
      for touch in touched {
        let (table, number) = (Int(touch.table), touch.row)
        let row = state.row(table, number)
        guard history.isNew(table, number) == isNew, row.isDeleted != isNew,
          state.deletedInUnit(table), !hasIdentity(RowPlace(table: table, row: number))
        else { continue }
        rows.add(table, number)
      }
    }
    let history = history
    for place in rows.places {
      hashes.append(history.withImage(of: place) { contents($0) })
      ends.append(links.count)
    }
    if !refine() { first = Array(hashes.indices) }
  }

  private func hasIdentity(_ place: RowPlace) -> Bool {
    let header = state.row(place.table, place.row).header
    let layout = state.layouts + header.entity
    guard layout.pointee.identity.count > 0 else { return false }
    return history.withImage(of: place) { image in
      (0..<layout.pointee.identity.count).allSatisfy { index in
        let slot = layout.pointee.slots + layout.pointee.identity.slots[index]
        return image.before.isSet(slot)
      }
    }
  }

  /// Returns a hash of an object's contents, and adds its links to other such objects.
  private mutating func contents(_ image: RowImage) -> UInt64 {
    let isNew = !image.now.isDeleted
    let entity = image.before.entity
    let layout = state.layouts + entity
    var hash = word(UInt64(entity))
    for number in 0..<layout.pointee.slotCount {
      let slot = layout.pointee.slots + number
      var part: UInt64 = 0
      switch slot.pointee.kind {
      case .toOne:
        let target = isNew ? reader.targetInMemory(image.now, slot.pointee) : history.formerTarget(image, slot.pointee)
        if let target { part = link(target, slot.pointee, number) }
      case .toMany:
        let targets =
          isNew ? reader.targetsInMemory(image.now, slot.pointee) : history.formerTargets(image, slot.pointee)
        for target in targets {
          let link = link(target, slot.pointee, number)
          part = slot.pointee.isOrdered ? seeds.mix(part ^ link, seeds.second) &+ 1 : part &+ link
        }
      default:
        if image.before.isSet(slot) {
          part = attribute(image.before[slot], slot.pointee.kind)
        }
      }
      hash = seeds.mix(hash ^ part, seeds.second) &+ 1
    }
    return hash
  }

  /// Returns a hash that can be added to other hashes. The hashes of an identity index are not suitable, because the hashes of neighboring
  /// numbers differ in two known bits.
  private func word(_ word: UInt64) -> UInt64 { seeds.mix(seeds.word(word), seeds.second) }

  private func attribute(_ cell: UInt64, _ kind: SlotPlan.Kind) -> UInt64 {
    if !kind.isText { return word(cell) | 1 }
    let bytes = state.pointee.texts.bytes(cell)
    // Equal JSON may be spelled differently: `[1]` and `[ 1.0 ]`.
    if kind == .json, let json = try? JSONBuilder.json(bytes) { return UInt64(truncatingIfNeeded: json.hashValue) | 1 }
    return seeds.bytes(bytes) | 1
  }

  private mutating func link(_ target: UInt32, _ slot: SlotPlan, _ number: Int) -> UInt64 {
    guard let known = rows[slot.destinationTable, target] else {
      return word(UInt64(slot.destinationTable) << 32 | UInt64(target))
    }
    links.append(Link(target: known, slot: UInt64(number), isOrdered: slot.isOrdered))
    return 1
  }

  // MARK: Classes

  /// Divides the classes by the classes of the targets. Returns false if the limit is reached.
  private mutating func refine() -> Bool {
    var count = group()
    if links.isEmpty { return true }
    for _ in 0..<ContentClasses.mostRounds {
      var next = hashes
      var start = 0
      for (number, end) in ends.enumerated() {
        var ordered = hashes[number]
        var unordered: UInt64 = 0
        for link in links[start..<end] {
          let part = seeds.mix(hashes[link.target] ^ seeds.first, seeds.second &+ link.slot << 1)
          if link.isOrdered { ordered = seeds.mix(ordered ^ part, seeds.second) &+ 1 } else { unordered &+= part }
        }
        if start < end { next[number] = seeds.mix(ordered ^ unordered, seeds.second) &+ 1 }
        start = end
      }
      hashes = next
      let known = count
      count = group()
      if count == known { return true }
    }
    return false
  }

  /// Finds the first object with each hash, and returns the number of different hashes.
  private mutating func group() -> Int {
    var capacity = 16
    while capacity < hashes.count * 2 { capacity *= 2 }
    // An object's number plus one; 0 is a free slot.
    var slots = [UInt32](repeating: 0, count: capacity)
    var count = 0
    first.removeAll(keepingCapacity: true)
    for (number, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & (capacity - 1)
      while slots[slot] != 0, hashes[Int(slots[slot]) - 1] != hash { slot = (slot + 1) & (capacity - 1) }
      if slots[slot] == 0 {
        slots[slot] = UInt32(number + 1)
        count += 1
      }
      first.append(Int(slots[slot]) - 1)
    }
    return count
  }
}
