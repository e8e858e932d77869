import Graft

/// Collects the properties of entities from the members of their objects.
struct PropertyFinder {
  let table: ShapeTable
  /// The entity of each shape whose objects are an entity's.
  let drafts: [Int: EntityDraft]
  /// The shapes whose objects are part of the object around them.
  let parts: Set<Int>
  let naming: PropertyNaming
  let caution: Caution

  /// The maximum number of keys in a key path.
  private static let deepest = 8
  /// Keys that do not describe their contents.
  static let envelopes: Set<String> = [
    "payload", "data", "attributes", "entities", "properties", "fields", "_embedded", "embedded", "details",
  ]

  func fill(_ draft: EntityDraft) {
    draft.repeatedNames = repeatedNames(in: draft.shape)
    if let key = draft.shape.elementKey { addKey(table[key], to: draft) }
    for member in table.keyedMembers(draft.shape) { add(member.shape, at: [member.key], in: draft.shape, to: draft) }
  }

  private func addKey(_ key: SampleShape, to draft: EntityDraft) {
    let choice = AttributeFinder(isBold: caution < .careful).choice(for: key, isIdentity: true, isKey: true)
    let isIdentity = draft.identityKey == "@key"
    let name = draft.take([isIdentity && choice.type == .integer64 ? "id" : "key", "objectKey"])
    draft.properties.append(
      EntityDraft.Property(
        path: ["@key"], shape: key, name: name, isIdentity: isIdentity, kind: .attribute(choice, isOptional: false)))
  }

  private func add(_ shape: SampleShape, at path: [String], in container: SampleShape, to draft: EntityDraft) {
    guard !hasDuplicateKeys(shape) else {
      draft.omitted.append("\(quoted(path)) is not mapped: a key occurs twice in one object, which an import rejects.")
      return
    }
    if var property = relationship(shape, at: path, of: draft) {
      property.container = container.number
      draft.properties.append(property)
      return
    }
    if path.count < Self.deepest, caution < .values, parts.contains(shape.number), shape.scalars == 0, shape.arrays == 0
    {
      for member in table.keyedMembers(shape) { add(member.shape, at: path + [member.key], in: shape, to: draft) }
      return
    }
    let isOptional = shape.present < draft.shape.objects || caution == .values
    let isIdentity = path.count == 1 && draft.identityKey == path[0] && path[0] != "@key"
    var choice = AttributeFinder.Choice(type: .json)
    if shape.present == 0 {
      choice.note = "The samples have only null here."
    } else if shape.present > shape.scalars {
      choice = list(shape) ?? AttributeFinder.Choice(type: .json, note: reason(shape))
    } else if caution < .values || isIdentity {
      choice = AttributeFinder(isBold: caution < .careful).choice(for: shape, isIdentity: isIdentity)
    }
    draft.properties.append(
      EntityDraft.Property(
        path: path, shape: shape, element: choice.isList ? shape.element.map { table[$0] } : nil,
        name: name(path, draft, isList: false), isIdentity: isIdentity,
        container: container.number, kind: .attribute(choice, isOptional: isOptional && !isIdentity), note: choice.note)
    )
  }

  /// The choice for arrays of scalars of one type; nil for anything else. An array with null is kept unchanged.
  private func list(_ shape: SampleShape) -> AttributeFinder.Choice? {
    guard caution < .values, shape.scalars == 0, shape.objects == 0, let element = shape.element.map({ table[$0] }),
      element.scalars > 0, element.scalars == element.present, element.nulls == 0
    else { return nil }
    var choice = AttributeFinder(isBold: caution < .careful).choice(for: element, isIdentity: false)
    guard choice.type != .json else { return nil }
    choice.isList = true
    return choice
  }

  // MARK: Relationships

  private func relationship(_ shape: SampleShape, at path: [String], of draft: EntityDraft) -> EntityDraft.Property? {
    guard caution < .values else { return nil }
    let kind: EntityDraft.Property.Kind
    if let destination = drafts[shape.number], shape.scalars == 0 {
      kind = .toOne(destination)
    } else if let element = shape.element.map({ table[$0] }), shape.objects == 0, shape.scalars == 0,
      element.scalars == 0,
      element.arrays == 0, let destination = drafts[element.number]
    {
      kind = .toMany(destination, isKeyed: false)
    } else if let keyed = shape.keyed.map({ table[$0] }), shape.arrays == 0, shape.scalars == 0, keyed.scalars == 0,
      keyed.arrays == 0, let destination = drafts[keyed.number]
    {
      kind = .toMany(destination, isKeyed: true)
    } else {
      return nil
    }
    return EntityDraft.Property(path: path, shape: shape, name: name(path, draft, isList: true), kind: kind)
  }

  /// The reason why a value is kept unchanged.
  private func reason(_ shape: SampleShape) -> String? {
    if drafts[shape.number] != nil, shape.scalars > 0, shape.arrays == 0 {
      return
        "The samples have objects and identifiers here. A relationship reads both, but does not write them back unchanged."
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
      // The contents of an entity are handled there.
      if drafts[next.number] != nil { continue }
      work += table.members(next) + [next.element, next.keyed].compactMap { $0.map { table[$0] } }
    }
    return false
  }

  // MARK: Names

  private func name(_ path: [String], _ draft: EntityDraft, isList: Bool) -> String {
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

  /// The words of a key path that distinguish it from others with the same last key.
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
  /// No identities.
  case anonymous
  /// Every value is kept unchanged.
  case values

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
