import Foundation
import Graft
import Testing

@Suite("Models, from outside the package") struct ModelTests {
  @Test("A model and its entities have descriptions that can be read")
  func describing() throws {
    let model = try Newsroom.model()
    #expect(model.description == "model (Article, Author, Tag, Draft)" && model.warnings.isEmpty)
    let article = try #require(model.entity(named: "Article"))
    #expect(
      article.identityAttributes == ["id"] && article.attributes.map(\.type) == [.integer64, .string, .string, .date])
    #expect(article.relationships[0].inverseName == "articles" && model.entity(named: "Nobody") == nil)
  }

  @Test("A model built in Swift can be checked, written and read again")
  func building() throws {
    var place = EntityDescription(
      "Place", identityAttributes: ["code"],
      attributes: [
        AttributeDescription("code", .string, keyPath: "code"),
        AttributeDescription("height", .double, isOptional: true, keyPath: "geo.height"),
      ])
    place.attributes[0].validation.pattern = "^[A-Z]{3}$"
    place.relationships = [
      RelationshipDescription("near", to: "Place", isToMany: true, inverse: "near", keyPath: "near")
    ]
    let description = ModelDescription(name: "Places", entities: [place])
    let context = ManagedObjectContext(model: try ManagedObjectModel(description))
    let oslo = try object(
      ofEntity: "Place", fromJSON: ["code": "OSL", "geo": ["height": 208], "near": ["ARN"]] as JSON, in: context)
    #expect(oslo["height"] == 208.0)

    let text = ModelFileWriter().text(of: context.model.contents)
    let again = try ManagedObjectModel(text: text)
    #expect(again.description == "Places (Place)")
    #expect(try ModelFileFormatter.format(text) == text)
    place.attributes[0].keyPath = nil
    #expect(throws: ModelError.self) { try ManagedObjectModel(ModelDescription(entities: [place])) }
  }

  @Test("A faulty model throws an error with all findings and with suggestions")
  func findings() throws {
    let text = Newsroom.text.replacingOccurrences(of: #""inverse": "author""#, with: #""inverse": "autor""#)
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(text: text, name: "newsroom.json", transformers: Newsroom.transformers)
    }
    let finding = try #require(error?.diagnostics.first { $0.severity == .error })
    #expect(finding.suggestion == "author" && finding.location?.file == "newsroom.json")
    #expect(DiagnosticRenderer(style: .json).render([finding]).contains(#""suggestion""#))
  }

  @Test("Validations registered by a program run on imports and commits")
  func validations() throws {
    var transformers = Newsroom.transformers
    transformers.registerValidation(ofEntity: "Article", attribute: "title") { (title: String) in
      if title.isEmpty { throw ValidationFailure("a title has at least one letter") }
    }
    transformers.registerValidation(of: Article.self) { article in
      if article.section == .sports, article.author == nil { throw ValidationFailure("who wrote it?", of: "author") }
    }
    let context = ManagedObjectContext(model: try Newsroom.model(transformers))
    let error = #expect(throws: ImportError.self) {
      try object(Article.self, fromJSON: ["id": 1, "title": "  "], in: context)
    }
    #expect(error?.description.contains("a title has at least one letter") == true)
    context.insert(Article.self)["id"] = 2
    #expect(throws: ValidationError.self) { try context.commit() }
  }
}
