public import Foundation
public import Graft
import GraftSQL

/// Opens a store without its model file, empties it, and removes it.
extension SQLiteStore {
  /// Opens a store with the model that wrote it last.
  ///
  ///     let store = try SQLiteStore(at: url)
  ///     let context = ManagedObjectContext(store: store)
  ///
  /// - Parameters:
  ///   - url: the location of the store, which must exist.
  ///   - transformers: the transformers and mappers that the model names.
  ///   - classes: the classes of the objects; see `ManagedObjectModel`.
  ///   - options: the options.
  /// - Throws: if there is no store, its model cannot be loaded with these transformers and classes, or the store cannot be opened.
  public convenience init(
    at url: URL, transformers: TransformerRegistry = .standard, classes: [ManagedObject.Type] = [],
    options: Options = Options()
  ) throws(StoreError) {
    let text = try SQLiteStore.modelText(at: url)
    let model: ManagedObjectModel
    do throws(ModelError) {
      model = try ManagedObjectModel(
        text: text, name: "the model of '\(url.lastPathComponent)'", transformers: transformers, classes: classes)
    } catch {
      throw StoreError(
        [
          Diagnostic(
            code: .incompatibleModel,
            "the store '\(url.relativePath)' cannot be opened with the model that wrote it; open it with a model file")
        ] + error.diagnostics)
    }
    try self.init(at: url, model: model, options: options)
  }

  /// Removes the file of a store and the files that SQLite keeps next to it. Backups are kept.
  ///
  ///     try SQLiteStore.remove(at: url)      // after the user has signed out
  ///
  /// Stores and contexts that have the file open can no longer commit; data that they have loaded stays readable. A log whose store file is
  /// missing is also removed. If there is neither a file nor a log, this method does nothing.
  ///
  /// - Throws: if the file is not a store, or cannot be removed. The file is then kept.
  public static func remove(at url: URL) throws(StoreError) {
    let file = try StoreFile(url)
    if try !file.hasOnlyLog(), case .nothing = try file.content() { return }
    file.removeWithCompanions()
    if file.exists {
      throw file.refusal(.unavailableStore, "it cannot be removed; check the permissions of its folder")
    }
  }

  /// Deletes all objects in one commit, regardless of their delete rules.
  ///
  /// Contexts treat the deletion like any other commit: they merge it, or report a conflict if they have changed deleted objects. The call
  /// takes time in proportion to the size of the store, but does not load the objects into memory. The numbers of deleted objects are not
  /// used again.
  ///
  /// - Throws: the same errors as a commit. In that case, nothing is deleted.
  public func removeAll() throws(StoreError) {
    try withWriter { connection throws(SQLiteError) in
      try connection.transaction(.writing) { () throws(SQLiteError) in
        try connection.checkFile()
        try checkSchema(connection)
        let sequence = try CommitLog.latest(connection)
        for links in sql.links { try connection.execute("DELETE FROM \(SQLName.quoted(links.name))") }
        for table in sql.tables { try connection.execute("DELETE FROM \(SQLName.quoted(table.name))") }
        try CommitLog.append(connection, sequence + 1, nil)
      }
    }
  }
}
