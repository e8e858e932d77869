import Graft
import GraftTestSupport
import GraftTools

/// Compares imports of payloads with validations of the same payloads by schemas.
struct SchemaComparison {
  /// A payload that an import accepted or refused.
  private struct Case {
    var name: String
    var schema: JSON
    var payload: JSON
    /// The errors of the import; empty if the import succeeded.
    var errors: [String]
  }

  private var cases: [Case] = []
  /// The number of payloads that are refused only for reasons that a schema cannot express.
  private(set) var inexpressible = 0

  /// Imports a payload into an empty context.
  mutating func add(_ payload: JSON, of entity: EntityDescription, _ model: ManagedObjectModel, _ seed: UInt64) {
    let context = ManagedObjectContext(model: model)
    let facts = ModelFacts(model.contents)
    var errors: [String] = []
    do {
      let report = try context.importJSON(
        payload.description, ofEntity: entity.name, options: ImportOptions(warnings: .report))
      // Mistakes inside a dictionary that is not newer than its object, and values that a later mention contradicts, are not validated.
      let mayBeOld = !report.skipped.isEmpty && model.contents.entities.contains { $0.modificationAttribute != nil }
      if mayBeOld || report.warnings.contains(where: { $0.code == .contradiction }) { return }
    } catch {
      // The result of a dictionary transformer is not described by the schema.
      let isTransformed = facts.model.entities.contains { $0.dictionaryTransformerName != nil }
      guard !isTransformed, error.diagnostics.contains(where: { SchemaComparison.isExpressible($0, facts) }) else {
        inexpressible += 1
        return
      }
      errors = error.diagnostics.map { "\($0.path ?? "") \($0.message)" }
    }
    let schema = PayloadSchema(model.contents, direction: .import).json(of: entity)
    cases.append(
      Case(name: "\(seed)-\(cases.count)-\(entity.name)", schema: schema, payload: payload, errors: errors))
  }

  struct Result {
    var accepted = 0
    var refused = 0
    /// Payloads that only the schema refused.
    var wronglyRefused: [String] = []
    /// Payloads that only the import refused.
    var missed: [String] = []
  }

  /// Validates all payloads.
  func result() throws -> Result {
    let faults = try SchemaValidator.faults(
      cases.map { ["name": .string($0.name), "schema": $0.schema, "payload": $0.payload] })
    let refused = Dictionary(faults.map { (String($0.prefix { $0 != " " }), $0) }) { first, _ in first }
    var result = Result()
    for one in cases {
      if one.errors.isEmpty {
        result.accepted += 1
        if let fault = refused[one.name] { result.wronglyRefused.append("\(fault)\n  \(one.payload)") }
      } else {
        result.refused += 1
        if refused[one.name] == nil {
          result.missed.append("\(one.name): \(one.errors.joined(separator: "; "))\n  \(one.payload)")
        }
      }
    }
    return result
  }

  // MARK: What a schema can express

  /// Whether a schema can refuse a payload with an error. See the documentation of ``PayloadSchema``.
  private static func isExpressible(_ diagnostic: Diagnostic, _ facts: ModelFacts) -> Bool {
    let entity = (diagnostic.subject?.entityName).flatMap(facts.entity)
    let name = diagnostic.subject?.propertyName
    let attribute = entity.flatMap { entity in facts.attributes(entity).first { $0.name == name } }
    switch diagnostic.code {
    case .duplicateKey, .unresolvedIdentifier, .otherOwner, .entityConflict, .deletionDenied, .wrongTransformerOutput,
      .transformerFailed, .closureFailed, .hookFailed:
      return false
    case .missingValue:
      guard let entity else { return false }
      let identity = facts.identity(entity)
      // Another mention can provide a value that is not part of the identity.
      if let attribute { return facts.identityParts(entity).isEmpty || identity.contains { $0.name == attribute.name } }
      return name == nil && (facts.identityParts(entity).isEmpty || identity.contains { !$0.isOptional })
    case .invalidValue:
      // Rules about numbers of objects, and about values that a transformer returns, are not in the schema.
      guard let attribute else { return false }
      return attribute.transformerNames.isEmpty && ![.float, .date, .binary, .uuid, .uri].contains(attribute.type)
    case .wrongTransformerInput:
      return attribute?.transformerNames.allSatisfy { BuiltInTransformer(named: $0) != nil } ?? true
    case .abstractEntity:
      // Whether the identity belongs to an object that is already known.
      return entity.map { facts.identityParts($0).isEmpty } ?? false
    default: return true
    }
  }
}
