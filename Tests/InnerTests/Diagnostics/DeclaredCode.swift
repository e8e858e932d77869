import Foundation

@testable import Graft

/// A constant of `DiagnosticCode`, as declared in the source code.
struct DeclaredCode {
  /// The name of the constant, such as `wrongType`.
  var name: String
  var code: DiagnosticCode
  /// The line of documentation above the constant.
  var documentation: String

  static let folder = "Diagnostics/Codes"

  /// The constants that one file or all files declare.
  static func all(in file: String? = nil) throws -> [DeclaredCode] {
    let folder = ArchitectureTests.sources.appendingPathComponent(folder, isDirectory: true)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { file == nil || $0 == file }
    return try files.sorted().flatMap { file in
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      return text.matches(of: /(?:\/\/\/ ([^\n]+)\n)?  (?:public|package) static let (\w+) = Self\("([^"]*)"\)/).map {
        DeclaredCode(
          name: String($0.2), code: DiagnosticCode(rawValue: String($0.3)), documentation: $0.1.map(String.init) ?? "")
      }
    }
  }
}
