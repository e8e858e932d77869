import Foundation
import GraftTestSupport
import Testing

@testable import GraftPostgreSQL

@Suite("libpq") struct LibraryTests {
  @Test("A missing library causes an error that names what to install and which paths were tried")
  func missing() throws {
    let found = try #require(error { _ = try LibPQ.load(path: "/nowhere/libpq.so.5") })
    #expect(found.kind == .missingLibrary)
    #if os(Linux)
      #expect(
        found.message
          == "libpq, the client library of PostgreSQL, cannot be loaded; install it with 'apt-get install libpq5', or set "
          + "GRAFT_LIBPQ to its path (tried '/nowhere/libpq.so.5')")
    #endif
    var options = ConnectionOptions()
    options.libraryPath = "/nowhere/libpq.so.5"
    let connecting = error { _ = try PostgreSQLConnection(ConnectionString("host=/nowhere"), options) }
    #expect(connecting?.kind == .missingLibrary)
  }

  #if os(Linux)
    @Test("A different library causes an error that names the missing function")
    func other() throws {
      let found = try #require(error { _ = try LibPQ.load(path: "libc.so.6") })
      #expect(found.kind == .missingLibrary)
      #expect(
        found.message.hasPrefix("the library 'libc.so.6' has no function 'PQconnectStartParams', so it is not libpq"))
    }
  #endif

  @Test("An environment variable sets the path of the library")
  func environment() throws {
    let found = error { _ = try LibPQ.load(environment: ["GRAFT_LIBPQ": "/elsewhere/libpq.so.5"]) }
    #expect(found?.message.hasSuffix("(tried '/elsewhere/libpq.so.5')") == true)
    let path = error { _ = try LibPQ.load(path: "/a", environment: ["GRAFT_LIBPQ": "/b"]) }
    #expect(path?.message.hasSuffix("(tried '/a')") == true)
  }

  @Test("Several threads load only one library", .enabled(if: Cluster.isAvailable))
  func threads() async throws {
    let libraries = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
      for _ in 0..<16 { group.addTask { ObjectIdentifier(try LibPQ.load()) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(libraries.count == 1)
  }
}
