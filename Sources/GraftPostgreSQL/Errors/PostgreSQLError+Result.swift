extension PostgreSQLError {
  /// Creates the error that a result contains.
  init(_ result: LibPQ.Result?, _ library: LibPQ, isLost: Bool, sql: String?) {
    func field(_ code: CInt) -> String? { library.resultErrorField(result, code).map { String(cString: $0) } }
    guard let state = field(ErrorField.sqlState) else {
      let message = library.resultErrorMessage(result).map { PostgreSQLError.oneLine(String(cString: $0)) }
      self.init(
        Fields(
          kind: isLost ? .connectionLost : .other, message: PostgreSQLError.words(message), sql: sql,
          endsConnection: isLost))
      return
    }
    let severity = field(ErrorField.severity)
    let function = field(ErrorField.function)
    self.init(
      Fields(
        kind: PostgreSQLError.kind(ofSQLState: state), message: PostgreSQLError.words(field(ErrorField.message)),
        sqlState: state,
        detail: field(ErrorField.detail), hint: field(ErrorField.hint), schema: field(ErrorField.schema),
        table: field(ErrorField.table), column: field(ErrorField.column), constraint: field(ErrorField.constraint),
        sql: sql, endsConnection: isLost || severity == "FATAL" || severity == "PANIC",
        // "cached plan must not change result type" has only a general code.
        isStaleStatement: state == "26000" || state == "0A000" && function == "RevalidateCachedQuery"))
  }

  /// Returns a message, or a default if it is missing. A proxy can omit the message.
  private static func words(_ message: String?) -> String {
    message.flatMap { $0.isEmpty ? nil : $0 } ?? "the server reports an error without a message"
  }

  /// Creates the error for a connection that could not be established. In verbose mode, its message contains the SQLSTATE of the
  /// server's answer:
  ///
  ///     connection to server at "db", port 5432 failed: FATAL:  28P01: password authentication failed for user "ann"
  ///     LOCATION:  auth_failed, auth.c:326
  init(connecting message: String, needsPassword: Bool) {
    // If several attempts were made, such as with and without TLS, the last attempt determines the error.
    var state: String?
    var lines: [String] = []
    for line in message.split(whereSeparator: \.isNewline) where !line.hasPrefix("LOCATION:") {
      let (text, found) = PostgreSQLError.withoutState(String(line))
      state = found ?? state
      lines.append(text)
    }
    let kind: Kind =
      switch state {
      case nil: needsPassword ? .authentication : .unreachable
      case let state? where state.hasPrefix("08"): .unreachable
      case let state?: PostgreSQLError.kind(ofSQLState: state)
      }
    self.init(
      Fields(
        kind: kind, message: PostgreSQLError.oneLine(lines.joined(separator: "\n")), sqlState: state,
        endsConnection: true))
  }

  /// Removes a SQLSTATE, which follows the severity: `FATAL:  28P01: password ...`
  private static func withoutState(_ line: String) -> (text: String, state: String?) {
    var start = line.startIndex
    while let colon = line[start...].firstIndex(of: ":") {
      let rest = line[line.index(after: colon)...].drop { $0 == " " }
      let state = rest.prefix(5)
      // Every SQLSTATE contains a digit; a severity does not.
      if state.count == 5, state.allSatisfy({ $0.isASCII && ($0.isNumber || $0.isUppercase) }),
        state.contains(where: \.isNumber), rest.dropFirst(5).hasPrefix(": ")
      {
        return (line[...colon] + " " + rest.dropFirst(7), String(state))
      }
      start = line.index(after: colon)
    }
    return (line, nil)
  }

  /// Joins lines, without their indentation.
  static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }.joined(separator: "; ")
  }
}
