/// Faults that concern entities and closures, wherever they are found.
extension FaultLog {
  func refuseThrown(
    _ what: String, _ error: any Error, at start: Int, key: ModelFileKey?, _ entity: EntityPlan?
  ) {
    note(error)
    if let words = ProgramClosure.refusal(in: error) {
      recordReentrancy(words, at: start)
      return
    }
    record(
      ImportFault(
        offset: start, code: "closure-failed", message: "\(what) failed: \(error)",
        asks: entity.map { ($0.description.source, key, "'\($0.name)' names it here") }))
  }

  /// - Parameter start: the discriminator's value; the brace for a closure, of which nobody knows what it looked at.
  func refuseAnswer(
    _ answer: String, _ declared: EntityPlan, _ mapper: String, at start: Int, length: Int = 1
  ) {
    let legal = declared.concreteAndSubentities.map { plan.entities[$0].name }
    record(
      ImportFault(
        offset: start, length: length, code: "wrong-entity",
        message:
          "\(mapper) says \(FoundPhrase.quoted(answer.utf8)), which is no entity of the hierarchy of '\(declared.name)': expected one of \(legal.map { "'\($0)'" }.joined(separator: ", "))",
        asks: (declared.description.source, nil, "'\(declared.name)' is declared here")))
  }

  /// A collection of several where one object was asked for.
  func refuseMany(_ entity: Int, count: Int) {
    record(
      ImportFault(
        offset: 0, code: "wrong-type",
        message: "expected one object of '\(plan.entities[entity].name)', found \(count)",
        remarks: ["objects(fromJSON:in:) reads collections"]))
  }

  func refuseEntity(_ own: Int, expected: Int, at start: Int) {
    let own = plan.entities[own]
    let expected = plan.entities[expected]
    record(
      ImportFault(
        offset: start, code: "entity-conflict",
        message: "expected an object of '\(expected.name)', but the object with this identity is of '\(own.name)'",
        asks: (expected.description.source, nil, "'\(expected.name)' is declared here"),
        remarks: ["an object never changes its entity, except from a placeholder to a sub-entity"]))
  }

  func refuseAbstract(_ entity: Int, at start: Int) {
    let entity = plan.entities[entity]
    var key: String?
    if case .table(let path, let entities) = entity.mapper {
      let list = entities.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
      key = "expected '\(path)' to be one of \(list)"
    }
    record(
      ImportFault(
        offset: start, code: "abstract-entity",
        message: "nothing says which sub-entity of the abstract '\(entity.name)' this object is",
        asks: (entity.description.source, .abstract, "'\(entity.name)' is declared abstract here"),
        remarks: key.map { [$0] } ?? []))
  }

  func refuseHook(_ hook: String, _ error: any Error, _ entity: Int, at start: Int) {
    let entity = plan.entities[entity]
    note(error)
    if let words = ProgramClosure.refusal(in: error) {
      recordReentrancy(words, at: start)
      return
    }
    record(
      ImportFault(
        offset: start, code: "hook-failed", message: "'\(hook)' of '\(entity.name)' failed: \(error)",
        asks: (entity.description.source, nil, "'\(entity.name)' is declared here")))
  }
}
