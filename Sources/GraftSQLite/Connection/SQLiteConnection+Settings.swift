import CSQLite

extension SQLiteConnection {
  /// Turns off features that a hostile file could use: triggers, views, extensions, functions in its schema, and writing to the schema.
  func distrust() {
    let options: [(option: Int32, isOn: Int32)] = [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_FKEY, 1), (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
    ]
    // A library without an option also lacks the feature.
    for option in options { graft_sqlite3_set_option(handle, option.option, option.isOn) }
  }

  /// Sets how long statements wait for other connections.
  func setBusyTimeout(_ timeout: Duration) {
    let milliseconds = timeout.components.seconds * 1000 + timeout.components.attoseconds / 1_000_000_000_000_000
    sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
  }
}
