import Foundation

@testable import Graft

/// A faulty model file in `Tests/Fixtures/bad-models`, `<topic>/<case>.json`, next to the output that users see when they check it.
struct BadModel: Sendable, CustomStringConvertible {
  /// The topic and the case, such as `syntax/missing-comma`.
  let description: String

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/bad-models", isDirectory: true)

  static let all: [BadModel] = {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return paths.filter { $0.hasSuffix(".json") }.sorted().map { BadModel(description: String($0.dropLast(5))) }
  }()

  /// The name of the file, as shown in messages.
  var name: String { file.lastPathComponent }
  var file: URL { Self.folder.appendingPathComponent(description + ".json") }
  var expectedFile: URL { Self.folder.appendingPathComponent(description + ".expected") }

  func bytes() throws -> [UInt8] { Array(try Data(contentsOf: file)) }

  /// The findings in the file: those of `graft lint`, or, in the folder `program`, those of a program that registers names.
  func findings() throws -> [Diagnostic] {
    let source = SourceText(name: name, bytes: try bytes())
    guard description.hasPrefix("program/") else {
      return ModelFile.read(source, transformers: .standard, unregisteredNames: .warning).diagnostics
    }
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }
    transformers.registerDictionaryTransformer(named: "Flatten") { $0 }
    transformers.registerEntityMapper(named: "HeroKind") { _ in nil }
    return ModelFile.read(source, transformers: transformers).diagnostics
  }

  /// The output that users see.
  func output() throws -> String { DiagnosticRenderer(style: .excerpt).render(try findings()) + "\n" }
}
