import Foundation
import Testing

/// Code that is written for Core Data does not compile, and the compiler names the call to use instead.
@Suite("Names of Core Data", .enabled(if: SwiftCompiler.isAvailable)) struct CoreDataNameTests {
  @Test(
    "Using a Core Data name is a compiler error that names the counterpart",
    arguments: [
      ("context.performAndWait {}", "call the context directly"),
      ("context.perform {}", "BackgroundContext"),
      ("context.undo()", "'restore(_:)'"),
      ("context.redo()", "'restore(_:)'"),
      ("context.undoManager = nil", "'restore(_:)'"),
      ("_ = context.insertedObjects", "'changes.inserted'"),
      ("_ = context.updatedObjects", "'changes.updated'"),
      ("_ = context.deletedObjects", "'changes.deleted'"),
      ("_ = hero.hasChanges", "'context.changes'"),
      ("_ = hero.changedValues()", "'context.changes.updated.first { $0.id == objectID }'"),
      ("_ = hero.committedValues(forKeys: nil)", "'context.changes.updated.first { $0.id == objectID }'"),
      ("_ = Hero.fetchRequest()", "'context.fetch(Class.self, where: predicate, sortedBy: keys, limit: count)'"),
      ("try context.save()", "renamed to 'commit()'"),
      ("_ = try context.fetch(Hero.self, predicate: #Predicate { $0.name == \"x\" })", "the label is 'where'"),
      ("_ = try context.fetch(Hero.self, predicate: \"name = 'x'\")", "the label is 'where'"),
      ("_ = try context.count(Hero.self, predicate: #Predicate { $0.name == \"x\" })", "the label is 'where'"),
      ("_ = try context.find(Hero.self, id: hero.objectID)", "renamed to 'find(_:_:)'"),
    ])
  func names(_ code: String, _ counterpart: String) throws {
    let folder = try TemporaryFolder()
    let source = """
      import Foundation
      import Graft
      class Hero: ManagedObject {
        var name: String? { self["name"] }
      }
      func use(_ context: ManagedObjectContext, _ hero: Hero) throws {
        \(code)
      }
      """
    let findings = try SwiftCompiler.findings(in: [folder.file("client.swift", source)])
    #expect(findings.contains("unavailable") || findings.contains("renamed"), "\(findings)")
    #expect(findings.contains(counterpart), "\(findings)")
  }

  @Test(
    "A fetch, search or count without 'try' causes the compiler's usual error",
    arguments: [
      "fetch(Hero.self)", "find(Hero.self, id: 1)", "count(Hero.self)", "fetch(Hero.self, sortedBy: \\.name)",
    ])
  func withoutTry(_ call: String) throws {
    let folder = try TemporaryFolder()
    let source = """
      import Graft
      class Hero: ManagedObject {
        var name: String? { self["name"] }
      }
      func use(_ context: ManagedObjectContext) throws {
        _ = context.\(call)
      }
      """
    let findings = try SwiftCompiler.findings(in: [folder.file("client.swift", source)])
    #expect(findings.contains("call can throw but is not marked with 'try'"), "\(findings)")
  }

  @Test("The counterparts of Core Data's names compile, and properties can have Core Data's names")
  func counterparts() throws {
    let folder = try TemporaryFolder()
    let source = """
      import Foundation
      import Graft
      class Hero: ManagedObject {
        var hasChanges: Bool? { self["hasChanges"] }
        var changedValues: String? { self["changedValues"] }
      }
      func use(_ context: ManagedObjectContext, _ hero: Hero) throws {
        _ = context.changes.updated.first { $0.id == hero.objectID }?.properties
        _ = try context.changes.inserted.compactMap { try context.find($0) }
        _ = try context.fetch(Hero.self, where: #Predicate { $0.changedValues == "x" }, sortedBy: [], limit: 1)
        context.restore(context.snapshot())
        _ = context.makeChild()
        _ = hero.hasChanges
      }
      """
    #expect(try SwiftCompiler.findings(in: [folder.file("client.swift", source)]) == "")
  }
}
