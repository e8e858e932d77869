extension ModelChecker {
  /// Checks that a property's name can be displayed and listed.
  func checkPropertyName(_ name: String, _ source: DescriptionSource, _ what: String) {
    guard let reason = NameRules.fault(inPropertyName: name) else { return }
    findings.report(.badName(name, of: what, reason), at: source.place())
  }

  /// Checks that no two properties have the same full name, which messages and stores use: property `c` of entity `A.b`, and property
  /// `b.c` of entity `A`.
  func checkFullNames() {
    let dot = UInt8(ascii: ".")
    guard index.entities.contains(where: { $0.name.utf8.contains(dot) }) else { return }
    var known: [UTF8Key: DescriptionSource] = [:]
    for entity in index.entities {
      let properties =
        entity.attributes.map { ($0.name, $0.source) } + entity.relationships.map { ($0.name, $0.source) }
      for (name, source) in properties {
        let title = "\(entity.name).\(name)"
        guard let first = known.updateValue(source, forKey: UTF8Key(title)) else { continue }
        findings.report(
          .badName(
            name, of: "a property of \(entity.name.quoted)",
            "has the same full name as another property, \(title.quoted)"),
          at: source.place(), notes: [.init("the other property is declared here", at: first.place())])
      }
    }
  }
}
