package import Graft

/// Adds to a model what new samples show. Everything that the file has, comments included, stays as it is.
///
///     let update = try ModelUpdate(source, model, inferred)
///     print(update.text, update.changes)
///
/// Entities are matched by their names, and by the key paths that lead to them. New keys become optional properties, keys
/// that a sample lacks become optional, and enums get new values. Nothing is removed, and no type is changed.
package struct ModelUpdate {
  private let model: ModelDescription
  private let inferred: InferredModel
  private let facts: ModelFacts
  private var editor: ModelFilePatch
  /// The name in the model of each inferred entity.
  private var names: [String: String] = [:]
  /// What was changed, one line for each change.
  package private(set) var changes: [String] = []

  /// The changed text of the model file.
  package var text: String { editor.text }

  package init(_ source: SourceText, _ model: ModelDescription, _ inferred: InferredModel) throws(ModelError) {
    self.model = model
    self.inferred = inferred
    facts = ModelFacts(model)
    editor = try ModelFilePatch(source)
    matchEntities()
    for entity in inferred.description.entities where facts.entity(names[entity.name] ?? "") == nil { add(entity) }
    for entity in inferred.description.entities {
      if let known = names[entity.name].flatMap(facts.entity) { update(known, entity) }
    }
  }

  // MARK: Matching

  private mutating func matchEntities() {
    var matched: [String: String] = [:]
    var work: [String] = []
    func match(_ name: String, _ known: String, _ names: inout [String: String]) {
      guard names[name] == nil, facts.entity(known) != nil else { return }
      names[name] = known
      work.append(name)
    }
    func follow(_ names: inout [String: String]) {
      while let name = work.popLast() {
        guard let entity = inferred.description.entities.first(where: { $0.name == name }),
          let known = names[name].flatMap(facts.entity)
        else { continue }
        for relationship in entity.relationships {
          guard let path = relationship.keyPath else { continue }
          let other = family(known).flatMap(\.relationships).first {
            $0.keyPath == path || $0.keyPathAliases.contains(path)
          }
          if let other { match(relationship.destinationName, other.destinationName, &names) }
        }
      }
    }
    for part in inferred.parts { match(part.entityName, part.entityName, &matched) }
    follow(&matched)
    for entity in inferred.description.entities { match(entity.name, entity.name, &matched) }
    follow(&matched)
    var used = Set(model.entities.map(\.name))
    for entity in inferred.description.entities where matched[entity.name] == nil {
      var name = entity.name
      while !used.insert(name).inserted { name += "2" }
      matched[entity.name] = name
    }
    names = matched
  }

  /// The entity, its ancestors and its sub-entities.
  private func family(_ entity: EntityDescription) -> [EntityDescription] {
    facts.lineage(entity) + model.entities.filter { $0.name != entity.name && facts.inherits($0, from: entity) }
  }

  /// Whether an entity has a property at a key path, or one that contains it or is inside.
  private func isKnown(_ path: JSONKeyPath?, in entity: EntityDescription) -> Bool {
    guard let path else { return false }
    var paths: [JSONKeyPath] = []
    for one in family(entity) {
      for attribute in one.attributes { paths += [attribute.keyPath].compactMap(\.self) + attribute.keyPathAliases }
      for relationship in one.relationships {
        paths += [relationship.keyPath].compactMap(\.self) + relationship.keyPathAliases
      }
      if let mapper = one.entityMapper { paths.append(mapper.keyPath) }
    }
    return paths.contains { path.keys.starts(with: $0.keys) || $0.keys.starts(with: path.keys) }
  }

  // MARK: Changing

  private mutating func add(_ entity: EntityDescription) {
    guard let name = names[entity.name] else { return }
    var copy = entity
    copy.name = name
    copy.relationships = entity.relationships.compactMap { relationship in
      var copy = relationship
      copy.destinationName = names[relationship.destinationName] ?? relationship.destinationName
      guard let known = facts.entity(copy.destinationName) else { return copy }
      // The model's entities get no inverses, and keep the relationships that they have.
      if relationship.keyPath == nil {
        let other = inferred.description.entities.first { $0.name == relationship.destinationName }?
          .relationships.first { $0.name == relationship.inverseName }
        let taken = family(known).flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
        return other.map { isKnown($0.keyPath, in: known) || taken.contains($0.name) } ?? true ? nil : copy
      }
      copy.inverseName = nil
      copy.deletesOrphans = false
      copy.deleteRule = .nullify
      return copy
    }
    editor.set(name, ModelFileWriter.json(of: copy, model.keyStrategy), at: ["entities"])
    changes.append("new entity '\(name)'")
  }

  private mutating func update(_ known: EntityDescription, _ entity: EntityDescription) {
    let family = family(known)
    var taken: Set<String> = []
    for one in family { taken.formUnion(one.attributes.map(\.name) + one.relationships.map(\.name)) }
    for attribute in entity.attributes where !isKnown(attribute.keyPath, in: known) {
      var copy = attribute
      while !taken.insert(copy.name).inserted { copy.name += "2" }
      copy.isOptional = true
      let place = ["entities", known.name, "attributes"]
      editor.set(copy.name, ModelFileWriter.json(of: copy, model.keyStrategy), at: place)
      changes.append("new attribute '\(known.name).\(copy.name)'")
    }
    for relationship in entity.relationships {
      // The inverse of a relationship that is new is new as well.
      guard relationship.keyPath != nil, !isKnown(relationship.keyPath, in: known) else { continue }
      add(relationship, to: known, &taken)
    }
    relax(known, entity)
  }

  private mutating func add(
    _ relationship: RelationshipDescription, to known: EntityDescription, _ taken: inout Set<String>
  ) {
    var copy = relationship
    while !taken.insert(copy.name).inserted { copy.name += "2" }
    copy.destinationName = names[relationship.destinationName] ?? relationship.destinationName
    let destination = facts.entity(copy.destinationName)
    if destination != nil { copy.inverseName = nil }
    if copy.inverseName == nil {
      copy.deletesOrphans = false
      copy.deleteRule = .nullify
    }
    let place = ["entities", known.name, "relationships"]
    editor.set(copy.name, ModelFileWriter.json(of: copy, model.keyStrategy), at: place)
    changes.append("new relationship '\(known.name).\(copy.name)'")
  }

  /// Makes optional what the samples lack, and adds values to enums.
  private mutating func relax(_ known: EntityDescription, _ entity: EntityDescription) {
    let identity = Set(facts.identity(known).map(\.name))
    for owner in facts.lineage(known) {
      for attribute in owner.attributes where !identity.contains(attribute.name) {
        guard let path = attribute.keyPath else { continue }
        let paths = [path] + attribute.keyPathAliases
        let found = entity.attributes.first { $0.keyPath.map(paths.contains) ?? false }
        let place = ["entities", owner.name, "attributes", attribute.name]
        if !attribute.isOptional, attribute.defaultValue == nil, found?.isOptional ?? true {
          editor.set("optional", true, at: place)
          changes.append("'\(owner.name).\(attribute.name)' is optional now")
        }
        guard let found, let values = attribute.validation.allowedValues,
          let texts = inferred.texts["\(entity.name).\(found.name)"]
        else { continue }
        let new = texts.map { AttributeValue.string($0) }.filter { !values.contains($0) }
        guard attribute.type == .string, attribute.isList == found.isList, !new.isEmpty else { continue }
        editor.append(new.map(\.jsonValue), to: place + ["enum"])
        changes.append(
          "'\(owner.name).\(attribute.name)' has new values: \(new.map { "\($0)" }.joined(separator: ", "))")
      }
    }
  }
}
