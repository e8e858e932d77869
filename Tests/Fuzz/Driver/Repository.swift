import Foundation
import GraftTestSupport

/// The files of the repository that are used as seeds.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: root.appendingPathComponent(path)))
  }

  /// The JSON files below a folder, with their paths.
  private static func paths(_ folder: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    return (all?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
  }

  /// Valid and faulty payloads.
  static func payloads() throws -> [[UInt8]] {
    let faulty = paths("Tests/Fixtures/bad-payloads").filter { !$0.hasSuffix("/model.json") }
    return try (paths("Examples/Payloads") + faulty).map(bytes)
  }

  /// Faulty payloads, each with its model file.
  static func pairs() throws -> [(model: [UInt8], payload: [UInt8])] {
    let payloads = paths("Tests/Fixtures/bad-payloads").filter { !$0.hasSuffix("/model.json") }
    return try payloads.compactMap { path in
      let model = root.appendingPathComponent(path).deletingLastPathComponent().appendingPathComponent("model.json")
      guard let model = try? Data(contentsOf: model) else { return nil }
      return (Array(model), try bytes(path))
    }
  }

  /// Valid and faulty model files.
  static func models() throws -> [[UInt8]] {
    let models = paths("Models").filter { !$0.hasSuffix("schema.json") }
    return try (models + paths("Tests/Fixtures/bad-models")).map(bytes) + [Array(everyWordOfTheModelFile.utf8)]
  }
}
