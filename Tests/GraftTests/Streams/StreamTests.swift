import Foundation
import Graft
import GraftTestSupport
import Testing

/// Imports text in chunks of the given number of bytes.
func stream(
  _ text: String, into context: ManagedObjectContext, chunk: Int, batch: Int = 2, at keyPath: JSONKeyPath? = nil,
  format: ImportStream.Format = .document, atomicity: ImportBatches.Atomicity = .each,
  limits: ImportLimits = ImportLimits(), totalBytes: Int? = nil,
  progress: @escaping (ImportProgress) throws -> Void = { _ in }
) throws(ImportError) -> ImportReport {
  let stream = try ImportStream(
    ofEntity: "Hero", in: context, at: keyPath, format: format,
    batches: ImportBatches(size: batch, atomicity: atomicity),
    options: ImportOptions(sourceName: "p.json", limits: limits), totalBytes: totalBytes, progress: progress)
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    try stream.append(rest.prefix(chunk))
    rest = rest.dropFirst(chunk)
  }
  return try stream.finish()
}

/// Sizes of chunks and batches with which the tests split text.
private let cuts = [1, 2, 3, 7, 64, 4096].flatMap { chunk in [1, 2, 1000].map { (chunk, $0) } }

@Suite("Streams") struct StreamTests {
  private static let heroes = """
    {"id": 1, "name": "Batman", "powers": [{"id": 4, "name": "a ],\\" é 漢"}, 5], "x": [[], {}, {"a": [1]}]},
      {"id": 2, "name": null},
      2, null, {"id": 3, "publisher": {"id": 10, "name": "DC"}, "powers": [4]}
    """

  @Test(
    "I16: a stream produces the same graph and report as the whole document, regardless of how it is split",
    arguments: [
      ("[\(heroes)]", nil), ("  [\n\(heroes)\n ]  \n", nil), ("\u{FEFF}[\(heroes)]", nil), ("[]", nil), (" [ ] ", nil),
      (
        #"{"meta": {"n": [1, "]", {"heroes": 3}]}, "heroes": [\#(heroes)], "more": {"heroes": [0.5e3, true, null]}}"#,
        "heroes"
      ),
      (#"{"a": 1, "data": {"x": "\u00e9", "items": [\#(heroes)], "next": null}, "items": [1]}"#, "data.items"),
      (#"{"data": {"items": {"id": 9, "name": "one"}}}"#, "data.items"), (#"{"data": {"items": 9}}"#, "data.items"),
      (#"{"data": {"items": null}}"#, "data.items"), (#"{"id": 7}"#, nil), ("8", nil), ("null", nil),
    ] as [(String, JSONKeyPath?)])
  func same(_ text: String, _ keyPath: JSONKeyPath?) throws {
    let whole = try Fixture.context(Fixture.comics)
    let report = try whole.importJSON(text, ofEntity: "Hero", at: keyPath)
    for (chunk, batch) in cuts {
      let context = try Fixture.context(Fixture.comics)
      let streamed = try stream(text, into: context, chunk: chunk, batch: batch, at: keyPath)
      #expect(context.dumpText == whole.dumpText, "chunks of \(chunk), batches of \(batch)")
      #expect(streamed == report, "chunks of \(chunk), batches of \(batch)")
      #expect(context.checkInvariants() == [])
    }
  }

  @Test(
    "I16: faults have the same locations as in the whole document",
    arguments: [
      #"[{"id": 1}, {"id": "4"}, {"id": 3}]"#, "[{\"id\": 1},\n {\"id\": 2,\n  \"name\": 5},\n {\"id\": 3}]",
      #"[{"id": 1}, {"name": "é漢", "powers": [{"id": 1.5}]}]"#, #"[{"id": 1}, {"id": 2} {"id": 3}]"#,
      #"[{"id": 1}, {"id" 2}]"#, #"[{"id": 1}, {"id": 2}, ]"#, #"[{"id": 1}, {"id": tru}]"#, #"[{"id": 1}, []]"#,
      #"[{"id": 1}, {"id": 2}"#, #"[{"id": 1}, {"id": 2]}"#, #"[{"id": 1}, {"id": 2}}"#, #"[{"id": 1}] x"#,
      #"["a\ud800"]"#, "[\u{1}]", "", "   ", "[", "[1, 2,", "[1,,2]", "[,2]", "]", "[1 2]", "[1]]", "[tru", "nul",
      #"{"id": "#,
      #"{"id": 1"#, "{\"id\": 1,}", "[{\"id\": 1}, \"", "\u{FEFF}", "[1, 2, 3,]", "[1,2,,3,4]", "[ , ]",
    ])
  func faults(_ text: String) throws {
    func fault(_ body: (ManagedObjectContext) throws(ImportError) -> Void) throws -> String {
      let context = try Fixture.context(Fixture.comics)
      do {
        try body(context)
        return "accepted"
      } catch {
        let first = error.diagnostics[0]
        return "\(first.location?.line ?? 0):\(first.location?.column ?? 0) \(first.message) (at \(first.path ?? ""))"
      }
    }
    let whole = try fault { context throws(ImportError) in
      try context.importJSON(text, ofEntity: "Hero", options: ImportOptions(sourceName: "p.json"))
    }
    #expect(whole != "accepted")
    for (chunk, batch) in cuts {
      let streamed = try fault { context throws(ImportError) in
        _ = try stream(text, into: context, chunk: chunk, batch: batch)
      }
      #expect(streamed == whole, "chunks of \(chunk), batches of \(batch)")
    }
  }
}

@Suite("Streams: text outside the objects") struct StreamEnvelopeTests {
  /// The errors in a document whose objects are at `data.items`.
  private func fault(_ text: String, chunk: Int = 3, batch: Int = 2, limits: ImportLimits = ImportLimits()) throws
    -> String
  {
    let context = try Fixture.context(Fixture.comics)
    do {
      _ = try stream(text, into: context, chunk: chunk, batch: batch, at: "data.items", limits: limits)
      return "accepted"
    } catch {
      return error.diagnostics.map { diagnostic in
        "\(diagnostic.location?.line ?? 0):\(diagnostic.location?.column ?? 0) \(diagnostic.message) (at \(diagnostic.path ?? ""))"
          + diagnostic.notes.map { "; \($0.message)" }.joined()
      }.joined(separator: "\n")
    }
  }

  @Test("D3: an `at` that leads nowhere causes an error in a stream as well")
  func nowhere() throws {
    #expect(
      try fault(#"{"data": {"id": 1}}"#)
        == "1:10 expected the key 'items', which 'at' names (at $.data)")
    #expect(
      try fault(#"{"more": {"data": {"items": []}}}"#)
        == "1:1 expected the key 'data', which 'at' names (at $)")
    #expect(
      try fault(#"{"data": [{"items": []}]}"#)
        == "1:10 expected an object with the key 'items', which 'at' names (at $.data)")
    #expect(try fault("5") == "1:1 expected an object with the key 'data', which 'at' names (at $)")
  }

  @Test("I13: a key of the key path that occurs twice causes an error; skipped text must be valid JSON")
  func around() throws {
    #expect(
      try fault(#"{"data": {"items": [1], "items": [2]}}"#)
        == "1:25 the key \"items\" occurs twice in one object (at $.data.items); the batch before it, with 1 object, is kept"
    )
    #expect(
      try fault("{\"data\": {\"items\": [1, 2, 3]},\n \"d\\u0061ta\": {}}")
        == "2:2 the key \"data\" occurs twice in one object (at $.data); the 2 batches before it, with 3 objects, are kept"
    )
    #expect(try fault(#"{"x": {"data": {}, "y": [01]}, "data": {"items": []}}"#).hasPrefix("1:2"))
    #expect(try fault(#"{"x": "\ud800", "data": {"items": []}}"#).contains("surrogate"))
    #expect(try fault(#"{"data": {"items": []}, "x": tru}"#).hasPrefix("1:30 expected a JSON value"))
    #expect(try fault(#"{"data": {"items": []}, }"#).contains("trailing comma"))
    #expect(try fault(#"{"data": {"items": []}, "x": [1, ]}"#).contains("trailing comma"))
    #expect(try fault(#"{"data": {"items": []}} {}"#).hasPrefix("1:25 expected nothing after the end"))
    #expect(try fault(#"{"data": {"items": []}"#).contains("the text ends where"))
    #expect(try fault("{\"data\": {\"items\": []}, \"x\": \"\u{1}\"}").contains("control character"))
  }

  @Test("I16: a skipped string with an escaped quote is skipped completely, regardless of how it is split")
  func escapedQuote() throws {
    for (chunk, batch) in cuts {
      let context = try Fixture.context(Fixture.comics)
      let text = #"{"x\"": "a\"b\\", "items": [{"id": 1}]}"#
      let report = try stream(text, into: context, chunk: chunk, batch: batch, at: "items")
      #expect(report.inserted == ["Hero": 1])
    }
  }

  @Test("I16: brackets and quotes in an element's strings do not end the element, in any escaping and splitting")
  func escapedElements() throws {
    let names = (0..<40).map { number in
      String(repeating: "-", count: number % 9) + String(repeating: "\\", count: number % 5) + "\"]},{[\""
        + String(repeating: "\\", count: number % 4)
    }
    let elements = names.enumerated().map { id, name in
      let text = name.flatMap { "\\\"".contains($0) ? "\\\($0)" : "\($0)" }
      return "{\"id\": \(id), \"name\": \"\(String(text))\"}"
    }
    let document = "[\(elements.joined(separator: ", "))]"
    for size in [1, 3, 7, 8, 9, 64, document.utf8.count] {
      let context = try Fixture.context(Fixture.comics)
      let stream = try ImportStream(ofEntity: "Hero", in: context, batches: ImportBatches(size: 3))
      var rest = Array(document.utf8)[...]
      while !rest.isEmpty {
        try stream.append(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      #expect(try stream.finish().inserted == ["Hero": names.count] && stream.progress.batches == 14)
      for (id, name) in names.enumerated() {
        #expect(try context.find(ofEntity: "Hero", identity: id)?["name"] == name)
      }
    }
  }

  @Test("D7: the column of a fault in a long line is correct, even after many other faults")
  func longLine() throws {
    let context = try Fixture.context(Fixture.comics)
    let element = "{\"id\": 1, \"name\": \"" + String(repeating: "é", count: 500) + "\"}, "
    let last = String(repeating: element, count: 100) + "{\"id\": "
    let text = "[" + String(repeating: element + "\n", count: 100) + last + "\"x\"}]"
    let error = #expect(throws: ImportError.self) { try stream(text, into: context, chunk: 4096) }
    #expect(error?.diagnostics.first?.location?.line == 101)
    #expect(error?.diagnostics.first?.location?.column == last.unicodeScalars.count + 1)
  }

  @Test("I15: limits apply to each batch, and to the nesting depth of skipped text")
  func limits() throws {
    var limits = ImportLimits()
    limits.depth = 4
    #expect(try fault(#"{"x": [[[1]]], "data": {"items": [{"id": 1}]}}"#, limits: limits) == "accepted")
    #expect(try fault(#"{"x": [[[[1]]]], "data": {"items": []}}"#, limits: limits).contains("limit of 4 levels"))
    #expect(
      try fault(#"{"data": {"items": [{"powers": [{"x": 1}]}]}}"#, limits: limits).contains("limit of 4 levels"))
    limits = ImportLimits()
    limits.bytes = 100
    let long = String(repeating: "x", count: 200)
    #expect(
      try fault(#"{"data": {"items": [{"name": "\#(long)"}]}}"#, chunk: 10, limits: limits).contains("'bytes' of 100"))
    #expect(try fault(#"{"\#(long)": 1, "data": {"items": []}}"#, chunk: 10, limits: limits).contains("'bytes' of 100"))
    let many = Array(repeating: #"{"id": 1}"#, count: 100).joined(separator: ", ")
    #expect(try fault(#"{"data": {"items": [\#(many)]}}"#, chunk: 10, limits: limits) == "accepted")
  }
}

@Suite("JSON Lines") struct LineTests {
  @Test("I16: JSON Lines produce the same graph as an array of their values, regardless of how they are split")
  func same() throws {
    let text = """
      {"id": 1, "name": "a\\nb", "powers": [4]}

      2\r
        {"id": 3, "powers": [{"id": 4, "name": "Flight"}]}  \r
      null
      [{"id": 5}, 6]
      """
    let whole = try Fixture.context(Fixture.comics)
    let report = try whole.importJSON(
      #"[{"id": 1, "name": "a\nb", "powers": [4]}, 2, {"id": 3, "powers": [{"id": 4, "name": "Flight"}]}, null, {"id": 5}, 6]"#,
      ofEntity: "Hero")
    for (chunk, batch) in cuts {
      for ending in ["", "\n", "\n\n "] {
        let context = try Fixture.context(Fixture.comics)
        #expect(try stream(text + ending, into: context, chunk: chunk, batch: batch, format: .lines) == report)
        #expect(context.dumpText == whole.dumpText && context.checkInvariants() == [])
      }
    }
    let context = try Fixture.context(Fixture.comics)
    let under = #"{"hero": {"id": 1}}"# + "\n" + #"{"x": 0, "hero": 2}"#
    #expect(try stream(under, into: context, chunk: 5, at: "hero", format: .lines).inserted == ["Hero": 1])
    #expect(try context.count(ofEntity: "Hero") == 2)
  }

  @Test(
    "I16: a fault in JSON Lines has its line and column in the file, and its path within the line",
    arguments: [
      ("{\"id\": 1}\n\n{\"id\": \"x\"}\n", "3:8 expected an integer for 'Hero.id', found the string \"x\" (at $.id)"),
      ("{\"id\": 1}\n{\"id\":\n2}", "2:7 the text ends where a JSON value was expected (at $.id)"),
      ("{\"id\": 1} {\"id\": 2}\n", "1:11 expected nothing after the end of the JSON value (at $)"),
      ("{\"id\": 1},\n{\"id\": 2}\n", "1:10 expected nothing after the end of the JSON value (at $)"),
      ("{\n\"guest_id\":1}", "1:2 the text ends where a key in double quotes was expected (at $)"),
      ("[\n5]", "1:2 the text ends where a JSON value was expected (at $[0])"),
      ("é\n", "1:1 expected a JSON value"), ("{\"id\": 1}\n{\"name\": \"é\", \"id\": tr", "2:21 expected a JSON value"),
      (
        "1\n[{\"id\": 2}, {\"id\": \"漢\"}]",
        "2:20 expected an integer for 'Hero.id', found the string \"漢\" (at $[1].id)"
      ),
    ])
  func faults(_ text: String, _ expected: String) throws {
    for (chunk, batch) in cuts {
      let context = try Fixture.context(Fixture.comics)
      let error = #expect(throws: ImportError.self) {
        try stream(text, into: context, chunk: chunk, batch: batch, format: .lines)
      }
      let found = (error?.diagnostics.first).map {
        "\($0.location?.line ?? 0):\($0.location?.column ?? 0) \($0.message) (at \($0.path ?? ""))"
      }
      #expect(found?.hasPrefix(expected) == true, "\(found ?? ""), chunks of \(chunk), batches of \(batch)")
    }
  }
}

@Suite("Batches of a stream") struct BatchTests {
  private static let lines = (1...10).map { "{\"id\": \($0)}" }.joined(separator: "\n")

  @Test("I16: each batch is atomic, and batches before a fault are kept; on request, the whole stream is atomic")
  func atomicity() throws {
    let text = BatchTests.lines + "\n{\"id\": \"x\"}\n{\"id\": 99}"
    let context = try Fixture.context(Fixture.comics)
    var error = #expect(throws: ImportError.self) {
      try stream(text, into: context, chunk: 8, batch: 4, format: .lines)
    }
    #expect(
      error?.description == """
        p.json:11:8: error: expected an integer for 'Hero.id', found the string "x"
          at $.id
        m.json:4:24: note: 'id' is declared integer64 here
        note: the 2 batches before it, with 8 objects, are kept
        """)
    #expect(try context.count(ofEntity: "Hero") == 8 && !context.hasChanges && context.checkInvariants() == [])

    let other = try Fixture.context(Fixture.comics)
    try other.load("[{\"id\": 1, \"name\": \"A\"}]", "Hero")
    let before = other.dumpText
    error = #expect(throws: ImportError.self) {
      try stream(text, into: other, chunk: 8, batch: 4, format: .lines, atomicity: .whole)
    }
    #expect(error?.diagnostics[0].notes.last?.message == "nothing from the stream is kept")
    #expect(other.dumpText == before && !other.hasChanges && other.checkInvariants() == [])
    let report = try stream(BatchTests.lines, into: other, chunk: 8, batch: 4, format: .lines, atomicity: .whole)
    #expect(report.inserted == ["Hero": 9] && report.unchanged == ["Hero": 1] && !other.hasChanges)
  }

  @Test("I16: progress is reported after each batch; a closure that throws stops the import and keeps complete batches")
  func progress() throws {
    let context = try Fixture.context(Fixture.comics)
    var steps: [ImportProgress] = []
    _ = try stream(BatchTests.lines, into: context, chunk: 1000, batch: 4, format: .lines) { steps.append($0) }
    #expect(
      steps.map(\.objects) == [4, 8, 10] && steps.map(\.batches) == [1, 2, 3] && steps.map(\.bytes) == [40, 80, 100])
    struct Enough: Error {}
    let other = try Fixture.context(Fixture.comics)
    let error = #expect(throws: ImportError.self) {
      try stream(BatchTests.lines, into: other, chunk: 1000, batch: 4, format: .lines) {
        if $0.batches == 2 { throw Enough() }
      }
    }
    #expect(error?.underlyingError is Enough && error?.diagnostics[0].code == .stopped)
    #expect(try other.count(ofEntity: "Hero") == 8 && !other.hasChanges)
  }

  @Test("I16: the batch size is a number of objects: blank lines and empty arrays are not counted")
  func blank() throws {
    var steps: [ImportProgress] = []
    let context = try Fixture.context(Fixture.comics)
    var error = #expect(throws: ImportError.self) {
      try stream("\n \n\r\n\n\t\n\n{\"id\": 1}\n\n{\"id\": \"x\"}", into: context, chunk: 5, batch: 1, format: .lines) {
        steps.append($0)
      }
    }
    #expect(steps.map(\.batches) == [1] && steps.map(\.objects) == [1])
    #expect(error?.diagnostics[0].location?.line == 9)
    #expect(error?.diagnostics[0].notes.last?.message == "the batch before it, with 1 object, is kept")

    steps = []
    _ = try stream("\n\n1\n\n2\n\n3\n\n", into: context, chunk: 1, batch: 2, format: .lines) { steps.append($0) }
    #expect(steps.map(\.objects) == [2, 3] && steps.map(\.batches) == [1, 2])
    steps = []
    _ = try stream("\n \n", into: context, chunk: 1, batch: 1, format: .lines) { steps.append($0) }
    _ = try stream("[ ]", into: context, chunk: 1, batch: 1) { steps.append($0) }
    #expect(steps == [])

    for text in [#"{"items": [], x"#, #"{"items": null, x"#] {
      error = #expect(throws: ImportError.self) { try stream(text, into: context, chunk: 3, at: "items") }
      #expect(error?.diagnostics[0].notes == [])
    }
  }

  @Test("I12: a dry run keeps nothing, and its error messages state what an import would keep")
  func dryRun() throws {
    let context = try Fixture.context(Fixture.comics)
    let error = #expect(throws: ImportError.self) {
      try context.dryRun { try stream("1\n2\n[3, \"x\"]", into: context, chunk: 5, batch: 1, format: .lines) }
    }
    #expect(error?.diagnostics[0].notes.last?.message == "the 2 batches before it, with 2 objects, would be kept")
    #expect(try context.count(ofEntity: "Hero") == 0)
  }

  @Test("I16: a cancelled stream keeps its complete batches, and an abandoned whole stream keeps nothing")
  func givenUp() throws {
    let context = try Fixture.context(Fixture.comics)
    let kept = try ImportStream(ofEntity: "Hero", in: context, format: .lines, batches: ImportBatches(size: 4))
    try kept.append(BatchTests.lines.utf8)
    kept.cancel()
    #expect(try context.count(ofEntity: "Hero") == 8)
    #expect(throws: ImportError.self) { try kept.append("{\"id\": 11}\n".utf8) }
    #expect(throws: ImportError.self) { try kept.finish() }
    do {
      let whole = try ImportStream(
        ofEntity: "Hero", in: context, format: .lines, batches: ImportBatches(size: 1, atomicity: .whole))
      try whole.append("{\"id\": 20}\n{\"id\": 21}\n".utf8)
      #expect(try context.count(ofEntity: "Hero") == 10)
    }
    #expect(try context.count(ofEntity: "Hero") == 8 && context.checkInvariants() == [])
    #expect(throws: ImportError.self) { try ImportStream(ofEntity: "Her", in: context) }
  }

  @Test("D10: a stream's report counts each object once, even if gaps are closed between batches")
  func gaps() throws {
    let context = try Fixture.context(
      #"""
      "Order": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "lines": {"destination": "Line", "toMany": true, "ordered": true, "inverse": "order", "deleteOrphans": true}}},
      "Line": {"attributes": {"text": "string"}, "relationships": {"order": {"destination": "Order", "inverse": "lines"}}}
      """#)
    func lines(_ count: Int) -> String {
      (0..<count).map { "{\"id\": \($0 % 100), \"lines\": [{\"text\": \"\($0)\"}, {\"text\": \"b\"}]}\n" }.joined()
    }
    let stream = try ImportStream(ofEntity: "Order", in: context, format: .lines, batches: ImportBatches(size: 100))
    try stream.append(lines(2_000).utf8)
    let report = try stream.finish()
    #expect(report.inserted == ["Order": 100, "Line": 200] && report.deleted.isEmpty && report.updated.isEmpty)
    #expect(try context.count(ofEntity: "Line") == 200 && context.checkInvariants() == [])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("I16: files and sequences of chunks or bytes can be streamed, even inside a cancelled task")
  func sources() async throws {
    let text = "[\n" + (1...500).map { "{\"id\": \($0), \"name\": \"Hero \($0)\"}" }.joined(separator: ",\n") + "]"
    let url = FileManager.default.temporaryDirectory.appending(path: "graft-\(UUID().uuidString).json")
    try Data(text.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let context = try Fixture.context(Fixture.comics)
    var total: Int?
    let report = try context.importStream(contentsOf: url, ofEntity: "Hero", batches: ImportBatches(size: 100)) {
      total = $0.totalBytes
    }
    #expect(report.inserted == ["Hero": 500] && total == text.utf8.count)

    let chunks = AsyncStream<[UInt8]> { continuation in
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        continuation.yield(Array(rest.prefix(700)))
        rest = rest.dropFirst(700)
      }
      continuation.finish()
    }
    #expect(try await context.importStream(chunks, ofEntity: "Hero").unchanged == ["Hero": 500])
    let bytes = AsyncStream<UInt8> { continuation in
      for byte in text.utf8 { continuation.yield(byte) }
      continuation.finish()
    }
    #expect(try await context.importStream(bytes, ofEntity: "Hero").unchanged == ["Hero": 500])

    let error = #expect(throws: ImportError.self) {
      try context.importStream(contentsOf: URL(filePath: "/none/such.json"), ofEntity: "Hero")
    }
    #expect(error?.description == "error: the payload file '/none/such.json' cannot be read: there is no such file")

    let endless = AsyncStream<[UInt8]> { continuation in
      let task = Task {
        var number = 1_000
        while !Task.isCancelled {
          continuation.yield(Array("{\"id\": \(number)}\n".utf8))
          number += 1
          await Task.yield()
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
    let kept = try await Task {
      guard let context = try? Fixture.context(Fixture.comics) else { return -1 }
      do throws(ImportError) {
        try await context.importStream(endless, ofEntity: "Hero", format: .lines, batches: ImportBatches(size: 10)) {
          if $0.batches == 5 { withUnsafeCurrentTask { $0?.cancel() } }
        }
        return -2
      } catch {
        return try error.underlyingError is CancellationError ? context.count(ofEntity: "Hero") : -3
      }
    }.value
    #expect(kept == 50)
  }
}
