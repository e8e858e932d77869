import Foundation

@testable import GraftPostgreSQL

/// A private server, which ends with the test process.
final class Cluster: Sendable {
  let folder: String
  let url: String

  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("cluster.bash").path

  /// Whether there is a PostgreSQL to test with. Prints why not.
  static let isAvailable: Bool = {
    guard let result = try? run(["available"]) else { return false }
    if result.status == 69 { print("skipped: \(result.output)") }
    return result.status == 0
  }()

  /// The server that most tests share. Tests that kill a server have their own.
  static let shared = Result { try Cluster() }

  struct Failure: Error, CustomStringConvertible { let description: String }

  init() throws {
    let result = try Cluster.run(["start", "--while", "\(ProcessInfo.processInfo.processIdentifier)"])
    let lines = result.output.split(separator: "\n").map(String.init)
    guard result.status == 0, lines.count == 2 else { throw Failure(description: result.output) }
    (folder, url) = (lines[0], lines[1])
  }

  deinit { _ = try? Cluster.run(["stop", folder]) }

  /// Kills the server without warning.
  func kill() throws { try command("kill") }

  /// Starts the server again.
  func restart() throws { try command("restart") }

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

  // MARK: Connections

  var string: ConnectionString { ConnectionString(url) }

  /// A URL for another user, database or folder.
  func url(user: String = "graft", password: String? = nil, database: String = "postgres", folder: String? = nil)
    -> String
  {
    "postgresql://\(user)\(password.map { ":\($0)" } ?? "")@/\(database)?host=\(folder ?? self.folder)&port=5432"
  }

  func connection(_ options: ConnectionOptions = .testing) throws -> PostgreSQLConnection {
    try PostgreSQLConnection(string, options)
  }

  /// A connection to the shared server.
  static func connection(_ options: ConnectionOptions = .testing) throws -> PostgreSQLConnection {
    try shared.get().connection(options)
  }
}

extension ConnectionOptions {
  /// Nothing may hang: every call has a deadline.
  static var testing: ConnectionOptions {
    var options = ConnectionOptions()
    options.callTimeout = .seconds(60)
    return options
  }
}

/// Returns the error that a closure throws; nil if it throws none.
func error(_ body: () throws -> Void) -> PostgreSQLError? {
  do {
    try body()
    return nil
  } catch {
    return error as? PostgreSQLError
  }
}

/// A name for a table that no other test has.
func uniqueName(_ prefix: String = "test") -> String {
  prefix + "_" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
}

extension PostgreSQLConnection {
  /// Reads the first column of each row.
  func all<Value>(
    _ sql: String, _ parameters: Parameters = Parameters(), reading: Reading = .streamed,
    _ value: (Rows) throws(PostgreSQLError) -> Value
  ) throws(PostgreSQLError) -> [Value] {
    try query(sql, parameters, reading: reading) { rows throws(PostgreSQLError) in
      var values: [Value] = []
      while try rows.next() { values.append(try value(rows)) }
      return values
    }
  }
}

extension Parameters {
  /// Parameters made by a closure.
  init(_ body: (inout Parameters) throws(PostgreSQLError) -> Void) throws(PostgreSQLError) {
    self.init()
    try body(&self)
  }
}
