import Foundation
import Graft
import GraftTestSupport
import Testing

/// Streams whose context is used between their batches.
@Suite("Streams and their contexts") struct StreamContextTests {
  private func open(
    _ context: ManagedObjectContext, _ atomicity: ImportBatches.Atomicity = .each, details: Bool = false
  ) throws -> ImportStream {
    try ImportStream(
      ofEntity: "Hero", in: context, format: .lines, batches: ImportBatches(size: 1, atomicity: atomicity),
      options: ImportOptions(reportsDetails: details))
  }

  @Test(
    "I17: the report includes all batches, even after reset() and restore() between batches", arguments: [true, false])
  func replaced(details: Bool) throws {
    let context = try Fixture.context(Fixture.comics)
    try context.load(#"[{"id": 9, "name": "I"}]"#, "Hero")
    let snapshot = context.snapshot()
    let stream = try open(context, details: details)
    try stream.append("{\"id\": 1, \"name\": \"A\", \"powers\": [4]}\n{\"id\": 9, \"name\": \"J\"}\n".utf8)
    context.reset()
    try stream.append("{\"id\": 1, \"name\": \"A\"}\n{\"id\": 3}\n".utf8)
    context.restore(snapshot)
    try stream.append("{\"id\": 9, \"name\": \"K\"}\n{\"id\": 3}\n".utf8)
    let report = try stream.finish()
    #expect(report.inserted == ["Hero": 4] && report.updated == ["Hero": 2] && report.placeholders == ["Power": 1])
    #expect(try context.count(ofEntity: "Hero") == 2 && context.checkInvariants() == [])
    // The details list only objects that still exist.
    if details { #expect(report.details.map(\.name) == ["Hero(9)", "Hero(3)"]) }
  }

  @Test("I17: an object that a batch inserted and a snapshot restored is reported as inserted, not updated")
  func restored() throws {
    let context = try Fixture.context(Fixture.comics)
    let stream = try open(context)
    try stream.append("{\"id\": 1}\n{\"id\": 2}\n".utf8)
    let snapshot = context.snapshot()
    context.restore(snapshot)
    try stream.append("{\"id\": 1, \"name\": \"A\"}\n".utf8)
    let report = try stream.finish()
    #expect(report.inserted == ["Hero": 2] && report.updated.isEmpty)
  }

  @Test("I17: a stream's report is correct even if deletions between batches leave gaps")
  func gaps() throws {
    let context = try Fixture.context(Fixture.comics)
    let stream = try ImportStream(ofEntity: "Hero", in: context, format: .lines, batches: ImportBatches(size: 100))
    func lines(_ numbers: some Sequence<Int>, _ name: String) -> [UInt8] {
      Array(numbers.map { "{\"id\": \($0), \"name\": \"\(name)\"}\n" }.joined().utf8)
    }
    try stream.append(lines(1...2_000, "A"))
    for number in 1...1_900 { try context.find(ofEntity: "Hero", identity: number).map { try context.delete($0) } }
    try context.commit()
    try stream.append(lines(1_901...2_000, "B"))
    try stream.append(lines(1...100, "C"))
    let report = try stream.finish()
    #expect(report.inserted == ["Hero": 2_100] && report.updated.isEmpty && report.deleted.isEmpty)
    #expect(try context.count(ofEntity: "Hero") == 200 && context.checkInvariants() == [])
  }

  @Test("I17: batches that atomically(_:), dryRun(_:) or rollBack() roll back are not reported")
  func rolledBack() throws {
    struct Enough: Error {}
    let context = try Fixture.context(Fixture.comics)
    let stream = try open(context)
    try stream.append("{\"id\": 1}\n".utf8)
    #expect(throws: Enough.self) {
      try context.atomically {
        try stream.append("{\"id\": 2}\n{\"id\": 1, \"name\": \"A\"}\n".utf8)
        throw Enough()
      }
    }
    try context.dryRun { try stream.append("{\"id\": 3}\n".utf8) }
    try context.atomically {
      try stream.append("{\"id\": 4}\n".utf8)
      context.rollBack()
      try stream.append("{\"id\": 5}\n".utf8)
    }
    context.rollBack()
    let report = try stream.finish()
    #expect(report.inserted == ["Hero": 2] && report.updated.isEmpty)
    #expect(try context.count(ofEntity: "Hero") == 2 && context.find(ofEntity: "Hero", identity: 5) != nil)
    #expect(context.checkInvariants() == [])
  }

  @Test("I17: opening a second whole stream causes an error only while the first stream is open")
  func second() throws {
    let context = try Fixture.context(Fixture.comics)
    var first: ImportStream? = try open(context, .whole)
    try first?.append("{\"id\": 1}\n".utf8)
    let error = #expect(throws: ImportError.self) { _ = try open(context, .whole) }
    #expect(error?.diagnostics[0].code == .openStream)
    #expect(try first?.finish().inserted == ["Hero": 1])
    let second = try open(context, .whole)
    try second.append("{\"id\": 2}\n".utf8)
    second.cancel()
    first = try open(context, .whole)
    try first?.append("{\"id\": 3}\n".utf8)
    first = nil
    _ = try open(context, .whole).finish()
    #expect(try context.count(ofEntity: "Hero") == 1 && context.checkInvariants() == [])
  }

  @Test("I17: rollBack() ends an open whole stream, which then throws and changes nothing")
  func rollBackOfWhole() throws {
    let context = try Fixture.context(Fixture.comics)
    for isInProgress in [true, false] {
      let hero = context.insert(ofEntity: "Hero")
      var steps = 0
      let stream = try ImportStream(
        ofEntity: "Hero", in: context, format: .lines, batches: ImportBatches(size: 1, atomicity: .whole)
      ) { _ in
        steps += 1
        if isInProgress, steps == 2 { context.rollBack() }
      }
      let error = #expect(throws: ImportError.self) {
        try stream.append("{\"id\": 1}\n{\"id\": 2}\n".utf8)
        if !isInProgress { context.rollBack() }
        try stream.append("{\"id\": 3}\n".utf8)
        try stream.finish()
      }
      #expect(error?.diagnostics[0].message == "the import was stopped: rollBack() was called while it was open")
      #expect(try hero.isDeleted && context.count(ofEntity: "Hero") == 0 && !context.hasChanges)
      #expect(context.checkInvariants() == [])
    }
  }

  @Test("I17: while a whole stream is open, other imports, batches and changes in code are part of the stream")
  func nested() throws {
    struct Enough: Error {}
    for isFinished in [true, false] {
      let context = try Fixture.context(Fixture.comics)
      try context.load(#"[{"id": 9, "name": "I", "publisher": {"id": 1}}]"#, "Hero")
      let before = context.dumpText
      let stream = try open(context, .whole)
      try stream.append("{\"id\": 1, \"name\": \"A\", \"powers\": [4]}\n{\"id\": 9, \"name\": \"J\"}\n".utf8)
      try context.load(#"[{"id": 1, "name": "B"}, {"id": 5}, {"id": 9, "publisher": null}]"#, "Hero")
      try context.find(ofEntity: "Hero", identity: 5)?["name"] = "five"
      try context.commit()
      try? context.atomically {
        try context.load(#"[{"id": 6}, {"id": 1, "name": "C"}]"#, "Hero")
        throw Enough()
      }
      let batches = try open(context)
      try batches.append("{\"id\": 7}\n{\"id\": 1, \"powers\": [4, 5]}\n".utf8)
      #expect(try batches.finish().inserted == ["Hero": 1])
      try stream.append("{\"id\": 2, \"powers\": [5]}\n{\"id\": 5, \"name\": \"5\"}\n".utf8)
      guard isFinished else {
        stream.cancel()
        #expect(context.dumpText == before && !context.hasChanges && context.checkInvariants() == [])
        continue
      }
      let report = try stream.finish()
      #expect(report.inserted["Hero"] ?? 0 >= 2 && report.updated == ["Hero": 1])
      #expect(try context.find(ofEntity: "Hero", identity: 1)?["name"] == "B")
      #expect(try context.find(ofEntity: "Hero", identity: 5)?["name"] == "5")
      #expect(try context.count(ofEntity: "Hero") == 5 && context.find(ofEntity: "Hero", identity: 6) == nil)
      #expect(!context.hasChanges && context.checkInvariants() == [])
    }
  }

  @Test("I17: a whole stream ends with the transaction in which it began, and cannot be used in an inner transaction")
  func units() throws {
    let context = try Fixture.context(Fixture.comics)
    var leaked: ImportStream?
    try context.atomically {
      try context.load(#"[{"id": 1}]"#, "Hero")
      leaked = try open(context, .whole)
      try leaked?.append("{\"id\": 2}\n".utf8)
    }
    #expect(try context.count(ofEntity: "Hero") == 1 && !context.hasChanges)
    #expect(throws: ImportError.self) { try leaked?.finish() }

    let stream = try open(context, .whole)
    try stream.append("{\"id\": 3}\n".utf8)
    let error = #expect(throws: ImportError.self) { try context.atomically { try stream.append("{\"id\": 4}\n".utf8) } }
    #expect(error?.diagnostics[0].code == .openStream)
    #expect(try context.count(ofEntity: "Hero") == 1 && !context.hasChanges && context.checkInvariants() == [])
    _ = try open(context, .whole).finish()

    var dropped: ImportStream? = try open(context, .whole)
    try dropped?.append("{\"id\": 5}\n".utf8)
    try context.atomically {
      try context.load(#"[{"id": 6}]"#, "Hero")
      dropped = nil
    }
    #expect(
      try dropped == nil && context.count(ofEntity: "Hero") == 1 && !context.hasChanges
        && context.checkInvariants() == [])
  }

  @Test("I16: a progress closure can append more bytes, which are imported after the bytes that are being appended")
  func appending() throws {
    let context = try Fixture.context(Fixture.comics)
    var stream: ImportStream?
    var hasAppended = false
    stream = try ImportStream(ofEntity: "Hero", in: context, format: .lines, batches: ImportBatches(size: 100)) { _ in
      if hasAppended { return }
      hasAppended = true
      try stream?.append("{\"id\": 9000, \"name\": \"last\"}\n".utf8)
    }
    let lines = Array((1...9_000).map { "{\"id\": \($0), \"name\": \"first\"}\n" }.joined().utf8)
    try stream?.append(lines)
    let report = try stream?.finish()
    stream = nil
    #expect(report?.inserted == ["Hero": 9_000] && lines.count > 200_000)
    #expect(try context.find(ofEntity: "Hero", identity: 9_000)?["name"] == "last")
  }

  @Test("I17: a progress closure can cancel its stream")
  func cancelled() throws {
    for atomicity in ImportBatches.Atomicity.allCases {
      let context = try Fixture.context(Fixture.comics)
      var stream: ImportStream?
      stream = try ImportStream(
        ofEntity: "Hero", in: context, format: .lines, batches: ImportBatches(size: 1, atomicity: atomicity)
      ) { if $0.batches == 2 { stream?.cancel() } }
      let error = #expect(throws: ImportError.self) { try stream?.append("1\n2\n3\n".utf8) }
      #expect(error?.underlyingError is CancellationError)
      #expect(try context.count(ofEntity: "Hero") == (atomicity == .each ? 2 : 0) && context.checkInvariants() == [])
      stream = nil
    }
  }

  @Test("I17: a stream can be cancelled while it waits for bytes", arguments: ImportBatches.Atomicity.allCases)
  func asynchronous(_ atomicity: ImportBatches.Atomicity) async throws {
    let context = try Fixture.context(Fixture.comics)
    let lines = ["{\"id\": 1}\n", "{\"id\": 2}\n", "{\"id\": 3}\n"]
    let chunks = AsyncStream<[UInt8]> { continuation in
      for line in lines { continuation.yield(Array(line.utf8)) }
      continuation.finish()
    }
    var steps = 0
    let batches = ImportBatches(size: 1, atomicity: atomicity)
    do throws(ImportError) {
      let report = try await context.importStream(chunks, ofEntity: "Hero", format: .lines, batches: batches) { _ in
        steps += 1
        if steps == 2 { if atomicity == .each { context.reset() } else { context.rollBack() } }
      }
      #expect(atomicity == .each && report.inserted == ["Hero": 3])
    } catch {
      #expect(atomicity == .whole && error.diagnostics[0].code == .stopped)
    }
    #expect(try context.count(ofEntity: "Hero") == (atomicity == .each ? 1 : 0))
    #expect(context.checkInvariants() == [])
  }

  #if compiler(>=6.2) && (os(Linux) || os(macOS))
    @Test("I17: reset() and restore() trap while a whole stream is open")
    func resetOfWhole() async {
      for isRestored in [true, false] {
        let result =
          isRestored
          ? await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try Fixture.context(Fixture.comics)
            let snapshot = context.snapshot()
            let stream = try ImportStream(ofEntity: "Hero", in: context, batches: ImportBatches(atomicity: .whole))
            context.restore(snapshot)
            stream.cancel()
          }
          : await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try Fixture.context(Fixture.comics)
            let stream = try ImportStream(ofEntity: "Hero", in: context, batches: ImportBatches(atomicity: .whole))
            context.reset()
            stream.cancel()
          }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("or while a whole stream is open"))
      }
    }
  #endif
}
