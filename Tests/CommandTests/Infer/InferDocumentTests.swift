import Foundation
import Graft
import GraftTools
import Testing

/// Real documents, if they are on the machine. Each document gets a model without findings that reproduces the document.
@Suite("Inference: documents") struct InferDocumentTests {
  /// The JSON files in the folders that `GRAFT_REAL_DATA` and `GRAFT_TEST_DATA` name, and in folders of the latter.
  static let documents: [URL] = {
    let environment = ProcessInfo.processInfo.environment
    let data = environment["GRAFT_TEST_DATA"].map { URL(fileURLWithPath: $0) }
    var folders = [data, data?.appendingPathComponent("services"), data?.appendingPathComponent("samples")]
    folders.append(environment["GRAFT_REAL_DATA"].map { URL(fileURLWithPath: $0) })
    if folders.allSatisfy({ $0 == nil }) {
      print("GRAFT_REAL_DATA and GRAFT_TEST_DATA are not set: inference is not tried on documents")
    }
    return folders.compactMap(\.self).flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return names.filter { $0.hasSuffix(".json") }.sorted().map(folder.appendingPathComponent)
    }
  }()

  @Test("The model of a document has no findings, imports the document, and exports it again", arguments: documents)
  func document(url: URL) throws {
    let bytes = [UInt8](try Data(contentsOf: url))
    guard (try? JSON(text: String(decoding: bytes, as: UTF8.self))) != nil else {
      return print("\(url.lastPathComponent) is not JSON: inference is not tried on it")
    }
    let samples = [ModelInference.Sample(SourceText(name: url.lastPathComponent, bytes: bytes))]
    let inferred = try ModelInference(samples).run()
    #expect(inferred.findings == [] && !inferred.isSimplified)

    let model = try ManagedObjectModel(text: inferred.text)
    #expect(model.warnings == [])
    var losses = try Coverage.losses(of: bytes, with: inferred)
    // A comment lists the keys of edges that are not mapped.
    if inferred.text.contains("the key path leads through them") {
      losses.removeAll { $0.contains(".edges[") && ($0.contains(".cursor:") || $0.contains(".__typename:")) }
    }
    #expect(losses == [])
  }
}
