import Graft
import GraftTestSupport
import Testing

@Suite("Identity with a default") struct IdentityDefaultTests {
  private static let model = #"""
    "X": {"identityAttributes": "a,n", "attributes": {"a": "string", "n": {"type": "integer64", "default": 7}}}
    """#

  @Test("I2: an absent identity value stays absent despite a default, so two objects never share an identity")
  func absent() throws {
    let context = try Fixture.context(Self.model)
    let error = try #require(throws: ImportError.self) { try context.load(#"[{"a": "x"}]"#, "X") }
    #expect(
      error.diagnostics.map(\.message) == ["expected a value for 'X.n', which is not optional, found none"])
    try context.load(#"[{"a": "x", "n": 7}]"#, "X")
    for _ in 0..<2 { context.insert(ofEntity: "X")["a"] = "x" }
    #expect(try context.find(ofEntity: "X", identity: "x", 7)?["n"] as Int? == 7)
    #expect(try context.count(ofEntity: "X") == 3)
    #expect(context.checkInvariants() == [])
  }
}
