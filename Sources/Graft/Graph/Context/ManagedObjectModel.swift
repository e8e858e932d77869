#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A checked model, ready for use. It is immutable and Sendable, and any number of contexts can share it.
///
///     let model = try ManagedObjectModel(contentsOf: url, classes: [Hero.self, Publisher.self])
///     let context = ManagedObjectContext(model: model)
///
/// All problems of a model are found when it is loaded. A model that loads never fails later because of its own content
/// ([M9](doc:Rules#M9)).
public final class ManagedObjectModel: Sendable {
  /// The declarations of the model, as a value that ``ModelFileWriter`` writes.
  public let contents: ModelDescription
  /// Warnings from the checks. The model can still be used.
  public let warnings: [Diagnostic]
  let plan: Plan
  /// The class of each entity's objects, by the entity's index.
  let classes: [ManagedObject.Type]
  /// The steps that the model declares for migrating stores of earlier versions.
  let migrations: [StoreMigration]
  /// The properties that predicates can name.
  let queryableSlots: QueryableSlots

  /// Loads and checks a model file.
  ///
  /// - Parameters:
  ///   - url: the location of the file.
  ///   - transformers: the transformers and mappers that the model may name, and the program's own validations.
  ///   - classes: the classes of the objects. Each class belongs to the entity that its ``ManagedObject/entityName`` names. Objects of
  ///     other entities have the class of the nearest parent that has one, or ``ManagedObject``.
  /// - Throws: a ``ModelError`` with all findings, or if the file cannot be read.
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
  ///   - name: the name of the file in messages.
  ///   - transformers: the transformers and mappers that the model may name, and the program's own validations.
  ///   - classes: the classes of the objects, as for a file.
  /// - Throws: a ``ModelError`` with all findings.
  public convenience init(
    text: String, name: String = "<model>", transformers: TransformerRegistry = .standard,
    classes: [ManagedObject.Type] = []
  ) throws(ModelError) {
    try self.init(
      source: SourceText(name: name, bytes: Array(text.utf8)), transformers: transformers, classes: classes)
  }

  /// Creates a model from descriptions built in Swift, with the same checks ([M10](doc:Rules#M10)).
  ///
  /// - Throws: a ``ModelError`` with all findings.
  public convenience init(
    _ description: ModelDescription, transformers: TransformerRegistry = .standard, classes: [ManagedObject.Type] = []
  ) throws(ModelError) {
    try self.init(
      checked: description, ModelFile.check(description, transformers: transformers), transformers, classes)
  }

  /// Loads and checks the text of a model file.
  ///
  /// - Parameter unregisteredNames: the severity of the findings about transformers and mappers that are not registered. If they are
  ///   warnings, the model describes how objects are stored, but does not import or export as the program does.
  package convenience init(
    source: SourceText, transformers: TransformerRegistry = .standard, classes: [ManagedObject.Type] = [],
    unregisteredNames: Diagnostic.Severity = .error
  ) throws(ModelError) {
    let (description, diagnostics) = ModelFile.read(
      source, transformers: transformers, unregisteredNames: unregisteredNames)
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
    migrations = DeclaredMigration.steps(of: description, transformers)
    var findings: [Diagnostic] = []
    self.classes = ManagedObjectModel.assign(classes, plan, &findings)
    // If a class was generated from another version of the model, there is already a finding. The class could list properties that
    // this version does not have.
    queryableSlots = findings.isEmpty ? QueryableSlots(classes, plan, &findings) : QueryableSlots()
    findings += RegisteredValidations(plan: plan, registry: transformers).findings(self.classes)
    guard findings.isEmpty else { throw ModelError(findings) }
    for (entity, type) in self.classes.enumerated() where type is any ImportObserving.Type { plan.observe(entity) }
  }

  /// The entities, in model order.
  public var entities: [EntityDescription] { contents.entities }

  /// Returns the entity with the given name.
  public func entity(named name: String) -> EntityDescription? { plan.entity(named: name)?.description }

  /// Returns the class of each entity: its own class, or the class of the nearest parent that has a class.
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
      // An object of a sub-entity must also be an instance of the parent's class.
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
    // A class type would be treated as its declared type, which is ManagedObject. Only a protocol type is opened.
    let parent: any ManagedClass.Type = parent
    return check(parent)
  }
}

extension ManagedObjectModel: CustomStringConvertible {
  /// The names of the model and its entities: `Comics (Hero, Power, Publisher)`.
  public var description: String {
    "\(contents.name ?? "model") (\(entities.map(\.name).joined(separator: ", ")))"
  }
}

private protocol ManagedClass: AnyObject {}

extension ManagedObject: ManagedClass {}
