public import Foundation
public import Graft
import GraftSQL

/// Opening a store without its model file, emptying it, and removing it.
extension SQLiteStore {
  /// Opens a store with the model that wrote it last.
  ///
  ///     let store = try SQLiteStore(at: url)
  ///     let context = ManagedObjectContext(store: store)
  ///
  /// - Parameters:
  ///   - url: the location of the store, which must exist.
  ///   - transformers: the transformers and mappers that the model names.
  ///   - classes: the classes of the objects, as for `ManagedObjectModel`.
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

  /// Removes the file of a store, with those that SQLite keeps beside it. Backups stay.
  ///
  ///     try SQLiteStore.remove(at: url)      // after the user has signed out
  ///
  /// Stores and contexts that have it open can no longer commit; what they have loaded stays readable. A log whose file is missing is
  /// removed as well. If there is neither, nothing happens.
  ///
  /// - Throws: if the file is not a store, or cannot be removed. It stays then.
  public static func remove(at url: URL) throws(StoreError) {
    let file = try StoreFile(url)
    if try !file.hasOnlyLog(), case .nothing = try file.content() { return }
    file.removeWithCompanions()
    if file.exists {
      throw file.refusal(.unavailableStore, "it cannot be removed; check the permissions of its folder")
    }
  }

  /// Deletes all objects in one commit, whatever their delete rules.
  ///
  /// Contexts notice it as they notice every commit: they merge, or have a conflict if they have changed objects that are gone. Takes
  /// time in proportion to the store, and no memory. The numbers of deleted objects are not used again.
  ///
  /// - Throws: as a commit. Nothing was then deleted.
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
