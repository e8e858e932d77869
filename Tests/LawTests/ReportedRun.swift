import Graft
import GraftTestSupport

/// An import by one of the calls that return a report.
struct ReportedRun: CustomStringConvertible {
  private enum Way {
    case one, several, parts(isWholeList: Bool), stream(size: Int, ImportBatches.Atomicity)
  }

  private let way: Way
  private let payloads: [(entityName: String, payload: JSON)]
  private let isDry: Bool

  init(_ one: inout LawCase) {
    isDry = one.random.chance(percent: 20)
    let way: Way
    switch one.random.below(10) {
    case 0...2: way = .one
    case 3, 4: way = .several
    case 5, 6: way = .parts(isWholeList: one.random.chance(percent: 60))
    default: way = .stream(size: 1 + one.random.below(2), one.random.chance(percent: 50) ? .each : .whole)
    }
    var count = 1
    switch way {
    case .several: count = 2 + one.random.below(2)
    case .parts: count = 1 + one.random.below(2)
    default: break
    }
    self.way = way
    payloads = (0..<count).map { _ in
      var (entity, payload) = one.payload()
      if one.random.chance(percent: 6) { payload = RandomPayload.damaged(payload, &one.random) }
      return (one.model.entities[entity].name, payload)
    }
  }

  /// Whether contents are compared once for all payloads, so counts alone show which changes are reverted at the end.
  var isOneUnit: Bool {
    switch way {
    case .one, .parts: true
    default: false
    }
  }

  var description: String {
    "\(isDry ? "dry run" : "import") \(way): \(payloads.map { "\($0.entityName): \($0.payload)" }.joined(separator: ", "))"
  }

  /// Runs the import, and calls the closure with the graph that the report describes.
  @discardableResult
  func report(
    in context: ManagedObjectContext, options: ImportOptions = ImportOptions(reportsDetails: true),
    _ check: (ImportReport) throws -> Void
  ) throws -> ImportReport {
    func run() throws -> ImportReport {
      let report = try report(in: context, options)
      try check(report)
      return report
    }
    return isDry ? try context.dryRun { try run() } : try run()
  }

  /// Returns the report of a dry run, without details.
  func counts(in context: ManagedObjectContext) throws -> ImportReport {
    try context.dryRun { try report(in: context, ImportOptions()) }
  }

  private func report(in context: ManagedObjectContext, _ options: ImportOptions) throws -> ImportReport {
    let (name, payload) = payloads[0]
    switch way {
    case .one: return try context.importJSON(payload, ofEntity: name, options: options)
    case .several:
      return try context.importPayloads(
        payloads.map { ImportPayload($0.entityName, bytes: Array($0.payload.description.utf8), options: options) })
    case .parts(let isWholeList):
      let document = JSONObject(payloads.enumerated().map { ("p\($0.offset)", $0.element.payload) })
      let parts = payloads.enumerated().map { number, part in
        ImportPart.objects(
          ofEntity: part.entityName, at: JSONKeyPath(keys: ["p\(number)"]),
          missing: isWholeList && number == 0 ? .delete : .keep)
      }
      return try context.importJSON(JSON.object(document), parts, options: options)
    case .stream(let size, let atomicity):
      let stream = try ImportStream(
        ofEntity: name, in: context, batches: ImportBatches(size: size, atomicity: atomicity), options: options)
      try stream.append(payload.description.utf8)
      return try stream.finish()
    }
  }
}
