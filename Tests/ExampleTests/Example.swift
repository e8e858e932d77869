import Foundation
import Testing

/// One of the example programs.
struct Example: Sendable, CustomTestStringConvertible {
  /// The example's folder in `Examples`.
  let name: String

  var testDescription: String { name }

  /// All examples: the folders in `Examples` that contain a program.
  static let all: [Example] = {
    let folder = Package.folder.appending(path: "Examples")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map(Example.init).filter {
      FileManager.default.fileExists(atPath: $0.file("main.swift").path)
    }
  }()

  func file(_ name: String) -> URL { Package.folder.appending(path: "Examples/\(self.name)/\(name)") }

  /// The file with the expected output of the program.
  var expectedOutput: URL { file("expected-output.txt") }

  /// Runs the program to its end, from a folder other than the package's.
  func run() throws -> (output: String, messages: String, status: Int32) {
    let process = Process()
    let output = Pipe()
    let messages = FileManager.default.temporaryDirectory.appending(path: "graft-\(name)-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: messages) }
    try Data().write(to: messages)
    process.executableURL = Package.products.appending(path: "\(name)Example")
    process.currentDirectoryURL = FileManager.default.temporaryDirectory
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: messages)
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      String(decoding: data, as: UTF8.self), try String(contentsOf: messages, encoding: .utf8),
      process.terminationStatus
    )
  }
}

enum Package {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The folder of the built programs. SwiftPM puts the programs next to the test bundle.
  static let products: URL = {
    let bundles = Bundle.allBundles.map(\.bundlePath) + CommandLine.arguments
    let bundle = bundles.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    var url = URL(filePath: bundle)
    while url.pathComponents.contains(where: { $0.hasSuffix(".xctest") }) { url.deleteLastPathComponent() }
    return url
  }()
}
