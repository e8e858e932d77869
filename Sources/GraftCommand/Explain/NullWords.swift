import Graft

/// Describes the values that mean null (M20).
enum NullWords {
  static func sentences(_ nulls: [JSON]) -> [String] {
    nulls.isEmpty ? [] : ["Read as null: \(nulls.map(\.description).joined(separator: ", "))."]
  }
}

extension Array {
  /// The array, or nil if it is empty.
  var nonEmpty: Self? { isEmpty ? nil : self }
}
