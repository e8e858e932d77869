import Graft

/// The result of grouping objects by the value of one member.
struct IdentityFacts {
  var rows = 0
  /// The number of objects without the member.
  var missing = 0
  /// The number of objects whose value occurred before.
  var repeats = 0
  var agreements = 0
  var contradictions = 0
  /// The number of objects that are only a value, or the first to be more than the value of others: mentions by that value.
  var references = 0
  /// Whether objects with one value agree in a member that others differ in.
  var agreesWhereOthersDiffer = false
  /// The members that have other values in a later sample.
  var changes: Set<String> = []
  /// The members that objects with one value have in common: how often they differ from the first of them, and from the one before.
  var columns: [String: (contradictions: Int, comparisons: Int, isList: Bool, turns: Int)] = [:]
  /// Whether a member depends on the object around: a `value` differs there, or several objects have another value each time.
  var dependsOnOwner = false

  /// Whether no two objects with one value contradict each other.
  var isConsistent: Bool { missing == 0 && contradictions == 0 }

  /// Whether repeated values show that they identify objects. The absence of contradictions proves nothing: `{"name": "a"}`
  /// twice may be two objects with one name.
  var isConfirmed: Bool { references > 0 || agreesWhereOthersDiffer }

  /// Whether objects with one value agree, except for what changes from one mention to the next, such as a count.
  var isMostlyConsistent: Bool { missing == 0 && hasFewContradictions }

  /// Whether that is so of those that have the member, and at least half of all have it. The others have no identity.
  var identifiesMost: Bool {
    (missing == 0 || 2 * missing <= rows && rows - missing > 1) && hasFewContradictions
  }

  private var hasFewContradictions: Bool {
    !dependsOnOwner && 4 * contradictions <= agreements + contradictions
      && !columns.contains { name, column in
        // Positions in a text are those of one mention.
        if column.isList {
          return 5 * column.contradictions > column.comparisons || column.contradictions > 0 && name == "indices"
        }
        // What nearly always differs is no value of one object that changes now and then.
        return column.turns >= 3 && 5 * column.turns > 4 * column.comparisons
      }
  }

  /// The member that contradicts itself most often.
  var worst: String? {
    columns.filter { $0.value.contradictions > 0 }
      .max { ($0.value.contradictions, $1.key) < ($1.value.contradictions, $0.key) }?.key
  }
}

/// Tests whether a member, or several together, identify objects: whether objects with the same values agree in their other
/// members.
struct IdentityTest {
  let table: ShapeTable
  private let described = Described()

  init(table: ShapeTable) { self.table = table }

  /// The values of a member in the mentions of one object.
  private struct Course {
    var latest: ValueHash
    var turns = 0
    var comparisons = 0

    init(latest: ValueHash) { self.latest = latest }

    /// Whether each of several mentions has another value than the one before.
    var alwaysTurns: Bool { turns >= 3 && turns == comparisons }

    mutating func note(_ value: ValueHash) {
      comparisons += 1
      if value != latest { turns += 1 }
      latest = value
    }
  }

  /// The members of the objects of shapes, by the value of a key, as long as no shapes are merged.
  private final class Described {
    struct Name: Hashable {
      var shape: Int
      var key: UTF8Key
    }
    var objects: [Name: [ValueHash: [UTF8Key: ValueHash]]] = [:]
  }

  /// Groups the objects of shapes by members. Expected O(number of their members).
  ///
  /// - Parameters:
  ///   - most: the number of objects of each shape that are looked at.
  ///   - comparesSamples: whether objects of different samples can contradict each other. If not, the later sample has the later state
  ///     of the object, if both have the same owner.
  func facts(
    of keys: String..., in shapes: [SampleShape], most: Int = .max, comparesSamples: Bool = true
  ) -> IdentityFacts {
    var facts = IdentityFacts()
    let keys = keys.map { UTF8Key($0) }
    /// The sample of the first object with each value, and the object with an ID around it.
    var origins: [ValueHash: (sample: Int, owner: ValueHash?)] = [:]
    /// The members of the object with each value, from all of its mentions.
    var firsts: [ValueHash: ArraySlice<ObjectRows.Cell>] = [:]
    /// For each value, the columns that are null in some mention of its object.
    var nulls: [ValueHash: Set<Int>] = [:]
    /// The column of each member number; members with one key share a column.
    var columns: [UInt32: Int] = [:]
    var numbers: [UTF8Key: Int] = [:]
    var names: [String] = []
    var areLists: [Bool] = []
    var areContainers: [Bool] = []
    var differences: [(Int, Int)] = []
    /// By column and value, what the last object had, and how often that changed.
    var courses: [Int: [ValueHash: Course]] = [:]
    /// The IDs of the objects around the mentions of each value, and which mention of such an object was the first.
    var owners: [ValueHash: [ValueHash: UInt32]] = [:]
    /// Whether a value differs in two objects of one sample that contain objects with one value.
    var differsInOwners = false
    /// In how many members objects of different samples agree, and in how many they differ.
    var acrossSamples = (agreements: 0, differences: 0)
    var agreeing: Set<Int> = []
    /// The values of the keys in an object as one; nil if it lacks one.
    func value(_ cells: ArraySlice<ObjectRows.Cell>) -> ValueHash? {
      var whole: ValueHash?
      for key in keys {
        guard let part = cells.first(where: { UTF8Key(names[column($0.member)]) == key })?.hash else { return nil }
        whole = whole?.adding(element: part) ?? part
      }
      return whole
    }
    func column(_ member: UInt32) -> Int {
      if let known = columns[member] { return known }
      let shape = table[Int(member)]
      let name = table.shapes[Int(member)].key
      let number = numbers[UTF8Key(name)] ?? names.count
      if number == names.count {
        numbers[UTF8Key(name)] = number
        names.append(name)
        areLists.append(false)
        areContainers.append(false)
        differences.append((0, 0))
      }
      if shape.arrays > 0 { areLists[number] = true }
      if shape.arrays > 0 || shape.objects > 0 { areContainers[number] = true }
      columns[member] = number
      return number
    }
    /// Whether the object around a mention is another object than before, or the same mention of an object: a value that occurs in several
    /// places of one mention is evidence.
    func isNew(_ owner: (number: UInt32, id: ValueHash), of value: ValueHash) -> Bool {
      if let first = owners[value]?[owner.id] { return first == owner.number }
      owners[value, default: [:]][owner.id] = owner.number
      return true
    }
    func contradict(_ column: Int) {
      facts.contradictions += 1
      differences[column].0 += 1
      differences[column].1 += 1
    }
    for shape in shapes {
      for row in 0..<min(shape.rows.count, most) {
        facts.rows += 1
        let cells = shape.rows[row]
        guard let value = value(cells) else {
          facts.missing += 1
          continue
        }
        let empty = shape.rows.nulls(of: row).map(column)
        defer { if !empty.isEmpty { nulls[value, default: []].formUnion(empty) } }
        let around = table.owner(ofObject: shape.rows.ids[row])
        let owner = around?.id
        let isNewOwner = around.map { isNew($0, of: value) } ?? true
        let sample = comparesSamples ? 0 : table.sample(ofObject: shape.rows.ids[row])
        guard let first = firsts[value], let origin = origins[value],
          origin.sample == sample || origin.owner != owner
        else {
          if let earlier = firsts[value] {
            facts.repeats += 1
            let known = Dictionary(earlier.map { (column($0.member), $0.hash) }) { first, _ in first }
            let now = Dictionary(cells.map { (column($0.member), $0.hash) }) { first, _ in first }
            let changed = known.keys.filter { known[$0] != now[$0] }
            facts.changes.formUnion(changed.map { names[$0] })
            // A part is not a single value. The value of the key does not count as an agreement.
            let values = known.keys.filter { !areContainers[$0] }
            let differing = changed.count { !areContainers[$0] }
            acrossSamples.differences += differing
            acrossSamples.agreements += values.count - differing - keys.count
          }
          firsts[value] = cells
          origins[value] = (sample, owner)
          nulls[value] = nil
          continue
        }
        var known: [Int: ValueHash] = [:]
        for cell in first { known[column(cell.member)] = cell.hash }
        // If an object is mentioned again, its equal parts are not counted again.
        if !isNewOwner, cells.allSatisfy({ known[column($0.member)] == $0.hash }) {
          facts.rows -= 1
          continue
        }
        facts.repeats += 1
        if (cells.count == keys.count) != (first.count == keys.count) { facts.references += 1 }
        // An import of this mention would remove the value.
        for column in empty where known[column] != nil { contradict(column) }
        let isOfOtherOwner = owner != nil && origin.owner != nil && owner != origin.owner && sample == origin.sample
        for cell in cells {
          let column = column(cell.member)
          guard let other = known[column] else {
            firsts[value]?.append(cell)
            if nulls[value]?.contains(column) == true { contradict(column) }
            continue
          }
          guard !keys.contains(UTF8Key(names[column])) else { continue }
          courses[column, default: [:]][value, default: Course(latest: other)].note(cell.hash)
          if isOfOtherOwner, other != cell.hash, !areContainers[column] {
            if OwnedValues.areCertain(names[column]) { facts.dependsOnOwner = true }
            differsInOwners = true
          }
          if other == cell.hash {
            differences[column].1 += 1
            facts.agreements += 1
            agreeing.insert(column)
          } else {
            contradict(column)
          }
        }
      }
    }
    for (number, name) in names.enumerated() where differences[number].1 > 0 {
      let courses = courses[number].map { Array($0.values) } ?? []
      facts.columns[name] = (
        differences[number].0, differences[number].1, areLists[number], courses.reduce(0) { $0 + $1.turns }
      )
      // One that changes each time may be a count.
      if !areContainers[number], courses.count(where: \.alwaysTurns) > 1 { facts.dependsOnOwner = true }
    }
    // Objects that differ in most are others, which have the same number in another document.
    if acrossSamples.differences > acrossSamples.agreements { facts.contradictions += acrossSamples.differences }
    if !agreeing.isEmpty {
      var values: [Int: ValueHash] = [:]
      facts.agreesWhereOthersDiffer = firsts.values.contains { cells in
        cells.contains { cell in
          let column = column(cell.member)
          guard agreeing.contains(column) else { return false }
          guard let value = values[column] else {
            values[column] = cell.hash
            return false
          }
          return value != cell.hash
        }
      }
    }
    // Small numbers may be counted in each object around.
    if differsInOwners, !facts.agreesWhereOthersDiffer, keys.count == 1, areSmall(keys[0], in: shapes) {
      facts.dependsOnOwner = true
    }
    return facts
  }

  /// Whether the values of a key are numbers of at most three digits.
  private func areSmall(_ key: UTF8Key, in shapes: [SampleShape]) -> Bool {
    shapes.allSatisfy { shape in
      guard let member = shape.memberNumbers[key].map({ table[$0] }), !member.texts.hasMoreDistinct else {
        return false
      }
      let areDigits = member.texts.distinct.allSatisfy {
        $0.utf8.count <= 3 && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 }
      }
      return areDigits && (member.numbers.count == 0 || member.numbers.areIntegers && member.numbers.most < 1000)
    }
  }

  /// Compares the objects of two sets of shapes that have the same value of a member: in how many of their other members they
  /// agree, and in how many they differ. A list may be complete in one place and shortened in the other.
  func comparison(
    of key: String, _ left: [SampleShape], _ right: [SampleShape], most: Int
  ) -> (agreements: Int, contradictions: Int) {
    var result = (agreements: 0, contradictions: 0)
    for shape in left {
      let mine = objects(of: shape, by: key, most)
      for other in right {
        let others = objects(of: other, by: key, most)
        for (value, members) in mine {
          guard let found = others[value] else { continue }
          for (member, hash) in members {
            guard let other = found[member] else { continue }
            if other == hash { result.agreements += 1 } else { result.contradictions += 1 }
          }
        }
      }
    }
    return result
  }

  private func objects(of shape: SampleShape, by key: String, _ most: Int) -> [ValueHash: [UTF8Key: ValueHash]] {
    let name = Described.Name(shape: shape.number, key: UTF8Key(key))
    if let known = described.objects[name] { return known }
    var objects: [ValueHash: [UTF8Key: ValueHash]] = [:]
    for row in 0..<min(shape.rows.count, most) {
      var members: [UTF8Key: ValueHash] = [:]
      for cell in shape.rows[row] where table[Int(cell.member)].arrays == 0 {
        members[UTF8Key(table.shapes[Int(cell.member)].key)] = cell.hash
      }
      guard let value = members.removeValue(forKey: name.key) else { continue }
      objects[value, default: [:]].merge(members) { first, _ in first }
    }
    described.objects[name] = objects
    return objects
  }

  /// The different values of a member.
  func values(of key: String, in shapes: [SampleShape]) -> Set<ValueHash> {
    var values: Set<ValueHash> = []
    for shape in shapes {
      let numbers = Set(
        shape.members.map { table.find($0) }.filter { UTF8Key(table[$0].key) == UTF8Key(key) }
          + [shape.elementKey].compactMap { $0.map(table.find) }.filter { UTF8Key(table[$0].key) == UTF8Key(key) })
      for row in 0..<shape.rows.count {
        for cell in shape.rows[row] where numbers.contains(table.find(Int(cell.member))) { values.insert(cell.hash) }
      }
    }
    return values
  }
}
