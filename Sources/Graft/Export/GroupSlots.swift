/// The properties that an import reads in the object of a key path, or as that object, even if the export does not write them there.
///
///     home.city, home.zip, and home.secret, which is only imported        the group "home": city, zip, secret
struct GroupSlots {
  /// The slots that were already determined, by entity and first step.
  private var known: [Int: [Int]] = [:]

  /// Returns the slots of a group's properties; nil if nothing is written in the group.
  ///
  /// - Parameters:
  ///   - first: the first step in the object.
  ///   - end: the step after the end of the object.
  mutating func slots(
    _ first: Int, _ end: Int, _ steps: PlanReference<ExportStep>, _ entity: EntityPlan
  ) -> [Int]? {
    let place = entity.index << 32 | first
    if let known = known[place] { return known }
    guard (first..<end).contains(where: { steps[$0].slot >= 0 }) else { return nil }
    var group: [String] = []
    for index in 0..<first {
      switch steps[index].action {
      case .openGroup: group.append((try? JSONBuilder.json(steps[index].key))?.stringValue ?? "")
      case .closeGroup: group.removeLast()
      default: break
      }
    }
    let slots = entity.properties.indices.filter { slot in
      let property = entity.properties[slot]
      guard let path = property.keyPath else { return false }
      let paths = [path] + property.keyPathAliases + (property.relationship?.identifierKeyPaths.map(\.keyPath) ?? [])
      return paths.contains { $0.keys.starts(with: group) || group.starts(with: $0.keys) }
    }
    known[place] = slots
    return slots
  }
}
