import Graft
import GraftTools

/// Offers the fixes of findings, the same as those of `graft lint --fix`.
struct FixAnswer {
  private let document: ModelDocument

  init(_ document: ModelDocument) { self.document = document }

  /// Returns the fixes of the findings that touch a range, and a fix for the whole file.
  ///
  /// - Parameter only: the kinds that the editor requests; nil for all.
  func actions(in range: ClosedRange<Int>, only: [String]?) -> JSON {
    var actions: [JSON] = []
    if wants("quickfix", only) {
      for finding in document.findings where !finding.fix.isEmpty {
        guard let location = finding.location else { continue }
        let bytes = DiagnosticAnswer.range(of: location, in: document)
        guard range.lowerBound <= bytes.upperBound, bytes.lowerBound <= range.upperBound else { continue }
        actions.append(quickFix(finding))
      }
    }
    if wants("source.fixAll", only), let action = fixAll() { actions.append(action) }
    return .array(actions)
  }

  /// Returns whether the editor wants a kind of action. Kinds are hierarchical: `source` contains `source.fixAll`, which contains
  /// `source.fixAll.graft`.
  private func wants(_ kind: String, _ only: [String]?) -> Bool {
    only?.contains { kind == $0 || kind.hasPrefix($0 + ".") || $0.hasPrefix(kind + ".graft") } ?? true
  }

  private func quickFix(_ finding: Diagnostic) -> JSON {
    [
      "title": .string(FixText.imperative(finding.fix, in: document.source)), "kind": "quickfix",
      "diagnostics": [DiagnosticAnswer.json(finding, in: document)], "isPreferred": true,
      "edit": document.workspaceEdit(finding.fix.map { document.edit($0.range.offsets, $0.text) }),
    ]
  }

  private func fixAll() -> JSON? {
    let fixed = ModelFixer.fix(document.source)
    guard !fixed.fixes.isEmpty else { return nil }
    let text = String(decoding: fixed.bytes, as: UTF8.self)
    return [
      "title": "Fix all mistakes with only one possible correction", "kind": "source.fixAll",
      "edit": document.workspaceEdit([document.edit(0..<document.bytes.count, text)]),
    ]
  }
}
