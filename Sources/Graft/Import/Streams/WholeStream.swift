/// A stream that is one payload, regardless of its length.
struct WholeStream {
  let payload: OpenImport
  /// The import that runs after all pieces have arrived, if faulty elements are skipped.
  let tolerant: TolerantImport?
  /// The location of the stream's bytes after they have left the window.
  let origin: PieceShelf.Origin
  /// The part of the bytes that is kept, if they cannot be read again.
  var log: StreamLog?
}

/// The first bytes of a stream that cannot be read again, for the locations of findings at its end.
final class StreamLog {
  private var bytes: [UInt8] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func append(_ new: LentBytes) { bytes.append(contentsOf: new.prefix(limit - bytes.count)) }

  func reaches(_ end: Int) -> Bool { end <= bytes.count }

  /// Returns the part of the given bytes that is kept, or nil if none is.
  func read(_ range: Range<Int>) -> [UInt8]? {
    range.lowerBound < bytes.count ? Array(bytes[range.clamped(to: 0..<bytes.count)]) : nil
  }
}
