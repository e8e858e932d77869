extension Plan {
  /// Throws if a document cannot be divided into pieces, because its objects read values from outside (M19): from the document
  /// itself, or from the object that encloses the outermost objects.
  ///
  /// - Parameter entity: the entity of the outermost objects.
  func checkStream(of entity: EntityPlan, _ words: OptionWords) throws(ImportError) {
    let outermost = Set(entity.concreteAndSubentities)
    let readsDocument = outermost.contains { !entities[$0].surroundings.root.isEmpty }
    guard readsDocument || outermost.contains(where: { !entities[$0].surroundings.parent.isEmpty }) else { return }
    let reachable = readsDocument ? reachable(from: outermost) : outermost
    for number in reachable.sorted() {
      for field in entities[number].fields.surrounding {
        let path = entities[number].path(ofField: fields[field])
        guard path.surroundings == .root || path.surroundings == .parent && outermost.contains(number) else { continue }
        throw ImportFinding.streamWithoutDocument(
          path, entities[number], entities[number].properties[fields[field].slot], words
        ).error()
      }
    }
  }

  /// Returns the entities of the objects that objects of the given entities can contain, including the given entities.
  private func reachable(from outermost: Set<Int>) -> Set<Int> {
    var met = outermost
    var next = Array(outermost)
    while let number = next.popLast() {
      for property in entities[number].properties {
        guard let path = property.importedKeyPath, path.surroundings == nil,
          let destination = property.relationship.flatMap({ entity(named: $0.destinationName) })
        else { continue }
        for inner in destination.concreteAndSubentities where met.insert(inner).inserted { next.append(inner) }
      }
    }
    return met
  }
}
