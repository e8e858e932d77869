// Twitter: a document of the real world. The objects stand under a key of it, tweets inside tweets are unique, identifiers
// exceed 2^53, a report says what an import did, and importing twice changes nothing.
//
//     swift run TwitterExample

import Foundation
import Graft

let package = URL(filePath: "../../", relativeTo: URL(filePath: #filePath))
let model = try ManagedObjectModel(
  contentsOf: URL(filePath: "Models/Twitter.json", relativeTo: package),
  classes: [Tweet.self, User.self, Mention.self, HashtagUse.self, Hashtag.self])
let context = ManagedObjectContext(model: model)
let data = try Data(contentsOf: URL(filePath: "Examples/Payloads/tweets.json", relativeTo: package))

// When it is the report that matters and not the objects, ask the context. "at:" says where in the document they stand.
print("First import")
print(try context.importJSON(data, ofEntity: "Tweet", at: "statuses"))

// One array element, two tweets: the retweet holds the original, digit by digit identified.
for tweet in context.fetch(Tweet.self) {
  print("\(tweet) by \(tweet.user?.screenName ?? "?"), retweeted by", tweet.retweets.compactMap(\.user?.screenName))
}

// A mention says a few words about a user, and leads to the user whom the original tweet brought in full.
let heron = context.fetch(User.self) { $0.screenName == "heron_watch" }[0]
for mention in heron.mentions {
  print("heron_watch is mentioned by", mention.tweet?.user?.screenName ?? "?", "at", mention.indices ?? [])
}

// A hashtag is nothing but its text, so each is a placeholder, and every use of it leads there.
if let birds = context.find(Hashtag.self, identity: "birds") {
  print(
    "#\(birds.text ?? "") is used in", birds.uses.compactMap(\.tweet?.identifier), "- placeholder:", birds.isPlaceholder
  )
}

// The same document again. Mentions and links have no identity: new ones replace the old ones, and all is as it was.
let before = context.dump()
print("Second import")
print(try context.importJSON(data, ofEntity: "Tweet", at: "statuses"))
print("The graph is the same:", context.dump() == before)

// An update of two counts: what the dictionary leaves out stays as it is.
print("New counts")
let original = heron.tweets[0]
let counts = #"{"id": 9007199254740992, "retweet_count": 2, "favorite_count": 5}"#
print(try context.importJSON(counts, ofEntity: "Tweet"))
print(original, "has \(original.retweetCount ?? 0) retweets, \(original.mentions.count) mentions, 1 author:", heron)

// Keys that the model does not map are passed over, or refused.
do {
  let strict = ImportOptions(sourceName: "search.json", unknownKeys: .error)
  try context.importJSON(#"{"id": 9007199254740992, "retweets_count": 3}"#, ofEntity: "Tweet", options: strict)
} catch {
  print(DiagnosticRenderer().render(error.diagnostics))
}

// An export of a few properties; identifiers keep all their digits.
let options = ExportOptions(indents: true, properties: ["Tweet": ["user", "retweetOf"], "User": ["screenName"]])
print(String(decoding: try jsonData(from: context.fetch(Tweet.self), options: options), as: UTF8.self))
