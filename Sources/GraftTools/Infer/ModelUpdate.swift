package import Graft

/// Adds to a model what new samples show. Everything in the file, including comments, is kept.
///
///     let update = try ModelUpdate(source, model, inferred)
///     print(update.text, update.changes)
///
/// Entities are matched by their names, and by their key paths. New keys become optional properties, properties that the samples lack
/// become optional, and enums get new values. Where the samples need it, integers become decimals, URIs and UUIDs become text, and
/// attributes get `Lenient`; other types are changed only where a comment marks a guess that the samples refute. Properties that only the
/// objects of one kind have belong to its sub-entity. Nothing is removed.
package struct ModelUpdate {
  let model: ModelDescription
  let inferred: InferredModel
  let facts: ModelFacts
  var editor: ModelFilePatch
  /// The name in the model of each inferred entity.
  private var names: [String: String] = [:]
  /// The entities of the model whose objects the samples have, each with the inferred entity. Samples may show one entity where
  /// the model has several.
  private(set) var pairs: [Pair] = []
  /// The key paths that were added, by entity.
  private(set) var added: [String: Set<JSONKeyPath>] = [:]
  private var addedNames: [String: Set<String>] = [:]
  /// The keys in the samples of each kind that a mapper of the model distinguishes.
  private(set) var kinds: [ObjectKind: Set<[String]>] = [:]
  /// The sub-entities that were added for kinds.
  var newKinds: [ObjectKind: EntityDescription] = [:]

  /// The codes of errors about names that a program may register.
  package static let namesOfPrograms: [DiagnosticCode] = [
    .unknownTransformer, .unknownDictionaryTransformer, .unknownMapper,
  ]

  struct Pair: Hashable {
    var known: String
    var inferred: String
  }

  /// The changes, one line for each.
  package internal(set) var changes: [String] = []

  /// The changed text of the model file. It is formatted if the file was.
  package var text: String {
    guard isFormatted else { return editor.text }
    let formatted = try? ModelFileFormatter.format(SourceText(name: "", bytes: Array(editor.text.utf8)))
    return formatted.map { String(decoding: $0, as: UTF8.self) } ?? editor.text
  }

  /// Whether the file was formatted.
  private var isFormatted = false

  /// - Parameter samples: the samples from which the other model was inferred.
  package init(
    _ source: SourceText, _ model: ModelDescription, _ inferred: InferredModel, _ samples: [ModelInference.Sample]
  ) throws(ModelError) {
    self.model = model
    self.inferred = inferred
    facts = ModelFacts(model)
    editor = try ModelFilePatch(source)
    matchEntities()
    kinds = kinds(in: samples)
    addKinds()
    let reached = reachedEntities()
    for entity in inferred.description.entities
    where reached.contains(entity.name) && facts.entity(names[entity.name] ?? "") == nil { add(entity) }
    for pair in pairs {
      guard let known = facts.entity(pair.known), let entity = entity(pair.inferred) else { continue }
      update(known, entity)
    }
    shareProperties()
    relax(samples)
    isFormatted = (try? ModelFileFormatter.format(source)) == source.bytes
  }

  // MARK: Matching

  func entity(_ name: String) -> EntityDescription? {
    inferred.description.entities.first { $0.name == name }
  }

  private mutating func matchEntities() {
    var matched: [String: String] = [:]
    for part in inferred.parts { match(part.entityName, part.entityName, &matched) }
    for entity in inferred.description.entities where matched[entity.name] == nil {
      match(entity.name, entity.name, &matched)
    }
    var used = Set(model.entities.map(\.name))
    for entity in inferred.description.entities where matched[entity.name] == nil {
      var name = entity.name
      while !used.insert(name).inserted { name += "2" }
      matched[entity.name] = name
    }
    names = matched
  }

  /// Records that an inferred entity matches an entity of the model, and follows their relationships.
  private mutating func match(_ name: String, _ known: String, _ matched: inout [String: String]) {
    var work = [Pair(known: known, inferred: name)]
    while let pair = work.popLast() {
      guard let known = facts.entity(pair.known), let entity = entity(pair.inferred), !pairs.contains(pair) else {
        continue
      }
      pairs.append(pair)
      if matched[pair.inferred] == nil { matched[pair.inferred] = pair.known }
      for relationship in entity.relationships {
        guard let path = relationship.keyPath, let other = destination(at: path, of: known) else { continue }
        work.append(Pair(known: other, inferred: relationship.destinationName))
      }
    }
  }

  /// Whether an entity has a property at a key path, or at a key path that contains it or is inside it.
  ///
  /// - Parameter isValue: whether the property is for values, or for objects other than the objects that lead here. An inverse that is not
  ///   in JSON is then something else, even if it has the name of the key.
  private func isKnown(_ path: JSONKeyPath?, in entity: EntityDescription, isValue: Bool = false) -> Bool {
    guard let path else { return false }
    return family(entity).contains { one in
      (keyPaths(of: one, isValue: isValue) + (added[one.name] ?? [])).contains { overlaps(path, $0) }
    }
  }

  /// The entity, its ancestors and its sub-entities, including sub-entities that were added for kinds.
  func family(_ entity: EntityDescription) -> [EntityDescription] {
    facts.family(entity) + newKinds.values.filter { $0.name != entity.name && facts.inherits($0, from: entity) }
  }

  /// The key paths of an entity's own properties and mapper, and the key paths that it keeps out of JSON.
  private func keyPaths(of entity: EntityDescription, isValue: Bool) -> [JSONKeyPath] {
    var paths = [entity.entityMapper?.keyPath, entity.deletedWhen?.keyPath].compactMap(\.self)
    for attribute in entity.attributes {
      paths += [attribute.keyPath].compactMap(\.self) + attribute.keyPathAliases
      if attribute.keyPath == nil { paths += keysKeptOut(attribute.name, attribute.source) }
    }
    for relationship in entity.relationships {
      paths += [relationship.keyPath].compactMap(\.self) + relationship.keyPathAliases
      paths += relationship.identifierKeyPaths.map(\.keyPath)
      if relationship.keyPath == nil, !isValue || relationship.inverseName == nil {
        paths += keysKeptOut(relationship.name, relationship.source)
      }
    }
    return paths
  }

  /// The key paths of an entity's own properties and mapper.
  func keyPaths(of entity: EntityDescription) -> [JSONKeyPath] { keyPaths(of: entity, isValue: false) }

  /// Whether two key paths lead to the same value, or one leads into the value of the other.
  func overlaps(_ path: JSONKeyPath, _ other: JSONKeyPath) -> Bool {
    let (keys, others) = (keysAlong(path), keysAlong(other))
    return keys.starts(with: others) || others.starts(with: keys)
  }

  func keysAlong(_ path: JSONKeyPath) -> [String] { path.isThroughArrays ? path.segments.flatMap(\.self) : path.keys }

  /// The key paths that a property would have if `"JSONKeyPath": null` did not keep it out of JSON.
  func keysKeptOut(_ name: String, _ source: DescriptionSource) -> [JSONKeyPath] {
    source[.JSONKeyPath] == nil ? [] : ModelDescription.KeyStrategy.allCases.compactMap { $0.keyPath(ofProperty: name) }
  }

  /// The inferred entities whose objects an import with the changed model reaches.
  private func reachedEntities() -> Set<String> {
    var reached = Set(inferred.parts.map(\.entityName))
    var work = Array(reached)
    while let name = work.popLast() {
      guard let entity = entity(name) else { continue }
      let known = names[name].flatMap(facts.entity)
      for relationship in entity.relationships {
        if let known, let path = relationship.keyPath, isOfOthers(path, in: known) { continue }
        // An attribute of the model contains the object.
        if let known, let path = relationship.keyPath, keepsObjects(of: inside(path, of: known)?.0 ?? known) {
          continue
        }
        // The model's property at the key path refers to its own entities, or keeps the value unchanged.
        if let known, let path = relationship.keyPath,
          isKnown(path, in: known, isValue: !isOtherSide(relationship)), inside(path, of: known) == nil,
          destination(at: path, of: known) == nil
        {
          continue
        }
        if reached.insert(relationship.destinationName).inserted { work.append(relationship.destinationName) }
      }
    }
    return reached
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
        let other = self.entity(relationship.destinationName)?.relationships.first {
          $0.name == relationship.inverseName
        }
        let taken = propertyNames(known)
        let isAdded = other.map { !isKnown($0.keyPath, in: known) && !taken.contains($0.name) } ?? false
        if let path = other?.keyPath { copy.destinationName = receiver(of: path, in: known).name }
        return isAdded && !keepsObjects(of: known) ? copy : nil
      }
      return owning(copy, from: name) ?? copy.withoutInverse
    }
    editor.set(name, ModelFileWriter.json(of: copy, model.keyStrategy), at: ["entities"])
    // Nothing in the model leads to another list of the document.
    let path = inferred.parts.first { $0.entityName == entity.name }?.keyPath
    changes.append("new entity '\(name)'" + (path.map { ": import its objects with \(name)@\($0)=FILE" } ?? ""))
  }

  private mutating func update(_ known: EntityDescription, _ entity: EntityDescription) {
    var taken = propertyNames(known)
    for attribute in entity.attributes { add(attribute, to: known, &taken) }
    for relationship in entity.relationships {
      if let path = relationship.keyPath { add(relationship, at: path, to: known, &taken) }
    }
    extend(known, entity)
  }

  private mutating func add(_ attribute: AttributeDescription, to known: EntityDescription, _ taken: inout Set<String>)
  {
    guard let path = attribute.keyPath, !keepsObjects(of: known) else { return }
    // The model has an entity for the object that contains the value.
    if let (destination, rest) = inside(path, of: known) {
      var copy = attribute
      copy.keyPath = rest
      copy.name = KeyNames.propertyName(rest.keys.flatMap(KeyNames.words))
      var others = propertyNames(destination)
      return add(copy, to: destination, &others)
    }
    guard !isKnown(path, in: known, isValue: true), !isOfOthers(path, in: known) else { return }
    let known = receiver(of: path, in: known)
    var copy = attribute
    while !taken.insert(copy.name).inserted { copy.name += "2" }
    copy.isOptional = true
    added[known.name, default: []].insert(path)
    let place = ["entities", known.name, "attributes"]
    editor.set(copy.name, ModelFileWriter.json(of: copy, model.keyStrategy), at: place)
    addedNames[known.name, default: []].insert(copy.name)
    changes.append("new attribute '\(known.name).\(copy.name)'")
  }

  /// Whether an attribute of an entity contains the whole object, regardless of its keys.
  private func keepsObjects(of known: EntityDescription) -> Bool {
    facts.family(known).flatMap(\.attributes).contains { $0.type == .json && $0.keyPath?.isElementValue == true }
  }

  /// The entity of the innermost object along a key path, and the rest of the key path.
  private func inside(_ path: JSONKeyPath, of known: EntityDescription) -> (EntityDescription, JSONKeyPath)? {
    for relationship in facts.family(known).flatMap(\.relationships) where !relationship.isToMany {
      for own in [relationship.keyPath].compactMap(\.self) + relationship.keyPathAliases
      where path.keys.count > own.keys.count && path.keys.starts(with: own.keys) {
        guard let destination = facts.entity(relationship.destinationName) else { continue }
        return (destination, JSONKeyPath(keys: Array(path.keys.dropFirst(own.keys.count))))
      }
    }
    return nil
  }

  private mutating func add(
    _ relationship: RelationshipDescription, at path: JSONKeyPath, to known: EntityDescription,
    _ taken: inout Set<String>
  ) {
    if keepsObjects(of: known) { return }
    if let (destination, rest) = inside(path, of: known) {
      var copy = relationship
      copy.keyPath = rest
      copy.name = KeyNames.propertyName(rest.keys.flatMap(KeyNames.words))
      // The other side would be the object that contains this one.
      copy.inverseName = nil
      var others = propertyNames(destination)
      return add(copy, at: rest, to: destination, &others)
    }
    if isOfOthers(path, in: known) { return }
    if !relationship.isToMany, isInlined(path, in: known) {
      addMembers(of: relationship, at: path, to: known, &taken)
    } else if !isKnown(path, in: known, isValue: !isOtherSide(relationship)) {
      add(relationship, to: known, &taken)
    }
  }

  private func propertyNames(_ entity: EntityDescription) -> Set<String> {
    family(entity).reduce(into: []) { $0.formUnion(ownPropertyNames($1)) }
  }

  /// The names of the properties that an entity declares itself, including properties that were added.
  func ownPropertyNames(_ entity: EntityDescription) -> Set<String> {
    (addedNames[entity.name] ?? []).union(entity.attributes.map(\.name) + entity.relationships.map(\.name))
  }

  /// The entity of the objects at a key path, which may pass through other objects.
  private func destination(at path: JSONKeyPath, of known: EntityDescription) -> String? {
    let own = facts.family(known).flatMap(\.relationships).first {
      $0.keyPath == path || $0.keyPathAliases.contains(path)
    }
    if let own { return own.destinationName }
    return inside(path, of: known).flatMap { destination(at: $0.1, of: $0.0) }
  }

  /// Whether the model has values of the object at a key path as attributes of the containing object.
  private func isInlined(_ path: JSONKeyPath, in known: EntityDescription) -> Bool {
    facts.family(known).flatMap(\.attributes).contains { attribute in
      ([attribute.keyPath].compactMap(\.self) + attribute.keyPathAliases).contains {
        $0.keys.count > path.keys.count && $0.keys.starts(with: path.keys)
      }
    }
  }

  /// Adds the attributes of an object that the model has no entity for.
  private mutating func addMembers(
    of relationship: RelationshipDescription, at path: JSONKeyPath, to known: EntityDescription,
    _ taken: inout Set<String>
  ) {
    guard let inner = entity(relationship.destinationName) else { return }
    for inner in inner.relationships {
      guard let own = inner.keyPath else { continue }
      let keys = path.keys + own.keys
      let name = KeyNames.propertyName(keys.flatMap(KeyNames.words))
      add(AttributeDescription(name, .json, keyPath: JSONKeyPath(keys: keys)), to: known, &taken)
    }
    for attribute in inner.attributes {
      guard let own = attribute.keyPath, attribute.keyPath?.isObjectKey != true else { continue }
      var copy = attribute
      copy.keyPath = JSONKeyPath(keys: path.keys + own.keys)
      copy.name = KeyNames.propertyName((path.keys + own.keys).flatMap(KeyNames.words))
      add(copy, to: known, &taken)
    }
  }

  private mutating func add(
    _ relationship: RelationshipDescription, to known: EntityDescription, _ taken: inout Set<String>
  ) {
    let known = relationship.keyPath.map { receiver(of: $0, in: known) } ?? known
    var copy = relationship
    while !taken.insert(copy.name).inserted { copy.name += "2" }
    copy.destinationName = names[relationship.destinationName] ?? relationship.destinationName
    if let path = copy.keyPath, isIdentifiedInOwner(copy.destinationName) {
      taken.remove(copy.name)
      add(AttributeDescription(relationship.name, .json, keyPath: path), to: known, &taken)
      changes.append(
        "'\(known.name).\(copy.name)' keeps its objects unchanged, because '\(copy.destinationName)' objects are identified inside other objects"
      )
      return
    }
    // The other side can also be in JSON, in a new entity.
    let inverse = entity(relationship.destinationName)?.relationships.first { $0.name == relationship.inverseName }
    if inverse.map({ $0.keyPath != nil }) ?? true || facts.entity(copy.destinationName) != nil
      || copy.name != relationship.name
    {
      copy = owning(copy, from: known.name) ?? copy.withoutInverse
    }
    if let path = copy.keyPath { added[known.name, default: []].insert(path) }
    let place = ["entities", known.name, "relationships"]
    editor.set(copy.name, ModelFileWriter.json(of: copy, model.keyStrategy), at: place)
    addedNames[known.name, default: []].insert(copy.name)
    changes.append("new relationship '\(known.name).\(copy.name)'")
  }

  /// Returns a relationship that owns parts without an identity, and adds its inverse to their entity, so that an import replaces the
  /// parts. Returns nil for other relationships.
  private mutating func owning(_ relationship: RelationshipDescription, from owner: String) -> RelationshipDescription?
  {
    guard relationship.deletesOrphans, let inverse = relationship.inverseName,
      let known = facts.entity(relationship.destinationName), facts.identity(known).isEmpty
    else { return nil }
    var taken = propertyNames(known)
    var name = inverse
    while !taken.insert(name).inserted { name += "2" }
    let other = RelationshipDescription(name, to: owner, inverse: relationship.name)
    editor.set(name, ModelFileWriter.json(of: other, model.keyStrategy), at: ["entities", known.name, "relationships"])
    addedNames[known.name, default: []].insert(name)
    changes.append("new relationship '\(known.name).\(name)', the inverse of '\(owner).\(relationship.name)'")
    var copy = relationship
    copy.inverseName = name
    return copy
  }

  /// Adds values to enums. If a transformer reads the attribute, these are the values that it returns; values that a closure of the program
  /// returns are unknown.
  private mutating func extend(_ known: EntityDescription, _ entity: EntityDescription) {
    for owner in facts.lineage(known) {
      for attribute in owner.attributes
      where attribute.type == .string && !attribute.isSensitive {
        let transformers = attribute.transformerNames.compactMap {
          TransformerRegistry.standard.valueTransformer(named: $0, for: .string)
        }
        guard transformers.count == attribute.transformerNames.count, let path = attribute.keyPath,
          let values = attribute.validation.allowedValues
        else { continue }
        let paths = [path] + attribute.keyPathAliases
        guard let found = entity.attributes.first(where: { $0.keyPath.map(paths.contains) ?? false }),
          attribute.isList == found.isList, let texts = inferred.texts["\(entity.name).\(found.name)"]
        else { continue }
        let transformer = ValueTransformer(chain: transformers)
        let read = texts.compactMap { text -> AttributeValue? in
          guard let transformer else { return .string(text) }
          return try? transformer.forward(.string(text))
        }
        var new: [AttributeValue] = []
        for value in read where !values.contains(value) && !new.contains(value) { new.append(value) }
        guard !new.isEmpty else { continue }
        editor.append(new.map(\.jsonValue), to: ["entities", owner.name, "attributes", attribute.name, "enum"])
        changes.append(
          "'\(owner.name).\(attribute.name)' has new values: \(new.map { "\($0)" }.joined(separator: ", "))")
      }
    }
  }
}

extension RelationshipDescription {
  /// The same relationship without an inverse, and without the rules that depend on one.
  var withoutInverse: RelationshipDescription {
    var copy = self
    copy.inverseName = nil
    copy.deletesOrphans = false
    copy.deleteRule = .nullify
    return copy
  }
}
