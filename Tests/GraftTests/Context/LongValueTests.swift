import GraftTestSupport
import Testing

@testable import Graft

/// Values that a store could not read back.
@Suite("Values nested too deeply") struct LongValueTests {
  @Test("A JSON value that is nested too deeply to be read again is refused when it is set")
  func depth() throws {
    let context = try Fixture.context(#""A": {"attributes": {"data": {"type": "json", "optional": true}}}"#)
    let object = context.insert(ofEntity: "A")
    func nested(_ depth: Int) -> JSON { (0..<depth).reduce(JSON.array([])) { value, _ in .array([value]) } }
    try object.setValue(.json(nested(1_000)), of: "data")
    let error = #expect(throws: PropertyError.self) { try object.setValue(.json(nested(1_100)), of: "data") }
    #expect("\(try #require(error))".contains("which is nested deeper than 1024"))
  }
}
