/// The layout of a model's graph in a store: tables, columns and links.
///
///     hierarchy          table            one for each root entity; its sub-entities share it
///     attribute          column           siblings share a column if name and type are the same
///     to-one             column           the number of the target's row
///     its to-many        none             it is derived from that column; if it is ordered, a position column accompanies that column
///     other to-many      table of links   one for both sides, if the inverse is also a to-many
///
/// Siblings share columns, so a column does not identify a relationship: a column and the entity of the rows do. `ListMembers` and
/// `StoreMap.DeletePath.Way` contain both.
///
/// Stores refer to tables, columns and links by their positions in ``tables``, ``Table/columns`` and ``links``. Names are unique even if
/// case is ignored, as in SQL, and differ from the columns that every table has (``reservedColumns``).
package struct StoreSchema: Sendable {
  /// The model.
  package let model: ManagedObjectModel
  /// A table for each hierarchy.
  package let tables: [Table]
  /// A table for each many-to-many relationship, and for each to-many without an inverse.
  package let links: [LinkTable]
  /// The location of each property: by the number of the entity in the plan, then by slot.
  package let places: [[Place]]

  /// The names of columns that stores add to each table.
  package static let reservedColumns = ["_id", "_version", "_placeholder", "_bare", "_entity", "_digest"]

  /// The rows of a hierarchy.
  package struct Table: Sendable {
    /// The name of the table, which is the name of the root entity.
    package let name: String
    /// The entities of the hierarchy, the root first. Rows contain their entity as a position in this list.
    package let entityNames: [String]
    /// The columns, sorted by name within each entity.
    package let columns: [Column]
    /// The identity spaces ([M8](doc:Rules#M8)): columns whose values identify a row. The alternate identities ([M27](doc:Rules#M27))
    /// follow.
    package let identities: [Identity]
    /// The columns of each index that the model declares ([M28](doc:Rules#M28)).
    package let indexes: [[Int]]
    /// Whether rows record that the key of their entity mapper was not a string ([E4](doc:Rules#E4)).
    package let hasBareDiscriminators: Bool
  }

  /// A column of a table.
  package struct Column: Sendable {
    /// The name of the column, which is the name of the property.
    package let name: String
    /// The content of the column.
    package let content: Content
    /// The properties that the column contains, as `Entity.property` of the entities that declare them.
    package let properties: [String]
  }

  /// The content of a column.
  package enum Content: Sendable, Hashable {
    /// The values of an attribute. Lists are stored as JSON.
    case attribute(AttributeType)
    /// The number of the row that a to-one refers to.
    case reference(table: Int)
    /// The position of a row in the ordered to-many that is the inverse of the reference in another column.
    case position(reference: Int)
  }

  /// Columns whose values identify a row among the entities of an identity space. A row with nil in one of them has no identity.
  package struct Identity: Sendable {
    /// The columns, in the order of `identityAttributes`.
    package let columns: [Int]
    /// The entities whose rows are in the space, as positions in ``Table/entityNames``.
    package let entities: [Int]
    /// Whether it is an alternate identity.
    package let isAlternate: Bool
  }

  /// Pairs of rows: the links of a many-to-many relationship, or of a to-many without an inverse.
  package struct LinkTable: Sendable {
    /// The name of the table: `Hero_powers`.
    package let name: String
    /// The names of the columns with the owners' rows and the members' rows.
    package let ownerColumn: String
    package let memberColumn: String
    /// The tables of the owners and of the members.
    package let ownerTable: Int
    package let memberTable: Int
    /// Whether the members of an owner are ordered, and whether the owners of a member are ordered.
    package let isOrdered: Bool
    package let isInverseOrdered: Bool
    /// The relationship, as `Entity.relationship`, and its inverse if there is one.
    package let relationship: String
    package let inverse: String?
    /// Whether the relationship is its own inverse. The table contains each pair twice, and objects are always its owners.
    var isSymmetric: Bool { inverse == relationship }
  }

  /// The location of a property of an entity.
  package enum Place: Sendable, Hashable {
    /// In a column of the entity's table.
    case column(Int)
    /// In a reference column of the members' table, along with a column with the positions if the relationship is ordered.
    case members(table: Int, reference: Int, position: Int?)
    /// In a table of links; the entity's objects are the owners, or the members.
    case links(Int, isOwner: Bool)
  }

  /// The table of the rows that have a relationship.
  func ownerTable(of members: ListMembers) -> Int {
    switch members {
    case .referring(let table, let column, _):
      if case .reference(let target) = tables[table].columns[column].content { target } else { table }
    case .linked(let link, let isOwner): isOwner ? links[link].ownerTable : links[link].memberTable
    }
  }

  /// The table of the rows in a list.
  func memberTable(of members: ListMembers) -> Int {
    switch members {
    case .referring(let table, _, _): table
    case .linked(let link, let isOwner): isOwner ? links[link].memberTable : links[link].ownerTable
    }
  }

  /// Creates the layout for a model. Expected time in proportion to the model.
  package init(_ model: ManagedObjectModel) {
    var builder = StoreSchemaBuilder(model)
    builder.build()
    self.model = model
    tables = builder.tables
    links = builder.links
    places = builder.places
  }
}
