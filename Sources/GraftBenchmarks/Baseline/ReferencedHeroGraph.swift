import Foundation

/// Heroes that refer to powers and publisher by their identifiers (P2).
final class ReferencedHeroGraph: HeroGraph, TypedGraph {
  func merge(_ json: Data) throws {
    let records = try TypedCoding.decoder.decode([HeroReferenceRecord].self, from: json)
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
      hero.setPowers(try record.powers.map { power(try digitsAsInteger($0)) })
      hero.setPublisher(try record.publisher.map { publisher(try digitsAsInteger($0)) })
    }
  }

  func merge(_ dictionaries: [Any]) throws {
    reserve(dictionaries.count)
    for element in dictionaries {
      let dictionary = try asDictionary(element)
      let hero = try mergeAttributes(dictionary)
      hero.setPowers(
        try dictionary.required("powers", as: [Any].self).map { element in
          guard let digits = element as? String else { throw TypedGraphError.malformed("powers") }
          return power(try digitsAsInteger(digits))
        })
      hero.setPublisher(
        try dictionary.optional("publisher", as: String.self).map { publisher(try digitsAsInteger($0)) })
    }
  }

  func export() throws -> Data {
    try TypedCoding.encoder.encode(
      roots.map { hero in
        HeroReferenceRecord(
          id: String(hero.id), name: hero.name, realName: hero.realName, gender: hero.gender,
          alignment: hero.alignment, appearances: hero.appearances, height: hero.height, createdAt: hero.createdAt,
          deck: hero.deck, powers: hero.powers.map { String($0.id) }, publisher: hero.publisher.map { String($0.id) })
      })
  }
}
