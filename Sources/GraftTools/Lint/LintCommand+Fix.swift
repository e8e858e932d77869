import Graft

// Fixing files: `graft lint --fix`.
extension LintCommand {
  /// Fixes a file and returns the findings that remain.
  func fixedFindings(in path: String, _ streams: Streams) throws(Failure) -> (findings: [Diagnostic], fixes: Int) {
    var reader = FileReader(streams)
    let source = SourceText(name: FileReader.displayName(path), bytes: try reader.read(path))
    let fixed = ModelFixer.fix(source)
    if path == "-" {
      try streams.writeOutput(fixed.bytes)
    } else if fixed.bytes != source.bytes {
      try FileWriter.write([(path, fixed.bytes)])
    }
    if !isQuiet { fixed.fixes.forEach { streams.say(LintCommand.line($0)) } }
    return (fixed.findings, fixed.fixes.count)
  }

  /// `Comics.json:4:30: fixed: replaced "identifer" with "identifier"`
  private static func line(_ fix: ModelFixer.Fix) -> String {
    "\(fix.location): fixed: \(fix.summary.escapedForDisplay())\n"
  }
}
