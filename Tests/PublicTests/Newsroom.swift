import Foundation
import Graft

// The library as a separate program sees it: this target cannot access declarations that are not public.

final class Article: ManagedObject {
  override class var queryableProperties: [QueryableProperty] { [.init(\Article.section, "section")] }
  var id: Int? { self["id"] }
  var title: String? {
    get { self["title"] }
    set { self["title"] = newValue }
  }
  var section: Section? {
    get { self["section"] }
    set { self["section"] = newValue }
  }
  var author: Author? { self["author"] }
  var tags: RelatedObjects<Tag> { self["tags"] }
}

final class Author: ManagedObject {
  var name: String? { self["name"] }
  var articles: [Article] { self["articles"] }
}

final class Tag: ManagedObject {}

enum Section: String, AttributeConvertible, CaseIterable, Codable { case news, sports, culture }

/// A class whose hooks skip dictionaries or complete objects.
final class Draft: ManagedObject, ImportObserving {
  static func shouldImport(_ payload: JSON) -> Bool { payload["deleted"]?.booleanValue != true }

  func didImport(_ payload: JSON) {
    let text: String? = self["text"]
    self["words"] = text?.split(separator: " ").count ?? 0
  }
}

enum Newsroom {
  static let text = """
    {
      "keyStrategy": "sameName",
      "entities": {
        "Article": {
          "identityAttributes": "id",
          "attributes": {
            "id": "integer64",
            "title": { "type": "string", "maxLength": 40, "JSONTransformerName": "Trim" },
            "section": { "type": "string", "optional": true, "enum": ["news", "sports", "culture"] },
            "published": { "type": "date", "optional": true },
          },
          "relationships": {
            "author": { "destination": "Author", "inverse": "articles" },
            "tags": { "destination": "Tag", "toMany": true },
          },
        },
        "Author": {
          "identityAttributes": "id",
          "attributes": { "id": "integer64", "name": { "type": "string", "optional": true } },
          "relationships": {
            "articles": { "destination": "Article", "toMany": true, "inverse": "author", "deleteRule": "cascade" },
          },
        },
        "Tag": { "identityAttributes": "name", "attributes": { "name": "string" } },
        "Draft": {
          "identityAttributes": "id",
          "attributes": {
            "id": "integer64",
            "text": "string",
            "words": { "type": "integer32", "default": 0, "JSONKeyPath": null },
          },
        },
      },
    }
    """

  static var transformers: TransformerRegistry {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Trim") { (text: String) in
      text.trimmingCharacters(in: .whitespaces)
    } reverse: { (title: String) in
      title
    }
    return registry
  }

  static func model(_ transformers: TransformerRegistry = transformers) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      text: text, name: "newsroom.json", transformers: transformers,
      classes: [Article.self, Author.self, Tag.self, Draft.self])
  }

  static func context() throws -> ManagedObjectContext { ManagedObjectContext(model: try model()) }
}
