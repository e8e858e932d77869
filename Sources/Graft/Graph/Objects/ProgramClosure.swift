/// A closure of the program that the library calls during its work. The value is plain data; the closure's name is computed only if needed.
enum ProgramClosure {
  /// A conversion of a type that the program defines, or the description of an error that the program defines.
  case unknown
  case valueTransformer(index: Int)
  case reverseTransformer(entity: Int, slot: Int)
  case dictionaryTransformer(entity: Int)
  case entityMapper(entity: Int)
  case shouldImport(entity: Int)
  case willImport(entity: Int)
  case didImport(entity: Int)
  case deleteWhere(entity: Int)
  case valueValidation(entity: Int, slot: Int)
  case objectValidation(entity: Int)

  /// Whether the closure may change the graph, because it runs after the whole payload has been read.
  var isEditing: Bool {
    if case .didImport = self { return true }
    return false
  }

  /// Returns the message if an error comes from a call that the closure must not make; nil for any other error.
  static func refusal(in error: any Error) -> String? {
    switch error {
    case let error as any DiagnosticError:
      guard let first = error.diagnostics.first else { return nil }
      return first.code == .reentrantCall ? first.message : nil
    case DecodingError.dataCorrupted(let context): return context.underlyingError.flatMap(refusal)
    case EncodingError.invalidValue(_, let context): return context.underlyingError.flatMap(refusal)
    default: return nil
    }
  }

  /// Returns the name for messages.
  func name(_ plan: Plan) -> String {
    switch self {
    case .unknown: return "a closure"
    case .valueTransformer(let index): return "the transformer '\(plan.transformers[index].name)'"
    case .reverseTransformer(let entity, let slot):
      return "the reverse of the transformer '\(plan.entities[entity].properties[slot].transformer?.name ?? "")'"
    case .dictionaryTransformer(let entity):
      return "the dictionary transformer '\(plan.entities[entity].dictionaryTransformer?.name ?? "")'"
    case .entityMapper(let entity):
      guard case .closure(let name, _) = plan.entities[entity].mapper else { return "the entity mapper" }
      return "the entity mapper '\(name)'"
    case .shouldImport(let entity): return "'shouldImport' of '\(plan.entities[entity].name)'"
    case .willImport(let entity): return "'willImport' of '\(plan.entities[entity].name)'"
    case .didImport(let entity): return "'didImport' of '\(plan.entities[entity].name)'"
    case .deleteWhere(let entity): return "the 'deleteWhere' closure for '\(plan.entities[entity].name)'"
    case .valueValidation(let entity, let slot):
      return "a validation of '\(plan.entities[entity].name).\(plan.entities[entity].properties[slot].name)'"
    case .objectValidation(let entity): return "a validation of '\(plan.entities[entity].name)'"
    }
  }
}
