import Foundation
import Testing

/// The calls that people who know Core Data, SwiftData, GRDB, Realm or Groot would try first. Each call compiles, or the compiler names the
/// right call.
@Suite("First guesses", .enabled(if: ModuleFolders() != nil, "the compiled modules were not found"))
struct FirstGuessTests {
  /// Statements, each with words from the compiler's error; nil if the statement compiles.
  static let guesses: [(code: String, error: String?)] = [
    ("_ = try ManagedObjectModel(contentsOf: url)", nil),
    ("_ = try ManagedObjectModel(url: url)", "'init(contentsOf:"),
    (#"_ = try SQLiteStore(path: "heroes.sqlite", model: model)"#, nil),
    ("_ = try SQLiteStore(at: url, model: model)", nil),
    ("_ = ManagedObjectContext(store: store)", nil),
    ("_ = ManagedObjectContext(parent: c)", "makeChild()"),
    (#"let n = Hero(context: c); n.id = 1; n.name = "Otter""#, nil),
    (#"_ = Hero(context: c, id: 1)"#, nil),
    ("_ = c.insert(Hero.self)", nil),
    ("c.insert(Hero())", "Class(context: context)"),
    ("try c.commit()", nil),
    ("try c.save()", "'commit()'"),
    ("c.rollback()", "'rollBack()'"),
    ("c.delete(h)", "call can throw"),
    ("try c.delete(h)", nil),
    ("_ = c.fetch(Hero.self)", "call can throw"),
    ("_ = try c.fetch(Hero.self)", nil),
    (#"_ = try c.fetch(Hero.self, where: #Predicate { $0.name == "Otter" })"#, nil),
    (#"_ = try c.fetch(Hero.self, where: "name = 'Otter'")"#, nil),
    (#"_ = try c.fetch(Hero.self, predicate: #Predicate { $0.name == "Otter" })"#, "the label is 'where'"),
    (#"_ = try c.fetch(Hero.self, sortedBy: .ascending(\.name))"#, nil),
    (#"_ = try c.fetch(Hero.self, sortedBy: \.name)"#, nil),
    (#"_ = try c.fetch(Hero.self, sortBy: [SortDescriptor(\.name)])"#, "sortedBy"),
    ("_ = try c.find(Hero.self, identity: 1)", nil),
    ("_ = try c.find(Hero.self, id: 1)", nil),
    (#"_ = try c.fetchOne(Hero.self, where: #Predicate { $0.name == "Otter" })"#, nil),
    ("_ = try c.count(Hero.self)", nil),
    ("let a: Hero = try object(fromJSON: data, in: c); _ = a", nil),
    ("let a: Hero = try c.object(fromJSON: data); _ = a", nil),
    ("let l: [Hero] = try objects(fromJSON: data, in: c); _ = l", nil),
    ("let l: [Hero] = try c.objects(fromJSON: data); _ = l", nil),
    ("_ = try jsonData(from: h)", nil),
    ("_ = try jsonString(from: h)", nil),
    ("h.powers.insert(p)", nil),
    ("h.powers.append(p)", nil),
    ("h.powers += [p]", nil),
    ("_ = try Hero(fromJSON: data, in: c)", "object(fromJSON:in:)"),
    ("_ = h.jsonString()", "jsonString(from: object)"),
    ("_ = try c.find(Hero.self, 1)", "'find(_:id:)'"),
    (#"_ = h["name"] as? String"#, "always fails"),
    (#"let s: String? = h["name"]; _ = s"#, nil),
    (#"try c.atomically { h.name = "x" }"#, nil),
    (#"try await c.perform { h.name = "x" }"#, "BackgroundContext"),
    (#"try c.transaction { h.name = "x" }"#, "atomically"),
    ("c.conflictPolicy = .mergeByProperty", nil),
    ("c.mergePolicy = .mergeByPropertyObjectTrump", "'conflictPolicy'"),
    // GRDB
    ("_ = try Hero.fetchAll(c)", "'context.fetch(Class.self)'"),
    ("_ = try Hero.fetchOne(c)", "fetchOne(Class.self"),
    ("_ = try Hero.fetchCount(c)", "'context.count(Class.self)'"),
    ("try h.save(c)", "'context.commit()'"),
    ("try h.delete(c)", "'context.delete(object)'"),
    // Realm
    ("_ = c.objects(Hero.self)", "'fetch(_:)'"),
    ("_ = c.object(ofType: Hero.self, forPrimaryKey: 1)", "'find(_:identity:)'"),
    (#"try c.write { h.name = "x" }"#, "atomically"),
    ("c.add(h)", "Class(context: context)"),
    // SwiftData
    ("try c.delete(model: Hero.self)", "'delete(context.fetch(Class.self))'"),
    ("_ = try c.fetchCount(Hero.self)", "'count(_:)'"),
    // Core Data
    ("_ = Hero.fetchRequest()", "context.fetch(Class.self, where: predicate"),
    (#"h.setValue("x", forKey: "name")"#, "'setValue(_:of:)'"),
    (#"_ = h.value(forKey: "name")"#, "'value(of:as:)'"),
    ("c.undo()", "snapshot()"),
    ("_ = c.hasChanges", nil),
    ("c.reset()", nil),
    ("_ = c.insertedObjects", "changes.inserted"),
    ("c.refreshAllObjects()", "merge()"),
    ("_ = h.managedObjectContext", "'context'"),
    ("_ = h.objectID", nil),
    // Lists
    ("h.powers = [p]", nil), ("h.powers = []", nil), (#"h["powers"] = [p]"#, nil),
    ("h.powers.replaceAll(with: [p])", nil),
    ("let o: Hero? = h; for x in o?.powers ?? [] { _ = x.objectID }", nil), ("h.powers.remove(at: 0)", nil),
    ("h.powers.removeFirst()", nil), ("_ = h.powers.removeLast()", nil), ("_ = h.exported", nil),
    // Stores and models
    (#"_ = try SQLiteStore(at: "/tmp/x.sqlite", model: model)"#, "'init(path:model:options:)'"),
    ("_ = try SQLiteStore(inMemory: true, model: model)", "SQLiteStore.inMemory(model:)"),
    (#"_ = try ManagedObjectModel(path: "m.json")"#, "contentsOf"),
    (#"_ = try ManagedObjectModel(named: "m")"#, "contentsOf"),
    (#"_ = try ManagedObjectModel(json: "{}")"#, "'init(text:)'"), ("_ = try ManagedObjectModel(data: data)", "text:"),
    // Others
    ("_ = c.object(Hero.self, id: 1)", "find(Class.self, id: id)"), ("c.refresh()", "merge()"),
    ("_ = c.liveResults(Hero.self)", "'results("), ("c.deleteAll(Hero.self)", "delete(context.fetch(Class.self))"),
    ("_ = try c.fetchOne(Hero.self) { $0.powers.isEmpty }", nil),
    ("_ = try c.exists(Hero.self) { $0.powers.isEmpty }", nil),
    ("try c.delete(Hero.self) { $0.powers.isEmpty }", nil),
    (#"try c.delete(Hero.self, where: { $0.name == "x" })"#, nil),
    (#"try c.delete(Hero.self, where: "name = 'x'")"#, nil),
    (#"_ = try c.exists(Hero.self, where: "name = 'x'")"#, nil),
    (#"try c.delete(Hero.self, where: #Predicate { $0.name == "x" })"#, nil),
    (#"_ = try c.find(Hero.self, id: ["a", 2])"#, "identity: \"a\", 2"),
    (#"_ = try c.find(ofEntity: "Hero", id: ["a", 2])"#, "identity: \"a\", 2"),
    (#"_ = try c.fetch(Hero.self, sortedBy: "name")"#, "sort by a key path"),
    (#"_ = try c.fetch(ofEntity: "Hero", sortedBy: "name")"#, ".ascending("),
    (#"_ = try c.fetch(ofEntity: "Hero", sortedBy: .ascending("name"))"#, nil),
    ("_ = c.newBackgroundContext()", "BackgroundContext(store: store)"),
    ("_ = BackgroundContext(store: store)", nil),
    (#"_ = try object("Hero", fromJSON: data, in: c)"#, "object(ofEntity:"),
    (#"_ = try objects("Hero", fromJSON: data, in: c)"#, "objects(ofEntity:"),
    ("try c.delete(Hero.self)", "delete(Class.self, where: predicate)"), ("h.delete()", "'context.delete(object)'"),
    (#"h.set("name", to: "x")"#, "= value"), ("_ = try c.export(Hero.self)", "jsonData(from:"),
    ("c.observe(Hero.self) { _ in }", "results(Class.self)"),
    ("_ = try SQLiteStore(url, model: model)", "'init(at:model:options:)'"),
    ("_ = ImportOptions(limits: ImportLimits(bytes: 1_000_000))", nil),
    ("let s = AsyncStream<[UInt8]> { $0.finish() }; _ = try await c.importStream(s, into: Hero.self)", nil),
    (#"_ = try c.fetch(Hero.self, where: "rival = \(h)")"#, "compare the value that identifies the object"),
  ]

  @Test("Each guess compiles, or the compiler names the right call")
  func compile() throws {
    let modules = try #require(ModuleFolders())
    // Each guess is a separate function, so the compiler reports errors for all of them.
    var source = """
      import Foundation
      import Graft
      import GraftSQLite

      let url = URL(fileURLWithPath: "/tmp/x"), data = Data()

      final class Power: ManagedObject {}

      final class Hero: ManagedObject {
        override class var queryableProperties: [QueryableProperty] { [.init(\\Hero.name, "name")] }
        var id: Int { get { self["id"] ?? 0 } set { self["id"] = newValue } }
        var name: String? { get { self["name"] } set { self["name"] = newValue } }
        var powers: RelatedObjects<Power> { get { self["powers"] } set { self["powers"] = newValue } }
        convenience init(context: ManagedObjectContext, id: Int) { self.init(context: context); self.id = id }
        var exported: String? { try? jsonString(from: self) }
      }

      """
    var firstLines: [Int] = []
    for (number, guess) in Self.guesses.enumerated() {
      source += """
        func guess\(number)(
          _ c: ManagedObjectContext, _ model: ManagedObjectModel, _ store: SQLiteStore, _ h: Hero, _ p: Power
        ) async throws {

        """
      firstLines.append(source.count { $0 == "\n" } + 1)
      source += guess.code + "\n}\n"
    }
    let errors = try modules.errors(of: source)
    for (guess, line) in zip(Self.guesses, firstLines) {
      let found = errors[line] ?? []
      if let error = guess.error {
        #expect(found.contains { $0.contains(error) }, "\(guess.code): \(found)")
      } else {
        #expect(found == [], "\(guess.code)")
      }
    }
    #expect(errors.count == Self.guesses.count { $0.error != nil })
  }
}

/// The compiler, and the package's compiled modules next to the test bundle.
private struct ModuleFolders {
  private let modules: URL

  init?() {
    modules = Package.products.appending(path: "Modules")
    guard FileManager.default.fileExists(atPath: modules.appending(path: "Graft.swiftmodule").path) else { return nil }
  }

  /// Returns the compiler's errors and notes, by line.
  func errors(of source: String) throws -> [Int: [String]] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("graft-guesses-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("main.swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    let output = folder.appendingPathComponent("output")
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style=llvm", "-I", modules.path,
      "-I", Package.folder.appending(path: "Sources/CSQLite").path, file.path,
    ]
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    let text = try String(contentsOf: output, encoding: .utf8)
    var errors: [Int: [String]] = [:]
    let diagnostic = /main\.swift:(\d+):\d+: (?:error: (.*)|warning: (.* always fails))/
    for line in text.split(separator: "\n") {
      guard let match = line.firstMatch(of: diagnostic), let number = Int(match.1) else { continue }
      errors[number, default: []].append(String(match.2 ?? match.3 ?? ""))
    }
    if errors.isEmpty { Issue.record("the compiler reported nothing: \(text.prefix(1_000))") }
    return errors
  }
}
