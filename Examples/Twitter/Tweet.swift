import Foundation
import Graft

final class Tweet: ManagedObject {
  var identifier: Int? { self["identifier"] }
  var text: String? { self["text"] }
  var createdAt: Date? { self["createdAt"] }
  var retweetCount: Int? { self["retweetCount"] }
  var user: User? { self["user"] }
  var retweetOf: Tweet? { self["retweetOf"] }
  var retweets: RelatedObjects<Tweet> { self["retweets"] }
  var inReplyTo: Tweet? { self["inReplyTo"] }
  var replies: RelatedObjects<Tweet> { self["replies"] }
  var mentions: [Mention] { self["mentions"] }
  var hashtags: [HashtagUse] { self["hashtags"] }
}

final class User: ManagedObject {
  var screenName: String? { self["screenName"] }
  var followersCount: Int? { self["followersCount"] }
  var tweets: RelatedObjects<Tweet> { self["tweets"] }
  var mentions: RelatedObjects<Mention> { self["mentions"] }
}

/// A user's name in the text of a tweet.
final class Mention: ManagedObject {
  /// The start and end of the name in the text.
  var indices: [Int]? { self["indices"] }
  var tweet: Tweet? { self["tweet"] }
  var user: User? { self["user"] }
}

final class HashtagUse: ManagedObject {
  var tweet: Tweet? { self["tweet"] }
  var hashtag: Hashtag? { self["hashtag"] }
}

final class Hashtag: ManagedObject {
  var text: String? { self["text"] }
  var uses: RelatedObjects<HashtagUse> { self["uses"] }
}
