import Graft

/// The page of codes in the documentation, `DiagnosticCodes.md`. A test keeps it up to date.
enum CodePage {
  static var text: String {
    var page = """
      # Diagnostic codes

      The meaning of each diagnostic code, and how to fix the problem that it reports.

      ## Overview

      Each diagnostic has a ``DiagnosticCode``. Codes are stable: messages may change from version to version, but codes do not.
      `graft explain wrong-type` prints the section of this page about that code.

      """
    for chapter in CodeExplanation.chapters {
      page += "\n## \(chapter.title)\n"
      for explanation in chapter.explanations {
        page += """

          ### \(explanation.code)

          \(explanation.meaning)

          ```
          \(explanation.example)
          ```

          \(explanation.fix)

          """
      }
    }
    return page
  }
}
