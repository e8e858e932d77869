/// The objects that enclose the reader's position: a stack of frames, with their cells and rows.
///
///     frames   | list heroes | object Hero | list powers |
///     cells                    | id | name | powers |
///     rows                                   | 4 | 7 |          rows of lists that are open
struct OpenObjects {
  var frames = PlainStack<ImportFrame>()
  var cells = PlainStack<Cell>(capacity: 256)
  var rows = PlainStack<UInt32>(capacity: 64)
  /// Relationships that appear after their inverses although the model declares the inverses later.
  private var lateSlots: [LateSlot] = []
  /// Keys of the keyed collections that are open, to find duplicates.
  private var collectionKeys: [Set<[UInt8]>] = []
  /// Values that were set aside until their object's row is known (M12).
  private(set) var setAside: [SetAsideValue] = []
  /// The owners whose values are being read.
  private(set) var owners: [OpenOwner] = []
  /// Values that objects read from open objects and from the document (M19).
  var surroundings = SurroundingValues()
  /// The dictionaries of open objects whose text is freed before their hooks run.
  private var payloads: [JSON] = []

  /// A relationship of an open object, which is identified by its first cell.
  private struct LateSlot {
    var cells: Int
    var slot: Int
  }

  func free() {
    frames.free()
    cells.free()
    rows.free()
    surroundings.free()
  }

  /// Returns whether the innermost object has a key that the model maps.
  ///
  /// - Parameter others: the numbers of fields that are disregarded, because only nested objects read them (M19).
  func hasMappedKey(_ layout: EntityLayout, besides others: [Int]) -> Bool {
    let first = frames.last.pointee.cells + layout.slotCount
    return (0..<layout.reading.seenWords).contains { word in
      let ignored = others.reduce(0 as UInt64) { $1 >> 6 == word ? $0 | 1 << UInt64($1 & 63) : $0 }
      return cells[first + word].bits & ~ignored != 0
    }
  }

  /// Whether the innermost object is an element of an array.
  var isElement: Bool {
    var index = frames.count - 1
    while frames.base[index].kind == .group { index -= 1 }
    return index > 0 && frames.base[index].field < 0 && frames.base[index - 1].isList
  }

  /// Notes that the innermost object contains values whose bytes may have a different meaning next time, or that must be reported
  /// each time.
  @inline(never)
  func forbidRepeats() {
    if frames.count > 0 { frames.last.pointee.marks.isRepeatable = false }
  }

  // MARK: Keyed collections

  mutating func openCollection() { collectionKeys.append([]) }

  mutating func closeCollection() { collectionKeys.removeLast() }

  /// Notes a key of the innermost collection. Returns false if the collection already has the key.
  mutating func insertKey(_ key: LentBytes) -> Bool {
    collectionKeys[collectionKeys.count - 1].insert(Array(key)).inserted
  }

  // MARK: Dictionaries for hooks

  /// Keeps the dictionary of the innermost object.
  mutating func keep(_ payload: JSON) {
    frames.last.pointee.marks.hasPayload = true
    payloads.append(payload)
  }

  /// The dictionary that was kept for the innermost object.
  var payload: JSON? { frames.last.pointee.marks.hasPayload ? payloads.last : nil }

  /// Closes the innermost object.
  @inline(__always)
  mutating func closeObject() {
    let frame = frames.last
    if frame.pointee.marks.hasPayload { payloads.removeLast() }
    cells.truncate(to: frame.pointee.cells)
    rows.truncate(to: frame.pointee.rows)
    frames.truncate(to: frames.count - 1)
  }

  // MARK: Owners

  /// Notes that a value of an open object will be read when the object's row is known.
  mutating func setAside(_ value: SetAsideValue) { setAside.append(value) }

  /// The values that the innermost object has set aside.
  var setAsideByObject: ArraySlice<SetAsideValue> {
    let first = frames.last.pointee.cells
    let count = setAside.reversed().prefix { $0.cells == first }.count
    return setAside[(setAside.count - count)...]
  }

  /// Discards the values that the innermost object has set aside.
  mutating func forgetSetAside() { setAside.removeLast(setAsideByObject.count) }

  /// Begins to read the values that the innermost object has set aside.
  mutating func openOwner(_ owner: OpenOwner) {
    var frame = frames.last.pointee
    frame.kind = .owned
    let isRepeated = frame.marks.isRepeated
    frame.marks = ImportFrame.Marks()
    frame.marks.isRepeated = isRepeated
    frames.append(frame)
    owners.append(owner)
  }

  /// Returns the next value of the innermost owner, or nil if all of them have been read.
  mutating func nextSetAside() -> SetAsideValue? {
    let last = owners.count - 1
    guard owners[last].next < setAside.count else { return nil }
    owners[last].next += 1
    return setAside[owners[last].next - 1]
  }

  /// The value of the innermost owner that is being read.
  var currentSetAside: SetAsideValue { setAside[owners[owners.count - 1].next - 1] }

  /// Returns whether a dictionary that encloses the innermost one describes the same object and writes the same relationship when
  /// it ends. Until then, the objects of the relationship keep the owner that is part of their identity.
  func isWrittenLater(_ slot: Int, of place: RowPlace, _ plan: Plan) -> Bool {
    let around = frames.last.pointee.kind == .owned ? owners.dropLast() : owners[...]
    return around.contains { owner in
      owner.row == place.row
        && setAside[owner.values].contains {
          let field = plan.fields[$0.field]
          return field.slot == slot && plan.layouts[field.entity].table == place.table
        }
    }
  }

  /// Ends the innermost owner, whose values have all been read.
  mutating func closeOwner() {
    forgetSetAside()
    owners.removeLast()
    frames.truncate(to: frames.count - 1)
  }

  // MARK: The two sides of one inverse

  // If the two sides contradict each other, the side that appears later in the dictionary takes precedence (I7).
  //
  //     {"id": 1, "parent": 1, "children": []}      1 has no parent: `children` comes last
  //     {"id": 1, "children": [], "parent": 1}      1 is its own parent
  //
  // An object's relationships are applied in the order of the model. Only a side that comes first in the model but later in the
  // dictionary needs special treatment: it is applied after all other relationships.

  /// Notes that a relationship of an open object is applied after the other relationships.
  mutating func noteLate(_ slot: Int, cells: Int) { lateSlots.append(LateSlot(cells: cells, slot: slot)) }

  /// Removes the cells that are applied late from the innermost object and returns them; nil if there are none.
  @inline(__always)
  mutating func takeLateCells() -> [(slot: Int, cell: Cell)]? {
    lateSlots.isEmpty ? nil : takeLateCells(frames.last.pointee.cells)
  }

  @inline(never)
  private mutating func takeLateCells(_ first: Int) -> [(slot: Int, cell: Cell)] {
    var late: [(slot: Int, cell: Cell)] = []
    while let last = lateSlots.last, last.cells == first {
      late.append((last.slot, cells[first + last.slot]))
      cells[first + last.slot] = .absent
      lateSlots.removeLast()
    }
    return late.reversed()
  }
}
