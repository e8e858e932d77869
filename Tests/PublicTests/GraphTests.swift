import Foundation
import Graft
import Testing

@Suite("Working with the graph, from outside the package") struct GraphTests {
  let context: ManagedObjectContext

  init() throws {
    context = try Newsroom.context()
    try objects(
      Article.self,
      fromJSON: """
        [{"id": 1, "title": "Floods", "section": "news", "author": {"id": 7, "name": "Ada"}, "tags": ["water"]},
         {"id": 2, "title": "Final", "section": "sports", "author": 7},
         {"id": 3, "title": "Opera", "section": "culture", "author": {"id": 8, "name": "Bo"}}]
        """, in: context)
  }

  @Test("Objects are found by their identity and by their ID")
  func finding() throws {
    let floods = try #require(try context.find(Article.self, identity: 1))
    #expect(try context.find(ofEntity: "Article", identity: 1) === floods)
    let id = floods.objectID
    #expect(try context.find(id) === floods && context.find(Article.self, id) === floods)
    let copy = try JSONDecoder().decode(ManagedObjectID.self, from: JSONEncoder().encode(id))
    #expect(try copy == id && context.find(copy) === floods && "\(id)" == "Article(1)")
  }

  @Test("A fetch can sort, filter and count objects")
  func fetching() throws {
    #expect(try context.fetch(Article.self, sortedBy: [.ascending(\.title)]).map(\.id) == [2, 1, 3])
    #expect(
      try context.fetch(Article.self, sortedBy: [.descending("author.name"), .ascending("id")], limit: 2, offset: 1)
        .map(
          \.id)
        == [1, 2])
    #expect(try context.fetch(Article.self) { $0.section == .sports }.map(\.title) == ["Final"])
    #expect(try context.fetch(ofEntity: "Author") { $0["name"] == "Bo" }.count == 1)
    #expect(try context.count(Article.self) { $0.author?.name == "Ada" } == 2 && context.count(ofEntity: "Tag") == 1)
  }

  @Test("Predicates can compare with captured enum values")
  func predicates() throws {
    let (wanted, others) = (Section.sports, [Section.news, .culture])
    #expect(try context.fetch(Article.self, where: #Predicate { $0.section == wanted }).map(\.id) == [2])
    #expect(try context.fetch(Article.self, where: #Predicate { others.contains($0.section!) }).map(\.id) == [1, 3])
  }

  @Test("Values can be read and set by name, by type, and by methods that throw")
  func values() throws {
    let floods = try #require(try context.find(Article.self, identity: 1))
    try floods.setValue("Storms", of: "title")
    try floods.setValue(Section.culture, of: "section")
    try floods.setValue(Date(timeIntervalSince1970: 0), of: "published")
    #expect(floods.title == "Storms" && floods.section == .culture)
    #expect(try floods.value(of: "published", as: Date.self) == Date(timeIntervalSince1970: 0))
    try floods.setValue(nil, of: "published")
    #expect(try floods.value(of: "published", as: Date.self) == nil)
    #expect(floods["title"]?.description == "\"Storms\"")
    #expect(throws: PropertyError.self) { try floods.setValue(1, of: "title") }
    #expect(throws: PropertyError.self) { try floods.setValue("x", of: "headline") }
    #expect(throws: PropertyError.self) { try floods.value(of: "title", as: Int.self) }
  }

  @Test("Relationships keep both sides consistent")
  func relationships() throws {
    let floods = try #require(try context.find(Article.self, identity: 1))
    let bo = try #require(try context.find(Author.self, identity: 8))
    floods["author"] = bo
    #expect(Set(bo.articles.compactMap(\.id)) == [1, 3])
    let fire = context.insert(Tag.self)
    fire["name"] = "fire"
    floods.tags.insert(fire)
    #expect(floods.tags.count == 2 && floods.tags.contains(fire))
    floods.tags.remove(fire)
    #expect(Array(floods.tags).map(\.description) == ["Tag(water)"])
  }

  @Test("One or many objects can be appended to a relationship")
  func appending() throws {
    let opera = try #require(try context.find(Article.self, identity: 3))
    let tags = ["a", "b", "c", "d"].map { name in
      let tag = context.insert(Tag.self)
      tag["name"] = name
      return tag
    }
    opera.tags.append(tags[0])
    opera.tags.append(contentsOf: tags[1...2])
    opera.tags += [tags[2], tags[3]]
    #expect(opera.tags.count == 4 && tags.allSatisfy(opera.tags.contains))
    try context.commit()
  }

  @Test("Changes and live lists can be compared, and a live list has its context")
  func comparing() async throws {
    try context.commit()
    let titles = try context.results(Article.self, sortedBy: .ascending("title"))
    #expect(titles.context === context && titles.map(\.id) == [2, 1, 3])
    var updates = titles.updates().makeAsyncIterator()
    try context.find(Article.self, identity: 1)?.title = "Aftermath"
    let pending = context.changes
    #expect(pending == context.changes && Set([pending, context.changes]).count == 1)
    try context.commit()
    #expect(context.changes != pending && context.changes.isEmpty)
    let changes = try #require(await updates.next())
    #expect(!changes.isEmpty && titles.map(\.id) == [1, 2, 3])
  }

  @Test("Changes can be committed, rolled back and printed")
  func changes() throws {
    let floods = try #require(try context.find(Article.self, identity: 1))
    floods.title = "Storms"
    #expect(context.hasChanges && context.changes.updated.map(\.id) == [floods.objectID])
    #expect(
      context.changes.updated[0]["title"] == .attribute(old: .string("Floods"), new: .string("Storms")))
    context.rollBack()
    #expect(floods.title == "Floods" && context.changes.isEmpty)
    floods.title = String(repeating: "x", count: 41)
    #expect(throws: ValidationError.self) { try context.commit() }
    #expect(throws: PropertyError.self) { try floods.validate() }
    floods.title = "Calm"
    try context.commit()
    #expect(!context.hasChanges)
  }

  @Test("Deleting an object follows the delete rules")
  func deleting() throws {
    let ada = try #require(try context.find(Author.self, identity: 7))
    let articles = ada.articles
    try context.delete(ada)
    #expect(try ada.isDeleted && articles.allSatisfy(\.isDeleted) && context.count(Article.self) == 1)
    context.rollBack()
    #expect(try context.count(Article.self) == 3)
    context.reset()
    #expect(try context.count(Article.self) == 0)
  }

  @Test("Deleting several objects deletes all of them, or none if one deletion is denied")
  func deletingTogether() throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {"Folder": {"identityAttributes": "id", "attributes": {"id": "integer64"},
          "relationships": {
            "parent": {"destination": "Folder", "inverse": "folders"},
            "folders": {"destination": "Folder", "toMany": true, "inverse": "parent", "deleteRule": "deny"}}}}}
        """)
    let context = ManagedObjectContext(model: model)
    let folders = try objects(
      ofEntity: "Folder", fromJSON: #"[{"id": 1}, {"id": 2, "parent": 1}, {"id": 3, "parent": 2}]"#, in: context)
    #expect(throws: PropertyError.self) { try context.delete(folders.dropLast()) }
    #expect(try context.count(ofEntity: "Folder") == 3 && folders.allSatisfy { !$0.isDeleted })
    // An object can be passed twice, and the order of the objects does not matter.
    try context.delete(folders + folders)
    #expect(try context.count(ofEntity: "Folder") == 0 && folders.allSatisfy(\.isDeleted))
    try context.delete(folders)
    context.rollBack()
    #expect(try context.count(ofEntity: "Folder") == 3)
  }

  @Test("A transaction keeps all changes or none, and a dry run keeps none")
  func transactions() throws {
    struct Stop: Error {}
    let before = context.dump()
    #expect(throws: Stop.self) {
      try context.atomically {
        try object(Article.self, fromJSON: ["id": 1, "title": "Gone"], in: context)
        throw Stop()
      }
    }
    let report = try context.dryRun { try context.importJSON(["id": 9, "title": "Nine"], into: Article.self) }
    #expect(report.inserted == ["Article": 1] && context.dump() == before)
  }

  @Test("A dump lists every object with its attributes and relationships")
  func dump() throws {
    let context = try Newsroom.context()
    try objects(
      Article.self, fromJSON: #"[{"id": 1, "title": "Opera", "author": 8, "tags": ["stage", "music"]}]"#, in: context)
    #expect(
      String(decoding: context.dump(), as: UTF8.self) == #"""
        {
          "Article": [
            {"id": "Article(1)", "placeholder": false,
             "attributes": {"id": 1, "title": "Opera", "section": null, "published": null},
             "relationships": {"author": "Author(8)", "tags": ["Tag(music)", "Tag(stage)"]}}
          ],
          "Author": [
            {"id": "Author(8)", "placeholder": true,
             "attributes": {"id": 8, "name": null},
             "relationships": {"articles": ["Article(1)"]}}
          ],
          "Tag": [
            {"id": "Tag(music)", "placeholder": true,
             "attributes": {"name": "music"},
             "relationships": {}},
            {"id": "Tag(stage)", "placeholder": true,
             "attributes": {"name": "stage"},
             "relationships": {}}
          ]
        }

        """#)
  }

  @Test("Updates are an asynchronous sequence")
  func updates() async throws {
    let context = try Newsroom.context()
    var updates = context.updates().makeAsyncIterator()
    try object(Tag.self, fromJSON: ["name": "new"], in: context)
    let changes = try #require(await updates.next())
    #expect(changes.cause == .import && changes.inserted.map(\.description) == ["Tag(new)"])
  }

  @Test("A background context imports objects and provides a snapshot for another context")
  func background() async throws {
    let model = try Newsroom.model()
    let background = BackgroundContext(model: model)
    let names = try await background.perform { context in
      try objects(Author.self, fromJSON: #"[{"id": 1, "name": "Cy"}]"#, in: context).compactMap(\.name)
    }
    let main = ManagedObjectContext(model: model)
    main.restore(await background.snapshot())
    #expect(try names == ["Cy"] && main.find(Author.self, identity: 1)?.name == "Cy")
  }
}
