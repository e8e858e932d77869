import Foundation

/// Heroes with nested powers and publisher (P1).
final class NestedHeroGraph: HeroGraph, TypedGraph {
  func merge(_ json: Data) throws {
    let records = try TypedCoding.decoder.decode([HeroRecord].self, from: json)
    reserve(records.count)
    for record in records {
      let hero = hero(try digitsAsInteger(record.id))
      hero.name = record.name
      hero.realName = record.realName
      hero.gender = record.gender
      hero.alignment = record.alignment
      hero.appearances = record.appearances
      hero.height = record.height
      hero.createdAt = record.createdAt
      hero.deck = record.deck
      hero.setPowers(
        try record.powers.map { record in
          let power = power(try digitsAsInteger(record.id))
          power.name = record.name
          return power
        })
      hero.setPublisher(
        try record.publisher.map { record in
          let publisher = publisher(try digitsAsInteger(record.id))
          publisher.name = record.name
          return publisher
        })
    }
  }

  func merge(_ dictionaries: [Any]) throws {
    reserve(dictionaries.count)
    for element in dictionaries {
      let dictionary = try asDictionary(element)
      let hero = try mergeAttributes(dictionary)
      hero.setPowers(
        try dictionary.required("powers", as: [Any].self).map { element in
          let dictionary = try asDictionary(element)
          let power = power(try dictionary.digits("id"))
          power.name = try dictionary.required("name")
          return power
        })
      hero.setPublisher(
        try dictionary.optional("publisher", as: [String: Any].self).map { dictionary in
          let publisher = publisher(try dictionary.digits("id"))
          publisher.name = try dictionary.required("name")
          return publisher
        })
    }
  }

  func export() throws -> Data {
    try TypedCoding.encoder.encode(
      roots.map { hero in
        HeroRecord(
          id: String(hero.id), name: hero.name, realName: hero.realName, gender: hero.gender,
          alignment: hero.alignment, appearances: hero.appearances, height: hero.height, createdAt: hero.createdAt,
          deck: hero.deck, powers: hero.powers.map { PowerRecord(id: String($0.id), name: $0.name ?? "") },
          publisher: hero.publisher.map { PublisherRecord(id: String($0.id), name: $0.name ?? "") })
      })
  }
}
