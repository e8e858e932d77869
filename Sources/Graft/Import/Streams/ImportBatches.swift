/// The batches into which a stream is divided, and what is kept if one of them fails (I16).
public struct ImportBatches: Sendable {
  /// The unit that is imported all or nothing.
  public enum Atomicity: String, Sendable, CaseIterable {
    /// Each batch is a separate payload. If a batch fails, the batches before it are kept.
    case each
    /// The whole stream is one payload, regardless of its length. If it fails, nothing is kept. Batches are only the pieces in which the
    /// stream is read.
    case whole
  }

  /// The maximum number of objects or lines of a batch, at least 1. A large batch may have fewer if its objects are much longer than
  /// earlier objects. The end of a batch depends only on the bytes, not on the pieces in which they arrive.
  public var size: Int
  /// The maximum number of bytes of a batch. It bounds the memory that a stream uses in addition to the graph. This memory is about twice
  /// this value or twice the longest object, whichever is more.
  public var bytes: Int
  /// The unit that is imported all or nothing.
  public var atomicity: Atomicity

  /// Batches of up to 10,000 objects and 4 MiB.
  public init(size: Int = 10_000, bytes: Int = 4 << 20, atomicity: Atomicity = .each) {
    self.size = max(1, size)
    self.bytes = max(1, bytes)
    self.atomicity = atomicity
  }
}

/// The progress of a stream.
public struct ImportProgress: Sendable, Equatable {
  /// The number of bytes that have been imported or skipped.
  public internal(set) var bytes = 0
  /// The total number of bytes, if it is known.
  public internal(set) var totalBytes: Int?
  /// The number of batches that have been imported, or of pieces of a whole stream. Each has at least one object or document.
  public internal(set) var batches = 0
  /// The number of objects in these batches, not counting nested objects.
  public internal(set) var objects = 0
}
