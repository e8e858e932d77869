/// The keys of a few objects of each entity that have unmapped keys: mapped keys that are absent from all of them, and unmapped
/// keys that are present.
///
///     "placedAt": {"JSONKeyPath": "placedAt"}     {"id": 1, "placed_at": "2025-03-01"}
///                                                           ^ the silent mistake
struct KeySamples {
  /// A key that the model does not map.
  struct Unmapped {
    var key: String
    var offset: Int
    var length: Int
  }

  /// The facts about the objects of an entity.
  struct Keys {
    /// Properties for which at least one object had a key.
    var presentSlots: Set<Int> = []
    var presentGroups: Set<Int> = []
    /// The unmapped keys, in the order in which they were found.
    var unmapped: [Unmapped] = []
    /// The known keys, compared by their bytes, because hashing hostile text as a string is very slow.
    fileprivate var known: Set<UTF8Key> = []
  }

  private(set) var byEntity: [Int: Keys] = [:]

  private static let mostKeys = 200

  /// Examines objects of a piece whose bytes can be read.
  mutating func add(_ samples: [Suspicions.Sample], _ plan: Plan, _ shelf: PieceShelf) {
    for sample in samples {
      guard let reader = shelf.scanner(at: sample.offset) else { continue }
      add(JSONLocator.members(in: reader, most: KeySamples.mostKeys), sample.entity, plan)
    }
  }

  private mutating func add(_ members: [JSONLocator.Member], _ entity: Int, _ plan: Plan) {
    let group = plan.groups[plan.layouts[entity].group]
    // The keys are removed from the dictionary while they change, so that they are not copied.
    var keys = byEntity.removeValue(forKey: entity) ?? Keys()
    for member in members {
      guard let field = LentBytes.with(member.key, { plan.field(named: $0, in: group) }) else {
        if keys.unmapped.count < KeySamples.mostKeys, keys.known.insert(UTF8Key(member.key)).inserted {
          keys.unmapped.append(Unmapped(key: member.key, offset: member.offset, length: member.length))
        }
        continue
      }
      let plan = plan.fields[field]
      if plan.slot >= 0 { keys.presentSlots.insert(plan.slot) } else { keys.presentGroups.insert(field) }
    }
    byEntity[entity] = keys
  }

  /// Returns the mapped keys of an entity that no object has, with their properties, if any.
  func absent(_ entity: Int, _ plan: Plan) -> [(key: String, slot: Int)] {
    guard let keys = byEntity[entity] else { return [] }
    let group = plan.groups[plan.layouts[entity].group]
    return (group.first..<group.first + group.count).compactMap { index in
      let field = plan.fields[index]
      let isPresent = field.slot >= 0 ? keys.presentSlots.contains(field.slot) : keys.presentGroups.contains(index)
      if isPresent || field.reading == .skipped { return nil }
      return (field.name, field.slot)
    }
  }
}
