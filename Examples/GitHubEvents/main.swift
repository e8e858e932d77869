// GitHubEvents: a large model, partly used. Deep key paths become properties of each kind of event, and all events share
// people and repositories. Entities without a class are read by name. Options set the size of an export.
//
//     swift run GitHubEventsExample

import Foundation
import Graft

let package = URL(filePath: "../../", relativeTo: URL(filePath: #filePath))
let model = try ManagedObjectModel(
  contentsOf: URL(filePath: "Models/GitHubEvents.json", relativeTo: package),
  classes: [Event.self, PushEvent.self, CreateEvent.self, User.self, Repository.self, Commit.self])
let context = ManagedObjectContext(model: model)
let events = try objects(
  Event.self, fromJSON: URL(filePath: "Examples/Payloads/events.json", relativeTo: package), in: context)

// WatchEvent has no class of its own, so its objects have the class of its parent.
for event in events {
  print("\(event.createdAt?.formatted(.iso8601) ?? "?") \(event.actor?.login ?? "?"): \(event.summary)")
}

// Four events, one repository, two people.
try print("All in one repository:", Set(events.map(\.repository)).count == 1, "-", context.count(User.self), "people")
for user in try context.fetch(User.self) {
  print(user.login ?? "?", "did", user.events.map(\.entity.name).sorted())
}

// Two events describe Jonas with five keys each, and an issue describes him with more keys: all are merged.
if let jonas = try context.find(User.self, id: 22) {
  print(jonas.login ?? "?", jonas.kind ?? "?", jonas.reposURL?.absoluteString ?? "?")
}

// Issues have no class here. Without one, properties are read by name, either as a given type or as they are stored.
for issue in try context.fetch(ofEntity: "Issue") {
  let title: String? = issue["title"]
  let labels: [ManagedObject] = issue["labels"]
  print("\(issue): \(title ?? "?"), \(labels.count) label")
  for property in ["number", "state", "assignee", "closedAt"] {
    print("  \(property):", issue[property]?.description ?? "nil")
  }
}

// When reading by name, a mistake can throw an error instead of stopping the program.
do {
  let number: String? = try events[1].value(of: "acton")
  print(number ?? "?")
} catch {
  print(error)
}

// The model can be inspected.
print("Kinds of events:", model.entities.filter { $0.parentName != nil && !$0.isAbstract }.map(\.name))

// By default, an export writes every object in full. Options make it shorter.
let choices = [
  ("in full", ExportOptions()), ("shared objects once for each event", ExportOptions(sharedObjects: .once)),
  ("identifiers only", ExportOptions(identifiersOnly: true)), ("without nil", ExportOptions(omitsNil: true)),
]
for (name, options) in choices {
  print("Exported \(name):", try jsonData(from: events, options: options).count, "bytes")
}

// An export can also be limited to some properties of some entities: here, a push as a log line.
let push = ExportOptions(
  properties: ["PushEvent": ["actor", "commits"], "User": ["login"], "Commit": ["message", "authorName"]])
print(try jsonString(from: events[0], options: push))
