import Graft

extension CodeExplanation {
  static let text = [
    CodeExplanation(
      .syntaxError,
      "The text is not JSON. In a model file, comments and trailing commas are allowed; in a payload they are not (RFC 8259).",
      example: #"{"id": 1,}"#,
      fix:
        "Correct the text at the marked place. In a payload, check its source: an error page or a truncated download is common."
    ),
    CodeExplanation(
      .wrongEncoding, "A model file is not encoded in UTF-8.",
      example: "A file that an editor saved as UTF-16 or Latin-1.",
      fix: "Save the file as UTF-8."),
    CodeExplanation(
      .duplicateKey,
      "A key occurs twice in one object. It is unclear which value applies, so neither is used.",
      example: #"{"id": 1, "name": "Heron", "name": "Night Heron"}"#,
      fix: "Remove one of the two."),
    CodeExplanation(
      .unreadableFile, "A model or payload file cannot be read, or a URL does not refer to a file.",
      example: #"try ManagedObjectModel(contentsOf: URL(fileURLWithPath: "Comix.json"))"#,
      fix:
        "Check the path and its permissions. If the URL does not refer to a file, download its contents and import the bytes."
    ),
  ]
}
