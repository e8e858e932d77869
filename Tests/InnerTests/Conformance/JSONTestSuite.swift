import Foundation
import Testing

/// The files of the JSONTestSuite, which is not part of the package: the environment variable `GRAFT_CONFORMANCE_DATA` contains the path of
/// its folder.
enum JSONTestSuite {
  struct File: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]

    var testDescription: String { name }
  }

  static let variable = "GRAFT_CONFORMANCE_DATA"

  static let folder: URL? = ProcessInfo.processInfo.environment[variable].map {
    URL(fileURLWithPath: $0, isDirectory: true).appendingPathComponent("test_parsing", isDirectory: true)
  }

  static var isThere: Bool { folder != nil }

  /// The files whose names begin with the prefix: `y_` files are valid JSON, `n_` files are invalid, and the suite leaves `i_` files open.
  static func files(_ prefix: String) throws -> [File] {
    guard let folder else { return [] }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(prefix) }
    return try names.sorted().map {
      File(name: $0, bytes: Array(try Data(contentsOf: folder.appendingPathComponent($0))))
    }
  }
}
