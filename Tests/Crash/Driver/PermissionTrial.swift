import Foundation
import Graft
import GraftSQLite

/// Opens and writes stores without permission. The process first gives up its administrator rights, because permissions do not restrict
/// administrators.
struct PermissionTrial {
  func run() throws -> String {
    let folder = try Folder()
    chmod(folder.url.path, 0o777)
    if geteuid() == 0 {
      guard seteuid(65534) == 0 else { throw Failure("the rights of an administrator could not be given up") }
    }
    defer { _ = seteuid(getuid()) }
    for kind in [StoreKind.sqlite, .snapshot] { try run(kind, folder) }
    return "permissions: all missing ones are reported"
  }

  private func run(_ kind: StoreKind, _ outer: Folder) throws {
    let folder = outer.url.appendingPathComponent(kind.rawValue)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appendingPathComponent("store.graft")
    try Ledger(kind.open(url)).commit(1)
    let cases: [(what: String, file: mode_t, folder: mode_t)] = [
      ("a file that may only be read", 0o400, 0o700), ("a folder that may only be read", 0o600, 0o500),
      ("a file and a folder that may only be read", 0o400, 0o500), ("a file that may not be read", 0o000, 0o700),
      ("a folder that may not be entered", 0o600, 0o000),
    ]
    for one in cases {
      chmod(url.path, one.file)
      chmod(folder.path, one.folder)
      defer {
        chmod(folder.path, 0o700)
        chmod(url.path, 0o600)
      }
      try expectRefusal("\(kind.rawValue), \(one.what)") { try Ledger(kind.open(url)).commit(2) }
    }
    if kind == .sqlite { try readOnly(url, folder) }
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    try expectRefusal("\(kind.rawValue), a new file in a folder that may only be read") {
      try Ledger(kind.open(folder.appendingPathComponent("new.graft"))).commit(1)
    }
    // A store that was already open either continues to work or explains why it cannot.
    chmod(folder.path, 0o700)
    let store = try kind.open(url)
    let ledger = try Ledger(store)
    chmod(url.path, 0o400)
    chmod(folder.path, 0o500)
    do {
      try ledger.commit(2)
    } catch {
      guard isUnavailable(error) else { throw Failure("\(kind.rawValue), while it is open: \(error)") }
      chmod(folder.path, 0o700)
      chmod(url.path, 0o600)
      try ledger.context.commit()
      try ledger.finish(2)
    }
    chmod(folder.path, 0o700)
    chmod(url.path, 0o600)
    try Ledger.check(store, acknowledged: 2, begun: 2, "\(kind.rawValue), after the permissions are back")
  }

  /// A store with read permission can be read if it is opened read-only, and no file is created next to it.
  private func readOnly(_ url: URL, _ folder: URL) throws {
    chmod(url.path, 0o400)
    chmod(folder.path, 0o500)
    defer {
      chmod(folder.path, 0o700)
      chmod(url.path, 0o600)
    }
    var options = SQLiteStore.Options()
    options.isReadOnly = true
    let store = try SQLiteStore(at: url, model: Ledger.model, options: options)
    try Ledger.check(store, acknowledged: 1, begun: 1, "a store that may only be read")
    guard try store.verify().isEmpty, try SQLiteStore.modelText(at: url).contains("Entry") else {
      throw Failure("a store that may only be read is not sound")
    }
    do {
      try Ledger(store).commit(2)
    } catch {
      guard isUnavailable(error), "\(error)".contains("isReadOnly") else { throw error }
      return
    }
    throw Failure("a store that may only be read was written")
  }

  private func expectRefusal(_ what: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      guard isUnavailable(error), "\(error)".contains("check the permissions of the file and its folder") else {
        throw Failure("\(what): \(error)")
      }
      return
    }
    throw Failure("\(what): there was no error")
  }
}
