/// Writes the records of one workload. A record depends only on the seed, its number and its revision.
protocol RecordWriter {
  /// - Parameter sharing: the number of shared objects, as a multiple of the usual number.
  init(seed: UInt64, sharing: Double)
  /// Revision 1 of a record differs from revision 0 in a few properties, never in its identity.
  mutating func write(record: Int, revision: Int, to text: inout JSONText)
}

extension Workload {
  /// Whether records share objects.
  var hasSharedObjects: Bool { self != .posts }

  func makeWriter(seed: UInt64, sharing: Double) -> any RecordWriter {
    switch self {
    case .heroes: HeroWriter(seed: seed, sharing: sharing)
    case .ids: HeroReferenceWriter(seed: seed, sharing: sharing)
    case .posts: PostWriter(seed: seed, sharing: sharing)
    case .events: EventWriter(seed: seed, sharing: sharing)
    }
  }
}
