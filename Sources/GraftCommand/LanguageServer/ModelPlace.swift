import Graft

/// The part of a model at a path of keys.
enum ModelPlace: Equatable {
  /// An object with the keys of a level.
  case level(ModelFileLevel, entity: String?, property: String?)
  /// An object of entities, attributes or relationships by name.
  case names(of: ModelFileLevel, entity: String?)
  /// The table of a mapper.
  case mapperTable(entity: String)
  /// The keys of an identifier, by the identity attributes of the destination (M24).
  case identifier(entity: String, relationship: String)
  /// The attributes of earlier versions, by the attributes of the destination.
  case migratedAttributes(entity: String, relationship: String)
  /// User info and similar data.
  case data

  init(_ path: [String]) {
    func key(_ index: Int) -> ModelFileKey? { index < path.count ? ModelFileKey(rawValue: path[index]) : nil }
    let entity = path.count > 1 ? path[1] : nil
    switch (path.count, key(0), key(2)) {
    case (0, _, _): self = .level(.model, entity: nil, property: nil)
    case (1, .entities, _): self = .names(of: .entity, entity: nil)
    case (2, .entities, _): self = .level(.entity, entity: entity, property: nil)
    case (3, .entities, .attributes): self = .names(of: .attribute, entity: entity)
    case (3, .entities, .relationships): self = .names(of: .relationship, entity: entity)
    case (3, .entities, .entityMapper): self = .level(.mapper, entity: entity, property: nil)
    case (3, .entities, .deletedWhen): self = .level(.deletion, entity: entity, property: nil)
    case (4, .entities, .attributes): self = .level(.attribute, entity: entity, property: path[3])
    case (4, .entities, .relationships): self = .level(.relationship, entity: entity, property: path[3])
    case (4, .entities, .entityMapper) where key(3) == .entities: self = .mapperTable(entity: path[1])
    case (5, .entities, .attributes) where key(4) == .migratedFrom:
      self = .level(.attributeMigration, entity: entity, property: path[3])
    case (5, .entities, .relationships) where key(4) == .migratedFrom:
      self = .level(.relationshipMigration, entity: entity, property: path[3])
    case (5, .entities, .relationships) where key(4) == .JSONKeyPath:
      self = .identifier(entity: path[1], relationship: path[3])
    case (6, .entities, .relationships) where key(4) == .migratedFrom && key(5) == .attributes:
      self = .migratedAttributes(entity: path[1], relationship: path[3])
    default: self = .data
    }
  }
}
