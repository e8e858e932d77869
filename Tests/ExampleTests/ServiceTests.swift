import Foundation
import Testing

/// The example for servers, run as processes: services that share one SQLite file, and a load generator.
@Suite("Service, the example for servers") struct ServiceTests {
  @Test("Two services that share a store file answer many requests without errors, and stop on request")
  func load() throws {
    let folder = try Folder()
    let services = try [Service(folder), Service(folder)]
    let load = try Self.start(
      ["load", "--connections", "6", "--seconds", "2"] + services.map(\.url), output: folder.file("load"))
    load.waitUntilExit()
    let output = try String(contentsOf: folder.file("load"), encoding: .utf8)
    #expect(load.terminationStatus == 0, "\(output)")
    #expect(output.contains(" acknowledged imports, 0 errors\n"), "\(output)")
    for service in services { #expect(service.stop() == 0) }

    // Each request prints a line of JSON.
    let logs = try services.flatMap { try String(contentsOf: $0.log, encoding: .utf8).split(separator: "\n") }
    #expect(logs.count > 10)
    for line in logs {
      let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(entry?["status"] as? Int == 200 && entry?["milliseconds"] is Double && entry?["bytes"] is Int, "\(line)")
    }
  }

  @Test("Malformed, overlong and faulty requests are answered, and the service still works")
  func malformed() throws {
    let folder = try Folder()
    let service = try Service(folder)
    func post(_ body: String) -> String {
      "POST /heroes HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
    let requests: [(request: String, status: Int)] = [
      ("GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200),
      ("GET /health HTTP/1.0\r\n\r\n", 200),
      ("HEAD /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200),
      ("GET /health HTTP/1.1\r\n\r\n", 400),
      ("\r\n\r\n", 400),
      ("\u{1}\u{FF}\r\n\r\n", 400),
      ("GET /health HTTP/3\r\n\r\n", 505),
      ("GET http://a/health HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("GET /heroes/%F HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("GET /health HTTP/1.1\r\nHost : a\r\n\r\n", 400),
      ("GET /health HTTP/1.1\r\nHost: a\r\nB: c\r\n d\r\n\r\n", 400),
      ("GET /\(String(repeating: "a", count: 50_000)) HTTP/1.1\r\n", 431),
      ("POST /heroes HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
      ("POST /heroes HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
      ("POST /heroes HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
      ("POST /heroes HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501),
      ("GET /villains HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 404),
      ("GET /heroes/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 404),
      ("DELETE /heroes/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405),
      ("GET /heroes?limit=-1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 400),
      ("GET /heroes?where=nme+is+null HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 400),
      (post(""), 422),
      (post("[{\"id\": \"x\"}]"), 422),
      (post("[{\"id\": 1, \"name\": \"a\\u0000\"}]"), 422),
      (post(String(repeating: "[", count: 10_000)), 422),
      (post("[{\"id\": 1, \"name\": \"Heron\", \"powers\": []}]"), 200),
      ("GET /heroes?where=name+contains%5Bc%5D+%22her%22 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200),
    ]
    for (request, status) in requests {
      let answer = try service.exchange(request)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request.debugDescription): \(answer)")
      let body = answer.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().first ?? ""
      #expect(request.hasPrefix("HEAD") ? body.isEmpty : body.hasPrefix("{") || body.hasPrefix("["), "\(answer)")
    }
    // Three requests that are sent at the same time are answered in order.
    let pipelined =
      "GET /heroes/1 HTTP/1.1\r\nHost: a\r\n\r\nGET /heroes/2 HTTP/1.1\r\nHost: a\r\n\r\n" + requests[0].request
    #expect(try service.exchange(pipelined).matches(of: /HTTP\/1.1 ([0-9]+)/).map(\.1) == ["200", "404", "200"])
    #expect(service.stop() == 0)
  }

  // MARK: Processes

  private static func start(_ words: [String], output: URL, messages: URL? = nil) throws -> Process {
    let process = Process()
    process.executableURL = Package.products.appending(path: "ServiceExample")
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    for file in [output, messages].compactMap(\.self) { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try messages.map { try FileHandle(forWritingTo: $0) } ?? FileHandle.nullDevice
    try process.run()
    return process
  }

  private final class Service {
    let url: String
    let log: URL
    private let process: Process

    init(_ folder: Folder) throws {
      let output = folder.file("port-\(UUID().uuidString)")
      log = folder.file("log-\(UUID().uuidString)")
      process = try start(
        ["serve", "--store", folder.file("heroes.graft").path, "--workers", "3"], output: output, messages: log)
      var port = ""
      while !port.hasSuffix("\n"), process.isRunning {
        usleep(20_000)
        port = try String(contentsOf: output, encoding: .utf8)
      }
      url = "http://127.0.0.1:\(try #require(UInt16(port.dropLast())))"
    }

    /// Sends SIGTERM, and returns the exit status.
    func stop() -> Int32 {
      process.terminate()
      process.waitUntilExit()
      return process.terminationStatus
    }

    /// Sends bytes, and returns what the service sends until it closes the connection.
    func exchange(_ request: String) throws -> String {
      #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #endif
      defer { close(descriptor) }
      var patience = timeval(tv_sec: 20, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = (URL(string: url)?.port.flatMap(UInt16.init) ?? 0).bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let isConnected = withUnsafeBytes(of: &address) { bytes in
        connect(
          descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t(bytes.count)) == 0
      }
      #expect(isConnected)
      let bytes = Array(request.utf8)
      _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
      var answer: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 { answer += buffer[..<count] }
      return String(decoding: answer, as: UTF8.self)
    }

    deinit { if process.isRunning { _ = kill(process.processIdentifier, SIGKILL) } }
  }

  private final class Folder {
    private let url = FileManager.default.temporaryDirectory.appending(path: "graft-service-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appending(path: name) }
  }
}
