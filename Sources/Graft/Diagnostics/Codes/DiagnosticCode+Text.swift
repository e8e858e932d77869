// The text of a model file or a payload.
extension DiagnosticCode {
  /// The text is not JSON.
  public static let syntaxError = Self("syntax-error")
  /// A model file is not encoded in UTF-8.
  public static let wrongEncoding = Self("wrong-encoding")
  /// A key occurs twice in one object.
  public static let duplicateKey = Self("duplicate-key")
  /// A file cannot be read.
  public static let unreadableFile = Self("unreadable-file")
}
