import Foundation
import Graft

/// A model is tried on its samples: it must lint clean, import them without a warning, and write them back.
extension InferredModel {
  /// A guess that the samples refute.
  typealias Doubt = (subject: Refutations.Subject, reason: String)

  /// Samples with more bytes are imported, but their export is not compared with them.
  private static let mostComparedBytes = 16 << 20

  /// Checks the model, and finds the guesses that the samples refute.
  mutating func check(_ samples: [ModelInference.Sample]) {
    let result = result(of: text, name: "<model>", samples)
    findings = result.findings
    report = result.report
    guard findings.isEmpty else {
      doubts = findings.compactMap { $0.severity == .error ? doubt(about: $0) : nil }
      return
    }
    doubts = (report?.warnings ?? []).compactMap(doubt)
    // If the import warns, its warnings and the differences may have the same cause.
    if doubts.isEmpty {
      let model = self
      let (differences, _) = differences(text, description, samples) { entity, key in
        model.identity(of: entity)?.differing.contains(key) ?? false
      }
      doubts = differences.compactMap(doubt)
    }
  }

  // MARK: Import

  private func doubt(about diagnostic: Diagnostic) -> Doubt? {
    guard let entity = diagnostic.subject?.entityName, let property = diagnostic.subject?.propertyName,
      let origin = origin(of: property, in: entity)
    else { return nil }
    func doubt(_ guess: Refutations.Guess) -> Doubt {
      (Refutations.Subject(guess: guess, key: origin.key, shape: origin.container), diagnostic.message)
    }
    switch diagnostic.code {
    case .missingValue: return doubt(.presence)
    case .lostLink: return doubt(.owner)
    case .repeatedElement: return doubt(.type)
    case .contradiction:
      // A list may differ because it changed, or because its objects have no identity.
      guard let identity = identity(of: entity), !identity.differing.contains(origin.firstKey),
        !isToMany(property, of: entity)
      else { return nil }
      return (Refutations.Subject(guess: .identity, key: identity.key, shape: identity.shape), diagnostic.message)
    default:
      guard diagnostic.severity == .error, !origin.isIdentity else { return nil }
      return doubt(origin.isRefined ? .refinement : .type)
    }
  }

  private func isToMany(_ property: String, of entity: String) -> Bool {
    lineage(entity).contains { name in
      ModelFacts(description).entity(name)?.relationships.contains { $0.name == property && $0.isToMany } ?? false
    }
  }

  private func origin(of property: String, in entity: String) -> DraftOrigins.Property? {
    lineage(entity).lazy.compactMap { origins.properties["\($0).\(property)"] }.first
  }

  private func identity(of entity: String) -> DraftOrigins.Identity? {
    lineage(entity).lazy.compactMap { origins.identities[$0] }.first
  }

  private func lineage(_ entity: String) -> [String] {
    let facts = ModelFacts(description)
    return facts.entity(entity).map { facts.lineage($0).map(\.name) } ?? []
  }

  // MARK: Export

  private func doubt(about difference: ExportComparison.Difference) -> Doubt? {
    guard let origin = origin(of: difference.propertyName, in: difference.entityName), !origin.isIdentity else {
      return nil
    }
    return (
      Refutations.Subject(guess: origin.isRefined ? .refinement : .type, key: origin.key, shape: origin.container),
      difference.reason
    )
  }

  /// The differences between the samples and an export of the graph that they produce, and the reasons why objects cannot be exported.
  ///
  /// - Parameters:
  ///   - text: the text of a model, which may differ from this model.
  ///   - description: what the model declares.
  ///   - isContradictory: whether mentions of one object are known to differ in a key.
  func differences(
    _ text: String, _ description: ModelDescription, _ samples: [ModelInference.Sample],
    _ isContradictory: @escaping (_ entityName: String, _ key: String) -> Bool
  ) -> (differences: [ExportComparison.Difference], failures: [Diagnostic]) {
    guard samples.reduce(0, { $0 + $1.source.bytes.count }) <= Self.mostComparedBytes,
      let model = try? ManagedObjectModel(text: text)
    else { return ([], []) }
    let context = ManagedObjectContext(model: model)
    guard (try? importSamples(samples, into: context)) != nil else { return ([], []) }
    var failures: [Diagnostic] = []
    var comparison = ExportComparison(description, isContradictory: isContradictory)
    let facts = ModelFacts(description)
    for part in parts {
      guard let entity = facts.entity(part.entityName), let wanted = samples[part.sample].value(at: part.keys) else {
        continue
      }
      let isKeyed = facts.isKeyed(entity)
      do {
        let found = try export(wanted, entity.name, isKeyed: isKeyed, context)
        let wanted = isKeyed || wanted.arrayValue != nil ? wanted : .array([wanted])
        comparison.compare(wanted, found, ofEntity: entity.name)
      } catch {
        failures += (error as? ExportError)?.diagnostics ?? []
      }
    }
    return (comparison.differences, failures)
  }

  /// Writes the objects of a sample after importing it again, which changes nothing but their order.
  private func export(
    _ sample: JSON, _ entity: String, isKeyed: Bool, _ context: ManagedObjectContext
  ) throws -> JSON {
    let options = ExportOptions(sharedObjects: .once)
    if isKeyed { return try JSON(parsing: context.exportAll(of: entity, options: options)) }
    let objects = try context.objects(ofEntity: entity, fromJSON: sample)
    return try JSON(parsing: [UInt8](jsonData(from: objects, options: options)))
  }
}
