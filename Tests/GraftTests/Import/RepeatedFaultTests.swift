import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Repeated faults") struct RepeatedFaultTests {
  private static let model = #"""
    "Order": {
      "identityAttributes": "id",
      "attributes": {"id": "integer64", "total": "double", "state": {"type": "string", "optional": true, "enum": ["open"]}}
    }
    """#

  private func error(_ elements: [String], _ limits: ImportLimits = ImportLimits()) throws -> ImportError {
    let context = try Fixture.context(RepeatedFaultTests.model)
    let text = "[\n" + elements.joined(separator: ",\n") + "\n]"
    let error = #expect(throws: ImportError.self) {
      try context.importJSON(text, ofEntity: "Order", options: ImportOptions(sourceName: "p.json", limits: limits))
    }
    return try #require(error)
  }

  @Test("I19: a fault that occurs 13 times is reported in one message with its count and its first locations")
  func thirteen() throws {
    let error = try error((1...13).map { #"{"id": \#($0)}"# })
    #expect(
      DiagnosticRenderer().render(error.diagnostics) == """
        p.json:2:1: error: expected a value for 'Order.total', which is not optional, found none (13 times)
          at $[0].total
        2 | {"id": 1},
          | ^
        m.json:4:37: note: 'total' is declared here
        p.json:3:1: note: also at $[1].total
        p.json:4:1: note: also at $[2].total
        p.json:5:1: note: also at $[3].total
        note: and 9 more
        """)
    #expect(error.diagnostics.map(\.count) == [13])
    #expect(error.localizedDescription.hasSuffix("found none (13 times)"))
  }

  @Test("I19: faults that differ only in their values are reported together; the notes show the values")
  func values() throws {
    let error = try error((1...4).map { #"{"id": \#($0), "total": "\#($0).50"}"# })
    #expect(
      DiagnosticRenderer(style: .line).render(error.diagnostics) == """
        p.json:2:20: error: expected a number for 'Order.total', found the string "1.50" (4 times)
          at $[0].total
        m.json:4:46: note: 'total' is declared double here; to read it, add "JSONTransformerName": "StringToDouble"
        p.json:3:20: note: also at $[1].total: the string "2.50"
        p.json:4:20: note: also at $[2].total: the string "3.50"
        p.json:5:20: note: also at $[3].total: the string "4.50"
        """)
  }

  @Test("I19: up to three similar faults are reported separately, as are faults in different properties or types")
  func few() throws {
    #expect(try error((1...3).map { #"{"id": \#($0)}"# }).diagnostics.map(\.count) == [1, 1, 1])
    let mixed = try error(
      (1...4).flatMap { [#"{"id": \#($0)0}"#, #"{"id": \#($0), "total": true}"#, #"{"id": "\#($0)", "total": 1}"#] })
    #expect(mixed.diagnostics.map(\.count) == [4, 4, 4])
    #expect(mixed.diagnostics.map { $0.path ?? "" } == ["$[0].total", "$[1].total", "$[2].id"])
    #expect(mixed.localizedDescription.hasSuffix("(and 2 more)"))
  }

  @Test("D7: a mistake in every object does not hide other mistakes, and is counted once against the limit")
  func limit() throws {
    let elements = (1...900).map { #"{"id": \#($0), "total": "x"}"# } + [#"{"id": true, "total": 1}"#]
    var limits = ImportLimits()
    limits.errors = 20
    #expect(try error(elements, limits).diagnostics.map(\.count) == [900, 1])
    // The limit also applies to errors that are similar.
    limits.errors = 3
    let stopped = try error(elements, limits)
    #expect(stopped.diagnostics.map(\.count) == [150])
    #expect(
      stopped.diagnostics.last?.notes.last?.message
        == "there may be more errors: collecting stopped at the limit 'errors'")
    limits.errors = .max
    #expect(try error(elements, limits).diagnostics.map(\.count) == [900, 1])
  }

  @Test("I19: error bodies in a list are reported in one message")
  func errorBodies() throws {
    let error = try error((1...5).map { _ in #"{"error": "not found"}"# })
    #expect(
      error.diagnostics.map(\.message) == [
        #"expected the keys "id", "total" of 'Order', found "error" (5 times)"#
      ])
    #expect(
      error.diagnostics[0].notes.map(\.message).suffix(4) == [
        "also at $[1]", "also at $[2]", "also at $[3]", "and 1 more",
      ])
  }

  @Test("I19: faults in dictionaries that are reported together have paths as locations")
  func dictionaries() throws {
    let context = try Fixture.context(RepeatedFaultTests.model)
    let orders: [Any] = (1...5).map { ["id": $0, "total": "\($0)"] as [String: Any] }
    let error = #expect(throws: ImportError.self) { try objects(ofEntity: "Order", fromJSON: orders, in: context) }
    #expect(error?.diagnostics.map(\.count) == [5])
    #expect(error?.diagnostics[0].notes[1] == Diagnostic.Note(#"also at $[1].total: the string "2""#))
  }
}
