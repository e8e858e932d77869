import Graft

/// What the classes of a model, their properties and their enums are called. Two things with one name are findings.
struct SwiftNames {
  /// The enum that lists the classes.
  let model: String
  /// What hides a type of Swift in the module of the classes, for messages.
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

  /// Finds all names.
  ///
  /// - Parameter fallback: what the model is called if it does not say so itself.
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

  /// The enum of an attribute whose values are listed.
  func enumeration(_ name: String, of entity: EntityDescription) -> String {
    enums[PropertyID(entity: entity.name, property: name)] ?? name
  }

  // MARK: Classes

  private mutating func nameClasses(
    _ facts: ModelFacts, _ options: ClassGenerator.Options, _ findings: inout [Diagnostic]
  ) {
    // Files are named for classes, and some disks do not tell 'hero.swift' from 'Hero.swift'.
    var owners: [String: EntityDescription] = [:]
    for entity in facts.model.entities {
      // The model's own word for a class counts as it is.
      let name = entity.className ?? SwiftName.type(entity.name, prefix: options.prefix)
      classes[entity.name] = name
      let place = entity.source.location(of: .class)
      if SwiftName.takenTypes.contains(name) {
        findings.append(
          Diagnostic(
            code: .takenClassName,
            "the class of entity '\(entity.name)' cannot be '\(name)', which the generated code needs for something else",
            at: place))
      } else if name == model, options.namespace == nil || options.namespace == model {
        findings.append(
          Diagnostic(
            code: .takenClassName,
            "the class of entity '\(entity.name)' cannot be '\(name)', as the model is called; give it another \"class\"",
            at: place))
      } else if let other = owners.updateValue(entity, forKey: name.lowercased()) {
        findings.append(
          Diagnostic(
            code: .collidingClassNames,
            "the class of entity '\(entity.name)' would be '\(name)', the one of '\(other.name)' is '\(classes[other.name] ?? "")'; give one of them another \"class\"",
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

  /// An enum may be called neither like a class, which it would hide, nor like another enum that the class has or inherits.
  private mutating func nameEnums(_ entity: EntityDescription, _ facts: ModelFacts) {
    var known = Set(classes.values).union(SwiftName.takenTypes).union(NameRules.reservedWords).union([model, "Place"])
      .union([namespace].compactMap(\.self))
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
}
