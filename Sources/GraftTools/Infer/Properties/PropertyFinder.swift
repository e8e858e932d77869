import Graft

/// Collects the properties of entities from the members of their objects.
struct PropertyFinder {
  let table: ShapeTable
  /// The entity of each shape whose objects belong to an entity.
  let drafts: [Int: EntityDraft]
  /// The shapes whose objects are part of the containing object.
  let parts: Set<Int>
  let naming: PropertyNaming
  let caution: Caution
  let refutations: Refutations
  /// Chooses types, if nothing is known to refute them.
  let attributes: AttributeFinder

  /// If there are fewer objects than this, only their identity is required, because the next object may lack keys that all of them have. Of
  /// the keys that the first object of a real list has, 10 % are missing later in the list. Of the keys that the first two objects have, 3
  /// % are missing; more objects do not lower this.
  static let fewest = 3
  /// The maximum number of keys in a key path.
  private static let deepest = 8
  /// Keys that do not describe their contents.
  static let envelopes: Set<String> = [
    "payload", "data", "attributes", "entities", "properties", "fields", "_embedded", "embedded", "details",
    "relationships",
  ]
  /// Keys of objects that do not describe them, unlike the keys of the enclosing objects.
  private static let wrappers: Set<String> = ["node", "_embedded", "resource"]

  func fill(_ draft: EntityDraft) {
    draft.repeatedNames = repeatedNames(in: draft.shape)
    if let key = draft.shape.elementKey { addKey(table[key], to: draft) }
    noteKeys(of: draft.shape, in: draft)
    for member in table.keyedMembers(draft.shape) { add(member.shape, at: [member.key], in: draft.shape, to: draft) }
  }

  /// Notes that keys that become properties may be data.
  private func noteKeys(of shape: SampleShape, in draft: EntityDraft) {
    guard KeyedCollections(table: table).mayBeKeyed(shape) else { return }
    let members = table.keyedMembers(shape)
    let keys = members.prefix(3).map { "\"\($0.key.escapedForDisplay())\"" }.joined(separator: ", ")
    let names = members.count == 1 ? "is the name of a property" : "are names of properties"
    draft.notes.append(
      "Guess: \(keys) in \"\(shape.key.escapedForDisplay())\" \(names). If other keys may follow, let a to-many read "
        + "the objects, with an attribute for \"@key\" (graft explain M11).")
  }

  private func addKey(_ key: SampleShape, to draft: EntityDraft) {
    let choice = attributes.choice(for: key, isIdentity: true, isKey: true)
    let isIdentity = draft.identityKeys == ["@key"]
    let name = draft.take([isIdentity && choice.type == .integer64 ? "id" : "key", "objectKey"])
    // Objects of the same kind may be elsewhere, where they have no key.
    let isOptional = !isIdentity && key.present < draft.shape.objects
    var property = EntityDraft.Property(
      path: ["@key"], shape: key, name: name, isIdentity: isIdentity, container: draft.shape.number,
      kind: .attribute(choice, isOptional: isOptional))
    if draft.group?.isKeyedAndListed == true, !isIdentity, draft.shape.memberNumbers[UTF8Key(name)] == nil {
      (property.path, property.isAlsoObjectKey) = ([name], true)
      property.note =
        "Some of the objects are under keys, others in arrays: exports write arrays, with the key as \"\(name)\"."
    }
    draft.properties.append(property)
  }

  private func add(_ shape: SampleShape, at path: [String], in container: SampleShape, to draft: EntityDraft) {
    guard !hasDuplicateKeys(shape) else {
      draft.omitted.append("\(quoted(path)) is not mapped: a key occurs twice in one object, which an import rejects.")
      return
    }
    func refuted(_ guess: Refutations.Guess) -> String? {
      refutations.reason(guess, path[path.count - 1], in: container.number, table)
    }
    if refuted(.type) == nil, var property = relationship(shape, at: path, of: draft) {
      property.container = container.number
      property.extent = PageForm(table).extent(of: shape, in: container, isWhole: container === draft.shape)
      draft.properties.append(property)
      return
    }
    // Shapes that were merged may together show that their keys are data.
    if parts.contains(shape.number), KeyedCollections(table: table).hasFreeKeys(shape) { shape.hasFreeKeys = true }
    if path.count < Self.deepest, !shape.hasFreeKeys, caution < .values, parts.contains(shape.number),
      shape.scalars == 0,
      shape.arrays == 0, refuted(.type) == nil
    {
      noteKeys(of: shape, in: draft)
      for member in table.keyedMembers(shape) { add(member.shape, at: path + [member.key], in: shape, to: draft) }
      return
    }
    let isOptional =
      shape.present < draft.fullObjects || draft.differentObjects < Self.fewest || caution == .values
      || refuted(.presence) != nil
    let isIdentity = path.count == 1 && draft.identityKeys.contains(path[0]) && path[0] != "@key"
    var choice = AttributeFinder.Choice(type: .json)
    var finder = attributes
    // IDs that are unique only within a type are text, even if all of them are digits.
    finder.isPlain = refuted(.refinement) != nil || isIdentity && draft.identityKeys.count > 1
    if let reason = refuted(.type), !isIdentity {
      choice.note = "Kept unchanged, because the samples refute a guess: \(reason)."
    } else if shape.present == 0 {
      choice.note = "The samples have only null here."
    } else if shape.present > shape.scalars {
      choice = list(shape, finder) ?? AttributeFinder.Choice(type: .json, note: reason(shape))
    } else if caution < .values || isIdentity {
      choice = finder.choice(for: shape, isIdentity: isIdentity)
      if let reason = refuted(.refinement) {
        choice.note = "Plain, because the samples refute a guess: \(reason)."
      }
    }
    draft.properties.append(
      EntityDraft.Property(
        path: path, shape: shape, element: choice.isList ? shape.element.map { table[$0] } : nil,
        name: name(path, draft, isList: false), isIdentity: isIdentity,
        container: container.number,
        kind: .attribute(
          choice, isOptional: isOptional && (!isIdentity || draft.lacksIdentities) || choice.nulls != nil),
        note: choice.note ?? referenceNote(path, draft)))
  }

  /// The choice for arrays of scalars of one type, among which an element may represent a list of one; nil for anything else. An array
  /// with null is kept unchanged.
  private func list(_ shape: SampleShape, _ finder: AttributeFinder) -> AttributeFinder.Choice? {
    // Coordinates of GeoJSON have as many arrays as their type says (RFC 7946).
    guard caution < .values, shape.objects == 0, shape.key != "coordinates",
      let element = shape.element.map({ table[$0] }), element.scalars > 0, element.scalars == element.present,
      element.nulls == 0
    else { return nil }
    var choice = finder.choice(for: element, isIdentity: false)
    if choice.nulls != nil {
      choice = AttributeFinder(isBold: false, isPlain: true).choice(for: element, isIdentity: false)
    }
    if shape.scalars > 0 {
      let plain = AttributeFinder(isBold: false, isPlain: true)
      choice = plain.choice(for: element, isIdentity: false)
      guard plain.choice(for: shape, isIdentity: false).type == choice.type else { return nil }
      choice.isLenient = true
      choice.note = "One element represents a list of one here; an export writes the list."
    }
    guard choice.type != .json else { return nil }
    choice.isList = true
    if choice.type != .string, choice.note == nil { choice.note = "Guess: the elements are always of this type." }
    return choice
  }

  // MARK: Relationships

  private func relationship(_ shape: SampleShape, at path: [String], of draft: EntityDraft) -> EntityDraft.Property? {
    guard caution < .values else { return nil }
    func fits(_ shape: SampleShape, _ destination: EntityDraft) -> Bool {
      shape.fullScalars == 0 || destination.group?.hasIdentifiers == true
    }
    if let passage = Passage(shape, table), Passage.canFollow(path), let destination = drafts[passage.node.number] {
      return self.passage(passage, shape, at: path, of: draft, to: destination)
    }
    let kind: EntityDraft.Property.Kind
    if let destination = drafts[shape.number], fits(shape, destination) {
      kind = .toOne(destination)
    } else if let element = shape.element.map({ table[$0] }), shape.objects == 0, shape.fullScalars == 0,
      element.arrays == 0, let destination = drafts[element.number],
      element.scalars == 0 || destination.group?.hasIdentifiers == true && element.blanks.isEmpty
    {
      kind = .toMany(destination, isKeyed: false)
    } else if let keyed = shape.keyed.map({ table[$0] }), shape.arrays == 0, shape.scalars == 0, keyed.scalars == 0,
      keyed.arrays == 0, let destination = drafts[keyed.number]
    {
      kind = .toMany(destination, isKeyed: true)
    } else {
      return nil
    }
    var property = EntityDraft.Property(path: path, shape: shape, name: name(path, draft, isList: true), kind: kind)
    property.nulls = shape.blanks
    property.isLenient = property.isToMany && shape.isLenient
    if property.isLenient {
      property.note = "One object represents a list of one here; an export writes the list."
    } else if !property.nulls.isEmpty {
      property.note = "Guess: \(property.nulls.map(\.description).joined(separator: " and ")) means null."
    } else if shape.fullScalars > 0 || shape.element.map({ table[$0].scalars > 0 }) == true {
      property.note = "The samples have objects and identifiers here; an export writes objects."
    }
    return property
  }

  /// A relationship whose key path leads through an array.
  private func passage(
    _ passage: Passage, _ shape: SampleShape, at path: [String], of draft: EntityDraft, to destination: EntityDraft
  ) -> EntityDraft.Property {
    let name = name(path.count > 1 && path.last == "edges" ? path.dropLast() : path, draft, isList: true)
    var property = EntityDraft.Property(
      path: path, shape: shape, name: name, kind: .toMany(destination, isKeyed: false))
    property.elementKey = passage.key
    if !passage.others.isEmpty {
      let keys = passage.others.map { "\"\($0.escapedForDisplay())\"" }.joined(separator: " and ")
      let verb = passage.others.count == 1 ? "is" : "are"
      property.note = "\(keys) of the elements \(verb) not mapped: the key path leads through them."
    }
    return property
  }

  /// The reason why a value is kept unchanged.
  private func reason(_ shape: SampleShape) -> String? {
    if shape.hasFreeKeys {
      let collections = KeyedCollections(table: table)
      if collections.isNamedAsFree(shape) {
        return "Guess: the keys of \"\(shape.key.escapedForDisplay())\" are usually data, not names of properties."
      }
      let reason = collections.hasFreeKeys(shape) ? "differ from object to object" : "are those of other objects"
      return "Guess: the keys \(reason), so they are data, not names of properties."
    }
    if shape.keyed != nil, shape.arrays == 0, shape.scalars == 0 {
      return "The keys are data, not names of properties."
    }
    if shape.scalars > 0 || shape.arrays > 0 && shape.objects > 0 {
      return "The samples have values of several kinds here."
    }
    guard shape.arrays > 0, let element = shape.element.map({ table[$0] }) else {
      return shape.arrays > 0 ? "The samples have only empty arrays here." : nil
    }
    if element.objects > 0, element.scalars > 0 { return "The samples have objects and other values in this array." }
    return nil
  }

  private func hasDuplicateKeys(_ shape: SampleShape) -> Bool {
    var work = [shape]
    var seen: Set<Int> = []
    while let next = work.popLast() {
      guard seen.insert(next.number).inserted else { continue }
      if next.occursTwice { return true }
      // The contents of an entity are handled with that entity.
      if drafts[next.number] != nil { continue }
      work += table.members(next) + [next.element, next.keyed].compactMap { $0.map { table[$0] } }
    }
    return false
  }

  // MARK: Names

  private func name(_ path: [String], _ draft: EntityDraft, isList: Bool) -> String {
    if path.count > 1, isList, let last = path.last?.lowercased(),
      Self.wrappers.contains(last) || ObjectSiteFinder.pages.contains(last)
    {
      return name(path.dropLast(), draft, isList: true)
    }
    let own = naming.name(of: path[path.count - 1])
    guard path.count > 1 else { return draft.take([own, own + "Value"]) }
    let whole = KeyNames.propertyName(path.flatMap(KeyNames.words))
    if isList, draft.repeatedNames.contains(path[path.count - 1]) {
      return draft.take([KeyNames.propertyName(wordsWithoutEnvelopes(path)), whole])
    }
    let isPlain = isList || path.dropLast().allSatisfy { Self.envelopes.contains($0.lowercased()) }
    let short = KeyNames.propertyName(KeyNames.words(path[path.count - 1]))
    let isFree = table.keyedMembers(draft.shape).allSatisfy { naming.name(of: $0.key) != short }
    return draft.take(isPlain && isFree ? [short, whole] : [whole])
  }

  /// The words of a key path that distinguish it from other key paths with the same last key.
  ///
  ///     entities.description.urls     description urls
  ///     entities.url.urls             urls
  private func wordsWithoutEnvelopes(_ path: [String]) -> [String] {
    let words = path.enumerated().flatMap { index, key in
      index < path.count - 1 && Self.envelopes.contains(key.lowercased()) ? [] : KeyNames.words(key)
    }
    return words.enumerated().filter { index, word in
      index + 1 == words.count || word.lowercased() != KeyNames.singular(words[index + 1].lowercased())
    }.map(\.element)
  }

  /// The last keys of relationships that an entity has at several key paths.
  private func repeatedNames(in shape: SampleShape) -> Set<String> {
    var counts: [String: Int] = [:]
    var work = [(shape, 1)]
    while let (next, depth) = work.popLast() {
      for member in table.keyedMembers(next) {
        if [member.shape.number, member.shape.element, member.shape.keyed].contains(where: isEntity) {
          counts[member.key, default: 0] += 1
        } else if depth < Self.deepest, parts.contains(member.shape.number) {
          work.append((member.shape, depth + 1))
        }
      }
    }
    return Set(counts.filter { $0.value > 1 }.keys)
  }

  private func isEntity(_ shape: Int?) -> Bool { shape.map { drafts[table.find($0)] != nil } ?? false }

  private func quoted(_ path: [String]) -> String { "\"\(path.joined(separator: ".").escapedForDisplay())\"" }
}

/// The caution of an inference. Each step discards guesses that a sample could contradict.
enum Caution: Int, Comparable, CaseIterable {
  /// Everything that the samples suggest.
  case none
  /// No enums, no dates in formats that are a guess, no identifiers as relationships, no sub-entities.
  case careful
  /// Every value is kept unchanged.
  case values

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
