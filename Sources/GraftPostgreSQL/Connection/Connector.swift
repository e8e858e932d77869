import Foundation

/// Establishes a connection without blocking in libpq, so that a deadline and an interruption can end it.
struct Connector {
  private let library: LibPQ
  private let parameters: [ConninfoOption]
  private let options: ConnectionOptions

  init(_ string: ConnectionString, _ options: ConnectionOptions) throws(PostgreSQLError) {
    library = try LibPQ.load(path: options.libraryPath)
    parameters = try string.options(library)
    self.options = options
  }

  /// Connects. Only the lookup of the host's name can take longer than the deadline.
  func connect() throws(PostgreSQLError) -> (library: LibPQ, handle: LibPQ.Connection, name: String) {
    let timeout = self.timeout
    let deadline = timeout.map { Deadline.after($0) } ?? .never
    if options.interruption?.isInterrupted == true { throw interrupted }
    guard let handle = start() else { throw PostgreSQLError(.other, "there is not enough memory for a connection") }
    do throws(PostgreSQLError) {
      try poll(handle, deadline)
    } catch {
      library.finish(handle)
      throw error
    }
    _ = library.setErrorVerbosity(handle, Verbosity.normal)
    guard library.setNonblocking(handle, 1) == 0 else {
      let error = failure(handle)
      library.finish(handle)
      throw error
    }
    return (library, handle, name)
  }

  private var name: String { ConnectionString.name(parameters) }

  private func start() -> LibPQ.Connection? {
    let all = defaults + parameters.map { ($0.keyword, $0.value ?? "") } + [("client_encoding", "UTF8")]
    let copies = all.map { (strdup($0.0), strdup($0.1)) }
    defer {
      for (keyword, value) in copies {
        free(keyword)
        free(value)
      }
    }
    // Both arrays end with nil.
    let keywords = copies.map { UnsafePointer($0.0) } + [nil]
    let values = copies.map { UnsafePointer($0.1) } + [nil]
    guard let handle = library.connectStartParams(keywords, values, 0) else { return nil }
    // Otherwise, libpq would print notices.
    _ = library.setNoticeReceiver(handle, { _, _ in }, nil)
    // The SQLSTATE of a rejected connection is only in the text of the verbose message.
    _ = library.setErrorVerbosity(handle, Verbosity.verbose)
    return handle
  }

  /// Detects a dead network after about a minute. A service file may contain the same settings, so they are not set for a service.
  private var defaults: [(String, String)] {
    let names = [("fallback_application_name", options.applicationName)]
    let hasService =
      parameters.contains { $0.keyword == "service" } || ProcessInfo.processInfo.environment["PGSERVICE"] != nil
    if hasService { return names }
    return names + [
      ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
      ("tcp_user_timeout", "60000"),
    ]
  }

  /// `connect_timeout` of the string, as libpq reads it: 0 or less means no limit.
  private var timeout: Duration? {
    guard let text = parameters.last(where: { $0.keyword == "connect_timeout" })?.value,
      let seconds = Int32(text.trimmingCharacters(in: .whitespaces))
    else { return options.connectTimeout }
    return seconds > 0 ? .seconds(seconds) : nil
  }

  private func poll(_ handle: LibPQ.Connection, _ deadline: Deadline) throws(PostgreSQLError) {
    guard library.status(handle) != 1 else { throw failure(handle) }
    // Begin as if 'connectPoll' had requested writing.
    var state = PollingStatus.writing
    while state != PollingStatus.ok {
      let socket = library.socket(handle)
      if socket < 0 { throw failure(handle) }
      let outcome = SocketWait.wait(
        socket, forWriting: state == PollingStatus.writing, forReading: state == PollingStatus.reading,
        deadline, options.interruption)
      switch outcome {
      case .ready: break
      case .deadlinePassed:
        throw PostgreSQLError(
          .unreachable, "the server of '\(name)' did not accept a connection within \(deadline.timeout ?? .zero)")
      case .interrupted: throw interrupted
      }
      state = library.connectPoll(handle)
      if state == PollingStatus.failed { throw failure(handle) }
    }
  }

  private var interrupted: PostgreSQLError {
    PostgreSQLError(.interrupted, "connecting to '\(name)' was interrupted")
  }

  private func failure(_ handle: LibPQ.Connection) -> PostgreSQLError {
    let message = library.errorMessage(handle).map { String(cString: $0) } ?? ""
    let secrets =
      parameters.filter(\.isSecret).compactMap(\.value)
      + [library.pass(handle).map { String(cString: $0) }]
      .compactMap(\.self)
    let names = parameters.filter { !$0.isSecret }.compactMap(\.value)
    return PostgreSQLError(
      connecting: Connector.hiding(secrets, in: message, except: names),
      needsPassword: library.connectionNeedsPassword(handle) == 1)
  }

  /// Hides passwords. libpq's messages are not known to contain passwords. A password that equals another setting, such as the user's name,
  /// is not replaced, because the gap would reveal it. Short passwords are not replaced either, because they can occur in any word.
  private static func hiding(_ secrets: [String], in message: String, except names: [String]) -> String {
    secrets.filter { $0.count > 3 && !names.contains($0) }
      .reduce(message) { $0.replacingOccurrences(of: $1, with: "…") }
  }
}
