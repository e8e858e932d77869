// Cards: an identity of two values. JSON and exports refer to card 12 of a set as ["DAW", 12]. Decks keep their cards in
// order, and prices keep every digit.
//
//     swift run CardsExample

import Foundation
import Graft

let package = URL(filePath: "../../", relativeTo: URL(filePath: #filePath))
let model = try ManagedObjectModel(
  contentsOf: URL(filePath: "Models/Cards.json", relativeTo: package), classes: [Card.self, CardSet.self, Deck.self])
let context = ManagedObjectContext(model: model)

func payload(_ name: String) -> URL { URL(filePath: "Examples/Payloads/\(name)", relativeTo: package) }

// The first deck mentions cards that only the second deck describes, because a mention may come first.
let decks = try objects(Deck.self, fromJSON: payload("cards.json"), in: context)
for deck in decks {
  print("\(deck.name ?? "?"):", deck.cards.map { $0.title ?? "\($0)" }.joined(separator: ", "))
}

// Find a card by both values, in the order of the model's "identityAttributes".
let keeper = decks[0].cards[0]
try print("Found by its identity:", context.find(Card.self, identity: "DAW", 12) === keeper)
print(keeper, "is", keeper.rarity ?? .common, "and costs", keeper.price ?? 0, "- it is in", Array(keeper.decks))
print("Cards of", keeper.set?.name ?? "?", "are", keeper.set?.cards.compactMap(\.title) ?? [])

// The payload does not describe number 99 of the set TID. It is a placeholder, and keeps its position in the deck.
for card in try context.fetch(Card.self, where: \.isPlaceholder) {
  print("Placeholder:", card, "in", card.decks[0].name ?? "?")
}

// An ordered relationship is an array: move a card, remove one. The inverse follows.
decks[0].cards.swapAt(0, 1)
decks[0].cards.removeAll { $0.title == "Ferryman" }
decks[0].cover = decks[0].cards.first
print("First light now:", decks[0].cards.compactMap(\.title), "- the keeper is the cover of", Array(keeper.coverOf))

// Decimals are exact. Triple a price:
let ferryman = decks[1].cards[0]
print("Three ferrymen cost", (ferryman.price ?? 0) * 3)

// An identifier must have as many values as the identity. The message names the missing one.
do {
  try objects(Deck.self, fromJSON: payload("Faulty/short-identifier.json"), in: context)
} catch {
  print(DiagnosticRenderer().render(error.diagnostics))
}

// In a deck, cards are written as their identifiers. A card on its own is written in full.
print(try jsonString(from: decks))
print(try jsonString(from: ferryman, options: ExportOptions(omitsNil: true)))
