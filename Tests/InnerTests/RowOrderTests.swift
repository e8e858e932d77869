import Foundation
import GraftTestSupport
import Testing

@testable import Graft

@Suite("Sort keys") struct RowOrderTests {
  private static let model = #"""
    "Item": {"identityAttributes": "id", "attributes": {
      "id": "integer64", "text": {"type": "string", "optional": true}, "number": {"type": "double", "optional": true},
      "flag": {"type": "boolean", "optional": true}, "day": {"type": "date", "optional": true},
      "amount": {"type": "decimal", "optional": true}},
      "relationships": {"next": {"destination": "Item", "JSONRepresentation": "identifier"}}}
    """#

  /// Compares two objects by the values that their properties return.
  private static func precedes(
    _ left: ManagedObject, _ right: ManagedObject, _ name: String, isDescending: Bool, isNilFirst: Bool
  ) -> Bool? {
    func value(_ object: ManagedObject) -> AttributeValue? {
      let parts = name.split(separator: ".").map(String.init)
      let owner: ManagedObject? = parts.count == 1 ? object : object[parts[0]]
      guard case .attribute(let value)? = try? owner?.propertyValue(of: parts[parts.count - 1]) else { return nil }
      return value
    }
    switch (value(left), value(right)) {
    case (nil, nil): return nil
    case (nil, _): return isNilFirst
    case (_, nil): return !isNilFirst
    case (let left?, let right?):
      if left.isLess(than: right) { return !isDescending }
      if right.isLess(than: left) { return isDescending }
      return nil
    }
  }

  @Test(
    "C2: objects are sorted by several keys, through to-ones, with nil first or last, and pages match the whole order")
  func orders() throws {
    var random = SeededRandom(seed: 7)
    let texts = [
      "", "a", "ab", "abcdefgh", "abcdefghi", "abcdefghijklmnop", "abcdefghijklmnopq", "abcdefghijklmnoprs", "é", "z",
    ]
    let context = try Fixture.context(Self.model)
    for id in 0..<400 {
      var fields = [#""id": \#(id)"#]
      func add(_ name: String, _ value: @autoclosure () -> String) {
        if Int.random(in: 0..<4, using: &random) > 0 { fields.append(#""\#(name)": \#(value())"#) }
      }
      add("text", "\"\(texts[Int.random(in: 0..<texts.count, using: &random)])\"")
      add("number", ["-1.5", "0", "-0.0", "2", "1e300", "-1e300", "0.25"][Int.random(in: 0..<7, using: &random)])
      add("flag", Bool.random(using: &random) ? "true" : "false")
      add("day", "\"20\(10 + Int.random(in: 0..<80, using: &random))-01-01T00:00:00Z\"")
      add("amount", "\(Int.random(in: -3..<3, using: &random)).5")
      add("next", "\(Int.random(in: 0..<400, using: &random))")
      try context.load("{\(fields.joined(separator: ", "))}", "Item")
    }
    let all = try context.fetch(ofEntity: "Item")
    let names = ["text", "number", "flag", "day", "amount", "next.text", "next.number", "id"]
    for _ in 0..<120 {
      let chosen = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        (
          names[Int.random(in: 0..<names.count, using: &random)], Bool.random(using: &random),
          Bool.random(using: &random)
        )
      }
      let keys = chosen.map { name, isDescending, isNilFirst -> SortKey<ManagedObject> in
        isDescending
          ? .descending(name, nils: isNilFirst ? .first : .last) : .ascending(name, nils: isNilFirst ? .first : .last)
      }
      let expected = all.enumerated().sorted { left, right in
        for (name, isDescending, isNilFirst) in chosen {
          let answer = Self.precedes(
            left.element, right.element, name, isDescending: isDescending, isNilFirst: isNilFirst)
          if let answer { return answer }
        }
        return left.offset < right.offset
      }.map(\.element)
      #expect(try context.fetch(ofEntity: "Item", sortedBy: keys) == expected, "\(chosen)")
      let (limit, offset) = (Int.random(in: 0..<40, using: &random), Int.random(in: 0..<20, using: &random))
      let page = try context.fetch(ofEntity: "Item", sortedBy: keys, limit: limit, offset: offset)
      #expect(page == Array(expected.dropFirst(offset).prefix(limit)), "\(chosen) \(limit) \(offset)")
    }
  }

  @Test("C2: the first of very many objects match the complete order, regardless of the order of insertion")
  func firstOfMany() throws {
    let context = try Fixture.context(Self.model)
    let ids = (0..<6_000).map { $0 * 7_919 % 6_007 }
    for order in [ids, ids.sorted(), ids.sorted(by: >)] {
      context.reset()
      try context.load("[\(order.map { #"{"id": \#($0), "text": "item \#($0)"}"# }.joined(separator: ","))]", "Item")
      let byID = try context.fetch(ofEntity: "Item", sortedBy: [.ascending("id")], limit: 5, offset: 2)
      #expect(byID.map { $0["id"] as Int? } == Array(ids.sorted()[2..<7]))
      let byText = try context.fetch(ofEntity: "Item", sortedBy: [.descending("text")], limit: 3)
      #expect(
        byText.map { $0["text"] as String? }
          == Array(ids.map { "item \($0)" }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.reversed()[0..<3]))
    }
  }
}
