import Foundation
import Graft
import Testing

extension GuideTests {
  /// A context with the hero of the page 'Working with the graph'.
  private static func heroes() throws -> (ManagedObjectContext, Hero) {
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }
    let model = try ManagedObjectModel(
      text: try #require(ReadmeTests.blocks("jsonc", in: ReadmeTests.file("README.md")).first),
      transformers: transformers, classes: [Hero.self, Power.self, Publisher.self])
    let context = ManagedObjectContext(model: model)
    let heron: Hero = try object(
      fromJSON: """
        {"id": "101", "name": "Night Heron", "publisher": {"id": "10", "name": "Lantern Press"},
         "powers": [{"id": "1", "name": "Silent flight"}, {"id": "2", "name": "Night vision"}]}
        """, in: context)
    return (context, heron)
  }

  @Test("Working with the graph: objects and properties")
  func objectsAndProperties() throws {
    let (context, heron) = try Self.heroes()
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }

    let found = try context.find(Hero.self, id: 101)
    print(found === heron, heron.powers[0].heroes.contains(heron))  // true true
    #expect(printed.take() == "true true")

    let value = try heron.propertyValue(of: "realName")  // any property
    let name = try heron.value(of: "name", as: String.self)
    try heron.setValue("Ardea", of: "realName")
    do {
      try heron.setValue("Ardea", of: "reelName")
    } catch {
      print(error)  // 'Hero' has no property 'reelName'; did you mean 'realName'?
    }
    #expect(value == nil && name == "Night Heron" && heron["realName"] == "Ardea")
    #expect(printed.take() == "'Hero' has no property 'reelName'; did you mean 'realName'?")

    context.insert(Hero.self)["identifier"] = 102
    let error = #expect(throws: PropertyError.self) { try heron.setValue(102, of: "identifier") }
    #expect(error?.description == "there is already another object 'Hero(102)'")
  }

  @Test("Working with the graph: relationships, deletions and transactions")
  func relationships() throws {
    let (context, heron) = try Self.heroes()
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }

    let vision = try context.find(Power.self, id: 2)!
    heron.powers.remove(vision)
    print(vision.heroes.isEmpty)  // true
    heron.powers.insert(vision)

    heron["powers"] = [vision]  // replaces all
    heron.publisher = nil
    #expect(printed.take() == "true" && Array(heron.powers) == [vision] && heron.publisher == nil)

    let owl = context.insert(Hero.self)
    owl["identifier"] = 102
    owl.name = "Owl"
    owl.publisher = heron.publisher
    try context.commit()

    try context.delete(heron)
    context.rollBack()  // heron is back, with its powers
    #expect(!heron.isDeleted && heron.powers.count == 1)

    try context.delete(heron)
    #expect(heron.isDeleted && heron.powers.isEmpty)
    context.rollBack()

    try object(Hero.self, fromJSON: #"{"id": "101", "name": "A", "powers": ["9"]}"#, in: context)
    let power = try #require(try context.find(Power.self, id: 9))
    #expect(power.isPlaceholder)
    power["name"] = "Diving"
    #expect(try !power.isPlaceholder && context.placeholders.isEmpty)
  }
}
