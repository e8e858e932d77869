import Foundation
import Graft

extension LibPQ {
  /// The libraries that were loaded, by the path that was requested. They are never unloaded.
  private static let loaded = Guarded<[String: LibPQ]>([:])

  /// The environment variable with the path of the library.
  package static let pathVariable = "GRAFT_LIBPQ"

  /// Returns the library, which is loaded at the first call.
  ///
  /// - Parameters:
  ///   - path: the path of the library. By default, the value of `GRAFT_LIBPQ`, or the usual places.
  ///   - environment: the environment variables.
  /// - Throws: if there is no libpq, or it is too old. The error explains what to install and lists the paths that were tried.
  package static func load(
    path: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(PostgreSQLError) -> LibPQ {
    let path = path ?? environment[pathVariable].flatMap { $0.isEmpty ? nil : $0 }
    return try loaded.withLock { loaded throws(PostgreSQLError) in
      if let library = loaded[path ?? ""] { return library }
      let library = try LibPQ(DynamicLibrary(firstOf: path.map { [$0] } ?? usualPaths))
      loaded[path ?? ""] = library
      return library
    }
  }

  /// The names for the dynamic linker, followed by the paths used by package managers.
  private static var usualPaths: [String] {
    #if canImport(Darwin)
      [
        "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", "/usr/local/opt/libpq/lib/libpq.5.dylib",
        "/opt/homebrew/lib/libpq.5.dylib", "/usr/local/lib/libpq.5.dylib", "/opt/local/lib/libpq.5.dylib",
        "/Applications/Postgres.app/Contents/Versions/latest/lib/libpq.5.dylib",
      ]
    #else
      ["libpq.so.5"]
    #endif
  }
}

/// A library opened by the dynamic linker.
struct DynamicLibrary {
  let path: String
  private let handle: UnsafeMutableRawPointer

  /// Opens the first of several libraries that can be opened.
  init(firstOf paths: [String]) throws(PostgreSQLError) {
    var reasons: [String] = []
    for path in paths {
      if let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) {
        self.path = path
        self.handle = handle
        return
      }
      reasons.append(dlerror().map { String(cString: $0) } ?? path)
    }
    throw PostgreSQLError(
      .missingLibrary,
      """
      libpq, the client library of PostgreSQL, cannot be loaded; install it with '\(DynamicLibrary.installation)', or set \
      \(LibPQ.pathVariable) to its path (tried \(paths.map { "'\($0)'" }.joined(separator: ", ")))
      """,
      detail: reasons.joined(separator: "; "))
  }

  /// Returns a function whose type the caller knows.
  func function<Function>(_ name: String) throws(PostgreSQLError) -> Function {
    guard let function: Function = optionalFunction(name) else {
      throw PostgreSQLError(
        .missingLibrary,
        """
        the library '\(path)' has no function '\(name)', so it is not libpq 12 or later; install that with \
        '\(DynamicLibrary.installation)'
        """)
    }
    return function
  }

  /// Returns a function whose type the caller knows, or nil if the library does not have it.
  func optionalFunction<Function>(_ name: String) -> Function? {
    dlsym(handle, name).map { unsafeBitCast($0, to: Function.self) }
  }

  private static var installation: String {
    #if canImport(Darwin)
      "brew install libpq"
    #else
      "apt-get install libpq5"
    #endif
  }
}
