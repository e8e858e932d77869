/// Puts changed objects into an order in which each object follows its owners (M12).
///
///     part   id: Part(Line(Order(2), 1), "c")      after line and order, even if line is not among the changed objects
///     line   id: Line(Order(2), 1)                 after order
///     order  id: Order(2)
struct ChangeOrder {
  private let objects: [ChangedObject]
  /// The owners that an object is linked to.
  private let owners: (ChangedObject) -> [ManagedObjectID.Key]
  private let indices: [ManagedObjectID.Key: Int]
  private var isDone: [Bool]
  private var order: [Int] = []

  init(_ objects: [ChangedObject], owners: @escaping (ChangedObject) -> [ManagedObjectID.Key]) {
    self.objects = objects
    self.owners = owners
    indices = Dictionary(objects.enumerated().map { ($1.id.key, $0) }) { first, _ in first }
    isDone = Array(repeating: false, count: objects.count)
  }

  mutating func ownersFirst() -> [Int] {
    for index in objects.indices { append(index) }
    return order
  }

  private mutating func append(_ index: Int) {
    if isDone[index] { return }
    isDone[index] = true
    for owner in owners(objects[index]) { append(owner) }
    appendOwners(of: objects[index].id.key)
    order.append(index)
  }

  private mutating func append(_ key: ManagedObjectID.Key) {
    if let index = indices[key] { append(index) } else { appendOwners(of: key) }
  }

  private mutating func appendOwners(of key: ManagedObjectID.Key) {
    guard case .identity(let identity) = key else { return }
    for case .owner(let owner) in identity.parts { append(.identity(owner)) }
  }
}
