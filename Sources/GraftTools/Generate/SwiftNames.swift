import Graft

/// The names of a model's classes, properties and enums. Name collisions are findings.
struct SwiftNames {
  /// The enum that lists the classes.
  let model: String
  /// The classes that hide a Swift type in their module, for messages.
  private(set) var warnings: [Diagnostic] = []
  /// The class of each entity.
  private(set) var classes: [String: String] = [:]
  private let namespace: String?
  private var properties: [PropertyID: String] = [:]
  private var enums: [PropertyID: String] = [:]

  private struct PropertyID: Hashable {
    let entity: String
    let property: String
  }

  /// Determines all names.
  ///
  /// - Parameter fallback: the name to use if the model has none.
  init(_ facts: ModelFacts, fallback: String, _ options: ClassGenerator.Options) throws(Failure) {
    let name = SwiftName.upperCamelCase(facts.model.name ?? fallback, "Model")
    model = options.loader ?? (name.hasSuffix("Model") ? name : name + "Model")
    namespace = options.namespace
    var findings: [Diagnostic] = []
    nameClasses(facts, options, &findings)
    for entity in facts.model.entities { nameProperties(entity, facts, &findings) }
    for entity in facts.model.entities { nameEnums(entity, facts) }
    findings.sort { ($0.location?.offset ?? 0) < ($1.location?.offset ?? 0) }
    guard findings.isEmpty else { throw .diagnostics(findings) { "\($0) in the model; nothing is generated" } }
  }

  func property(_ name: String, of entity: EntityDescription) -> String {
    properties[PropertyID(entity: entity.name, property: name)] ?? name
  }

  /// Returns the enum of an attribute with listed values.
  func enumeration(_ name: String, of entity: EntityDescription) -> String {
    enums[PropertyID(entity: entity.name, property: name)] ?? name
  }

  // MARK: Classes

  private mutating func nameClasses(
    _ facts: ModelFacts, _ options: ClassGenerator.Options, _ findings: inout [Diagnostic]
  ) {
    // Files are named after classes, and some file systems do not distinguish 'hero.swift' from 'Hero.swift'.
    var owners: [String: EntityDescription] = [:]
    for entity in facts.model.entities {
      // A class name from the model is used unchanged.
      let name = entity.className ?? SwiftName.type(entity.name, prefix: options.prefix)
      classes[entity.name] = name
      let place = entity.source.location(of: .class)
      if SwiftName.takenTypes.contains(name) {
        findings.append(
          Diagnostic(
            code: .takenClassName,
            "the class of entity '\(entity.name)' cannot be '\(name)', which the generated code uses for something else",
            at: place))
      } else if name == model, options.namespace == nil || options.namespace == model {
        findings.append(
          Diagnostic(
            code: .takenClassName,
            "the class of entity '\(entity.name)' cannot be '\(name)', the name of the model; give it another \"class\"",
            at: place))
      } else if let other = owners.updateValue(entity, forKey: name.lowercased()) {
        findings.append(
          Diagnostic(
            code: .collidingClassNames,
            "the class of entity '\(entity.name)' would be '\(name)', and the class of '\(other.name)' is '\(classes[other.name] ?? "")'; give one of them another \"class\"",
            at: place, notes: [.init("the other one is here", at: other.source.location(of: .class))]))
      } else if options.namespace == nil, SwiftName.commonTypes.contains(name) {
        warnings.append(
          Diagnostic(
            .warning, code: .hiddenType,
            "the class '\(name)' hides Swift's '\(name)' in its module; use --namespace, --prefix or \"class\" to avoid this",
            at: place))
      }
    }
  }

  // MARK: Properties

  private mutating func nameProperties(
    _ entity: EntityDescription, _ facts: ModelFacts, _ findings: inout [Diagnostic]
  ) {
    var owners: [String: (name: String, source: DescriptionSource)] = [:]
    for ancestor in facts.lineage(entity).reversed() {
      let all =
        ancestor.attributes.map { (name: $0.name, source: $0.source) }
        + ancestor.relationships.map { (name: $0.name, source: $0.source) }
      for property in all {
        let name = SwiftName.property(property.name)
        if let other = owners.updateValue(property, forKey: name), ancestor.name == entity.name {
          findings.append(
            Diagnostic(
              code: .collidingPropertyNames,
              "the properties '\(other.name)' and '\(property.name)' of '\(entity.name)' would both be '\(name)' in Swift; rename one of them",
              at: property.source.location(), notes: [.init("the other one is here", at: other.source.location())]))
        }
        if ancestor.name == entity.name {
          properties[PropertyID(entity: entity.name, property: property.name)] = name
        }
      }
    }
  }

  // MARK: Enums

  /// Names the enums of an entity. An enum's name must not be the name of a class, which it would hide, or of another enum in the
  /// class or its parents. Nor may it be the name of a property of the hierarchy, because `\Hero.Status` would be the enum.
  private mutating func nameEnums(_ entity: EntityDescription, _ facts: ModelFacts) {
    var known = Set(classes.values).union(SwiftName.takenTypes).union(NameRules.reservedWords).union([model])
      .union([namespace].compactMap(\.self)).union(propertyNames(inHierarchyOf: entity, facts))
    for ancestor in facts.lineage(entity).reversed() {
      for attribute in ancestor.attributes where attribute.enumValues != nil {
        let plain = SwiftName.upperCamelCase(attribute.name, "Property")
        var name = known.contains(plain) ? plain + "Value" : plain
        var number = 2
        while known.contains(name) {
          name = "\(plain)Value\(number)"
          number += 1
        }
        known.insert(name)
        if ancestor.name == entity.name { enums[PropertyID(entity: entity.name, property: attribute.name)] = name }
      }
    }
  }

  private func propertyNames(inHierarchyOf entity: EntityDescription, _ facts: ModelFacts) -> [String] {
    let root = facts.lineage(entity).last?.name
    return facts.model.entities.filter { facts.lineage($0).last?.name == root }.flatMap { member in
      (member.attributes.map(\.name) + member.relationships.map(\.name)).map { property($0, of: member) }
    }
  }
}
