import Foundation
import Testing

/// Generated classes, checked by the compiler.
@Suite("Generated source", .enabled(if: SwiftCompiler.isAvailable, "there is no swiftc")) struct GeneratedSourceTests {
  private static let modelFiles: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: Invocation.root.path + "/Models")) ?? []
    return names.filter { $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json") }.sorted().map { "Models/\($0)" }
  }()

  /// Returns the compiler's findings for the classes of a model and a module that uses these classes.
  private func findings(_ model: String, _ options: [String] = [], flags: [String] = []) throws -> String {
    let folder = try TemporaryFolder()
    let graft = try Invocation(["generate", model, "--output", folder.path("classes")] + options)
    guard graft.status == 0 else { return graft.messages }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("classes"))
    // A file with a plain import of the library must not depend on how generated files import the library.
    let client = try folder.file("client.swift", "import Graft\n\nfunc use(_ object: ManagedObject) {}\n")
    return try SwiftCompiler.findings(in: names.map { folder.path("classes/\($0)") } + [client], flags)
  }

  /// Returns the findings for public classes in a module with the strictest settings.
  private func strictFindings(_ model: String) throws -> String {
    let features = ["InternalImportsByDefault", "ExistentialAny", "MemberImportVisibility"]
    return try findings(
      model, ["--access", "public", "--non-optional", "required"],
      flags: features.flatMap { ["-enable-upcoming-feature", $0] })
  }

  @Test("The classes of a model compile without warnings in language mode 6", arguments: modelFiles)
  func models(model: String) throws {
    #expect(try findings(model) == "")
    #expect(try strictFindings(model) == "")
  }

  @Test("Names that Swift or the library also use compile in every kind of module")
  func nastyNames() throws {
    let members = try SwiftCompiler.members(of: "ManagedObject")
    #expect(members.isSuperset(of: ["context", "isPlaceholder", "value", "entityName", "hash"]))
    let folder = try TemporaryFolder()
    let model = try folder.file("nasty.json", nastyModel(members: members.subtracting(["!=", "=="])))
    let plain = try findings(model)
    #expect(plain == "")
    #expect(try strictFindings(model) == "")
    #expect(try findings(model, ["--access", "package"], flags: ["-package-name", "client"]) == "")
    #if compiler(>=6.2)
      #expect(try findings(model, ["--non-optional", "identity"], flags: ["-default-isolation", "MainActor"]) == "")
    #endif
  }

  /// Returns the output of a program that uses the classes of some models.
  ///
  /// - Parameter options: the options for each model; models without an element have no options.
  private func output(_ program: String, models: [String], options: [[String]] = []) throws -> String {
    let folder = try TemporaryFolder()
    var sources = [try folder.file("main.swift", program)]
    for (number, model) in models.enumerated() {
      let output = folder.path("classes\(number).swift")
      let own = number < options.count ? options[number] : []
      #expect(try Invocation(["generate", model, "--output", output] + own).status == 0)
      sources.append(output)
    }
    return try SwiftCompiler.output(ofProgram: sources, in: folder)
  }

  @Test("A program imports payloads into generated classes with every generated feature")
  func program() throws {
    let program = #"""
      import Foundation
      import Graft

      let context = ManagedObjectContext(model: try MessagesModel.load())
      let walk = try objects(
        Conversation.self,
        fromJSON: Data(contentsOf: URL(fileURLWithPath: "Examples/Payloads/messages.json")), in: context)[0]
      for message in walk.messages.prefix(3) {
        switch message {
        case let text as TextMessage: print("text", text.text ?? "?")
        case let image as ImageMessage: print("image", image.imageURL?.lastPathComponent ?? "?", image.width ?? 0)
        default: print("other")
        }
      }
      let sentAt: Date? = walk.messages[0].sentAt
      let isRead: Bool? = walk.messages[0].isRead
      print(sentAt?.timeIntervalSince1970 ?? 0, isRead ?? false)

      // A placeholder has its identity, and no more; reading it is safe.
      let placeholder = try context.placeholders[0] as! Message
      print(placeholder.isPlaceholder, placeholder.sentAt as Any, placeholder.sender as Any, placeholder.replies.count)
      let identifier: UUID = placeholder.identifier!
      try print(Message.find(identifier: identifier, in: context) === placeholder)
      try print(TextMessage.find(identifier: identifier, in: context) as Any)

      // Both sides follow.
      let user = context.insert(User.self)
      print(user.identifier as Any)
      user.identifier = 99
      user.name = "Vera"
      let before = walk.messages[0].sender
      walk.messages[0].sender = user
      print(user.messages.count, before?.messages.contains(walk.messages[0]) ?? true)
      try print(User.find(identifier: 99, in: context) === user, User.find(identifier: 98, in: context) as Any)
      """#
    #expect(
      try output(program, models: ["Models/Messages.json"]) == """
        text Where shall we meet? 🌧️
        other
        image bridge.jpg 1200
        1726998000.0 true
        true nil nil 1
        true
        nil
        nil
        1 false
        true nil

        """)
  }

  @Test("Enums have the model's raw values and can be used in filters; identities can have several parts")
  func enums() throws {
    let program = #"""
      import Foundation
      import Graft

      let context = ManagedObjectContext(model: try CardsModel.load())
      try objects(
        Card.self,
        fromJSON: """
          [
            {"set_code": "DAW", "number": 12, "title": "Heron", "rarity": "rare", "market": {"price": 0.10}, "keywords": [1]},
            {"set_code": "DAW", "number": 13, "title": "Owl", "foil": true}
          ]
          """, in: context)
      let heron = try Card.find(setCode: "DAW", collectorNumber: 12, in: context)!
      print(heron.rarity == .rare, heron.price ?? 0, heron.keywords ?? .null, heron.isFoil ?? true, heron.set as Any)
      try print(context.fetch(Card.self) { $0.rarity == .common }.map { $0.title ?? "?" })
      print(Card.Rarity.allCases.map(\.rawValue), Card.Rarity(rawValue: "rare") ?? .common)
      heron.rarity = .uncommon
      heron.cost = 3
      let deck = context.insert(Deck.self)
      deck.identifier = 1
      deck.cards.insert(heron)
      deck.cover = heron
      print(heron.decks.count, heron.coverOf.first === deck, heron["rarity"] as String? ?? "?")
      print(CardsModel.text.utf8.elementsEqual(try Data(contentsOf: URL(fileURLWithPath: "Models/Cards.json"))))

      do {
        _ = try ManagedObjectModel(text: #"{"entities": {"Deck": {}}}"#, name: "Cards.json", classes: [Deck.self])
      } catch {
        print(error)
      }
      """#
    #expect(
      try output(program, models: ["Models/Cards.json"]) == """
        true 0.1 [1] false nil
        ["Owl"]
        ["common", "uncommon", "rare"] rare
        1 true uncommon
        true
        Cards.json:1:15: error: the class 'Deck' was generated from another version of the model: \
        its property 0 is 'identifier: integer', but the model has no property there; generate the classes again

        """)
  }

  @Test("M14: an open enum is a struct that holds any string, and works with a model that has more values")
  func openEnums() throws {
    let folder = try TemporaryFolder()
    let text = #"""
      {"name": "Deck", "entities": {"Card": {"identityAttributes": "id", "attributes": {
        "id": {"type": "integer64", "JSONKeyPath": "id"},
        "rank": {"type": "string", "optional": true, "enum": ["common", "very rare", "default", "none"], "extensible": true,
          "JSONKeyPath": "rank"}}}}}
      """#
    let model = try folder.file("Deck.json", text)
    let program = #"""
      import Graft

      let context = ManagedObjectContext(model: try DeckModel.load())
      let card: Card = try object(fromJSON: #"{"id": 1, "rank": "mythic"}"#, in: context)
      print(card.rank?.rawValue ?? "-", card.rank == .common, Card.Rank.allCases.map(\.rawValue))
      card.rank = .veryRare
      try print(context.fetch(Card.self) { $0.rank == .veryRare }.count, card["rank"] as String? ?? "?")
      card.rank = Card.Rank(rawValue: "default")
      print(card.rank == .default, card.rank == .none_)
      let more = DeckModel.text.replacing("\"common\"", with: "\"uncommon\", \"common\"")
      print(try ManagedObjectModel(text: more, classes: [Card.self]).entities.count)
      """#
    #expect(
      try output(program, models: [model]) == """
        mythic false ["common", "very rare", "default", "none"]
        1 very rare
        true false
        1

        """)
  }

  @Test(
    "M8: a sub-entity that extends an identity is found only by all of it; its parent's look-up does not compile"
  )
  func extendedIdentity() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "Shops.json",
      #"""
      {"entities": {
        "Shop": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64", "JSONKeyPath": "id"}}},
        "Branch": {
          "parent": "Shop", "identityAttributes": "class",
          "attributes": {"class": {"type": "string", "enum": ["a", "b"], "JSONKeyPath": "class"}}
        },
        "Kiosk": {"parent": "Branch"},
        "Stall": {
          "parent": "Kiosk", "identityAttributes": "row", "attributes": {"row": {"type": "string", "JSONKeyPath": "row"}}
        }
      }}
      """#)
    #expect(try findings(model) == "")
    #expect(try strictFindings(model) == "")
    let program = #"""
      import Graft

      let context = ManagedObjectContext(model: try ShopsModel.load())
      try object(ofEntity: "Kiosk", fromJSON: ["id": 1, "class": "b"], in: context)
      print(try Shop.find(id: 1, in: context) as Any, try Kiosk.find(id: 1, class: .b, in: context)!.isPlaceholder)
      """#
    #expect(try output(program, models: [model]) == "nil false\n")
    let message = "objects of 'Branch' are identified by id, class"
    let complaints =
      try Invocation(["generate", model, "--output", folder.path("Classes.swift")]).status == 0
      ? SwiftCompiler.findings(
        in: [
          folder.path("Classes.swift"),
          folder.file(
            "client.swift",
            "import Graft\nfunc find(_ context: ManagedObjectContext) throws { _ = try Kiosk.find(id: 1, in: context) }\n"
          ),
        ]) : ""
    #expect(complaints.contains("error: 'find(id:in:)' is unavailable: \(message)"), "\(complaints)")
  }

  @Test("Two models with the same entity names work in one module, alongside Swift's own Task")
  func twoModels() throws {
    let folder = try TemporaryFolder()
    func model(_ name: String) throws -> String {
      try folder.file(
        "\(name).json",
        #"""
        {"entities": {"Task": {
          "identityAttributes": "id",
          "attributes": {
            "id": {"type": "integer16", "JSONKeyPath": "id"}, "size": {"type": "integer32", "optional": true, "JSONKeyPath": "size"},
            "total": {"type": "integer64", "optional": true, "JSONKeyPath": "total"},
            "state": {"type": "string", "optional": true, "enum": ["open"], "JSONKeyPath": "state"}
          },
          "relationships": {"parts": {"destination": "Task", "toMany": true, "JSONKeyPath": "parts"}}
        }, "Chore": {"parent": "Task"}}}
        """#)
    }
    let models = [try model("Shop"), try model("Depot")]
    let program = #"""
      import Graft

      let shop = ManagedObjectContext(model: try ShopModel.load())
      let task: Shop.Task = try object(
        fromJSON: #"{"id": 1, "size": 2, "total": 3, "state": "open", "parts": [{"id": 4}]}"#, in: shop)
      // As code for Core Data has it.
      let size: Int32 = task.size ?? 0
      let total: Int64 = task.total ?? 0
      task.size = Int32.max
      try print(size, total, task.state == .open, task.parts[0].id ?? 0, Shop.Task.find(id: Int16(1), in: shop) === task)
      try print(Shop.Chore.find(id: 1, in: shop) as Any, task["size"] as Int? ?? 0)

      let depot = ManagedObjectContext(model: try DepotModel.load())
      let other: DTask = try object(fromJSON: #"{"id": 2}"#, in: depot)
      try print(other, DTask.find(id: 2, in: depot) === other, DChore.entityName)
      let sum = await Task { 1 + 1 }.value
      print(sum)
      """#
    #expect(
      try output(
        program, models: models, options: [["--namespace", "Shop", "--integers=declared"], ["--prefix", "D"]]) == """
          2 3 true 4 true
          nil 2147483647
          Task(2) true Chore
          2

          """)
    // The enum that loads the model can be the namespace.
    for options in [
      ["--namespace", "ShopModel"], ["--namespace", "Shop", "--loader", "Loader"], ["--prefix", "Shop"],
    ] {
      #expect(try findings(models[0], options + ["--integers", "declared"]) == "")
      #expect(
        try findings(
          models[0], options + ["--access", "public", "--non-optional", "required"],
          flags: ["-enable-upcoming-feature", "InternalImportsByDefault"]) == "")
    }
  }

  @Test(
    "C4: adding Decodable makes a class Codable, and restating Encodable is the documented compiler error"
  )
  func codableClass() throws {
    let folder = try TemporaryFolder()
    let legal = try folder.file(
      "legal.swift",
      """
      import Graft
      final class CourseData: ManagedObject, Decodable {}
      func use(_ course: some Codable) {}
      func use(course: CourseData) { use(course) }
      """)
    #expect(try SwiftCompiler.findings(in: [legal]) == "")
    let redundant = try folder.file(
      "redundant.swift", "import Graft\nfinal class CourseData: ManagedObject, Codable {}\n")
    #expect(
      try SwiftCompiler.findings(in: [redundant]).contains(
        "redundant conformance of 'CourseData' to protocol 'Encodable'"))
  }

  @Test("The text of a model is preserved byte for byte")
  func text() throws {
    let folder = try TemporaryFolder()
    let model = try folder.file(
      "odd.json",
      "\u{FEFF}// \u{202E} \"\"\" \"\"\"# \\#(x) \\##n  \r\n{\t\"entities\": {}, \r\n // end \u{301}\n   \n}\n\n")
    let program = #"""
      import Foundation

      print(OddModel.text.utf8.elementsEqual(try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))))
      """#.replacing("CommandLine.arguments[1]", with: "\"\(model)\"")
    #expect(try output(program, models: [model]) == "true\n")
  }
}
