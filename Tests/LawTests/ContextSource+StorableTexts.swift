import GraftTestSupport

extension ContextSource.Kind {
  /// Calls a closure with random strings that the store can hold. PostgreSQL strings cannot contain NUL.
  static func withStorableTexts(_ kind: Self?, _ body: () throws -> Void) rethrows {
    try RandomPayload.$avoidsNUL.withValue(kind == .postgresql, operation: body)
  }
}
