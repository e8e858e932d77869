// Comics: the example to read first. One identifier is one object, however often JSON mentions it; links hold on both
// sides; later payloads update what is there.
//
//     swift run ComicsExample

import Foundation
import Graft

// 1. A model file says what the objects are and where they stand in JSON; the classes are optional.
let package = URL(filePath: "../../", relativeTo: URL(filePath: #filePath))
let model = try ManagedObjectModel(
  contentsOf: URL(filePath: "Models/Comics.json", relativeTo: package),
  classes: [Hero.self, Power.self, Publisher.self])
let context = ManagedObjectContext(model: model)

func payload(_ name: String) throws -> Data {
  try Data(contentsOf: URL(filePath: "Examples/Payloads/\(name)", relativeTo: package))
}

// 2. Import. Heroes come back in the order of the payload.
let heroes = try objects(Hero.self, fromJSON: payload("comics.json"), in: context)
let (heron, kilowatt, tide, crane) = (heroes[0], heroes[1], heroes[2], heroes[3])
print("Imported:", heroes.compactMap(\.name).joined(separator: ", "))
print(heron, "is \(heron.name ?? "?"), \(heron.gender?.rawValue ?? "?"), \(heron.height ?? 0) m")

// The second hero names power "2" and publisher "10" as the first one does: there is one of each.
print("Kilowatt has", kilowatt.powers.compactMap(\.name), "- power 3 is known by its identifier only")
print("Placeholders:", context.placeholders)
print("Same publisher:", kilowatt.publisher === heron.publisher)

// 3. Change something; the other side follows.
crane.publisher = heron.publisher
tide.sidekicks.remove(crane)
print("Lantern Press publishes", heron.publisher?.heroes.compactMap(\.name) ?? [])
print("Paper Crane's mentor is", crane.mentor?.name ?? "nobody")

// 4. Merge another payload: it fills the placeholder, and its heroes gain a power from the other side.
try objects(Power.self, fromJSON: payload("powers.json"), in: context)
print("Kilowatt has", kilowatt.powers.compactMap(\.name))

// 5. A partial update: an absent key changes nothing, null empties, and a list replaces the list.
try objects(Hero.self, fromJSON: payload("comics-update.json"), in: context)
print("Kilowatt is \(kilowatt.realName ?? "?") now, and still \(kilowatt.gender?.rawValue ?? "?")")
print("Old Tide's publisher is", tide.publisher?.name ?? "none")
print("Hero 105 is", context.find(Hero.self, identity: 105)?.name ?? "unknown")

// 6. A payload with a mistake changes nothing at all, and the error says where it is and who asks.
do {
  let faulty = try payload("Faulty/wrong-type.json")
  try objects(Hero.self, fromJSON: faulty, in: context, options: ImportOptions(sourceName: "wrong-type.json"))
} catch let error as ImportError {
  print(DiagnosticRenderer().render(error.diagnostics))
}

// 7. And back: a sidekick is written as an identifier and a publisher in full, as the model says.
let export = try jsonData(from: crane, options: ExportOptions(indents: true))
print(String(decoding: export, as: UTF8.self))
