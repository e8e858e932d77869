extension ModelChecker {
  /// Checks the `migratedFrom` of an attribute (S21).
  func checkMigration(_ subject: AttributeSubject, in entity: EntityDescription, _ number: Int) {
    guard let migration = subject.attribute.migration else { return }
    let source = migration.source
    if isIdentifying(subject.attribute.name, of: number) {
      report(subject.name, "it identifies objects, which requires a step of the program", at: source.place())
    }
    checkVersion(migration.version, of: subject.name, at: source.place(of: .version))
    if migration.attributes.isEmpty {
      report(subject.name, "it names no attribute", at: source.place(of: .attributes))
    }
    if migration.part.map({ $0 < 0 }) == true {
      report(subject.name, "parts are numbered from 0", at: source.place(of: .part))
    }
    if migration.separator == "" { report(subject.name, "the separator is empty", at: source.place(of: .separator)) }
    let isList = subject.attribute.isList
    if migration.part != nil, isList {
      report(subject.name, "a list takes all parts", at: source.place(of: .part))
    } else if migration.part != nil, migration.separator == nil {
      report(subject.name, "parts need a separator", at: source.place(of: .part))
    } else if migration.separator != nil, migration.part == nil, migration.attributes.count == 1, !isList,
      source.isReadable(.part)
    {
      report(subject.name, "one attribute with a separator needs a 'part'", at: source.place(of: .separator))
    } else {
      checkParts(subject.name, migration, entity, number)
    }
    guard !migration.transformerNames.isEmpty else { return }
    var read = subject.attribute
    read.transformerNames = migration.transformerNames
    read.isList = false
    read.direction = .import
    read.source = source
    checkValueTransformers(AttributeSubject(read, of: entity))
  }

  /// Checks the `migratedFrom` of a relationship (S21).
  func checkMigration(_ subject: RelationshipSubject) {
    guard let migration = subject.relationship.migration else { return }
    checkVersion(migration.version, of: subject.name, at: migration.source.place(of: .version))
    if subject.relationship.isToMany {
      return report(subject.name, "only a to-one gets an object from attributes", at: migration.source.place())
    }
    let name = subject.relationship.destinationName
    guard subject.relationship.source.isReadable(.destination), let destination = index.entity(named: name),
      index.knowsAllProperties(of: destination)
    else { return }
    if index.entities[destination].isAbstract {
      return report(subject.name, "\(name.quoted) is abstract", at: migration.source.place())
    }
    let known = index.attributeNames(of: destination)
    for (number, attribute) in migration.attributes.enumerated() where !known.contains(attribute.name) {
      findings.report(
        .unknownMigratedAttribute(attribute.name, of: subject.name, destination: name),
        at: migration.source.place(of: .attributes, element: number), near: known)
    }
    let given = Set(migration.attributes.map(\.name))
    let identity = index.lineage(destination).flatMap { index.entities[$0].identityAttributes }
    if let missing = identity.first(where: { !given.contains($0) }) {
      report(
        subject.name, "\(missing.quoted), which identifies \(name.quoted), gets no value",
        at: migration.source.place(of: .attributes))
    }
  }

  /// Checks that no part of a text is lost silently, either now or in stores that skip a version whose attributes took other parts.
  private func checkParts(_ name: String, _ migration: AttributeMigration, _ entity: EntityDescription, _ number: Int) {
    guard let part = migration.part, part >= 0, migration.source.isReadable(.parts) else {
      if migration.parts != nil { report(name, "'parts' needs a 'part'", at: migration.source.place(of: .parts)) }
      return
    }
    let others = entity.attributes.compactMap(\.migration).filter { $0.takesPartOfSameText(as: migration) }
    if let parts = migration.parts {
      if parts <= part {
        report(
          name, "there is no part \(part): 'parts' is \(parts), and parts are numbered from 0",
          at: migration.source.place(of: .parts))
      } else if others.contains(where: { $0.parts != parts }) {
        report(
          name, "the attributes that take the parts of one string must have the same number of 'parts'",
          at: migration.source.place(of: .parts))
      }
    } else if others.allSatisfy({ $0.part == 0 && $0.parts == nil }) {
      report(
        name,
        "no attribute takes another part: write how many parts the string has, such as \"parts\": 2, which loses the other parts, or remove 'part' and 'separator' to keep the whole string",
        at: migration.source.place(of: .part))
    } else if let lost = lostPart(migration, entity, number) {
      report(name, "no attribute takes part \(lost), which would be lost", at: migration.source.place(of: .part))
    }
  }

  /// Returns a part that no attribute takes although a later part is taken, unless the whole text is kept.
  private func lostPart(_ migration: AttributeMigration, _ entity: EntityDescription, _ number: Int) -> Int? {
    guard let part = migration.part, part > 0 else { return nil }
    // An attribute that gets its values from another attribute does not keep its own values.
    let attributes = index.lineage(number).flatMap { index.entities[$0].attributes }.filter { attribute in
      guard let own = attribute.migration, ModelVersion.isSame(own.version, migration.version) else { return true }
      return Set([attribute.name] + attribute.renamedFrom).isDisjoint(with: migration.attributes)
    }
    let kept = Set(attributes.flatMap { [$0.name] + $0.renamedFrom })
    if migration.attributes.allSatisfy(kept.contains) { return nil }
    let taken = Set(
      entity.attributes.compactMap(\.migration).filter { $0.takesPartOfSameText(as: migration) }.compactMap(\.part))
    return (0..<min(part, taken.count)).first { !taken.contains($0) }
  }

  /// Returns whether an attribute of an entity identifies its objects or the objects of sub-entities.
  private func isIdentifying(_ name: String, of number: Int) -> Bool {
    index.entities.indices.contains { entity in
      guard index.inherits(entity, from: number) else { return false }
      let names = index.entities[entity].alternateIdentities.flatMap(\.properties)
      return (index.entities[entity].identityAttributes + names).contains(name)
    }
  }

  /// Checks that the model has reached a version.
  private func checkVersion(_ version: String, of title: String, at place: SourcePlace) {
    if !ModelVersion.isOrdered(version) {
      report(title, "\(version.quoted) is not a version with an order, such as \"2\" or \"1.10\"", at: place)
    } else if !ModelVersion.isOrdered(model.version ?? "") {
      report(title, "the model has no 'version' such as \"\(version)\"", at: place)
    } else if ModelVersion.isOlder(model.version ?? "", than: version) {
      report(title, "the model has version \(model.version ?? "")", at: place)
    }
  }

  private func report(_ title: String, _ reason: String, at place: SourcePlace) {
    findings.report(.misplacedMigration(of: title, reason), at: place)
  }
}
