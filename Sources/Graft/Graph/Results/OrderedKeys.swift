/// Keys in an order that the caller determines, with the position of each.
///
///     key        40   17   23         position(of: 17) == 1
///     position    0    1    2         key(at: 2) == 23
///
/// A balanced tree whose nodes store the number of keys below them. Every operation takes time in proportion to the logarithm of
/// the number of keys, regardless of the length of the list. Priorities are pseudorandom, but always the same.
struct OrderedKeys {
  private struct Node {
    var key: Int64
    var priority: UInt32
    var parent = none
    var left = none
    var right = none
    var count: Int32 = 1
  }

  private static let none: Int32 = -1

  private var nodes: [Node] = []
  private var unused: [Int32] = []
  private var root = none
  /// The node of each key.
  private var numbers: [Int64: Int32] = [:]
  private var seed: UInt32 = 0x9E37_79B9

  /// Creates a list of keys that are already in order.
  init(_ keys: [Int64] = []) {
    nodes.reserveCapacity(keys.count)
    numbers.reserveCapacity(keys.count)
    // The rightmost path of the tree, from its root.
    var path: [Int32] = []
    for key in keys where numbers[key] == nil {
      let number = makeNode(key)
      var last = OrderedKeys.none
      while let top = path.last, self[top].priority < self[number].priority {
        recount(top)
        last = top
        path.removeLast()
      }
      link(last, left: number)
      if let top = path.last { link(number, right: top) }
      path.append(number)
    }
    while let top = path.popLast() {
      recount(top)
      root = top
    }
  }

  var count: Int { count(root) }

  func contains(_ key: Int64) -> Bool { numbers[key] != nil }

  // MARK: Looking up

  /// The position of a key; nil if it is not in the list.
  func position(of key: Int64) -> Int? {
    guard var number = numbers[key] else { return nil }
    var position = count(self[number].left)
    while self[number].parent != OrderedKeys.none {
      let parent = self[number].parent
      if self[parent].right == number { position += count(self[parent].left) + 1 }
      number = parent
    }
    return position
  }

  /// The key at a position.
  func key(at position: Int) -> Int64 { self[node(at: position)].key }

  /// The keys at the given positions.
  func keys(_ positions: Range<Int>) -> [Int64] {
    guard var number = positions.first.map({ node(at: $0) }) else { return [] }
    var keys: [Int64] = []
    keys.reserveCapacity(positions.count)
    while keys.count < positions.count {
      keys.append(self[number].key)
      number = successor(number)
    }
    return keys
  }

  var all: [Int64] { keys(0..<count) }

  /// The nearest key before the given key, ignoring skipped keys; nil if there is none.
  func key(before key: Int64, skipping isSkipped: (Int64) -> Bool) -> Int64? {
    var number = numbers[key].map { predecessor($0) } ?? OrderedKeys.none
    while number != OrderedKeys.none, isSkipped(self[number].key) { number = predecessor(number) }
    return number == OrderedKeys.none ? nil : self[number].key
  }

  /// The nearest key after the given key, ignoring skipped keys; nil if there is none.
  func key(after key: Int64, skipping isSkipped: (Int64) -> Bool) -> Int64? {
    var number = numbers[key].map { successor($0) } ?? OrderedKeys.none
    while number != OrderedKeys.none, isSkipped(self[number].key) { number = successor(number) }
    return number == OrderedKeys.none ? nil : self[number].key
  }

  /// The position for a new key among the keys that are not skipped. These keys must be in order.
  ///
  /// - Parameter precedes: whether the new key comes before the given key.
  func position(where precedes: (Int64) -> Bool, skipping isSkipped: (Int64) -> Bool) -> Int {
    var (number, position) = (root, 0)
    while number != OrderedKeys.none {
      // A skipped key is represented by the nearest key before it that is not skipped.
      var known = number
      while known != OrderedKeys.none, isSkipped(self[known].key) { known = predecessor(known) }
      if known != OrderedKeys.none, precedes(self[known].key) {
        number = self[number].left
      } else {
        position += count(self[number].left) + 1
        number = self[number].right
      }
    }
    return position
  }

  // MARK: Changing

  mutating func insert(_ key: Int64, at position: Int) {
    let new = makeNode(key)
    var (number, rest) = (root, position)
    if root == OrderedKeys.none { root = new }
    while number != OrderedKeys.none {
      self[number].count += 1
      let before = count(self[number].left)
      let isLeft = rest <= before
      let next = isLeft ? self[number].left : self[number].right
      if next == OrderedKeys.none {
        if isLeft { link(new, left: number) } else { link(new, right: number) }
      }
      if !isLeft { rest -= before + 1 }
      number = next
    }
    while self[new].parent != OrderedKeys.none, self[self[new].parent].priority < self[new].priority { rotate(new) }
  }

  /// Removes a key.
  ///
  /// - Returns: the position of the key; nil if the key was not in the list.
  @discardableResult
  mutating func remove(_ key: Int64) -> Int? {
    guard let position = position(of: key), let number = numbers.removeValue(forKey: key) else { return nil }
    while case let (left, right) = (self[number].left, self[number].right), left != right {
      if right == OrderedKeys.none || left != OrderedKeys.none && self[left].priority > self[right].priority {
        rotate(left)
      } else {
        rotate(right)
      }
    }
    var parent = self[number].parent
    replace(number, with: OrderedKeys.none, below: parent)
    while parent != OrderedKeys.none {
      self[parent].count -= 1
      parent = self[parent].parent
    }
    unused.append(number)
    return position
  }

  /// Renames keys; no other key has the new names. The order stays the same.
  mutating func rename(_ names: [(old: Int64, new: Int64)]) {
    let known = names.compactMap { name in numbers[name.old].map { (name.old, name.new, $0) } }
    for (old, _, _) in known { numbers[old] = nil }
    for (_, new, number) in known {
      numbers[new] = number
      self[number].key = new
    }
  }

  // MARK: Nodes

  private subscript(number: Int32) -> Node {
    get { nodes[Int(number)] }
    set { nodes[Int(number)] = newValue }
  }

  private func count(_ number: Int32) -> Int { number == OrderedKeys.none ? 0 : Int(self[number].count) }

  private mutating func recount(_ number: Int32) {
    self[number].count = Int32(count(self[number].left) + count(self[number].right) + 1)
  }

  private mutating func makeNode(_ key: Int64) -> Int32 {
    seed ^= seed << 13
    seed ^= seed >> 17
    seed ^= seed << 5
    let number: Int32
    if let free = unused.popLast() {
      number = free
      self[number] = Node(key: key, priority: seed)
    } else {
      number = Int32(nodes.count)
      nodes.append(Node(key: key, priority: seed))
    }
    numbers[key] = number
    return number
  }

  private mutating func link(_ child: Int32, left parent: Int32) {
    self[parent].left = child
    if child != OrderedKeys.none { self[child].parent = parent }
  }

  private mutating func link(_ child: Int32, right parent: Int32) {
    self[parent].right = child
    if child != OrderedKeys.none { self[child].parent = parent }
  }

  /// Puts another node, or none, in the place of a child.
  private mutating func replace(_ child: Int32, with other: Int32, below parent: Int32) {
    if parent == OrderedKeys.none {
      root = other
    } else if self[parent].left == child {
      self[parent].left = other
    } else {
      self[parent].right = other
    }
    if other != OrderedKeys.none { self[other].parent = parent }
  }

  /// Rotates a node into the place of its parent.
  private mutating func rotate(_ number: Int32) {
    let parent = self[number].parent
    let above = self[parent].parent
    if self[parent].left == number {
      link(self[number].right, left: parent)
      link(parent, right: number)
    } else {
      link(self[number].left, right: parent)
      link(parent, left: number)
    }
    recount(parent)
    recount(number)
    // The node above still refers to the former parent.
    if above == OrderedKeys.none {
      root = number
    } else if self[above].left == parent {
      self[above].left = number
    } else {
      self[above].right = number
    }
    self[number].parent = above
  }

  private func node(at position: Int) -> Int32 {
    var (number, rest) = (root, position)
    while case let before = count(self[number].left), before != rest {
      if rest < before {
        number = self[number].left
      } else {
        rest -= before + 1
        number = self[number].right
      }
    }
    return number
  }

  private func successor(_ number: Int32) -> Int32 {
    var number = number
    if self[number].right != OrderedKeys.none {
      number = self[number].right
      while self[number].left != OrderedKeys.none { number = self[number].left }
      return number
    }
    while self[number].parent != OrderedKeys.none, self[self[number].parent].right == number {
      number = self[number].parent
    }
    return self[number].parent
  }

  private func predecessor(_ number: Int32) -> Int32 {
    var number = number
    if self[number].left != OrderedKeys.none {
      number = self[number].left
      while self[number].right != OrderedKeys.none { number = self[number].right }
      return number
    }
    while self[number].parent != OrderedKeys.none, self[self[number].parent].left == number {
      number = self[number].parent
    }
    return self[number].parent
  }
}
