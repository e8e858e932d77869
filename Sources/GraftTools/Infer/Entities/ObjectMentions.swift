import Graft

/// Groups the objects of samples by the values of some keys, and compares the members of each group. If the keys identify objects, the
/// members of a group are mentions of one object.
///
///     {"id": 7, "name": "a"}      the first mention of 7
///     {"id": 7, "name": "a"}      agrees in "name"
///     {"id": 7, "name": "b"}      contradicts it
struct ObjectMentions {
  private(set) var facts = IdentityFacts()
  private let table: ShapeTable
  /// Whether mentions in different samples can contradict each other. If not, the later sample has the later state of the object, if both
  /// have the same owner.
  private let comparesSamples: Bool
  private let keys: [UTF8Key]
  private var objects: [ValueHash: Object] = [:]
  private var columns: [Column] = []
  /// The column of each member number; members with one key share a column.
  private var columnOfMember: [UInt32: Int] = [:]
  private var columnOfKey: [UTF8Key: Int] = [:]
  /// In how many members objects of different samples agree, and in how many they differ.
  private var acrossSamples = (agreements: 0, differences: 0)
  /// Whether a value differs in two objects of one sample that contain mentions of one object.
  private(set) var differsInOwners = false

  /// What the mentions of one object have in common.
  private struct Object {
    /// The sample of the first mention, and the containing object that has an ID.
    var origin: (sample: Int, owner: ValueHash?)
    /// The members, from all mentions.
    var cells: ArraySlice<ObjectRows.Cell>
    /// The columns that are null in some mention.
    var nulls: Set<Int> = []
    /// The IDs of the objects that contain the mentions, each with its first mention.
    var owners: [ValueHash: UInt32] = [:]
  }

  /// The members with one key.
  private struct Column {
    let name: String
    let isKey: Bool
    var isList = false
    var isContainer = false
    var contradictions = 0
    var comparisons = 0
    var agrees: Bool { comparisons > contradictions }
    /// For each object, the value in the last mention, and how often it changed.
    var courses: [ValueHash: Course] = [:]

    init(_ name: String, isKey: Bool) {
      self.name = name
      self.isKey = isKey
    }
  }

  /// The values of a member in the mentions of one object.
  private struct Course {
    var latest: ValueHash
    var turns = 0
    var comparisons = 0

    init(latest: ValueHash) { self.latest = latest }

    /// Whether each of several mentions has a different value from the previous one.
    var alwaysTurns: Bool { turns >= 3 && turns == comparisons }

    mutating func note(_ value: ValueHash) {
      comparisons += 1
      if value != latest { turns += 1 }
      latest = value
    }
  }

  init(_ table: ShapeTable, by keys: [UTF8Key], comparesSamples: Bool) {
    self.table = table
    self.keys = keys
    self.comparesSamples = comparesSamples
  }

  // MARK: Mentions

  /// Adds an object of a shape.
  mutating func add(_ shape: SampleShape, _ row: Int) {
    facts.rows += 1
    let cells = shape.rows[row]
    guard let value = value(cells) else {
      facts.missing += 1
      return
    }
    let nulls = Set(shape.rows.nulls(of: row).map { column($0) })
    let around = table.owner(ofObject: shape.rows.ids[row])
    let sample = comparesSamples ? 0 : table.sample(ofObject: shape.rows.ids[row])
    let origin = (sample: sample, owner: around?.id)
    if var known = objects.removeValue(forKey: value) {
      let isNewOwner = around.map { (known.owners[$0.id] ?? $0.number) == $0.number } ?? true
      if let around, known.owners[around.id] == nil { known.owners[around.id] = around.number }
      if known.origin.sample == sample || known.origin.owner != origin.owner {
        compare(cells, nulls, origin, value, isNewOwner: isNewOwner, &known)
      } else {
        noteLaterState(of: known, cells)
        known.cells = cells
        known.origin = origin
        known.nulls = []
      }
      known.nulls.formUnion(nulls)
      objects[value] = known
    } else {
      objects[value] = Object(
        origin: origin, cells: cells, nulls: nulls, owners: around.map { [$0.id: $0.number] } ?? [:])
    }
  }

  /// The values of the keys in an object, combined into one; nil if it lacks a key.
  private mutating func value(_ cells: ArraySlice<ObjectRows.Cell>) -> ValueHash? {
    var whole: ValueHash?
    for key in keys {
      var part: ValueHash?
      for cell in cells where part == nil {
        let column = columns[column(cell.member)]
        if column.isKey, UTF8Key(column.name) == key { part = cell.hash }
      }
      guard let part else { return nil }
      whole = whole?.adding(element: part) ?? part
    }
    return whole
  }

  private mutating func column(_ member: UInt32) -> Int {
    if let known = columnOfMember[member] { return known }
    let shape = table[Int(member)]
    let name = table.shapes[Int(member)].key
    let number = columnOfKey[UTF8Key(name)] ?? columns.count
    if number == columns.count {
      columnOfKey[UTF8Key(name)] = number
      columns.append(Column(name, isKey: keys.contains(UTF8Key(name))))
    }
    if shape.arrays > 0 { columns[number].isList = true }
    if shape.arrays > 0 || shape.objects > 0 { columns[number].isContainer = true }
    columnOfMember[member] = number
    return number
  }

  /// Compares a mention with earlier mentions.
  ///
  /// - Parameter isNewOwner: whether the containing object is not a repetition of an object that contained an earlier mention. A value that
  ///   occurs in several places of one containing object is evidence.
  private mutating func compare(
    _ cells: ArraySlice<ObjectRows.Cell>, _ nulls: Set<Int>, _ origin: (sample: Int, owner: ValueHash?),
    _ value: ValueHash, isNewOwner: Bool, _ object: inout Object
  ) {
    let known = members(object.cells) { $1 }
    // If an object is mentioned again, its equal parts are not counted again.
    if !isNewOwner, cells.allSatisfy({ known[column($0.member)] == $0.hash }) {
      facts.rows -= 1
      return
    }
    facts.repeats += 1
    if (cells.count == keys.count) != (object.cells.count == keys.count) { facts.references += 1 }
    // An import of this mention would remove the value.
    for column in nulls where known[column] != nil { contradict(column) }
    let isOfOtherOwner =
      origin.owner != nil && object.origin.owner != nil && origin.owner != object.origin.owner
      && origin.sample == object.origin.sample
    for cell in cells {
      let column = column(cell.member)
      guard let other = known[column] else {
        object.cells.append(cell)
        if object.nulls.contains(column) { contradict(column) }
        continue
      }
      if columns[column].isKey { continue }
      columns[column].courses[value, default: Course(latest: other)].note(cell.hash)
      if other == cell.hash {
        columns[column].comparisons += 1
        facts.agreements += 1
      } else {
        contradict(column)
        if isOfOtherOwner, !columns[column].isContainer {
          if OwnedValues.areCertain(columns[column].name) { facts.dependsOnOwner = true }
          differsInOwners = true
        }
      }
    }
  }

  private mutating func contradict(_ column: Int) {
    facts.contradictions += 1
    columns[column].contradictions += 1
    columns[column].comparisons += 1
  }

  /// Records the differences in a mention of a later sample.
  private mutating func noteLaterState(of object: Object, _ cells: ArraySlice<ObjectRows.Cell>) {
    facts.repeats += 1
    let known = members(object.cells) { first, _ in first }
    let now = members(cells) { first, _ in first }
    let changed = known.keys.filter { known[$0] != now[$0] }
    facts.changes.formUnion(changed.map { columns[$0].name })
    // A part is not a single value. The value of the key does not count as an agreement.
    let values = known.keys.filter { !columns[$0].isContainer }
    let differing = changed.count { !columns[$0].isContainer }
    acrossSamples.differences += differing
    acrossSamples.agreements += values.count - differing - keys.count
  }

  private mutating func members(
    _ cells: ArraySlice<ObjectRows.Cell>, _ combine: (ValueHash, ValueHash) -> ValueHash
  ) -> [Int: ValueHash] {
    Dictionary(cells.map { (column($0.member), $0.hash) }, uniquingKeysWith: combine)
  }

  // MARK: The result

  /// Sums up the columns.
  mutating func finish() {
    for column in columns where column.comparisons > 0 {
      facts.columns[column.name] = (
        column.contradictions, column.comparisons, column.isList, column.courses.values.reduce(0) { $0 + $1.turns }
      )
      // A value that changes each time may be a count.
      if !column.isContainer, column.courses.values.count(where: \.alwaysTurns) > 1 { facts.dependsOnOwner = true }
    }
    // Objects that differ in most members are different objects with the same number in different documents.
    if acrossSamples.differences > acrossSamples.agreements { facts.contradictions += acrossSamples.differences }
    facts.agreesWhereOthersDiffer = agreesWhereOthersDiffer()
  }

  /// Whether the mentions of objects agree in a member that other objects differ in.
  private mutating func agreesWhereOthersDiffer() -> Bool {
    guard columns.contains(where: \.agrees) else { return false }
    var values: [Int: ValueHash] = [:]
    for object in objects.values {
      for cell in object.cells {
        let column = column(cell.member)
        guard columns[column].agrees else { continue }
        if values.updateValue(cell.hash, forKey: column).map({ $0 != cell.hash }) == true { return true }
      }
    }
    return false
  }
}
