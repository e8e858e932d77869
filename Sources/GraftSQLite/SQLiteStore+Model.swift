import CSQLite
public import Foundation
public import Graft
import GraftSQL

extension SQLiteStore {
  /// Returns the text of the model file that the store was last written with.
  ///
  ///     let model = try ManagedObjectModel(text: SQLiteStore.modelText(at: url))
  ///
  /// - Throws: if the file is not a store, or is damaged. The file is not changed.
  public static func modelText(at url: URL) throws(StoreError) -> String {
    let file = try StoreFile(url)
    try file.checkIsStore()
    do throws(SQLiteError) {
      let connection = try SQLiteConnection(path: file.path, file.readingAccess)
      connection.distrust()
      connection.setBusyTimeout(Options().busyTimeout)
      try connection.execute("PRAGMA query_only = ON")
      if !file.hasEmptyLog { graft_sqlite3_set_option(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
      return try StoreDescription(connection).model
    } catch {
      throw error.storeError(file.name, "read", Options())
    }
  }
}
