extension String {
  /// The parts between the occurrences of an ASCII character. By bytes: a combining mark joins the character before it, and would
  /// hide it.
  ///
  /// - Parameter most: how often the text is split at most.
  func parts(between separator: Unicode.Scalar, most: Int = .max) -> [String] {
    utf8.split(separator: UInt8(ascii: separator), maxSplits: most, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
