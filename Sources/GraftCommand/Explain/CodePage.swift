import Graft

/// The page of codes in the documentation, `DiagnosticCodes.md`. A test keeps it up to date.
enum CodePage {
  static var text: String {
    var page = """
      # Codes of diagnostics

      What each code means, and how to fix what it reports.

      ## Overview

      Each diagnostic has a ``DiagnosticCode``. Codes are stable: a message may change from version to version, its code does not.
      `graft explain wrong-type` prints what this page has about that code.

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
