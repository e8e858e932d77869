#if os(Linux) || os(macOS)
  import Foundation
  import GraftTestSupport
  import Testing

  /// Code that must not compile, and code that must: small programs, passed to the compiler that built the tests.
  @Suite("Context: compile-time checks") struct SendabilityTests {
    private static let preamble = """
      import Graft
      final class Hero: ManagedObject {
        var name: String? { self["name"] }
      }

      """

    /// Compiles a program against the library, and returns the lines that the compiler rejects, each with its first message. A line that
    /// must be rejected ends with a comment that contains the beginning of its message.
    private func check(_ program: String) throws -> (found: [String], expected: [String]) {
      let lines = (Self.preamble + program).split(separator: "\n", omittingEmptySubsequences: false)
      let expected = lines.enumerated().compactMap { number, line in
        line.range(of: "  // ").map { "\(number + 1): \(line[$0.upperBound...])" }
      }
      let output = try Self.compile(lines.map(String.init))
      var messages: [Int: String] = [:]
      for line in output.split(separator: "\n") {
        guard let match = line.firstMatch(of: /^\S*main\.swift:(\d+):\d+: error: (.*)$/), let number = Int(match.1)
        else {
          continue
        }
        if messages[number] == nil { messages[number] = String(match.2) }
      }
      let found = messages.sorted { $0.key < $1.key }.map { number, message in
        let wanted = expected.first { $0.hasPrefix("\(number): ") }?.dropFirst("\(number): ".count)
        return "\(number): \(wanted.map { message.hasPrefix($0) ? String($0) : message } ?? message)"
      }
      return (found, expected)
    }

    private static func compile(_ lines: [String]) throws -> String {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let source = folder.file("main.swift")
      try Data(lines.joined(separator: "\n").utf8).write(to: source)
      let output = folder.file("output")
      try Data().write(to: output)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      // The compiler checks isolation only after the types are correct.
      process.arguments = [
        "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library", "-I", modules.path,
        source.path,
      ]
      process.standardError = try FileHandle(forWritingTo: output)
      try process.run()
      process.waitUntilExit()
      let text = try String(contentsOf: output, encoding: .utf8)
      // If the compiler fails to start, the test must not pass.
      try #require(!text.contains("no such module") && !text.contains("swiftc: No such file"), "\(text)")
      return text
    }

    /// The folder next to the test bundle where SwiftPM stores the library's module interface.
    private static let modules: URL = {
      let words = CommandLine.arguments + [Bundle.main.bundlePath]
      var url = URL(fileURLWithPath: words.first { $0.contains(".xctest") } ?? words[0])
      while url.path.contains(".xctest") { url.deleteLastPathComponent() }
      return url.appendingPathComponent("Modules", isDirectory: true)
    }()

    @Test(
      "C3: contexts, objects and collections of objects cannot enter or leave a concurrent closure, nor be global")
    func types() throws {
      let (found, expected) = try check(
        """
        func a(_ background: BackgroundContext) async {
          _ = await background.perform { context in context }  // type 'ManagedObjectContext' does not conform to the 'Sendable'
        }
        func b(_ background: BackgroundContext) async throws {
          _ = try await background.perform { context in try context.fetch(Hero.self) }  // type 'Hero' does not conform to the 'Sendable'
        }
        func c(_ background: BackgroundContext) async {
          _ = await background.perform { context in context.insert(Hero.self) }  // type 'Hero' does not conform to the 'Sendable'
        }
        func d(_ background: BackgroundContext) async throws {
          _ = try await background.perform { context -> RelatedObjects<Hero>? in try context.fetch(Hero.self).first?["friends"] }  // type 'RelatedObjects<Hero>' does not conform
        }
        func e(_ background: BackgroundContext) async {
          var leaked: ManagedObjectContext?
          await background.perform { context in leaked = context }  // capture of 'leaked' with non-Sendable type
          _ = leaked
        }
        func f(_ background: BackgroundContext) async {
          await background.perform { context in await Task.yield() }  // cannot pass function of type
        }
        func g(_ background: BackgroundContext, _ hero: Hero) async {
          await background.perform { context in hero["name"] = "x" }  // capture of 'hero' with non-Sendable type 'Hero'
        }
        func h(_ context: ManagedObjectContext) {
          let work: @Sendable () -> Void = { _ = try? context.count(Hero.self) }  // capture of 'context' with non-Sendable type
          work()
        }
        struct Carrier: Sendable {
          let hero: Hero  // stored property 'hero' of 'Sendable'-conforming struct 'Carrier' has non-Sendable type 'Hero'
        }
        let shared = try! ManagedObjectContext(model: ManagedObjectModel(text: "{}"))  // let 'shared' is not concurrency-safe
        """)
      #expect(found == expected && expected.count == 10)
    }

    @Test("C3: a task that runs in another isolation cannot capture a context or an object")
    func tasks() throws {
      let (found, expected) = try check(
        """
        func a(_ context: ManagedObjectContext) {
          Task { _ = try? context.count(Hero.self) }  // passing closure as a 'sending' parameter risks causing data races
        }
        func b(_ hero: Hero) {
          Task.detached { print(hero.name as Any) }  // passing closure as a 'sending' parameter risks causing data races
        }
        func c(_ background: BackgroundContext) async {
          await background.perform { context in
            _ = Task { context.rollBack() }  // passing closure as a 'sending' parameter risks causing data races
          }
        }
        func d(_ background: BackgroundContext) async {
          await background.perform { context in
            let hero = context.insert(Hero.self)
            Task { @MainActor in hero["name"] = "x" }  // sending 'hero' risks causing data races
          }
        }
        func e(_ context: ManagedObjectContext) async {
          await withTaskGroup(of: Void.self) { group in
            group.addTask { context.rollBack() }  // passing closure as a 'sending' parameter risks causing data races
          }
        }
        @MainActor final class Screen {
          var hero: Hero?
        }
        func f(_ screen: Screen, _ hero: Hero) async {
          await MainActor.run { screen.hero = hero }  // sending 'hero' risks causing data races
        }
        """)
      #expect(found == expected && expected.count == 6)
    }

    @Test(
      "C3: values, IDs, changes, snapshots, models, registries, reports and errors are Sendable; a new context can be sent"
    )
    func legal() throws {
      let (found, expected) = try check(
        """
        func names(_ background: BackgroundContext, _ json: JSON) async throws -> [String] {
          try await background.perform { context in try objects(Hero.self, fromJSON: json, in: context).compactMap(\\.name) }
        }
        func isGone(_ background: BackgroundContext, _ hero: Hero) async throws -> Bool {
          let id = hero.objectID
          return try await background.perform { context in try context.find(Hero.self, id)?.isDeleted ?? true }
        }
        func work(_ background: BackgroundContext) async throws -> (ImportReport, ContextChanges, ContextSnapshot) {
          try await background.perform { context in
            (try context.importJSON("[]", ofEntity: "Hero"), context.changes, context.snapshot())
          }
        }
        func failure(_ background: BackgroundContext) async throws(ImportError) -> ManagedObjectID {
          try await background.perform { context throws(ImportError) in
            try object(Hero.self, fromJSON: "{}", in: context).objectID
          }
        }
        @MainActor func show(_ background: BackgroundContext, in main: ManagedObjectContext) async {
          main.restore(await background.snapshot())
        }
        func follow(_ context: ManagedObjectContext, _ hero: Hero) {
          let (all, one) = (context.updates(), hero.updates())
          Task { for await changes in all { print(changes) } }
          Task { for await update in one { print(update) } }
        }
        func own(_ model: ManagedObjectModel) {
          Task.detached {
            let context = ManagedObjectContext(model: model)
            try objects(Hero.self, fromJSON: "[]", in: context)
          }
        }
        @MainActor final class Screen {
          var context: ManagedObjectContext?
          func take(_ context: sending ManagedObjectContext) { self.context = context }
        }
        func give(_ model: ManagedObjectModel, to screen: Screen) async {
          let context = ManagedObjectContext(model: model)
          await screen.take(context)
        }
        func send(_ values: any Sendable...) {}
        func data(
          _ model: ManagedObjectModel, _ registry: TransformerRegistry, _ json: JSON, _ value: AttributeValue,
          _ errors: (ModelError, ImportError, ExportError, ValidationError, PropertyError), _ options: ImportOptions
        ) { send(model, registry, json, value, errors.0, errors.1, errors.2, errors.3, errors.4, options) }
        """)
      #expect(found == [] && expected == [])
    }
  }
#endif
