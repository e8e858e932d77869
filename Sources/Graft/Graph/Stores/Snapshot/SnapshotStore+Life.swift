#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension SnapshotStore {
  /// Removes the file of a store. Backups stay. If there is no file, this method does nothing.
  ///
  ///     try SnapshotStore.remove(at: url)      // after the user has signed out
  ///
  /// Stores that have the file open can no longer commit, but the data that they have loaded stays readable.
  ///
  /// - Throws: if the file is not a store, or cannot be removed. In that case, the file is unchanged.
  public static func remove(at url: URL) throws(StoreError) {
    try SnapshotFile(url).remove(timeout: Options().busyTimeout)
  }
}
