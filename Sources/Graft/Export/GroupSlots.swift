/// The properties that an import reads in the object of a key path, whether they are written there or not.
///
///     home.city, home.zip, and home.secret, which is only imported        the group "home": city, zip, secret
struct GroupSlots {
  /// By entity and first step.
  private var known: [Int: [Int]] = [:]

  /// Returns the slots of a group's properties; nil if nothing is written there.
  ///
  /// - Parameters:
  ///   - first: the first step in the object.
  ///   - end: the step after its end.
  mutating func slots(
    _ first: Int, _ end: Int, _ steps: PlanReference<ExportStep>, _ entity: EntityPlan
  ) -> [Int]? {
    let place = entity.index << 32 | first
    if let known = known[place] { return known }
    let properties = entity.properties
    guard let slot = (first..<end).lazy.map({ steps[$0].slot }).first(where: { $0 >= 0 }),
      let keys = properties[slot].exportedKeyPath?.keys
    else { return nil }
    var level = 0
    for index in 0..<first {
      level += steps[index].action == .openGroup ? 1 : steps[index].action == .closeGroup ? -1 : 0
    }
    let group = keys.prefix(level)
    let slots = properties.indices.filter { slot in
      guard let path = properties[slot].keyPath else { return false }
      return ([path] + properties[slot].keyPathAliases).contains {
        $0.keys.count > level && $0.keys.starts(with: group)
      }
    }
    known[place] = slots
    return slots
  }
}
