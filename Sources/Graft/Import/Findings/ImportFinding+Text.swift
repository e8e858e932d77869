// The text of a payload: its syntax, and limits (I15).
extension ImportFinding {
  static func syntax(_ error: JSONSyntaxError, _ words: OptionWords) -> Self {
    var finding = Self(error.code, error.message(in: words)).suggesting(error.suggestion)
    finding.namesSuggestion = true
    finding.isOfText = true
    return finding
  }

  // MARK: Files

  static func unreadableFile(_ name: String, _ error: any Error) -> Self {
    Self(.unreadableFile, "the payload file '\(name)' cannot be read: \(FileFault.reason(error))")
  }

  static func notAFile(_ url: String) -> Self {
    Self(.unreadableFile, "'\(url)' is not a file: download it and import the bytes")
  }

  static func fileTooLong(_ name: String, _ size: Int, limit: Int) -> Self {
    Self(.limitBytes, "the payload file '\(name)' has \(size) bytes, which exceeds the limit 'bytes' of \(limit)")
  }
}
