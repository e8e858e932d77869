// Stores.
extension DiagnosticCode {
  /// A file is not a store, or is a store for another kind of data.
  public static let notAStore = Self("not-a-store")
  /// A store was written by a newer version of the library.
  public static let newerStore = Self("newer-store")
  /// A store is damaged: it contains data that stores never write.
  public static let damagedStore = Self("damaged-store")
  /// A store cannot be opened, read or written, because the disk is full, the file is read-only, or another process keeps it busy.
  public static let unavailableStore = Self("unavailable-store")
  /// This kind of store cannot hold the value, such as U+0000 in PostgreSQL text. Trying again does not help.
  public static let unstorableValue = Self("unstorable-value")
  /// The model differs from the store's in a way that cannot be migrated.
  public static let incompatibleModel = Self("incompatible-model")
  /// A step that moves the data of a store to a newer version of the model failed.
  public static let failedMigration = Self("failed-migration")
  /// Another context changed the objects that a commit writes.
  public static let commitConflict = Self("commit-conflict")
  /// A store cannot evaluate a part of a predicate.
  public static let untranslatablePredicate = Self("untranslatable-predicate")
  /// The text of a condition or of sort keys has an error.
  public static let invalidCondition = Self("invalid-condition")
  /// A limit or an offset is negative.
  public static let negativeLimit = Self("negative-limit")
}
