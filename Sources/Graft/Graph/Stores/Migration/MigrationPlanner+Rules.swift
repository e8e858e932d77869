extension MigrationPlanner {
  /// Records that objects may violate the new requirements for a property.
  mutating func suspect(
    _ entity: String, _ property: String, isRequired: Bool, isRelationship: Bool, _ source: DescriptionSource
  ) {
    let title = "\(entity).\(property)"
    guard facts == nil else {
      add(
        RowRules.Suspect(
          entity: entity, property: property, isRequired: isRequired, isRelationship: isRelationship,
          source: source))
      return
    }
    refuseConditionally(
      isRequired
        ? "'\(title)' becomes required, and the store may have objects without it; \(RowRules.requiredHint(isRelationship: isRelationship))"
        : "the rules of '\(title)' become stricter, and the store may have objects that violate them; \(RowRules.hint)",
      source)
  }

  /// Checks the objects of the store against the new requirements of the model, and rejects it with the first violation of each
  /// property.
  mutating func checkSuspects() throws(Facts.Failure) {
    guard let facts, !suspects.isEmpty, plan.refusals.isEmpty, steps.isEmpty else { return }
    let schema = StoreSchema(model)
    var found: Set<Int> = []
    for table in schema.tables.indices {
      guard let old = mapping.oldTable(of: table) else { continue }
      var rules = RowRules(mapping, schema, table: table, suspects)
      if rules.isEmpty { continue }
      try rules.countLinks(facts)
      let converter = RowConverter(mapping, from: old, to: table, [:], model.contents)
      try facts.readRows(table: old) { rows in
        rules.check(converter.converted(rows))
        return !rules.isDone
      }
      for violation in rules.violations where found.insert(violation.suspect).inserted {
        let suspect = suspects[violation.suspect]
        refuse(
          violation.message,
          suspect.isRequired ? RowRules.requiredHint(isRelationship: suspect.isRelationship) : RowRules.hint,
          at: suspect.source)
      }
    }
  }

  /// Checks all objects against all requirements of the model, after steps that moved data. The old layout is the new one.
  mutating func checkEverything() throws(Facts.Failure) {
    for entity in model.contents.entities {
      for (name, isOptional, isRelationship, source) in entity.attributes.map({
        ($0.name, $0.isOptional, false, $0.source)
      })
        + entity.relationships.map({ ($0.name, $0.isOptional, true, $0.source) })
      {
        if !isOptional { suspect(entity.name, name, isRequired: true, isRelationship: isRelationship, source) }
        suspect(entity.name, name, isRequired: false, isRelationship: isRelationship, source)
      }
    }
    try checkSuspects()
  }
}
