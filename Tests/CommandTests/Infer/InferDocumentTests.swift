import Foundation
import Graft
import GraftTools
import Testing

/// Real documents, if the machine has them: each gets a model that lints clean and gives the document back.
@Suite("Inference: documents") struct InferDocumentTests {
  /// The JSON files in the folders that `GRAFT_REAL_DATA` and `GRAFT_TEST_DATA` name.
  static let documents: [URL] = {
    let folders = ["GRAFT_REAL_DATA", "GRAFT_TEST_DATA"].compactMap { ProcessInfo.processInfo.environment[$0] }
    if folders.isEmpty { print("GRAFT_REAL_DATA and GRAFT_TEST_DATA are not set: inference is not tried on documents") }
    return folders.flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.filter { $0.hasSuffix(".json") }.sorted().map {
        URL(fileURLWithPath: folder).appendingPathComponent($0)
      }
    }
  }()

  @Test("The model of a document lints clean, imports the document, and exports it again", arguments: documents)
  func document(url: URL) throws {
    let bytes = [UInt8](try Data(contentsOf: url))
    let samples = [ModelInference.Sample(SourceText(name: url.lastPathComponent, bytes: bytes))]
    let inferred = try ModelInference(samples).run()
    #expect(inferred.findings == [] && !inferred.isSimplified)

    let model = try ManagedObjectModel(text: inferred.text)
    #expect(model.warnings == [])
    let document = try JSON(foundation: JSONSerialization.jsonObject(with: Data(bytes)))
    for part in inferred.parts {
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
      var coverage = Coverage(of: document)
      coverage.compare(wanted, try JSON(foundation: JSONSerialization.jsonObject(with: found)))
      #expect(coverage.count > 1)
      #expect(coverage.differences.prefix(10) == [], "\(part.entityName)")
    }
  }
}
