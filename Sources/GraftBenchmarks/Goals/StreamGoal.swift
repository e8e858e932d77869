import Foundation
import Graft

extension Benchmark {
  /// P20: streams of JSON Lines, and of an array's elements, against the import of the same array as one payload. Bytes come in
  /// chunks of a megabyte, as from a file.
  func measureStreams(_ workload: Workload, _ report: inout Report) throws {
    guard subject != nil else { return }
    Standard.progress("\(workload): streams")
    let model = try ManagedObjectModel(text: workload.modelText)
    let document = Documents.first(workload, megabytes: options.comparedSize)
    let lines = Documents.lines(workload, megabytes: options.comparedSize)
    let whole = ManagedObjectContext(model: model)
    try whole.importJSON(document.bytes, ofEntity: workload.entity)
    let check = { (context: ManagedObjectContext) in
      for entity in workload.entities {
        try require(
          try context.count(ofEntity: entity) == whole.count(ofEntity: entity),
          "\(workload), stream: \(context.count(ofEntity: entity)) objects of \(entity)")
      }
    }
    let stream = { (name: Contender.Name, document: Document, format: ImportStream.Format) in
      Contender(
        name, prepare: { ManagedObjectContext(model: model) },
        run: { context in
          let stream = try ImportStream(ofEntity: workload.entity, in: context, format: format)
          for start in Swift.stride(from: 0, to: document.bytes.count, by: 1 << 20) {
            try stream.append(document.bytes[start..<min(start + 1 << 20, document.bytes.count)])
          }
          return try stream.finish()
        }, finish: { context, _ in try check(context) })
    }
    let samples = try Samples(
      rounds: options.isQuick ? options.graphRounds : options.comparedRounds,
      [
        Contender(
          .graft, prepare: { ManagedObjectContext(model: model) },
          run: { try $0.importJSON(document.bytes, ofEntity: workload.entity) },
          finish: { context, _ in try check(context) }),
        stream(.lines, lines, .lines), stream(.elements, document, .document),
      ])
    for (measure, name) in [("lines", .lines), ("an array", .elements)] as [(String, Contender.Name)] {
      report.add(
        Row(
          goal: .p20, measure: "\(workload), \(measure)", graft: .throughput(document, seconds: samples.median(name)),
          baseline: .throughput(document, seconds: samples.median(.graft)),
          result: Quantity(samples.ratio(name, to: .graft), "x"), target: .stream))
    }
  }
}
