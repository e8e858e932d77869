extension ModelChecker {
  /// Checks that a destination exists and that payloads can create objects of it (M9, D11).
  func checkDestination(_ subject: RelationshipSubject) {
    let relationship = subject.relationship
    guard relationship.source.isReadable(.destination) else { return }
    guard let destination = index.entity(named: relationship.destinationName) else {
      findings.report(
        .unknownDestination(relationship.destinationName, of: subject.name), at: subject.place(of: .destination),
        near: index.entityNames)
      return
    }
    if relationship.importedKeyPath != nil, index.entities[destination].isAbstract {
      checkAbstractDestination(destination, subject)
    }
  }

  /// Checks that an abstract entity that payloads reach has a mapper that selects a concrete sub-entity.
  private func checkAbstractDestination(_ destination: Int, _ subject: RelationshipSubject) {
    let entity = index.entities[destination]
    func report(_ finding: ModelFinding) {
      findings.report(finding, at: subject.place(of: .destination), notes: [declaration(of: destination)])
    }
    guard index.hasConcrete[destination] else {
      return report(.abstractWithoutSubentities(entity.name, reachedBy: subject.name))
    }
    let isMapper = { (candidate: EntityDescription) in
      candidate.entityMapper != nil || candidate.entityMapperName != nil
        || !candidate.source.isReadable(.entityMapper) || !candidate.source.isReadable(.entityMapperName)
    }
    guard let owner = index.lineage(destination).map({ index.entities[$0] }).first(where: isMapper) else {
      guard index.knowsAllProperties(of: destination) else { return }
      return report(.abstractWithoutMapper(entity.name, reachedBy: subject.name))
    }
    guard owner.entityMapperName == nil, let mapper = owner.entityMapper, owner.source.isReadable(.entities) else {
      return
    }
    var names = mapper.cases.map(\.entityName)
    if case .entity(let name)? = mapper.otherwise { names.append(name) }
    let isUseful = names.contains { name in
      guard let target = index.entity(named: name) else { return true }
      return index.inherits(target, from: destination)
    }
    if !isUseful, !mapper.cases.isEmpty {
      report(.abstractBeyondMapper(entity.name, mapperOf: owner.name, reachedBy: subject.name))
    }
  }
}
