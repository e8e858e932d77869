/// The functions of libpq, PostgreSQL's client library, which is loaded at run time. They have libpq's names, without `PQ`, and
/// libpq's types. `PGconn`, `PGresult` and `PGcancel` are opaque pointers.
///
/// See <https://www.postgresql.org/docs/current/libpq.html>.
package final class LibPQ: Sendable {
  typealias Connection = OpaquePointer
  typealias Result = OpaquePointer
  typealias Text = UnsafePointer<CChar>
  typealias Texts = UnsafePointer<Text?>
  typealias NoticeReceiver = @convention(c) (UnsafeMutableRawPointer?, Result?) -> Void

  /// The path from which the library was loaded.
  package let path: String

  // MARK: Connecting

  let connectStartParams: @convention(c) @Sendable (Texts?, Texts?, CInt) -> Connection?
  let connectPoll: @convention(c) @Sendable (Connection?) -> CInt
  let finish: @convention(c) @Sendable (Connection?) -> Void
  let conninfoParse:
    @convention(c) @Sendable (Text?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> UnsafeMutableRawPointer?
  let conninfoFree: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void
  let connectionNeedsPassword: @convention(c) @Sendable (Connection?) -> CInt
  let pass: @convention(c) @Sendable (Connection?) -> UnsafeMutablePointer<CChar>?
  let setNonblocking: @convention(c) @Sendable (Connection?, CInt) -> CInt
  let setNoticeReceiver:
    @convention(c) @Sendable (Connection?, NoticeReceiver?, UnsafeMutableRawPointer?) -> NoticeReceiver?
  let setErrorVerbosity: @convention(c) @Sendable (Connection?, CInt) -> CInt
  let libVersion: @convention(c) @Sendable () -> CInt
  let isThreadsafe: @convention(c) @Sendable () -> CInt

  // MARK: State

  let status: @convention(c) @Sendable (Connection?) -> CInt
  let transactionStatus: @convention(c) @Sendable (Connection?) -> CInt
  let parameterStatus: @convention(c) @Sendable (Connection?, Text?) -> Text?
  let serverVersion: @convention(c) @Sendable (Connection?) -> CInt
  let errorMessage: @convention(c) @Sendable (Connection?) -> UnsafeMutablePointer<CChar>?
  let socket: @convention(c) @Sendable (Connection?) -> CInt
  let backendPID: @convention(c) @Sendable (Connection?) -> CInt

  // MARK: Commands

  let sendQuery: @convention(c) @Sendable (Connection?, Text?) -> CInt
  let sendQueryParams:
    @convention(c) @Sendable (
      Connection?, Text?, CInt, UnsafePointer<UInt32>?, Texts?, UnsafePointer<CInt>?, UnsafePointer<CInt>?, CInt
    ) -> CInt
  let sendPrepare: @convention(c) @Sendable (Connection?, Text?, Text?, CInt, UnsafePointer<UInt32>?) -> CInt
  let sendQueryPrepared:
    @convention(c) @Sendable (Connection?, Text?, CInt, Texts?, UnsafePointer<CInt>?, UnsafePointer<CInt>?, CInt) ->
      CInt
  let setSingleRowMode: @convention(c) @Sendable (Connection?) -> CInt
  let flush: @convention(c) @Sendable (Connection?) -> CInt
  let consumeInput: @convention(c) @Sendable (Connection?) -> CInt
  let isBusy: @convention(c) @Sendable (Connection?) -> CInt
  let getResult: @convention(c) @Sendable (Connection?) -> Result?
  let putCopyData: @convention(c) @Sendable (Connection?, Text?, CInt) -> CInt
  let putCopyEnd: @convention(c) @Sendable (Connection?, Text?) -> CInt
  let notifies: @convention(c) @Sendable (Connection?) -> UnsafeMutableRawPointer?
  let freemem: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void
  let getCancel: @convention(c) @Sendable (Connection?) -> OpaquePointer?
  let cancel: @convention(c) @Sendable (OpaquePointer?, UnsafeMutablePointer<CChar>?, CInt) -> CInt
  let freeCancel: @convention(c) @Sendable (OpaquePointer?) -> Void

  /// The functions of the pipeline mode; nil before libpq 14.
  let pipeline: Pipeline?

  struct Pipeline: Sendable {
    let enter: @convention(c) @Sendable (Connection?) -> CInt
    let exit: @convention(c) @Sendable (Connection?) -> CInt
    let sync: @convention(c) @Sendable (Connection?) -> CInt

    init?(_ symbols: DynamicLibrary) {
      guard let enter: @convention(c) @Sendable (Connection?) -> CInt = symbols.optionalFunction("PQenterPipelineMode"),
        let exit: @convention(c) @Sendable (Connection?) -> CInt = symbols.optionalFunction("PQexitPipelineMode"),
        let sync: @convention(c) @Sendable (Connection?) -> CInt = symbols.optionalFunction("PQpipelineSync")
      else { return nil }
      (self.enter, self.exit, self.sync) = (enter, exit, sync)
    }
  }

  // MARK: Results

  let resultStatus: @convention(c) @Sendable (Result?) -> CInt
  let resultErrorField: @convention(c) @Sendable (Result?, CInt) -> UnsafeMutablePointer<CChar>?
  let resultErrorMessage: @convention(c) @Sendable (Result?) -> UnsafeMutablePointer<CChar>?
  let ntuples: @convention(c) @Sendable (Result?) -> CInt
  let nfields: @convention(c) @Sendable (Result?) -> CInt
  let ftype: @convention(c) @Sendable (Result?, CInt) -> UInt32
  let getvalue: @convention(c) @Sendable (Result?, CInt, CInt) -> UnsafeMutablePointer<CChar>?
  let getlength: @convention(c) @Sendable (Result?, CInt, CInt) -> CInt
  let getisnull: @convention(c) @Sendable (Result?, CInt, CInt) -> CInt
  let cmdStatus: @convention(c) @Sendable (Result?) -> UnsafeMutablePointer<CChar>?
  let cmdTuples: @convention(c) @Sendable (Result?) -> UnsafeMutablePointer<CChar>?
  let clear: @convention(c) @Sendable (Result?) -> Void

  /// Looks up all functions.
  ///
  /// - Throws: if a function is missing, or the library is too old.
  init(_ symbols: DynamicLibrary) throws(PostgreSQLError) {
    path = symbols.path
    connectStartParams = try symbols.function("PQconnectStartParams")
    connectPoll = try symbols.function("PQconnectPoll")
    finish = try symbols.function("PQfinish")
    conninfoParse = try symbols.function("PQconninfoParse")
    conninfoFree = try symbols.function("PQconninfoFree")
    connectionNeedsPassword = try symbols.function("PQconnectionNeedsPassword")
    pass = try symbols.function("PQpass")
    setNonblocking = try symbols.function("PQsetnonblocking")
    setNoticeReceiver = try symbols.function("PQsetNoticeReceiver")
    setErrorVerbosity = try symbols.function("PQsetErrorVerbosity")
    libVersion = try symbols.function("PQlibVersion")
    isThreadsafe = try symbols.function("PQisthreadsafe")
    status = try symbols.function("PQstatus")
    transactionStatus = try symbols.function("PQtransactionStatus")
    parameterStatus = try symbols.function("PQparameterStatus")
    serverVersion = try symbols.function("PQserverVersion")
    errorMessage = try symbols.function("PQerrorMessage")
    socket = try symbols.function("PQsocket")
    backendPID = try symbols.function("PQbackendPID")
    sendQuery = try symbols.function("PQsendQuery")
    sendQueryParams = try symbols.function("PQsendQueryParams")
    sendPrepare = try symbols.function("PQsendPrepare")
    sendQueryPrepared = try symbols.function("PQsendQueryPrepared")
    setSingleRowMode = try symbols.function("PQsetSingleRowMode")
    flush = try symbols.function("PQflush")
    consumeInput = try symbols.function("PQconsumeInput")
    isBusy = try symbols.function("PQisBusy")
    getResult = try symbols.function("PQgetResult")
    putCopyData = try symbols.function("PQputCopyData")
    putCopyEnd = try symbols.function("PQputCopyEnd")
    notifies = try symbols.function("PQnotifies")
    freemem = try symbols.function("PQfreemem")
    getCancel = try symbols.function("PQgetCancel")
    cancel = try symbols.function("PQcancel")
    freeCancel = try symbols.function("PQfreeCancel")
    pipeline = Pipeline(symbols)
    resultStatus = try symbols.function("PQresultStatus")
    resultErrorField = try symbols.function("PQresultErrorField")
    resultErrorMessage = try symbols.function("PQresultErrorMessage")
    ntuples = try symbols.function("PQntuples")
    nfields = try symbols.function("PQnfields")
    ftype = try symbols.function("PQftype")
    getvalue = try symbols.function("PQgetvalue")
    getlength = try symbols.function("PQgetlength")
    getisnull = try symbols.function("PQgetisnull")
    cmdStatus = try symbols.function("PQcmdStatus")
    cmdTuples = try symbols.function("PQcmdTuples")
    clear = try symbols.function("PQclear")
    try check()
  }

  /// `tcp_user_timeout` has been an option since version 12.
  private static let minimumVersion: CInt = 120_000

  private func check() throws(PostgreSQLError) {
    guard isThreadsafe() == 1 else {
      throw PostgreSQLError(
        .missingLibrary, "the libpq at '\(path)' was built without threads; install a different build")
    }
    guard libVersion() >= LibPQ.minimumVersion else {
      throw PostgreSQLError(
        .missingLibrary,
        "the libpq at '\(path)' is version \(libVersion() / 10_000); version 12 or later is required")
    }
  }
}
