import Graft
import GraftTestSupport
import Testing

@Suite("Errors that a transaction cannot throw") struct UnthrownErrorTests {
  private static func context(_ kind: ContextSource.Kind) throws -> (ManagedObjectContext, ManagedObject) {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {"Hero": {"identityAttributes": "id", "attributes": {
          "id": "integer64", "name": "string"}}}}
        """#)
    let source = try ContextSource(kind, model)
    let context = try source.context()
    try context.importJSON(#"{"id": 1, "name": "A"}"#, ofEntity: "Hero")
    try context.commit()
    return (context, try #require(try context.find(ofEntity: "Hero", id: 1)))
  }

  @Test(
    "S12: objects that are invalid after a nonthrowing transaction are validated by the next commit, and not before",
    arguments: ContextSource.Kind.allCases)
  func invalid(kind: ContextSource.Kind) throws {
    let (context, hero) = try Self.context(kind)
    func makeInvalid() { context.atomically { hero["name"] = String?.none } }
    makeInvalid()
    #expect(throws: ValidationError.self) { try context.commit() }
    hero["name"] = "B"
    try context.commit()
    makeInvalid()
    hero["name"] = "C"
    try context.commit()
    makeInvalid()
    context.rollBack()
    #expect(try context.fetch(ofEntity: "Hero").map { $0["name"] as String? } == ["C"])
    makeInvalid()
    context.reset()
    #expect(try context.fetch(ofEntity: "Hero").count == 1)
  }
}
