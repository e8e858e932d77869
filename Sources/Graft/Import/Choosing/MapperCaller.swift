/// Calls the mapper of an entity to determine the entity of the object at the scanner's position.
struct MapperCaller {
  enum Answer {
    case entity(Int, isBare: Bool)
    case unknown
    /// The table does not list the discriminator, and the model skips such dictionaries (M15).
    case skipped
    /// The dictionary is refused; the fault is recorded.
    case refused
  }

  let log: FaultLog

  init(_ log: FaultLog) { self.log = log }

  func entity(_ declared: EntityPlan, _ reader: inout PayloadReader) throws(JSONSyntaxError) -> Answer {
    switch declared.mapper {
    case nil: .unknown
    case .table(let path, let entities): try ask(path, entities, declared, &reader)
    case .closure(let name, let mapper): try ask(name, mapper, declared, &reader)
    }
  }

  private func ask(
    _ path: JSONKeyPath, _ entities: DiscriminatorTable, _ declared: EntityPlan, _ reader: inout PayloadReader
  ) throws(JSONSyntaxError) -> Answer {
    guard let found = try reader.readDiscriminator(path) else { return .unknown }
    let entity: Int
    if let listed = entities[found.text] {
      entity = listed
    } else if let mark = declared.synchronization?.deletion, try reader.has(mark) {
      // A dictionary that deletes its object needs no answer (M17), and `otherwise` applies only to dictionaries that describe an object.
      return .unknown
    } else {
      switch declared.fallback {
      case .entity(let other): entity = other
      case .skip:
        log.suspicions.noteSkipped(
          ImportFault(.skippedDictionary(declared, path, found: phrase(found)), at: found.offset, length: found.length))
        return .skipped
      case nil: return .unknown
      }
    }
    // An inherited mapper can name entities outside this entity's hierarchy, because "hierarchy" means the declared entity's hierarchy
    // (D4).
    guard reader.finder.isKind(entity, of: declared.index) else {
      log.refuseAnswer(
        log.plan.entities[entity].name, declared, mapper: nil, at: found.offset, length: found.length)
      return .refused
    }
    return .entity(entity, isBare: found.isBare)
  }

  private func phrase(_ found: PayloadReader.Discriminator) -> String {
    found.isBare ? FoundPhrase.number(found.text.utf8) : FoundPhrase.string(found.text.utf8)
  }

  private func ask(
    _ name: String, _ mapper: TransformerRegistry.EntityMapper, _ declared: EntityPlan,
    _ reader: inout PayloadReader
  ) throws(JSONSyntaxError) -> Answer {
    let start = reader.offset
    let dictionary = try reader.readValueAhead().value.foundationValue as? [String: Any] ?? [:]
    let answer: String?
    do {
      answer = try log.context.activity.run(.entityMapper(entity: declared.index)) { try mapper(dictionary) }
      log.recordRefusedCall(at: start)
    } catch {
      log.recordThrown(.mapperFailed(name, declared, error), error, at: start)
      return .refused
    }
    guard let answer else { return .unknown }
    guard let entity = log.plan.entity(named: answer), entity.inherits(from: declared) else {
      log.refuseAnswer(answer, declared, mapper: name, at: start)
      return .refused
    }
    return .entity(entity.index, isBare: false)
  }
}
