// GitHubEvents: a large model, used in part. Deep key paths become properties of the kind of event; people and repositories
// are shared by all; entities without a class are read by name; an export is as large or as small as wanted.
//
//     swift run GitHubEventsExample

import Foundation
import Graft

let package = URL(filePath: "../../", relativeTo: URL(filePath: #filePath))
let model = try ManagedObjectModel(
  contentsOf: URL(filePath: "Models/GitHubEvents.json", relativeTo: package),
  classes: [Event.self, PushEvent.self, CreateEvent.self, User.self, Repository.self, Commit.self])
let context = ManagedObjectContext(model: model)
let data = try Data(contentsOf: URL(filePath: "Examples/Payloads/events.json", relativeTo: package))
let events = try objects(Event.self, fromJSON: data, in: context)

// A kind of event without a class of its own, WatchEvent, has that of its parent.
for event in events {
  print("\(event.createdAt?.formatted(.iso8601) ?? "?") \(event.actor?.login ?? "?"): \(event.summary)")
}

// Four events, one repository, two people.
print("All in one repository:", Set(events.map(\.repository)).count == 1, "-", context.count(User.self), "people")
for user in context.fetch(User.self) {
  print(user.login ?? "?", "did", user.events.map(\.entity.name).sorted())
}

// Jonas is the actor of two events with five keys each, and the author of an issue with more: they add up.
if let jonas = context.find(User.self, identity: 22) {
  print(jonas.login ?? "?", jonas.kind ?? "?", jonas.reposURL?.absoluteString ?? "?")
}

// Issues have no class here. Without one, properties are read by name: as a type, or as what they are.
for issue in context.fetch(ofEntity: "Issue") {
  let title: String? = issue["title"]
  let labels: [ManagedObject] = issue["labels"]
  print("\(issue): \(title ?? "?"), \(labels.count) label")
  for property in ["number", "state", "assignee", "closedAt"] {
    print("  \(property):", issue[property]?.description ?? "nil")
  }
}

// By name, what might be wrong can also be thrown instead of stopping the program.
do {
  let number: String? = try events[1].value(of: "acton")
  print(number ?? "?")
} catch {
  print(error)
}

// The model itself can be asked.
print("Kinds of events:", model.entities.filter { $0.parentName != nil && !$0.isAbstract }.map(\.name))

// An export writes what it meets in full, unless it is told to be brief.
let choices = [
  ("in full", ExportOptions()), ("shared objects once for each event", ExportOptions(sharedObjects: .once)),
  ("identifiers only", ExportOptions(identifiersOnly: true)), ("without nil", ExportOptions(omitsNil: true)),
]
for (name, options) in choices {
  print("Exported \(name):", try jsonData(from: events, options: options).count, "bytes")
}

// Or some properties of some entities: here the push as a line of a log.
let push = ExportOptions(
  properties: ["PushEvent": ["actor", "commits"], "User": ["login"], "Commit": ["message", "authorName"]])
print(String(decoding: try jsonData(from: events[0], options: push), as: UTF8.self))
