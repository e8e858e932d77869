import Graft

/// A graph as plain values: an array of objects that refer to each other by number.
struct ReferenceGraph {
  struct Object {
    var entity: Int
    var isPlaceholder = false
    var isDeleted = false
    /// The identity by which the object was found or created; nil if it has no identity and will never have one. This is not used for
    /// objects inside owners, whose identity changes with their links.
    var identity: [Part]?
    var values: [String: AttributeValue] = [:]
    /// The objects to which a relationship leads. A to-one leads to at most one object.
    var links: [String: [Int]] = [:]
  }

  /// A part of an identity: a value or an owner.
  enum Part: Equatable {
    case value(AttributeValue)
    /// An object's owner (M12).
    case owner(Int)
    /// An owner that was unknown when its identifier was read.
    indirect case unknown(entity: Int, [Part])
  }

  let model: ReferenceModel
  var objects: [Object] = []
  /// Objects that a relationship with `deleteOrphans` released, with the relationship's inverse and the location that released them.
  var orphans: [(object: Int, inverse: String, path: String?)] = []

  // MARK: Identity

  /// The object in a hierarchy that has an identity (I2).
  func find(_ entity: Int, _ identity: [Part]) -> Int? {
    let space = model.entities[entity].space
    let identity = identity.map { part -> Part in
      if case .unknown(let entity, let parts) = part, let owner = find(entity, parts) { return .owner(owner) }
      return part
    }
    return objects.indices.first {
      !objects[$0].isDeleted && model.entities[objects[$0].entity].space == space && self.identity($0) == identity
    }
  }

  /// The identity of an object; nil if it has none.
  func identity(_ object: Int) -> [Part]? {
    let entity = model.entities[objects[object].entity]
    guard entity.hasOwner else { return objects[object].identity }
    let parts = entity.identity.compactMap { name -> Part? in
      if entity.property(name)?.relationship == nil { return objects[object].values[name].map { .value($0) } }
      return objects[object].links[name]?.first.map { .owner($0) }
    }
    return parts.count == entity.identity.count ? parts : nil
  }

  /// The identity as values, in which the owner is replaced with its own values.
  func values(_ object: Int) -> [AttributeValue]? {
    if objects[object].isDeleted { return nil }
    var values: [AttributeValue] = []
    for part in identity(object) ?? [] {
      switch part {
      case .value(let value): values.append(value)
      case .owner(let owner):
        guard let own = self.values(owner) else { return nil }
        values += own
      case .unknown: break
      }
    }
    return values.isEmpty ? nil : values
  }

  /// Whether two objects have the same identity, which the engine refuses.
  var hasRepeats: Bool {
    let owned = live.filter { model.entities[objects[$0].entity].hasOwner }
    return owned.indices.contains { index in
      guard let identity = identity(owned[index]) else { return false }
      return owned[..<index].contains {
        objects[$0].entity == objects[owned[index]].entity && self.identity($0) == identity
      }
    }
  }

  // MARK: Links

  func links(_ object: Int, _ relationship: RelationshipDescription) -> [Int] {
    (objects[object].links[relationship.name] ?? []).filter { !objects[$0].isDeleted }
  }

  private func inverse(_ relationship: RelationshipDescription) -> RelationshipDescription? {
    relationship.inverseName.flatMap {
      model.entities[model.numbers[relationship.destinationName]!].property($0)?.relationship
    }
  }

  mutating func unlink(_ left: Int, _ relationship: RelationshipDescription, _ right: Int) {
    objects[left].links[relationship.name]?.removeAll { $0 == right }
    if let name = relationship.inverseName { objects[right].links[name]?.removeAll { $0 == left } }
  }

  /// Adds links on both sides (I6); the former destination of a to-one side is released.
  mutating func link(_ left: Int, _ relationship: RelationshipDescription, _ right: Int, path: String?) {
    if objects[left].links[relationship.name, default: []].contains(right) { return }
    let inverse = inverse(relationship)
    if !relationship.isToMany, let old = objects[left].links[relationship.name]?.first {
      unlink(left, relationship, old)
    }
    if let inverse, !inverse.isToMany, let old = objects[right].links[inverse.name]?.first {
      unlink(old, relationship, right)
      // The owner now has a different object (M12).
      if inverse.deletesOrphans, model.entities[objects[old].entity].identity.contains(relationship.name) {
        orphans.append((old, relationship.name, path))
      }
    }
    objects[left].links[relationship.name, default: []].append(right)
    if let inverse, left != right || inverse.name != relationship.name {
      objects[right].links[inverse.name, default: []].append(left)
    }
  }

  /// Sets the objects of a relationship (I5), or adds objects to it (D2).
  mutating func set(
    _ object: Int, _ relationship: RelationshipDescription, _ targets: [Int], adds: Bool, path: String?
  ) {
    let new = targets.reduce(into: [Int]()) { if !$0.contains($1) { $0.append($1) } }
    for old in objects[object].links[relationship.name] ?? [] where !adds && !new.contains(old) {
      unlink(object, relationship, old)
      if relationship.deletesOrphans { orphans.append((old, relationship.inverseName!, path)) }
    }
    for target in new { link(object, relationship, target, path: path) }
    if !adds, relationship.isOrdered { objects[object].links[relationship.name] = new }
  }

  // MARK: Deletion

  /// Deletes an object according to the delete rules (M6). Returns false if a rule denies the deletion.
  mutating func delete(_ object: Int, path: String?) -> Bool {
    func targets(_ object: Int, _ rule: RelationshipDescription.DeleteRule) -> [Int] {
      model.entities[objects[object].entity].relationships.filter { $0.deleteRule == rule }.flatMap {
        links(object, $0)
      }
    }
    var doomed = [object]
    var next = 0
    while next < doomed.count {
      for target in targets(doomed[next], .cascade) where !doomed.contains(target) { doomed.append(target) }
      next += 1
    }
    if doomed.contains(where: { targets($0, .deny).contains { !doomed.contains($0) } }) { return false }
    for object in doomed {
      for relationship in model.entities[objects[object].entity].relationships {
        set(object, relationship, [], adds: false, path: path)
      }
      objects[object].isDeleted = true
    }
    return true
  }

  /// Deletes orphans (M6), including those that these deletions create. Returns the locations of deletions that were denied. An object that
  /// denies a deletion can be deleted itself, because the order of deletions does not matter (D14).
  mutating func deleteOrphans() -> [String?] {
    var denied: [(object: Int, inverse: String, path: String?)] = []
    while !orphans.isEmpty {
      let orphan = orphans.removeFirst()
      let object = objects[orphan.object]
      guard !object.isDeleted, object.links[orphan.inverse, default: []].isEmpty else { continue }
      if delete(orphan.object, path: orphan.path) {
        orphans += denied
        denied = []
      } else {
        denied.append(orphan)
      }
    }
    orphans = denied.filter { !objects[$0.object].isDeleted }
    return orphans.map(\.path)
  }

  /// Deletes objects that are marked as deleted (M17), and orphans. Returns the locations of deletions that were denied.
  mutating func delete(_ marked: [(object: Int, path: String?)]) -> [String?] {
    var marked = marked
    var denied: [String?] = []
    var count = -1
    while count != live.count {
      count = live.count
      var left: [(object: Int, path: String?)] = []
      for deletion in marked where !objects[deletion.object].isDeleted {
        if !delete(deletion.object, path: deletion.path) { left.append(deletion) }
      }
      marked = left
      denied = deleteOrphans()
    }
    return marked.filter { !objects[$0.object].isDeleted }.map(\.path) + denied
  }

  // MARK: The dump

  /// The objects that are not deleted.
  var live: [Int] { objects.indices.filter { !objects[$0].isDeleted } }

  /// The names of the objects, as in a context.
  var names: [String] {
    var counts: [Int: Int] = [:]
    return objects.indices.map { object in
      let entity = objects[object].entity
      if let identity = values(object) {
        return
          "\(model.entities[entity].name)(\(identity.map { Self.bare($0, isAlone: identity.count == 1) }.joined(separator: ",")))"
      }
      if !objects[object].isDeleted { counts[entity, default: 0] += 1 }
      return "\(model.entities[entity].name)#\(counts[entity] ?? 0)"
    }
  }

  /// The same text as a context's dump (see `ManagedObjectContext.dump`).
  var dump: String {
    let live = live
    let names = names
    let identities = objects.indices.map(values)
    func precedes(_ left: Int, _ right: Int) -> Bool {
      switch (identities[left], identities[right]) {
      case (let leftValues?, let rightValues?):
        for (left, right) in zip(leftValues, rightValues) {
          if left.isLess(than: right) { return true }
          if right.isLess(than: left) { return false }
        }
        if leftValues.count != rightValues.count { return leftValues.count < rightValues.count }
        return names[left] != names[right] && objects[left].entity != objects[right].entity
          ? name(left) < name(right) : left < right
      case (let left, let right): return left == nil && right == nil ? false : right == nil
      }
    }
    func name(_ object: Int) -> String { model.entities[objects[object].entity].name }
    func sorted(_ objects: [Int]) -> [Int] {
      objects.sorted { precedes($0, $1) || !precedes($1, $0) && $0 < $1 }
    }
    func draw(_ object: Int) -> String {
      let properties = model.entities[objects[object].entity].properties
      let attributes = properties.compactMap(\.attribute).map {
        "\(Self.quoted($0.name)): \(objects[object].values[$0.name].map { JSONWriter.text(of: $0.jsonValue) } ?? "null")"
      }
      let relationships = properties.compactMap(\.relationship).map { relationship in
        let targets = links(object, relationship)
        let drawn = (relationship.isOrdered ? targets : sorted(targets)).map { Self.quoted(names[$0]) }
        let value = relationship.isToMany ? "[\(drawn.joined(separator: ", "))]" : drawn.first ?? "null"
        return "\(Self.quoted(relationship.name)): \(value)"
      }
      return """
        {"id": \(Self.quoted(names[object])), "placeholder": \(objects[object].isPlaceholder),
             "attributes": {\(attributes.joined(separator: ", "))},
             "relationships": {\(relationships.joined(separator: ", "))}}
        """
    }
    let byEntity = Dictionary(grouping: live) { objects[$0].entity }
    let sections = byEntity.sorted { model.entities[$0.key].name < model.entities[$1.key].name }.map {
      entity, objects in
      "\n  \(Self.quoted(model.entities[entity].name)): [\n    "
        + sorted(objects).map(draw).joined(separator: ",\n    ") + "\n  ]"
    }
    return "{\(sections.joined(separator: ","))\(sections.isEmpty ? "" : "\n")}\n"
  }

  private static func quoted(_ text: String) -> String { JSONWriter.text(of: .string(text)) }

  /// Strings are written without quotes, unless the end of one of several values would be ambiguous.
  private static func bare(_ value: AttributeValue, isAlone: Bool) -> String {
    let text = JSONWriter.text(of: value.jsonValue)
    guard text.hasPrefix("\"") else { return text }
    let inner = String(text.dropFirst().dropLast())
    return !isAlone && inner.utf8.contains { Array(",()\"".utf8).contains($0) } ? text : inner
  }
}
