import Foundation
import Graft

final class Post: ManagedObject {
  var identifier: Int? { self["identifier"] }
  var title: String? {
    get { self["title"] }
    set { self["title"] = newValue }
  }
  var body: String? { self["body"] }
  var language: Language? { self["language"] }
  var publishedAt: Date? { self["publishedAt"] }
  var isPinned: Bool? {
    get { self["isPinned"] }
    set { self["isPinned"] = newValue }
  }
  var viewCount: Int? {
    get { self["viewCount"] }
    set { self["viewCount"] = newValue }
  }
  var rating: Double? { self["rating"] }
  var link: URL? { self["link"] }
  /// An attribute of type `json` can hold any JSON value. If the value is always a list of strings, it can be read as `[String]`.
  var tags: [String]? {
    get { self["tags"] }
    set { self["tags"] = newValue }
  }
  /// Used only by the program: payloads do not set it, and exports do not contain it.
  var hasBeenRead: Bool? {
    get { self["hasBeenRead"] }
    set { self["hasBeenRead"] = newValue }
  }
}

enum Language: String, AttributeConvertible {
  case english = "en"
  case german = "de"
}
