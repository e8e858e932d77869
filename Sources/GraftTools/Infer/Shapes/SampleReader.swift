import Graft

/// Reads samples into shapes: one pass over the bytes, without recursion.
struct SampleReader {
  /// An open container.
  private struct Level {
    let shape: SampleShape
    let isObject: Bool
    /// The innermost object: this one, or the object that contains an array.
    let row: Int
    /// The object that contains this one, and the member with this one.
    let owner: Int
    let via: Int
    /// The first cell of the object's members, and the first cell of the members that are null.
    let firstCell: Int
    let firstNull: Int
    var hash: ValueHash
    var isEmpty = true
    /// The member that the last key named.
    var member: Int?
  }

  private let table: ShapeTable
  private var levels: [Level] = []
  private var cells: [ObjectRows.Cell] = []
  private var nulls: [UInt32] = []
  private let root: Int
  private var outermost = OutermostObjects()
  /// The numbers of the objects to skip, and the depth inside the one that is being skipped.
  private let skipped: Set<Int>
  private var skippedDepth = 0

  private init(_ table: ShapeTable, root: Int, skipping skipped: Set<Int>) {
    self.table = table
    self.root = root
    self.skipped = skipped
  }

  /// Adds a document, or the documents of JSON Lines, to the shape with a number.
  ///
  /// - Parameter skipped: the numbers of objects to skip, as ``RepeatedObjects`` returns them.
  static func read(
    _ source: SourceText, isLines: Bool, into root: Int, of table: ShapeTable, skipping skipped: Set<Int>
  ) throws(JSONTextError) {
    var reader = SampleReader(table, root: root, skipping: skipped)
    try JSONEventReader.read(source, isLines: isLines) { reader.take($0) }
  }

  private mutating func take(_ event: JSONEventReader.Event) {
    if skippedDepth > 0 { return skip(event) }
    switch event {
    case .key(let key):
      let top = levels.count - 1
      let number = table.member(key, of: levels[top].shape)
      levels[top].member = number
      let shape = table.shapes[number]
      if shape.lastRow == levels[top].row { shape.occursTwice = true }
      shape.lastRow = levels[top].row
    case .beginObject: open(isObject: true)
    case .beginArray: open(isObject: false)
    case .endObject, .endArray: close()
    case .null: value(.null) { $0.nulls += 1 }
    case .boolean(let value):
      self.value(.boolean(value)) {
        $0.booleans += 1
        if !value { $0.falses += 1 }
      }
    case .number(let text): value(.number(text)) { $0.numbers.add(text) }
    case .string(let text): value(.string(text)) { $0.texts.add(text) }
    }
  }

  private mutating func skip(_ event: JSONEventReader.Event) {
    switch event {
    case .beginObject, .beginArray: skippedDepth += 1
    case .endObject, .endArray: skippedDepth -= 1
    default: break
    }
  }

  /// The shape of the next value.
  private func place() -> SampleShape {
    guard let level = levels.last else { return table.shapes[root] }
    if let member = level.member { return table.shapes[member] }
    let element = table.element(of: level.shape)
    return table.shapes[element]
  }

  private mutating func open(isObject: Bool) {
    if let number = outermost.open(isObject: isObject), skipped.contains(number) {
      outermost.close()
      skippedDepth = 1
      if !levels.isEmpty { levels[levels.count - 1].isEmpty = false }
      return
    }
    let shape = place()
    if isObject { shape.objects += 1 } else { shape.arrays += 1 }
    let outer = levels.last
    let owner = outer?.row ?? 0
    if isObject { table.beginObject(in: owner) }
    levels.append(
      Level(
        shape: shape, isObject: isObject, row: isObject ? table.objectCount : owner, owner: owner,
        via: outer.map { $0.member ?? $0.via } ?? root, firstCell: cells.count,
        firstNull: nulls.count, hash: .container(isObject: isObject)))
  }

  private mutating func close() {
    guard let level = levels.popLast() else { return }
    outermost.close()
    if level.isEmpty {
      level.shape.empties += 1
      if !level.isObject { level.shape.emptyArrays += 1 }
    }
    if level.isObject {
      level.shape.rows.append(
        id: level.row, owner: level.owner, via: level.via, cells[level.firstCell...], nulls: nulls[level.firstNull...])
      table.endObject(level.row, of: level.shape, cells[level.firstCell...])
      cells.removeSubrange(level.firstCell...)
      nulls.removeSubrange(level.firstNull...)
    }
    add(level.hash, isNull: false)
  }

  private mutating func value(_ hash: ValueHash, _ count: (SampleShape) -> Void) {
    let shape = place()
    count(shape)
    let isNull = hash == .null
    if !isNull, shape.isElement, let row = levels.last?.row { shape.items.append(hash, owner: row) }
    add(hash, isNull: isNull)
  }

  /// Adds a complete value to its container.
  private mutating func add(_ hash: ValueHash, isNull: Bool) {
    let top = levels.count - 1
    guard top >= 0 else { return }
    levels[top].isEmpty = false
    guard levels[top].isObject else {
      levels[top].hash = levels[top].hash.adding(element: hash)
      return
    }
    guard let member = levels[top].member else { return }
    levels[top].hash = levels[top].hash.adding(member: table.shapes[member].key, hash)
    levels[top].member = nil
    if isNull {
      nulls.append(UInt32(member))
    } else {
      cells.append(ObjectRows.Cell(member: UInt32(member), hash: hash))
    }
  }
}
