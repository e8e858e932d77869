import GraftTestSupport
import Testing

@testable import Graft

/// Batches that are read up to their byte limit without first searching for their end. The number of elements is estimated from only 100
/// bytes.
@Suite("Streams: batches limited by bytes") struct QuotaStreamTests {
  private func stream(
    _ text: String, into context: ManagedObjectContext, _ format: ImportStream.Format, bytes: Int
  ) throws -> ImportReport {
    let stream = try ImportStream(
      after: nil, ofEntity: "Hero", in: context, at: nil, format: format,
      batches: ImportBatches(size: .max, bytes: bytes), options: ImportOptions(sourceName: "p.json"), totalBytes: nil,
      rereads: nil, sampleBytes: 100
    ) { _ in }
    try stream.append(text.utf8)
    return try stream.finish()
  }

  @Test("I16: a line that contains only a byte order mark is a fault, not the beginning of the next line")
  func byteOrderMarks() throws {
    let lines = (0..<100).map { "{\"id\": \($0)}\n" }
    for (index, place) in [(0, "1:2"), (30, "31:2"), (99, "100:2")] {
      var text = lines
      text[index] = (index == 0 ? "\u{FEFF}\u{FEFF}\n" : "\u{FEFF}\n") + text[index]
      #expect(throws: ImportError.self) {
        do {
          _ = try stream(text.joined(), into: Fixture.context(Fixture.comics), .lines, bytes: 400)
        } catch {
          #expect("\(error)".hasPrefix("p.json:\(place): error: expected a JSON value, found nothing"), "\(error)")
          throw error
        }
      }
    }
  }

  @Test("T3: closures are called once for each value, even if a long element makes a batch longer than expected")
  func closures() throws {
    let calls = Locked<[String]>([])
    @Sendable func note(_ text: String) { calls.withLock { $0.append(text) } }
    var transforming = TransformerRegistry.standard
    transforming.registerValueTransformer(named: "Noted") { (text: String) -> String? in
      note(text)
      return text
    }
    var checking = TransformerRegistry.standard
    checking.registerValidation(ofEntity: "Hero", attribute: "name") { (name: String) in note(name) }
    let text = (0..<100).map { number in
      let unknown = String(repeating: "x", count: number == 40 ? 2_000 : 0)
      return "{\"id\": \(number), \"name\": \"Hero \(number)\", \"unknown\": \"\(unknown)\"}"
    }
    for (registry, key) in [(transforming, #""JSONTransformerName": "Noted""#), (checking, #""optional": true"#)] {
      calls.withLock { $0 = [] }
      let context = try Fixture.context(
        """
        "Hero": {
          "identityAttributes": "id", "attributes": {"id": "integer64", "name": {"type": "string", \(key)}}
        }
        """, transformers: registry)
      _ = try stream("[\(text.joined(separator: ","))]", into: context, .document, bytes: 600)
      #expect(calls.withLock { $0 } == (0..<100).map { "Hero \($0)" })
    }
  }
}
