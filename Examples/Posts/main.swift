// Posts: values. One flat entity with dates, links, numbers, enums and JSON. Payloads are bytes, text and dictionaries. Shows
// the meaning of null and absent keys, the rules for values, and how to roll back.
//
//     swift run PostsExample

import Foundation
import Graft

let package = URL(filePath: "../../", relativeTo: URL(filePath: #filePath))
let model = try ManagedObjectModel(
  contentsOf: URL(filePath: "Models/Posts.json", relativeTo: package), classes: [Post.self])
let context = ManagedObjectContext(model: model)

// The model's "keyStrategy" reads publishedAt from "published_at", so few key paths are needed.
let data = try Data(contentsOf: URL(filePath: "Examples/Payloads/posts.json", relativeTo: package))
let posts = try objects(Post.self, fromJSON: data, in: context)
for post in posts {
  let date = post.publishedAt?.formatted(.iso8601) ?? "never"
  print("\(post.title ?? "?"): \(date), \(post.viewCount ?? 0) views, rated \(post.rating?.description ?? "not yet")")
}

// Keys that the payload omits get the model's default, so the draft is in English.
let draft = posts[2]
if let language = draft.language { print("The draft is in", language, "and has", draft.tags ?? [], "as its tags") }

// Text and dictionaries work like bytes. Absent keys keep their values, and null clears them.
let edited: Post = try object(fromJSON: #"{"id": 3, "title": "The third window", "tags": ["home"]}"#, in: context)
try object(Post.self, fromJSON: ["id": 1, "rating": NSNull(), "view_count": 1300], in: context)
print("The draft again:", edited === draft, "-", draft.title ?? "?", draft.tags ?? [])
print("The first post has \(posts[0].viewCount ?? 0) views and", posts[0].rating == nil ? "no rating" : "a rating")

// An import commits. Later changes by the program can be rolled back.
draft.tags?.append("unfinished")
draft.isPinned = true
let extra = context.insert(Post.self)
print("Changes:", context.changes.inserted.count, "inserted,", context.changes.updated, "updated")
context.rollBack()
print("Rolled back:", draft.tags ?? [], draft.isPinned ?? false, "- the new post is deleted:", extra.isDeleted)

// The rules of the model also apply to these changes. A commit checks them.
draft.title = ""
do {
  try context.commit()
} catch {
  print(error)
  context.rollBack()
}

// All mistakes in a payload are reported together, and nothing is imported.
do {
  let faulty = #"[{"id": 1, "title": ""}, {"id": 4, "body": 5, "published_at": "yesterday"}, {"id": 2, "rating": 6}]"#
  try objects(Post.self, fromJSON: faulty, in: context)
} catch {
  print("\(error.diagnostics.count) mistakes:")
  print(DiagnosticRenderer(style: .line).render(error.diagnostics))
}

// Export as a dictionary or as bytes. nil is written as null, or omitted.
draft.hasBeenRead = true
print(try json(from: draft).keys.sorted())
print(try jsonString(from: draft, options: ExportOptions(omitsNil: true)))
