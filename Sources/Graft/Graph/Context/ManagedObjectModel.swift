#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A model that was checked and is ready for use. Sendable, immutable, and shared by any number of contexts.
///
///     let model = try ManagedObjectModel(contentsOf: url, classes: [Hero.self, Publisher.self])
///     let context = ManagedObjectContext(model: model)
///
/// Everything that can be wrong with a model is found here: a model that loads never fails for its own sake later (M9).
public final class ManagedObjectModel: Sendable {
  /// What the model declares, as a value that ``ModelFileWriter`` writes.
  public let contents: ModelDescription
  /// What the checks advise against, though the model can be used.
  public let warnings: [Diagnostic]
  let plan: Plan
  /// The class of each entity's objects, by the entity's index.
  let classes: [ManagedObject.Type]

  /// Loads and checks a model file (M1).
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - transformers: the transformers and mappers that the model may name (T1), and the program's own validations.
  ///   - classes: the classes of the objects. Each belongs to the entity of its ``ManagedObject/entityName``; objects of
  ///     other entities are of the nearest parent's class, or plain ``ManagedObject``s.
  /// - Throws: a ``ModelError`` with all findings, also if the file cannot be read.
  public convenience init(
    contentsOf url: URL, transformers: TransformerRegistry = .standard, classes: [ManagedObject.Type] = []
  ) throws(ModelError) {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw ModelError([
        Diagnostic(
          .error, code: .unreadableFile,
          "the model file '\(url.relativePath)' cannot be read: \(FileFault.reason(error))")
      ])
    }
    try self.init(
      source: SourceText(name: url.relativePath, bytes: Array(data)), transformers: transformers, classes: classes)
  }

  /// Loads and checks the text of a model file.
  ///
  /// - Parameters:
  ///   - text: the text of a model file.
  ///   - name: what to call it in messages.
  ///   - transformers: the transformers and mappers that the model may name (T1), and the program's own validations.
  ///   - classes: the classes of the objects, as for a file.
  /// - Throws: a ``ModelError`` with all findings.
  public convenience init(
    text: String, name: String = "<model>", transformers: TransformerRegistry = .standard,
    classes: [ManagedObject.Type] = []
  ) throws(ModelError) {
    try self.init(
      source: SourceText(name: name, bytes: Array(text.utf8)), transformers: transformers, classes: classes)
  }

  /// Makes a model of descriptions that were built in Swift, under the same checks (M10).
  ///
  /// - Throws: a ``ModelError`` with all findings.
  public convenience init(
    _ description: ModelDescription, transformers: TransformerRegistry = .standard, classes: [ManagedObject.Type] = []
  ) throws(ModelError) {
    try self.init(
      checked: description, ModelFile.check(description, transformers: transformers), transformers, classes)
  }

  package convenience init(
    source: SourceText, transformers: TransformerRegistry = .standard, classes: [ManagedObject.Type] = []
  ) throws(ModelError) {
    let (description, diagnostics) = ModelFile.read(source, transformers: transformers)
    guard let description else { throw ModelError(diagnostics) }
    try self.init(checked: description, diagnostics, transformers, classes)
  }

  private init(
    checked description: ModelDescription, _ diagnostics: [Diagnostic], _ transformers: TransformerRegistry,
    _ classes: [ManagedObject.Type]
  ) throws(ModelError) {
    guard !diagnostics.contains(where: { $0.severity == .error }) else { throw ModelError(diagnostics) }
    contents = description
    warnings = diagnostics
    plan = Plan(description, transformers: transformers)
    var findings: [Diagnostic] = []
    self.classes = ManagedObjectModel.assign(classes, plan, &findings)
    findings += RegisteredValidations(plan: plan, registry: transformers).findings(self.classes)
    guard findings.isEmpty else { throw ModelError(findings) }
    for (entity, type) in self.classes.enumerated() where type is any ImportObserving.Type { plan.observe(entity) }
  }

  /// The entities, in the order of the model.
  public var entities: [EntityDescription] { contents.entities }

  /// The entity with a name.
  public func entity(named name: String) -> EntityDescription? { plan.entity(named: name)?.description }

  /// Gives each entity its class: its own, else that of the nearest parent that has one.
  private static func assign(
    _ classes: [ManagedObject.Type], _ plan: Plan, _ findings: inout [Diagnostic]
  ) -> [ManagedObject.Type] {
    var own: [Int: ManagedObject.Type] = [:]
    for type in classes {
      let name = type.entityName
      guard let entity = plan.entity(named: name) else {
        findings.append(
          Diagnostic(
            .error, code: .classWithoutEntity,
            "the class '\(type)' belongs to an entity '\(name)', which the model does not have",
            suggestion: Suggestion.nearest(to: name, among: plan.entities.map(\.name))))
        continue
      }
      if let other = own[entity.index] {
        findings.append(
          Diagnostic(
            .error, code: .twoClasses, "the classes '\(other)' and '\(type)' both belong to the entity '\(name)'",
            at: entity.description.source.location()))
      }
      own[entity.index] = type
      if let outdated = outdated(type, entity) { findings.append(outdated) }
    }
    var assigned: [ManagedObject.Type] = []
    for entity in plan.entities {
      var candidate: EntityPlan? = entity
      while let described = candidate, own[described.index] == nil { candidate = described.parent }
      let type = candidate.flatMap { own[$0.index] } ?? ManagedObject.self
      // A cast to the parent's class must succeed for the objects of a sub-entity.
      var parent = entity.parent
      while let described = parent {
        if let parentType = own[described.index], type != parentType, !isSubclass(type, of: parentType) {
          findings.append(
            Diagnostic(
              .error, code: .classOutsideHierarchy,
              "the class '\(type)' of '\(entity.name)' must inherit from '\(parentType)', the class of its parent entity '\(described.name)'",
              at: entity.description.source.location()))
        }
        parent = described.parent
      }
      assigned.append(type)
    }
    return assigned
  }

  private static func isSubclass(_ type: ManagedObject.Type, of parent: ManagedObject.Type) -> Bool {
    func check<Parent: ManagedClass>(_: Parent.Type) -> Bool { type is Parent.Type }
    // A class alone would be taken as what it is declared, which is ManagedObject: only a protocol's type is opened.
    let parent: any ManagedClass.Type = parent
    return check(parent)
  }
}

extension ManagedObjectModel: CustomStringConvertible {
  /// The model's name and those of its entities: `Comics (Hero, Power, Publisher)`.
  public var description: String {
    "\(contents.name ?? "model") (\(entities.map(\.name).joined(separator: ", ")))"
  }
}

private protocol ManagedClass: AnyObject {}

extension ManagedObject: ManagedClass {}
