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

  /// Records that objects may need objects of a removed entity, in a relationship that must not be empty, or that is part of their
  /// identity.
  mutating func suspectLosses(of removed: String) {
    let lineage = mapping.oldLineage(removed)
    for entity in model.contents.entities {
      for relationship in entity.relationships {
        let title = "\(entity.name).\(relationship.name)"
        guard let former = mapping.formerDestination(of: title), lineage.contains(former) else { continue }
        let isOwner = mapping.isIdentity(relationship.name, declaredBy: entity.name)
        let isRequired = !relationship.isOptional || isOwner
        guard isRequired || relationship.minCount != nil else { continue }
        guard facts != nil else {
          refuseConditionally(
            "the objects of '\(removed)' are removed, and the store may have objects that require them in '\(title)'; \(RowRules.lossHint)",
            relationship.source)
          continue
        }
        func suspect(isRequired: Bool) {
          add(
            RowRules.Suspect(
              entity: entity.name, property: relationship.name, isRequired: isRequired, isRelationship: true,
              removed: removed, source: relationship.source))
        }
        if isRequired { suspect(isRequired: true) }
        if relationship.minCount != nil { suspect(isRequired: false) }
      }
    }
  }

  /// Checks the objects of the store against the new requirements of the model, and rejects the store with the first violation of each
  /// property.
  ///
  /// - Parameter removed: the rows of removed entities, by old table.
  mutating func checkSuspects(_ removed: [Int: Set<Int64>]) throws(Facts.Failure) {
    guard let facts, !suspects.isEmpty, plan.refusals.isEmpty, steps.isEmpty else { return }
    let schema = StoreSchema(model)
    let mayLose = suspects.contains { $0.removed != nil }
    var found: Set<Int> = []
    for table in schema.tables.indices {
      guard let old = mapping.oldTable(of: table) else { continue }
      var rules = RowRules(mapping, schema, table: table, suspects, removedRows: removed)
      if rules.isEmpty { continue }
      try rules.countLinks(facts)
      let converter = RowConverter(mapping, from: old, to: table, removed, model.contents)
      // The rules before the removal. If an object lacked required objects even before the removal, the removal is not treated as the
      // cause.
      var former = mayLose ? RowRules(mapping, schema, table: table, suspects, removedRows: [:]) : nil
      try former?.countLinks(facts)
      let whole = RowConverter(mapping, from: old, to: table, [:], model.contents)
      try facts.readRows(table: old) { rows in
        rules.check(converter.converted(rows), former: former.map { ($0, whole.converted(rows)) })
        return !rules.isDone
      }
      for violation in rules.violations where found.insert(violation.suspect).inserted {
        refuse(violation.message, violation.hint, at: suspects[violation.suspect].source)
      }
    }
  }

  /// Checks all objects against all requirements of the model, after steps that moved data. The old layout is the same as the new layout.
  mutating func checkEverything() throws(Facts.Failure) {
    for entity in model.contents.entities {
      for attribute in entity.attributes {
        check(entity.name, attribute.name, isRequired: !attribute.isOptional, isRelationship: false, attribute.source)
      }
      for relationship in entity.relationships {
        let isOwner = mapping.isIdentity(relationship.name, declaredBy: entity.name)
        check(
          entity.name, relationship.name, isRequired: !relationship.isOptional || isOwner, isRelationship: true,
          relationship.source)
      }
    }
    try checkSuspects([:])
  }

  private mutating func check(
    _ entity: String, _ property: String, isRequired: Bool, isRelationship: Bool, _ source: DescriptionSource
  ) {
    if isRequired { suspect(entity, property, isRequired: true, isRelationship: isRelationship, source) }
    suspect(entity, property, isRequired: false, isRelationship: isRelationship, source)
  }
}
