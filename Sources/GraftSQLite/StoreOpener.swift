import CSQLite
import Foundation
import Graft
import GraftSQL

/// Opens the database of a store, and creates or migrates it if needed.
struct StoreOpener {
  let file: StoreFile
  let model: ManagedObjectModel
  let options: SQLiteStore.Options
  /// Whether the file is removed along with the store, so its content need not be durable.
  var isTemporary = false

  /// An open store.
  struct Result {
    let schema: StoreSchema
    let sql: SQLSchema
    let writer: SQLiteConnection
    let reader: SQLiteConnection
    let schemaVersion: Int64
    /// The latest version to which the program's steps moved the data.
    let latestStep: String?
    /// The file that was opened.
    let identity: StoreFile.Identity?
  }

  func open() throws(StoreError) -> Result {
    try MigrationSteps.check(options.migrations, model, storeName: file.name)
    let schema = StoreSchema(model)
    let layout = StoreLayout(schema)
    let sql = SQLSchema(layout)
    let content = try file.content()
    if options.isReadOnly { return try openToRead(schema, sql) }
    if case .nothing = content { try file.create() } else { try file.checkIsWritable() }
    do throws(StoreError) {
      return try open(content, schema, sql)
    } catch {
      // A file that was just created is removed.
      if case .nothing = content { file.removeIfEmpty() }
      throw error
    }
  }

  private func open(
    _ content: StoreFile.Content, _ schema: StoreSchema, _ sql: SQLSchema
  ) throws(StoreError) -> Result {
    let writer = try translated { () throws(SQLiteError) in try connection() }
    // Even if opening the store fails, closing the connection changes nothing.
    graft_sqlite3_set_option(writer.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    let hasModel: Bool
    let latestStep: String?
    do throws(StoreError) {
      // The file is new, or its creation was interrupted and SQLite has just undone the creation.
      try translated { () throws(SQLiteError) in
        if try writer.integer("PRAGMA application_id") == 0 { try create(writer, sql) }
      }
      try file.check(try translated { () throws(SQLiteError) in try writer.integer("PRAGMA user_version") ?? 0 })
      (hasModel, latestStep) = try compare(writer, sql)
    } catch {
      // An empty log can be removed, because this does not change the file.
      if file.hasEmptyLog { graft_sqlite3_set_option(writer.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0) }
      throw error
    }
    return try translated { () throws(SQLiteError) in
      try useWAL(writer)
      // If the indexes cannot be created now, the store still works.
      try? sql.addMissingIndexes(writer, hasDeclared: hasModel)
      graft_sqlite3_set_option(writer.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, isTemporary ? 1 : 0)
      return Result(
        schema: schema, sql: sql, writer: writer, reader: try readingConnection(),
        schemaVersion: try version(writer), latestStep: latestStep, identity: file.identity)
    }
  }

  private func openToRead(_ schema: StoreSchema, _ sql: SQLSchema) throws(StoreError) -> Result {
    try file.checkIsStore()
    let reader = try translated { () throws(SQLiteError) in try readingConnection() }
    let (metadata, _) = try description(reader, sql)
    guard metadata.hasLayout(sql.layout) else {
      throw file.refusal(
        .incompatibleModel,
        "it was written with another version of the model, and read-only stores are not migrated; open it once without 'isReadOnly', run 'graft store migrate', or use the model that it was written with"
      )
    }
    if let reason = metadata.history.stepRefusal(version: model.contents.version ?? "") {
      throw file.refusal(.incompatibleModel, reason)
    }
    let steps = MigrationSteps(options.migrations, model, from: metadata.history)
    if let first = steps.first {
      throw file.refusal(
        .incompatibleModel,
        "\(first) has not run, and read-only stores are not migrated; open it once without 'isReadOnly'"
      )
    }
    return try translated { () throws(SQLiteError) in
      Result(
        schema: schema, sql: sql, writer: try readingConnection(), reader: reader, schemaVersion: try version(reader),
        latestStep: metadata.history.latestStep, identity: file.identity)
    }
  }

  func translated<Result>(_ body: () throws(SQLiteError) -> Result) throws(StoreError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw error.storeError(file.name, "opened", options)
    }
  }

  private func version(_ connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
    try connection.integer("PRAGMA schema_version") ?? 0
  }

  // MARK: Settings

  /// Opens a connection that trusts nothing in the file.
  ///
  /// With a write-ahead log, EXTRA is the same as FULL. Without a write-ahead log, as during the creation of a store, EXTRA also syncs the
  /// folder when a journal is removed, because a journal that reappeared after a power failure would undo later writes.
  ///
  /// A connection that writes may keep 32 MB of pages in memory, instead of SQLite's 2 MB, so each commit rereads fewer index pages.
  ///
  /// - Parameters:
  ///   - isReadOnly: whether the connection may not change the file, not even by a checkpoint.
  ///   - readsTruncatedFile: whether a file that is shorter than stated in its header can be read.
  func connection(isReadOnly: Bool = false, readsTruncatedFile: Bool = false) throws(SQLiteError) -> SQLiteConnection {
    let connection = try SQLiteConnection(path: file.path, access(isReadOnly))
    connection.distrust()
    if readsTruncatedFile {
      // SQLite compares the sizes unless the schema is writable.
      graft_sqlite3_set_option(connection.handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
      graft_sqlite3_set_option(connection.handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1)
    }
    connection.setBusyTimeout(options.busyTimeout)
    try connection.execute(
      """
      PRAGMA cell_size_check = ON;
      PRAGMA cache_size = -32768;
      PRAGMA temp_store = MEMORY;
      PRAGMA journal_size_limit = \(max(0, min(options.maximumLogSize, LogRestart.size)));
      PRAGMA synchronous = \(isTemporary ? "OFF" : options.durability == .full ? "EXTRA" : "NORMAL");
      """)
    connection.followLog()
    if isTemporary { graft_sqlite3_set_option(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
    try DecimalOrder.register(connection)
    try ArithmeticFunctions.register(connection)
    try FoldingFunction.register(connection)
    #if canImport(Darwin)
      // On these systems, an ordinary fsync leaves data in the drive's cache.
      if options.durability == .full, !isTemporary {
        try connection.execute("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;")
      }
    #endif
    return connection
  }

  private func access(_ isReadOnly: Bool) -> SQLiteConnection.Access {
    isReadOnly || options.isReadOnly ? file.readingAccess : .readingAndWriting
  }

  /// Opens a connection that only reads.
  ///
  /// - Parameter isReadOnly: whether the file may only be read.
  func readingConnection(isReadOnly: Bool = false) throws(SQLiteError) -> SQLiteConnection {
    let connection = try connection(isReadOnly: isReadOnly)
    try connection.execute("PRAGMA query_only = ON; PRAGMA cache_size = -2000;")
    return connection
  }

  private func useWAL(_ connection: SQLiteConnection) throws(SQLiteError) {
    guard try connection.text("PRAGMA journal_mode") != "wal" else { return }
    let mode = try connection.text("PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw SQLiteError(
        code: SQLITE_CANTOPEN, message: "its file system does not support write-ahead logs (shared memory)")
    }
  }

  // MARK: New stores

  /// Creates the tables. The file gets its identity in the same transaction, before it uses a write-ahead log, so the header of any
  /// file with content identifies it.
  private func create(_ connection: SQLiteConnection, _ sql: SQLSchema) throws(SQLiteError) {
    try sql.checkSize(connection)
    try connection.transaction(.writing) { () throws(SQLiteError) in
      // Another process may have created the tables in the meantime.
      guard try isEmpty(connection) else { return }
      for item in sql.items { try connection.execute(item.sql) }
      let steps = MigrationSteps(ofNewStore: options.migrations, model).kinds
      try StoreDescription(model, layout: sql.layout, steps: steps).write(connection)
      try connection.execute(
        "PRAGMA application_id = \(SQLSchema.applicationID); PRAGMA user_version = \(SQLSchema.formatVersion);")
    }
  }

  // MARK: Existing stores

  /// Returns what opening the store would change, without changing anything.
  func plan() throws(StoreError) -> SQLiteStore.MigrationPlan {
    switch try file.content() {
    case .nothing: throw StoreError(.unavailableStore, "there is no store '\(file.name)'")
    // Opening an empty file creates the store.
    case .empty: return SQLiteStore.MigrationPlan()
    case .store: break
    }
    let connection = try translated { () throws(SQLiteError) in
      try readingConnection(isReadOnly: !file.isWritable || !file.hasWritableFolder)
    }
    if !file.hasEmptyLog { graft_sqlite3_set_option(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
    if try translated({ () throws(SQLiteError) in try isEmpty(connection) }) { return SQLiteStore.MigrationPlan() }
    let sql = SQLSchema(StoreLayout(StoreSchema(model)))
    let (metadata, layout) = try description(connection, sql)
    let migration = Migration(from: layout, metadata, to: sql, model: model, file: file, options: options)
    guard !metadata.isLayout(sql.layout) || !migration.steps.isEmpty else { return SQLiteStore.MigrationPlan() }
    try migration.checkDescent()
    return try translated { () throws(SQLiteError) in
      try connection.transaction(.reading) { () throws(SQLiteError) in try migration.plan(connection) }
    }
  }

  /// Compares the tables with the store's own description, and that description with the model. Migrates the store if they differ.
  ///
  /// - Returns: whether the store has the rules and indexes of the model, and the latest version to which steps moved the data. The
  ///   rules and indexes of a newer model are kept.
  private func compare(
    _ connection: SQLiteConnection, _ sql: SQLSchema
  ) throws(StoreError) -> (hasModel: Bool, latestStep: String?) {
    // Another process may migrate the store between two reads. In that case, the store is compared again.
    for _ in 1...5 {
      let (metadata, layout) = try description(connection, sql)
      let migration = Migration(from: layout, metadata, to: sql, model: model, file: file, options: options)
      let wanted = metadata.followed(by: model, layout: sql.layout, steps: migration.steps.kinds)
      if metadata == wanted { return (true, wanted.history.latestStep) }
      switch try migration.run(connection, wanted) {
      case .migrated: return (true, wanted.history.latestStep)
      case .left: return (false, metadata.history.latestStep)
      case .outrun: continue
      }
    }
    throw file.refusal(.unavailableStore, "other processes keep migrating it; open it again")
  }

  /// Reads the store's own description, which must match its tables.
  private func description(
    _ connection: SQLiteConnection, _ sql: SQLSchema
  ) throws(StoreError) -> (StoreDescription, StoreLayout) {
    try translated { () throws(SQLiteError) in
      // Another process may migrate the store between two reads.
      try connection.transaction(.reading) { () throws(SQLiteError) -> (StoreDescription, StoreLayout) in
        let metadata = try StoreDescription(connection)
        guard let layout = metadata.isLayout(sql.layout) ? sql.layout : StoreLayout(text: metadata.layout) else {
          throw .damage("the description of the store, in table '_graft', cannot be read")
        }
        let stored = metadata.isLayout(sql.layout) ? sql : SQLSchema(layout)
        let differences = try stored.differences(in: connection)
        guard differences.isEmpty else {
          throw .damage(differences.prefix(3).joined(separator: "; ") + (differences.count > 3 ? "; and more" : ""))
        }
        try checkLog(connection, stored)
        return (metadata, layout)
      }
    }
  }

  /// Returns whether the store has not been created yet, or SQLite has undone an interrupted creation.
  private func isEmpty(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
    guard try connection.integer("PRAGMA application_id") == 0 else { return false }
    return try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
  }

  /// Refuses a store with rows but no commits, because it would seem empty to a context.
  private func checkLog(_ connection: SQLiteConnection, _ sql: SQLSchema) throws(SQLiteError) {
    guard try CommitLog.latest(connection) == 0 else { return }
    for table in sql.tables {
      guard try connection.integer("SELECT EXISTS (SELECT 1 FROM \(SQLName.quoted(table.name)))") == 0 else {
        throw .damage("the log of commits is empty, but table '\(table.name)' is not")
      }
    }
  }
}

extension StoreFile {
  /// Whether the permissions of the file allow writing.
  var isWritable: Bool { faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 }

  /// Rejects a file that may only be read. SQLite would open it and leave a log next to it that is also read-only.
  func checkIsWritable() throws(StoreError) {
    guard isWritable else {
      throw refusal(.unavailableStore, "it is read-only; check the permissions of the file and its folder")
    }
    for companion in companions where companion.exists {
      companion.takeWritePermissions(of: self)
      // Another process may close the store in the meantime.
      if !companion.isWritable, companion.exists {
        throw refusal(
          .unavailableStore,
          "'\(companion.name)' next to it is read-only; give it the permissions of the file")
      }
    }
  }

  /// SQLite gives the files next to a database the same permissions as the database. Files that were created while the database was
  /// read-only receive its current permissions.
  private func takeWritePermissions(of file: StoreFile) {
    var (own, wanted) = (stat(), stat())
    guard lstat(path, &own) == 0, lstat(file.path, &wanted) == 0,
      wanted.st_mode & 0o222 & ~own.st_mode != 0
    else { return }
    let descriptor = Foundation.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fchmod(descriptor, wanted.st_mode & 0o777)
    close(descriptor)
  }

  /// The access of a connection that only reads. SQLite needs a log and a file with shared memory next to the database. If it cannot create
  /// them, the database can be read as long as no process has it open, because these files exist only while a process has the database
  /// open.
  var readingAccess: SQLiteConnection.Access {
    let isAlone = ["-wal", "-shm"].allSatisfy { !StoreFile(path: path + $0, name: name).exists }
    return isAlone && !hasWritableFolder ? .readingImmutableFile : .reading
  }

  /// Whether files can be created next to the file.
  var hasWritableFolder: Bool {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0
  }

  /// Whether the write-ahead log is empty.
  var hasEmptyLog: Bool {
    var status = stat()
    return lstat(path + "-wal", &status) != 0 || status.st_size == 0
  }

  /// The size of the write-ahead log in bytes.
  var logSize: Int {
    var status = stat()
    return lstat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  /// Distinguishes a file from a different file at the same path.
  struct Identity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
  }

  /// The file that is now at the path; nil if there is none.
  var identity: Identity? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
  }

  /// Removes the file if nothing was written to it.
  func removeIfEmpty() {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 { unlink(path) }
  }
}

extension SQLSchema {
  /// Rejects tables with more columns than SQLite allows.
  func checkSize(_ connection: SQLiteConnection) throws(SQLiteError) {
    let limit = connection.maximumColumns
    for table in tables where table.headerColumns.count + table.forms.count > limit {
      throw SQLiteError(
        code: SQLITE_ERROR,
        message:
          "table '\(table.name)' has \(table.headerColumns.count + table.forms.count) columns, but SQLite allows \(limit); move some attributes to another entity"
      )
    }
  }
}
