import Foundation
import Graft

/// The library behind the interface of the goals.
let graftSubject: (any Subject)? = GraftSubject()

struct GraftSubject: Subject {
  func makeModel(_ text: String) throws -> any SubjectModel {
    // Only the heroes workload has a class. A class without an entity would be an error.
    let hasHeroes = [true, false].contains { text == HeroesModel.text(nested: $0) }
    return GraftModel(model: try ManagedObjectModel(text: text, classes: hasHeroes ? [Hero.self] : []))
  }
}

private struct GraftModel: SubjectModel {
  let model: ManagedObjectModel

  func makeGraph() -> any SubjectGraph { GraftGraph(model) }
}

/// The part of `graft generate`'s output that is read here.
private final class Hero: ManagedObject {
  var name: String? { self[slot: 1] }
  var appearances: Int? { self[slot: 5] }

  override class var generatedProperties: [String] {
    [
      "identifier: integer", "name: string", "realName: string?", "gender: string", "alignment: string",
      "appearances: integer",
    ]
  }
}

private final class GraftGraph: SubjectGraph {
  let context: ManagedObjectContext
  private var exported: [ManagedObject] = []
  private var heroes: [Hero] = []

  init(_ model: ManagedObjectModel) { context = ManagedObjectContext(model: model) }

  func merge(_ bytes: [UInt8], ofEntity entity: String) throws { try context.importJSON(bytes, ofEntity: entity) }

  func merge(_ dictionaries: [Any], ofEntity entity: String) throws {
    try context.importJSON(dictionaries, ofEntity: entity)
  }

  func count(ofEntity entity: String) throws -> Int { try context.count(ofEntity: entity) }

  func prepareExport(of entity: String) throws { exported = try context.fetch(ofEntity: entity) }

  func export() throws -> Data { try jsonData(from: exported) }

  func exportDictionaries() throws -> [Any] { try json(from: exported) }

  func prepareReads() throws -> Int {
    heroes = try context.fetch(Hero.self)
    return heroes.count
  }

  func readIntegers() -> Int { heroes.reduce(0) { $0 &+ ($1.appearances ?? 0) } }

  func readStrings() -> Int { heroes.reduce(0) { $0 &+ ($1.name?.utf8.count ?? 0) } }
}
