import Graft

/// A simple, slow importer that was written from the contract alone. The engine must produce the same result for every payload.
///
/// It works in three steps. Reading finds and makes objects and sets their attributes, dictionary by dictionary, and only records
/// relationships. At the end of the payload, it is known which objects are full objects (D1), and the records become links, in order. Then
/// orphans are deleted and everything is validated.
struct ReferenceImporter {
  /// A fault, and its location if the contract defines it.
  struct Fault: Hashable {
    var code: String
    var path: String?
  }

  /// A location in the payload. All locations inside the result of a dictionary transformer are the location of the original dictionary.
  struct Place {
    var path: String
    var isFixed = false

    func member(_ key: String) -> Place { isFixed ? self : Place(path: path + JSONPathText.member(key)) }
    func element(_ index: Int) -> Place { isFixed ? self : Place(path: path + JSONPathText.element(index)) }
  }

  /// An object, or the identifier of an object that might come later (D1).
  enum Target {
    case object(Int)
    case unknown(entity: Int, [ReferenceGraph.Part], Place)
    /// A dictionary that was skipped, with the identity of its object, if it has one (D13).
    case skipped(entity: Int, [ReferenceGraph.Part])
  }

  /// The contents of a dictionary for one property.
  enum Content {
    case null, invalid
    case value(AttributeValue)
    case targets([Target])
    /// Objects inside the object that the dictionary describes (M12).
    case owned(JSON, Place)
  }

  struct Link {
    var object: Int
    var relationship: RelationshipDescription
    /// nil represents null.
    var targets: [Target]?
    var place: Place
  }

  /// The deletion that a dictionary marked as deleted requests (M17).
  private struct Deletion {
    var entity: Int
    var identity: [ReferenceGraph.Part]?
    var modification: AttributeValue?
    var place: Place
  }

  /// The surroundings of the dictionary that is being read (M19).
  struct Around {
    /// The dictionaries that contain the current dictionary, outermost first, as returned by transformers.
    var objects: [(object: JSONObject, place: Place)] = []
    /// The innermost object that contains the payload's objects, and the document, if there are any.
    var envelope: (object: JSONObject, place: Place)?
    var document: (object: JSONObject, place: Place)?
  }

  var graph: ReferenceGraph
  private(set) var around = Around()
  private(set) var faults: Set<Fault> = []
  private var links: [Link] = []
  private var deletions: [Deletion] = []
  /// Dictionaries without an identity. Alternate identities found their objects (M27).
  private var finds: [(object: Int, entity: Int, names: [String], values: [AttributeValue?], place: Place)] = []
  /// Whether a dictionary was refused because it would give its object the identity of another object (M27).
  private(set) var hasTakenIdentity = false
  /// The owner whose objects are being read, and the objects' relationship to this owner (M12).
  private var owner: (object: Int, name: String)?
  /// The number of objects that existed before the import, and the existing objects that dictionaries with a modification value described
  /// (M17).
  private let formerCount: Int
  private var renewed: Set<Int> = []
  /// The mentions of each object: dictionaries, or nil for elements that are not dictionaries (M11).
  private var mentions: [Int: [(entity: Int, place: Place, object: JSONObject?, around: Around)]] = [:]
  var model: ReferenceModel { graph.model }

  init(_ graph: ReferenceGraph) {
    self.graph = graph
    formerCount = graph.objects.count
  }

  private mutating func refuse(_ code: String, _ place: Place?) { faults.insert(Fault(code: code, path: place?.path)) }

  // MARK: The payload

  /// Imports a payload that is at the given keys of a document.
  mutating func run(_ document: JSON, into entity: Int, under keys: [String] = []) {
    var payload = document
    var place = Place(path: "$")
    around.document = document.objectValue.map { ($0, place) }
    for key in keys {
      around.envelope = payload.objectValue.map { ($0, place) }
      guard let inner = payload[key] else {
        return refuse(payload.objectValue == nil ? "blocked-key-path" : "at", place)
      }
      payload = inner
      place = place.member(key)
    }
    switch payload {
    case .array(let elements): _ = read(elements, entity, place, nil)
    case .object(let object) where isCollection(object, entity): _ = readCollection(object, entity, place)
    default: _ = read(payload, entity, place, nil)
    }
    for link in links { make(link) }
    let marked = deletions.compactMap { deletion in target(deletion).map { (object: $0, path: deletion.place.path) } }
    let ambiguous = ambiguousFinds(Set(marked.map(\.object)))
    for path in graph.delete(marked) { faults.insert(Fault(code: "deletion-denied", path: path)) }
    if faults.isEmpty { validate() }
    for place in ambiguous { refuse("duplicate-identity", place) }
  }

  /// The dictionaries without an identity whose object is about to be deleted, or whose object now has different values while another
  /// object has the values by which it was found (M27).
  private func ambiguousFinds(_ marked: Set<Int>) -> [Place] {
    finds.filter { find in
      func has(_ object: Int) -> Bool {
        graph.objects[object].entity == find.entity
          && find.names.map { graph.objects[object].values[$0] } == find.values
      }
      if !marked.contains(find.object), has(find.object) { return false }
      return graph.live.contains { $0 != find.object && !marked.contains($0) && has($0) }
    }.map(\.place)
  }

  /// Whether an object is a complete payload of objects under their keys (M11).
  private func isCollection(_ object: JSONObject, _ entity: Int) -> Bool {
    let entity = model.entities[entity]
    guard let property = entity.key else { return false }
    if property.paths[0].isObjectKey { return true }
    return !object.contains { member in entity.paths.contains { $0[0] == member.key } }
  }

  private mutating func read(
    _ elements: [JSON], _ entity: Int, _ place: Place, _ relationship: RelationshipDescription?
  ) -> [Target] {
    elements.enumerated().compactMap { read($1, entity, place.element($0), relationship, index: $0) }
  }

  /// One element: an object, an identifier, or null, which is skipped (I4, I5).
  private mutating func read(
    _ value: JSON, _ entity: Int, _ place: Place, _ relationship: RelationshipDescription?, index: Int? = nil
  ) -> Target? {
    if relationship?.nulls?.contains(value) == true { return nil }
    switch value {
    case .null: return nil
    case .object(let object):
      return readObject(
        object, entity, place, index: index, refersBy: relationship?.hasReferences == true ? relationship : nil)
    case _ where model.entities[entity].readsElements:
      return readObject([:], entity, place, element: value, index: index)
    default:
      let owner = owner
      self.owner = nil
      defer { self.owner = owner }
      let target = readIdentifier(value, entity, place, relationship)
      // The identifier of an object inside a different owner (M12).
      if let owner, case .object(let object) = target, graph.objects[object].links[owner.name] != [owner.object] {
        refuse("other-owner", place)
        return nil
      }
      return target
    }
  }

  private mutating func readCollection(
    _ object: JSONObject, _ entity: Int, _ place: Place, _ relationship: RelationshipDescription? = nil
  ) -> [Target] {
    var seen: Set<String> = []
    return object.compactMap { key, value in
      let place = place.member(key)
      guard seen.insert(key).inserted else {
        refuse("duplicate-key", place)
        return nil
      }
      if relationship?.nulls?.contains(value) == true { return nil }
      switch value {
      case .null: return nil
      case .object(let object) where !readsAsValue(object, entity):
        return readObject(
          object, entity, place, key: key, refersBy: relationship?.hasReferences == true ? relationship : nil)
      default:
        guard model.entities[entity].element != nil else {
          refuse("value", place)
          return nil
        }
        return readObject([:], entity, place, key: key, element: value)
      }
    }
  }

  /// Whether an object is the `@value` of another object because none of its keys is mapped (M23). An empty object is not a value, except
  /// for type `json`.
  private func readsAsValue(_ object: JSONObject, _ entity: Int) -> Bool {
    guard let element = model.entities[entity].element, element.relationship?.isToMany ?? true,
      !object.isEmpty || element.attribute?.type == .json
    else { return false }
    return model.entities.indices.filter { model.inherits($0, from: entity) }.map { model.entities[$0] }.allSatisfy {
      $0.properties.allSatisfy { $0.paths.allSatisfy { $0.isKeyWord && $0.surroundings == nil } }
        && $0.transformer == nil && $0.mapper == nil
        && $0.mark == nil
    }
  }

  // MARK: Identifiers

  private mutating func readIdentifier(
    _ value: JSON, _ entity: Int, _ place: Place, _ relationship: RelationshipDescription?
  ) -> Target? {
    let names = model.entities[entity].identity
    var parts = [value]
    if names.count > 1 { parts = value.arrayValue ?? [] }
    if names.isEmpty || parts.count != names.count { refuse("value", place) }
    var values: [ReferenceGraph.Part] = []
    for (index, part) in parts.prefix(names.count).enumerated() {
      let property = model.entities[entity].property(names[index])!
      let place = names.count > 1 ? place.element(index) : place
      if let owner = property.relationship {
        // The owner's own identifier is used in its place (M12).
        let target =
          part.isNull || part.objectValue != nil
          ? nil : readIdentifier(part, model.numbers[owner.destinationName]!, place, relationship)
        switch target {
        case .object(let object): values.append(.owner(object))
        case .unknown(let entity, let parts, _): values.append(.unknown(entity: entity, parts))
        default: if part.isNull || part.objectValue != nil { refuse("value", place) }
        }
      } else if case .value(let value) = read(part, as: property.attribute!) {
        values.append(.value(value))
      } else {
        refuse("value", place)
      }
    }
    guard !names.isEmpty, values.count == names.count, parts.count == values.count else { return nil }
    return resolve(entity, names, values, relationship, place)
  }

  /// Returns the object with an identifier.
  private mutating func resolve(
    _ entity: Int, _ names: [String], _ values: [ReferenceGraph.Part], _ relationship: RelationshipDescription?,
    _ place: Place
  ) -> Target? {
    let waits = relationship.map { $0.unresolvedRule != .placeholder } ?? false
    guard let found = graph.find(entity, values) else {
      if waits { return .unknown(entity: entity, values, place) }
      return .object(insert(entity, names, values, isPlaceholder: true, place))
    }
    if waits, graph.objects[found].isPlaceholder { return .unknown(entity: entity, values, place) }
    return settle(found, entity, place) ? .object(found) : nil
  }

  /// Creates an object with an identity.
  private mutating func insert(
    _ entity: Int, _ names: [String], _ identity: [ReferenceGraph.Part], isPlaceholder: Bool, _ place: Place
  ) -> Int {
    let number = graph.objects.count
    graph.objects.append(ReferenceGraph.Object(entity: entity, isPlaceholder: isPlaceholder, identity: identity))
    for (name, part) in zip(names, identity) {
      switch part {
      case .value(let value): if isPlaceholder { graph.objects[number].values[name] = value }
      case .owner(let owner):
        let relationship = model.entities[entity].property(name)!.relationship!
        graph.link(number, relationship, owner, path: place.path)
      case .unknown: break
      }
    }
    return number
  }

  /// Whether an object can be used where an object of an entity is expected.
  private mutating func settle(_ object: Int, _ entity: Int, _ place: Place) -> Bool {
    model.inherits(graph.objects[object].entity, from: entity) || narrow(object, entity, place)
  }

  /// Narrows a placeholder to a sub-entity (D5). Any other object causes an error.
  private mutating func narrow(_ object: Int, _ entity: Int, _ place: Place) -> Bool {
    guard graph.objects[object].isPlaceholder, model.inherits(entity, from: graph.objects[object].entity) else {
      refuse("entity-conflict", place)
      return false
    }
    graph.objects[object].entity = entity
    return true
  }

  // MARK: Objects

  /// Reads one dictionary in the order of I7. Returns nil if the dictionary was refused, or was skipped and has no known object.
  private mutating func readObject(
    _ original: JSONObject, _ declared: Int, _ place: Place, key: String? = nil, element: JSON? = nil,
    index: Int? = nil, refersBy relationship: RelationshipDescription? = nil
  ) -> Target? {
    let owner = owner
    self.owner = nil
    defer { self.owner = owner }
    var object = original
    // The position is read in the same way as a separate key.
    let entity = model.entities[declared]
    if let index, entity.properties.contains(where: { $0.paths.contains(where: \.isElementIndex) }) {
      object = JSONObject(uncheckedMembers: object.members + [("@index", .number(JSONNumber(index)))])
    }
    return readObject(object, declared, place, key, element, owner, relationship)
  }

  /// Whether the only mapped keys of a dictionary are an identity and the mapper's key (M21).
  private func isReference(_ object: JSONObject, _ entity: Int, _ prefix: [String] = []) -> Bool {
    let described = model.entities[entity]
    let identity = described.properties.filter { described.identity.contains($0.name) }.flatMap(\.paths).map(\.keys)
    let discriminators = described.lineage.compactMap { model.entities[$0].mapper?.entityMapper?.keyPath.keys }
    // Keys that only nested objects read are not treated as mapped here (M19).
    let own = described.properties.flatMap { $0.paths + ($0.ignoredPath.map { [$0] } ?? []) }.filter { !$0.isKeyWord }
    let mapped = (own + (described.mark.map { [$0.keyPath] } ?? [])).map(\.keys)
    return object.allSatisfy { key, value in
      let path = prefix + [key]
      if key == "@index", prefix.isEmpty { return true }
      if identity.contains(path) || discriminators.contains(path) { return true }
      let below = (mapped + discriminators).contains { $0.count > path.count && $0.starts(with: path) }
      if below, let inner = value.objectValue { return isReference(inner, entity, path) }
      return !below && !mapped.contains(path)
    }
  }

  /// The target of a dictionary that is only a reference; nil if the dictionary contains other keys or lacks a part of an identity.
  private mutating func readReference(
    _ object: JSONObject, _ entity: Int, _ place: Place, _ key: String?, _ relationship: RelationshipDescription
  ) -> Target?? {
    let names = model.entities[entity].identity
    guard !names.isEmpty, isReference(object, entity) else { return nil }
    var values: [ReferenceGraph.Part] = []
    var isFaulty = false
    for name in names {
      let property = model.entities[entity].property(name)!
      var content: Content?
      var spot = place
      switch look(property, object, key, nil, place) {
      case .absent, .blocked: break
      case .value(let value, let place, _): (content, spot) = (read(value, as: property.attribute!), place)
      case .key(let key): content = read(key: key, as: property.attribute!)
      }
      if case .value(let value)? = content { values.append(.value(value)) }
      if case .invalid? = content {
        refuse("value", spot)
        isFaulty = true
      }
    }
    if isFaulty { return .some(nil) }
    guard values.count == names.count else { return nil }
    return .some(resolve(entity, names, values, relationship, place))
  }

  private mutating func readObject(
    _ original: JSONObject, _ declared: Int, _ place: Place, _ key: String?, _ element: JSON?,
    _ owner: (object: Int, name: String)?, _ relationship: RelationshipDescription?
  ) -> Target? {
    var object = original
    var inner = place
    func transformed(_ name: String) -> Bool {
      guard element == nil else { return true }
      switch LawClosures.transform(name, object) {
      case .original: break
      case .another(let other):
        object = other
        inner.isFixed = true
      case .thrown: return false
      }
      return true
    }
    let transformer = model.entities[declared].transformer
    if let transformer, !transformed(transformer.name) {
      refuse("closure-failed", place)
      return nil
    }
    var entity = declared
    var isUnanswered = false
    switch element == nil ? answer(object, declared) : .none {
    case .entity(let answer): entity = answer
    case .outside:
      // The location is the discriminator or the transformed dictionary, because the values that a closure read are not known.
      let keys = model.entities[declared].mapper?.entityMapper?.keyPath.keys ?? []
      refuse("wrong-entity", keys.reduce(inner) { $0.member($1) })
      return nil
    case .thrown:
      refuse("closure-failed", place)
      return nil
    case .skipped:
      return identity(in: object, declared, key, element).map { .skipped(entity: declared, $0) }
    case .none:
      isUnanswered = true
      if let identity = identity(in: object, declared, key, element), let found = graph.find(declared, identity),
        model.inherits(graph.objects[found].entity, from: declared)
      {
        entity = graph.objects[found].entity
      }
    }
    if let relationship, element == nil, let target = readReference(object, entity, inner, key, relationship) {
      return target
    }
    if let own = model.entities[entity].transformer, own.owner != transformer?.owner, !transformed(own.name) {
      refuse("closure-failed", place)
      return nil
    }
    switch synchronize(object, entity, inner, key, element) {
    case .read: break
    case .skipped(let target): return target
    case .refused: return nil
    }
    if model.entities[entity].isAbstract {
      refuse("abstract-entity", nil)
      return nil
    }
    let contents = readContents(object, entity, inner, key, element)
    return apply(contents, entity, isUnanswered: isUnanswered, inner, element == nil ? object : nil, owner).map {
      .object($0)
    }
  }

  /// The identity values in a dictionary; nil if one of them is missing.
  private func identity(
    in object: JSONObject, _ entity: Int, _ key: String?, _ element: JSON?
  ) -> [ReferenceGraph.Part]? {
    let names = model.entities[entity].identity
    // The hierarchy of objects inside owners has only one entity and no other keys, so it is not read ahead.
    if model.entities[entity].hasOwner { return nil }
    let values = names.compactMap { name -> ReferenceGraph.Part? in
      let content = content(of: model.entities[entity].property(name)!, object, key, element)
      return if case .value(let value)? = content { .value(value) } else { nil }
    }
    return names.isEmpty || values.count < names.count ? nil : values
  }

  // MARK: Synchronization

  private enum Synchronized { case read, skipped(Target?), refused }

  /// Applies the synchronization keys to a dictionary (M17).
  private mutating func synchronize(
    _ object: JSONObject, _ entity: Int, _ place: Place, _ key: String?, _ element: JSON?
  ) -> Synchronized {
    let described = model.entities[entity]
    let identity = identity(in: object, entity, key, element)
    let found = identity.flatMap { graph.find(entity, $0) }
    let target = identity.map { Target.skipped(entity: entity, $0) }
    var modification: AttributeValue?
    if let name = described.modification {
      if case .value(let value)? = content(of: described.property(name)!, object, key, element) { modification = value }
      if let modification, let found, !graph.objects[found].isPlaceholder,
        model.inherits(graph.objects[found].entity, from: entity), let stored = graph.objects[found].values[name]
      {
        // If this payload wrote the stored values, equally new values replace them.
        let isOwn = found >= formerCount || renewed.contains(found)
        let isOld = isOwn ? modification.isLess(than: stored) : !stored.isLess(than: modification)
        if isOld { return .skipped(target) }
      }
    }
    if let mark = described.mark, Self.value(at: mark.keyPath.keys, in: object) == mark.value {
      var isFaulty = false
      for name in described.identity + [described.modification].compactMap(\.self) {
        let property = described.property(name)!
        var content: Content?
        var spot = place
        switch look(property, object, key, element, place) {
        case .absent, .blocked: break
        case .value(let value, let place, _): (content, spot) = (read(value, as: property.attribute!), place)
        case .key(let key): content = read(key: key, as: property.attribute!)
        }
        guard case .invalid? = content else { continue }
        refuse("value", spot)
        isFaulty = true
      }
      if isFaulty { return .refused }
      deletions.append(Deletion(entity: entity, identity: identity, modification: modification, place: place))
      return .skipped(target)
    }
    if modification != nil, let found { renewed.insert(found) }
    return .read
  }

  private static func value(at keys: [String], in object: JSONObject) -> JSON? {
    var value: JSON? = .object(object)
    for key in keys { value = value?[key] }
    return value
  }

  /// The object that a dictionary marked as deleted deletes, now that all objects are known; nil if there is no such object, or if the
  /// object is newer.
  private mutating func target(_ deletion: Deletion) -> Int? {
    guard let identity = deletion.identity, let found = graph.find(deletion.entity, identity) else { return nil }
    let object = graph.objects[found]
    let isNarrower = object.isPlaceholder && model.inherits(deletion.entity, from: object.entity)
    guard model.inherits(object.entity, from: deletion.entity) || isNarrower else {
      refuse("entity-conflict", deletion.place)
      return nil
    }
    if !object.isPlaceholder, let modification = deletion.modification,
      let stored = model.entities[deletion.entity].modification.flatMap({ object.values[$0] }),
      modification.isLess(than: stored)
    {
      return nil
    }
    return found
  }

  private enum Answer { case entity(Int), outside, thrown, skipped, none }

  /// The entity that the mapper chooses (I7, D4).
  private func answer(_ object: JSONObject, _ declared: Int) -> Answer {
    guard let description = model.entities[declared].mapper else { return .none }
    var name: String?
    if let mapper = description.entityMapper {
      var value: JSON? = .object(object)
      for key in mapper.keyPath.keys { value = value?[key] }
      switch value {
      case nil, .null, .array, .object: return .none
      case .string(let text): name = mapper.cases.first { $0.value == text }?.entityName
      case .some(let other): name = mapper.cases.first { $0.value == other.description }?.entityName
      }
      // A dictionary that deletes its object does not need a known discriminator (M17).
      if name == nil, let mark = model.entities[declared].mark,
        Self.value(at: mark.keyPath.keys, in: object) == mark.value
      {
        return .none
      }
      switch mapper.otherwise {
      case .entity(let other): name = name ?? other
      case .skip where name == nil: return .skipped
      case .skip, nil: break
      }
    } else {
      switch LawClosures.entity(object) {
      case .success(let answer): name = answer
      case .failure: return .thrown
      }
    }
    guard let name else { return .none }
    guard let entity = model.numbers[name], model.inherits(entity, from: declared) else { return .outside }
    return .entity(entity)
  }

  /// The contents of the dictionary for each property, in the dictionary's order (I7).
  private mutating func readContents(
    _ object: JSONObject, _ entity: Int, _ place: Place, _ key: String?, _ element: JSON?
  ) -> [(name: String, content: Content)] {
    let entity = model.entities[entity]
    refuseDuplicates(object, entity.paths.map { $0[...] }, place)
    // A closure returns a dictionary, whose members have no order.
    let object = place.isFixed ? Self.inModelOrder(object, entity.paths.map { $0[...] }) : object
    var found: [(position: [Int], property: ReferenceModel.Property, value: JSON, place: Place, isKey: Bool)] = []
    for property in entity.properties {
      switch look(property, object, key, element, place) {
      case .absent: break
      case .blocked(let place): refuse("blocked-key-path", place)
      case .value(let value, let place, let position): found.append((position, property, value, place, false))
      case .key(let key): found.append(([-1], property, .string(key), place, true))
      }
    }
    found.sort { $0.position.lexicographicallyPrecedes($1.position) }
    around.objects.append((object, place))
    defer { around.objects.removeLast() }
    return found.map { position, property, value, place, isKey in
      if let attribute = property.attribute {
        let content = isKey ? read(key: value.stringValue ?? "", as: attribute) : read(value, as: attribute)
        if case .invalid = content {
          for place in faults(value, as: attribute, at: place) { refuse("value", place) }
        }
        return (property.name, content)
      }
      // Only an identifier can be located outside this object (M19).
      if position == [.max], value.objectValue != nil {
        refuse("value", place)
        return (property.name, .invalid)
      }
      // Objects inside this object are read once this object is known (M12).
      if model.isOwning(property.relationship!), !value.isNull, property.relationship!.nulls?.contains(value) != true {
        return (property.name, .owned(value, place))
      }
      return (property.name, read(value, property.relationship!, place, isOutside: position == [.max]))
    }
  }

  /// The members of a dictionary in the order in which the model reads them.
  private static func inModelOrder(_ object: JSONObject, _ paths: [ArraySlice<String>]) -> JSONObject {
    let members = object.map { key, value in
      let below = paths.filter { $0.first == key && $0.count > 1 }.map { $0.dropFirst() }
      let inner = below.isEmpty ? value : value.objectValue.map { .object(inModelOrder($0, below)) } ?? value
      return (place: paths.firstIndex { $0.first == key } ?? paths.count, key: key, value: inner)
    }
    return JSONObject(members.sorted { $0.place < $1.place }.map { ($0.key, $0.value) })
  }

  /// Mapped keys that occur twice in one object, including those along key paths (I13).
  private mutating func refuseDuplicates(_ object: JSONObject, _ paths: [ArraySlice<String>], _ place: Place) {
    var seen: Set<String> = []
    for (key, value) in object {
      let below = paths.filter { $0.first == key }
      guard !below.isEmpty else { continue }
      if !seen.insert(key).inserted {
        refuse("duplicate-key", place.member(key))
      } else if let inner = value.objectValue, below.contains(where: { $0.count > 1 }) {
        refuseDuplicates(inner, below.map { $0.dropFirst() }, place.member(key))
      }
    }
  }

  private mutating func read(
    _ value: JSON, _ relationship: RelationshipDescription, _ place: Place, isOutside: Bool = false
  ) -> Content {
    let destination = model.numbers[relationship.destinationName]!
    if relationship.nulls?.contains(value) == true { return .null }
    if relationship.isLenient, !isOutside, let content = readLeniently(value, relationship, destination, place) {
      return content
    }
    switch value {
    case .null: return .null
    case .array(let elements) where relationship.isToMany:
      return .targets(read(elements, destination, place, relationship))
    case .object(let object) where relationship.isToMany && model.entities[destination].key != nil:
      return .targets(readCollection(object, destination, place, relationship))
    case _ where relationship.isToMany:
      refuse("value", place)
      return .invalid
    default:
      return read(value, destination, place, relationship).map { .targets([$0]) } ?? .invalid
    }
  }

  /// Returns a value whose shape its relationship does not declare (M22); nil if the shape is the declared one.
  private mutating func readLeniently(
    _ value: JSON, _ relationship: RelationshipDescription, _ destination: Int, _ place: Place
  ) -> Content? {
    switch value {
    case .null: return nil
    case .array(let elements) where !relationship.isToMany:
      if model.hasArrayIdentifier(destination), elements.count > 1, elements[0].objectValue == nil,
        !elements[0].isNull
      {
        return nil
      }
      let targets = read(elements, destination, place, relationship)
      if targets.isEmpty { return .null }
      if targets.count == 1 { return .targets(targets) }
      refuse("value", place)
      return .invalid
    case "", false:
      if !relationship.isToMany { return .null }
    case .array: return nil
    case .object where !relationship.isToMany || model.entities[destination].key != nil: return nil
    case .object(let object) where Self.isNumbered(object):
      let targets = Self.numbered(object, place).enumerated().compactMap { index, element -> Target? in
        guard let value = element.value else {
          refuse("value", element.place)
          return nil
        }
        return read(value, destination, element.place, relationship, index: index)
      }
      return .targets(targets)
    default: break
    }
    if !relationship.isToMany { return nil }
    return .targets([read(value, destination, place, relationship, index: 0)].compactMap(\.self))
  }

  /// The object that is already known, which can also be the object of a skipped dictionary (D13).
  private func known(_ target: Target) -> Int? {
    switch target {
    case .object(let object): return object
    case .skipped(let entity, let identity):
      return graph.find(entity, identity).flatMap { graph.objects[$0].isPlaceholder ? nil : $0 }
    case .unknown: return nil
    }
  }

  // MARK: Applying

  private mutating func apply(
    _ contents: [(name: String, content: Content)], _ entity: Int, isUnanswered: Bool, _ place: Place,
    _ dictionary: JSONObject?, _ owner: (object: Int, name: String)?
  ) -> Int? {
    let said = Dictionary(contents.map { ($0.name, $0.content) }, uniquingKeysWith: { first, _ in first })
    let names = model.entities[entity].identity
    let identity = names.compactMap { name -> ReferenceGraph.Part? in
      if let owner, owner.name == name {
        switch said[name] {
        case .targets(let targets):
          if targets.first.flatMap(known) ?? owner.object == owner.object { break }
          refuse("other-owner", place)
        case .null: refuse("other-owner", place)
        default: break
        }
        return .owner(owner.object)
      }
      switch said[name] {
      case .value(let value): return .value(value)
      case .targets(let targets):
        return targets.first.flatMap(known).map { .owner($0) }
      default: return nil
      }
    }
    var number = graph.objects.count
    var isDescribed = false
    let given = identity.count == names.count ? identity : []
    var found = given.isEmpty ? nil : graph.find(entity, given)
    if !names.isEmpty, found == nil, let (object, names, values) = findByAlternate(entity, said) {
      if given.isEmpty { finds.append((object, entity, names, values, place)) }
      guard complete(object, said) else {
        hasTakenIdentity = true
        refuse("duplicate-identity", place)
        return nil
      }
      found = object
    }
    if let found {
      number = found
      let isOpen = isUnanswered && model.inherits(graph.objects[found].entity, from: entity)
      if graph.objects[found].entity != entity, !isOpen, !narrow(found, entity, place) { return nil }
      if model.entities[graph.objects[found].entity].isAbstract {
        refuse("abstract-entity", nil)
        return nil
      }
      // A dictionary inside this dictionary might have described a later state (M17).
      if let name = model.entities[entity].modification, !names.isEmpty, case .value(let own)? = said[name],
        let stored = graph.objects[found].values[name], own.isLess(than: stored)
      {
        return number
      }
      isDescribed = !graph.objects[found].isPlaceholder
      graph.objects[found].isPlaceholder = false
    } else {
      if !names.isEmpty && identity.count == names.count {
        _ = insert(entity, names, identity, isPlaceholder: false, place)
      } else {
        graph.objects.append(ReferenceGraph.Object(entity: entity))
      }
    }
    mentions[number, default: []].append((entity, place, dictionary, around))
    for property in model.entities[graph.objects[number].entity].properties {
      guard let attribute = property.attribute, !isDescribed, said[attribute.name] == nil,
        !names.contains(attribute.name)
      else { continue }
      graph.objects[number].values[attribute.name] = attribute.defaultValue
    }
    for (name, content) in contents {
      switch content {
      case .invalid: break
      case .value(let value):
        let old = graph.objects[number].values[name]
        // If the identity and the JSON value are the same, their first spelling is kept.
        if old == value, names.contains(name) || model.entities[entity].property(name)?.attribute?.type == .json {
          break
        }
        graph.objects[number].values[name] = value
      case .null:
        if names.contains(name), owner != nil { break }
        if let relationship = model.entities[entity].property(name)?.relationship {
          if model.isOwning(relationship) {
            graph.set(number, relationship, [], adds: false, path: place.path)
            break
          }
          links.append(Link(object: number, relationship: relationship, targets: nil, place: place))
        } else if !names.contains(name) {
          graph.objects[number].values[name] = nil
        }
      case .owned: break
      case .targets(let targets):
        let relationship = model.entities[entity].property(name)!.relationship!
        if names.contains(name) {
          // The value takes effect immediately, like the identity, even if another part of the identity is missing.
          if identity.count < names.count, let owner = targets.first.flatMap(known) {
            graph.set(number, relationship, [owner], adds: false, path: place.path)
          }
          break
        }
        links.append(Link(object: number, relationship: relationship, targets: targets, place: place))
      }
    }
    readOwned(contents, entity, of: number, place, dictionary ?? [:])
    return number
  }

  /// The object that has all values of an alternate identity and no different identity (M27).
  private func findByAlternate(
    _ entity: Int, _ said: [String: Content]
  ) -> (object: Int, names: [String], values: [AttributeValue?])? {
    func value(_ name: String) -> AttributeValue? { if case .value(let value)? = said[name] { value } else { nil } }
    for names in model.entities[entity].alternates {
      let values = names.map(value)
      let found = graph.live.filter { object in
        graph.objects[object].entity == entity && !values.contains(nil)
          && names.map { graph.objects[object].values[$0] } == values
          && model.entities[entity].identity.allSatisfy { name in
            let (old, new) = (graph.objects[object].values[name], value(name))
            return old == nil || new == nil || old == new
          }
      }
      // If there are several such objects, the object that this payload has described is used.
      if let first = found.first { return (found.first { mentions[$0] != nil } ?? first, names, values) }
    }
    return nil
  }

  /// Sets the identity values that an object does not have yet (M27). Returns false if they belong to a different object.
  private mutating func complete(_ object: Int, _ said: [String: Content]) -> Bool {
    let entity = model.entities[graph.objects[object].entity]
    for name in entity.identity {
      guard graph.objects[object].values[name] == nil, case .value(let value)? = said[name] else { continue }
      graph.objects[object].values[name] = value
    }
    let values = entity.identity.compactMap { graph.objects[object].values[$0] }
    if values.count < entity.identity.count { return true }
    let identity = values.map { ReferenceGraph.Part.value($0) }
    if let other = graph.find(graph.objects[object].entity, identity), other != object { return false }
    graph.objects[object].identity = identity
    return true
  }

  /// Reads objects that are identified inside their owner, which is known (M12). The links of these objects take effect immediately,
  /// because a link to an owner is part of an identity.
  private mutating func readOwned(
    _ contents: [(name: String, content: Content)], _ entity: Int, of object: Int, _ dictionary: Place,
    _ described: JSONObject
  ) {
    let outer = owner
    around.objects.append((object: described, place: dictionary))
    defer {
      owner = outer
      around.objects.removeLast()
    }
    var lists: [(relationship: RelationshipDescription, targets: [Int])] = []
    for case (let name, .owned(let value, let place)) in contents {
      let relationship = model.entities[entity].property(name)!.relationship!
      owner = (object, relationship.inverseName!)
      let content = read(value, relationship, place)
      if case .null = content { graph.set(object, relationship, [], adds: false, path: dictionary.path) }
      guard case .targets(let targets) = content else { continue }
      let objects = targets.compactMap { if case .object(let object) = $0 { object } else { nil } }
      if relationship.isToMany || !objects.isEmpty { lists.append((relationship, objects)) }
    }
    for (relationship, targets) in lists {
      graph.set(object, relationship, targets, adds: relationship.mergeRule == .union, path: dictionary.path)
    }
  }

  /// Makes the links that a dictionary requested. At this point, it is known which objects are full objects (D1).
  private mutating func make(_ link: Link) {
    let relationship = link.relationship
    var isToOneUnknown = false
    let targets = (link.targets ?? []).compactMap { target -> Int? in
      switch target {
      case .object(let object): return object
      case .skipped(let entity, let identity):
        // A relationship that does not accept unknown identifiers does not accept placeholders either (D1).
        let destination = model.numbers[relationship.destinationName]!
        if let found = graph.find(entity, identity), model.inherits(graph.objects[found].entity, from: destination),
          !graph.objects[found].isPlaceholder || relationship.unresolvedRule == .placeholder
        {
          return found
        }
        isToOneUnknown = !relationship.isToMany
        return nil
      case .unknown(let entity, let identity, let place):
        if let found = graph.find(entity, identity), !graph.objects[found].isPlaceholder {
          return settle(found, entity, place) ? found : nil
        }
        if relationship.unresolvedRule == .deny { refuse("unresolved-identifier", place) }
        isToOneUnknown = !relationship.isToMany
        return nil
      }
    }
    if isToOneUnknown { return }
    let adds = relationship.mergeRule == .union && link.targets != nil
    graph.set(link.object, relationship, targets, adds: adds, path: link.place.path)
  }

  // MARK: Validation

  /// Whether an object has no owner at the end, so identifiers of the object are meaningless (M12).
  var hasLostOwner: Bool {
    graph.objects.contains { object in
      !object.isDeleted
        && model.entities[object.entity].identity.contains { name in
          model.entities[object.entity].property(name)?.relationship != nil && object.links[name] ?? [] == []
        }
    }
  }

  /// Checks that every full object satisfies the model in its final state (I9, D6).
  private mutating func validate() {
    for (number, object) in graph.objects.enumerated() where !object.isDeleted {
      let entity = model.entities[object.entity]
      for name in entity.identity where graph.objects[number].links[name] ?? [] == [] {
        // An object without its owner has no identity (M12).
        guard let property = entity.property(name), property.relationship != nil else { continue }
        refuse("missing-value", number, property)
      }
      if object.isPlaceholder { continue }
      for names in entity.alternates where mentions[number] != nil {
        let values = names.compactMap { object.values[$0] }
        let isTaken = graph.live.contains { other in
          other != number && graph.objects[other].entity == object.entity
            && names.map { graph.objects[other].values[$0] } == values
        }
        if values.count == names.count, isTaken { refuse("duplicate-identity", number, entity.property(names[0])!) }
      }
      for property in model.entities[object.entity].properties {
        let count = property.relationship.map { graph.links(number, $0).count } ?? 0
        let value = object.values[property.name]
        if !property.isOptional, count == 0, value == nil { refuse("missing-value", number, property) }
        if let relationship = property.relationship {
          if count < relationship.minCount ?? 0 || count > relationship.maxCount ?? .max {
            refuse("invalid-value", number, property)
          }
        } else if let value, let rules = property.attribute?.validation {
          if case .list(let values) = value, values.count < rules.minCount ?? 0 || values.count > rules.maxCount ?? .max
          {
            refuse("invalid-value", number, property)
          }
          for (index, element) in value.elements.enumerated() where !meets(element, rules) {
            refuse("invalid-value", number, property, element: property.attribute?.isList == true ? index : nil)
          }
        }
      }
    }
  }

  /// The location is the last mention of the value or, if there is none, the first dictionary in which the value is missing (D7).
  private mutating func refuse(
    _ code: String, _ object: Int, _ property: ReferenceModel.Property, element: Int? = nil
  ) {
    let mentions = mentions[object] ?? []
    guard !mentions.isEmpty, mentions.allSatisfy({ !$0.place.isFixed }), property.relationship == nil else {
      return refuse(code, nil)
    }
    // A dictionary that was read as a superentity does not provide the value, regardless of what is under the key.
    if mentions.contains(where: { model.entities[$0.entity].property(property.name) == nil }) {
      return refuse(code, nil)
    }
    for mention in mentions.reversed() {
      if case .value(let value, let place, _) = look(
        property, mention.object ?? [:], nil, nil, mention.place, around: mention.around)
      {
        return refuse(code, value.arrayValue == nil ? place : element.map { place.element($0) } ?? place)
      }
    }
    let path = property.paths.first
    let keys = path.map { $0.isKeyWord ? [] : $0.keys } ?? []
    // If one mention is a dictionary and another is not, no rule determines which of them lacks the value.
    let isVague = mentions.contains { $0.object == nil } && mentions.contains { $0.object != nil }
    refuse(code, isVague ? nil : keys.reduce(mentions[0].place) { $0.member($1) })
  }
}
