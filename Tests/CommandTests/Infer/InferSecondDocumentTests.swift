import Foundation
import Graft
import GraftTestSupport
import GraftTools
import Testing

/// Contents that a service's next document can have although the first document does not show them. The contents are read, or a comment
/// notes what is not known.
@Suite("Inference: what the next document may have") struct InferSecondDocumentTests {
  private func infer(_ text: String, _ entityName: String?) throws -> InferredModel {
    let sample = ModelInference.Sample(SourceText(name: "doc.json", bytes: Array(text.utf8)), entityName: entityName)
    let model = try ModelInference([sample]).run()
    #expect(model.findings == [] && !model.isSimplified, "\(model.text)")
    return model
  }

  /// Infers a model from the first document, updates it with the second, checks that both documents can be imported, and returns the
  /// messages.
  private func update(_ name: String, _ first: String, _ second: String) throws -> String {
    let folder = try TemporaryFolder()
    let paths = (try folder.file("1.json", first), try folder.file("2.json", second), folder.path("m.json"))
    try #require(try Invocation(["infer", "\(name)=\(paths.0)", "--output", paths.2]).status == 0)
    let update = try Invocation(["infer", "\(name)=\(paths.1)", "--update", paths.2])
    #expect(update.status == 0, "\(update.messages)")
    for path in [paths.0, paths.1] {
      let known = try Invocation(["import", "--model", paths.2, "\(name)=\(path)", "--unknown-keys", "error"])
      #expect(known.status == 0, "\(known.messages)")
    }
    return update.messages
  }

  @Test("A comment notes that later objects might omit required properties or have values of other types")
  func closedGuesses() throws {
    let users = (1...30).map { #"{"id": \#($0), "name": "n\#($0)"}"# }.joined(separator: ", ")
    let many = try infer("[\(users)]", "User")
    #expect(
      many.text.contains(
        """
        // Properties that all objects of an entity have in the samples are required. Other objects may lack
        // them: 'graft infer --update' with more samples makes them optional.
        // Types fit the values of the samples. If other values do not fit, such as 1.5 for an integer, text
        // that is not a URI, or one object for a list, 'graft infer --update' lets the model read them.
        {
        """), "\(many.text)")
    let parts = try infer(#"[{"id": 1, "owner": {"id": 2, "name": "Ann"}}]"#, "Dog")
    #expect(parts.text.contains("list in place of an object, infer the model from both."), "\(parts.text)")
    #expect(try !infer(#"[{"id": 1}, {"id": 2}]"#, "User").text.contains("Types fit"))
  }

  @Test("A number that is a string in a later sample is read from both samples")
  func numbersInText() throws {
    let first = #"[{"id": 1, "ratio": 1}, {"id": 2, "ratio": 2}]"#
    #expect(
      try update("Item", first, #"[{"id": 3, "ratio": "0.5"}]"#).hasSuffix(
        "'Item.ratio' now reads numbers, text and booleans alike (Lenient)\n"))
    #expect(
      try update("Item", first, #"[{"id": 3, "ratio": "unknown"}]"#).hasSuffix(
        "'Item.ratio' is now json, because the samples refute a guess\n"))
  }

  @Test("If a list is a single object in a later sample, the relationship becomes lenient")
  func oneForMany() throws {
    let messages = try update(
      "Order", #"[{"id": 1, "lines": [{"sku": "a", "count": 1}, {"sku": "b", "count": 2}]}]"#,
      #"[{"id": 3, "lines": {"sku": "d", "count": 5}}]"#)
    #expect(messages.hasSuffix("'Order.lines' now reads one object as a list of one\n"), "\(messages)")
  }

  @Test("An object under the name of an inverse that is not in JSON is read")
  func objectsNamedAsInverses() throws {
    let messages = try update(
      "Recording", #"[{"id": "r1", "relations": [{"kind": "cover", "work": {"id": "w1", "title": "A"}}]}]"#,
      #"[{"id": "r2", "relations": [{"kind": "remix", "recording": {"id": "r3"}}]}]"#)
    #expect(messages.contains("new relationship 'Relation.recording2'"), "\(messages)")
  }

  @Test("If an update is refused, the message explains how to infer a new model")
  func refusedUpdates() throws {
    let folder = try TemporaryFolder()
    let model = folder.path("m.json")
    let orders = #"[{"id": 1, "lines": {"sku": "d"}}]"#
    try #require(try Invocation(["infer", "Order=-", "--output", model], input: orders).status == 0)
    let update = try Invocation(
      ["infer", "Order=-", "--update", model], input: #"[{"id": 2, "lines": [{"sku": "a"}, {"sku": "b"}]}]"#)
    #expect(update.status == 1)
    #expect(
      update.messages.hasSuffix("to infer a new one, give 'graft infer' all samples without '--update'\n"),
      "\(update.messages)")
  }

  @Test("Keys are recognized as data even if only several locations together show this")
  func mergedKeys() throws {
    func entry(_ name: String) -> String {
      #""p\#(name)": {"version": "1", "requires": {"q\#(name)": "1", "r\#(name)": "2"}}"#
    }
    let entries = "abcdefgh".map { entry("\($0)") }.joined(separator: ", ")
    let first =
      #"{"name": "x", "packages": {\#(entries), "pz": {"version": "2", "requires": {"qz": "1"}, "packages": {"n1": {"version": "1", "requires": {"m1": "1"}}}}}}"#
    let model = try infer(first, "Lock")
    let requires = model.description.entities.flatMap(\.attributes).first { $0.name == "requires" }
    #expect(requires?.type == .json, "\(model.text)")
    let second = #"{"name": "y", "packages": {"s": {"version": "1", "requires": {"t": "1"}}}}"#
    for document in [first, second] {
      #expect(try Coverage.losses(of: Array(document.utf8), with: model) == [], "\(model.text)")
    }
  }

  @Test("Keys are data if each of several objects has a key that no other object has")
  func keysOfTheirOwn() throws {
    let entries = "abcd".map { #""p\#($0)": {"version": "1", "requires": {"q\#($0)": "1"}}"# }.joined(separator: ", ")
    let model = try infer(
      #"{"name": "x", "packages": {\#(entries), "pe": {"version": "2"}, "pf": {"version": "3"}, "pg": {"version": "4"}, "ph": {"version": "5"}}}"#,
      "Lock")
    let requires = model.description.entities.flatMap(\.attributes).first { $0.name == "requires" }
    #expect(requires?.type == .json, "\(model.text)")
  }

  @Test("A comment notes that the only key under a plural name might be data")
  func onlyKey() throws {
    let model = try infer(#"{"users": {"ann": {"name": "Ann"}}, "title": "Chat"}"#, "Chat")
    #expect(
      model.text.contains(
        """
            // Guess: "ann" in "users" is the name of a property. If other keys may follow, let a to-many read the
        """), "\(model.text)")
    let links = try infer(#"{"_links": {"self": {"href": "/a"}}, "title": "Chat"}"#, "Chat")
    #expect(!links.text.contains("name of a property"), "\(links.text)")
  }

  @Test("Keys of a map are data if other objects list the same keys with true, even if the keys are words")
  func listedKeys() throws {
    let first = """
      {"users": {"ann": {"name": "Ann", "groups": {"sea": true, "art": true}}, "bo": {"name": "Bo", "groups": {"sea": true}}},
       "groups": {"sea": {"title": "Sea", "members": {"ann": true, "bo": true}}, "art": {"title": "Art", "members": {"ann": true}}}}
      """
    let model = try infer(first, "Chat")
    let second =
      #"{"users": {"cy": {"name": "Cy", "groups": {"oak": true}}}, "groups": {"oak": {"title": "Oak", "members": {"cy": true}}}}"#
    for document in [first, second] {
      #expect(try Coverage.losses(of: Array(document.utf8), with: model) == [], "\(model.text)")
    }
    // Boolean settings are not keys of other objects.
    let settings = try infer(
      #"[{"id": 1, "mail": {"size": 1, "color": "red"}, "active": {"mail": true, "post": false}}]"#, "User")
    #expect(settings.description.entities.map(\.name) == ["User"], "\(settings.text)")
  }

  @Test(
    "Names that look like data remain properties",
    arguments: [
      // The list of visible tabs is next to the tabs, not in another object.
      (
        #"{"id": 1, "tabs": {"home": {"title": "H", "order": 1}, "search": {"title": "S", "order": 2}}, "visible": {"home": true, "search": true}}"#,
        "tabs.home.title", "visible.home"
      ),
      // Three objects, each with one kind of contact.
      (
        #"[{"id": 1, "contact": {"email": "a@b.c"}}, {"id": 2, "contact": {"phone": "12"}}, {"id": 3, "contact": {"fax": "13"}}]"#,
        "contact.email", "contact.fax"
      ),
    ])
  func propertyNames(document: String, one: String, other: String) throws {
    let model = try infer(document, "Config")
    let paths = model.description.entities.flatMap(\.attributes).compactMap { $0.keyPath?.description }
    #expect(paths.contains(one) && paths.contains(other), "\(model.text)")
  }

  @Test(
    "A document without objects of the named entity changes nothing, even if it has objects of another entity",
    arguments: [
      (
        #"{"results": [{"id": 1, "name": "a"}], "facets": [{"field": "f", "count": 3}]}"#,
        #"{"results": [], "facets": [{"field": "g", "count": 4}]}"#
      ),
      (
        #"{"results": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}], "facets": [{"id": 1, "count": 3}]}"#,
        #"{"results": [], "facets": [{"id": 1, "count": 4}]}"#
      ),
      (
        #"{"data": {"id": 1, "name": "a"}, "included": [{"id": 7, "label": "f"}]}"#,
        #"{"data": null, "included": [{"id": 7, "label": "f"}]}"#
      ),
    ])
  func emptyMainPart(first: String, second: String) throws {
    let folder = try TemporaryFolder()
    let model = folder.path("m.json")
    try #require(try Invocation(["infer", "Product=-", "--output", model], input: first).status == 0)
    let before = try String(contentsOfFile: model, encoding: .utf8)
    let update = try Invocation(["infer", "Product=-", "--update", model], input: second)
    #expect(update.status == 0 && update.messages.contains("nothing to change"), "\(update.messages)")
    #expect(try String(contentsOfFile: model, encoding: .utf8) == before)
  }

  @Test("JSON:API: the name that the user gives applies to \"data\", whether \"data\" is an object or a list")
  func namedResources() throws {
    let one = """
      {"data": {"type": "books", "id": "1", "attributes": {"title": "Otters"}, "relationships": {"author": {"data": {"type": "people", "id": "1"}}}},
       "included": [{"type": "people", "id": "1", "attributes": {"name": "Ann"}}, {"type": "people", "id": "2", "attributes": {"name": "Bo"}}]}
      """
    let many = """
      {"data": [{"type": "books", "id": "9", "attributes": {"title": "Tides"}, "relationships": {"author": {"data": {"type": "people", "id": "4"}}}}],
       "included": [{"type": "people", "id": "4", "attributes": {"name": "Cy"}}]}
      """
    for (first, second) in [(one, many), (many, one)] {
      let model = try infer(first, "Book")
      #expect(model.parts.map(\.keys) == [["data"], ["included"]])
      #expect(try Coverage.losses(of: Array(second.utf8), with: model) == [], "\(model.text)")
      let folder = try TemporaryFolder()
      let path = try folder.file("m.json", model.text)
      let update = try Invocation(["infer", "Book=-", "--update", path], input: second)
      #expect(update.status == 0, "\(update.messages)")
    }
    // Other lists next to a list of results describe the results.
    let found = try infer(
      #"{"results": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}], "facets": [{"field": "color", "size": 3}]}"#,
      "Item")
    #expect(
      found.parts.map(\.entityName) == ["Item", "Facet"] && found.parts.map(\.keys) == [["results"], ["facets"]])
  }

  @Test("JSON:API: a comment notes that \"meta\" might belong to the reference")
  func metaOfReferences() throws {
    let model = try infer(
      """
      {"data": [{"type": "albums", "id": "1", "attributes": {"title": "Blue"},
         "relationships": {"tracks": {"data": [{"type": "tracks", "id": "1", "meta": {"position": 1}}, {"type": "tracks", "id": "2", "meta": {"position": 2}}]}}},
        {"type": "albums", "id": "2", "attributes": {"title": "Red"},
         "relationships": {"tracks": {"data": [{"type": "tracks", "id": "3", "meta": {"position": 1}}]}}}]}
      """, nil)
    #expect(
      model.text.contains(
        """
                // Guess: "meta" belongs to the object. If each reference to it has its own, only the last one that is
                // imported is kept.
                "metaPosition"
        """), "\(model.text)")
  }

  @Test("JSON:API: new kinds keep the keys of their attributes, regardless of the keys of other kinds")
  func attributesOfNewKinds() throws {
    let folder = try TemporaryFolder()
    let model = folder.path("m.json")
    let first =
      #"{"data": [{"type": "people", "id": "1", "attributes": {"name": "Ann"}}, {"type": "people", "id": "2", "attributes": {"name": "Bo"}}]}"#
    let second = """
      {"data": [{"type": "books", "id": "1", "attributes": {"title": "Otters"}}, {"type": "people", "id": "3", "attributes": {"first": "Cy", "last": "Ode"}},
       {"type": "films", "id": "2", "attributes": {"length": "2"}}, {"type": "songs", "id": "3", "attributes": {"key": "C"}}]}
      """
    try #require(try Invocation(["infer", "Resource=-", "--output", model], input: first).status == 0)
    let update = try Invocation(["infer", "Resource=-", "--update", model], input: second)
    #expect(update.status == 0 && !update.messages.contains("warning"), "\(update.messages)")
  }

  @Test("Objects that the model identifies inside other objects are kept unchanged in other places")
  func ownedElsewhere() throws {
    let messages = try update(
      "Film",
      #"[{"id": 1, "crew": [{"id": 5, "name": "Ann", "job": "Sound", "photo": "a"}, {"id": 6, "name": "Bo", "job": "Light", "photo": "b"}]}, {"id": 2, "crew": [{"id": 5, "name": "Ann", "job": "Light", "photo": "a"}]}]"#,
      #"[{"id": 3, "crew": [{"id": 51, "name": "Ann", "job": "Sound", "photo": "a"}, {"id": 61, "name": "Bo", "job": "Light", "photo": "b"}], "authors": [{"id": 51, "name": "Ann", "job": "Sound", "photo": "a"}, {"id": 61, "name": "Bo", "job": "Light", "photo": "b"}]}]"#
    )
    #expect(
      messages.contains(
        "'Film.authors' keeps its objects unchanged, because 'Crew' objects are identified inside other objects\n"),
      "\(messages)")
  }

  @Test("A list inside an object is of another kind if it has the name that the user gave but its objects have no ID")
  func namesakesInside() throws {
    let show =
      #"{"id": 2, "name": "Dusk", "alternatives": {"results": [{"country": "US", "title": "Dusk!", "kind": ""}]}}"#
    let movie =
      #"{"id": 1, "title": "Dawn", "alternatives": {"titles": [{"country": "US", "title": "Dawn!", "kind": ""}]}}"#
    _ = try update("Title", show, movie)
    let model = try infer(movie, "Title")
    #expect(model.description.entities.count == 2, "\(model.text)")
  }
}
