extension ModelChecker {
  /// Checks that `class` is the name of a Swift type, and that no two entities share a class (M3).
  func checkClassNames() {
    var owners: [String: Int] = [:]
    for entity in index.entities {
      if let name = entity.className, !NameRules.isSwiftTypeName(name) {
        findings.report(.badClassName(name, of: entity.name), at: entity.source.place(of: .class))
      }
    }
    guard index.entities.contains(where: { $0.className != nil }) else { return }
    for (number, entity) in index.entities.enumerated() where index.isFirst(number) {
      let name = entity.className ?? entity.name
      guard NameRules.isSwiftTypeName(name) else { continue }
      guard let other = owners[name] else {
        owners[name] = number
        continue
      }
      findings.report(
        .duplicateClass(name, of: entity.name, and: index.entities[other].name), at: entity.source.place(of: .class),
        notes: [.init("the other entity's class is here", at: index.entities[other].source.place(of: .class))])
    }
  }
}
