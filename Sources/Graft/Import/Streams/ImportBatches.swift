/// How a stream is cut into batches, and what is kept when one of them fails (I16).
public struct ImportBatches: Sendable {
  /// What is all or nothing.
  public enum Atomicity: String, Sendable, CaseIterable {
    /// Each batch, which is a payload of its own: if one fails, those before it stay.
    case each
    /// The whole stream, which is one payload whatever its length: if it fails, nothing of it stays. Batches are only the pieces
    /// that it is read in.
    case whole
  }

  /// The most objects or lines of a batch, from 1. A large batch may have fewer if they are much longer than those before them.
  /// Where it ends depends on the bytes alone, not on the pieces in which they come.
  public var size: Int
  /// A batch of so many bytes is full as well. It bounds the memory that a stream takes beside the graph: about twice as much,
  /// or twice the longest object, if that is more.
  public var bytes: Int
  /// What is all or nothing.
  public var atomicity: Atomicity

  /// Batches of up to 10,000 objects and 4 MiB.
  public init(size: Int = 10_000, bytes: Int = 4 << 20, atomicity: Atomicity = .each) {
    self.size = max(1, size)
    self.bytes = max(1, bytes)
    self.atomicity = atomicity
  }
}

/// How far a stream has come.
public struct ImportProgress: Sendable, Equatable {
  /// Bytes that have been imported or skipped.
  public internal(set) var bytes = 0
  /// Bytes that there are in all, where that is known.
  public internal(set) var totalBytes: Int?
  /// Batches that have been imported, or pieces of a whole stream. Each holds at least one object or document.
  public internal(set) var batches = 0
  /// Objects of these batches, nested ones not counted.
  public internal(set) var objects = 0
}
