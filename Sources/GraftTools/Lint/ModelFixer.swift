package import Graft

/// Applies the fixes of the findings in a model file, if each has only one possible correction.
///
///     let result = ModelFixer.fix(source)
///     result.bytes, result.fixes, result.findings
///
/// Only the wrong bytes change, so comments and layout are preserved. A fix that reveals more errors than it resolves is applied
/// only if those errors can also be fixed. Fixing a file again changes nothing.
package struct ModelFixer {
  /// A fix that was made.
  package struct Fix {
    /// The finding that it resolved.
    package let finding: Diagnostic
    /// The first change, in the text at that time.
    package let location: SourceLocation
    /// The description of the change: `replaced "Teem" with "Team"`.
    package let summary: String
  }

  /// The text after the fixes.
  package private(set) var bytes: [UInt8]
  /// The fixes in the order in which they were made.
  package private(set) var fixes: [Fix] = []
  /// The findings that remain.
  package private(set) var findings: [Diagnostic]

  private let name: String
  /// The maximum number of rounds. Each fix can reveal another error, so there can be several rounds.
  private static let mostRounds = 1000
  /// The maximum depth of fixes that reveal errors, and the maximum number of such fixes to try.
  private static let mostDepth = 2
  private static let mostRevealed = 8

  /// Reads a model file like the linter, which does not know the names that a program registers.
  package static func findings(in source: SourceText) -> [Diagnostic] {
    ModelFile.read(source, transformers: .standard, unregisteredNames: .warning).diagnostics
  }

  /// Reads a model file to fix it. The total number of errors shows whether a fix resolves its error.
  private static func allFindings(in source: SourceText) -> [Diagnostic] {
    ModelFile.read(source, transformers: .standard, unregisteredNames: .warning, most: .max).diagnostics
  }

  /// Fixes a model file.
  package static func fix(_ source: SourceText) -> ModelFixer {
    var fixer = ModelFixer(source)
    fixer.fixAll(depth: 0)
    fixer.findings = findings(in: SourceText(name: source.name, bytes: fixer.bytes))
    return fixer
  }

  /// Runs rounds of fixes until there is nothing more to fix.
  ///
  /// - Parameter depth: the number of enclosing fixes that reveal errors.
  private mutating func fixAll(depth: Int) {
    var seen: Set<[UInt8]> = [bytes]
    for _ in 0..<ModelFixer.mostRounds {
      let before = bytes
      round()
      if bytes == before, depth < ModelFixer.mostDepth { reveal(depth: depth) }
      // No fix restores an earlier text, but an endless loop would be worse than a remaining finding.
      guard bytes != before, seen.insert(bytes).inserted else { break }
    }
  }

  /// Makes the first fix that reveals further errors, if those errors also have fixes: for example, errors below a misspelled key.
  private mutating func reveal(depth: Int) {
    for finding in ModelFixer.compatible(findings.filter { !$0.fix.isEmpty }).prefix(ModelFixer.mostRevealed) {
      var trial = self
      trial.apply([finding])
      trial.fixAll(depth: depth + 1)
      guard ModelFixer.errors(trial.findings) <= ModelFixer.errors(findings) else { continue }
      self = trial
      return
    }
  }

  private init(_ source: SourceText) {
    name = source.name
    bytes = source.bytes
    findings = ModelFixer.allFindings(in: source)
  }

  /// Makes all fixes together or, if not every fix resolves its error, only the fixes that reveal no further errors.
  private mutating func round() {
    let fixable = ModelFixer.compatible(findings.filter { !$0.fix.isEmpty })
    guard !fixable.isEmpty, !make(fixable, leaving: ModelFixer.errors(findings) - ModelFixer.errors(fixable)) else {
      return
    }
    let before = fixes.count
    // Start from the last fix, so that the offsets of the other fixes remain valid.
    for finding in fixable.reversed() { _ = make([finding], leaving: ModelFixer.errors(findings)) }
    fixes[before...].reverse()
  }

  /// Makes fixes unless more than a number of errors remain, and returns whether it did.
  private mutating func make(_ resolved: [Diagnostic], leaving most: Int) -> Bool {
    var fixed = self
    fixed.apply(resolved)
    guard ModelFixer.errors(fixed.findings) <= most else { return false }
    self = fixed
    return true
  }

  private mutating func apply(_ resolved: [Diagnostic]) {
    let source = SourceText(name: name, bytes: bytes)
    let fixed = SourceText(name: name, bytes: source.applying(resolved.flatMap(\.fix)))
    fixes += resolved.map { finding in
      let first = SourceEdit.ordered(finding.fix)[0].range
      return Fix(
        finding: finding, location: source.location(of: first), summary: FixText.past(finding.fix, in: source))
    }
    (bytes, findings) = (fixed.bytes, ModelFixer.allFindings(in: fixed))
  }

  private static func errors(_ findings: [Diagnostic]) -> Int { findings.count { $0.severity == .error } }

  /// Returns the findings whose fixes change different bytes. If two change the same text, the first is kept.
  private static func compatible(_ findings: [Diagnostic]) -> [Diagnostic] {
    var kept: [Diagnostic] = []
    var edits: Set<SourceEdit> = []
    var lastEnd = 0
    for finding in findings.sorted(by: { start($0) < start($1) }) {
      guard finding.fix.count == 1 || edits.isDisjoint(with: finding.fix), start(finding) >= lastEnd else { continue }
      kept.append(finding)
      edits.formUnion(finding.fix)
      // A fix with several locations waits for a round in which nothing is between those locations.
      lastEnd = max(lastEnd, finding.fix.map { $0.range.offset + $0.range.length }.max() ?? 0)
    }
    return kept
  }

  private static func start(_ finding: Diagnostic) -> Int { finding.fix.map(\.range.offset).min() ?? 0 }
}
