import Foundation
import Graft

/// Creates new files. A file gets its name when its content is complete and on disk, and never replaces another file. Until then, it is a
/// temporary file in the same folder, which is removed if creating the file fails. If the process ends first, the next creation of a file
/// removes the temporary file.
extension StoreFile {
  /// The suffixes of the files that SQLite keeps next to a database.
  static let companions = ["-journal", "-wal", "-shm"]

  /// Creates the file with the content that a closure writes to a temporary file. When the closure returns, that file is closed.
  ///
  /// - Throws: the closure's error, or a ``StoreError`` if the file exists or cannot be written.
  func create<Result>(_ write: (StoreFile) throws(StoreError) -> Result) throws(StoreError) -> Result {
    try checkIsAbsent()
    return try withTemporary { temporary throws(StoreError) in
      let result = try write(temporary)
      try temporary.move(to: self)
      return result
    }
  }

  /// Creates another file next to this one with the content that a closure writes to a temporary file, unless such a file already exists.
  ///
  /// - Parameter file: returns the file with a number. The first file that does not exist when the content is complete is used.
  /// - Returns: the file; nil if a file with one of the numbers has the same content.
  func createSibling(
    _ file: (_ number: Int) -> StoreFile, _ write: (StoreFile) throws(StoreError) -> Void
  ) throws(StoreError) -> StoreFile? {
    try withTemporary { temporary throws(StoreError) in
      try write(temporary)
      var number = 1
      while true {
        while file(number).exists {
          if FileManager.default.contentsEqual(atPath: temporary.path, andPath: file(number).path) {
            temporary.removeWithCompanions()
            return nil
          }
          number += 1
        }
        do throws(StoreError) {
          try temporary.move(to: file(number))
          return file(number)
        } catch {
          // Another process may have created the file first.
          guard file(number).exists else { throw error }
        }
      }
    }
  }

  private func withTemporary<Result>(
    _ body: (StoreFile) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let file = DurableFile(path: path)
    file.removeLeftovers()
    let temporary = StoreFile(path: file.newPath, name: name)
    let paths = temporary.withCompanions
    for path in paths { DurableFile.note(path, isUnfinished: true) }
    defer { for path in paths { DurableFile.note(path, isUnfinished: false) } }
    do throws(StoreError) {
      try temporary.create(isDurable: false)
      return try body(temporary)
    } catch {
      temporary.removeWithCompanions()
      throw error
    }
  }

  private func checkIsAbsent() throws(StoreError) {
    if exists {
      throw StoreError(.unavailableStore, "the file '\(name)' already exists; choose another name, or remove it")
    }
    // SQLite would treat these files as parts of the new file.
    if let companion = companions.first(where: \.exists) {
      throw StoreError(
        .unavailableStore, "the file '\(companion.name)' of an earlier store exists; choose another name, or remove it")
    }
    try checkName()
  }

  /// Refuses a name that would make SQLite treat the file as a part of the store next to it.
  func checkName() throws(StoreError) {
    if let suffix = StoreFile.companions.first(where: path.hasSuffix) {
      throw StoreError(
        .unavailableStore,
        "the name '\(name)' ends in '\(suffix)', as the files of an open store do; choose another name")
    }
  }

  private func move(to file: StoreFile) throws(StoreError) {
    func failure(_ reason: String) -> StoreError {
      StoreError(.unavailableStore, "the file '\(file.name)' cannot be written: \(reason)")
    }
    // SQLite reports nothing if it cannot move the content of the log into the file when the file is closed.
    guard hasEmptyLog else { throw failure("the disk may be full; free some space and try again") }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw failure(DurableFile.reason()) }
    let reason = DurableFile.sync(descriptor) ? nil : DurableFile.reason()
    close(descriptor)
    if let reason { throw failure(reason) }
    try file.checkIsAbsent()
    // Unlike renaming, adding a second name never replaces a file. Some file systems allow only one name.
    if link(path, file.path) == 0 {
      unlink(path)
    } else {
      if errno == EEXIST { try file.checkIsAbsent() }
      guard rename(path, file.path) == 0 else { throw failure(DurableFile.reason()) }
    }
    DurableFile(path: file.path).syncFolder()
  }

  func remove() { unlink(path) }

  /// The files that SQLite creates next to the file.
  var companions: [StoreFile] { StoreFile.companions.map { StoreFile(path: path + $0, name: name + $0) } }

  /// The paths of the file and of the files that SQLite creates next to it. The file itself is removed first, because another
  /// process could open it and begin a new log.
  var withCompanions: [String] { [path] + companions.map(\.path) }

  /// Removes the file and the files that SQLite created next to it.
  func removeWithCompanions() {
    for path in withCompanions { unlink(path) }
  }

  /// Whether there is something at the path.
  var exists: Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }
}
