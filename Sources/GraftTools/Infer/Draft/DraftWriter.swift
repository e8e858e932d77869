import Graft

/// Writes drafts as a model, and the guesses in them as comments.
struct DraftWriter {
  let drafts: [EntityDraft]
  let strategy: ModelDescription.KeyStrategy
  let sampleNames: [String]
  /// The objects and arrays of the samples that no entity reads.
  let unread: [JSONKeyPath]

  /// The model.
  var description: ModelDescription {
    var model = ModelDescription(entities: drafts.map(entity))
    model.keyStrategy = strategy
    return model
  }

  private func entity(_ draft: EntityDraft) -> EntityDescription {
    var entity = EntityDescription(draft.name)
    entity.parentName = draft.parent?.name
    if let keys = draft.mapperPath {
      entity.entityMapper = EntityDescription.Mapper(
        keyPath: JSONKeyPath(keys: keys), cases: draft.kinds.map { .init($0.value, $0.draft.name) })
    }
    if draft.parent == nil { entity.identityAttributes = draft.identities.map(\.name) }
    if let identity = draft.ownedIdentity { entity.identityAttributes = [identity.owner, identity.attribute] }
    if let identity = draft.innerIdentity { entity.identityAttributes = [identity] }
    for property in draft.properties {
      switch property.kind {
      case .attribute(let choice, let isOptional):
        var attribute = AttributeDescription(
          property.name, choice.type, isOptional: isOptional, keyPath: keyPath(property, of: draft))
        if property.isAlsoObjectKey { attribute.keyPathAliases = ["@key"] }
        attribute.isList = choice.isList
        attribute.transformerName = choice.transformer
        attribute.validation.allowedValues = choice.allowedValues
        attribute.validation.isExtensible = choice.allowedValues != nil
        attribute.nulls = choice.nulls
        attribute.isLenient = choice.isLenient
        entity.attributes.append(attribute)
      default: entity.relationships.append(relationship(property, of: draft))
      }
    }
    for inverse in draft.inverses {
      entity.relationships.append(
        RelationshipDescription(
          inverse.name, to: inverse.source.name, isToMany: inverse.isToMany, inverse: inverse.property))
    }
    return entity
  }

  private func relationship(_ property: EntityDraft.Property, of draft: EntityDraft) -> RelationshipDescription {
    let destination = property.destination ?? draft
    let inverse =
      property.inverse ?? destination.inverses.first { $0.source === draft && $0.property == property.name }?.name
    var relationship = RelationshipDescription(
      property.name, to: destination.name, isToMany: property.isToMany, inverse: inverse,
      keyPath: keyPath(property, of: draft))
    relationship.isOrdered = property.isToMany
    if case .toMany(_, isKeyed: true) = property.kind { relationship.isOrdered = false }
    if case .identifiers = property.kind {
      relationship.representation = .identifier
      relationship.transformerNames = property.transformers
    } else {
      relationship.hasReferences = !destination.references.isEmpty
    }
    relationship.isLenient = property.isLenient
    if isPage(property, of: draft), property.extent == .page { relationship.mergeRule = .union }
    if !property.nulls.isEmpty { relationship.nulls = property.nulls }
    // Objects without identity belong to their owner: the objects of the next import replace them.
    if !destination.isIdentified, inverse != nil {
      relationship.deleteRule = .cascade
      relationship.deletesOrphans = true
    }
    return relationship
  }

  /// Whether another page of the list may follow, in the same object.
  private func isPage(_ property: EntityDraft.Property, of draft: EntityDraft) -> Bool {
    property.extent != .whole && property.isToMany && draft.isIdentified && property.destination?.isIdentified == true
  }

  private func pageNote(_ property: EntityDraft.Property, of draft: EntityDraft) -> String? {
    guard isPage(property, of: draft) else { return nil }
    return property.extent == .page
      ? "Guess: this is one page of the list, so the objects of the next page join it. Without \"mergeRule\", they would replace it."
      : "Guess: the list is complete. If it is one page, let the next one add to it: \"mergeRule\": \"union\"."
  }

  /// A member can also be named "@key".
  private func keyPath(_ property: EntityDraft.Property, of draft: EntityDraft) -> JSONKeyPath {
    if property.shape.number == draft.shape.elementKey, !property.isAlsoObjectKey { return "@key" }
    if let key = property.elementKey,
      let path = JSONKeyPath("\(property.path.joined(separator: "."))\(JSONKeyPath.brackets).\(key)")
    {
      return path
    }
    return property.shape === draft.shape && property.path == ["@value"] ? "@value" : JSONKeyPath(keys: property.path)
  }

  /// The different strings of each attribute, by entity and name, unless there are many.
  var texts: [String: [String]] {
    var texts: [String: [String]] = [:]
    for draft in drafts {
      for property in draft.properties where property.destination == nil {
        let found = (property.element ?? property.shape).texts
        if !found.hasMoreDistinct { texts["\(draft.name).\(property.name)"] = found.distinct }
      }
    }
    return texts
  }

  // MARK: Comments

  /// The text of the model file.
  var text: String {
    let text = ModelFileWriter(schema: "./model.schema.json").text(of: description)
    guard var commenter = try? ModelFileCommenter(SourceText(name: "model", bytes: Array(text.utf8))) else {
      return text
    }
    let names = sampleNames.prefix(3).map { ($0.parts(between: "/").last ?? $0).escapedForDisplay() }
    let more = sampleNames.count > 3 ? " and \(sampleNames.count - 3) more" : ""
    commenter.comment(
      ["Inferred from \(names.joined(separator: ", "))\(more). Comments mark guesses: check them."]
        + (unreadNote.map(wrapped) ?? []) + (requirementNotes + typeNotes).flatMap(wrapped), at: [])
    for draft in drafts {
      commenter.comment(
        (identityNotes(draft) + likenessNotes(draft) + draft.notes + draft.omitted).flatMap(wrapped),
        at: ["entities", draft.name])
      for property in draft.properties {
        let note = pageNote(property, of: draft) ?? property.note
        guard let note else { continue }
        let level = property.destination == nil ? "attributes" : "relationships"
        commenter.comment(wrapped(note), at: ["entities", draft.name, level, property.name])
      }
    }
    return commenter.text
  }

  /// Notes that another entity has nearly the same keys, in which case the samples do not show that both are one kind of object.
  private func likenessNotes(_ draft: EntityDraft) -> [String] {
    let keys = Set(draft.shape.memberNumbers.keys)
    guard draft.parent == nil, keys.count >= 5 else { return [] }
    let earlier = drafts.prefix { $0 !== draft }.filter { $0.parent == nil && $0.kinds.isEmpty }
    let alike = earlier.first { other in
      let common = keys.intersection(other.shape.memberNumbers.keys).count
      return 5 * common >= 4 * max(keys.count, other.shape.memberNumbers.count)
    }
    guard let alike, draft.kinds.isEmpty else { return [] }
    return [
      "Has nearly the same keys as '\(alike.name)', but the samples do not show that both are one kind of object. If they are, use "
        + "'\(alike.name)' wherever '\(draft.name)' is a destination, and delete this entity."
    ]
  }

  private func identityNotes(_ draft: EntityDraft) -> [String] {
    guard let group = draft.group else { return [] }
    if let identity = group.identity, draft.isIdentified {
      guard identity.strength != .strong || identity.facts.contradictions > 0 else {
        let note =
          localCountNote(draft, group, identity.key, identity.facts)
          ?? partNote(draft, group, identity.key, identity.facts)
          ?? repeatNote(draft, group, identity.key, identity.facts)
          ?? typeNote(draft, group, identity.key, identity.facts)
          ?? keyNote(draft, group, identity.key, identity.facts)
          ?? absenceNote(identity.key, identity.facts)
        return note.map { [$0] } ?? []
      }
      let facts = identity.facts
      let key = identity.key.escapedForDisplay()
      if let worst = facts.worst {
        return [
          "Guess: \"\(key)\" identifies the objects, although \"\(worst.escapedForDisplay())\" differs between some with the same value."
        ]
      }
      let evidence =
        facts.repeats == 0
        ? "no two of the \(facts.rows) samples have the same value"
        : "samples with the same value always agree"
      return ["Guess: \"\(key)\" identifies the objects, because \(evidence)."]
    }
    if let note = ownedIdentityNote(draft, group) { return [note] }
    if let path = draft.properties.first(where: { $0.name == draft.innerIdentity })?.path {
      return [
        "Guess: \"\(path.joined(separator: ".").escapedForDisplay())\" identifies the objects, because no two of the samples have the same value."
      ]
    }
    guard let refuted = group.refuted else {
      return (unconfirmedNote(draft, group) ?? repeatedInsertionNote(draft)).map { [$0] } ?? []
    }
    // The key may refer to another entity.
    guard !draft.properties.contains(where: { $0.path == [refuted.key] && $0.destination != nil }),
      refuted.facts.contradictions > 0 || refuted.facts.missing > 0
    else { return repeatedInsertionNote(draft).map { [$0] } ?? [] }
    let worst = worst(refuted)
    return [
      "No identity: \"\(refuted.key.escapedForDisplay())\" looks like one, but objects with the same value \(worst)."
    ]
  }

  /// Warns that each import inserts the objects again, and names attributes that may identify them.
  private func repeatedInsertionNote(_ draft: EntityDraft) -> String? {
    guard draft.parent == nil, draft.isInsertedAgain else { return nil }
    let start = "No identity: each import inserts these objects again."
    let number = draft.shape.objects
    guard let first = draft.uniqueNames.first else { return start }
    let quoted = draft.uniqueNames.flatMap(\.self).prefix(3).map { "\"\($0)\"" }
    if first.count > 1 {
      return start
        + " No two of the \(number) samples have the same \(quoted.joined(separator: " and ")). If none ever do, add "
        + "\"identityAttributes\": [\(quoted.joined(separator: ", "))]."
    }
    let names =
      quoted.count > 1 ? quoted.dropLast().joined(separator: ", ") + " or \(quoted[quoted.count - 1])" : quoted[0]
    return start + " No two of the \(number) samples have the same \(names). If that identifies them, add "
      + "\"identityAttributes\": \(quoted[0])."
  }

  /// Names a key that may identify the objects, although the samples do not show it: a key with a suitable name, or an ID in a part.
  private func unconfirmedNote(_ draft: EntityDraft, _ group: EntityGroup) -> String? {
    let attributes = draft.properties.filter { $0.destination == nil }
    let inner = attributes.first { InnerIdentityFinder.isLikely($0.path) }
    guard let property = inner ?? attributes.first(where: { $0.path.count == 1 && $0.path[0] == group.unconfirmed })
    else {
      return nil
    }
    let key = property.path.joined(separator: ".").escapedForDisplay()
    let start = "No identity: the samples do not show that \"\(key)\" identifies the objects. If it does, add "
    // The same user may be a member of several teams.
    guard let owner = draft.inverses.first(where: { !$0.isToMany }), owner.source.isIdentified else {
      return start + "\"identityAttributes\": \"\(property.name)\"."
    }
    return start + "\"identityAttributes\": [\"\(owner.name)\", \"\(property.name)\"] if it does within one "
      + "'\(owner.source.name)', or \"\(property.name)\" alone if it does everywhere."
  }

  /// Keys of the types and collections within which IDs may be unique.
  private static let typeKeys: Set<String> = [
    "type", "kind", "_type", "_index", "object", "class", "model", "__typename",
  ]

  /// Notes that each type may have its own IDs: the objects name their type, and no ID occurs twice in the samples.
  private func typeNote(_ draft: EntityDraft, _ group: EntityGroup, _ key: String, _ facts: IdentityFacts) -> String? {
    guard draft.identityKeys == [key], facts.repeats == 0,
      let type = draft.properties.first(where: { property in
        property.path.count == 1 && Self.typeKeys.contains(property.path[0].lowercased()) && property.destination == nil
          && (property.shape.texts.distinct.count > 1 || property.path[0] == "_index")
      })
    else { return nil }
    let word = type.path[0].escapedForDisplay()
    return
      "Guess: \"\(key.escapedForDisplay())\" identifies the objects whatever their \"\(word)\" is. If each "
      + "\"\(word)\" has its own IDs, both identify them: \"identityAttributes\": [\"\(type.name)\", \"\(draft.identity?.name ?? key)\"]."
  }

  /// Notes that some objects have no identity.
  private func absenceNote(_ key: String, _ facts: IdentityFacts) -> String? {
    guard facts.missing > 0 else { return nil }
    return
      "\"\(key.escapedForDisplay())\" identifies the objects that have one. \(facts.missing) of \(facts.rows) have none: each import inserts "
      + "them as new objects."
  }

  /// Notes that keys identify objects of all documents, because the containing objects cannot be told apart.
  private func keyNote(_ draft: EntityDraft, _ group: EntityGroup, _ key: String, _ facts: IdentityFacts) -> String? {
    guard key == "@key" || facts.repeats == 0 && isShort(key, in: draft),
      group.sites.allSatisfy({ !$0.ancestors.isEmpty }), let owner = draft.container, !owner.isIdentified
    else { return nil }
    let what = key == "@key" ? "keys" : "value"
    return
      "Guess: \"\(key.escapedForDisplay())\" identifies the objects in all documents, so later objects replace objects with the same "
      + "\(what). If each document has its own, give '\(owner.name)' an identity, and identify the objects inside it (graft explain M12)."
  }

  /// Whether the values of a key are small numbers or short strings, which another document might also have.
  private func isShort(_ key: String, in draft: EntityDraft) -> Bool {
    guard let shape = draft.properties.first(where: { $0.path == [key] })?.shape else { return false }
    return (shape.numbers.count == 0 || shape.numbers.areIntegers && shape.numbers.most < 1_000_000)
      && shape.texts.distinct.allSatisfy { $0.utf8.count < 12 }
  }

  /// Notes that numbers may be counted inside each containing object: the numbers in the only list begin with 1, or 0.
  private func localCountNote(
    _ draft: EntityDraft, _ group: EntityGroup, _ key: String, _ facts: IdentityFacts
  ) -> String? {
    guard group.sites.count == 1, group.sites[0].isElement, let owner = draft.container?.name,
      let numbers = draft.properties.first(where: { $0.path == [key] })?.shape.numbers, numbers.areIntegers,
      facts.repeats == 0, (0...1).contains(numbers.least),
      numbers.most - numbers.least + 1 == facts.rows
    else { return nil }
    return
      "Guess: \"\(key.escapedForDisplay())\" identifies the objects everywhere. If each '\(owner)' counts its own from "
      + "\(numbers.least), they are identified inside it (graft explain M12)."
  }

  /// Notes that an ID may be unique only within the containing object: the objects have a value that depends on it, and no ID occurs
  /// twice in the samples.
  private func partNote(_ draft: EntityDraft, _ group: EntityGroup, _ key: String, _ facts: IdentityFacts) -> String? {
    guard group.sites.count == 1, facts.repeats == 0, let owner = draft.container?.name,
      let property = draft.properties.first(where: { property in
        property.destination == nil && property.path != [key] && property.path.last.map(OwnedValues.arePossible) == true
          && !Self.typeKeys.contains(property.path[0].lowercased())
      })
    else { return nil }
    return
      "Guess: \"\(key.escapedForDisplay())\" identifies the objects everywhere; no sample has the same one twice. If \""
      + "\(property.path.joined(separator: ".").escapedForDisplay())\" belongs to one '\(owner)', they are identified inside it "
      + "(graft explain M12)."
  }

  /// The maximum number of different objects whose agreement proves little.
  private static let fewRepeated = 4
  /// The last words of keys of objects that have a name of their own.
  private static let nameWords: Set<String> = ["name", "title", "label", "login", "email", "slug", "url"]

  /// Notes that a few objects without a name, which occur again and again, may agree by chance.
  private func repeatNote(_ draft: EntityDraft, _ group: EntityGroup, _ key: String, _ facts: IdentityFacts) -> String?
  {
    let different = facts.rows - facts.repeats
    guard facts.repeats > 0, different <= Self.fewRepeated, group.sites.allSatisfy({ !$0.ancestors.isEmpty }),
      draft.properties.contains(where: { $0.destination == nil && $0.path != [key] }),
      !draft.properties.contains(where: { property in
        property.path.last.flatMap { KeyNames.lowercaseWords($0).last }.map(Self.nameWords.contains) == true
      })
    else { return nil }
    let found =
      different == 1
      ? "the samples have only one" : "the samples have only \(different) different ones, which always agree"
    return
      "Guess: \"\(key.escapedForDisplay())\" identifies the objects everywhere; \(found). If others with the same value may differ, "
      + "they are identified inside the object that contains them (graft explain M12)."
  }

  private func worst(_ refuted: (key: String, facts: IdentityFacts)) -> String {
    refuted.facts.worst.map { "differ in \"\($0.escapedForDisplay())\"" } ?? "contradict each other"
  }

  private func ownedIdentityNote(_ draft: EntityDraft, _ group: EntityGroup) -> String? {
    guard let owned = draft.ownedIdentity, let owner = draft.inverses.first(where: { $0.name == owned.owner }),
      let property = draft.properties.first(where: { $0.name == owned.attribute })
    else { return nil }
    let key = property.path.joined(separator: ".").escapedForDisplay()
    let guess = "Guess: \"\(key)\" identifies the objects of one '\(owner.source.name)'"
    if group.ownedKey != nil {
      let value = draft.properties.first { $0.path.last.map(OwnedValues.areCertain) == true }?.path.last ?? "value"
      return guess
        + ", to which \"\(value.escapedForDisplay())\" seems to belong. If it identifies them everywhere, make it "
        + "the only identity attribute."
    }
    guard let refuted = group.refuted, property.path == [refuted.key] else {
      return guess + ", which never has two with the same value."
    }
    return guess + "; across several, they \(worst(refuted))."
  }

  /// Breaks a comment into lines of at most 100 characters.
  private func wrapped(_ text: String) -> [String] {
    var lines: [String] = [""]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].isEmpty {
        lines[lines.count - 1] = String(word)
      } else if lines[lines.count - 1].count + word.count < 100 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
