import Graft

/// The entities and properties of a model file and every mention of their names, to the extent that the text can be read.
struct ModelOutline {
  /// An entity as declared in the file.
  struct Entity {
    var name: String
    /// The location of the name in the declaration, without its quotes.
    var range: Range<Int>
    var declaration: Declaration
    var documentation: String?
    var parent: Name?
    var isAbstract = false
    var attributes: [Property] = []
    var relationships: [Property] = []
    var identity: [Name] = []
    /// Whether the identity is one string with all names.
    var hasIdentityText = false
    /// The attribute that decides which version of an object is newer.
    var modification: Name?
    /// The key path of the value that marks an object as deleted.
    var deletionKeyPath: Name?
    var mapperTargets: [Name] = []
    /// The properties that indexes and alternate identities list.
    var listed: [Name] = []
  }

  /// The declaration of an entity or property.
  struct Declaration {
    /// The bytes from its name to the end of its value.
    var range: Range<Int>
    /// The bytes of its value.
    var value: Range<Int>
    /// The end of its last member, if its value is an object that has members.
    var lastMemberEnd: Int?
    /// The names of its members.
    var keys: Set<String> = []
    /// The bytes of its former names, if it has any.
    var formerNames: Range<Int>?

    init(_ member: ModelFileMember) {
      value = member.value.range.offsets
      range = member.keyRange.offset..<max(value.upperBound, member.keyRange.offset)
      lastMemberEnd = member.value.members?.last?.value.range.offsets.upperBound
      keys = Set((member.value.members ?? []).map(\.key))
      let former = member.value.members?.first { $0.key == ModelFileKey.renamedFrom.rawValue }
      formerNames = former?.value.range.offsets
    }
  }

  /// An attribute or relationship as declared in the file.
  struct Property {
    var name: String
    var range: Range<Int>
    var declaration: Declaration
    var documentation: String?
    /// The type, for an attribute.
    var type: String?
    /// The key path as declared, if it is text; nil if there is none.
    var keyPath: String?
    /// The key path as written: text without quotes, or an array of keys.
    var keyPathText: String?
    /// Whether the key path comes from the model's strategy.
    var hasKeyPathOfStrategy = false
    /// The values of an `enum`.
    var listedValues: [JSON] = []
    var destination: Name?
    var inverse: Name?
    /// The names in a key path that is an object: the names of identity attributes of the destination, or paths to them.
    var groupKeys: [Name] = []
    /// The attributes of the destination whose values `migratedFrom` sets.
    var migratedAttributes: [Name] = []
    var isToMany = false
    /// Whether it is an attribute that holds a list.
    var isList = false
  }

  /// A name in a value.
  struct Name {
    var text: String
    /// The bytes of the name, without quotes.
    var range: Range<Int>

    /// The names in a path with dots. If the string contains escapes, their positions are unknown, and the result is empty.
    var parts: [Name] {
      guard range.count == text.utf8.count else { return [] }
      return text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { part in
        let start = range.lowerBound + text.utf8.distance(from: text.utf8.startIndex, to: part.startIndex)
        return Name(text: String(Substring(part)), range: start..<start + part.count)
      }
    }
  }

  private(set) var entities: [Entity] = []
  /// The index of each entity, by name. If two have the same name, the first counts.
  private var indices: [String: Int] = [:]
  /// Whether the meaning of the whole text is clear, so no mention of a name can be missing.
  let isCertain: Bool
  private let bytes: [UInt8]
  private let keyStrategy: ModelDescription.KeyStrategy

  init(_ source: SourceText) {
    let syntax = ModelFileParser.parse(source)
    isCertain = syntax.isCertain
    bytes = source.bytes
    let members = syntax.tree?.root.members ?? []
    let strategy = members.first { $0.key == ModelFileKey.keyStrategy.rawValue }?.value.text
    keyStrategy = strategy.flatMap(ModelDescription.KeyStrategy.init) ?? .explicit
    for member in members where member.key == ModelFileKey.entities.rawValue {
      for entity in member.value.members ?? [] { entities.append(self.entity(entity)) }
    }
    indices = Dictionary(zip(entities.map(\.name), entities.indices)) { first, _ in first }
  }

  // MARK: Reading

  private func entity(_ member: ModelFileMember) -> Entity {
    var entity = Entity(name: member.key, range: inside(member.keyRange), declaration: Declaration(member))
    for field in member.value.members ?? [] {
      switch ModelFileKey(rawValue: field.key) {
      case .doc: entity.documentation = field.value.text
      case .parent: entity.parent = name(field.value)
      case .abstract: if case .boolean(true) = field.value.kind { entity.isAbstract = true }
      case .attributes: entity.attributes = (field.value.members ?? []).map(property)
      case .relationships: entity.relationships = (field.value.members ?? []).map(property)
      case .identityAttributes, .identityAttribute:
        entity.identity = names(field.value)
        entity.hasIdentityText = field.value.text != nil
      case .entityMapper:
        let fields = field.value.members ?? []
        let table = fields.first { $0.key == ModelFileKey.entities.rawValue }?.value.members ?? []
        let otherwise = fields.first { $0.key == ModelFileKey.otherwise.rawValue }
        entity.mapperTargets = (table + [otherwise].compactMap(\.self)).compactMap { name($0.value) }
      case .modificationAttribute: entity.modification = name(field.value)
      case .deletedWhen:
        let path = (field.value.members ?? []).first { $0.key == ModelFileKey.JSONKeyPath.rawValue }
        entity.deletionKeyPath = path.flatMap { name($0.value) }
      case .indexes, .alternateIdentities:
        entity.listed += (field.value.elements ?? []).flatMap { ($0.elements ?? [$0]).compactMap(name) }
      default: break
      }
    }
    return entity
  }

  private func property(_ member: ModelFileMember) -> Property {
    var property = Property(
      name: member.key, range: inside(member.keyRange), declaration: Declaration(member), type: member.value.text)
    property.keyPath = keyStrategy.keyPath(ofProperty: member.key)?.description
    property.keyPathText = property.keyPath
    property.hasKeyPathOfStrategy = property.keyPath != nil
    for field in member.value.members ?? [] {
      switch ModelFileKey(rawValue: field.key) {
      case .doc: property.documentation = field.value.text
      case .type: property.type = field.value.text
      case .destination: property.destination = name(field.value)
      case .inverse: property.inverse = name(field.value)
      case .JSONKeyPath:
        property.keyPath = field.value.text
        property.keyPathText = field.value.text ?? field.value.elements.map { _ in field.value.json.description }
        property.hasKeyPathOfStrategy = false
        property.groupKeys = memberNames(field.value)
      case .migratedFrom:
        let attributes = (field.value.members ?? []).first { $0.key == ModelFileKey.attributes.rawValue }
        property.migratedAttributes = attributes.map { memberNames($0.value) } ?? []
      case .enum: property.listedValues = field.value.elements?.map(\.json) ?? []
      case .toMany: if case .boolean(true) = field.value.kind { property.isToMany = true }
      case .list: if case .boolean(true) = field.value.kind { property.isList = true }
      default: break
      }
    }
    if property.isList, let type = property.type { property.type = "[\(type)]" }
    return property
  }

  private func name(_ node: ModelFileNode) -> Name? { node.text.map { Name(text: $0, range: inside(node.range)) } }

  /// Returns the names of an object's members.
  private func memberNames(_ node: ModelFileNode) -> [Name] {
    (node.members ?? []).map { Name(text: $0.key, range: inside($0.keyRange)) }
  }

  /// Returns the names in an array, or in one string with commas.
  private func names(_ node: ModelFileNode) -> [Name] {
    if let elements = node.elements { return elements.compactMap(name) }
    guard let text = node.text else { return [] }
    let range = inside(node.range)
    // If the string contains escapes, the positions of its parts are unknown.
    guard range.count == text.utf8.count else { return [] }
    return text.utf8.split { $0 == UInt8(ascii: ",") || $0 <= 0x20 }.map { part in
      let start = range.lowerBound + text.utf8.distance(from: text.utf8.startIndex, to: part.startIndex)
      return Name(text: String(Substring(part)), range: start..<start + part.count)
    }
  }

  /// Returns the bytes of a string without its quotes.
  private func inside(_ range: SourceRange) -> Range<Int> {
    let range = range.offsets
    guard range.count >= 2, let first = bytes[range].first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'"),
      bytes[range.upperBound - 1] == first
    else { return range }
    return range.lowerBound + 1..<range.upperBound - 1
  }

  /// Returns whether a mention is one of the names that an entity's identity lists in one string, in which spaces and commas end a name.
  func isInText(_ mention: ModelMention) -> Bool {
    entities.contains { $0.hasIdentityText && $0.identity.contains { $0.range == mention.range } }
  }

  // MARK: Looking up

  /// Returns the entity with a name. Expected O(1).
  func entity(_ name: String) -> Entity? { indices[name].map { entities[$0] } }

  /// The maximum number of ancestors of an entity.
  private static let mostAncestors = 64

  /// Returns an entity and its ancestors, the entity first. A cycle ends the list, as does a chain that is too long.
  func lineage(_ name: String) -> [Entity] {
    var lineage: [Entity] = []
    var next: String? = name
    while let name = next, let entity = entity(name), lineage.count <= Self.mostAncestors,
      !lineage.contains(where: { $0.name == name })
    {
      lineage.append(entity)
      next = entity.parent?.text
    }
    return lineage
  }

  /// Returns an entity and everything that inherits from it.
  func family(_ name: String) -> [Entity] {
    entities.filter { entity in lineage(entity.name).contains { $0.name == name } }
  }

  /// Returns the attribute of an entity that reads a key path, with the entity that declares it.
  func attribute(at keyPath: String, in entity: String) -> (attribute: Property, owner: String)? {
    for ancestor in lineage(entity) {
      if let attribute = ancestor.attributes.first(where: { $0.keyPath == keyPath }) {
        return (attribute, ancestor.name)
      }
    }
    return nil
  }

  /// Returns the name of the entity that declares a property of an entity, which may be an ancestor.
  func owner(of property: String, in entity: String) -> String? {
    lineage(entity).first { ($0.attributes + $0.relationships).contains { $0.name == property } }?.name
  }
}
