/// Writes the records of one workload. A record depends only on the seed, its number and its revision.
protocol RecordWriter {
  init(seed: UInt64)
  /// Revision 1 of a record differs from revision 0 in a few properties, never in its identity.
  mutating func write(record: Int, revision: Int, to text: inout JSONText)
}

extension Workload {
  func makeWriter(seed: UInt64) -> any RecordWriter {
    switch self {
    case .heroes: HeroWriter(seed: seed)
    case .ids: HeroReferenceWriter(seed: seed)
    case .posts: PostWriter(seed: seed)
    case .events: EventWriter(seed: seed)
    }
  }
}
