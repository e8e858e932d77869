import Graft

extension CoreDataTranslator {
  /// Adds the indexes for fetching (M28). Indexes that stores always have, or cannot have, are omitted.
  mutating func addIndexes(
    _ entities: inout [EntityDescription], _ sources: [CoreDataEntity], _ hierarchy: CoreDataHierarchy
  ) {
    var known: [Int: Set<[String]>] = [:]
    for (number, source) in sources.enumerated() {
      for index in source.fetchIndexes {
        let names = index.properties.compactMap(\.self)
        var reason = unusable(index, names, entities, number, hierarchy)
        if reason == nil, !known[hierarchy.root(of: number), default: []].insert(names).inserted {
          reason = "another index has the same properties"
        }
        if let reason {
          notes.add(.noIndex(index.name, of: source.name, reason, place(index.tag)))
        } else {
          entities[number].indexes.append(.init(names))
          if !index.extras.isEmpty {
            notes.add(.plainIndex(index.name, of: source.name, index.extras, place(index.tag)))
          }
        }
      }
    }
  }

  /// Returns the reason why an index is omitted, or nil if there is none.
  private func unusable(
    _ index: CoreDataFetchIndex, _ names: [String], _ entities: [EntityDescription], _ number: Int,
    _ hierarchy: CoreDataHierarchy
  ) -> String? {
    if names.isEmpty || names.count < index.properties.count { return "it does not consist only of properties" }
    if Set(names).count < names.count { return "it has a property twice" }
    let identity = hierarchy.lineage(of: number).reversed().flatMap { entities[$0].identityAttributes }
    if identity.prefix(names.count).elementsEqual(names) { return "the identity is always indexed" }
    for name in names {
      if let (owner, position) = hierarchy.attribute(name, of: number) {
        if entities[owner].attributes[position].type == .json { return "'\(name)' is of type 'json'" }
      } else if let (owner, position) = hierarchy.relationship(name, inheritedBy: number) {
        if entities[owner].relationships[position].isToMany { return "'\(name)' is a to-many relationship" }
        if names.count == 1 { return "a to-one relationship is always indexed" }
      } else {
        return "'\(name)' is not converted"
      }
    }
    return nil
  }
}
