/// Assigns a column to each entity: every line leads from a column to a column further right.
///
/// Parents are left of their children. A relationship also leads to the right, unless that would close a cycle.
struct DiagramLayers {
  /// The column of each entity.
  private(set) var columns: [Int]
  private var successors: [Set<Int>]

  init(_ model: DiagramModel) {
    columns = Array(repeating: 0, count: model.entities.count)
    successors = Array(repeating: [], count: model.entities.count)
    for (number, entity) in model.entities.enumerated() {
      if let parent = entity.parent { successors[parent].insert(number) }
    }
    for link in model.links {
      let (from, to) = (link.place.entity, model.relationship(link.place).destination)
      guard from != to else { continue }
      if reaches(to, from) { successors[to].insert(from) } else { successors[from].insert(to) }
    }
    assign()
  }

  private func reaches(_ start: Int, _ goal: Int) -> Bool {
    var seen: Set<Int> = [start]
    var waiting = [start]
    while let entity = waiting.popLast() {
      if entity == goal { return true }
      for next in successors[entity] where seen.insert(next).inserted { waiting.append(next) }
    }
    return false
  }

  /// Places each entity as far left as possible, and entities without incoming lines next to their destinations.
  private mutating func assign() {
    var open = Array(repeating: 0, count: columns.count)
    for next in successors.joined() { open[next] += 1 }
    let sources = columns.indices.filter { open[$0] == 0 }
    var waiting = sources
    while let entity = waiting.popLast() {
      for next in successors[entity].sorted() {
        columns[next] = max(columns[next], columns[entity] + 1)
        open[next] -= 1
        if open[next] == 0 { waiting.append(next) }
      }
    }
    for source in sources {
      if let nearest = successors[source].map({ columns[$0] }).min() { columns[source] = nearest - 1 }
    }
  }
}
