import Graft

/// The class of an entity.
struct ClassText {
  let className: String
  private let entity: EntityDescription
  private let generator: ClassGenerator
  private var facts: ModelFacts { generator.facts }
  private var names: SwiftNames { generator.names }
  private var access: String { generator.options.access.modifier }

  init(_ entity: EntityDescription, _ generator: ClassGenerator) {
    self.entity = entity
    self.generator = generator
    className = generator.names.classes[entity.name] ?? entity.name
  }

  /// Whether the class names a type from Foundation.
  var usesFoundation: Bool {
    let identity = entity.identityAttributes.isEmpty ? [] : facts.flatIdentity(entity).map(\.attribute)
    let required = initialized.compactMap { property in
      if case .attribute(let attribute) = property.declaration { attribute } else { nil }
    }
    return (entity.attributes + identity + required).contains {
      [.decimal, .date, .binary, .uuid, .uri].contains($0.type)
    }
  }

  var text: String {
    let parent = entity.parentName.flatMap { names.classes[$0] } ?? "ManagedObject"
    let isFinal = facts.subEntities(entity).isEmpty
    let properties = attributes + relationships
    return """
      \(documentation)\(access)nonisolated \(isFinal ? "final " : "")class \(className): \(parent) {
      \((properties + [initializer, lookUp].compactMap { $0 } + enums + [plumbing]).joined(separator: "\n"))}

      """
  }

  private var documentation: String {
    let words = Documentation.lines(entity.documentation, indentation: "")
    var facts = "The \(entity.isAbstract ? "abstract " : "")entity '\(entity.name.escapedForDisplay())'."
    let identity = self.facts.identityParts(entity).map { "`\($0.name.escapedForDisplay())`" }
    if !identity.isEmpty { facts += " Its objects are identified by \(identity.joined(separator: ", "))." }
    return words + (words.isEmpty ? "" : "///\n") + "/// \(facts)\n"
  }

  // MARK: Properties

  private var attributes: [String] {
    zip(firstSlot..., entity.attributes).map { slot, attribute in
      let isNonOptional = isNonOptional(attribute)
      let kind = (attribute.isList ? "list of " : "") + attribute.type.rawValue
      let facts = "\(attribute.isOptional ? "Optional" : "Required"), \(kind); "
      return property(
        attribute.name, isNonOptional ? type(of: attribute) : type(of: attribute) + "?",
        "\(isNonOptional ? "required" : "slot"): \(slot)", attribute.documentation,
        facts + Documentation.place(attribute.keyPath, attribute.keyPathAliases, attribute.direction))
    }
  }

  private var relationships: [String] {
    zip((firstSlot + entity.attributes.count)..., entity.relationships).map { slot, relationship in
      let destination = names.classes[relationship.destinationName] ?? "ManagedObject"
      let kind =
        relationship.isToMany
        ? "To many\(relationship.isOrdered ? ", ordered" : "")"
        : relationship.isOptional ? "To one" : "To one, required"
      let inverse = relationship.inverseName.map { ", inverse `\($0.escapedForDisplay())`" } ?? ""
      return property(
        relationship.name, relationship.isToMany ? "RelatedObjects<\(destination)>" : destination + "?",
        "slot: \(slot)",
        relationship.documentation,
        "\(kind)\(inverse); "
          + Documentation.place(relationship.keyPath, relationship.keyPathAliases, relationship.direction))
    }
  }

  private func property(
    _ name: String, _ type: String, _ place: String, _ documentation: String?, _ facts: String
  ) -> String {
    let words = Documentation.lines(documentation, indentation: "  ")
    return """
      \(words)\(words.isEmpty ? "" : "  ///\n")  /// \(facts).
        \(access)var \(SwiftName.escaped(names.property(name, of: entity))): \(type) {
          get { self[\(place)] }
          set { self[\(place)] = newValue }
        }

      """
  }

  private func isNonOptional(_ attribute: AttributeDescription) -> Bool {
    switch generator.options.nonOptional {
    case .none: false
    case .identity: !attribute.isOptional && facts.identity(entity).contains { $0.name == attribute.name }
    case .required: !attribute.isOptional
    }
  }

  private func type(of attribute: AttributeDescription) -> String {
    attribute.isList ? "[\(elementType(of: attribute))]" : elementType(of: attribute)
  }

  /// Returns the type of an attribute's value, or of the elements of a list.
  private func elementType(of attribute: AttributeDescription) -> String {
    switch attribute.type {
    case .integer16: generator.options.integers == .declared ? "Int16" : "Int"
    case .integer32: generator.options.integers == .declared ? "Int32" : "Int"
    case .integer64: generator.options.integers == .declared ? "Int64" : "Int"
    case .float: "Float"
    case .double: "Double"
    case .decimal: "Decimal"
    case .boolean: "Bool"
    case .string:
      attribute.enumValues == nil
        ? "String" : names.enumeration(attribute.name, of: facts.declaringEntity(of: attribute.name, in: entity))
    case .date: "Date"
    case .binary: "Data"
    case .uuid: "UUID"
    case .uri: "URL"
    case .json: "JSON"
    }
  }

  /// The first slot of the entity itself. Slots continue after the parent's: attributes, then relationships.
  private var firstSlot: Int {
    facts.lineage(entity).dropFirst().reduce(0) { $0 + $1.attributes.count + $1.relationships.count }
  }

  // MARK: The rest

  private var initializer: String? {
    let (required, inherited) = (initialized, inheritedRequirements)
    guard !required.isEmpty else { return nil }
    let own = parameters(of: required)
    let precondition =
      facts.identityNames(entity).isEmpty
      ? "" : "  ///\n  /// - Precondition: no other object has the same identity, not even a placeholder.\n"
    let text = """
        /// Inserts an object with the properties that its entity requires.
      \(precondition)  \(access)convenience init(context: ManagedObjectContext, \(list(own))) {
          self.init(context: context)
      \(own.map { "    self.\($0.name) = \($0.name)\n" }.joined())  }

      """
    guard !inherited.isEmpty else { return text }
    let known = Set(inherited.map(\.name))
    let more = zip(required, own).filter { !known.contains($0.0.name) }.map { $0.1.name.filter { $0 != "`" } }
      .joined(separator: ", ")
    return text + """

        @available(*, unavailable, message: \(SwiftLiteral.string("objects of '\(className)' also require \(more)")))
        \(access)convenience init(context: ManagedObjectContext, \(list(parameters(of: inherited)))) {
          self.init(context: context)
        }

      """
  }

  /// The properties that the class's initializer takes; empty if it has no initializer. A class inherits its parent's initializer
  /// unless it requires more.
  private var initialized: [RequiredProperty] {
    let required = requirements(entity)
    return !entity.isAbstract && required.count > inheritedRequirements.count ? required : []
  }

  /// The properties that the inherited initializer would take.
  private var inheritedRequirements: [RequiredProperty] {
    let parent = facts.lineage(entity).dropFirst().first { !$0.isAbstract }
    return parent.map(requirements) ?? []
  }

  private func list(_ parameters: [(name: String, type: String)]) -> String {
    parameters.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
  }

  private func parameters(of required: [RequiredProperty]) -> [(name: String, type: String)] {
    required.map { property in
      let name = SwiftName.escaped(names.property(property.name, of: property.entity))
      switch property.declaration {
      case .attribute(let attribute): return (name, type(of: attribute))
      case .relationship(let relationship):
        return (name, names.classes[relationship.destinationName] ?? "ManagedObject")
      }
    }
  }

  /// Returns the properties that an object of an entity needs to be committed and that have no default, inherited ones first.
  private func requirements(_ entity: EntityDescription) -> [RequiredProperty] {
    let identity = Set(facts.identityNames(entity))
    return facts.lineage(entity).reversed().flatMap { declaring in
      declaring.attributes.filter { !$0.isOptional && $0.defaultValue == nil }.map {
        RequiredProperty(entity: declaring, declaration: .attribute($0))
      }
        + declaring.relationships.filter { !$0.isToMany && (!$0.isOptional || identity.contains($0.name)) }.map {
          RequiredProperty(entity: declaring, declaration: .relationship($0))
        }
    }
  }

  /// The look-up. A sub-entity that inherits an identity inherits its look-up. A sub-entity that extends the identity has its own
  /// identity space (M8), in which the parent's look-up finds nothing.
  private var lookUp: String? {
    // A sub-entity may repeat its parents' declarations.
    let inheritedNames = entity.parentName.flatMap(facts.entity).map(facts.identityNames) ?? []
    guard facts.identityNames(entity) != inheritedNames else { return nil }
    let parameters = parameters(entity)
    let own = """
        /// Returns the object with this identity, or nil if there is none. Includes placeholders. Expected O(1).
        \(access)class func find(\(parameters.map { "\($0.name): \($0.type)" }.joined(separator: ", ")), in context: ManagedObjectContext) throws(StoreError) -> Self? {
          try context.find(self, identity: \(parameters.map(\.name).joined(separator: ", ")))
        }

      """
    guard let extended = facts.lineage(entity).dropFirst().first(where: { !facts.identityNames($0).isEmpty }) else {
      return own
    }
    let inherited = self.parameters(extended)
    let names = parameters.map { $0.name.filter { $0 != "`" } }.joined(separator: ", ")
    return own + """

        @available(*, unavailable, message: \(SwiftLiteral.string("objects of '\(className)' are identified by \(names)")))
        \(access)override class func find(\(inherited.map { "\($0.name): \($0.type)" }.joined(separator: ", ")), in context: ManagedObjectContext) throws(StoreError) -> Self? {
          nil
        }

      """
  }

  /// Returns the values that identify an object. An owner's values (M12) are prefixed with its name.
  private func parameters(_ identified: EntityDescription) -> [(name: String, type: String)] {
    let identity = facts.flatIdentity(identified)
    let own = Set(
      identity.filter(\.path.isEmpty).map {
        names.property($0.attribute.name, of: facts.declaringEntity(of: $0.attribute.name, in: entity))
      })
    return identity.map { path, attribute in
      guard path.isEmpty else {
        let words = path.dropFirst() + [attribute.name]
        var name = path[0] + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        if own.contains(SwiftName.property(name)) { name = (path + [attribute.name]).joined(separator: "_") }
        return (
          SwiftName.escaped(SwiftName.property(name)), attribute.enumValues == nil ? type(of: attribute) : "String"
        )
      }
      let owner = facts.declaringEntity(of: attribute.name, in: entity)
      return (SwiftName.escaped(names.property(attribute.name, of: owner)), type(of: attribute))
    }
  }

  private var enums: [String] {
    entity.attributes.compactMap { attribute in
      guard let values = attribute.enumValues else { return nil }
      let cases = EnumCases(values).cases.map { name, rawValue in
        let shown = name == rawValue ? "" : " = \(SwiftLiteral.string(rawValue))"
        return "    case \(SwiftName.escaped(name))\(shown)\n"
      }
      if attribute.validation.isExtensible { return structure(of: attribute, values) }
      return """
          /// The possible values of \(holder(attribute)).
          \(access)nonisolated enum \(names.enumeration(attribute.name, of: entity)): String, AttributeConvertible, CaseIterable, Codable {
        \(cases.joined())  }

        """
    }
  }

  /// Returns an attribute with an `enum`, or an element of it, for documentation.
  private func holder(_ attribute: AttributeDescription) -> String {
    "\(attribute.isList ? "an element of " : "")`\(names.property(attribute.name, of: entity))`"
  }

  /// Returns the type of an open `enum` (M14): a struct that holds any text, with the known values as static members.
  private func structure(of attribute: AttributeDescription, _ values: [String]) -> String {
    let members = EnumCases(values).cases.map { (name: SwiftName.escaped($0.name), rawValue: $0.rawValue) }
    let name = names.enumeration(attribute.name, of: entity)
    let constants = members.map {
      "    \(access)static let \($0.name): Self = .init(rawValue: \(SwiftLiteral.string($0.rawValue)))\n"
    }
    return """
        /// The values of \(holder(attribute)): a known value, or any other.
        \(access)nonisolated struct \(name): RawRepresentable, AttributeConvertible, CaseIterable, Codable, Hashable, Sendable {
      \(constants.joined())    /// The known values.
          \(access)static let allCases: [Self] = [\(members.map { ".\($0.name)" }.joined(separator: ", "))]
          \(access)let rawValue: String
          \(access)init(rawValue: String) { self.rawValue = rawValue }
        }

      """
  }

  /// The declarations that Graft reads when it loads a model.
  private var plumbing: String {
    let signatures = entity.attributes.map(\.signature) + entity.relationships.map(\.signature)
    let inherited = entity.parentName == nil ? "" : "super.generatedProperties + "
    let lines = signatures.map { "      \(SwiftLiteral.string($0)),\n" }.joined()
    return """
        \(access)override class var entityName: String { \(SwiftLiteral.string(entity.name)) }
        \(access)override class var generatedProperties: [String] {
          \(inherited)[
      \(lines)    ]
        }
        \(access)override class var queryableProperties: [QueryableProperty] {
      \(queryable)  }

      """
  }

  /// All properties, including inherited ones, because the key path of a subclass differs from its parent's.
  private var queryable: String {
    let properties = facts.lineage(entity).reversed().flatMap { ancestor in
      (ancestor.attributes.map(\.name) + ancestor.relationships.map(\.name)).map { name in
        (name, property: names.property(name, of: ancestor))
      }
    }
    // In a class with a property of the same name, the name refers to the property, except in a declaration of a type.
    let isHidden = properties.contains { $0.property == className }
    var alias = "Root"
    while alias == className || properties.contains(where: { $0.property == alias }) { alias += "_" }
    let root = isHidden ? alias : className
    let elements = properties.map { name, property in
      "      .init(\\\(root).\(SwiftName.escaped(property)), \(SwiftLiteral.string(name))),\n"
    }
    let head = isHidden ? "    typealias \(alias) = \(className)\n    return [\n" : "    [\n"
    return head + elements.joined() + "    ]\n"
  }
}

extension ModelFacts {
  /// Returns the entity that declares an entity's property.
  func declaringEntity(of property: String, in entity: EntityDescription) -> EntityDescription {
    lineage(entity).first { $0.attributes.contains { $0.name == property } } ?? entity
  }
}

/// A property that an initializer takes, and the entity that declares it.
private struct RequiredProperty {
  enum Declaration {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
  }

  let entity: EntityDescription
  let declaration: Declaration

  var name: String {
    switch declaration {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    }
  }
}
