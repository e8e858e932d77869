import Graft

/// The shapes of all samples. A shape that was merged into another shape forwards to it.
final class ShapeTable {
  private(set) var shapes: [SampleShape] = []
  private var forward: [Int] = []
  /// The number of objects so far.
  private(set) var objectCount = 0
  /// For each object, the object that contains it and the value of its most likely ID.
  private var objects: [(owner: UInt32, id: ValueHash?)] = [(0, nil)]

  /// For each sample, the number of the last object before it.
  private var sampleStarts: [UInt32] = []

  /// Records that the objects from now on belong to the next sample.
  func beginSample() { sampleStarts.append(UInt32(objectCount)) }

  /// The position of the sample that has an object.
  func sample(ofObject id: UInt32) -> Int {
    var (low, high) = (0, sampleStarts.count)
    while low < high {
      let middle = (low + high) / 2
      if sampleStarts[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Objects

  /// Adds an object.
  ///
  /// - Parameter owner: the number of the object that contains it.
  func beginObject(in owner: Int) {
    objectCount += 1
    objects.append((UInt32(truncatingIfNeeded: owner), nil))
  }

  /// Records the ID of an object.
  func endObject(_ number: Int, of shape: SampleShape, _ members: ArraySlice<ObjectRows.Cell>) {
    func rank(_ cell: ObjectRows.Cell) -> Int? { shapes[Int(cell.member)].idRank(of: shape) }
    let likely = members.filter { rank($0) != nil }.min { (rank($0) ?? 0) < (rank($1) ?? 0) }
    objects[number].id = likely.map { ValueHash.string(shapes[Int($0.member)].key).adding(element: $0.hash) }
  }

  /// Returns the innermost object with an ID that contains an object, and this ID; nil if there is none.
  func owner(ofObject number: UInt32) -> (number: UInt32, id: ValueHash)? {
    var owner = objects[Int(number)].owner
    while owner > 0 {
      if let id = objects[Int(owner)].id { return (owner, id) }
      owner = objects[Int(owner)].owner
    }
    return nil
  }

  // MARK: Shapes

  /// Returns the shape with a number.
  subscript(number: Int) -> SampleShape { shapes[find(number)] }

  /// Returns the number of the shape that a shape was merged into, or its own number.
  func find(_ number: Int) -> Int {
    var root = number
    while forward[root] != root { root = forward[root] }
    var next = number
    while forward[next] != root { (forward[next], next) = (root, forward[next]) }
    return root
  }

  func add(key: String, isElement: Bool = false, parent: Int?) -> Int {
    let number = shapes.count
    shapes.append(SampleShape(number, key: key, isElement: isElement, parent: parent))
    forward.append(number)
    return number
  }

  /// Returns the shape of a member of a shape's objects, which is added if it is new.
  func member(_ key: String, of shape: SampleShape) -> Int {
    let name = UTF8Key(key)
    if let known = shape.memberNumbers[name] { return known }
    let member = add(key: key, parent: shape.number)
    shape.members.append(member)
    shape.memberNumbers[name] = member
    return member
  }

  /// Returns the shape of the elements of a shape's arrays.
  func element(of shape: SampleShape) -> Int {
    if let element = shape.element { return element }
    let element = add(key: shape.key, isElement: true, parent: shape.number)
    shape.element = element
    return element
  }

  /// The members of a shape's objects.
  func members(_ shape: SampleShape) -> [SampleShape] { shape.members.map { self[$0] } }

  /// The members of a shape's objects with their keys. A member whose objects were merged into the objects of another key has the shape of
  /// both.
  func keyedMembers(_ shape: SampleShape) -> [(key: String, shape: SampleShape)] {
    shape.members.map { (shapes[$0].key, self[$0]) }
  }

  // MARK: Merging

  /// Merges a shape into another shape, with everything inside, without recursion.
  func merge(_ number: Int, into target: Int) {
    var work = [(number, target)]
    while let (number, target) = work.popLast() {
      let (from, to) = (self[number], self[target])
      guard from !== to else { continue }
      forward[from.number] = to.number
      to.nulls += from.nulls
      to.booleans += from.booleans
      to.arrays += from.arrays
      to.objects += from.objects
      to.empties += from.empties
      to.emptyArrays += from.emptyArrays
      to.falses += from.falses
      to.isLenient = to.isLenient || from.isLenient
      to.hasFreeKeys = to.hasFreeKeys || from.hasFreeKeys
      to.numbers.merge(from.numbers)
      to.texts.merge(from.texts)
      to.rows.append(from.rows)
      to.items.append(from.items)
      to.occursTwice = to.occursTwice || from.occursTwice
      for (mine, set) in [
        (from.element, \SampleShape.element), (from.keyed, \SampleShape.keyed),
        (from.elementKey, \SampleShape.elementKey),
      ] {
        guard let mine else { continue }
        if let other = to[keyPath: set] { work.append((mine, other)) } else { to[keyPath: set] = mine }
      }
      for member in from.members {
        let key = UTF8Key(shapes[member].key)
        if let other = to.memberNumbers[key] {
          work.append((member, other))
        } else {
          to.members.append(member)
          to.memberNumbers[key] = member
        }
      }
      release(from)
      if to.keyed != nil, !to.members.isEmpty { makeKeyed(to) }
    }
  }

  /// Makes a shape whose keys are data a collection: its members become the elements of one shape.
  func makeKeyed(_ shape: SampleShape) {
    let values: Int
    if let keyed = shape.keyed {
      values = keyed
    } else {
      values = add(key: shape.key, isElement: true, parent: shape.number)
      shape.keyed = values
      shapes[values].elementKey = add(key: "@key", parent: values)
    }
    let members = shape.members
    shape.members = []
    shape.memberNumbers = [:]
    for member in members {
      let from = self[member]
      let target = self[values]
      let keyNumber = target.elementKey ?? values
      let key = self[keyNumber]
      let hash = ValueHash.key(from.key)
      for _ in 0..<max(from.present, 1) { key.texts.add(from.key) }
      key.items.append(hash, owner: 0)
      target.rows.append(from.rows, key: key.number, hash)
      from.rows = ObjectRows()
      from.isElement = true
      merge(member, into: values)
    }
  }

  /// Turns the objects of a shape that also has arrays into elements of these arrays.
  func makeList(_ shape: SampleShape) {
    let element = element(of: shape)
    let objects = shapes[add(key: shape.key, isElement: true, parent: shape.number)]
    swap(&objects.objects, &shape.objects)
    swap(&objects.rows, &shape.rows)
    swap(&objects.members, &shape.members)
    swap(&objects.memberNumbers, &shape.memberNumbers)
    shape.isLenient = true
    merge(objects.number, into: element)
  }

  private func release(_ shape: SampleShape) {
    shape.rows = ObjectRows()
    shape.items = OwnedHashes()
    shape.members = []
    shape.memberNumbers = [:]
    shape.texts = TextFacts()
  }
}
