/// The entities, tables and links of a store, as values that the store keeps along with its data. Later versions of the model are compared
/// with the layout.
package struct StoreLayout: Hashable, Sendable {
  package var entities: [Entity]
  package var tables: [Table]
  package var links: [Links]

  /// The declarations of an entity that matter for rows.
  package struct Entity: Hashable, Sendable {
    package var name: String
    package var parent: String?
    package var isAbstract: Bool
    package var identity: [String]
    package var properties: [Property]
  }

  /// A property that an entity declares.
  package struct Property: Hashable, Sendable {
    package var name: String
    package var isOptional: Bool
    /// The type of an attribute; for a list, with brackets: `string[]`.
    package var type: String?
    /// The destination of a relationship.
    package var destination: String?
    package var isToMany: Bool?
    package var isOrdered: Bool?
    package var inverse: String?
    /// The requirements of the model for values, or for the number of objects, as JSON; nil if there are none.
    package var rules: String?
  }

  package struct Table: Hashable, Sendable {
    package var name: String
    package var entities: [String]
    package var columns: [Column]
    package var identities: [Identity]
    /// The columns of each declared index.
    package var indexes: [[Int]] = []
    package var hasBareDiscriminators: Bool
  }

  package struct Column: Hashable, Sendable {
    package var name: String
    package var content: Content
    package var properties: [String]
  }

  package enum Content: Hashable, Sendable {
    case attribute(String)
    /// The number of a row in a table.
    case reference(Int)
    /// The position that accompanies a reference.
    case position(Int)
  }

  package struct Identity: Hashable, Sendable {
    package var columns: [Int]
    package var entities: [Int]
  }

  package struct Links: Hashable, Sendable {
    package var name: String
    package var ownerColumn: String
    package var memberColumn: String
    package var ownerTable: Int
    package var memberTable: Int
    package var isOrdered: Bool
    package var isInverseOrdered: Bool
    package var relationship: String
    package var inverse: String?
  }

  /// The layout without the indexes that a model declares, for stores without such indexes.
  package var withoutIndexes: StoreLayout {
    var layout = self
    for table in layout.tables.indices { layout.tables[table].indexes = [] }
    return layout
  }

  /// The layout without indexes and requirements for values: the part that determines the location of values.
  package var withoutRules: StoreLayout {
    var layout = withoutIndexes
    for entity in layout.entities.indices {
      for property in layout.entities[entity].properties.indices {
        layout.entities[entity].properties[property].rules = nil
      }
    }
    return layout
  }

  /// Whether all positions are valid.
  var isConsistent: Bool {
    tables.allSatisfy { table in
      table.columns.allSatisfy { column in
        switch column.content {
        case .attribute(let type): AttributeType(rawValue: type) != nil
        case .reference(let other): tables.indices.contains(other)
        case .position(let reference): table.columns.indices.contains(reference)
        }
      }
        && !table.entities.isEmpty
        && table.identities.allSatisfy { identity in
          identity.columns.allSatisfy(table.columns.indices.contains)
            && identity.entities.allSatisfy(table.entities.indices.contains)
        }
        && table.indexes.allSatisfy { !$0.isEmpty && $0.allSatisfy(table.columns.indices.contains) }
    } && links.allSatisfy { tables.indices.contains($0.ownerTable) && tables.indices.contains($0.memberTable) }
  }
}

extension StoreLayout {
  /// The layout of a model. Everything is sorted by name, so the layout does not depend on the order in the model file.
  package init(_ schema: StoreSchema) {
    entities = schema.model.entities.map { Entity($0) }.sorted { UTF8Key.precedes($0.name, $1.name) }
    tables = schema.tables.map { Table($0) }
    links = schema.links.map { Links($0) }
  }
}

extension AttributeDescription {
  /// The type in a store's description of its data: `string`, `string[]` for a list.
  fileprivate var storeType: String { isList ? "\(type.rawValue)[]" : type.rawValue }

  /// The rules in a store's description of its data; nil if there are none.
  fileprivate var storeRules: String? {
    var members = ModelFileMembers()
    if let values = validation.onlyValues { members.add(.enum, .array(values.map(\.jsonValue))) }
    if let minimum = validation.minimum { members.add(.minimum, minimum.jsonValue) }
    if let maximum = validation.maximum { members.add(.maximum, maximum.jsonValue) }
    members.add(.minLength, validation.minLength)
    members.add(.maxLength, validation.maxLength)
    members.add(.pattern, validation.pattern)
    members.add(.minCount, validation.minCount)
    members.add(.maxCount, validation.maxCount)
    return members.isEmpty ? nil : JSONWriter.text(of: members.json)
  }
}

extension RelationshipDescription {
  /// The rules in a store's description of its data; nil if there are none.
  fileprivate var storeRules: String? {
    var members = ModelFileMembers()
    members.add(.minCount, minCount)
    members.add(.maxCount, maxCount)
    return members.isEmpty ? nil : JSONWriter.text(of: members.json)
  }
}

extension StoreLayout.Entity {
  init(_ entity: EntityDescription) {
    name = entity.name
    parent = entity.parentName
    isAbstract = entity.isAbstract
    identity = entity.identityAttributes
    properties =
      entity.attributes.map {
        .init(name: $0.name, isOptional: $0.isOptional, type: $0.storeType, rules: $0.storeRules)
      }
      + entity.relationships.map {
        .init(
          name: $0.name, isOptional: $0.isOptional, destination: $0.destinationName, isToMany: $0.isToMany,
          isOrdered: $0.isOrdered, inverse: $0.inverseName, rules: $0.storeRules)
      }
    properties.sort { UTF8Key.precedes($0.name, $1.name) }
  }
}

extension StoreLayout.Table {
  init(_ table: StoreSchema.Table) {
    let columns = table.columns.map { column in
      let content: StoreLayout.Content =
        switch column.content {
        case .attribute(let type): .attribute(type.rawValue)
        case .reference(let other): .reference(other)
        case .position(let reference): .position(reference)
        }
      return StoreLayout.Column(name: column.name, content: content, properties: column.properties)
    }
    self.init(
      name: table.name, entities: table.entityNames, columns: columns,
      identities: table.identities.map { .init(columns: $0.columns, entities: $0.entities) }, indexes: table.indexes,
      hasBareDiscriminators: table.hasBareDiscriminators)
  }
}

extension StoreLayout.Links {
  init(_ links: StoreSchema.LinkTable) {
    name = links.name
    ownerColumn = links.ownerColumn
    memberColumn = links.memberColumn
    ownerTable = links.ownerTable
    memberTable = links.memberTable
    isOrdered = links.isOrdered
    isInverseOrdered = links.isInverseOrdered
    relationship = links.relationship
    inverse = links.inverse
  }
}
