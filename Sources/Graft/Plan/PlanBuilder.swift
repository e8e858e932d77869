/// Compiles a description that has passed the checks. Descriptions that the checks reject are not handled here.
struct PlanBuilder {
  let model: ModelDescription
  let registry: TransformerRegistry
  let memory = KeptMemory()

  var entities: [EntityPlan] = []
  var entityNumbers: [String: Int] = [:]
  var tables: [TablePlan] = []
  var layouts: [EntityLayout] = []
  var fields: [FieldPlan] = []
  var groups: [GroupPlan] = []
  var transformers: [ValueTransformer] = []
  var forms: [ValueForms] = []

  private var slots: [[SlotPlan]] = []
  private var tableOfEntity: [Int] = []

  init(_ model: ModelDescription, _ registry: TransformerRegistry) {
    self.model = model
    self.registry = registry
  }

  mutating func build() {
    for (index, entity) in model.entities.enumerated() { entityNumbers[entity.name] = index }
    makeEntities()
    makeTables()
    makeSlots()
    resolveInverses()
    for entity in entities { makeRules(entity) }
    markSensitive()
    SharedPaths.resolve(entities, entityNumbers)
    SurroundingPaths.resolve(entities, entityNumbers)
    makeLayouts()
    for index in entities.indices { makeDefaults(index) }
  }

  // MARK: Entities

  private mutating func makeEntities() {
    var made: [EntityPlan?] = Array(repeating: nil, count: model.entities.count)
    func make(_ index: Int) -> EntityPlan {
      if let entity = made[index] { return entity }
      let description = model.entities[index]
      let parent = description.parentName.flatMap { entityNumbers[$0] }.map(make)
      var properties = parent?.properties ?? []
      for attribute in description.attributes {
        properties.append(
          PropertyPlan(
            attribute, of: description.name, nulls: model.nulls, transformer: registry.valueTransformer(of: attribute),
            separator: registry.separator(of: attribute)))
      }
      for relationship in description.relationships {
        properties.append(
          PropertyPlan(
            relationship, of: description.name, nulls: model.nulls,
            transformer: registry.valueTransformer(of: relationship)))
      }
      let identity =
        (parent?.identitySlots ?? [])
        + description.identityAttributes.compactMap { name in properties.firstIndex { $0.name == name } }
      let entity = EntityPlan(
        index: index, description: description, parent: parent, properties: properties,
        identitySlots: identity.reduce(into: []) { if !$0.contains($1) { $0.append($1) } },
        mapper: mapper(of: description) ?? parent?.mapper,
        dictionaryTransformer: description.dictionaryTransformerName.flatMap { name in
          registry.dictionaryTransformers[name].map {
            DictionaryTransformerPlan(name: name, owner: index, transform: $0)
          }
        } ?? parent?.dictionaryTransformer)
      made[index] = entity
      return entity
    }
    entities = model.entities.indices.map(make)
    for entity in entities {
      entity.fallback = fallback(of: entity)
      var ancestor: EntityPlan? = entity
      while let candidate = ancestor {
        candidate.concreteAndSubentities.append(entity.index)
        ancestor = candidate.parent
      }
    }
  }

  private func mapper(of entity: EntityDescription) -> MapperPlan? {
    if let table = entity.entityMapper {
      let lines = table.cases.compactMap { line in entityNumbers[line.entityName].map { (line.value, $0) } }
      return .table(keyPath: table.keyPath, entities: DiscriminatorTable(lines))
    }
    if let name = entity.entityMapperName, let closure = registry.entityMappers[name] {
      return .closure(name: name, closure)
    }
    return nil
  }

  private func fallback(of entity: EntityPlan) -> MapperFallback? {
    let owner = sequence(first: entity, next: \.parent).first {
      $0.description.entityMapper != nil || $0.description.entityMapperName != nil
    }
    return switch owner?.description.entityMapper?.otherwise {
    case .entity(let name): entityNumbers[name].map { .entity($0) }
    case .skip: .skip
    case nil: nil
    }
  }

  // MARK: Rows

  /// The entities sorted by name, which is the order in which tables, entities of a hierarchy and identity spaces are numbered.
  /// Stores contain these numbers, so reordering the model file must not change them.
  private var entitiesByName: [EntityPlan] { entities.sorted { UTF8Key.precedes($0.name, $1.name) } }

  private mutating func makeTables() {
    tableOfEntity = Array(repeating: -1, count: entities.count)
    for entity in entitiesByName where entity.parent == nil {
      let widest = entity.concreteAndSubentities.map { entities[$0].properties.count }.max() ?? 0
      for index in entity.concreteAndSubentities { tableOfEntity[index] = tables.count }
      tables.append(
        TablePlan(
          root: entity.index, stride: ModelLimits.rowWords(properties: widest),
          presenceWords: ModelLimits.presenceWords(properties: widest), identitySpaces: 0))
    }
  }

  private mutating func makeSlots() {
    slots = entities.map { entity in
      let table = tables[tableOfEntity[entity.index]]
      return entity.properties.enumerated().map { number, property in
        var slot = SlotPlan(
          kind: .toMany,
          words: SlotWords(property: number, presenceWords: table.presenceWords))
        slot.isIdentity = entity.identitySlots.contains(number)
        slot.isAlternate =
          entity.alternates.contains { $0.slots.contains(number) } || slot.isIdentity && !entity.alternates.isEmpty
        switch property.description {
        case .attribute(let attribute):
          slot.kind = SlotPlan.Kind(attribute.storedType)
          if attribute.isList { slot.elementType = attribute.type }
          if let range = attribute.type.integerRange { slot.range = range }
          slot.hasUnusualIdentifiers = !property.nulls.isEmpty
        case .relationship(let relationship):
          slot.kind = relationship.isToMany ? .toMany : .toOne
          slot.isOrdered = relationship.isOrdered
          slot.isUnion = relationship.mergeRule == .union
          slot.deletesOrphans = relationship.deletesOrphans
          slot.defersUnknown = relationship.unresolvedRule != .placeholder
          slot.hasUnusualIdentifiers =
            property.transformer != nil || !property.nulls.isEmpty || property.isLenient && !relationship.isToMany
          slot.destination = entityNumbers[relationship.destinationName] ?? -1
          slot.destinationTable = tableOfEntity[slot.destination]
        }
        return slot
      }
    }
  }

  private mutating func resolveInverses() {
    for entity in entities {
      for (number, property) in entity.properties.enumerated() {
        slots[entity.index][number].mayWait = slots[entity.index][number].defersUnknown
        guard let relationship = property.relationship, let name = relationship.inverseName else { continue }
        let destination = slots[entity.index][number].destination
        guard let inverse = entities[destination].slotNumbers[name] else { continue }
        let back = slots[destination][inverse]
        slots[entity.index][number].inverse = inverse
        slots[entity.index][number].inverseSlot.words = back.words
        slots[entity.index][number].inverseSlot.isToMany = back.kind == .toMany
        slots[entity.index][number].inverseSlot.isAlternate = entities[destination].concreteAndSubentities.contains {
          slots[$0][inverse].isAlternate
        }
        if back.defersUnknown { slots[entity.index][number].mayWait = true }
        slots[entity.index][number].isOwning = entities[destination].concreteAndSubentities.contains {
          entities[$0].ownerSlots.contains(inverse)
        }
        if slots[entity.index][number].isOwning { slots[entity.index][number].hasUnusualIdentifiers = true }
        // A link to an owner that is part of the identity never waits (M12).
        if slots[entity.index][number].isIdentity { slots[entity.index][number].mayWait = false }
      }
    }
  }

  /// Returns whether an identifier is an array. An object that is identified only by its owner has the owner's identifier.
  private func hasArrayIdentifier(_ entity: EntityPlan) -> Bool {
    var entity = entity
    for _ in entities {
      guard entity.identitySlots.count == 1, entity.ownerSlots.contains(entity.identitySlots[0]) else { break }
      entity = entities[slots[entity.index][entity.identitySlots[0]].destination]
    }
    return entity.identitySlots.count > 1
  }

  private mutating func makeLayouts() {
    let numbering = hierarchyNumbers()
    let spaces = makeIdentitySpaces()
    for entity in entities {
      let table = tableOfEntity[entity.index]
      let tree = FieldTree(entity: entity, slots: slots[entity.index], builder: &self)
      var required = Array(repeating: UInt64(0), count: tables[table].presenceWords)
      for (number, property) in entity.properties.enumerated()
      where !property.isOptional || entity.ownerSlots.contains(number) {
        required[number >> 6] |= 1 << UInt64(number & 63)
      }
      entity.fields = tree.fields
      let own = slots[entity.index]
      let export = ExportPlanner(memory, entity) { [entities] slot in
        let destination = entities[own[slot].destination]
        return destination.identitySlots.map { destination.properties[$0].name }
      }
      var layout = EntityLayout(
        table: table, slotCount: entity.properties.count, slots: memory.place(own), required: memory.place(required),
        hierarchy: numbering[entity.index], isAbstract: entity.description.isAbstract,
        hasSubentities: entity.concreteAndSubentities.count > 1,
        identity: EntityLayout.IdentityLayout(
          space: spaces[entity.index] ?? -1, count: entity.identitySlots.count,
          slots: memory.place(entity.identitySlots),
          fields: memory.place(
            entity.identitySlots.map { entity.ownerSlots.contains($0) ? -1 : tree.fields.ofSlot[$0]?.first ?? -1 }),
          hasOwner: !entity.ownerSlots.isEmpty, isArray: hasArrayIdentifier(entity)),
        alternates: memory.place([EntityLayout]()), group: tree.group,
        forms: EntityLayout.FormLayout(
          keyField: tree.keyField, valueField: tree.valueField, indexField: tree.indexField,
          readsSurroundings: !tree.fields.surrounding.isEmpty),
        reading: EntityLayout.ReadingLayout(
          needsPreparation: entity.dictionaryTransformer != nil || entity.mapper != nil
            || entity.concreteAndSubentities.count > 1 || entity.synchronization != nil
            || entity.description.isAbstract,
          isSynchronized: entity.synchronization != nil,
          isReadAtOnce: !entity.description.isAbstract && entity.synchronization == nil,
          hasRules: !entity.rules.isEmpty || !entity.validations.isEmpty || !entity.alternates.isEmpty
            || own.contains(where: \.isOwning),
          fieldCount: tree.fieldCount, seenWords: (tree.fieldCount + 63) / 64,
          fieldsForOthers: tree.fields.forOthers.filter { $0 < 64 }.reduce(0) { $0 | 1 << UInt64($1) }),
        export: EntityLayout.ExportLayout(
          steps: memory.place(export.steps), stepCount: export.steps.count, reach: export.reach))
      let owner = sequence(first: entity, next: \.parent).first {
        $0.description.entityMapper != nil || $0.description.entityMapperName != nil
      }
      if let owner {
        layout.export.mapperOwner = owner.index
        layout.export.writesDiscriminator =
          owner.description.entityMapper == nil || export.steps.contains { $0.discriminator != nil }
      }
      layouts.append(layout)
    }
    let alternates = AlternateLayouts(entitiesByName, layouts, tables, memory)
    for table in tables.indices { tables[table].alternateSpaces = alternates.spaceCounts[table] }
    for (entity, views) in alternates.views {
      layouts[entity].alternates = memory.place(views)
      layouts[entity].alternateCount = views.count
    }
    for field in fields where field.forms >= 0 && forms[field.forms].hasReferences {
      layouts[field.destination].reading.needsPreparation = true
    }
    for entity in entities where layouts[entity.index].forms.valueField >= 0 {
      let field = fields[layouts[entity.index].forms.valueField]
      layouts[entity.index].forms.readsElements = layouts[entity.index].forms.keyField < 0
      layouts[entity.index].forms.sharesDictionary = slots[entity.index][field.slot].kind == .toOne && field.rank == 0
      if slots[entity.index][field.slot].kind == .toOne { continue }
      layouts[entity.index].forms.readsObjectsAsValues = entity.concreteAndSubentities.allSatisfy { other in
        groups[layouts[other].group].count == 0 && entities[other].dictionaryTransformer == nil
          && entities[other].mapper == nil
      }
    }
  }

  /// Numbers the identity spaces of each table. The entity that declares the last identity attribute owns the space; siblings that
  /// extend the identity each have their own space (M8).
  ///
  /// - Returns: the space of each entity with an identity.
  private mutating func makeIdentitySpaces() -> [Int: Int] {
    var spaces: [Int: Int] = [:]
    var spaceOfOwner: [Int: Int] = [:]
    for entity in entitiesByName where !entity.identitySlots.isEmpty {
      var owner = entity
      while let parent = owner.parent, parent.identitySlots == entity.identitySlots { owner = parent }
      let table = tableOfEntity[entity.index]
      let space = spaceOfOwner[owner.index] ?? tables[table].identitySpaces
      if spaceOfOwner.updateValue(space, forKey: owner.index) == nil { tables[table].identitySpaces += 1 }
      spaces[entity.index] = space
    }
    return spaces
  }

  /// Numbers the entities depth first, with siblings sorted by name, so that the numbers of an entity and its sub-entities form a range.
  private func hierarchyNumbers() -> [ClosedRange<Int>] {
    var children: [[Int]] = Array(repeating: [], count: entities.count)
    for entity in entitiesByName { if let parent = entity.parent { children[parent.index].append(entity.index) } }
    var numbers = Array(repeating: 0...0, count: entities.count)
    var next = 0
    func number(_ index: Int) {
      let first = next
      next += 1
      for child in children[index] { number(child) }
      numbers[index] = first...(next - 1)
    }
    for entity in entities where entity.parent == nil { number(entity.index) }
    return numbers
  }

  // MARK: Values

  private mutating func makeDefaults(_ index: Int) {
    for (number, property) in entities[index].properties.enumerated() {
      // An identity attribute has no default, because a default would give two objects the same identity (I2).
      guard !slots[index][number].isIdentity else { continue }
      guard let attribute = property.attribute, let value = attribute.defaultValue else { continue }
      let cell = CellEncoder.cell(for: value, in: slots[index][number]) { memory.place(bytes: $0) }
      guard let cell else { continue }
      entities[index].defaults.append((number, cell))
    }
  }

  private func makeRules(_ entity: EntityPlan) {
    // Validations of an entity also apply to its sub-entities.
    var hierarchy: Set<String> = []
    var ancestor: EntityPlan? = entity
    while let described = ancestor {
      hierarchy.insert(described.name)
      ancestor = described.parent
    }
    let validations = registry.valueValidations.filter { hierarchy.contains($0.entityName) }
    for (number, property) in entity.properties.enumerated() {
      let own = validations.filter { $0.attributeName == property.name }
      if let rules = rules(of: property, slot: number, own) { entity.rules.append(rules) }
    }
    entity.validations = registry.objectValidations.filter { hierarchy.contains($0.entityName) }
  }

  private func rules(of property: PropertyPlan, slot: Int, _ validations: [ValueValidation]) -> SlotRules? {
    switch property.description {
    case .attribute(let attribute):
      let validation = attribute.validation
      guard !validation.isEmpty || !validations.isEmpty else { return nil }
      return SlotRules(
        slot: slot, minimum: validation.minimum, maximum: validation.maximum, minLength: validation.minLength,
        maxLength: validation.maxLength, pattern: validation.pattern.flatMap { try? TextPattern($0).prepared() },
        allowedValues: validation.onlyValues, knownValues: validation.isExtensible ? validation.allowedValues : nil,
        minCount: validation.minCount, maxCount: validation.maxCount, validations: validations)
    case .relationship(let relationship):
      guard relationship.minCount != nil || relationship.maxCount != nil else { return nil }
      return SlotRules(slot: slot, minCount: relationship.minCount, maxCount: relationship.maxCount)
    }
  }
}

// MARK: Forms

extension PlanBuilder {
  /// Adds the unusual forms of a property's values, if it has any, and returns their index; -1 if the property has no unusual forms.
  mutating func addForms(
    of property: PropertyPlan, in entity: EntityPlan, _ destination: Int, path: JSONKeyPath?
  ) -> Int {
    var forms = ValueForms(nulls: property.nulls)
    forms.isLenient = property.isLenient
    forms.separator = property.separator
    forms.segments = path?.segments ?? []
    if let relationship = property.relationship {
      forms.hasReferences = relationship.hasReferences
      if let transformer = property.transformer {
        forms.transformer = transformers.count
        transformers.append(transformer)
      }
      if !relationship.identifierKeyPaths.isEmpty { forms.parts = parts(of: property, in: entity, destination) }
    }
    if forms.isEmpty { return -1 }
    self.forms.append(forms)
    return self.forms.count - 1
  }

  /// Returns the parts of a relationship's identifier whose values each have their own key (M24).
  private func parts(of property: PropertyPlan, in entity: EntityPlan, _ destination: Int) -> [ValueForms.Part] {
    let identity = entities[destination].identitySlots.map { entities[destination].properties[$0].name }
    let others = entity.properties.filter { $0 !== property }.flatMap { other in
      let parts = other.relationship?.identifierKeyPaths.map(\.keyPath) ?? []
      return parts.isEmpty ? [other.keyPath].compactMap(\.self) + other.keyPathAliases : parts
    }
    let paths = others + entity.discriminators + (entity.deletionMark.map { [$0.keyPath] } ?? [])
    return (property.relationship?.identifierKeyPaths ?? []).map { part in
      ValueForms.Part(
        index: identity.firstIndex(of: part.name), path: part.keyPath,
        isShared: paths.contains { part.keyPath.keys.starts(with: $0.keys) })
    }
  }
}

extension SlotPlan.Kind {
  init(_ type: AttributeType) {
    self =
      switch type {
      case .integer16, .integer32, .integer64: .integer
      case .float: .float
      case .double: .double
      case .decimal: .decimal
      case .boolean: .boolean
      case .string: .string
      case .date: .date
      case .binary: .binary
      case .uuid: .uuid
      case .uri: .uri
      case .json: .json
      }
  }
}
