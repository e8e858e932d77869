extension ModelChecker {
  /// Checks that a former name does not belong to anything else, whether it is still in the model or was also renamed (S9).
  func checkFormerNames() {
    check(
      index.entities.map { ($0.name, $0.renamedFrom, $0.source) }, names: index.entities.map(\.name)
    ) { "entity \($0.quoted)" }
    for entity in index.entities {
      let properties =
        entity.attributes.map { ($0.name, $0.renamedFrom, $0.source) }
        + entity.relationships.map { ($0.name, $0.renamedFrom, $0.source) }
      check(properties, names: properties.map(\.0)) { "\(entity.name).\($0)".quoted }
    }
  }

  private func check(
    _ subjects: [(name: String, former: [String], source: DescriptionSource)], names: @autoclosure () -> [String],
    title: (String) -> String
  ) {
    guard subjects.contains(where: { !$0.former.isEmpty }) else { return }
    let names = Set(names().map(UTF8Key.init))
    var known: [UTF8Key: SourcePlace] = [:]
    for subject in subjects {
      for (number, former) in subject.former.enumerated() {
        let key = UTF8Key(former)
        let place = subject.source.place(of: .renamedFrom, element: number)
        if names.contains(key) {
          findings.report(.formerNameInUse(former, of: title(subject.name)), at: place)
        } else if let other = known[key] {
          findings.report(
            .repeatedFormerName(former, of: title(subject.name)), at: place,
            notes: [.init("it is given here first", at: other)])
        }
        if known[key] == nil { known[key] = place }
      }
    }
  }

  /// Checks that names listed as removed are not in the model (S9).
  func checkRemoved() {
    guard !index.removed.isEmpty else { return }
    var titles = Set(index.entities.map { UTF8Key($0.name) })
    for entity in index.entities {
      for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
        titles.insert(UTF8Key("\(entity.name).\(name)"))
      }
    }
    for (number, title) in index.removed.enumerated() where titles.contains(UTF8Key(title)) {
      findings.report(.removedNameInUse(title), at: index.removedSource.place(of: .removed, element: number))
    }
  }
}
