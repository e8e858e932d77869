import Graft

/// Makes a model from the shapes of samples: finds the entities, their identities and their properties, in this order.
struct ModelDrafter {
  let table: ShapeTable
  let roots: [SampleRoot]
  /// The objects and arrays outside the roots.
  let unread: [JSONKeyPath]
  let caution: Caution
  let refutations: Refutations
  let attributes: AttributeFinder

  init(
    table: ShapeTable, roots: [SampleRoot], unread: [JSONKeyPath], caution: Caution, refutations: Refutations,
    omitted: OptionalGuesses
  ) {
    self.table = table
    self.roots = roots
    self.unread = unread
    self.caution = caution
    self.refutations = refutations
    attributes = AttributeFinder(isBold: caution < .careful, omitted: omitted)
  }

  func model(_ samples: [ModelInference.Sample]) -> InferredModel {
    var finder = ObjectSiteFinder(table)
    var maps: [SampleRoot] = []
    // Samples of one entity share their shapes.
    var seen: Set<Int> = []
    for root in roots where seen.insert(table.find(root.shape)).inserted {
      if isMap(root) { maps.append(root) } else { finder.find(from: root) }
    }
    let sites = finder.sites
    var entities = EntityFinder(
      table, sites, tables: keys(of: maps), refutations, hasOwnedIdentities: caution == .none)
    let groups = caution == .values ? rootGroups(sites) : entities.find()
    var names = EntityNames(sites)
    let drafts = fill(drafts(groups, maps, &names), &names)
    return InferredModel(writer(drafts, samples), parts(drafts), caution)
  }

  private func rootGroups(_ sites: [ObjectSite]) -> [EntityGroup] {
    var seen: Set<Int> = []
    return sites.filter { $0.rootName != nil && seen.insert(table.find($0.shape)).inserted }.map(EntityGroup.init)
  }

  // MARK: Tables of names

  /// Whether a root is an object whose keys are data. If its values are objects, their keys must also be data: `{"4": "Agility"}`.
  private func isMap(_ root: SampleRoot) -> Bool {
    let shape = table[root.shape]
    return shape.elementKey != nil && (shape.objects == 0 || shape.keyed != nil || shape.hasFreeKeys)
  }

  private static let nameWords: Set<String> = ["name", "title", "label", "description", "text"]

  /// The words for the items of a table, and for the facts about them: `areaNames` lists areas with their names.
  private func subject(of map: SampleRoot) -> (entity: [String], value: String) {
    var words = KeyNames.words(map.name)
    guard let last = words.last, words.count > 1, Self.nameWords.contains(KeyNames.singular(last).lowercased()) else {
      return (words, "value")
    }
    words.removeLast()
    return (words, KeyNames.singular(last).lowercased())
  }

  private func keys(of maps: [SampleRoot]) -> [String: Set<ValueHash>] {
    var keys: [String: Set<ValueHash>] = [:]
    for map in maps {
      guard let key = table[map.shape].elementKey else { continue }
      let words = subject(of: map).entity.map { $0.lowercased() }
      keys[(words.dropLast() + [KeyNames.singular(words.last ?? "")]).joined(separator: " ")] = Set(
        table[key].items.hashes)
    }
    return keys
  }

  // MARK: Entities

  private func drafts(
    _ groups: [EntityGroup], _ maps: [SampleRoot], _ names: inout EntityNames
  ) -> [EntityDraft] {
    let tables = maps.map { map in
      let draft = EntityDraft(names.take(KeyNames.entityName(subject(of: map).entity)), table[map.shape], nil)
      draft.identityKeys = ["@key"]
      return draft
    }
    let entities = groups.filter { !$0.isPart }
    let drafts = zip(names.names(of: entities), entities).map { name, group in
      EntityDraft(name, table[group.sites[0].shape], group)
    }
    if caution == .values { for draft in drafts { draft.identityKeys = [] } }
    for draft in drafts { draft.findReferences(table) }
    return drafts + tables
  }

  /// Adds properties to the drafts, and drafts of sub-entities.
  private func fill(_ drafts: [EntityDraft], _ names: inout EntityNames) -> [EntityDraft] {
    let naming = PropertyNaming(drafts.map(\.shape), table)
    var owners: [Int: EntityDraft] = [:]
    for draft in drafts where draft.group != nil { owners[draft.shape.number] = draft }
    let shapes = Set(drafts.map(\.shape.number))
    var parts: Set<Int> = []
    for shape in table.shapes {
      let number = table.find(shape.number)
      if ObjectSiteFinder.isSite(table[number]), !shapes.contains(number) { parts.insert(number) }
    }
    let finder = PropertyFinder(
      table: table, drafts: owners, parts: parts, naming: naming, caution: caution, refutations: refutations,
      attributes: attributes)
    for draft in drafts {
      finder.fill(draft)
      if draft.group == nil { addValue(to: draft) }
    }
    guard caution == .none else {
      let reached = reached(drafts)
      addInverses(reached)
      return reached
    }
    var splitter = SubEntityFinder(table, names, refutations)
    let all = splitter.split(drafts)
    names = splitter.names
    IdentifierFinder(table, all, refutations).find()
    TypedReferenceFinder(table: table, drafts: all).find()
    let reached = reached(all)
    addInverses(reached)
    return reached
  }

  /// The drafts whose objects an import can reach. Other drafts are not reached, because their container is kept unchanged.
  private func reached(_ drafts: [EntityDraft]) -> [EntityDraft] {
    let starts = Set(roots.map { table.find($0.shape) })
    var reached: Set<ObjectIdentifier> = []
    var work = drafts.filter { starts.contains($0.shape.number) }
    while let next = work.popLast() {
      guard reached.insert(ObjectIdentifier(next)).inserted else { continue }
      work += next.properties.compactMap(\.destination) + [next.parent].compactMap(\.self)
      work += drafts.filter { $0.parent === next }
    }
    return drafts.filter { reached.contains(ObjectIdentifier($0)) }
  }

  private func addInverses(_ drafts: [EntityDraft]) {
    var finder = InverseFinder(table, drafts, refutations)
    finder.addInverses()
    if caution == .none {
      finder.addOwnedIdentities()
      InnerIdentityFinder(table: table).find(in: drafts)
    }
    UniqueKeysFinder(table: table).find(in: drafts)
  }

  /// The value of an element of a table.
  private func addValue(to draft: EntityDraft) {
    let shape = draft.shape
    let map = roots.first { table.find($0.shape) == shape.number }
    let choice =
      shape.arrays > 0 || shape.objects > 0 || shape.scalars == 0
      ? AttributeFinder.Choice(
        type: .json, note: shape.objects > 0 ? "The keys are data, not names of properties." : nil)
      : attributes.choice(for: shape, isIdentity: true)
    draft.properties.append(
      EntityDraft.Property(
        path: ["@value"], shape: shape, name: draft.take([map.map { subject(of: $0).value } ?? "value"]),
        container: shape.number,
        kind: .attribute(choice, isOptional: shape.nulls > 0), note: choice.note))
  }

  private func parts(_ drafts: [EntityDraft]) -> [InferredModel.Part] {
    roots.compactMap { root in
      let number = table.find(root.shape)
      guard let draft = drafts.first(where: { $0.shape.number == number }) else { return nil }
      return InferredModel.Part(sample: root.sample, entityName: draft.name, keys: root.keys)
    }
  }

  private func writer(_ drafts: [EntityDraft], _ samples: [ModelInference.Sample]) -> DraftWriter {
    DraftWriter(
      drafts: drafts, strategy: PropertyNaming(drafts.map(\.shape), table).strategy,
      sampleNames: samples.map(\.source.name), unread: unread)
  }
}
