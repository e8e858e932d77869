import Foundation
import Graft
import Testing

@Suite("Exporting and Codable, from outside the package") struct ExportingTests {
  let context: ManagedObjectContext
  let article: Article

  init() throws {
    context = try Newsroom.context()
    article = try object(
      fromJSON: #"{"id": 1, "title": "Floods", "author": {"id": 7, "name": "Ada"}, "tags": ["water"]}"#, in: context)
  }

  @Test("Objects are exported as dictionaries and as bytes")
  func writing() throws {
    let dictionary = try json(from: article)
    #expect(dictionary["title"] as? String == "Floods" && (dictionary["author"] as? [String: Any])?["id"] as? Int == 7)
    var options = ExportOptions(omitsNil: true, sortsKeys: true, properties: ["Article": ["title", "author"]])
    #expect(
      String(decoding: try jsonData(from: article, options: options), as: UTF8.self)
        == #"{"author":{"id":7,"name":"Ada"},"id":1,"title":"Floods"}"#)
    options.representations = ["Article": ["author": .identifier]]
    #expect(
      String(decoding: try jsonData(from: [article], options: options), as: UTF8.self)
        == #"[{"author":7,"id":1,"title":"Floods"}]"#)
    options.representations = ["Article": ["editor": .identifier]]
    #expect(throws: ExportError.self) { try jsonData(from: article, options: options) }
  }

  @Test("Importing an export changes nothing")
  func roundTrip() throws {
    let report = try context.importJSON(jsonData(from: article), into: Article.self)
    #expect(report.updated.isEmpty && report.inserted.isEmpty && report.unchanged["Article"] == 1)
  }

  @Test("Managed objects decode inside other types, and any encoder can encode managed objects")
  func codable() throws {
    struct Page: Decodable {
      var number: Int
      var articles: ManagedObjectsUpsert<Article>
    }
    let decoder = JSONDecoder()
    decoder.userInfo[.managedObjectContext] = context
    let page = try context.decode(
      Page.self, from: Data(#"{"number": 1, "articles": [{"id": 1, "title": "Storms"}, 2]}"#.utf8), using: decoder)
    #expect(page.articles.objects.map(\.id) == [1, 2] && article.title == "Storms")
    let encoded = try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(article))
    #expect(encoded["title"] == "Storms" && encoded["author"]?["name"] == "Ada")
  }

  @Test("An object can be decoded as a plain struct, and a plain struct can be imported as an object")
  func plain() throws {
    struct Plain: Codable, Equatable {
      var id: Int
      var title: String
    }
    #expect(try article.decoded(as: Plain.self) == Plain(id: 1, title: "Floods"))
    let other = try object(Article.self, fromEncodable: Plain(id: 4, title: "Four"), in: context)
    #expect(other.id == 4 && other.title == "Four")
  }

  @Test("JSON values can be built from literals, read by key and index, and compared by meaning")
  func values() throws {
    let value: JSON = ["a": [1, 2.50, nil], "b": true]
    #expect(value["a"]?[1]?.numberValue == JSONNumber(2.5) && value["a"]?[2]?.isNull == true)
    #expect(value == ["b": true, "a": [1.0, 2.5, nil]])
    #expect(try JSON(foundation: ["n": 1, "s": "x"]) == ["s": "x", "n": 1])
    #expect((value.foundationValue as? [String: Any])?["b"] as? Bool == true)
  }
}
