import Foundation

/// The common part of both hero graphs: the objects by identifier.
class HeroGraph {
  private var heroes: [Int: TypedHero] = [:]
  private var powers: [Int: TypedPower] = [:]
  private var publishers: [Int: TypedPublisher] = [:]
  final private(set) var roots: [TypedHero] = []

  required init() {}

  final var counts: [String: Int] {
    ["Hero": heroes.count, "Power": powers.count, "Publisher": publishers.count]
  }

  final func prepareExport() { roots = heroes.values.sorted { $0.id < $1.id } }

  final func dismantle() {
    for hero in heroes.values { hero.unlink() }
    for power in powers.values { power.heroes = [] }
    for publisher in publishers.values { publisher.heroes = [] }
  }

  final func reserve(_ count: Int) { heroes.reserveCapacity(count) }

  final func hero(_ id: Int) -> TypedHero {
    if let known = heroes[id] { return known }
    let new = TypedHero(id: id)
    heroes[id] = new
    return new
  }

  final func power(_ id: Int) -> TypedPower {
    if let known = powers[id] { return known }
    let new = TypedPower(id: id)
    powers[id] = new
    return new
  }

  final func publisher(_ id: Int) -> TypedPublisher {
    if let known = publishers[id] { return known }
    let new = TypedPublisher(id: id)
    publishers[id] = new
    return new
  }

  /// Sets the attributes of the hero that a dictionary describes.
  final func mergeAttributes(_ dictionary: [String: Any]) throws -> TypedHero {
    let hero = hero(try dictionary.digits("id"))
    hero.name = try dictionary.required("name")
    hero.realName = try dictionary.optional("real_name")
    hero.gender = try dictionary.required("gender")
    hero.alignment = try dictionary.required("alignment")
    hero.appearances = try dictionary.required("appearances")
    hero.height = try dictionary.required("height")
    hero.createdAt = try dictionary.date("created_at")
    hero.deck = try dictionary.required("deck")
    return hero
  }
}
