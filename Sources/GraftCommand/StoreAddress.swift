import Foundation
import Graft
import GraftPostgreSQL
import GraftSQLite
import GraftTools

/// The location of a store: a file or a database.
enum StoreAddress {
  case file(String)
  case database(String)

  /// - Throws: if a URL contains a password, which other users of the machine would see in the list of processes.
  init(_ word: String) throws(Failure) {
    let keywords = ["host", "hostaddr", "port", "dbname", "user", "password", "service", "sslmode"]
    if word.contains("="), keywords.contains(String(word.prefix { $0 != "=" && $0 != " " })) {
      throw .usage("write a database as a URL: postgresql://USER@HOST/DATABASE")
    }
    guard ["postgresql://", "postgres://"].contains(where: word.lowercased().hasPrefix) else {
      try StoreAddress.checkPath(word)
      self = .file(word)
      return
    }
    if StoreAddress.hasPassword(word) {
      throw .usage(
        "other users could see the password in the list of processes: put it into PGPASSWORD or '~/.pgpass', and remove it from the URL"
      )
    }
    self = .database(word)
  }

  /// Checks a path. SQLite expects the path of a store in UTF-8.
  static func checkPath(_ path: String) throws(Failure) {
    if !FilePath.isUTF8(path) { throw .usage("the path of a store must be UTF-8, found '\(FilePath.shown(path))'") }
  }

  private static func hasPassword(_ url: String) -> Bool {
    let rest = url.drop { $0 != ":" }.dropFirst(3)
    let user = rest.prefix { $0 != "/" && $0 != "?" }
    if let end = user.lastIndex(of: "@"), user[..<end].contains(":") { return true }
    let options = rest.drop { $0 != "?" }.dropFirst().split(separator: "&")
    return options.contains { ["password", "sslpassword"].contains($0.prefix { $0 != "=" }.lowercased()) }
  }

  /// The address for messages.
  var shown: String {
    switch self {
    case .file(let path): FilePath.shown(path)
    case .database(let url): "\(ConnectionString(url))"
    }
  }

  /// The path of a file.
  var path: String? { if case .file(let path) = self { path } else { nil } }

  var isDatabase: Bool { if case .database = self { true } else { false } }

  /// Whether there is a store, to the extent known without opening it.
  var exists: Bool {
    get throws(Failure) {
      switch self {
      case .file(let path): return FileManager.default.fileExists(atPath: FilePath.url(path).path)
      case .database(let url):
        return try StoreFiles.opening { () throws(StoreError) in try PostgreSQLStore.exists(url) }
      }
    }
  }

  /// Returns the text of the model that the store was last written with.
  func modelText() throws(StoreError) -> String {
    switch self {
    case .file(let path): try SQLiteStore.modelText(at: FilePath.url(path))
    case .database(let url): try PostgreSQLStore.modelText(of: url)
    }
  }

  /// Returns the changes that opening the store with a model would make.
  func migrationPlan(to model: ManagedObjectModel, removals: [String] = []) throws(StoreError) -> StoreMigrationPlan {
    switch self {
    case .file(let path):
      var options = SQLiteStore.Options()
      options.allowedRemovals = removals
      return try SQLiteStore.migrationPlan(at: FilePath.url(path), to: model, options: options)
    case .database(let url):
      var options = PostgreSQLStore.Options()
      options.allowedRemovals = removals
      return try PostgreSQLStore.migrationPlan(url, to: model, options: options)
    }
  }

  /// Checks on a copy whether the store can be opened with a model.
  ///
  /// - Returns: whether this was checked. A database is not copied.
  func tryMigration(to model: ManagedObjectModel, removals: [String]) throws(StoreError) -> Bool {
    guard case .file(let path) = self else { return false }
    var options = SQLiteStore.Options()
    options.allowedRemovals = removals
    try SQLiteStore.tryMigration(at: FilePath.url(path), to: model, options: options)
    return true
  }

  /// Opens the store, or creates it.
  ///
  /// - Parameters:
  ///   - removals: the entities and properties that a migration may remove.
  ///   - keepsBackup: whether a file is copied before a migration.
  func open(
    _ model: ManagedObjectModel, isReadOnly: Bool = false, removals: [String] = [], keepsBackup: Bool = true
  ) throws(StoreError) -> any CommandStore {
    switch self {
    case .file(let path):
      var options = SQLiteStore.Options()
      options.isReadOnly = isReadOnly
      options.allowedRemovals = removals
      options.backsUpBeforeMigration = keepsBackup
      return try SQLiteStore(at: FilePath.url(path), model: model, options: options)
    case .database(let url):
      var options = PostgreSQLStore.Options()
      options.isReadOnly = isReadOnly
      options.allowedRemovals = removals
      return try PostgreSQLStore(url, model: model, options: options)
    }
  }

  /// Removes a store without commits, unless another program has it open.
  func removeIfUnused() {
    switch self {
    case .file(let path): SQLiteStore.removeIfUnused(at: FilePath.url(path))
    case .database(let url): PostgreSQLStore.removeIfUnused(url)
    }
  }

  /// Whether the program has permission to read a file, but not to write it or the files that SQLite needs next to it.
  var mayOnlyBeRead: Bool {
    guard case .file(let path) = self else { return false }
    let url = FilePath.url(path)
    let isWritable = access(url.path, W_OK) == 0 && access(url.deletingLastPathComponent().path, W_OK) == 0
    return access(url.path, R_OK) == 0 && !isWritable
  }
}

/// A store in the form that commands use.
protocol CommandStore: StoreBackend {
  func verify(limit: Int) throws(StoreError) -> [Diagnostic]
  /// Returns whether a query reads or sorts a whole table because there is no index.
  func lacksIndex(for query: StoreQuery) throws(StoreError) -> Bool
}

extension SQLiteStore: CommandStore {
  func lacksIndex(for query: StoreQuery) throws(StoreError) -> Bool {
    try queryPlan(query).contains { $0.hasPrefix("SCAN ") && (query.order.isEmpty || !$0.contains(" USING ")) }
  }
}

extension PostgreSQLStore: CommandStore {
  func lacksIndex(for query: StoreQuery) throws(StoreError) -> Bool {
    let steps = try queryPlan(query)
    // An index can also be read as a whole.
    return query.order.isEmpty
      ? !steps.contains { $0.contains("Index Cond:") } : steps.contains { $0.contains("Sort Key:") }
  }
}
