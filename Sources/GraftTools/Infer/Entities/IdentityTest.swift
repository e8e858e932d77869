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
  /// The number of objects that are only a value, or the first with more members after objects that were only the value: mentions by that
  /// value.
  var references = 0
  /// Whether objects with the same value also have the same value of a member in which other objects differ.
  var agreesWhereOthersDiffer = false
  /// The members that have different values in a later sample.
  var changes: Set<String> = []
  /// For each member that all objects with the same value have: how often it differs from the first of these objects, and from the
  /// previous one.
  var columns: [String: (contradictions: Int, comparisons: Int, isList: Bool, turns: Int)] = [:]
  /// Whether a member depends on the containing object: a `value` differs there, or several objects have a different value each time.
  var dependsOnOwner = false

  /// Whether no two objects with one value contradict each other.
  var isConsistent: Bool { missing == 0 && contradictions == 0 }

  /// Whether repeated values show that they identify objects. The absence of contradictions proves nothing: `{"name": "a"}`
  /// twice may be two objects with one name.
  var isConfirmed: Bool { references > 0 || agreesWhereOthersDiffer }

  /// Whether objects with one value agree, except for what changes from one mention to the next, such as a count.
  var isMostlyConsistent: Bool { missing == 0 && hasFewContradictions }

  /// Whether the same applies to the objects that have the member, and at least half of all objects have it. The other objects have no
  /// identity.
  var identifiesMost: Bool {
    (missing == 0 || 2 * missing <= rows && rows - missing > 1) && hasFewContradictions
  }

  private var hasFewContradictions: Bool {
    !dependsOnOwner && 4 * contradictions <= agreements + contradictions
      && !columns.contains { name, column in
        // Positions in a string belong to a single mention.
        if column.isList {
          return 5 * column.contradictions > column.comparisons || column.contradictions > 0 && name == "indices"
        }
        // A member that nearly always differs is not a value of one object that changes now and then.
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
  ///   - most: the number of objects of each shape that are examined.
  ///   - comparesSamples: whether objects of different samples can contradict each other. If not, the later sample has the later state
  ///     of the object, if both have the same owner.
  func facts(
    of keys: String..., in shapes: [SampleShape], most: Int = .max, comparesSamples: Bool = true
  ) -> IdentityFacts {
    let keys = keys.map { UTF8Key($0) }
    var mentions = ObjectMentions(table, by: keys, comparesSamples: comparesSamples)
    for shape in shapes { for row in 0..<min(shape.rows.count, most) { mentions.add(shape, row) } }
    mentions.finish()
    var facts = mentions.facts
    // Small numbers may be counted in each containing object.
    if mentions.differsInOwners, !facts.agreesWhereOthersDiffer, keys.count == 1, areSmall(keys[0], in: shapes) {
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

  /// Whether equal values of a key are no coincidence: large numbers, or longer strings with digits, such as UUIDs.
  func areDistinctive(_ key: String, in shapes: [SampleShape]) -> Bool {
    shapes.allSatisfy { shape in
      guard let member = shape.memberNumbers[UTF8Key(key)].map({ table[$0] }), member.booleans == 0 else {
        return false
      }
      let areLong = member.texts.distinct.allSatisfy { text in
        text.utf8.count >= 6 && text.utf8.contains { 0x30...0x39 ~= $0 }
      }
      return areLong && (member.numbers.count == 0 || member.numbers.areIntegers && member.numbers.least >= 100_000)
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
