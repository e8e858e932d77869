import Foundation
import Graft
import GraftTools
import Testing

/// What inference derives from small samples, with one feature in each test.
@Suite("Inference") struct InferTests {
  /// Infers from samples, each of which is written as `Hero=[...]` or as JSON alone.
  private func infer(_ texts: String..., at keys: [String] = [], isLines: Bool = false) throws -> InferredModel {
    let samples = texts.map { text in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      let isNamed = parts.count == 2 && parts[0].allSatisfy(\.isLetter)
      return ModelInference.Sample(
        SourceText(name: "things.json", bytes: Array((isNamed ? parts[1] : text).utf8)),
        entityName: isNamed ? parts[0] : nil, keys: keys, isLines: isLines)
    }
    let model = try ModelInference(samples).run()
    #expect(model.findings == [], "\(model.text)")
    return model
  }

  private func attribute(_ path: String, _ model: InferredModel) throws -> AttributeDescription {
    let names = path.split(separator: ".").map(String.init)
    let entity = try #require(model.description.entities.first { $0.name == names[0] }, "\(model.text)")
    return try #require(entity.attributes.first { $0.name == names[1] }, "\(model.text)")
  }

  private func relationship(_ path: String, _ model: InferredModel) throws -> RelationshipDescription {
    let names = path.split(separator: ".").map(String.init)
    let entity = try #require(model.description.entities.first { $0.name == names[0] }, "\(model.text)")
    return try #require(entity.relationships.first { $0.name == names[1] }, "\(model.text)")
  }

  private func identity(_ name: String, _ model: InferredModel) -> [String]? {
    model.description.entities.first { $0.name == name }?.identityAttributes
  }

  @Test("Inference: data under 'response' and 'query' is found, and the descriptions next to it are ignored")
  func wrappers() throws {
    let found = try infer(
      #"{"responseHeader": {"status": 0}, "response": {"numFound": 1, "docs": [{"id": "a1", "title": "T"}]}}"#)
    #expect(found.text.contains("\"title\"") && !found.text.contains("ResponseHeader"), "\(found.text)")
    let changes = try infer(
      #"{"query": {"recentchanges": [{"type": "edit", "title": "A", "revid": 100}]}, "continue": {"rccontinue": "1|2"}}"#
    )
    #expect(changes.text.contains("\"revid\"") && !changes.text.contains("Continue"), "\(changes.text)")
    // Without lists, the members describe a request.
    let plain = try infer(#"{"query": {"text": "x"}, "items": [{"id": 1, "name": "A"}]}"#)
    #expect(!plain.text.contains("Query"), "\(plain.text)")
  }

  @Test("Inference: a comment says that a second entity has nearly the same keys, if no object is at both places")
  func likeEntities() throws {
    func post(_ id: Int, _ more: String = "") -> String {
      #"{"id": \#(id), "text": "T\#(id)", "likes": \#(id), "lang": "en", "source": "web", "at": "2024-05-0\#(id % 9 + 1)"\#(more)}"#
    }
    let alike = try infer(
      "Post=[\(post(1, #", "shared": \#(post(7))"#)), \(post(2, #", "shared": \#(post(8))"#)), \(post(3))]")
    let entities = alike.description.entities.map(\.name)
    #expect(
      entities.count == 2 && alike.text.contains("// Has nearly the same keys as '\(entities[0])', but the samples"),
      "\(alike.text)")
    let other = #", "shared": {"id": 7, "url": "https://a.example", "width": 1, "height": 2, "kind": "image"}"#
    let different = try infer("Post=[\(post(1, other)), \(post(2, other)), \(post(3))]")
    #expect(!different.text.contains("nearly the same keys"), "\(different.text)")
  }

  @Test(
    "Inference: the reason for data under a key such as 'metadata' is the key's name, not a difference between objects")
  func namedFreeKeys() throws {
    let text = (1...3).map { #"{"id": \#($0), "name": "N\#($0)", "metadata": {"color": "red", "size": "\#($0)"}}"# }
    let model = try infer("Item=[\(text.joined(separator: ", "))]")
    #expect(
      model.text.contains(#"Guess: the keys of "metadata" are usually data, not names of properties."#)
        && !model.text.contains("differ from object"), "\(model.text)")
  }

  @Test("Inference: keys are data if they are generated, are addresses, or are repeated in their objects")
  func generatedKeys() throws {
    for (text, key) in [
      (#"{"users": {"-Kabc1": {"name": "Ann"}, "-Kabc2": {"name": "Bob"}}}"#, "Kabc"),
      (#"{"ann@example.org": {"name": "Ann"}, "bob@example.org": {"name": "Bob"}}"#, "example"),
      (#"{"entities": {"Q42": {"id": "Q42", "type": "item"}}, "success": 1}"#, "Q42"),
    ] {
      let model = try infer(text)
      #expect(model.text.contains("\"@key\"") && !model.text.lowercased().contains(key.lowercased()), "\(model.text)")
    }
    // A word is the name of a property, even if its object repeats the word.
    #expect(try !infer(#"{"id": 1, "owner": {"id": "owner", "name": "x"}}"#).text.contains("@key"))
  }

  @Test(
    "Inference: a path, day, host, currency code or language code is data, even if it is the only key",
    arguments: [
      #""rates": {"USD": 1.07}"#, #""prices": {"usd": 70187.5, "eur": 65000}"#,
      #""titles": {"en": "Hi", "de": "Hallo"}"#,
      #""titles": {"pt-BR": "Oi"}"#, #""titles": {"en": "Hi", "pt-br": "Oi", "zh-hans": "Hi"}"#,
      #""content": {"application/json": {"size": 7}}"#,
      #""packages": {"": {"name": "app"}, "node_modules/qs": {"version": "6"}}"#, #""days": {"2024-05-01": {"n": 1}}"#,
      #""hosts": {"web1.example.org": {"cpu": 1}, "web2.example.org": {"cpu": 2}}"#,
      #""releases": {"0.1": {"n": 1}, "0.2": {"n": 2}}"#, #""slots": {"10:00": true}"#,
      #""commits": {"507f191e810c19729de860ea": {"n": 1}}"#, #""users": {"kJ3hQx8rTnXz0aB4cD5eF6gH7iJ2": {"n": 1}}"#,
      #""rates": {"AED": 3.67, "BTC": 0.002, "EUR": 0.9}"#, #""languages": {"deu": "German"}"#,
      #""books": {"War and Peace": {"pages": 7}, "The Idiot": {"pages": 8}}"#, #""metadata": {"order_id": "6735"}"#,
    ])
  func codes(member: String) throws {
    let model = try infer("{\"id\": 1, \(member)}")
    #expect(
      model.text.contains("\"@key\"") || model.text.contains("keys are data") || model.text.contains("they are data")
        || model.text.contains("are usually data"))
    #expect(model.report?.warnings == [], "\(model.text)")
  }

  @Test(
    "Inference: words that are also codes, and keys that every object has, are names of properties",
    arguments: [
      #"[{"First Name": "Ann", "Last Name": "Lee"}]"#, #"{"First Name": "Ann", "Last Name": "Lee"}"#,
      #"[{"NAME": "Ann", "CITY": "Bern"}]"#, #"[{"-code": "a", "-name": "x"}]"#,
      #"[{"id": "hi", "en": "Hi", "fr": "Bonjour"}]"#,
      #"{"id": 1, "customfield_10012": {"value": "z"}}"#,
      #"{"id": 1, "is": true, "to": "x", "no": 5}"#, #"{"id": 1, "link": {"to": "a", "is": "b"}}"#,
      #"{"id": 1, "list": {"all": 5, "top": 3}}"#,
      #"[{"id": 1, "x": {"1. open": "a", "2. high": "b"}}, {"id": 2, "x": {"1. open": "c", "2. high": "d"}}]"#,
      #"{"Meta Data": {"Symbol": "IBM"}, "Time Series": [{"open": 1}, {"open": 2}]}"#,
    ])
  func words(sample: String) throws {
    let model = try infer(sample)
    #expect(!model.text.contains("@key") && !model.text.contains("are data"), "\(model.text)")
  }

  @Test("Inference: measured numbers can have a fraction in the next sample, and IDs that are strings remain strings")
  func measures() throws {
    let places = try infer(
      #"Place=[{"id": "10248", "rating": 4, "price": 10, "rating_count": 7, "geometry": {"type": "Point", "coordinates": [1, 2]}}]"#
    )
    #expect(try attribute("Place.id", places).type == .string)
    #expect(try attribute("Place.rating", places).type == .double)
    #expect(try attribute("Place.price", places).type == .decimal)
    #expect(try attribute("Place.ratingCount", places).type == .integer64)
    #expect(
      places.description.entities.flatMap(\.attributes).first { $0.keyPath?.keys.last == "coordinates" }?.type == .json)
  }

  @Test("Inference: objects with an ID keep their identity if other objects have no ID")
  func absentIDs() throws {
    for absent in ["\"id\": null, ", ""] {
      let payload =
        #"[{"id": 1, "name": "a", "x": 1}, {"id": 2, "name": "a", "x": 2}, {"id": 3, "name": "c", "x": 3}, {\#(absent)"name": "d", "x": 4}]"#
      let model = try infer("Thing=" + payload)
      #expect(identity("Thing", model) == ["id"], "\(model.text)")
      #expect(model.text.contains("1 of 4 have none"), "\(model.text)")
      let context = ManagedObjectContext(model: try ManagedObjectModel(text: model.text))
      try context.importJSON(payload, ofEntity: "Thing")
      #expect(try context.importJSON(payload, ofEntity: "Thing").inserted == ["Thing": 1])
    }
    // More than half of the objects have no ID.
    #expect(identity("Thing", try infer(#"Thing=[{"id": 1, "x": 1}, {"x": 2}, {"x": 3}]"#)) == [])
  }

  @Test("Inference: comments name a key that might identify objects, and a type that might have separate IDs")
  func unconfirmedKeys() throws {
    for (sample, note) in [
      (
        #"[{"place_id": "A", "name": "Bar"}, {"place_id": "B", "name": "Bar"}]"#,
        #""place_id" identifies the objects. If it does"#
      ),
      (#"[{"_id": {"$oid": "5d50"}, "name": "A"}]"#, #""_id.$oid" identifies the objects, because no two"#),
      (#"[{"_index": "a", "_id": "1", "n": 1}]"#, #"has its own IDs, both"#),
      (#"[{"type": "node", "id": 1}, {"type": "way", "id": 2}]"#, #""identityAttributes": ["type", "id"]"#),
    ] {
      let text = try infer(sample).text.split(separator: "\n").map { $0.drop { " /".contains($0) } }.joined(
        separator: " ")
      #expect(text.contains(note), "\(text)")
    }
    let rates = try infer(
      #"Day={"date": "2024-05-01", "rates": {"USD": {"buy": 1.5, "sell": 2.5}, "CHF": {"buy": 1, "sell": 2}}}"#)
    #expect(rates.text.contains("\"@key\" identifies the objects in all documents"), "\(rates.text)")
    let team = try infer(
      #"Team={"id": 1, "members": [{"user_id": 10, "role": "admin"}, {"user_id": 11, "role": "dev"}]}"#)
    #expect(team.text.contains(#""identityAttributes": ["team", "userID"] if"#), "\(team.text)")
    let tasks = try infer(#"Task=[{"gid": "1", "name": "Bug"}, {"gid": "2", "name": "Bug 2"}]"#)
    #expect(identity("Task", tasks) == ["gid"])
    // These keys refer to users and groups.
    let accounts = try infer(
      #"Account=[{"name": "ann", "uid": 1001, "gid": 100}, {"name": "bob", "uid": 1002, "gid": 100}]"#)
    #expect(identity("Account", accounts) == [])
  }

  @Test(
    "Inference: a list of results is named after its containing object, and tables that share a name stay separate")
  func namesOfLists() throws {
    let contacts = try infer(
      #"Contact=[{"id": "1", "email": "a", "companies": {"total": 1, "results": [{"id": "7", "type": "x"}]}}]"#)
    #expect(contacts.description.entities.map(\.name) == ["Contact", "Company"], "\(contacts.text)")
    #expect(contacts.description.entities[0].relationships.map(\.name) == ["companies"])
    let lists = try infer(
      #"Answer={"companies": {"results": [{"id": 1, "name": "A"}]}, "contacts": {"results": [{"id": 1, "email": "e"}]}}"#
    )
    #expect(lists.description.entities.map(\.name) == ["Answer", "Company", "Contact"], "\(lists.text)")
    let issues = try infer(
      #"Issue=[{"id": 1, "priority": {"id": "3", "name": "Medium"}, "severity": {"id": "3", "name": "Medium"}}]"#)
    #expect(issues.description.entities.map(\.name) == ["Issue", "Priority", "Severity"], "\(issues.text)")
  }

  @Test(
    "Inference: an ID is unique only in its containing object if a value depends on that object, which a comment notes"
  )
  func partsOfOwners() throws {
    let tickets = try infer(
      #"{"tickets": [{"id": 1, "custom_fields": [{"id": 27, "value": "745"}, {"id": 31, "value": "7"}]}]}"#)
    #expect(identity("CustomField", tickets) == ["ticket", "id"])
    #expect(tickets.text.contains("identifies the objects of one 'Ticket', to which \"value\""), "\(tickets.text)")
    let context = ManagedObjectContext(model: try ManagedObjectModel(text: tickets.text))
    let tables =
      #"[{"id": 1, "custom_fields": [{"id": 27, "value": "1"}]}, {"id": 2, "custom_fields": [{"id": 27, "value": "2"}]}]"#
    _ = try objects(ofEntity: "Ticket", fromJSON: tables, in: context)
    #expect(try context.count(ofEntity: "CustomField") == 2)
    let lines = try infer(#"{"orders": [{"id": 1, "fees": [{"id": 27, "amount": 7}, {"id": 31, "amount": 8}]}]}"#)
    #expect(identity("Fee", lines) == ["id"])
    #expect(lines.text.contains("everywhere; no sample has the same one twice. If \"amount\" belongs"), "\(lines.text)")
    let tags = try infer(#"{"tickets": [{"id": 1, "tags": [{"id": 27, "label": "a"}, {"id": 31, "label": "b"}]}]}"#)
    #expect(!tags.text.contains("belongs to one"), "\(tags.text)")
  }

  @Test(
    "The values of a key reveal its type",
    arguments: [
      ("1, 2", AttributeType.integer64, nil), ("1.5, 2", .double, nil), ("true, false", .boolean, nil),
      (#""a", "b""#, .string, nil), (#""2014-02-14T00:00:00Z""#, .date, nil),
      (#""2014-02-14""#, .date, "DateFormat(yyyy-MM-dd)"),
      (#""Sat Mar 05 13:39:09 +0000 2011""#, .date, "DateFormat(EEE MMM dd HH:mm:ss Z yyyy)"),
      (#""123e4567-e89b-12d3-a456-426614174000""#, .uuid, nil), (#""https://example.org/a""#, .uri, nil),
      (#"1, "a""#, .json, nil), ("[[1]], [[2]]", .json, nil), ("null", .json, nil), ("{}", .json, nil),
      ("123456789012345678901234567890", .decimal, nil), ("1e999", .json, nil), ("9223372036854775808", .decimal, nil),
      (#""true""#, .boolean, "StringToBoolean"), (#""2024-01-01T00:00:00.123456Z""#, .date, nil),
      (#""2024-01-01T00:00:00.1234567Z""#, .string, nil), (#""2024-01-01T00:00:00.1234560Z""#, .date, nil),
    ] as [(String, AttributeType, String?)])
  func types(values: String, type: AttributeType, transformer: String?) throws {
    let objects = values.split(separator: ", ").map { "{\"x\": \($0), \"y\": 1}" }.joined(separator: ",")
    let model = try infer("Thing=[\(objects)]")
    let found = try attribute("Thing.x", model)
    #expect(found.type == type && found.transformerName == transformer)
  }

  @Test(
    "Inference: if the objects of a list name their owner, the owner is the inverse of the list",
    arguments: [
      (#"{"id": 1, "name": "A"}"#, #"{"id": 2, "name": "B"}"#, "user"), ("1", "2", "user"),
      (#"{"id": 1, "name": "A"}"#, #"{"id": 2, "name": "B"}"#, "owner"),
      (#"{"id": 1, "name": "A"}"#, "2", "user"),
    ])
  func namedOwners(first: String, second: String, key: String) throws {
    let model = try infer(
      #"""
      User=[{"id": 1, "name": "A", "items": [{"id": 7, "n": "x", "\#(key)": \#(first)}, {"id": 8, "n": "y"}]},
            {"id": 2, "name": "B", "items": [{"id": 9, "n": "z", "\#(key)": \#(second)}]}]
      """#)
    #expect(try relationship("User.items", model).inverseName == key)
    #expect(try relationship("Item.\(key)", model).inverseName == "items")
    #expect(model.description.entities.allSatisfy { $0.relationships.count == 1 })
  }

  @Test(
    "Inference: other lists, and objects that name a different owner, get a different inverse",
    arguments: [
      ("items", "user", "1", "1"), ("pinnedItems", "user", "1", "2"), ("items", "buyer", "1", "2"),
    ])
  func otherOwners(list: String, key: String, first: String, second: String) throws {
    let model = try infer(
      #"""
      User=[{"id": 1, "name": "A", "\#(list)": [{"id": 7, "n": "x", "\#(key)": {"id": \#(first)}}]},
            {"id": 2, "name": "B", "\#(list)": [{"id": 9, "n": "z", "\#(key)": {"id": \#(second)}}]}]
      """#)
    let user = try #require(model.description.entities.first { $0.name == "User" })
    let relationship = try #require(user.relationships.first { $0.name == list }, "\(model.text)")
    #expect(relationship.inverseName != key)
  }

  @Test("Keys are data if their objects repeat them as identifiers, or if the only key is a number")
  func repeatedKeys() throws {
    let users = try infer(#"{"users": {"u1": {"id": "u1", "n": "A"}, "u2": {"id": "u2", "n": "B"}}}"#)
    #expect(users.description.entities.map(\.name) == ["User"] && identity("User", users) == ["id"])
    let kinds = try infer(#"Thing={"a": {"type": "a", "x": 1}, "b": {"type": "b", "y": 2}, "id": 3}"#)
    #expect(kinds.description.entities.map(\.name) == ["Thing"])
    let single = try infer(#"Event={"12": {"name": "C"}}"#)
    let id = try attribute("Event.id", single)
    #expect(id.keyPath?.isObjectKey == true)
  }

  @Test("An object under a key of its owner is identified by the owner and the key")
  func ownedKeys() throws {
    let model = try infer(
      #"Product=[{"id": 1, "prices": {"EUR": {"amount": 9}, "USD": {"amount": 1}}}, {"id": 2, "prices": {"EUR": {"amount": 7}}}, {"id": 3, "prices": {"GBP": {"amount": 7}, "CHF": {"amount": 1}}}]"#
    )
    #expect(identity("Price", model) == ["product", "key"])
  }

  @Test("A key that numbers the objects of each owner identifies the objects only inside the owner")
  func numberedKeys() throws {
    let model = try infer(
      #"House=[{"id": 1, "rooms": {"1": {"floor": 5}, "2": {"floor": 0}}}, {"id": 2, "rooms": {"1": {}, "3": {"floor": 1}}}]"#
    )
    #expect(
      identity("Room", model) == ["house", "id"] || identity("Room", model) == ["house", "key"], "\(model.text)")
  }

  @Test("If objects have both id and ID, the first key identifies them")
  func letterCase() throws {
    #expect(identity("Thing", try infer(#"Thing=[{"ID": 7, "id": 1}, {"ID": 8, "id": 2}]"#)) == ["id"])
  }

  @Test("Objects to which no relationship leads do not become an entity")
  func unreached() throws {
    let model = try infer(#"Order=[{"id": 1, "by": {"id": 5, "name": "A"}}, {"id": 2, "by": "the shop"}]"#)
    #expect(model.description.entities.map(\.name) == ["Order"])
    let buyer = try attribute("Order.by", model)
    #expect(buyer.type == .json)
  }

  @Test(
    "Arrays of scalars of one type are lists",
    arguments: [
      ("[1], [], [2, 3]", AttributeType.integer64, true, nil), (#"["a"], ["b"]"#, .string, true, nil),
      (#"["2014-02-14"], ["2014-02-15"]"#, .date, true, "DateFormat(yyyy-MM-dd)"), ("[1, null]", .json, false, nil),
      (#"[1, "a"]"#, .json, false, nil), ("[[1]], [[2]]", .json, false, nil), ("[], []", .json, false, nil),
    ] as [(String, AttributeType, Bool, String?)])
  func lists(values: String, type: AttributeType, isList: Bool, transformer: String?) throws {
    let objects = values.replacing("], [", with: "]|[").split(separator: "|").map { "{\"x\": \($0), \"y\": 1}" }
    let model = try infer("Thing=[\(objects.joined(separator: ","))]")
    let found = try attribute("Thing.x", model)
    #expect(found.type == type && found.isList == isList && found.transformerName == transformer, "\(model.text)")
  }

  @Test("Names and values together reveal dates in numbers, numbers in strings, and money")
  func names() throws {
    let model = try infer(
      #"Thing=[{"created_at": 1372701600, "start": 1372701600000, "views_count": "12", "zip": "12345", "price": 1.25, "updatedAt": 753345600.25}, {"views_count": "7"}, {"views_count": "0"}]"#
    )
    #expect(try attribute("Thing.updatedAt", model).transformerName == "ReferenceTime")
    #expect(try attribute("Thing.createdAt", model).transformerName == "UnixTime")
    #expect(try attribute("Thing.start", model).transformerName == "UnixTimeMilliseconds")
    #expect(try attribute("Thing.viewsCount", model).transformerName == "StringToInteger")
    #expect(try attribute("Thing.zip", model).type == .string)
    #expect(try attribute("Thing.price", model).type == .decimal)
    #expect(model.text.contains("// Guess: milliseconds since 1970."))
  }

  @Test("A number with a fraction is not an integer, even if the fraction is zero")
  func zeroFractions() throws {
    let model = try infer(
      #"Order=[{"id": 1, "total": 30.00, "weight": 2.0, "lines": 3}, {"id": 2, "total": 20.00, "weight": 1.0, "lines": 4}]"#
    )
    #expect(try attribute("Order.total", model).type == .decimal)
    #expect(try attribute("Order.weight", model).type == .double)
    #expect(try attribute("Order.lines", model).type == .integer64)
  }

  @Test("A key that is absent or null in some object is optional, even if only in another sample")
  func optional() throws {
    let model = try infer(
      #"Hero=[{"id": 1, "a": 1, "b": 2, "c": 3}, {"id": 2, "a": 1, "b": null, "c": 3}]"#,
      #"Hero=[{"id": 3, "a": 1, "b": 2}]"#)
    #expect(try !attribute("Hero.a", model).isOptional)
    #expect(try attribute("Hero.b", model).isOptional)
    #expect(try attribute("Hero.c", model).isOptional)
  }

  @Test("Nested objects become entities, with an identity and an inverse")
  func nested() throws {
    let model = try infer(
      #"Hero=[{"id": 1, "publisher": {"id": 7, "name": "DC"}, "powers": [{"id": 4}, {"id": 5}]},"#
        + #"{"id": 2, "publisher": {"id": 7, "name": "DC"}, "powers": [{"id": 4}]}]"#)
    #expect(identity("Publisher", model) == ["id"] && identity("Power", model) == ["id"])
    let powers = try relationship("Hero.powers", model)
    #expect(powers.isToMany && powers.isOrdered && powers.inverseName == "heroes")
    #expect(try relationship("Power.heroes", model).isToMany)
    #expect(try relationship("Publisher.heroes", model).isToMany)
  }

  @Test("Objects without identity belong to their owner")
  func owned() throws {
    let model = try infer(#"Story=[{"id": 1, "comments": [{"body": "a"}, {"body": "b"}]}]"#)
    #expect(identity("Comment", model) == [])
    let comments = try relationship("Story.comments", model)
    #expect(comments.deleteRule == .cascade && comments.deletesOrphans)
    #expect(try !relationship("Comment.story", model).isToMany)
  }

  @Test("A key does not identify objects that have contradicting values")
  func contradiction() throws {
    let model = try infer(#"Child=[{"id": 1, "name": "a"}, {"id": 1, "name": "b"}, {"id": 2, "name": "c"}]"#)
    #expect(identity("Child", model) == [])
    #expect(
      model.text.contains(#"// No identity: "id" looks like one, but objects with the same value differ in "name"."#))
  }

  @Test("An entity's comment is directly above the entity, after a blank line")
  func commentsOfEntities() throws {
    let model = try infer(Self.lists)
    #expect(
      model.text.contains(
        """
            },

            // Guess: "name" identifies the objects, because samples with the same value always agree.
            "Author": {
        """))
  }

  @Test("A key named after a kind that is not in the samples is not an identity, unless its objects agree")
  func foreignKeys() throws {
    let addresses = try infer(
      """
      Customer=[{"id": 1, "billing": {"country_id": 3, "city": "Bonn", "zip": "53111", "tax": 19, "street": "Elm 1"},
        "shipping": {"country_id": 4, "city": "Graz", "zip": "8010", "tax": 20, "street": "Oak 2", "door": "3"}},
       {"id": 2, "billing": {"country_id": 3, "city": "Bonn", "zip": "53111", "tax": 19, "street": "Fir 9"},
        "shipping": {"country_id": 4, "city": "Graz", "zip": "8010", "tax": 20, "street": "Ash 7", "door": "1"}}]
      """)
    #expect(addresses.description.entities.allSatisfy { $0.name == "Customer" || $0.identityAttributes.isEmpty })
    let one = try infer(
      #"Customer=[{"id": 1, "home": {"country_id": 3, "street": "A"}, "work": {"country_id": 4, "street": "B"}}]"#)
    #expect(one.description.entities.allSatisfy { $0.name == "Customer" || $0.identityAttributes.isEmpty })
  }

  @Test("A name identifies objects only if the samples confirm this")
  func weakIdentity() throws {
    #expect(identity("Author", try infer(Self.lists)) == ["name"])
    // Nothing shows that two authors with one name are the same: they have no other values, or no values in which other authors differ.
    let alone = try infer(#"List=[{"id": 1, "author": {"name": "a"}}, {"id": 2, "author": {"name": "a"}}]"#)
    #expect(try attribute("List.authorName", alone).type == .string)
    let alike = try infer(
      #"List=[{"id": 1, "users": [{"name": "a", "sex": "m"}]}, {"id": 2, "users": [{"name": "a", "sex": "m"}, "#
        + #"{"name": "b", "sex": "m"}]}]"#)
    #expect(identity("User", alike) == [])
    // A mention that has only a name is a reference.
    let mention = try infer(
      #"List=[{"name": "a", "size": 1, "nextList": {"name": "b"}}, {"name": "b", "size": 1, "nextList": {"name": "a"}}]"#
    )
    #expect(identity("List", mention) == ["name"])
    let once = try infer(#"List=[{"id": 1, "tags": [{"name": "a"}]}, {"id": 2, "tags": [{"name": "b"}]}]"#)
    #expect(identity("Tag", once) == [])
  }

  /// Lists that repeat their authors, each of whom has a city.
  private static let lists =
    #"List=[{"id": 1, "author": {"name": "a", "city": "x"}}, {"id": 2, "author": {"name": "a", "city": "x"}},"#
    + #" {"id": 3, "author": {"name": "b", "city": "y"}}]"#

  @Test(
    "An address identifies objects only if samples confirm this or contain many addresses; a comment names the key"
  )
  func mediumIdentity() throws {
    func people(_ count: Int) -> String {
      "Person=["
        + (0..<count).map { "{\"email_address\": \"p\($0)@x.org\", \"age\": \($0 / 2)}" }.joined(separator: ",") + "]"
    }
    let few = try infer(people(9))
    #expect(identity("Person", few) == [])
    #expect(
      few.text.contains(
        """
            // No identity: the samples do not show that "email_address" identifies the objects. If it does, add
            // "identityAttributes": "emailAddress".
            "Person": {
        """), "\(few.text)")
    #expect(identity("Person", try infer(people(30))) == ["emailAddress"])
  }

  @Test("A key that is unique only inside each owner becomes an identity together with the owner")
  func ownedIdentity() throws {
    let tweets =
      #"Tweet=[{"id": 1, "mentions": [{"id": 7, "name": "a", "indices": [0, 3]}, {"id": 8, "name": "b", "indices": [4, 5]}]},"#
      + #"{"id": 2, "mentions": [{"id": 7, "name": "a", "indices": [5, 8]}]}]"#
    let model = try infer(tweets)
    #expect(identity("Mention", model) == ["tweet", "id"])
    #expect(
      model.text.contains(
        #"// Guess: "id" identifies the objects of one 'Tweet'; across several, they differ in "indices"."#))
    let context = try ManagedObjectContext(model: ManagedObjectModel(text: model.text))
    let json = String(tweets.dropFirst("Tweet=".count))
    try context.importJSON(json, ofEntity: "Tweet")
    let again = try context.importJSON(json.replacing("[4, 5]", with: "[4, 6]"), ofEntity: "Tweet")
    #expect(again.updated == ["Mention": 1] && again.inserted.isEmpty && again.deleted.isEmpty)
    // One tweet mentions an object twice, or the tweets cannot be distinguished.
    let twice = try infer(
      #"Tweet=[{"id": 1, "mentions": [{"id": 7, "indices": [0]}, {"id": 7, "indices": [4]}]}]"#)
    #expect(identity("Mention", twice) == [])
    let anonymous = try infer(
      #"Tweet=[{"mentions": [{"id": 7, "indices": [0]}]}, {"mentions": [{"id": 7, "indices": [4]}]}]"#)
    #expect(identity("Mention", anonymous) == [])
  }

  @Test("Objects that link their owner to other objects are identified by both, if many samples show this")
  func links() throws {
    func shows(_ count: Int, last: Int = 2) -> String {
      let shows = (1...count).map { show in
        "{\"id\": \(show), \"prices\": [{\"seatId\": 1, \"amount\": 5}, {\"seatId\": \(show == count ? last : 2), \"amount\": \(show)}]}"
      }
      return #"{"seats": [{"id": 1, "row": "a"}, {"id": 2, "row": "b"}], "shows": ["# + shows.joined(separator: ",")
        + "]}"
    }
    let model = try infer(shows(20))
    #expect(identity("Price", model) == ["show", "seat"])
    #expect(
      model.text.contains(
        #"// Guess: "seatId" identifies the objects of one 'Show', which never has two with the same value."#))
    #expect(identity("Price", try infer(shows(3))) == [])
    #expect(identity("Price", try infer(shows(20, last: 1))) == [])
  }

  @Test("The ID of an object that contains another object becomes a relationship")
  func mentions() throws {
    let model = try infer(
      #"Tweet=[{"id": 1, "user": {"id": 7, "name": "a"}, "user_mentions": [{"id": 8, "at": 0}, {"id": 8, "at": 9}]},"#
        + #"{"id": 2, "user": {"id": 8, "name": "b"}, "user_mentions": [{"id": 7, "at": 3}]}]"#)
    let user = try relationship("UserMention.user", model)
    #expect(user.destinationName == "User" && user.keyPath == "id" && user.representation == .identifier)
    #expect(try relationship("User.userMentions", model).inverseName == "user")
    let unknown = try infer(
      #"Tweet=[{"id": 1, "user": {"id": 7, "name": "a"}, "user_mentions": [{"id": 5, "at": 0}, {"id": 5, "at": 9}]}]"#)
    #expect(try attribute("UserMention.id", unknown).type == .integer64)
  }

  @Test("Relationships with the same last key are named after the keys in which their paths differ")
  func repeatedNames() throws {
    let model = try infer(
      #"User=[{"id": 1, "entities": {"url": {"urls": [{"url": "a", "at": [1]}]}, "description": {"urls": [{"url": "b", "at": [2]}]}}},"#
        + #"{"id": 2, "entities": {"url": {"urls": [{"url": "a", "at": [3]}]}, "description": {"urls": []}}}]"#)
    #expect(try relationship("User.urls", model).keyPath == "entities.url.urls")
    #expect(try relationship("User.urls", model).inverseName == "user")
    #expect(try relationship("User.descriptionURLs", model).keyPath == "entities.description.urls")
  }

  @Test("Entities that would share a name are named after their owner's key, not after their whole path")
  func sharedNames() throws {
    let model = try infer(
      #"{"areaNames": {"1": "a", "2": "b"}, "seatNames": {"5": "x", "6": "y"}, "performances": [{"id": 1, "seats": [{"seatId": 5,"#
        + #" "areas": [{"areaId": 1, "blocks": [1]}, {"areaId": 2, "blocks": [2]}]}, {"seatId": 6, "areas": []}]}]}"#)
    #expect(
      Set(model.description.entities.map(\.name)) == ["Area", "Seat", "Performance", "PerformanceSeat", "SeatArea"])
  }

  @Test("Values that identify other objects become relationships")
  func identifiers() throws {
    let model = try infer(
      #"{"heroes": [{"id": 1, "publisherId": 7, "powerIds": [4, 5]}, {"id": 2, "publisherId": 8, "powerIds": [4]}],"#
        + #""publishers": [{"id": 7, "name": "DC"}, {"id": 8, "name": "Marvel"}], "powers": [{"id": 4}, {"id": 5}]}"#)
    let publisher = try relationship("Hero.publisher", model)
    #expect(publisher.destinationName == "Publisher" && publisher.representation == .identifier)
    #expect(publisher.inverseName == "heroes" && publisher.keyPath == "publisherId")
    let powers = try relationship("Hero.powers", model)
    #expect(powers.isToMany && powers.isOrdered && powers.destinationName == "Power")
    #expect(model.parts.map { "\($0.entityName)@\($0.keys)" }.sorted().first == #"Hero@["heroes"]"#)
  }

  @Test("A key named after an entity identifies the entity's objects, even if the samples contain no such object")
  func absentIdentifiers() throws {
    let model = try infer(
      #"Post=[{"id": 5001, "in_reply_to_post_id": 4903, "in_reply_to_user_id": 77, "user": {"id": 31}, "batch_id": 3},"#
        + #"{"id": 5002, "in_reply_to_post_id": null, "in_reply_to_user_id": 31, "user": {"id": 32}, "batch_id": 3}]"#)
    let reply = try relationship("Post.inReplyToPost", model)
    #expect(reply.destinationName == "Post" && reply.representation == .identifier)
    #expect(model.text.contains("// Guess: none of the identifiers is in the samples."))
    #expect(try relationship("Post.inReplyToUser", model).inverseName == "postsAsInReplyToUser")
    #expect(try relationship("Post.user", model).inverseName == "posts")
    // The samples contain no batch, and these numbers are too long to be IDs of users.
    #expect(try attribute("Post.batchID", model).type == .integer64)
    let other = try infer(#"Post=[{"id": 1, "user_id": 8812345678, "user": {"id": 31}}]"#)
    #expect(try attribute("Post.userID", other).type == .integer64)
  }

  @Test("A name identifies an object whose only other member is a list of objects")
  func headings() throws {
    let model = try infer(
      #"{"groups": [{"name": "a", "users": [{"id": 1}]}, {"name": "b", "users": [{"id": 2}, {"id": 3}]}]}"#)
    #expect(identity("Group", model) == ["name"])
    #expect(model.text.contains(#"// Guess: "name" identifies the objects, because no two of the 2 samples"#))
    let more = try infer(
      #"{"groups": [{"name": "a", "size": 1, "users": [{"id": 1}]}, {"name": "b", "size": 2, "users": [{"id": 2}]}]}"#)
    #expect(identity("Group", more) == [])
    let tree = try infer(#"Node=[{"name": "a", "nodes": [{"name": "b", "nodes": [{"name": "c", "nodes": []}]}]}]"#)
    #expect(identity("Node", tree) == [])
  }

  @Test("An entity that contains objects of its own kind is one entity")
  func recursion() throws {
    let model = try infer(
      #"[{"id": 1, "children": [{"id": 2, "children": [{"id": 3}]}, {"id": 4, "children": []}]}]"#)
    #expect(model.description.entities.map(\.name) == ["Thing"])
    #expect(try relationship("Thing.children", model).inverseName == "parent")
  }

  @Test("Small nested objects become key paths")
  func parts() throws {
    let model = try infer(#"User=[{"id": 1, "address": {"city": "A", "zip": "1"}}, {"id": 2, "address": null}]"#)
    #expect(try attribute("User.addressCity", model).keyPath == "address.city")
    #expect(try attribute("User.addressCity", model).isOptional)
  }

  @Test("Objects under keys that are data become collections by key")
  func keyed() throws {
    let model = try infer(
      #"{"users": {"17": {"name": "a"}, "18": {"name": "b"}}, "areaNames": {"205705993": "Balcony", "205705994": "Stalls"}}"#
    )
    #expect(try attribute("User.id", model).keyPath == "@key")
    #expect(try attribute("Area.name", model).keyPath == "@value")
    #expect(identity("User", model) == ["id"] && identity("Area", model) == ["id"])
  }

  @Test("Values next to the objects become data, or a comment names them")
  func envelopes() throws {
    let paging = try infer(#"{"info": {"count": 2, "next": null}, "results": [{"id": 1}, {"id": 2}]}"#)
    #expect(
      paging.parts.map(\.keys) == [["results"]] && paging.text.contains("the objects, the samples have \"info\"")
    )
    let package = try infer(
      #"{"info": {"name": "a", "version": "1.2"}, "releases": {"1.0": [{"f": 1}], "1.2": [{"f": 2}]}}"#)
    #expect(package.parts.map(\.keys) == [[]] && package.text.contains("\"info.name\""))
    let two = try infer(#"{"metadata": {"matchID": "7"}, "players": [{"id": 1}, {"id": 2}]}"#)
    #expect(two.parts.map(\.keys) == [[]] && two.text.contains("\"metadata\""), "\(two.text)")
  }

  @Test(
    "The pages of well-known services are envelopes, and the name that the user gives applies to the objects",
    arguments: [
      #"{"object": "list", "url": "/v1/charges", "has_more": true, "data": []}"#,
      #"{"href": "https://a.b", "limit": 20, "next": null, "offset": 0, "previous": null, "total": 4, "data": []}"#,
      #"{"page": 1, "data": [], "total_pages": 10, "total_results": 200}"#,
      #"{"total_count": 40, "incomplete_results": false, "data": []}"#,
      #"{"expand": "names,schema", "startAt": 0, "maxResults": 50, "total": 3, "data": []}"#,
      #"{"pagelen": 10, "size": 3, "page": 1, "next": "https://x", "data": []}"#,
      #"{"totalSize": 3, "done": true, "data": []}"#,
      #"{"@odata.context": "https://x/$metadata#Orders", "@odata.nextLink": "https://x/y", "data": []}"#,
      #"{"kind": "youtube#videoListResponse", "etag": "x", "nextPageToken": "C", "pageInfo": {"totalResults": 3}, "data": []}"#,
      #"{"ok": true, "data": [], "cache_ts": 1498777272, "response_metadata": {"next_cursor": "x"}}"#,
      #"{"data": [], "totalElements": 3, "totalPages": 1, "last": true, "first": true, "size": 20, "number": 0, "empty": false}"#,
      #"{"type": "FeatureCollection", "features": []}"#,
    ])
  func pages(page: String) throws {
    let objects =
      #"[{"id": 1, "name": "a", "size": 5}, {"id": 2, "name": "b", "size": 6}, {"id": 3, "name": "c", "size": 7}]"#
    let model = try infer("Film=" + page.replacing("[]", with: objects))
    #expect(model.description.entities.map(\.name) == ["Film"], "\(model.text)")
    #expect(identity("Film", model) == ["id"])
  }

  @Test(
    "Words that objects also use do not make an envelope",
    arguments: [
      #"{"path": "/a", "kind": "folder", "files": []}"#, #"{"url": "https://a.b", "links": []}"#,
      #"{"number": 5, "from": "a", "to": "b", "stops": []}"#, #"{"total": 5, "name": "n", "rows": []}"#,
    ])
  func objectsWithLists(object: String) throws {
    let model = try infer("Thing=" + object.replacing("[]", with: #"[{"id": 1, "a": "x"}, {"id": 2, "a": "y"}]"#))
    #expect(model.description.entities.count == 2, "\(model.text)")
    #expect(model.parts.map(\.keys) == [[]])
  }

  @Test("GraphQL's __typename distinguishes kinds of objects")
  func typename() throws {
    let users = (0..<3).map { #"{"__typename": "User", "id": "u\#($0)", "login": "a\#($0)", "bio": "b"}"# }
    let bots = (0..<3).map { #"{"__typename": "Bot", "id": "b\#($0)", "version": \#($0), "owner": "c"}"# }
    let model = try infer("Actor=[\((users + bots).joined(separator: ","))]")
    #expect(model.description.entities.first?.entityMapper?.keyPath == "__typename", "\(model.text)")
  }

  @Test("The elements of a document are objects of one entity even if their keys are different")
  func rareKeys() throws {
    let elements = (0..<30).map { "{\"id\": \($0), \"key\($0)x\": 1}" }.joined(separator: ", ")
    let model = try infer("M=[\(elements)]")
    #expect(identity("M", model) == ["id"] && model.description.entities.first?.attributes.count == 31)
  }

  @Test("A key that distinguishes kinds of objects becomes a mapper")
  func mapper() throws {
    let few =
      #"{"id": 1, "type": "text", "body": "a"}, {"id": 2, "type": "text", "body": "b"},"#
      + #"{"id": 3, "type": "image", "width": 1, "height": 2}, {"id": 4, "type": "image", "width": 3, "height": 4}"#
    // Objects of other kinds can also have the members that two objects of one kind have.
    #expect(try infer("Message=[\(few)]").description.entities.map(\.name) == ["Message"])
    let model = try infer(
      "Message=[\(few)," + #"{"id": 5, "type": "text"}, {"id": 6, "type": "image", "width": 5, "height": 6}]"#)
    let message = try #require(model.description.entities.first)
    #expect(
      message.entityMapper?.cases.map { "\($0.value) \($0.entityName)" } == ["text TextMessage", "image ImageMessage"])
    #expect(try attribute("TextMessage.body", model).isOptional)
  }

  @Test("A few different words under a key such as status become an enum")
  func enums() throws {
    let model = try infer(#"Task=[{"status": "open"}, {"status": "done"}, {"status": "open"}, {"status": "done"}]"#)
    let validation = try attribute("Task.status", model).validation
    #expect(validation.allowedValues == [.string("open"), .string("done")])
    // The next document might have another value.
    #expect(validation.isExtensible)
  }

  @Test("Keys with underscores determine the key strategy")
  func strategy() throws {
    let model = try infer(#"User=[{"id": 1, "real_name": "a", "profile_image_url": "b"}]"#)
    #expect(model.description.keyStrategy == .snakeCase)
    #expect(try attribute("User.profileImageURL", model).keyPath == "profile_image_url")
  }

  @Test("Unusual keys, equal names and hostile documents produce models that work")
  func hostile() throws {
    let keys = try infer(
      #"Thing=[{"a.b": 1, "@key": 2, "": 3, "class": 4, "1": 5, "x y": 6, "x_y": 7, "$ref": 8, "a[0]": 9}]"#)
    #expect(keys.description.entities[0].attributes.count == 9)
    let twice = try infer(#"Thing=[{"a": 1, "b": 2, "b": 3}]"#)
    #expect(twice.description.entities[0].attributes.map(\.name) == ["a"])
    #expect(twice.text.contains(#""b" is not mapped"#))
    let names = try infer(#"{"users": [{"id": 1, "x": 1}], "user": [{"name": "a", "y": true}]}"#)
    #expect(Set(names.description.entities.map(\.name)).count == 2)
    let deep = String(repeating: #"{"a": {"b": ["#, count: 150) + String(repeating: "]}}", count: 150)
    _ = try infer("Thing=\(deep)")
    #expect(throws: InferenceError.self) { try self.infer(String(repeating: "[", count: 100_000)) }
    #expect(throws: InferenceError.self) { try self.infer("[1, 2]") }
    #expect(throws: InferenceError.self) { try self.infer(#"[{"a": 1},]"#) }
  }

  @Test("JSON Lines and key paths lead to the objects")
  func places() throws {
    let lines = try infer("Event={\"id\": 1, \"a\": 1}\n\n{\"id\": 2}\n", isLines: true)
    #expect(try attribute("Event.a", lines).isOptional)
    let at = try infer(#"Hero={"data": {"items": [{"id": 1}]}}"#, at: ["data", "items"])
    #expect(at.parts.map(\.keys) == [["data", "items"]] && identity("Hero", at) == ["id"])
    #expect(throws: InferenceError.self) { try self.infer("Hero={}", at: ["data"]) }
  }

  @Test(
    "Words are converted between English singulars and plurals",
    arguments: [
      ("heroes_list", "HeroesList"), ("blog_posts", "BlogPost"), ("children", "Child"), ("statuses", "Status"),
      ("categories", "Category"), ("addresses", "Address"), ("boxes", "Box"), ("status", "Status"),
      ("people", "Person"),
      ("userIDs", "UserID"), ("class", "Class"), ("", "Object"), ("42", "Object42"),
    ])
  func words(key: String, name: String) { #expect(KeyNames.entityName(KeyNames.words(key)) == name) }

  @Test("Inference: a name that the user gives applies to the list with this name, regardless of neighboring lists")
  func namedLists() throws {
    for (text, name, keys) in [
      (
        #"Ticket={"tickets": [{"id": 1, "user_id": 2}], "users": [{"id": 2, "name": "A"}], "next_page": null}"#,
        "Ticket", ["tickets"]
      ),
      (
        #"Item={"version": "1", "title": "Feed", "items": [{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]}"#,
        "Item", ["items"]
      ),
      (
        #"Race={"MRData": {"series": "f1", "RaceTable": {"season": "2024", "races": [{"id": 1, "name": "A"}]}}}"#,
        "Race", ["MRData", "RaceTable", "races"]
      ),
      // If the list's objects have no IDs, or the document has its own ID, the document is the object.
      (#"Order={"id": 7, "orders": [{"id": 8}, {"id": 9}]}"#, "Order", []),
      (#"Line={"name": "U8", "lines": [{"text": "a"}]}"#, "Line", []),
    ] {
      let model = try infer(text)
      #expect(model.parts.contains { $0.entityName == name && $0.keys == keys }, "\(text): \(model.parts)")
    }
  }

  @Test(
    "Inference: a list whose objects name their owner is the inverse of that relationship, even with only one owner")
  func onlyOwner() throws {
    let model = try infer(
      #"Post=[{"id": 1, "title": "x", "comments": [{"id": 5, "post_id": 1, "body": "a"}, {"id": 6, "post_id": 1, "body": "b"}]}]"#
    )
    let post = try #require(model.description.entities.first { $0.name == "Post" })
    let comment = try #require(model.description.entities.first { $0.name == "Comment" })
    #expect(
      post.relationships.map(\.name) == ["comments"] && comment.relationships.map(\.name) == ["post"], "\(model.text)")
    #expect(comment.relationships[0].inverseName == "comments")
    // An object that names a different owner.
    let other = try infer(
      #"Post=[{"id": 1, "title": "x", "comments": [{"id": 5, "post_id": 2, "body": "a"}]}, {"id": 2, "title": "y", "comments": []}]"#
    )
    #expect(other.description.entities.first { $0.name == "Post" }?.relationships.count == 2, "\(other.text)")
  }

  @Test("Inference: kinds under a nested key become separate entities, one of which has the name that the user gave")
  func nestedKinds() throws {
    let model = try infer(
      #"""
      Account=[{"attributes": {"type": "Account"}, "Id": "1", "Name": "A", "Industry": "x", "Phone": "1"},
       {"attributes": {"type": "Account"}, "Id": "2", "Name": "B", "Industry": "y", "Phone": "2"},
       {"attributes": {"type": "Account"}, "Id": "5", "Name": "E", "Industry": "y", "Phone": "2"},
       {"attributes": {"type": "Contact"}, "Id": "3", "Name": "C", "LastName": "c", "Email": "c@x"},
       {"attributes": {"type": "Contact"}, "Id": "4", "Name": "D", "LastName": "d", "Email": "d@x"},
       {"attributes": {"type": "Contact"}, "Id": "6", "Name": "F", "LastName": "f", "Email": "f@x"}]
      """#)
    let parent = try #require(model.description.entities.first { $0.parentName == nil })
    #expect(parent.entityMapper?.keyPath.keys == ["attributes", "type"], "\(model.text)")
    #expect(parent.name == "Resource" && parent.entityMapper?.cases.map(\.entityName) == ["Account", "Contact"])
  }

  @Test("Inference: an object is identified by the ID in a part that describes the object")
  func innerIdentities() throws {
    let model = try infer(
      #"""
      Pod={"items": [
        {"metadata": {"name": "a", "uid": "22222222-2222-2222-2222-222222222221", "ownerReferences": [{"kind": "RS", "name": "w", "uid": "11111111-1111-1111-1111-111111111111"}]}, "phase": "Running"},
        {"metadata": {"name": "b", "uid": "22222222-2222-2222-2222-222222222222", "ownerReferences": [{"kind": "RS", "name": "w", "uid": "11111111-1111-1111-1111-111111111111"}]}, "phase": "Running"}]}
      """#)
    let pod = try #require(model.description.entities.first { $0.name == "Pod" })
    let identity = try #require(pod.attributes.first { [$0.name] == pod.identityAttributes })
    #expect(identity.keyPath?.keys == ["metadata", "uid"] && !identity.isOptional, "\(model.text)")
  }

  @Test(
    "Inference: values of one object can differ between samples, but not always within one sample"
  )
  func laterSamples() throws {
    func heroes(_ followers: Int) -> String {
      "Hero=["
        + (1...9).map { #"{"id": \#($0), "name": "n\#($0)", "followers": \#($0 * followers)}"# }.joined(separator: ",")
        + "]"
    }
    #expect(identity("Hero", try infer(heroes(3), heroes(4))) == ["id"])
    let departures = (0..<30).map { number in
      #"{"id": "l\#(number % 5)", "name": "n\#(number % 5)", "kind": "bus", "color": "c\#(number % 5)", "operator": "o", "trip": \#(number)}"#
    }
    #expect(identity("Departure", try infer("Departure=[\(departures.joined(separator: ","))]")) == [])
  }

  @Test(
    "Inference: a leading 'id' is a reference like a trailing one, but a link that repeats the object's own ID is not"
  )
  func leadingIDs() throws {
    let model = try infer(
      #"Post=[{"id": 1, "title": "x", "comments": [{"id": 5, "idPost": 1, "body": "a"}]}, {"id": 2, "title": "y", "comments": [{"id": 6, "idPost": 2, "body": "b"}]}]"#
    )
    let post = try #require(model.description.entities.first { $0.name == "Post" })
    let comment = try #require(model.description.entities.first { $0.name == "Comment" })
    #expect(
      post.relationships.map(\.name) == ["comments"] && comment.relationships.map(\.name) == ["post"], "\(model.text)")
    let items = (1...6).map {
      #"{"id": "https://a.example/posts/\#($0)", "url": "https://a.example/posts/\#($0)", "title": "t\#($0)"}"#
    }
    let feed = try infer("Item=[\(items.joined(separator: ","))]")
    #expect(feed.description.entities.first?.relationships.count == 0, "\(feed.text)")
  }

  @Test("Inference: objects in different locations become one entity, even if some have no ID")
  func lackingIDs() throws {
    let questions = (1...12).map { number in
      let owner =
        number == 7
        ? #"{"name": "gone"}"#
        : #"{"user_id": \#(number % 4), "name": "n\#(number % 4)", "reputation": \#(number % 4 * 10)}"#
      return
        #"{"id": \#(number), "title": "t", "owner": \#(owner), "editor": {"user_id": \#(number % 3), "name": "n\#(number % 3)", "reputation": \#(number % 3 * 10)}}"#
    }
    let model = try infer("Question=[\(questions.joined(separator: ","))]")
    #expect(model.description.entities.count == 2, "\(model.text)")
    #expect(model.description.entities.contains { $0.identityAttributes == ["userID"] }, "\(model.text)")
  }
}
