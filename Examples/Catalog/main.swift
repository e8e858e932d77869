// Catalog: a normalized document. Objects and names are keyed by their identifiers, and everything else refers to them. The
// parts may come in any order: placeholders hold the graph together until it is complete. A complete list deletes
// the objects that it lacks.
//
//     swift run CatalogExample

import Foundation
import Graft

let package = URL(filePath: "../../", relativeTo: URL(filePath: #filePath))
let model = try ManagedObjectModel(
  contentsOf: URL(filePath: "Models/Catalog.json", relativeTo: package),
  classes: [
    Event.self, Performance.self, Price.self, SeatCategory.self, AudienceSubCategory.self, Topic.self, Venue.self,
  ])
let context = ManagedObjectContext(model: model)
let document = URL(filePath: "Examples/Payloads/catalog.json", relativeTo: package)

// Performances first: an array of objects that refer to everything else by identifier.
let performances = try objects(Performance.self, fromJSON: document, in: context, at: "performances")
let evening = performances[0]
print(evening, "plays", evening.event ?? "nothing", "at", evening.venue ?? "no venue")
try print(context.placeholders.count, "placeholders")

// Then the rest, in one transaction. {"70": "Genre"} is a Topic: "@key" is its identifier, "@value" its name.
let report = try context.importJSON(
  document,
  [
    .objects(ofEntity: "Venue", at: "venueNames"), .objects(ofEntity: "Topic", at: "topicNames"),
    .objects(ofEntity: "SubTopic", at: "subTopicNames"),
    .objects(ofEntity: "SubTopicList", at: "topicSubTopics"), .objects(ofEntity: "Subject", at: "subjectNames"),
    .objects(ofEntity: "SeatCategory", at: "seatCategoryNames"), .objects(ofEntity: "Area", at: "areaNames"),
    .objects(ofEntity: "Block", at: "blockNames"),
    .objects(ofEntity: "AudienceSubCategory", at: "audienceSubCategoryNames"),
    .objects(ofEntity: "Event", at: "events"),
  ])
print("Filled:", report.filled.values.reduce(0, +), "- new:", report.inserted.values.reduce(0, +))

// The same objects, which are now described.
print(evening, "plays", evening.event?.name ?? "nothing", "at", evening.venue?.name ?? "no venue")
for price in evening.prices {
  print("  \(price.seatCategory?.name ?? "?"), \(price.audienceSubCategory?.name ?? "?"): \(price.amount ?? 0)")
}
for topic in try context.fetch(Topic.self) {
  print(topic.name ?? "?", "is a topic of", topic.events.compactMap(\.name))
}

// The objects that remain placeholders: an event that the catalog lacks, and a subject without a name.
for placeholder in try context.placeholders { print("Still unknown:", placeholder) }

// Move the performance to an existing event. Both events follow.
if let songs = try context.find(Event.self, id: 501), let unknown = performances[1].event {
  performances[1].event = songs
  print(songs.name ?? "?", "has", Array(songs.performances), "-", unknown, "has", Array(unknown.performances))
}

// Later, a document lists all topics. `missing: .delete` deletes topics that are not listed, along with their links.
let topics = #"{"topicNames": {"70": "Genre", "72": "Language"}}"#
print(try context.importJSON(topics, [.objects(Topic.self, at: "topicNames", missing: .delete)]))

// A key that is not an integer is rejected, because the entity has integer identifiers.
do {
  let options = ImportOptions(sourceName: "areas.json")
  try context.importJSON(#"{"41": "Stalls", "42b": "Balcony"}"#, ofEntity: "Area", options: options)
} catch {
  print(DiagnosticRenderer().render(error.diagnostics))
}

// The export has the same shape: an object with identifiers as keys.
print(try jsonString(from: context.fetch(Topic.self)))
print(try jsonString(from: context.fetch(Event.self) { !$0.isPlaceholder }))
