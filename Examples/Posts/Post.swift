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
  /// Any JSON value fits an attribute of type `json`; one that is always a list of texts can be read as that.
  var tags: [String]? {
    get { self["tags"] }
    set { self["tags"] = newValue }
  }
  /// The program's own: no payload sets it, no export shows it.
  var hasBeenRead: Bool? {
    get { self["hasBeenRead"] }
    set { self["hasBeenRead"] = newValue }
  }
}

enum Language: String, AttributeConvertible {
  case english = "en"
  case german = "de"
}
