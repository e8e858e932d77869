import Foundation

/// One generated payload in the two forms that libraries accept, created outside any timing.
struct Document: Sendable {
  var bytes: [UInt8]
  var data: Data

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    data = Data(bytes)
  }

  var megabytes: Double { Double(bytes.count) / 1_000_000 }
}

/// A workload of one size: the first payload, and an update that repeats it with a tenth of the records changed.
struct Documents: Sendable {
  var first: Document
  var update: Document

  private static let seed: UInt64 = 0x6772_6166_7400_0001

  init(_ workload: Workload, megabytes: Int) {
    let (first, count) = Self.write(workload, bytes: megabytes * 1_000_000, records: .max) { _ in 0 }
    let (update, _) = Self.write(workload, bytes: .max, records: count) { record in
      var random = SplitMix64(seed: ~Self.seed, record: record)
      return random.chance(percent: 10) ? 1 : 0
    }
    self.first = Document(first)
    self.update = Document(update)
  }

  /// Returns only the first payload.
  ///
  /// - Parameter sharing: the number of shared objects, as a multiple of the usual number.
  static func first(_ workload: Workload, megabytes: Int, sharing: Double = 1) -> Document {
    Document(write(workload, bytes: megabytes * 1_000_000, records: .max, sharing: sharing) { _ in 0 }.0)
  }

  /// Returns the records of the first payload as JSON Lines.
  static func lines(_ workload: Workload, megabytes: Int) -> Document {
    Document(write(workload, bytes: megabytes * 1_000_000, records: .max, form: .lines) { _ in 0 }.0)
  }

  /// The text that surrounds the records.
  private struct Form {
    var opening: StaticString
    var separator: StaticString
    var closing: StaticString

    static let array = Form(opening: "[", separator: ",", closing: "]")
    static let lines = Form(opening: "", separator: "\n", closing: "\n")
  }

  /// Returns records up to either limit, and their number.
  private static func write(
    _ workload: Workload, bytes: Int, records: Int, sharing: Double = 1, form: Form = .array, revision: (Int) -> Int
  ) -> ([UInt8], Int) {
    var writer = workload.makeWriter(seed: seed, sharing: sharing)
    var text = JSONText(capacity: bytes == .max ? 0 : bytes + 10_000)
    text.raw(form.opening)
    var record = 0
    while record < records, text.count < bytes {
      if record > 0 { text.raw(form.separator) }
      writer.write(record: record, revision: revision(record), to: &text)
      record += 1
    }
    text.raw(form.closing)
    return (text.bytes, record)
  }
}
