/// Finds the rows under a hash that several rows may share: one entry for each hash, and a chain of its rows.
///
///     heads   | hash --> 7 |
///     nodes   7 <-> 2 <-> 31
///
/// A row has at most one hash; adding it under another hash moves it. Each operation takes constant expected time,
/// regardless of the number of rows that share the hash. This type is unsafe: its owner must call ``free()``.
struct ChainedIndex {
  private struct Node {
    var hash: UInt64
    /// The next row of the chain, plus one; 0 at its end.
    var next: UInt32 = 0
    /// The previous row of the chain, plus one; `head` in the first node, and 0 if the row is not in the index.
    var previous: UInt32 = 0

    static let head = UInt32.max
  }

  private var heads = IdentityIndex()
  private var nodes = PlainStack<Node>()

  /// The capacity for entries, and for nodes, which are twice as large.
  var capacity: Int { heads.capacity + nodes.capacity * 2 }

  func free() {
    heads.free()
    nodes.free()
  }

  func copy() -> ChainedIndex {
    var copy = self
    copy.heads = heads.copy()
    copy.nodes = nodes.copy()
    return copy
  }

  /// The first row under a hash that a closure accepts.
  func find(_ hash: UInt64, _ matches: (UInt32) -> Bool) -> UInt32? {
    var row = head(hash)
    while let number = row {
      if matches(number) { return number }
      let next = nodes[Int(number)].next
      row = next == 0 ? nil : next - 1
    }
    return nil
  }

  /// Whether a row is in the index under a hash.
  func contains(_ row: UInt32, _ hash: UInt64) -> Bool {
    Int(row) < nodes.count && nodes[Int(row)].previous != 0 && nodes[Int(row)].hash == hash
  }

  /// Adds a row under a hash. If the row is later added under another hash, it is removed from this hash.
  mutating func insert(_ hash: UInt64, _ row: UInt32) {
    if contains(row, hash) { return }
    remove(row)
    while nodes.count <= Int(row) { nodes.append(Node(hash: 0)) }
    guard let first = head(hash) else {
      heads.insert(hash, row)
      nodes[Int(row)] = Node(hash: hash, previous: Node.head)
      return
    }
    let second = nodes[Int(first)].next
    nodes[Int(row)] = Node(hash: hash, next: second, previous: first + 1)
    nodes[Int(first)].next = row + 1
    if second != 0 { nodes[Int(second - 1)].previous = row + 1 }
  }

  /// Removes a row if the index contains it.
  mutating func remove(_ row: UInt32) {
    guard Int(row) < nodes.count, nodes[Int(row)].previous != 0 else { return }
    let node = nodes[Int(row)]
    nodes[Int(row)] = Node(hash: 0)
    if node.next != 0 { nodes[Int(node.next - 1)].previous = node.previous }
    if node.previous != Node.head {
      nodes[Int(node.previous - 1)].next = node.next
      return
    }
    heads.remove(node.hash, row)
    if node.next != 0 { heads.insert(node.hash, node.next - 1) }
  }

  /// Frees memory that the current entries do not need.
  mutating func trim() { heads.trim() }

  private func head(_ hash: UInt64) -> UInt32? { heads.find(hash) { nodes[Int($0)].hash == hash } }
}
