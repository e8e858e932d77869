extension String {
  /// Returns the parts between the occurrences of an ASCII character. The text is split by bytes, because a combining mark after
  /// the character would otherwise hide it.
  ///
  /// - Parameter most: the maximum number of splits.
  package func parts(between separator: Unicode.Scalar, most: Int = .max) -> [String] {
    utf8.split(separator: UInt8(ascii: separator), maxSplits: most, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
