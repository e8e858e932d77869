import Foundation

package import Graft
package import GraftPostgreSQL

/// A private PostgreSQL server, which is stopped when the object is released or the test process ends.
package final class Cluster: Sendable {
  package let folder: String
  package let url: String

  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("cluster.bash").path

  /// Whether PostgreSQL is available for tests. If it is not, the reason is printed.
  package static let isAvailable: Bool = {
    guard let result = try? run(["available"]) else { return false }
    if result.status == 69 { print("skipped: \(result.output)") }
    return result.status == 0
  }()

  /// The server that most tests share. A test that kills its server has its own.
  package static let shared = Result { try Cluster() }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  package init() throws {
    let result = try Cluster.run(["start", "--while", "\(ProcessInfo.processInfo.processIdentifier)"])
    let lines = result.output.split(separator: "\n").map(String.init)
    guard result.status == 0, lines.count == 2 else { throw Failure(description: result.output) }
    (folder, url) = (lines[0], lines[1])
  }

  deinit { _ = try? Cluster.run(["stop", folder]) }

  /// Kills the server without warning.
  package func kill() throws { try command("kill") }

  /// Starts the server again.
  package func restart() throws { try command("restart") }

  private func command(_ name: String) throws {
    let result = try Cluster.run([name, folder])
    guard result.status == 0 else { throw Failure(description: result.output) }
  }

  private static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [script] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  package var string: ConnectionString { ConnectionString(url) }

  /// Returns a URL for another user, database or folder.
  package func url(
    user: String = "graft", password: String? = nil, database: String = "postgres", folder: String? = nil
  ) -> String {
    "postgresql://\(user)\(password.map { ":\($0)" } ?? "")@/\(database)?host=\(folder ?? self.folder)&port=5432"
  }
}

/// A schema of the shared server. The schema is removed when the object is released.
package final class PrivateSchema: Sendable {
  /// The URL of the schema. By default, commits through this URL are not synchronized with the disk.
  package let url: String
  private let name: String
  private let cluster: Cluster

  /// - Parameter settings: settings of the server, such as `statement_timeout=1000`.
  package init(_ cluster: Cluster? = nil, settings: [String] = ["synchronous_commit=off"]) throws {
    self.cluster = try cluster ?? Cluster.shared.get()
    name = "s_" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
    let options = (["search_path=\(name)"] + settings).map { "-c\($0)".replacingOccurrences(of: "=", with: "%3D") }
    url = self.cluster.url + "&options=" + options.joined(separator: "%20")
    try PostgreSQLConnection(self.cluster.string).execute("CREATE SCHEMA \(name)")
  }

  /// If a context of a test still reads the schema, dropping it fails, and the schema is removed with the server.
  deinit {
    try? PostgreSQLConnection(cluster.string).execute(
      "SET client_min_messages = error; SET lock_timeout = 100; DROP SCHEMA \(name) CASCADE")
  }

  /// Opens a store in the schema.
  package func store(
    _ model: ManagedObjectModel, _ options: PostgreSQLStore.Options = .init()
  ) throws -> PostgreSQLStore { try PostgreSQLStore(url, model: model, options: options) }

  /// Opens a connection to the schema.
  package func connection() throws -> PostgreSQLConnection { try PostgreSQLConnection(ConnectionString(url)) }
}
