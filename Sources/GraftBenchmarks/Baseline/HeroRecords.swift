import Foundation

struct PowerRecord: Codable {
  var id: String
  var name: String
}

struct PublisherRecord: Codable {
  var id: String
  var name: String
}

struct HeroRecord: Codable {
  var id: String
  var name: String
  var realName: String?
  var gender: String
  var alignment: String
  var appearances: Int
  var height: Double
  var createdAt: Date
  var deck: String
  var powers: [PowerRecord]
  var publisher: PublisherRecord?

  enum CodingKeys: String, CodingKey {
    case id, name, gender, alignment, appearances, height, deck, powers, publisher
    case realName = "real_name"
    case createdAt = "created_at"
  }
}

/// A hero that refers to powers and publisher by their identifiers.
struct HeroReferenceRecord: Codable {
  var id: String
  var name: String
  var realName: String?
  var gender: String
  var alignment: String
  var appearances: Int
  var height: Double
  var createdAt: Date
  var deck: String
  var powers: [String]
  var publisher: String?

  enum CodingKeys: String, CodingKey {
    case id, name, gender, alignment, appearances, height, deck, powers, publisher
    case realName = "real_name"
    case createdAt = "created_at"
  }
}
