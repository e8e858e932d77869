/// A target of fuzzing. Each target has laws that hold for any input.
package enum FuzzTarget: String, CaseIterable, Sendable {
  case scanner, model, `import`, pair, stream, dictionaries, codable, conditions, sqlite, snapshot, wire

  /// Checks the laws for an input.
  ///
  /// - Throws: a ``BrokenLaw``.
  package func check(_ input: [UInt8]) throws {
    switch self {
    case .scanner: try ScannerTarget.check(input)
    case .model: try ModelTarget.check(input)
    case .import: try ImportTarget.check(input)
    case .pair: try PairTarget.check(input)
    case .stream: try StreamTarget.check(input)
    case .dictionaries: try DictionaryTarget.check(input)
    case .codable: try CodableTarget.check(input)
    case .conditions: try ConditionTarget.check(input)
    case .sqlite: try SQLiteTarget.check(input)
    case .snapshot: try SnapshotTarget.check(input)
    case .wire: try WireTarget.check(input)
    }
  }

  /// Valid inputs with which fuzzing begins.
  package func seeds() throws -> [[UInt8]] {
    switch self {
    case .scanner: try Repository.payloads() + ScannerTarget.more
    case .model: try Repository.models()
    case .import: try PayloadSetting.inputs(headerLength: 2)
    case .pair: try PairTarget.seeds()
    case .stream: try PayloadSetting.inputs(headerLength: 4)
    case .dictionaries, .codable: try PayloadSetting.inputs(headerLength: 1)
    case .conditions: ConditionTarget.seeds
    case .sqlite: try SQLiteTarget.seeds()
    case .snapshot: try SnapshotTarget.seeds()
    case .wire: WireTarget.seeds
    }
  }

  /// The maximum length of generated inputs.
  package var longestInput: Int {
    switch self {
    case .sqlite: 512
    case .wire: 1024
    case .conditions: 512
    case .model, .pair, .snapshot: 16_384
    default: 4096
    }
  }
}

/// The error for a law that does not hold for an input.
package struct BrokenLaw: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Throws if a law does not hold.
func expect(_ holds: Bool, _ law: @autoclosure () -> String) throws(BrokenLaw) {
  if !holds { throw BrokenLaw(law()) }
}
