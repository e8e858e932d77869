import Foundation
import Graft
import GraftTools
import Testing

/// A model must fit a service's next document, not only the document from which it was inferred.
@Suite("Inference: the next document") struct InferNextDocumentTests {
  /// Two documents of one kind, and the name that the user gives to their objects.
  struct Documents: Sendable, CustomTestStringConvertible {
    var kind: String
    var entityName: String?
    var first: String
    var second: String

    var testDescription: String { kind }

    init(_ kind: String, _ entityName: String?, _ first: String, _ second: String) {
      (self.kind, self.entityName, self.first, self.second) = (kind, entityName, first, second)
    }
  }

  static let documents: [Documents] = [
    Documents(
      "JSON:API", nil,
      #"""
      {"data": [{"type": "books", "id": "1", "attributes": {"title": "Otters"},
         "relationships": {"author": {"data": {"type": "people", "id": "1"}}, "tags": {"data": [{"type": "tags", "id": "1"}]}}},
        {"type": "books", "id": "2", "attributes": {"title": "Tides"},
         "relationships": {"author": {"data": {"type": "people", "id": "2"}}, "tags": {"data": []}}}],
       "included": [{"type": "people", "id": "1", "attributes": {"name": "Ann"}}, {"type": "people", "id": "2", "attributes": {"name": "Bo"}},
        {"type": "tags", "id": "1", "attributes": {"label": "sea"}}]}
      """#,
      #"""
      {"data": [{"type": "books", "id": "9", "attributes": {"title": "Rivers"},
         "relationships": {"author": {"data": {"type": "people", "id": "4"}}, "tags": {"data": [{"type": "tags", "id": "9"}]}}}],
       "included": [{"type": "people", "id": "9", "attributes": {"name": "Cy"}}, {"type": "tags", "id": "9", "attributes": {"label": "land"}}]}
      """#),
    Documents(
      "objects under keys, and elsewhere", "Chat",
      #"""
      {"title": "Chat", "users": {"u-17": {"id": "u-17", "name": "Ann"}, "u-23": {"id": "u-23", "name": "Bo"}},
       "messages": [{"id": 1, "text": "hi", "user": {"id": "u-40", "name": "Cy"}}, {"id": 2, "text": "yo", "user": {"id": "u-41", "name": "Di"}}]}
      """#,
      #"""
      {"title": "Talk", "users": {"u-50": {"id": "u-50", "name": "Ed"}},
       "messages": [{"id": 3, "text": "so", "user": {"id": "u-51", "name": "Flo"}}]}
      """#),
    Documents(
      "one object under a key that is not a name", "Sync",
      #"{"since": "s1", "rooms": {"!abc:example.com": {"name": "A", "unread": 1}}}"#,
      #"{"since": "s2", "rooms": {"!def:example.com": {"name": "B", "unread": 2}}}"#),
    Documents(
      "fixtures", "Fixture",
      #"""
      [{"model": "shop.customer", "pk": 1, "fields": {"name": "Ann"}}, {"model": "shop.order", "pk": 1, "fields": {"total": 5}},
       {"model": "shop.order", "pk": 2, "fields": {"total": 6}}]
      """#,
      #"[{"model": "shop.customer", "pk": 2, "fields": {"name": "Bo"}}, {"model": "shop.order", "pk": 3, "fields": {"total": 7}}]"#
    ),
    Documents(
      "bundle", "Resource",
      #"""
      [{"resourceType": "Observation", "id": "1", "subject": {"reference": "Patient/1"}}, {"resourceType": "Patient", "id": "1", "name": "Ida"},
       {"resourceType": "Observation", "id": "2", "subject": {"reference": "Patient/1"}}]
      """#,
      #"[{"resourceType": "Observation", "id": "2", "subject": {"reference": "Patient/2"}}]"#),
    Documents(
      "places", "Element",
      #"""
      [{"type": "node", "id": 1, "lat": 1.5, "lon": 2.5}, {"type": "node", "id": 2, "lat": 1.5, "lon": 3.5},
       {"type": "way", "id": 1, "nodes": [1, 2]}, {"type": "way", "id": 3, "nodes": [2, 1, 2]}]
      """#,
      #"[{"type": "way", "id": 2, "nodes": [7, 8]}, {"type": "node", "id": 2, "lat": 0.5, "lon": 0.5}]"#),
    Documents(
      "map", "Element",
      #"""
      [{"type": "node", "id": 1, "lat": 1.5}, {"type": "way", "id": 2, "nodes": [1]}, {"type": "relation", "id": 3, "members": [{"type": "way", "ref": 2}]}]
      """#,
      #"[{"type": "way", "id": 1, "nodes": [5]}, {"type": "node", "id": 1, "lat": 2.5}]"#),
    Documents(
      "shop", "Product",
      #"""
      [{"id": 1, "name": "Shirt", "price": 30.00, "categories": [{"id": 1, "name": "Clothes", "slug": "c"}, {"id": 2, "name": "Sale", "slug": "s"}],
        "images": [{"id": 1, "name": "front.png", "src": "f"}]},
       {"id": 2, "name": "Mug", "price": 12.00, "categories": [{"id": 2, "name": "Sale", "slug": "s"}],
        "images": [{"id": 2, "name": "mug.png", "src": "m"}]}]
      """#,
      #"""
      [{"id": 3, "name": "Cup", "price": 9.95, "categories": [{"id": 2, "name": "Sale", "slug": "s"}], "images": [{"id": 2, "name": "mug.png", "src": "m"}]},
       {"id": 4, "name": "Hat", "price": 9.95, "categories": [{"id": 2, "name": "Sale", "slug": "s"}], "images": []}]
      """#),
    Documents(
      "albums", "Album",
      #"[{"id": "a", "title": "Blue", "genres": [{"id": 7, "name": "folk"}, {"id": 8, "name": "rock"}]}]"#,
      #"[{"id": "b", "title": "Red", "genres": [{"id": 8, "name": "rock"}]}, {"id": "c", "title": "Green", "genres": [{"id": 8, "name": "rock"}]}]"#
    ),
    Documents(
      "addresses", "Customer",
      #"[{"id": 1, "home": {"country_id": 3, "street": "A"}, "work": {"country_id": 4, "street": "B"}}]"#,
      #"[{"id": 2, "home": {"country_id": 3, "street": "C"}, "work": {"country_id": 3, "street": "D"}}]"#),
    Documents(
      "stock", "Item",
      #"[{"id": 1, "options": {"S": {"left": 1}, "M": {"left": 2}, "1": {"left": 3}, "2": {"left": 3}}}, {"id": 2, "options": {"L": {"left": 4}}}]"#,
      #"[{"id": 3, "options": {"S": {"left": 9}}}, {"id": 4, "options": {"S": {"left": 8}}}]"#),
    Documents(
      "tags", "Place",
      #"""
      [{"id": 1, "tags": {"amenity": "bench", "name": "Oak"}}, {"id": 2, "tags": {"leisure": "park", "dog": "yes"}}, {"id": 3, "tags": {"building": "hut"}},
       {"id": 4, "tags": {"highway": "path", "surface": "sand"}}]
      """#,
      #"[{"id": 5, "tags": {"shop": "bakery"}}]"#),
    Documents(
      "parts in parts", "Box",
      #"""
      {"name": "box", "parts": {"a": {"v": 1}, "b": {"v": 1}, "c": {"v": 1}, "d": {"v": 1, "parts": {"x": {"v": 2, "parts": {"y": {"v": 3}}}, "z": {"v": 4}}},
       "e": {"v": 1}, "f": {"v": 1}, "g": {"v": 1}, "h": {"v": 1}}}
      """#,
      #"{"name": "crate", "parts": {"q": {"v": 1, "parts": {"a": {"v": 7}}}, "a": {"v": 8}}}"#),
    Documents(
      "thread", nil,
      #"""
      {"ancestors": [{"id": 1, "text": "a", "in_reply_to_id": null}],
       "descendants": [{"id": 3, "text": "c", "in_reply_to_id": 1}, {"id": 4, "text": "d", "in_reply_to_id": 3}]}
      """#,
      #"{"ancestors": [{"id": 5, "text": "e", "in_reply_to_id": 4}], "descendants": [{"id": 6, "text": "f", "in_reply_to_id": 5}]}"#
    ),
    Documents(
      "gaps", "Person",
      #"[{"id": 1, "born": "", "site": "", "weight": ""}, {"id": 2, "born": "1990-01-02", "site": "https://example.org/a", "weight": 70.5}]"#,
      #"[{"id": 3, "born": "1991-01-02", "site": "", "weight": 71}]"#),
    Documents(
      "lock file", "Lock",
      #"""
      {"name": "app", "packages": {"node_modules/a": {"version": "1.0.0", "license": "MIT"}, "node_modules/b": {"resolved": "x", "dev": true},
       "node_modules/c": {"version": "2.0.0", "dependencies": {"a": "^1"}}}}
      """#,
      #"{"name": "site", "packages": {"node_modules/d": {"version": "3.0.0", "dependencies": {"e": "*"}}}}"#),
  ]

  private func infer(_ text: String, _ entityName: String?) throws -> InferredModel {
    let sample = ModelInference.Sample(
      SourceText(name: "documents.json", bytes: Array(text.utf8)), entityName: entityName)
    let model = try ModelInference([sample]).run()
    #expect(model.findings == [] && !model.isSimplified, "\(model.text)")
    return model
  }

  @Test(
    "A model that is inferred from one document loses no values of this document or of the next one",
    arguments: documents)
  func next(_ documents: Documents) throws {
    let model = try infer(documents.first, documents.entityName)
    for document in [documents.first, documents.second] {
      let losses = try Coverage.losses(of: Array(document.utf8), with: model)
      // A list that mentions an object twice becomes a list of numbers. "" becomes null, which a comment notes.
      let excused = losses.filter { $0.contains("\"\" became") && model.text.contains(#"Guess: "" means null."#) }
      #expect(losses.filter { !excused.contains($0) } == [], "\(model.text)")
    }
  }

  @Test(
    "Importing both documents together does not remove a link from an object of the other document",
    arguments: documents)
  func together(_ documents: Documents) throws {
    let inferred = try infer(documents.first, documents.entityName)
    let context = ManagedObjectContext(model: try ManagedObjectModel(text: inferred.text))
    for document in [documents.first, documents.second] {
      let sample = ModelInference.Sample(SourceText(name: "documents.json", bytes: Array(document.utf8)))
      let report = try inferred.importSamples([sample], into: context)
      #expect(report.warnings == [] && report.deleted.isEmpty, "\(inferred.text)")
    }
    // The objects of the first document are still there.
    let losses = try Coverage.losses(of: Array(documents.first.utf8), with: inferred)
    #expect(losses.allSatisfy { $0.contains("\"\" became") }, "\(losses)")
  }

  @Test("JSON:API: types and ids form one hierarchy, linkage becomes references, and types become names")
  func resources() throws {
    let documents = try #require(Self.documents.first { $0.kind == "JSON:API" })
    let model = try infer(documents.first, nil)
    let names = Set(model.description.entities.map(\.name))
    #expect(names == ["Resource", "Book", "Person", "Tag"], "\(model.text)")
    let resource = try #require(model.description.entities.first { $0.name == "Resource" })
    #expect(resource.identityAttributes == ["type", "id"])
    #expect(resource.entityMapper?.cases.map(\.value).sorted() == ["books", "people", "tags"])
    let book = try #require(model.description.entities.first { $0.name == "Book" })
    let author = try #require(book.relationships.first { $0.name == "author" }, "\(model.text)")
    #expect(author.destinationName == "Person" && author.hasReferences && !author.isToMany)
    #expect(author.keyPath == "relationships.author.data")
    let tags = try #require(book.relationships.first { $0.name == "tags" })
    #expect(tags.destinationName == "Tag" && tags.isToMany && tags.hasReferences)
    // Two books are not enough to show that each book has a title.
    #expect(book.attributes.map(\.name) == ["title"] && book.attributes[0].isOptional)
    #expect(model.parts.map(\.keys) == [["data"], ["included"]])
    #expect(Set(model.parts.map(\.entityName)) == ["Resource"])
    // Objects to which the second document only refers are placeholders.
    let context = ManagedObjectContext(model: try ManagedObjectModel(text: model.text))
    let sample = ModelInference.Sample(SourceText(name: "2.json", bytes: Array(documents.second.utf8)))
    let report = try model.importSamples([sample], into: context)
    #expect(report.inserted == ["Book": 1, "Person": 1, "Tag": 1] && report.placeholders == ["Person": 1])
  }

  @Test("A string such as Patient/1 refers to the object with this type and ID")
  func typedReferences() throws {
    let documents = try #require(Self.documents.first { $0.kind == "bundle" })
    let model = try infer(documents.first, "Resource")
    let observation = try #require(model.description.entities.first { $0.name == "Observation" }, "\(model.text)")
    let subject = try #require(observation.relationships.first { $0.keyPath == "subject.reference" }, "\(model.text)")
    #expect(
      subject.name == "subject" && subject.destinationName == "Patient" && subject.transformerNames == ["Split(/)"])
  }

  @Test("If a key has a single element in one place and a list in another, it becomes a list")
  func lenientLists() throws {
    let model = try infer(
      #"[{"id": 1, "line": [{"n": 1, "text": "a"}, {"n": 2, "text": "b"}], "tag": ["x", "y"]}, {"id": 2, "line": {"n": 3, "text": "c"}, "tag": "z"}]"#,
      "Order")
    let order = try #require(model.description.entities.first { $0.name == "Order" })
    let line = try #require(order.relationships.first { $0.keyPath == "line" }, "\(model.text)")
    #expect(line.isToMany && line.isLenient)
    let tag = try #require(order.attributes.first { $0.name == "tag" })
    #expect(tag.isList && tag.isLenient && tag.type == .string)
    #expect(model.report?.inserted == ["Order": 2, "Line": 3])
    let mixed = try infer(
      #"[{"id": 1, "line": [{"n": 1, "text": "a"}]}, {"id": 2, "line": {"color": "red"}}]"#, "Order")
    #expect(mixed.description.entities.map(\.name) == ["Order"])
  }

  @Test("Empty strings, false and [] in place of other values mean null")
  func nulls() throws {
    let model = try infer(
      #"[{"id": 1, "born": "", "price": false, "meta": []}, {"id": 2, "born": "2020-01-01", "price": 1.5, "meta": {"color": "red"}}]"#,
      "Item")
    let item = try #require(model.description.entities.first { $0.name == "Item" })
    func nulls(_ name: String) -> [JSON]? { item.attributes.first { $0.name == name }?.nulls }
    #expect(nulls("born") == [""] && nulls("price") == [false], "\(model.text)")
    #expect(item.relationships.first { $0.name == "meta" }?.nulls == [[]], "\(model.text)")
    // An empty string among other strings is a value.
    let text = try infer(#"[{"id": 1, "note": ""}, {"id": 2, "note": "a"}]"#, "Item")
    #expect(text.description.entities[0].attributes[1].nulls == nil)
  }

  @Test("Key paths lead through a connection's edges")
  func connections() throws {
    let model = try infer(
      #"{"name": "r", "size": 1, "issues": {"edges": [{"cursor": "x", "node": {"id": "I1", "title": "a"}}, {"cursor": "y", "node": {"id": "I2", "title": "b"}}]}}"#,
      "Repository")
    #expect(Set(model.description.entities.map(\.name)) == ["Repository", "Issue"])
    let repository = try #require(model.description.entities.first { $0.name == "Repository" })
    let issues = try #require(repository.relationships.first { $0.name == "issues" }, "\(model.text)")
    #expect(issues.keyPath == "issues.edges[].node" && issues.isToMany)
    #expect(model.text.contains(#""cursor" of the elements is not mapped"#))
    #expect(model.report?.inserted == ["Repository": 1, "Issue": 2])
  }

  @Test("Each type has its own IDs, even if no ID occurs twice in the documents")
  func typedOnlyIfSeen() throws {
    let model = try infer(
      #"[{"type": "a", "id": 1, "x": 1}, {"type": "a", "id": 2, "x": 1}, {"type": "b", "id": 3, "x": 1}]"#, "Thing")
    #expect(model.description.entities.map(\.identityAttributes) == [["id"]])
  }

  @Test("Objects in several lists become one entity if they agree, and several entities if they contradict each other")
  func kinds() throws {
    func entities(_ text: String, _ name: String? = nil) throws -> Set<String> {
      Set(try infer(text, name).description.entities.map(\.name))
    }
    let shop = try #require(Self.documents.first { $0.kind == "shop" })
    #expect(try entities(shop.first, "Product") == ["Product", "Category", "Image"])
    let friends =
      #"{"id": 1, "name": "Ann", "follows": [{"id": 2, "name": "Bo"}, {"id": 3, "name": "Cy"}], "friends": [{"id": 2, "name": "Bo"}]}"#
    #expect(try entities(friends, "User") == ["User"])
    let thread = try infer(try #require(Self.documents.first { $0.kind == "thread" }).first, nil)
    #expect(thread.description.entities.count == 1, "\(thread.text)")
    let reply = thread.description.entities[0].relationships.first { $0.keyPath == "in_reply_to_id" }
    #expect(reply?.destinationName == thread.description.entities[0].name, "\(thread.text)")
  }

  @Test(
    "A key that names no entity becomes a reference only if its values are the identities of objects",
    arguments: [
      (#"[{"id": 1, "parent_id": null}, {"id": 2, "parent_id": 1}, {"id": 3, "parent_id": 1}]"#, true),
      (#"[{"id": 1, "manager_id": 2}, {"id": 2, "manager_id": null}]"#, true),
      (#"[{"id": 1, "status_id": 2}, {"id": 2, "status_id": 1}]"#, false),
      (#"[{"id": 1, "parent_id": 7}, {"id": 2, "parent_id": 1}]"#, false),
    ])
  func selfReferences(payload: String, isReference: Bool) throws {
    let thing = try #require(try infer(payload, "Thing").description.entities.first)
    #expect(thing.relationships.contains { $0.destinationName == "Thing" } == isReference)
  }

  @Test("The inverse of a list is a to-many, unless the objects name their owner")
  func sharedMembers() throws {
    let albums = try infer(#"[{"id": "a", "genres": [{"id": 7, "name": "folk"}]}]"#, "Album")
    let genre = try #require(albums.description.entities.first { $0.name == "Genre" })
    #expect(genre.relationships.map(\.isToMany) == [true])
    let posts = try infer(#"[{"id": 1, "comments": [{"id": 7, "post_id": 1, "body": "a"}]}]"#, "Post")
    let comment = try #require(posts.description.entities.first { $0.name == "Comment" })
    #expect(comment.relationships.allSatisfy { !$0.isToMany }, "\(posts.text)")
    let parts = try infer(#"[{"id": 1, "lines": [{"text": "a"}]}]"#, "Order")
    let line = try #require(parts.description.entities.first { $0.name == "Line" })
    #expect(line.relationships.map(\.isToMany) == [false])
  }

  @Test(
    "If objects contradict each other in one property, only this property is left out, and a comment names the reason")
  func oneProperty() throws {
    let model = try infer(
      #"[{"id": "a", "badge": "Gold", "n": 1}, {"id": "b", "badge": {"id": 7}, "n": 2, "editions": [{"badges": [{"id": 7}]}, {"badge": {"id": 7}}]}]"#,
      "Book")
    let book = try #require(model.description.entities.first { $0.name == "Book" })
    #expect(book.identityAttributes == ["id"])
    #expect(
      book.attributes.map(\.name) == ["id", "badge", "n"]
        && book.attributes.map(\.type) == [.string, .json, .integer64])
    #expect(book.relationships.contains { $0.name == "editions" })
    let edition = try #require(model.description.entities.first { $0.name == "Edition" })
    #expect(
      edition.relationships.filter { $0.keyPath != nil }.map(\.name).sorted() == ["badge", "badges"], "\(model.text)")
  }

  @Test("A guess that causes warnings or errors in an import is discarded alone, and a comment gives the reason")
  func refutations() throws {
    let repeats = try infer(
      #"[{"id": 1, "born": "2020-01-01", "songs": [{"id": 5, "n": "a"}, {"id": 6, "n": "b"}, {"id": 5, "n": "a"}]}]"#,
      "List")
    #expect(repeats.refutedCount == 1)
    let list = try #require(repeats.description.entities.first { $0.name == "List" })
    #expect(list.identityAttributes == ["id"] && list.attributes.map(\.type) == [.integer64, .date, .json])
    #expect(
      repeats.text.contains("// Kept unchanged, because the samples refute a guess: expected each object only once"))
    #expect(repeats.report?.warnings == [])
    let nulls = try infer(
      #"[{"id": 1, "kind": {"id": 7, "n": "a"}}, {"id": 2, "kind": {"id": 8, "n": null}}, {"id": 3, "kind": {"id": 9, "n": "b"}}, {"id": 4, "kind": {"id": 6, "n": "c"}}]"#,
      "Boat")
    #expect(nulls.refutedCount == 1)
    let kind = try #require(nulls.description.entities.first { $0.name == "Kind" })
    #expect(kind.identityAttributes == ["id"] && kind.attributes.map(\.isOptional) == [false, true])
  }

  @Test("Values that are identifiers in one place and objects in another become a relationship if the identities match")
  func mixedForms() throws {
    let model = try infer(#"[{"id": 1, "by": {"id": 5, "name": "A"}}, {"id": 2, "by": 5}]"#, "Order")
    let order = try #require(model.description.entities.first { $0.name == "Order" })
    #expect(order.relationships.first?.keyPath == "by", "\(model.text)")
    let other = try infer(#"[{"id": 1, "by": {"id": 5, "name": "A"}}, {"id": 2, "by": "somebody"}]"#, "Order")
    #expect(other.description.entities.map(\.name) == ["Order"])
  }

  @Test("Objects that have only an identity are references, and do not make the properties of other objects optional")
  func references() throws {
    let model = try infer(
      #"[{"id": 1, "kind": {"id": 7, "name": "ferry"}}, {"id": 2, "kind": {"id": 7}}, {"id": 3, "kind": {"id": 8, "name": "tug"}}, {"id": 4, "kind": {"id": 9, "name": "yawl"}}]"#,
      "Boat")
    let kind = try #require(model.description.entities.first { $0.name == "Kind" })
    #expect(kind.attributes.map(\.isOptional) == [false, false])
    let boat = try #require(model.description.entities.first { $0.name == "Boat" })
    #expect(boat.relationships.first?.hasReferences == true)
  }

  @Test(
    "Keys with typical forms are data: countries, codes, numbered words, keys of tables, and keys in maps of maps",
    arguments: [
      (#"{"countries": {"DE": {"name": "Germany"}, "FR": {"name": "France"}}}"#, #""name""#),
      (#"{"population": {"DE": 83, "FR": 67}}"#, #""@value""#),
      (#"{"teams": {"BOS": {"wins": 3}, "LAL": {"wins": 4}}}"#, #""wins""#),
      (#"{"users": {"u1": {"name": "A"}, "u2": {"name": "B"}}}"#, #""name""#),
      (#"{"users": {"user_17": {"name": "A"}, "user_40": {"name": "B"}}}"#, #""name""#),
      (#"{"distances": {"rome": {"oslo": 2006}, "oslo": {"rome": 2006}}}"#, #""@value""#),
      (#"{"2024-01-01": {"EUR": {"USD": 1.1}}, "2024-01-02": {"EUR": {"USD": 1.2}}}"#, #""@value""#),
    ])
  func keysOfCertainForms(document: String, member: String) throws {
    let model = try ModelInference([.init(SourceText(name: "page.json", bytes: Array(document.utf8)))]).run()
    #expect(model.description.entities.count == 1 && model.findings.isEmpty, "\(model.text)")
    #expect(model.text.contains(#""JSONKeyPath": "@key""#) && model.text.contains(member), "\(model.text)")
  }

  @Test("A null contradicts a value in another mention, and objects that share only an ID are of two kinds")
  func contradictions() throws {
    func text(_ document: String) throws -> String {
      try ModelInference([.init(SourceText(name: "item.json", bytes: Array(document.utf8)))]).run().text
    }
    let named = try text(#"[{"id": 1, "name": "x"}, {"id": 1, "name": null}]"#)
    #expect(named.contains("No identity") && !named.contains("identityAttributes"), "\(named)")
    let fields = try text(
      #"[{"id": 1, "cf": [{"id": 7, "value": "a"}, {"id": 8, "value": "b"}]}, {"id": 2, "cf": [{"id": 7, "value": null}, {"id": 8, "value": null}]}]"#
    )
    #expect(fields.contains(#""identityAttributes": ["item", "id"]"#), "\(fields)")
    let categories = try text(
      #"[{"id": 3, "category": {"id": 1, "name": "News"}, "venue": {"id": 5, "category": {"id": 1, "label": "Bar"}}}]"#)
    #expect(categories.contains(#""VenueCategory""#), "\(categories)")
  }

  @Test("A file with the same name as its list has objects of two entities")
  func namedAfterList() throws {
    let document =
      #"{"schemaVersion": 2, "mediaType": "x", "manifests": [{"mediaType": "y", "digest": "a", "size": 1}, {"mediaType": "y", "digest": "b", "size": 2}]}"#
    let model = try ModelInference([.init(SourceText(name: "manifest.json", bytes: Array(document.utf8)))]).run()
    #expect(model.description.entities.map(\.name) == ["Manifest", "ManifestManifest"], "\(model.text)")
  }

  @Test("Words with a few consecutive numbers are names of properties")
  func countedProperties() throws {
    let document = #"[{"id": 1, "team1": {"name": "A", "score": 3}, "team2": {"name": "B", "score": 4}}]"#
    let model = try ModelInference([.init(SourceText(name: "matches.json", bytes: Array(document.utf8)))]).run()
    #expect(!model.text.contains("@key") && model.text.contains("team2"), "\(model.text)")
  }

  @Test(
    "Comments note what one sample cannot show: keys might be data, and numbers might be unique only in one object"
  )
  func unseen() throws {
    let order = #"{"id": 7, "items": [{"id": 1, "sku": "A", "n": 2}, {"id": 2, "sku": "B", "n": 1}]}"#
    let counted = "\"id\" identifies the objects everywhere. If each 'M' counts its own from 1"
    #expect(try Self.model("[\(order)]").contains(counted))
    #expect(try !Self.model(#"[{"id": 7, "items": [{"id": 51, "n": 2}, {"id": 52, "n": 1}]}]"#).contains(counted))
    let size = #"{"w": 1, "h": 2}"#
    let (small, large) = ("\"small\": \(size)", "\"large\": \(size)")
    let keys = "in \"sizes\" are names of properties"
    #expect(try Self.model("[{\"id\": 7, \"sizes\": {\(small), \(large), \"thumb\": \(size)}}]").contains(keys))
    #expect(
      try Self.model("[{\"id\": 7, \"sizes\": {\(small), \(large)}}, {\"id\": 8, \"sizes\": {\(small)}}]").contains(
        keys))
    #expect(try !Self.model("[{\"id\": 7, \"sizes\": {\(small), \(large)}}]").contains(keys))
  }

  // MARK: Several samples

  private static func text(_ samples: [String], _ entityName: String? = "Task") throws -> String {
    let samples = samples.enumerated().map { number, text in
      ModelInference.Sample(
        SourceText(name: "page\(number + 1).json", bytes: Array(text.utf8)), entityName: entityName)
    }
    let model = try ModelInference(samples).run()
    #expect(model.findings == [])
    return model.text.split(separator: "\n").filter { !$0.contains("Inferred from") }
      .map { $0.drop { $0 == " " } }.joined(separator: " ").replacing(" // ", with: " ")
  }

  @Test("A page that is given twice or overlaps with another page is not evidence, so the model stays the same")
  func repeatedPages() throws {
    let first = #"""
      [{"id": "r1", "fields": {"name": "Buy milk", "count": 1, "status": "Todo", "tags": [{"name": "a", "hue": 1}]}},
       {"id": "r2", "fields": {"name": "Water plants", "count": 2.5, "status": "Done", "tags": [{"name": "b", "hue": 2}]}},
       {"id": "r3", "fields": {"name": "Sweep", "count": 3, "status": "Todo", "people": [{"id": 1, "name": "Ann"}, {"code": 7}]}}]
      """#
    let once = try Self.text([first])
    #expect(try Self.text([first, first]) == once && Self.text([first, first, first]) == once)
    #expect(try Self.text([first, first], nil) == Self.text([first], nil))
    let page = #"{"next": "p2", "results": \#(first)}"#
    #expect(try Self.text([page, page.replacing("\"p2\"", with: "null")]) == Self.text([page]))
    // The same task in another state. The task's parts are not separate objects.
    let later =
      #"[{"id": "r1", "fields": {"name": "Buy milk", "count": 1, "status": "Done", "tags": [{"name": "a", "hue": 1}]}}]"#
    let both = try Self.text([first, later])
    #expect(!both.contains("\"Field\"") && !both.contains("\"identityAttributes\": \"name\""), "\(both)")
    #expect(both.contains("\"Task\": { \"identityAttributes\": \"id\""), "\(both)")
  }

  @Test("Repeats in several places in one object are evidence, but repeats in several mentions of an object are not")
  func repeatsInsideOneObject() throws {
    let entries = (1...6).map {
      #"{"text": "t\#($0)", "language": {"name": "l\#($0 % 2)", "url": "https://example.com/l/\#($0 % 2)"}}"#
    }
    let ability = #"{"id": 65, "name": "overgrow", "entries": [\#(entries.joined(separator: ","))]}"#
    let text = try Self.text([ability], "Ability")
    #expect(text.contains("\"Language\": { \"identityAttributes\": \"url\""), "\(text)")
  }

  @Test("A later state of an object does not disprove the object's ID, in the document or in another object")
  func laterStates() throws {
    func page(_ state: String, _ score: Double) -> String {
      #"""
      {"took": 3, "_shards": {"total": 1}, "hits": {"total": {"value": 2}, "max_score": 1, "hits": [
        {"_index": "logs", "_id": "a1", "_score": \#(score), "_source": {"state": "\#(state)", "host": "h1"}},
        {"_index": "logs", "_id": "a2", "_score": \#(score), "_source": {"state": "\#(state)", "host": "h2"}}]}}
      """#
    }
    #expect(try Self.text([page("open", 1.5), page("closed", 0.5)], "Hit").contains("\"identityAttributes\": \"id\""))
    func group(_ state: String) -> String {
      #"{"reservations": [{"reservationId": "r-1", "instances": [{"instanceId": "i-1", "state": "\#(state)", "type": "m"}, {"instanceId": "i-2", "state": "\#(state)", "type": "m"}]}]}"#
    }
    let text = try Self.text([group("running"), group("stopped")], "Reservation")
    #expect(text.contains("\"Instance\": { \"identityAttributes\": \"instanceId\""), "\(text)")
  }

  @Test("Each type has separate IDs, regardless of the name of the type's key")
  func typeKeys() throws {
    for key in ["media_type", "object_type", "contentType", "__typename", "itemKind", "$type"] {
      let titles = (1...4).flatMap { number in
        ["film", "series"].map { #"{"\#(key)": "\#($0)", "id": \#(number), "title": "\#($0) \#(number)"}"# }
      }
      let text = try Self.text(["[\(titles.joined(separator: ","))]"], "Title")
      #expect(text.contains("\"id\" identify the objects together: each type has its own IDs"), "\(text)")
    }
    // In another sample, the object has a different type.
    let text = try Self.text(
      [
        #"[{"id": 1, "user_type": "guest", "name": "A"}, {"id": 2, "user_type": "guest", "name": "B"}]"#,
        #"[{"id": 1, "user_type": "member", "name": "A"}]"#,
      ], "User")
    #expect(text.contains("\"identityAttributes\": \"id\""), "\(text)")
  }

  @Test(
    "Pages in one form can list objects of several kinds, and the next page of an object's list is added to the list")
  func innerPages() throws {
    func article(_ number: Int, _ next: String) -> String {
      #"""
      {"id": \#(number), "comments": {"count": 1, "next": \#(next), "previous": null, "results": [{"id": \#(number), "body": "c", "stars": 2}]},
       "tags": {"count": 1, "next": null, "previous": null, "results": [{"id": \#(number % 2), "label": "t", "hue": 1}]}}
      """#
    }
    let pages = [#""/comments?page=2""#, "null"].map { next in
      "{\"next\": null, \"results\": [\((1...6).map { article($0, next) }.joined(separator: ","))]}"
    }
    let text = try Self.text([pages[0]], "Article")
    #expect(text.contains("\"Comment\": { \"identityAttributes\": \"id\"") && text.contains("\"Tag\": {"), "\(text)")
    #expect(!text.contains("Page\": {") && text.contains("\"mergeRule\": \"union\""), "\(text)")
    #expect(text.contains("this is one page of the list, so the objects of the next page join it"))
    let whole = try Self.text([pages[1]], "Article")
    #expect(!whole.contains("\"mergeRule\": \"union\",") && whole.contains("Guess: the list is complete."), "\(whole)")
    // A cart also has a total, and its items are not pages.
    let cart = #"[{"id": 1, "cart": {"total": 5, "count": 1, "items": [{"sku": "a", "price": 5}]}}]"#
    #expect(try !Self.text([cart], "User").contains("union"))
  }

  @Test(
    "Warnings name objects that each import would insert again, and the attributes in which these objects differ"
  )
  func repeatedInsertions() throws {
    let readings = (1...6).map { #"{"device": "d\#($0 % 2)", "at": \#($0 / 2), "value": \#(Double($0) / 4)}"# }
    let text = try Self.text(["[\(readings.joined(separator: ","))]"], "Reading")
    #expect(
      text.contains(
        #"No identity: each import inserts these objects again. No two of the 6 samples have the same "device" and "at". If none ever do, add "identityAttributes": ["device", "at"]."#
      ), "\(text)")
    let papers = (1...6).map { #"{"doi": "10.1/\#($0)", "appid": "a\#($0)", "year": 2020}"# }
    #expect(
      try Self.text(["[\(papers.joined(separator: ","))]"], "Paper").contains(
        #"No two of the 6 samples have the same "doi" or "appid". If that identifies them, add "identityAttributes": "doi"."#
      ))
    // If an owner has an ID, its parts are replaced.
    let order = #"[{"id": 7, "lines": [{"sku": "a", "n": 1}, {"sku": "b", "n": 1}]}]"#
    #expect(try !Self.text([order], "Order").contains("inserts these objects again"))
  }

  @Test("In lists that describe themselves as pages, the user's name applies to the listed objects")
  func listings() throws {
    let pods = #"""
      {"kind": "PodList", "apiVersion": "v1", "metadata": {"resourceVersion": "7"},
       "items": [{"metadata": {"name": "a", "uid": "u1"}, "status": {"phase": "Running"}}, {"metadata": {"name": "b", "uid": "u2"}, "status": {"phase": "Running"}}]}
      """#
    #expect(try Self.text([pods], "Pod").contains("\"Pod\": { \"identityAttributes\": \"metadataUid\""))
    let messages =
      #"{"first_page_uri": "/m?page=0", "end": 1, "page_size": 2, "uri": "/m", "messages": [{"sid": "S1", "body": "x"}, {"sid": "S2", "body": "y"}]}"#
    let text = try Self.text([messages], "Message")
    #expect(text.contains("\"sid\"") && !text.contains("firstPage"), "\(text)")
    // A list that has values of its own is an object.
    let prices = #"{"type": "price list", "currency": "EUR", "prices": [{"sku": "a", "p": 1}, {"sku": "b", "p": 2}]}"#
    let list = try Self.text([prices], "PriceList")
    #expect(list.contains("\"currency\"") && list.contains("\"destination\": \"Price\""), "\(list)")
  }

  @Test("Values that depend on the containing object belong to this object, even if most values agree")
  func ownedValues() throws {
    let fields = (1...3).map {
      #"{"id": "t\#($0)", "fields": [{"id": "f1", "name": "N", "type": "n", "value": \#($0)}, {"id": "f2", "name": "D", "type": "d", "value": 0}]}"#
    }
    let task = try Self.text(["[\(fields.joined(separator: ","))]"], "Task")
    #expect(task.contains(#""identityAttributes": ["task", "id"]"#), "\(task)")
    let parts = ["a", "b"].map {
      #"{"id": "m\#($0)", "parts": [{"partId": "0", "type": "text/plain", "filename": "", "data": "\#($0)"}]}"#
    }
    let message = try Self.text(["[\(parts.joined(separator: ","))]"], "Message")
    #expect(message.contains(#""identityAttributes": ["message", "partId"]"#), "\(message)")
    // A key that has the same value everywhere, or the containing object's ID, is not an identity.
    let lines = ["a", "b", "c"].enumerated().map { number, name in
      #"{"id": "\#(name)", "lineStatuses": [{"id": 0, "lineId": "\#(name)", "severity": \#(number)}]}"#
    }
    let line = try Self.text(["[\(lines.joined(separator: ","))]"], "Line")
    #expect(line.contains(#""LineStatus": { "attributes""#), "\(line)")
  }

  @Test(
    "Objects in a wrapper are named after the wrapper, and become one entity only if the wrappers have the same name")
  func wrappers() throws {
    let articles = (1...3).map {
      #"{"id": \#($0), "cover": {"data": {"id": \#($0), "url": "/\#($0)", "width": 5}}, "author": {"data": {"id": \#($0 + 6), "email": "m\#($0)"}}}"#
    }
    let text = try Self.text(["[\(articles.joined(separator: ","))]"], "Article")
    #expect(text.contains("\"Cover\": {") && text.contains("\"Author\": {") && !text.contains("\"Data\""), "\(text)")
  }

  @Test("IDs in a document that has no ID might be unique only in this document, and a comment notes this")
  func documentIDs() throws {
    let match =
      #"{"length": 7, "map": "rift", "teams": [{"teamId": 100, "win": true}, {"teamId": 200, "win": false}]}"#
    let note = "identifies the objects in all documents, so later objects replace objects with the same value"
    let text = try Self.model(match)
    #expect(text.contains(note), "\(text)")
  }

  @Test("An object that is mentioned three times is a single object")
  func mentions() throws {
    let tasks = (1...3).map { #"{"id": \#($0), "tag": {"id": 9, "name": "red", "color": "red"}}"# }
    let text = try Self.text(["[\(tasks.joined(separator: ","))]"], "Task")
    #expect(text.contains(#""color": { "type": "string", "optional": true }"#), "\(text)")
  }

  @Test(
    "Objects that have only an ID, or that agree with known objects, are the known objects, whatever their key")
  func mentionsUnderOtherKeys() throws {
    func id(_ number: Int) -> String { "5f2b8a\(100 + number)" }
    let issues = (1...3).map {
      #"{"id": "\#(id($0))", "title": "T\#($0)", "parent": \#($0 == 3 ? "{\"id\": \"\(id(1))\"}" : "null")}"#
    }
    let text = try Self.text(["[\(issues.joined(separator: ","))]"], "Issue")
    #expect(text.contains(#""parent": { "destination": "Issue""#) && !text.contains(#""Parent""#), "\(text)")
    let lists = (1...3).map { #"{"id": "\#(id($0))", "name": "L\#($0)", "closed": false, "pos": \#($0)}"# }
    let board = #"""
      {"id": "7c1d9e55", "lists": [\#(lists.joined(separator: ","))], "actions": [{"id": "9a9a9a01", "data": {
        "listBefore": {"id": "\#(id(1))", "name": "L1"}, "listAfter": {"id": "\#(id(2))", "name": "L2"}}}]}
      """#
    let moved = try Self.text([board], "Board")
    #expect(!moved.contains(#""ListBefore""#) && !moved.contains(#""ListAfter""#), "\(moved)")
    #expect(moved.contains(#""listBefore": { "destination": "List""#), "\(moved)")
    // Small numbers can be equal by chance.
    let small = issues.map { $0.replacing("5f2b8a10", with: "") }
    let apart = try Self.text(["[\(small.joined(separator: ","))]"], "Issue")
    #expect(apart.contains(#""Parent""#), "\(apart)")
  }

  private static func model(_ sample: String) throws -> String {
    let infer = try Invocation(["infer", "M=-"], input: sample)
    try #require(infer.status == 0, "\(infer.messages)")
    // Comments are split into lines.
    return infer.output.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
      .replacing(" // ", with: " ")
  }
}
