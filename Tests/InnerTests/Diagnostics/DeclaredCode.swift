import Foundation

@testable import Graft

/// A constant of `DiagnosticCode`, as the sources declare it.
struct DeclaredCode {
  /// The name of the constant: `wrongType`.
  var name: String
  var code: DiagnosticCode
  /// The line of documentation above it.
  var documentation: String

  static let folder = "Diagnostics/Codes"

  /// The constants of one file, or of all.
  static func all(in file: String? = nil) throws -> [DeclaredCode] {
    let folder = ArchitectureTests.sources.appendingPathComponent(folder, isDirectory: true)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try files.flatMap { file in
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      return text.matches(of: /(?:\/\/\/ ([^\n]+)\n)?  (?:public|package) static let (\w+) = Self\("([^"]*)"\)/).map {
        DeclaredCode(
          name: String($0.2), code: DiagnosticCode(rawValue: String($0.3)), documentation: $0.1.map(String.init) ?? "")
      }
    }
  }
}
