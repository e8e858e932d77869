import Foundation
import Graft

/// The entities, tables and links of a store, as values that the store keeps beside its data. A later version of the model is
/// compared with it.
struct StoreLayout: Codable, Hashable, Sendable {
  var entities: [Entity]
  var tables: [Table]
  var links: [Links]

  /// What the model declares about an entity, as far as it matters for rows.
  struct Entity: Codable, Hashable, Sendable {
    var name: String
    var parent: String?
    var isAbstract: Bool
    var identity: [String]
    var properties: [Property]
  }

  /// A property that an entity declares.
  struct Property: Codable, Hashable, Sendable {
    var name: String
    var isOptional: Bool
    /// The type of an attribute; of a list with brackets: `string[]`.
    var type: String?
    /// The destination of a relationship.
    var destination: String?
    var isToMany: Bool?
    var isOrdered: Bool?
    var inverse: String?
  }

  struct Table: Codable, Hashable, Sendable {
    var name: String
    var entities: [String]
    var columns: [Column]
    var identities: [Identity]
    var hasBareDiscriminators: Bool
  }

  struct Column: Codable, Hashable, Sendable {
    var name: String
    var content: Content
    var properties: [String]
  }

  enum Content: Codable, Hashable, Sendable {
    case attribute(String)
    /// The number of a row in a table.
    case reference(Int)
    /// The position beside a reference.
    case position(Int)
  }

  struct Identity: Codable, Hashable, Sendable {
    var columns: [Int]
    var entities: [Int]
  }

  struct Links: Codable, Hashable, Sendable {
    var name: String
    var ownerColumn: String
    var memberColumn: String
    var ownerTable: Int
    var memberTable: Int
    var isOrdered: Bool
    var isInverseOrdered: Bool
    var relationship: String
    var inverse: String?
  }

  // MARK: As text

  /// The layout as JSON. Equal layouts have equal texts.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings, integers and Booleans can always be encoded.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Reads a layout; nil if the text is not one.
  init?(text: String) {
    guard let layout = try? JSONDecoder().decode(StoreLayout.self, from: Data(text.utf8)), layout.isConsistent else {
      return nil
    }
    self = layout
  }

  /// Whether all positions lead to something.
  private var isConsistent: Bool {
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
    } && links.allSatisfy { tables.indices.contains($0.ownerTable) && tables.indices.contains($0.memberTable) }
  }
}

extension StoreLayout {
  /// The layout of a model.
  init(_ schema: StoreSchema) {
    entities = schema.model.entities.map { Entity($0) }
    tables = schema.tables.map { Table($0) }
    links = schema.links.map { Links($0) }
  }
}

extension AttributeDescription {
  /// The type in a store's description of its data: `string`, `string[]` for a list.
  fileprivate var storeType: String { isList ? "\(type.rawValue)[]" : type.rawValue }
}

extension StoreLayout.Entity {
  init(_ entity: EntityDescription) {
    name = entity.name
    parent = entity.parentName
    isAbstract = entity.isAbstract
    identity = entity.identityAttributes
    properties =
      entity.attributes.map { .init(name: $0.name, isOptional: $0.isOptional, type: $0.storeType) }
      + entity.relationships.map {
        .init(
          name: $0.name, isOptional: $0.isOptional, destination: $0.destinationName, isToMany: $0.isToMany,
          isOrdered: $0.isOrdered, inverse: $0.inverseName)
      }
  }
}

extension StoreLayout.Table {
  init(_ table: StoreSchema.Table) {
    name = table.name
    entities = table.entityNames
    columns = table.columns.map { column in
      let content: StoreLayout.Content =
        switch column.content {
        case .attribute(let type): .attribute(type.rawValue)
        case .reference(let other): .reference(other)
        case .position(let reference): .position(reference)
        }
      return .init(name: column.name, content: content, properties: column.properties)
    }
    identities = table.identities.map { .init(columns: $0.columns, entities: $0.entities) }
    hasBareDiscriminators = table.hasBareDiscriminators
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
