import Foundation
import Testing

@testable import Graft

@Suite("Built-in transformers, value by value") struct TransformerTableTests {
  /// The result of a transformer for a row of the table, in the table's notation.
  private func outcome(_ row: TransformerTable.Row, _ transformer: ValueTransformer) throws -> String {
    let json = try json(row.json)
    do {
      guard let stored = try transformer.forward(json) else { return "nil" }
      // The value that an attribute would store.
      var types = transformer.builtIn?.attributeTypes ?? []
      if case .lenient(let type) = transformer.builtIn { types = [type] }
      guard let type = types.first(where: { (try? stored.converted(to: $0)) != nil }) else {
        return "\(stored) fits no attribute"
      }
      let back = try transformer.reverse?(stored.converted(to: type)) ?? .null
      return "\(stored) | \(back)"
    } catch is TransformerInputError {
      return "-"
    }
  }

  private func json(_ text: String) throws -> JSON {
    try text.bytes { try JSONBuilder.json($0) }
  }

  private func expected(_ row: TransformerTable.Row) -> String { row.stored.map { "\($0) | \(row.written)" } ?? "-" }

  @Test("T2: every built-in transformer reads its form, rejects all other forms, and writes its form")
  func table() throws {
    #expect(TransformerTable.rows.count > 200)
    // `Blank`, `LastPathSegment` and `Split` have their own tests.
    let words = BuiltInTransformer.plain.count + BuiltInTransformer.parameterized.count - 3
    #expect(Set(TransformerTable.rows.map { $0.name.prefix { $0 != "(" } }).count == words)
    for row in TransformerTable.rows {
      let transformer = try #require(TransformerTable.transformer(row.name), "\(row.name)")
      #expect(try outcome(row, transformer) == expected(row), "\(row.name) \(row.json)")
    }
  }

  @Test("T2: a written value is read as the same value")
  func roundTrip() throws {
    for row in TransformerTable.rows where row.stored != nil {
      let transformer = try #require(TransformerTable.transformer(row.name))
      let written = try json(row.written)
      let stored = try transformer.forward(try json(row.json))
      #expect(try transformer.forward(written) == stored, "\(row.name) \(row.written)")
    }
  }

  @Test("T2: the machine's time zone has no effect, in winter or summer")
  func timeZones() throws {
    let before = NSTimeZone.default
    defer { NSTimeZone.default = before }
    // Time zones with the same time in January and July are tested only once.
    var zones: [[Int]: TimeZone] = [:]
    for name in TimeZone.knownTimeZoneIdentifiers {
      guard let zone = TimeZone(identifier: name) else { continue }
      let offsets = [1_704_067_200.0, 1_720_000_000].map {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: $0))
      }
      zones[offsets] = zone
    }
    #expect(zones.count > 40)
    let dates = TransformerTable.rows.filter { $0.name.hasPrefix("Date") || $0.name.hasPrefix("Unix") }
    for zone in zones.values {
      NSTimeZone.default = zone
      var transformers: [String: ValueTransformer] = [:]
      for row in dates {
        let transformer =
          try transformers[row.name]
          ?? #require(TransformerTable.transformer(row.name))
        transformers[row.name] = transformer
        guard try outcome(row, transformer) != expected(row) else { continue }
        Issue.record("\(row.name) \(row.json) differs in \(zone.identifier)")
      }
    }
  }

  @Test(
    "M9: invalid date fields and implausible patterns cause findings in the model",
    arguments: [
      ("yyyy-MM-ddTHH:mm", "'T' is not a date field; put literal letters in quotes"),
      ("jj:mm", "'j' is not a date field; put literal letters in quotes"),
      ("yyyy-MM-dd Nn", "'N' is not a date field; put literal letters in quotes"),
      ("YYYY-MM-dd", "'Y' is the week-based year; use 'y' for the calendar year"),
      ("yyyy-MM-DD", "'D' is the day of the year; use 'd' for the day of the month"),
      ("hh:mm", "'h' is a 12-hour clock and needs 'a'; use 'H' for 24 hours"),
      ("K:mm", "'h' is a 12-hour clock and needs 'a'; use 'H' for 24 hours"),
      ("'yyyy'", "the pattern has no date field"), ("yyyy'", "the pattern has a quote that is not closed"),
    ])
  func malformed(pattern: String, reason: String) {
    let source =
      #"{"entities": {"A": {"attributes": {"x": {"type": "date", "JSONTransformerName": "DateFormat(\#(pattern))"}}}}}"#
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(text: source) }
    #expect(
      error?.diagnostics.map(\.message) == [
        "the transformer 'DateFormat(\(pattern))' of attribute 'A.x' is malformed: \(reason)"
      ])
  }
}
