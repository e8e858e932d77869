extension ModelChecker {
  /// Checks that a former name belongs to nothing else: neither to something that the model still has, nor to something else
  /// that was renamed (S9).
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
    _ subjects: [(name: String, former: String?, source: DescriptionSource)], names: @autoclosure () -> [String],
    title: (String) -> String
  ) {
    guard subjects.contains(where: { $0.former != nil }) else { return }
    let names = Set(names().map(UTF8Key.init))
    var known: [UTF8Key: DescriptionSource] = [:]
    for subject in subjects {
      guard let former = subject.former else { continue }
      let key = UTF8Key(former)
      let place = subject.source.place(of: .renamedFrom)
      if names.contains(key) {
        findings.report(.formerNameInUse(former, of: title(subject.name)), at: place)
      } else if let other = known[key] {
        findings.report(
          .repeatedFormerName(former, of: title(subject.name)), at: place,
          notes: [.init("it is given here first", at: other.place(of: .renamedFrom))])
      }
      if known[key] == nil { known[key] = subject.source }
    }
  }
}
