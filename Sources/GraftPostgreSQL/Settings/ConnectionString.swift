/// The address of a database, and the settings for connecting to it: a URL or keywords, in libpq's syntax.
///
///     postgresql://ann@db.example.com:5433/shop?sslmode=verify-full
///     host=db.example.com user=ann dbname=shop
///
/// libpq adds settings from environment variables, such as `PGPASSWORD`, and from its service and password files. The string may contain a
/// password, so it is never printed: its description is a name of the database.
package struct ConnectionString: Sendable {
  let text: String

  package init(_ text: String) { self.text = text }

  /// Returns the options of the string. They contain passwords.
  ///
  /// - Throws: if libpq cannot parse the string. The error contains no part of the string, because any part could belong to an
  ///   unescaped password.
  func options(_ library: LibPQ) throws(PostgreSQLError) -> [ConninfoOption] {
    try checkUserInfo()
    guard !text.utf8.contains(0) else { throw ConnectionString.invalid("it contains a NUL byte") }
    var message: UnsafeMutablePointer<CChar>?
    guard let start = library.conninfoParse(text, &message) else {
      defer { library.freemem(message) }
      throw ConnectionString.invalid(ConnectionString.reason(message.map { String(cString: $0) } ?? ""))
    }
    defer { library.conninfoFree(start) }
    return ConninfoOption.all(at: start).filter { $0.value != nil }
  }

  /// Rejects URLs whose password contains `@` or `/`. libpq would read the rest of the password as the host, and show it in messages.
  private func checkUserInfo() throws(PostgreSQLError) {
    guard let scheme = ["postgresql://", "postgres://"].first(where: text.hasPrefix) else { return }
    // libpq reads credentials up to the first '@', unless a '/' comes first.
    var rest = text.dropFirst(scheme.count)
    if let end = rest.firstIndex(where: { $0 == "@" || $0 == "/" }), rest[end] == "@" {
      rest = rest[rest.index(after: end)...]
    }
    guard rest.prefix(while: { $0 != "?" }).contains("@") else { return }
    throw ConnectionString.invalid(
      "it has an '@' after the host; in a user name, password or database name, write '%40' for '@' and '%2F' for '/'")
  }

  private static func invalid(_ reason: String) -> PostgreSQLError {
    PostgreSQLError(.invalidConnectionString, "the connection string cannot be read: \(reason)")
  }

  /// Returns a libpq message without its quoted text.
  private static func reason(_ message: String) -> String {
    let reasons = [
      ("percent-encoded", "after '%', two hexadecimal digits are expected; write '%25' for '%'"),
      ("forbidden value %00", "'%00' is not allowed"),
      ("missing \"=\"", "a keyword is not followed by '='; put a value with spaces in single quotes"),
      ("unterminated quoted string", "a single quote is not closed; in a value, write '\\'' for a quote"),
      ("missing key/value separator", "a parameter after '?' has no '='"),
      ("extra key/value separator", "a parameter after '?' has more than one '='; write '%3D' for '='"),
      ("invalid URI query parameter", "libpq does not know one of the parameters after '?'"),
      (
        "invalid connection option",
        "libpq does not know one of the keywords; put a value with spaces in single quotes"
      ),
      ("IPv6", "the IPv6 address is not valid"),
      ("definition of service", "the service is not defined"),
    ]
    return reasons.first { message.contains($0.0) }?.1
      ?? "expected 'postgresql://user@host/database' or 'host=... user=... dbname=...'"
  }

  /// Returns a name of the database for messages, without credentials.
  static func name(_ options: [ConninfoOption]) -> String {
    func value(_ keyword: String) -> String? { options.last { $0.keyword == keyword }?.value }
    if let service = value("service") { return "service \(service)" }
    var name = value("host").map { $0.hasPrefix("/") ? "" : $0 } ?? value("hostaddr") ?? ""
    if let port = value("port"), !name.isEmpty { name += ":\(port)" }
    return "postgresql://\(name)/\(value("dbname") ?? "")"
  }
}

/// Neither `print` nor `dump` shows a password.
extension ConnectionString: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A name of the database: `postgresql://db.example.com:5433/shop`
  package var description: String {
    guard let library = try? LibPQ.load(), let options = try? options(library) else { return "postgresql://…" }
    return ConnectionString.name(options)
  }

  package var debugDescription: String { description }

  package var customMirror: Mirror { Mirror(self, children: ["name": description]) }
}
