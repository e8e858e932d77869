/// The steps that write the objects of each entity, in order: the steps of the plan, or the steps that the options select.
struct ExportSteps {
  /// The steps that identify an object that is written elsewhere, and the nesting depth of these steps.
  struct Mention {
    var steps: [ExportStep] = []
    var depth = 0
  }

  private var steps: [PlanReference<ExportStep>] = []
  private var counts: [Int] = []
  /// The locations of steps that the plan does not have.
  private let memory = KeptMemory()
  /// The mentions that were needed so far, by entity.
  private var mentions: [Int: Mention] = [:]

  init(_ plan: Plan, _ options: ExportOptions) throws(ExportError) {
    let representations = ExportRepresentations(options: options, plan: plan)
    try representations.check()
    for entity in plan.entities {
      let layout = plan.layouts[entity.index]
      let own = representations.bySlot(of: entity)
      if own.isEmpty, options.properties.isEmpty, !options.sortsKeys {
        steps.append(layout.export.steps)
        counts.append(layout.export.stepCount)
        continue
      }
      let selection = ExportSelection(entity: entity, options: options)
      let planned = ExportSteps.steps(of: selection, plan, memory, own)
      steps.append(memory.place(planned))
      counts.append(planned.count)
    }
  }

  private static func steps(
    of selection: ExportSelection, _ plan: Plan, _ memory: KeptMemory,
    _ representations: [Int: RelationshipDescription.JSONRepresentation] = [:]
  ) -> [ExportStep] {
    let entity = selection.entity
    let planner = ExportPlanner(
      memory, entity, representations: representations, isChosen: selection.isChosen,
      identities: { slot in
        let destination = plan.entities[plan.layouts[entity.index].slots[slot].destination]
        return destination.identitySlots.map { destination.properties[$0].name }
      })
    return selection.arranged(planner.steps)
  }

  /// The first step of an entity.
  @inline(__always)
  subscript(entity: Int) -> PlanReference<ExportStep> { steps[entity] }

  @inline(__always)
  func count(_ entity: Int) -> Int { counts[entity] }

  /// Returns the steps for an object that is written elsewhere: the values that identify it in addition to its key, and the
  /// value that selects its entity.
  mutating func mention(_ number: Int, _ source: ExportSource) -> Mention {
    if let known = mentions[number] { return known }
    let mention = ExportSteps.makeMention(source.plan.entities[number], source, memory)
    mentions[number] = mention
    return mention
  }

  private static func makeMention(_ entity: EntityPlan, _ source: ExportSource, _ memory: KeptMemory) -> Mention {
    let layout = source.layouts[entity.index]
    if layout.forms.valueField >= 0 {
      let field = source.plan.fields[layout.forms.valueField]
      if field.rank == 0, entity.identitySlots.contains(field.slot) { return Mention() }
    }
    let identity = ExportOptions(sortsKeys: source.options.sortsKeys, properties: [entity.name: []])
    let selection = ExportSelection(entity: entity, options: identity)
    var mention = Mention(steps: ExportSteps.steps(of: selection, source.plan, memory), depth: 1)
    var level = 1
    for step in mention.steps {
      level += step.action == .openGroup ? 1 : step.action == .closeGroup ? -1 : 0
      mention.depth = max(mention.depth, level)
    }
    return mention
  }
}
