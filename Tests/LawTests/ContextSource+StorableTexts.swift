import GraftTestSupport

extension ContextSource.Kind {
  /// Calls a closure with random texts that the store can hold, because PostgreSQL has no NUL.
  static func withStorableTexts(_ kind: Self?, _ body: () throws -> Void) rethrows {
    try RandomPayload.$avoidsNUL.withValue(kind == .postgresql, operation: body)
  }
}
