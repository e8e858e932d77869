import Graft

/// `graft lint`: reports all findings in model files.
package struct LintCommand {
  /// The format of the findings.
  enum Format: String, CaseIterable { case text, json }

  package static let options: [Arguments.Option] = [
    .init(name: "--format", value: "text|json", summary: "how the findings are written"),
    .init(name: "--fix", summary: "correct mistakes that have only one possible correction"),
    .init(name: "--watch", summary: "check again whenever a file changes"),
    .init(name: "--quiet", summary: "write findings only, without a summary"),
  ]

  let paths: [String]
  let format: Format
  /// Whether to correct the files.
  let isFixing: Bool
  /// Whether to check the files again when they change.
  let isWatching: Bool
  /// Whether to print only findings.
  let isQuiet: Bool

  package init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: LintCommand.options)
    paths = arguments.operands
    format = try arguments.choice(of: "--format") ?? .text
    isFixing = arguments.has("--fix")
    isWatching = arguments.has("--watch")
    isQuiet = arguments.has("--quiet")
    guard !paths.isEmpty else { throw .usage("no model is given: MODEL...") }
    let inputs = paths.count(where: { $0 == "-" })
    guard inputs < 2 else { throw .usage("standard input can be read only once") }
    guard inputs == 0 || !isWatching else { throw .usage("'--watch' requires files, but '-' is standard input") }
    guard inputs == 0 || !isFixing || format == .text && paths.count == 1 else {
      throw .usage(
        "'--fix -' writes the fixed model to standard output, so it takes no other file and no '--format json'")
    }
  }

  /// Checks every file that can be read, and reports the rest.
  package func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    guard isWatching else { return try check(streams) }
    while true {
      // A file that changes while it is checked is checked again, unless the command itself changes it.
      var watch = FileWatch(paths)
      _ = try check(streams)
      if isFixing { watch = FileWatch(paths) }
      if !isQuiet { streams.say("watching \(counted(paths.count, "model file")); stop with Control-C\n") }
      watch.wait()
    }
  }

  /// Checks all files once.
  private func check(_ streams: Streams) throws(Failure) -> ExitStatus {
    var findings: [Diagnostic] = []
    var fixes = 0
    var files = 0
    var isFailed = false
    func report(_ failure: Failure) {
      isFailed = true
      streams.say(failure, name: "graft lint")
    }
    for path in paths {
      do throws(Failure) {
        let result = try isFixing ? fixedFindings(in: path, streams) : unfixedFindings(in: path, streams)
        findings += result.findings
        fixes += result.fixes
        files += 1
        if let failure = result.failure { report(failure) }
      } catch {
        report(error)
      }
    }
    try write(findings, fixes: fixes, files: files, streams)
    if isFailed { return .unusableFile }
    return findings.contains { $0.severity == .error } ? .failed : .done
  }

  private func unfixedFindings(in path: String, _ streams: Streams) throws(Failure) -> Findings {
    var reader = FileReader(streams)
    let source = SourceText(name: FileReader.displayName(path), bytes: try reader.read(path))
    return Findings(findings: ModelFixer.findings(in: source))
  }

  private func write(_ findings: [Diagnostic], fixes: Int, files: Int, _ streams: Streams) throws(Failure) {
    switch format {
    case .text:
      // As a filter, the command writes the fixed model as its data.
      if isFixing, paths == ["-"] { streams.say(findings) } else { try streams.write(findings) }
      // If no file could be read, there is nothing to summarize.
      if files > 0, !isQuiet { streams.say(summaryLine(findings, fixes: fixes, files: files)) }
      if !isQuiet { streams.explain(findings) }
    case .json: try streams.write(DiagnosticRenderer(style: .json).render(findings) + "\n")
    }
  }

  private func summaryLine(_ diagnostics: [Diagnostic], fixes: Int, files: Int) -> String {
    let errors = diagnostics.count { $0.severity == .error }
    let warnings = diagnostics.count - errors
    var words: [String] = []
    if errors > 0 { words.append(counted(errors, "error")) }
    if warnings > 0 { words.append(counted(warnings, "warning")) }
    if words.isEmpty { words.append("no findings") }
    let left = "\(words.joined(separator: " and ")) in \(counted(files, "model file"))\n"
    return isFixing ? "\(fixes) fixed, \(left)" : left
  }
}
