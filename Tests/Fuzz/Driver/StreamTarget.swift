import Graft

/// Streams: the same bytes in chunks and all at once.
///
///     setting | options | length of batches | lengths of chunks | bytes
enum StreamTarget {
  private struct Outcome: Equatable {
    var dump: [UInt8] = []
    var report = ""
    var errors: [String] = []
  }

  static func check(_ input: [UInt8]) throws {
    guard input.count > 4 else { return }
    let setting = PayloadSetting.named(by: input[0])
    let flags = input[1]
    let bytes = Array(input[4...])
    let format = flags & 1 == 0 ? ImportStream.Format.document : .lines
    // If batches end where reading ends, they are the same only if their length does not depend on the chunks.
    let batches = ImportBatches(size: 1 + Int(input[2] % 4), atomicity: flags & 2 == 0 ? .each : .whole)
    var options = ImportOptions()
    options.unknownKeys = flags & 4 == 0 ? .ignore : .report
    options.faultyElements = flags & 8 == 0 ? .error : .skip
    let hasBase = flags & 16 != 0

    func outcome(_ body: (ManagedObjectContext) throws(ImportError) -> ImportReport) throws(BrokenLaw) -> Outcome {
      let context = setting.context(hasBase: hasBase)
      let before = context.dumpBytes()
      var outcome = Outcome()
      do throws(ImportError) {
        let report = try body(context)
        outcome.report = "\(report) \(report.unknownKeys.map(\.key)) \(report.warnings.map { $0.code.rawValue })"
      } catch {
        outcome.errors = error.diagnostics.map(text)
        if batches.atomicity == .whole {
          try ImportLaws.expectSame(before, context.dumpBytes(), "a failed stream changed the graph")
        }
      }
      outcome.dump = context.dumpBytes()
      try ImportLaws.checkInvariants(context)
      return outcome
    }
    func stream(_ chunks: [ArraySlice<UInt8>]) throws(BrokenLaw) -> Outcome {
      try outcome { context throws(ImportError) in
        let stream = try ImportStream(
          ofEntity: setting.entity, in: context, at: setting.keyPath, format: format, batches: batches,
          options: options,
          totalBytes: bytes.count)
        for chunk in chunks { try stream.append(chunk) }
        return try stream.finish()
      }
    }
    let whole = try stream([bytes[...]])
    try expectSame(whole, try stream(chunks(bytes, input[3])), "in chunks")
    if batches.atomicity == .whole, format == .document {
      let payload = try outcome { context throws(ImportError) in
        try context.importJSON(bytes, ofEntity: setting.entity, at: setting.keyPath, options: options)
      }
      try ImportLaws.expectSame(payload.dump, whole.dump, "a stream and a payload give different graphs")
    }
  }

  private static func expectSame(_ left: Outcome, _ right: Outcome, _ way: String) throws(BrokenLaw) {
    try ImportLaws.expectSame(left.dump, right.dump, "\(way), a stream gives another graph")
    try expect(left.errors == right.errors, "\(way), a stream has other errors: \(left.errors), \(right.errors)")
    try expect(left.report == right.report, "\(way), a stream has another report: \(left.report), \(right.report)")
  }

  /// Returns a diagnostic without its excerpt, which depends on what is in memory.
  private static func text(_ diagnostic: Diagnostic) -> String {
    let location = diagnostic.location.map { "\($0.line):\($0.column) \($0.offset)" } ?? "none"
    return "\(location) \(diagnostic.path ?? "") \(diagnostic.code.rawValue) \(diagnostic.message)"
  }

  /// Divides bytes into chunks of 1 to 16 bytes; the lengths depend on a seed.
  private static func chunks(_ bytes: [UInt8], _ seed: UInt8) -> [ArraySlice<UInt8>] {
    var chunks: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    var state = UInt32(seed)
    while !rest.isEmpty {
      state = state &* 1_664_525 &+ 1_013_904_223
      let length = seed == 0 ? 1 : 1 + Int(state >> 28)
      chunks.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return chunks
  }
}
