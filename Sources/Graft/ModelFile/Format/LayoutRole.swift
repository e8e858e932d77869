/// The role of a value, determined by its position in the model file. It decides the layout of the value.
enum LayoutRole {
  /// An object with the keys of a level.
  case level(ModelFileLevel)
  /// An object of entities, attributes or relationships by name.
  case names(of: ModelFileLevel)
  /// Any other value. Its members keep their order.
  case data

  /// Returns the role of a member.
  func role(ofMember key: String) -> LayoutRole {
    switch self {
    case .names(let level): .level(level)
    case .data: .data
    case .level(let level):
      switch (level, level.key(key)) {
      case (.model, .entities): .names(of: .entity)
      case (.entity, .attributes): .names(of: .attribute)
      case (.entity, .relationships): .names(of: .relationship)
      case (.entity, .entityMapper): .level(.mapper)
      case (.entity, .deletedWhen): .level(.deletion)
      case (.attribute, .migratedFrom): .level(.attributeMigration)
      case (.relationship, .migratedFrom): .level(.relationshipMigration)
      default: .data
      }
    }
  }

  /// Returns the items in canonical order. Equal keys keep their order, because the first of them is used.
  func ordered(_ items: [LayoutItem]) -> [LayoutItem] {
    guard case .level(let level) = self else { return items }
    let ranks = Dictionary(uniqueKeysWithValues: zip(level.keys, 0...))
    // An unknown key, perhaps misspelled, is moved to the end.
    let ranked = items.enumerated().map { number, item in
      (rank: (item.key?.name).flatMap(level.key).flatMap { ranks[$0] } ?? ranks.count, number: number, item: item)
    }
    return ranked.sorted { ($0.rank, $0.number) < ($1.rank, $1.number) }.map(\.item)
  }

  /// Whether each item is on its own line, even if it is short.
  var isAlwaysSpread: Bool {
    switch self {
    case .level(.model), .level(.entity), .names: true
    case .level, .data: false
    }
  }

  /// Whether blank lines surround an item of several lines.
  var setsItemsApart: Bool {
    switch self {
    case .level(.model), .names(of: .entity): true
    case .level, .names, .data: false
    }
  }
}
