import Graft
import GraftSQLite
import GraftTools

/// The difference between two models as text.
///
///     Stores change by themselves:
///       add 'Hero.nickname'
///       rename 'Hero.label' to 'Hero.name'
///
///     Stores cannot change:
///     New.json:12:7: error: the type of 'Hero.age' changes from integer16 to string, which not all values fit; …
///
///     Payloads of the old version are read differently:
///       New.json:9:7: 'Hero.cape' is no longer read: "cape" is ignored
struct DiffText {
  let text: String

  init(_ difference: ModelDifference, _ streams: Streams) {
    let renderer = DiagnosticRenderer(isColored: streams.colorsOutput, width: streams.outputWidth)
    func list(_ lines: [String]) -> String { lines.map { "  \($0.escapedForDisplay())" }.joined(separator: "\n") }
    let plan = difference.plan
    let sections = [
      ("Stores are migrated automatically", list(plan.changes)),
      ("If a name has changed, declare it", list(difference.advice)),
      ("Stores are migrated only if they do not contain certain objects", renderer.render(plan.conditionalRefusals)),
      ("Stores cannot be migrated", renderer.render(plan.refusals)),
      ("Payloads of the old version may be rejected", list(difference.payloads(.rejected).map(\.line))),
      ("Payloads of the old version are read differently", list(difference.payloads(.different).map(\.line))),
    ]
    text = sections.filter { !$0.1.isEmpty }.map { "\($0.0):\n\($0.1)\n" }.joined(separator: "\n")
  }

  /// Returns a line that sums up the difference.
  static func summary(_ difference: ModelDifference) -> String {
    if difference.isEmpty { return "no difference for stores or payloads\n" }
    let plan = difference.plan
    let problems = plan.refusals.count + plan.conditionalRefusals.count
    if problems == 0 {
      return plan.movesData
        ? "every store of the old version whose values fit can be migrated\n"
        : "every store of the old version can be migrated\n"
    }
    return plan.refusals.isEmpty
      ? "some stores of the old version cannot be migrated, for \(counted(problems, "reason"))\n"
      : "stores of the old version cannot be migrated, for \(counted(problems, "reason"))\n"
  }
}
