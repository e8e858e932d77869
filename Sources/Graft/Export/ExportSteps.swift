/// The steps that write the objects of each entity, in order: those of the plan, or those that the options select.
struct ExportSteps {
  /// The steps for an object that is written elsewhere, and their nesting depth.
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
        steps.append(layout.steps)
        counts.append(layout.stepCount)
        continue
      }
      let planned = ExportPlanner(memory, entity, representations: own) { slot in
        let destination = plan.entities[layout.slots[slot].destination]
        return destination.identitySlots.map { destination.properties[$0].name }
      }
      let all = own.isEmpty ? layout.allSteps : planned.steps
      let isWhole = options.properties.isEmpty && !options.sortsKeys
      let chosen = isWhole ? all : ExportSelection(entity: entity, options: options).steps(of: all)
      steps.append(memory.place(chosen))
      counts.append(chosen.count)
    }
  }

  /// The first step of an entity.
  @inline(__always)
  subscript(entity: Int) -> PlanReference<ExportStep> { steps[entity] }

  @inline(__always)
  func count(_ entity: Int) -> Int { counts[entity] }

  /// The steps for an object that is written elsewhere: the values that identify it in addition to its key, and the one that
  /// selects its entity.
  mutating func mention(_ number: Int, _ source: ExportSource) -> Mention {
    if let known = mentions[number] { return known }
    let mention = ExportSteps.makeMention(source.plan.entities[number], source)
    mentions[number] = mention
    return mention
  }

  private static func makeMention(_ entity: EntityPlan, _ source: ExportSource) -> Mention {
    let layout = source.layouts[entity.index]
    if layout.valueField >= 0 {
      let field = source.plan.fields[layout.valueField]
      if field.rank == 0, entity.identitySlots.contains(field.slot) { return Mention() }
    }
    let all = layout.allSteps
    let names = all.filter { $0.slot >= 0 && $0.discriminator != nil }.map { entity.properties[$0.slot].name }
    let chosen = ExportOptions(sortsKeys: source.options.sortsKeys, properties: [entity.name: Set(names)])
    var mention = Mention(steps: ExportSelection(entity: entity, options: chosen).steps(of: all), depth: 1)
    var level = 1
    for step in mention.steps {
      level += step.action == .openGroup ? 1 : step.action == .closeGroup ? -1 : 0
      mention.depth = max(mention.depth, level)
    }
    return mention
  }
}
