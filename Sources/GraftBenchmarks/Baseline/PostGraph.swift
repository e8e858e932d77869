import Foundation

struct PostRecord: Codable {
  var id: Int
  var userID: Int
  var title: String
  var slug: String
  var body: String
  var score: Double
  var rating: Double
  var published: Bool
  var createdAt: Date
  var updatedAt: Date

  enum CodingKeys: String, CodingKey {
    case id, title, slug, body, score, rating, published
    case userID = "user_id"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
  }
}

final class TypedPost {
  let id: Int
  var userID = 0
  var title = ""
  var slug = ""
  var body = ""
  var score = 0.0
  var rating = 0.0
  var published = false
  var createdAt = Date(timeIntervalSince1970: 0)
  var updatedAt = Date(timeIntervalSince1970: 0)

  init(id: Int) { self.id = id }
}

/// Flat posts: uniquing without links.
final class PostGraph: TypedGraph {
  private var posts: [Int: TypedPost] = [:]
  private(set) var roots: [TypedPost] = []

  var counts: [String: Int] { ["Post": posts.count] }

  func prepareExport() { roots = posts.values.sorted { $0.id < $1.id } }

  func dismantle() {}

  func merge(_ json: Data) throws {
    let records = try TypedCoding.decoder.decode([PostRecord].self, from: json)
    posts.reserveCapacity(records.count)
    for record in records {
      let post = post(record.id)
      post.userID = record.userID
      post.title = record.title
      post.slug = record.slug
      post.body = record.body
      post.score = record.score
      post.rating = record.rating
      post.published = record.published
      post.createdAt = record.createdAt
      post.updatedAt = record.updatedAt
    }
  }

  func merge(_ dictionaries: [Any]) throws {
    posts.reserveCapacity(dictionaries.count)
    for element in dictionaries {
      let dictionary = try asDictionary(element)
      let post = post(try dictionary.required("id"))
      post.userID = try dictionary.required("user_id")
      post.title = try dictionary.required("title")
      post.slug = try dictionary.required("slug")
      post.body = try dictionary.required("body")
      post.score = try dictionary.required("score")
      post.rating = try dictionary.required("rating")
      post.published = try dictionary.required("published")
      post.createdAt = try dictionary.date("created_at")
      post.updatedAt = try dictionary.date("updated_at")
    }
  }

  func export() throws -> Data {
    try TypedCoding.encoder.encode(
      roots.map { post in
        PostRecord(
          id: post.id, userID: post.userID, title: post.title, slug: post.slug, body: post.body, score: post.score,
          rating: post.rating, published: post.published, createdAt: post.createdAt, updatedAt: post.updatedAt)
      })
  }

  private func post(_ id: Int) -> TypedPost {
    if let known = posts[id] { return known }
    let new = TypedPost(id: id)
    posts[id] = new
    return new
  }
}
