import Graft

// Fixes files: `graft lint --fix`.
extension LintCommand {
  /// The findings in a file.
  struct Findings {
    /// The findings that remain.
    var findings: [Diagnostic]
    /// The number of findings that were fixed.
    var fixes = 0
    /// The reason why the fixed file could not be written.
    var failure: Failure?
  }

  /// Fixes a file and returns the findings that remain. If it cannot be written, all findings remain.
  func fixedFindings(in path: String, _ streams: Streams) throws(Failure) -> Findings {
    var reader = FileReader(streams)
    let source = SourceText(name: FileReader.displayName(path), bytes: try reader.read(path))
    let fixed = ModelFixer.fix(source)
    if path == "-" {
      try streams.writeOutput(fixed.bytes)
    } else if fixed.bytes != source.bytes {
      do throws(Failure) {
        try FileWriter.write([(path, fixed.bytes)])
      } catch {
        return Findings(findings: ModelFixer.findings(in: source), failure: error)
      }
    }
    if !isQuiet { fixed.fixes.forEach { streams.say(LintCommand.line($0)) } }
    return Findings(findings: fixed.findings, fixes: fixed.fixes.count)
  }

  /// Returns a line such as `Comics.json:4:30: fixed: replaced "identifer" with "identifier"`.
  private static func line(_ fix: ModelFixer.Fix) -> String {
    "\(fix.location): fixed: \(fix.summary.escapedForDisplay())\n"
  }
}
