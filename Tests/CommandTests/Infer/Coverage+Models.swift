import Foundation
import Graft
import GraftTools
import Testing

extension Coverage {
  /// Imports a document with an inferred model, and returns the values that an export of the graph loses.
  static func losses(of bytes: [UInt8], with inferred: InferredModel) throws -> [String] {
    let model = try ManagedObjectModel(text: inferred.text)
    let samples = [ModelInference.Sample(SourceText(name: "document.json", bytes: bytes))]
    let document = try JSON(foundation: JSONSerialization.jsonObject(with: Data(bytes)))
    var coverage = Coverage(of: document)
    for part in inferred.parts where part.sample == 0 {
      let context = ManagedObjectContext(model: model)
      _ = try inferred.importSamples(samples, into: context)
      let wanted = part.keys.reduce(document) { $0[$1] ?? .null }
      let isKeyed = model.entity(named: part.entityName)?.attributes.contains { $0.keyPath == "@key" } ?? false
      let found: Data
      if isKeyed {
        found = Data(try context.exportAll(of: part.entityName, options: ExportOptions()))
      } else {
        let roots = try objects(ofEntity: part.entityName, fromJSON: bytes, in: context, at: part.keyPath)
        found = wanted.arrayValue == nil ? try jsonData(from: roots[0]) : try jsonData(from: roots)
      }
      coverage.compare(wanted, try JSON(foundation: JSONSerialization.jsonObject(with: found)))
    }
    #expect(coverage.count > 1)
    return coverage.differences
  }
}
