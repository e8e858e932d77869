// Twitter: a real-world document. The objects are under a key, nested tweets are unique, and identifiers exceed 2^53. A report
// lists what an import changed, importing twice changes nothing, and an update is imported in the background.
//
//     swift run TwitterExample

import Foundation
import Graft

let package = URL(filePath: "../../", relativeTo: URL(filePath: #filePath))
let model = try ManagedObjectModel(
  contentsOf: URL(filePath: "Models/Twitter.json", relativeTo: package),
  classes: [Tweet.self, User.self, Mention.self, HashtagUse.self, Hashtag.self])
let context = ManagedObjectContext(model: model)
let document = URL(filePath: "Examples/Payloads/tweets.json", relativeTo: package)

// To get a report instead of objects, import with the context. "at:" is the key path of the objects in the document.
print("First import")
print(try context.importJSON(document, into: Tweet.self, at: "statuses"))

// One array element contains two tweets: a retweet and its original. Their long identifiers are exact.
for tweet in try context.fetch(Tweet.self) {
  print("\(tweet) by \(tweet.user?.screenName ?? "?"), retweeted by", tweet.retweets.compactMap(\.user?.screenName))
}

// A mention contains a few keys of a user, and leads to the user whom the original tweet describes in full.
if let heron = try context.fetchOne(User.self, where: "screenName = 'heron_watch'") {
  for mention in heron.mentions {
    print(heron, "is mentioned by", mention.tweet?.user?.screenName ?? "?", "at", mention.indices ?? [])
  }
}

// A hashtag consists only of its text, so each hashtag is a placeholder that all its uses share.
if let birds = try context.find(Hashtag.self, id: "birds") {
  print(
    "#\(birds.text ?? "") is used in", birds.uses.compactMap(\.tweet?.identifier), "- placeholder:", birds.isPlaceholder
  )
}

// Import the same document again. Mentions and links have no identity, so equal objects replace them. The tweets and
// users that they belong to are unchanged.
let before = context.dump()
print("Second import")
print(try context.importJSON(document, into: Tweet.self, at: "statuses"))
print("The graph is the same:", context.dump() == before)

// An update of two counts is imported in the background, by an actor with its own context, and then merged here.
// Properties that the dictionary omits keep their values.
print("New counts")
let background = BackgroundContext(context.snapshot())
let updates = await background.updates()
let counts = #"{"id": 9007199254740992, "retweet_count": 2, "favorite_count": 5}"#
print(try await background.importJSON(counts, into: Tweet.self))
for await changes in updates.prefix(1) { context.merge(changes) }
if let original = try context.find(Tweet.self, id: 9_007_199_254_740_992) {
  print("\(original) has \(original.retweetCount ?? 0) retweets, and still", original.text ?? "no text")
}

// Unmapped keys are ignored by default. `unknownKeys: .error` rejects them.
do {
  let strict = ImportOptions(sourceName: "search.json", unknownKeys: .error)
  try context.importJSON(#"{"id": 9007199254740992, "retweets_count": 3}"#, into: Tweet.self, options: strict)
} catch {
  print(DiagnosticRenderer().render(error.diagnostics))
}

// An export of a few properties. Identifiers keep all their digits.
let options = ExportOptions(indents: true, properties: ["Tweet": ["user", "retweetOf"], "User": ["screenName"]])
print(try jsonString(from: context.fetch(Tweet.self), options: options))
