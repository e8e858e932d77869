import Graft

/// `graft lint`: reports all findings in model files.
package struct LintCommand {
  /// The format of the findings.
  enum Format: String, CaseIterable { case text, json }

  package static let options: [Arguments.Option] = [
    .init(name: "--format", value: "text|json", summary: "how the findings are written"),
    .init(name: "--quiet", summary: "write findings only, and no summary"),
  ]

  let paths: [String]
  let format: Format
  /// Whether to print only findings.
  let isQuiet: Bool

  package init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: LintCommand.options)
    paths = arguments.operands
    format = try arguments.choice(of: "--format") ?? .text
    isQuiet = arguments.has("--quiet")
    guard !paths.isEmpty else { throw .usage("no model is given: MODEL...") }
    guard paths.count(where: { $0 == "-" }) < 2 else { throw .usage("the standard input can be read only once") }
  }

  /// Checks every file that can be read, and reports the others.
  package func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    var findings: [Diagnostic] = []
    var unreadable = 0
    for path in paths {
      do throws(Failure) {
        findings += try LintCommand.findings(in: path, streams)
      } catch {
        unreadable += 1
        streams.say(error, name: "graft lint")
      }
    }
    try write(findings, files: paths.count - unreadable, streams)
    if unreadable > 0 { return .unusableFile }
    return findings.contains { $0.severity == .error } ? .failed : .done
  }

  /// The linter cannot see which names a program registers, so an unknown one is a warning (M9).
  private static func findings(in path: String, _ streams: Streams) throws(Failure) -> [Diagnostic] {
    var reader = FileReader(streams)
    let source = SourceText(name: FileReader.displayName(path), bytes: try reader.read(path))
    return ModelFile.read(source, transformers: .standard, unregisteredNames: .warning).diagnostics
  }

  private func write(_ findings: [Diagnostic], files: Int, _ streams: Streams) throws(Failure) {
    switch format {
    case .text:
      try streams.write(findings)
      // If no file could be read, there is nothing to summarize.
      if files > 0, !isQuiet { streams.say(LintCommand.summaryLine(findings, files: files)) }
    case .json: try streams.write(DiagnosticRenderer(style: .json).render(findings) + "\n")
    }
  }

  private static func summaryLine(_ diagnostics: [Diagnostic], files: Int) -> String {
    let errors = diagnostics.count { $0.severity == .error }
    let warnings = diagnostics.count - errors
    var words: [String] = []
    if errors > 0 { words.append(counted(errors, "error")) }
    if warnings > 0 { words.append(counted(warnings, "warning")) }
    return "\(words.isEmpty ? "no findings" : words.joined(separator: " and ")) in \(counted(files, "model file"))\n"
  }
}
