import Graft

extension CodeExplanation {
  static let text = [
    CodeExplanation(
      .syntaxError,
      "The text is not JSON. In a model file, comments and trailing commas are allowed; in a payload they are not (RFC 8259).",
      example: #"{"id": 1,}"#,
      fix:
        "Correct the text at the marked place. In a payload, look at what wrote it: an error page or a cut-off download is common."
    ),
    CodeExplanation(
      .wrongEncoding, "A model file is not encoded in UTF-8.",
      example: "A file that an editor saved as UTF-16 or Latin-1.",
      fix: "Save the file as UTF-8."),
    CodeExplanation(
      .duplicateKey,
      "A key occurs twice in one object. It is not clear which value counts, so neither does.",
      example: #"{"id": 1, "name": "Heron", "name": "Night Heron"}"#,
      fix: "Remove one of the two."),
    CodeExplanation(
      .unreadableFile, "A model or payload file cannot be read, or a URL does not lead to a file.",
      example: #"try ManagedObjectModel(contentsOf: URL(fileURLWithPath: "Comix.json"))"#,
      fix: "Check the path and its permissions. Fetch what is not a file, and import its bytes."),
  ]
}
