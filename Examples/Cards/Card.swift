import Foundation
import Graft

final class Card: ManagedObject {
  var title: String? {
    get { self["title"] }
    set { self["title"] = newValue }
  }
  var rarity: Rarity? { self["rarity"] }
  var price: Decimal? {
    get { self["price"] }
    set { self["price"] = newValue }
  }
  var set: CardSet? {
    get { self["set"] }
    set { self["set"] = newValue }
  }
  var decks: RelatedObjects<Deck> { self["decks"] }
  var coverOf: RelatedObjects<Deck> { self["coverOf"] }
}

enum Rarity: String, AttributeConvertible {
  case common, uncommon, rare
}

final class CardSet: ManagedObject {
  var name: String? { self["name"] }
  var releasedOn: Date? { self["releasedOn"] }
  var cards: RelatedObjects<Card> { self["cards"] }
}

final class Deck: ManagedObject {
  var name: String? { self["name"] }
  var cover: Card? {
    get { self["cover"] }
    set { self["cover"] = newValue }
  }
  /// An ordered relationship that is read as an array can be edited like an array.
  var cards: [Card] {
    get { self["cards"] }
    set { self["cards"] = newValue }
  }
}
