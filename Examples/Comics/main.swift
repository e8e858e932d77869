// Comics: the example to read first. One identifier is one object, even if JSON mentions it often. Links are consistent on
// both sides, and later payloads update existing objects.
//
//     swift run ComicsExample

import Foundation
import Graft

// 1. A model file declares the objects and their key paths in JSON. The classes are optional.
let package = URL(filePath: "../../", relativeTo: URL(filePath: #filePath))
let model = try ManagedObjectModel(
  contentsOf: URL(filePath: "Models/Comics.json", relativeTo: package),
  classes: [Hero.self, Power.self, Publisher.self])
let context = ManagedObjectContext(model: model)

func payload(_ name: String) -> URL { URL(filePath: "Examples/Payloads/\(name)", relativeTo: package) }

// 2. Import a file. The heroes are returned in payload order.
let heroes = try objects(Hero.self, fromJSON: payload("comics.json"), in: context)
let (heron, kilowatt, tide, crane) = (heroes[0], heroes[1], heroes[2], heroes[3])
print("Imported:", heroes.compactMap(\.name).joined(separator: ", "))
print(heron, "is \(heron.name ?? "?"), \(heron.gender?.rawValue ?? "?"), \(heron.height ?? 0) m")

// The second hero mentions power "2" and publisher "10" like the first one: there is one object for each.
print("Kilowatt has", kilowatt.powers.compactMap(\.name), "- power 3 is known only by its identifier")
try print("Placeholders:", context.placeholders)
print("Same publisher:", kilowatt.publisher === heron.publisher)

// 3. Change something. The inverse follows.
crane.publisher = heron.publisher
tide.sidekicks.remove(crane)
print("Lantern Press publishes", heron.publisher?.heroes.compactMap(\.name) ?? [])
print("Paper Crane's mentor is", crane.mentor?.name ?? "nobody")

// 4. Merge another payload. It fills the placeholder, and heroes gain a power through the inverse.
try objects(Power.self, fromJSON: payload("powers.json"), in: context)
print("Kilowatt has", kilowatt.powers.compactMap(\.name))

// 5. A partial update: an absent key changes nothing, null clears a property, and an array replaces a relationship.
try objects(Hero.self, fromJSON: payload("comics-update.json"), in: context)
print("Kilowatt is \(kilowatt.realName ?? "?") now, and still \(kilowatt.gender?.rawValue ?? "?")")
print("Old Tide's publisher is", tide.publisher?.name ?? "none")
try print("Hero 105 is", context.find(Hero.self, id: 105)?.name ?? "unknown")

// 6. A payload with a mistake changes nothing. The error shows where the mistake is, and the line of the model that it violates.
do {
  try objects(Hero.self, fromJSON: payload("Faulty/wrong-type.json"), in: context)
} catch {
  print(DiagnosticRenderer().render(error.diagnostics))
}

// 7. Export. As the model declares, a sidekick is written as an identifier and a publisher in full.
print(try jsonString(from: crane, options: ExportOptions(indents: true)))
