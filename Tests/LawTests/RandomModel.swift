import Graft
import GraftTestSupport

/// A random model: a model file, and the facts about it from which payloads are made.
struct RandomModel {
  struct Attribute {
    var name: String
    var type: AttributeType
    var isOptional = false
    var path: [String]?
    var alias: [String]?
    var transformer: String?
    var direction = "both"
    var hasDefault = false
    /// Whether the attribute holds a list of values (M13).
    var isList = false
    /// The validation rules as written in the file.
    var rules: [String] = []
    /// The values that are read as null (M20), and whether other shapes are read as lists (M22).
    var nulls: [JSON] = []
    var isLenient = false

    /// Whether the key of an object can be the attribute's value (M11).
    var isKey: Bool { path == ["@key"] || alias == ["@key"] }
    /// The part of a key path that leads out of the object (M19), without the first key.
    var outside: [String]? { RandomModel.outside(path) ?? RandomModel.outside(alias) }
  }

  struct Relationship {
    var name: String
    var destination: Int
    var isToMany = false
    var isOrdered = false
    var inverse: String?
    var isOptional = true
    var path: [String]?
    var alias: [String]?
    /// The minimum and maximum counts as written in the file.
    var rules: [String] = []
    /// The values that are read as null (M20), whether a dictionary can be a mere reference (M21), and whether other shapes are read (M22).
    var nulls: [JSON] = []
    var hasReferences = false
    var isLenient = false
    var isUnion = false
    var unresolvedRule = "placeholder"
    var deletesOrphans = false
    var deleteRule = "nullify"
    var representation = "object"
    var direction = "both"

    /// Whether an export writes the relationship and an import reads it again.
    var isExported: Bool {
      path != nil && representation != "none" && direction == "both" && RandomModel.outside(path) == nil
    }
  }

  struct Entity {
    var name: String
    var root: Int
    var parent: Int?
    var isAbstract = false
    /// The entity's own identity attributes. The attributes of a sub-entity extend those of its parent (M8). One of them can be a
    /// relationship to an owner (M12).
    var identity: [String] = []
    /// Other attributes whose values are unique for each object (M27).
    var alternates: [[String]] = []
    /// The dictionary transformer that the entity declares.
    var transformer: String?
    /// The synchronization keys that the entity declares (M17).
    var modification: String?
    var mark: (path: [String], value: JSON)?
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
  }

  var entities: [Entity] = []
  /// For each root, the entities' discriminators, if the hierarchy has a mapper.
  var discriminators: [Int: [Int: String]] = [:]
  /// For each root with a table, the entity for other discriminators; nil if such objects are skipped (M15).
  private(set) var fallbacks: [Int: Int?] = [:]
  /// Whether all features are used, including those that the laws about exports and repetition do not support.
  let isRich: Bool
  /// The roots whose mapper is a closure.
  private(set) var closureMappers: Set<Int> = []
  /// Whether every object has an identity, so importing a payload again finds its objects.
  let isIdentified: Bool
  /// Whether an export contains everything, so importing it into an empty context produces the same graph (E4).
  private(set) var exportsEverything = true

  private var counter = 0
  private var lineages: [[Entity]] = []

  /// Whether the model uses all features except those that prevent an export from being imported again (M9): closures without a reverse.
  let isForExports: Bool
  private var hasAllShapes: Bool { isRich || isForExports }
  private let isDense: Bool
  /// Whether values are read from outside objects (M19).
  let hasSurroundings: Bool

  /// - Parameters:
  ///   - hasOwners: whether objects can be identified inside owners (M12).
  ///   - hasSurroundings: whether values can be read from outside objects (M19).
  ///   - isDense: whether few entities have many relationships, so that most changes affect other objects.
  ///   - hasForms: whether values can have other forms (M20, M21, M22).
  ///   - hasAlternates: whether additional attributes can identify objects (M27).
  ///   - hasSharing: whether objects can be the `@value` of other objects and share their dictionaries (M23).
  init(
    _ random: inout SeededRandom, isRich: Bool = false, isForExports: Bool = false, hasOwners: Bool = false,
    hasSurroundings: Bool = false, isDense: Bool = false, hasForms: Bool = false,
    hasAlternates: Bool = false, hasSharing: Bool = false
  ) {
    self.isDense = isDense
    self.isRich = isRich
    self.isForExports = isForExports
    self.hasSurroundings = hasSurroundings
    isIdentified = isDense || random.chance(percent: 75)
    let rootCount = 1 + random.below(isDense ? 2 : 3)
    for _ in 0..<rootCount { addHierarchy(&random) }
    if hasOwners, isIdentified { for _ in 0..<random.pick([0, 0, 1, 2]) { addOwned(&random) } }
    for _ in 0..<(isDense ? 4 + random.below(5) : random.below(6)) { addRelationship(&random) }
    if hasSurroundings { readRelated(&random) }
    if hasForms { addForms(&random) }
    if hasAlternates { addAlternates(&random) }
    if hasSharing { for _ in 0..<random.below(3) { addSharing(&random) } }
    lineages = entities.indices.map(findLineage)
  }

  // MARK: Making

  private mutating func name(_ prefix: String) -> String {
    counter += 1
    return "\(prefix)\(counter)"
  }

  private mutating func addHierarchy(_ random: inout SeededRandom) {
    let root = entities.count
    let count = random.chance(percent: isDense ? 20 : 50) ? 1 : 2 + random.below(2)
    for index in 0..<count {
      var entity = Entity(name: name("E"), root: root)
      if index > 0 { entity.parent = root + random.below(index) }
      if index == 0, isIdentified && !(hasAllShapes && random.chance(percent: 20)) || random.chance(percent: 50) {
        for _ in 0..<(random.chance(percent: 75) ? 1 : 2) {
          var attribute = attribute(&random, types: [.integer64, .string, .string, .uuid, .decimal, .date, .double])
          attribute.isOptional = !isIdentified
          attribute.hasDefault = false
          if attribute.path == nil { attribute.path = [attribute.name] }
          entity.identity.append(attribute.name)
          entity.attributes.append(attribute)
        }
        if hasAllShapes, random.chance(percent: 20) { makeKeyed(&entity, &random) }
      }
      if hasAllShapes { enrich(&entity, index, &random) }
      for _ in 0..<random.below(5) {
        let attribute = listed(directed(attribute(&random, types: AttributeType.allCases), &random), &random)
        entity.attributes.append(surrounded(attribute, &random))
      }
      entities.append(entity)
    }
    guard count > 1 else { return }
    entities[root].isAbstract = random.chance(percent: 30)
    if entities[root].isAbstract || random.chance(percent: 70) {
      let isClosure = isRich && random.chance(percent: 30)
      if isClosure { closureMappers.insert(root) }
      let areNumbers = !isClosure && random.chance(percent: 40)
      for index in root..<entities.count where !entities[index].isAbstract {
        if index == root, random.chance(percent: 50) { continue }
        discriminators[root, default: [:]][index] = areNumbers ? "\(index)" : "is\(entities[index].name)"
      }
      if isRich, !isClosure, discriminators[root] != nil, random.chance(percent: 40) {
        let concrete = entities.indices[root...].filter { !entities[$0].isAbstract }
        fallbacks.updateValue(random.chance(percent: 50) ? nil : random.pick(concrete), forKey: root)
      }
    } else {
      exportsEverything = false
    }
  }

  /// An identity attribute can be the key of an object; another attribute can be the element (M11).
  private mutating func makeKeyed(_ entity: inout Entity, _ random: inout SeededRandom) {
    let attribute = random.pick([AttributeType.integer64, .string, .uuid, .decimal, .double])
    let place = random.below(entity.attributes.count)
    entity.attributes[place].type = attribute
    entity.attributes[place].rules = []
    entity.attributes[place].transformer =
      attribute == .integer64 && random.chance(percent: 30) ? "StringToInteger" : nil
    if random.chance(percent: 50) {
      entity.attributes[place].path = ["@key"]
      entity.attributes[place].alias = nil
    } else {
      entity.attributes[place].alias = ["@key"]
    }
    guard random.chance(percent: 50) else { return }
    var value = Attribute(name: name("a"), type: random.pick([.string, .integer32, .json]), isOptional: true)
    value.path = ["@value"]
    if random.chance(percent: 50) { value.alias = [value.name] }
    value.isList = random.chance(percent: 25)
    entity.attributes.append(value)
  }

  private mutating func enrich(_ entity: inout Entity, _ index: Int, _ random: inout SeededRandom) {
    if index > 0, random.chance(percent: isForExports ? 35 : 15), !entities[entity.root].identity.isEmpty {
      var attribute = attribute(&random, types: [.integer64, .string])
      if attribute.path == nil { attribute.path = [attribute.name] }
      attribute.hasDefault = false
      entity.identity = [attribute.name]
      entity.attributes.append(attribute)
    }
    if isRich, random.chance(percent: 12) { entity.transformer = "Peel" }
    synchronize(&entity, index, &random)
  }

  /// Synchronization keys (M17).
  private mutating func synchronize(_ entity: inout Entity, _ index: Int, _ random: inout SeededRandom) {
    if index == 0, !entity.identity.isEmpty, random.chance(percent: 30) {
      var attribute = attribute(&random, types: [.integer16, .integer64, .date, .double, .float, .decimal])
      if attribute.path == nil { attribute.path = [attribute.name] }
      attribute.isOptional = random.chance(percent: 30)
      entity.modification = attribute.name
      attribute = surrounded(attribute, &random)
      entity.attributes.append(attribute)
    }
    let hasIdentity = !entity.identity.isEmpty || index > 0 && !entities[entity.root].identity.isEmpty
    if isRich, hasIdentity, random.chance(percent: index == 0 ? 15 : 5) {
      entity.mark = (random.pick([["gone"], ["g", "gone"]]), random.pick([true, "yes", 1]))
    }
  }

  /// Validation rules that some of the values satisfy.
  private func rules(_ type: AttributeType, _ random: inout SeededRandom) -> [String] {
    guard random.chance(percent: 12) else { return [] }
    return switch type {
    case .integer16, .integer32: ["\"minimum\": \(random.pick([-1, 0]))"]
    case .integer64: ["\"maximum\": 100"]
    case .double: ["\"minimum\": -1", "\"maximum\": 1e200"]
    case .string:
      random.pick([
        ["\"maxLength\": 20"], ["\"minLength\": 1"], ["\"pattern\": \"\(LawClosures.pattern)\""],
        [#""enum": ["", "\"q\"", "d", "a!"]"#], [#""enum": ["", "d"]"#, #""extensible": true"#],
      ])
    case .binary: ["\"minLength\": 1", "\"maxLength\": 2"]
    default: []
    }
  }

  private mutating func attribute(_ random: inout SeededRandom, types: [AttributeType]) -> Attribute {
    var attribute = Attribute(name: name("a"), type: random.pick(types))
    attribute.isOptional = random.chance(percent: 85)
    switch random.below(10) {
    case 0: attribute.path = nil
    case 1, 2: attribute.path = [random.pick(["g", "h.h"]), attribute.name]
    case 3: attribute.path = ["g", "deep", attribute.name]
    default: attribute.path = [attribute.name]
    }
    if attribute.path != nil, random.chance(percent: 15) { attribute.alias = [attribute.name + "Alias"] }
    if hasAllShapes, attribute.alias != nil, random.chance(percent: 40) { attribute.alias?.insert("g", at: 0) }
    if random.chance(percent: 25) {
      switch attribute.type {
      case .integer64: attribute.transformer = random.pick(["StringToInteger", "Next", "Lenient"])
      case .string where isRich: attribute.transformer = random.pick(["Picky", "Lenient"])
      case .boolean: attribute.transformer = random.pick(["IntegerToBoolean", "Lenient"])
      case .decimal: attribute.transformer = random.pick(["StringToDecimal", "Lenient"])
      default: attribute.transformer = "Lenient"
      }
    }
    if attribute.path != nil, !attribute.isOptional || random.chance(percent: 15) {
      attribute.hasDefault = [.integer16, .string, .double, .boolean].contains(attribute.type)
    }
    if !attribute.isOptional, attribute.path == nil { attribute.isOptional = true }
    if hasAllShapes { attribute.rules = rules(attribute.type, &random) }
    return attribute
  }

  /// An attribute that can take part in only one direction of JSON conversion (M16).
  private mutating func directed(_ attribute: Attribute, _ random: inout SeededRandom) -> Attribute {
    guard hasAllShapes, attribute.path != nil, random.chance(percent: 15) else { return attribute }
    var attribute = attribute
    attribute.direction = random.pick(["import", "export"])
    exportsEverything = false
    if attribute.direction == "export" {
      attribute.alias = nil
      if !attribute.hasDefault { attribute.isOptional = true }
    }
    return attribute
  }

  /// The keys of a key path after `@parent` or `@root` (M19); nil if the path does not begin with either.
  static func outside(_ path: [String]?) -> [String]? {
    guard let path, path[0] == "@parent" || path[0] == "@root" else { return nil }
    return Array(path.dropFirst())
  }

  /// Lets some attributes be read from an object around their own (M19): `@parent.author.name`.
  private mutating func readRelated(_ random: inout SeededRandom) {
    let related = entities.flatMap(\.relationships).filter { relationship in
      guard let path = relationship.path, !relationship.isToMany else { return false }
      return RandomModel.outside(path) == nil && relationship.alias == nil
    }
    for entity in entities.indices where !related.isEmpty {
      for index in entities[entity].attributes.indices {
        var attribute = entities[entity].attributes[index]
        guard RandomModel.outside(attribute.path) != nil, !attribute.hasDefault,
          entities[entity].modification != attribute.name, random.chance(percent: 40)
        else { continue }
        let relationship = random.pick(related)
        let others = entities[relationship.destination].attributes.filter { other in
          other.outside == nil && other.path.map { !$0[0].hasPrefix("@") && !$0.contains { $0.contains(".") } } ?? false
        }
        guard !others.isEmpty else { continue }
        let other = random.pick(others)
        attribute.path = [attribute.path![0]] + relationship.path! + other.path!
        (attribute.type, attribute.transformer, attribute.isList, attribute.rules) =
          (other.type, other.transformer, other.isList, [])
        entities[entity].attributes[index] = attribute
      }
    }
  }

  /// An attribute that can be read from outside its object (M19), under its own keys or at the location of another attribute.
  private mutating func surrounded(_ attribute: Attribute, _ random: inout SeededRandom) -> Attribute {
    guard hasSurroundings, attribute.direction != "export", random.chance(percent: 30) else { return attribute }
    var attribute = attribute
    let first = random.pick(["@parent", "@root"])
    let isModification = attribute.type.tellsVersions && !attribute.isList
    let others = entities.flatMap(\.attributes).filter { other in
      guard let path = other.path, path[0] != "@key", path[0] != "@value", path[0] != "@index" else { return false }
      return other.outside == nil && !path.contains { $0.contains(".") }
        && (!isModification || other.type == attribute.type)
        && other.isList == attribute.isList
    }
    var keys = ["s\(attribute.type.rawValue)\(attribute.isList ? "s" : "")"]
    if !others.isEmpty, random.chance(percent: 40) {
      let other = random.pick(others)
      keys = other.path!
      (attribute.type, attribute.transformer, attribute.rules) = (other.type, other.transformer, [])
      attribute.hasDefault = attribute.hasDefault && other.hasDefault
      if !isModification, !attribute.hasDefault, random.chance(percent: 30) {
        // The same location written in another form, which is read as a different value.
        let isText = [AttributeType.string, .date, .uuid, .uri, .binary].contains(attribute.type)
        (attribute.type, attribute.transformer) = (isText && random.chance(percent: 60) ? .string : .json, nil)
        if attribute.type == .json { attribute.isList = false }
      }
    } else {
      if attribute.transformer != "Lenient" { attribute.transformer = nil }
      if random.chance(percent: 25) { keys.insert("g", at: 0) }
    }
    if attribute.path == nil || random.chance(percent: 60) {
      (attribute.path, attribute.alias, attribute.direction) = ([first] + keys, nil, "both")
    } else {
      attribute.alias = [first] + keys
    }
    if !attribute.isOptional, !attribute.hasDefault { attribute.isOptional = random.chance(percent: 85) }
    exportsEverything = false
    return attribute
  }

  /// An attribute that can hold a list (M13).
  private func listed(_ attribute: Attribute, _ random: inout SeededRandom) -> Attribute {
    guard random.chance(percent: 20) else { return attribute }
    var attribute = attribute
    attribute.isList = true
    if hasAllShapes, random.chance(percent: 20) {
      attribute.rules += random.pick([
        ["\"minCount\": 1"], ["\"maxCount\": 2"], ["\"minCount\": 1", "\"maxCount\": 1"],
      ])
    }
    return attribute
  }

  private mutating func addRelationship(_ random: inout SeededRandom) {
    let owner = random.below(entities.count)
    let destination = random.below(entities.count)
    var relationship = relationship(to: destination, &random)
    guard random.chance(percent: 75) else {
      // If only such a relationship leads to an orphan, nothing reports the orphan's deletion.
      relationship.isOptional = true
      entities[owner].relationships.append(relationship)
      noteLoss(relationship, back: nil)
      return
    }
    if owner == destination, random.chance(percent: 40) {
      relationship.inverse = relationship.name
      relationship.deletesOrphans = false
      entities[owner].relationships.append(relationship)
      noteLoss(relationship, back: nil)
      return
    }
    var back = self.relationship(to: owner, &random)
    relationship.inverse = back.name
    back.inverse = relationship.name
    relationship.deletesOrphans = random.chance(percent: 15)
    back.deletesOrphans = random.chance(percent: 10)
    entities[owner].relationships.append(relationship)
    entities[destination].relationships.append(back)
    noteLoss(relationship, back: back)
  }

  private mutating func relationship(to destination: Int, _ random: inout SeededRandom) -> Relationship {
    var relationship = Relationship(name: name("r"), destination: destination)
    relationship.isToMany = random.chance(percent: 55)
    if relationship.isToMany {
      relationship.isOrdered = random.chance(percent: 40)
      relationship.isUnion = random.chance(percent: 25)
    }
    let isReachable =
      !entities[destination].isAbstract
      || (discriminators[entities[destination].root] ?? [:]).keys.contains { inherits($0, destination) }
    if isReachable, random.chance(percent: 80) {
      relationship.path = random.chance(percent: 15) ? ["g", relationship.name] : [relationship.name]
    }
    relationship.isOptional = relationship.path == nil || random.chance(percent: 92)
    if hasAllShapes {
      if let path = relationship.path, random.chance(percent: 12) { relationship.alias = ["g", path.last! + "Alias"] }
      if relationship.isToMany, random.chance(percent: 5) {
        relationship.rules = random.pick([
          ["\"minCount\": 1"], ["\"maxCount\": 2"], ["\"minCount\": 1", "\"maxCount\": 3"],
        ])
      }
    }
    if hasSurroundings, relationship.path != nil, !relationship.isToMany, hasIdentity(destination),
      random.chance(percent: 25)
    {
      // An identifier, under its own key.
      let path = [random.pick(["@parent", "@root"]), "s\(entities[destination].name)"]
      if relationship.alias == nil, random.chance(percent: 30) {
        relationship.alias = path
      } else {
        (relationship.path, relationship.alias) = (path, nil)
      }
    }
    relationship.deleteRule = random.pick(["nullify", "nullify", "cascade", "deny", "noAction"])
    if random.chance(percent: hasAllShapes ? 25 : 15) { relationship.unresolvedRule = random.pick(["skip", "deny"]) }
    if random.chance(percent: 20) { relationship.representation = random.pick(["identifier", "none"]) }
    if relationship.representation == "identifier", !hasIdentity(destination) { relationship.representation = "object" }
    let isOutside = (RandomModel.outside(relationship.path) ?? RandomModel.outside(relationship.alias)) != nil
    if hasAllShapes, relationship.path != nil, !isOutside, random.chance(percent: 8) {
      relationship.direction = random.pick(["import", "export"])
      if relationship.direction == "export" {
        relationship.alias = nil
        relationship.isOptional = true
        relationship.rules = []
        if relationship.representation == "none" { relationship.representation = "object" }
      }
    }
    return relationship
  }

  private func hasIdentity(_ entity: Int) -> Bool {
    sequence(first: entity) { entities[$0].parent }.contains { !entities[$0].identity.isEmpty }
  }

  /// Records which parts of a relationship an export does not contain.
  private mutating func noteLoss(_ relationship: Relationship, back: Relationship?) {
    if !relationship.isExported, back?.isExported != true { exportsEverything = false }
    for side in [relationship, back].compactMap({ $0 }) {
      // Links made from the other side are in a different order, and required links can come later.
      if side.isOrdered, !side.isExported || side.isUnion { exportsEverything = false }
      if !side.isOptional, !side.isExported { exportsEverything = false }
      if side.unresolvedRule != "placeholder", side.representation != "object" { exportsEverything = false }
    }
  }

  /// An entity whose objects are identified inside an owner (M12).
  private mutating func addOwned(_ random: inout SeededRandom) {
    let owner = random.below(entities.count)
    let root = entities[owner].root
    let isSkipped = fallbacks[root] == .some(nil) || entities.contains { $0.root == root && $0.mark != nil }
    let isReachable = !entities[owner].isAbstract || discriminators[root] != nil
    guard hasIdentity(owner), !isSkipped, isReachable else { return }
    var entity = Entity(name: name("E"), root: entities.count)
    var back = Relationship(name: name("r"), destination: owner)
    var relationship = Relationship(name: name("r"), destination: entities.count, inverse: back.name)
    back.inverse = relationship.name
    back.path = random.chance(percent: 75) ? [back.name] : nil
    back.deleteRule = random.pick(["nullify", "cascade"])
    relationship.path =
      random.chance(percent: 90) ? random.pick([[relationship.name], ["g", relationship.name]]) : nil
    relationship.deletesOrphans = random.chance(percent: 60)
    relationship.deleteRule = random.pick(["nullify", "cascade", "cascade", "deny"])
    relationship.isToMany = random.chance(percent: 75)
    relationship.isOrdered = relationship.isToMany && random.chance(percent: 40)
    relationship.isUnion = relationship.isToMany && random.chance(percent: 25)
    entity.identity = [back.name]
    if relationship.isToMany || random.chance(percent: 20) {
      var attribute = attribute(&random, types: [.integer64, .string, .uuid, .double])
      attribute.isOptional = false
      attribute.hasDefault = false
      attribute.path = [attribute.name]
      if relationship.isToMany, random.chance(percent: 50) {
        attribute = Attribute(name: attribute.name, type: .integer32, path: ["@index"])
      }
      entity.attributes.append(attribute)
      entity.identity.insert(attribute.name, at: random.below(2))
    }
    for _ in 0..<random.below(3) {
      let attribute = attribute(&random, types: [.integer64, .string, .boolean])
      entity.attributes.append(surrounded(attribute, &random))
    }
    entity.relationships.append(back)
    entities[owner].relationships.append(relationship)
    entities.append(entity)
    exportsEverything = false
  }

  /// An entity whose objects have other objects as their `@value`, and a relationship to this entity.
  private mutating func addSharing(_ random: inout SeededRandom) {
    let destination = random.chance(percent: 30) ? entities.count - 1 : random.below(entities.count)
    let hierarchy = entities.indices.filter { entities[$0].root == entities[destination].root }
    let hasWords = hierarchy.flatMap { entities[$0].attributes }.contains { attribute in
      [attribute.path, attribute.alias].contains { $0?[0].hasPrefix("@") == true }
    }
    guard !hasWords, hierarchy.allSatisfy({ owner($0) == nil }), !choices(destination).isEmpty else { return }
    var entity = Entity(name: name("E"), root: entities.count)
    for _ in 0..<random.below(3) {
      var attribute = attribute(&random, types: [.integer64, .string, .boolean])
      (attribute.path, attribute.alias) = ([attribute.name], nil)
      entity.attributes.append(attribute)
    }
    var shared = Relationship(name: name("r"), destination: destination, path: ["@value"])
    shared.isOptional = random.chance(percent: 80)
    shared.unresolvedRule = random.pick(["placeholder", "placeholder", "placeholder", "skip", "deny"])
    entity.relationships.append(shared)
    var relationship = Relationship(name: name("r"), destination: entities.count)
    relationship.path = [relationship.name]
    relationship.isToMany = random.chance(percent: 70)
    relationship.isOrdered = relationship.isToMany && random.chance(percent: 50)
    entities[random.below(entities.count)].relationships.append(relationship)
    entities.append(entity)
    exportsEverything = false
  }

  /// Lets other attributes identify objects of entities without a hierarchy. Such objects are looked up after they have been read.
  private mutating func addAlternates(_ random: inout SeededRandom) {
    for index in entities.indices where random.chance(percent: 60) {
      let entity = entities[index]
      guard entity.parent == nil, !entities.contains(where: { $0.parent == index }), !entity.identity.isEmpty,
        owner(index) == nil, entity.modification == nil, entity.mark == nil
      else { continue }
      for names in random.pick([[1], [2], [1, 1], [2, 1]]) {
        let new = (0..<names).map { _ in
          Attribute(
            name: name("u"), type: random.pick([.string, .integer64, .uuid]), isOptional: random.chance(percent: 90))
        }
        entities[index].attributes += new.map { attribute in
          var attribute = attribute
          attribute.path = random.chance(percent: 20) ? ["g", attribute.name] : [attribute.name]
          return attribute
        }
        entities[index].alternates.append(new.map(\.name))
      }
    }
  }

  // MARK: Forms

  private static func nulls(_ random: inout SeededRandom) -> [JSON] {
    guard random.chance(percent: 40) else { return [] }
    let all: [JSON] = ["", false, 0, "-", [], [:], "x"]
    return all.filter { _ in random.chance(percent: 40) }
  }

  /// Lets properties read values in other forms.
  private mutating func addForms(_ random: inout SeededRandom) {
    for entity in entities.indices {
      for index in entities[entity].attributes.indices where entities[entity].attributes[index].path != ["@index"] {
        entities[entity].attributes[index].nulls = Self.nulls(&random)
        entities[entity].attributes[index].isLenient =
          entities[entity].attributes[index].isList && random.chance(percent: 50)
      }
      for index in entities[entity].relationships.indices {
        let relationship = entities[entity].relationships[index]
        entities[entity].relationships[index].nulls = Self.nulls(&random)
        entities[entity].relationships[index].isLenient = random.chance(percent: 50)
        entities[entity].relationships[index].hasReferences =
          hasIdentity(relationship.destination) && owner(relationship.destination) == nil && random.chance(percent: 50)
      }
    }
  }

  // MARK: Queries

  /// Whether a value is read from the document (M19).
  var readsDocument: Bool {
    entities.contains { entity in
      let paths =
        entity.attributes.flatMap { [$0.path, $0.alias] } + entity.relationships.flatMap { [$0.path, $0.alias] }
      return paths.contains { $0?[0] == "@root" }
    }
  }

  /// Whether the objects of a relationship are identified inside the object that has the relationship (M12).
  func isOwning(_ relationship: Relationship) -> Bool {
    relationship.inverse.map { entities[relationship.destination].identity.contains($0) } ?? false
  }

  /// The relationship whose objects are read from the same dictionaries as the objects of an entity (M23).
  func shared(_ entity: Int) -> Relationship? { entities[entity].relationships.first { $0.path == ["@value"] } }

  /// Whether objects share dictionaries.
  var hasSharing: Bool { entities.indices.contains { shared($0) != nil } }

  /// The relationship from an entity's objects to their owner.
  func owner(_ entity: Int) -> Relationship? {
    entities[entity].relationships.first { entities[entity].identity.contains($0.name) }
  }

  func inherits(_ entity: Int, _ other: Int) -> Bool {
    var candidate: Int? = entity
    while let index = candidate {
      if index == other { return true }
      candidate = entities[index].parent
    }
    return false
  }

  /// The possible entities of an object of the declared entity.
  func choices(_ declared: Int) -> [Int] {
    guard let table = discriminators[entities[declared].root] else {
      return entities[declared].isAbstract ? [] : [declared]
    }
    var choices = table.keys.filter { inherits($0, declared) }.sorted()
    if !entities[declared].isAbstract, table[declared] == nil { choices.append(declared) }
    return choices
  }

  /// Whether importing a payload twice has the same effect as importing it once. This is not the case if the order of links depends on
  /// which link was first, or if objects that the payload mentions are deleted at the end of the import.
  var isIdempotent: Bool {
    let relationships = entities.flatMap(\.relationships)
    return isIdentified
      && !relationships.contains {
        $0.deletesOrphans || $0.isOrdered && ($0.isUnion || $0.inverse != nil)
      }
  }

  /// The relationships that are not written if an entity's object is a placeholder, because only the full object can record the order or
  /// existence of the links.
  func relationshipsLostOnPlaceholders(_ entity: Int) -> [String] {
    lineage(entity).flatMap(\.relationships).filter { relationship in
      let back = entities[relationship.destination].relationships.first { $0.name == relationship.inverse }
      return relationship.isOrdered || back?.isExported != true
    }.map(\.name)
  }

  /// The entities from the root to the given entity.
  func lineage(_ entity: Int) -> [Entity] { lineages[entity] }

  private func findLineage(_ entity: Int) -> [Entity] {
    (entities[entity].parent.map { findLineage($0) } ?? []) + [entities[entity]]
  }

  func identity(_ entity: Int) -> [Attribute] {
    let lineage = lineage(entity)
    let attributes = lineage.flatMap(\.attributes)
    return lineage.flatMap(\.identity).compactMap { name in attributes.first { $0.name == name } }
  }

  /// Whether dictionaries are passed to closures, and are therefore read in model order.
  var transformsDictionaries: Bool { entities.contains { $0.transformer != nil } }

  /// Whether a repeated key is an error only where it is mapped, because no closure is called with the dictionary.
  var hasDictionaryClosures: Bool { transformsDictionaries || !closureMappers.isEmpty }

  /// Whether some dictionaries can be skipped, in which case errors in them are not reported (D13).
  var skipsDictionaries: Bool {
    entities.contains { $0.modification != nil || $0.mark != nil } || fallbacks.values.contains(nil)
  }

  // MARK: The file

  private func otherwise(_ root: Int) -> String {
    guard let fallback = fallbacks[root] else { return "" }
    return ", \"otherwise\": " + (fallback.map { "\"\(entities[$0].name)\"" } ?? "null")
  }

  private static func forms(_ nulls: [JSON], isLenient: Bool) -> [String] {
    (nulls.isEmpty ? [] : ["\"JSONNulls\": \(JSON.array(nulls))"]) + (isLenient ? ["\"lenient\": true"] : [])
  }

  var text: String {
    func path(_ keys: [String]) -> String {
      keys.contains { $0.contains(".") }
        ? "[" + keys.map { "\"\($0)\"" }.joined(separator: ", ") + "]" : "\"\(keys.joined(separator: "."))\""
    }
    let lines = entities.enumerated().map { index, entity in
      var parts: [String] = []
      if let parent = entity.parent { parts.append("\"parent\": \"\(entities[parent].name)\"") }
      if entity.isAbstract { parts.append("\"abstract\": true") }
      if !entity.identity.isEmpty {
        parts.append("\"identityAttributes\": \"\(entity.identity.joined(separator: ","))\"")
      }
      if !entity.alternates.isEmpty {
        let names = entity.alternates.map { JSON.array($0.map { .string($0) }) }
        parts.append("\"alternateIdentities\": \(JSON.array(names))")
      }
      if let name = entity.transformer { parts.append("\"JSONDictionaryTransformerName\": \"\(name)\"") }
      if let name = entity.modification { parts.append("\"modificationAttribute\": \"\(name)\"") }
      if let mark = entity.mark {
        parts.append("\"deletedWhen\": {\"JSONKeyPath\": \(path(mark.path)), \"equals\": \(mark.value)}")
      }
      if closureMappers.contains(index) {
        parts.append("\"entityMapperName\": \"ByKind\"")
      } else if let table = discriminators[index] {
        let cases = table.sorted { $0.key < $1.key }.map { "\"\($0.value)\": \"\(entities[$0.key].name)\"" }
        parts.append(
          "\"entityMapper\": {\"JSONKeyPath\": \"kind\", \"entities\": {\(cases.joined(separator: ", "))}\(otherwise(index))}"
        )
      }
      let attributes = entity.attributes.map { attribute in
        var words = ["\"type\": \"\(attribute.type.rawValue)\""]
        if attribute.isList { words.append("\"list\": true") }
        if attribute.isOptional { words.append("\"optional\": true") }
        if let keys = attribute.path { words.append("\"JSONKeyPath\": \(path(keys))") }
        if let alias = attribute.alias { words.append("\"JSONKeyPathAliases\": [\(path(alias))]") }
        if attribute.direction != "both" { words.append("\"JSONDirection\": \"\(attribute.direction)\"") }
        if let name = attribute.transformer { words.append("\"JSONTransformerName\": \"\(name)\"") }
        if attribute.hasDefault {
          let value = attribute.type == .string ? "\"d\"" : attribute.type == .boolean ? "true" : "7"
          words.append("\"default\": " + (attribute.isList ? "[\(value)]" : value))
        }
        words += attribute.rules
        words += Self.forms(attribute.nulls, isLenient: attribute.isLenient)
        return "\"\(attribute.name)\": {\(words.joined(separator: ", "))}"
      }
      let relationships = entity.relationships.map { relationship in
        var words = ["\"destination\": \"\(entities[relationship.destination].name)\""]
        if relationship.isToMany { words.append("\"toMany\": true") }
        if relationship.isOrdered { words.append("\"ordered\": true") }
        if let inverse = relationship.inverse { words.append("\"inverse\": \"\(inverse)\"") }
        if !relationship.isOptional { words.append("\"optional\": false") }
        if let keys = relationship.path { words.append("\"JSONKeyPath\": \(path(keys))") }
        if let alias = relationship.alias { words.append("\"JSONKeyPathAliases\": [\(path(alias))]") }
        words += relationship.rules
        words += Self.forms(relationship.nulls, isLenient: relationship.isLenient)
        if relationship.hasReferences { words.append("\"JSONReferences\": true") }
        if relationship.direction != "both" { words.append("\"JSONDirection\": \"\(relationship.direction)\"") }
        if relationship.isUnion { words.append("\"mergeRule\": \"union\"") }
        if relationship.deletesOrphans { words.append("\"deleteOrphans\": true") }
        words.append("\"unresolvedRule\": \"\(relationship.unresolvedRule)\"")
        words.append("\"deleteRule\": \"\(relationship.deleteRule)\"")
        words.append("\"JSONRepresentation\": \"\(relationship.representation)\"")
        return "\"\(relationship.name)\": {\(words.joined(separator: ", "))}"
      }
      parts.append("\"attributes\": {\n      \(attributes.joined(separator: ",\n      "))}")
      parts.append("\"relationships\": {\n      \(relationships.joined(separator: ",\n      "))}")
      return "  \"\(entity.name)\": {\(parts.joined(separator: ",\n    "))}"
    }
    return "{\"entities\": {\n\(lines.joined(separator: ",\n"))\n}}"
  }
}
