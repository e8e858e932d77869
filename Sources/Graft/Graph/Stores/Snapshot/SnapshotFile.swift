#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// The file of a snapshot store.
///
///     | "Graft 1\n" | checksum | length of the layout | layout as JSON | tables | links |
///
/// Numbers have 8 bytes, least significant first. The checksum covers all bytes after it.
struct SnapshotFile: Sendable {
  private static let magic = Array("Graft 1\n".utf8)
  let location: StoreLocation

  /// The identity of a file as it was read or written.
  struct Identity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
    let size: Int64
    let seconds: Int64
    let nanoseconds: Int64

    init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
      size = Int64(status.st_size)
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      seconds = Int64(time.tv_sec)
      nanoseconds = Int64(time.tv_nsec)
    }
  }

  /// The content of a file that was read.
  struct Content {
    var memory: TableMemory
    var identity: Identity
    var checksum: UInt64
    var id: String
    var history: ModelHistory
    /// Whether the next commit rewrites the file in another layout, which also changes objects or values.
    var isMigrated = false
    /// The number of the latest commit in the file.
    var sequence: Int64
    /// Whether steps of the program must move data first.
    var needsSteps = false
  }

  /// - Throws: if the folder does not exist, or if the names of the files next to it would be too long.
  init(_ url: URL) throws(StoreError) {
    location = try StoreLocation(url)
    var status = stat()
    if lstat(DurableFile(path: location.path).newPath, &status) != 0, errno == ENAMETOOLONG {
      throw location.refusal(.unavailableStore, StoreLocation.systemError())
    }
  }

  private func damage() -> StoreError {
    StoreError(.damagedStore, "the store '\(location.name)' is damaged; restore it from a backup")
  }

  // MARK: Reading

  /// The identity of the file that is currently at the path; nil if there is none.
  func identity() throws(StoreError) -> Identity? {
    guard try location.size() != nil else { return nil }
    var status = stat()
    guard lstat(location.path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw location.refusal(.unavailableStore, StoreLocation.systemError())
    }
    return Identity(status)
  }

  /// Reads the file; nil if there is none.
  ///
  /// - Parameter runsSteps: whether to run the steps that a newer version of the model needs.
  func read(
    _ schema: StoreSchema, _ options: SnapshotStore.Options, runsSteps: Bool = false
  ) throws(StoreError) -> Content? {
    let layout = StoreLayout(schema).withoutIndexes
    guard let (contents, identity, checksum) = try contents(layout) else { return nil }
    let migration = migration(contents, schema, layout, options)
    let version = schema.model.contents.version ?? ""
    let isOlder = contents.history.isOlder(version: version)
    var isMigrated = false
    if let reason = contents.history.stepRefusal(version: version) {
      throw location.refusal(.incompatibleModel, "\(reason); it was not changed")
    }
    if migration.hasSteps || contents.layout != layout, !migration.keepsTables || !isOlder {
      let plan = try plan(migration, contents, layout, schema, options)
      if let error = plan.error(ofStore: location.name) { throw error }
      isMigrated = !migration.keepsTables && !plan.onlyAddsEntities
    }
    var history = contents.history
    if !isOlder || migration.hasSteps { history.add(version: version, layout, steps: migration.steps.kinds) }
    guard var memory = migration.memory() else { throw damage() }
    if runsSteps, migration.hasSteps { memory = try migration.runSteps(on: memory, storeName: location.name) }
    return Content(
      memory: memory, identity: identity, checksum: checksum, id: contents.description.id, history: history,
      isMigrated: isMigrated || migration.hasSteps, sequence: contents.description.sequence,
      needsSteps: migration.hasSteps && !runsSteps)
  }

  private func migration(
    _ contents: SnapshotContents, _ schema: StoreSchema, _ layout: StoreLayout, _ options: SnapshotStore.Options
  ) -> SnapshotMigration {
    SnapshotMigration(
      contents, to: schema, layout, MigrationSteps(options.migrations, schema.model, from: contents.history))
  }

  /// Returns the changes that opening the file would make.
  func plan(_ schema: StoreSchema, _ options: SnapshotStore.Options) throws(StoreError) -> StoreMigrationPlan {
    let layout = StoreLayout(schema).withoutIndexes
    guard let (contents, _, _) = try contents(layout) else {
      throw StoreError(.unavailableStore, "there is no store '\(location.name)'")
    }
    let migration = migration(contents, schema, layout, options)
    guard contents.layout != layout || migration.hasSteps else { return StoreMigrationPlan() }
    return try plan(migration, contents, layout, schema, options)
  }

  private func plan(
    _ migration: SnapshotMigration, _ contents: SnapshotContents, _ layout: StoreLayout, _ schema: StoreSchema,
    _ options: SnapshotStore.Options
  ) throws(StoreError) -> StoreMigrationPlan {
    let version = schema.model.contents.version ?? ""
    if !migration.keepsTables, let reason = contents.history.refusal(version: version, layout) {
      throw location.refusal(.incompatibleModel, "\(reason); it was not changed")
    }
    return migration.plan(allowedRemovals: options.allowedRemovals)
  }

  /// Reads and checks the contents; nil if there is no file.
  private func contents(
    _ layout: StoreLayout
  ) throws(StoreError) -> (SnapshotContents, Identity, checksum: UInt64)? {
    guard let (bytes, identity) = try bytes() else { return nil }
    guard bytes.starts(with: SnapshotFile.magic) else {
      let isNewer = bytes.starts(with: "Graft ".utf8)
      throw location.refusal(
        isNewer ? .newerStore : .notAStore,
        isNewer
          ? "it was written by a newer version of the library; update the library to open it"
          : "it is not a snapshot of a graph; it was not changed")
    }
    var reader = ByteReader(bytes, from: SnapshotFile.magic.count)
    guard let checksum = reader.word(), checksum == SnapshotFile.checksum(bytes[reader.offset...]),
      let contents = SnapshotContents(&reader, expecting: layout)
    else { throw damage() }
    return (contents, identity, checksum)
  }

  /// Reads all bytes of the file; nil if there is none. Any error other than the absence of the file is thrown.
  private func bytes() throws(StoreError) -> ([UInt8], Identity)? {
    guard try location.size() != nil else { return nil }
    let descriptor = open(location.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw unreadable()
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable() }
    guard let bytes = SystemFile.read(descriptor, count: Int(status.st_size)) else { throw unreadable() }
    return (bytes, Identity(status))
  }

  private func unreadable() -> StoreError {
    StoreError(.unavailableStore, "the store '\(location.name)' cannot be read: \(StoreLocation.systemError())")
  }

  // MARK: Writing

  /// Replaces the file.
  ///
  /// - Returns: the new file, and its checksum.
  func write(
    _ memory: TableMemory, id: String, _ history: ModelHistory, removesLeftovers: Bool
  ) throws(StoreError) -> (Identity, UInt64) {
    let body = SnapshotFile.body(memory, id, history)
    let checksum = SnapshotFile.checksum(body[...])
    var bytes = SnapshotFile.magic
    bytes.reserveCapacity(body.count + 16)
    bytes.append(checksum)
    bytes += body
    var identity: Identity?
    let reason = DurableFile(path: location.path).replace(
      removesLeftovers: removesLeftovers, isRenamed: { identity = Identity($0) }, with: { $0(bytes) })
    guard reason == nil, let identity else {
      throw StoreError(.unavailableStore, "the store '\(location.name)' cannot be written: \(reason ?? "")")
    }
    return (identity, checksum)
  }

  /// Keeps the file under another name: `comics.graft.backup-17` is the state after commit 17.
  func backUp(_ sequence: Int64) throws(StoreError) {
    for number in 1...1000 {
      let suffix = ".backup-\(sequence)" + (number > 1 ? "-\(number)" : "")
      if link(location.path, location.path + suffix) == 0 { return }
      if errno == EEXIST { continue }
      // Some file systems do not support hard links.
      do {
        try FileManager.default.copyItem(atPath: location.path, toPath: location.path + suffix)
        return
      } catch {
        throw StoreError(
          .unavailableStore,
          "the store '\(location.name)' cannot be copied before it is migrated: \(FileFault.reason(error))")
      }
    }
    throw StoreError(
      .unavailableStore,
      "the store '\(location.name)' cannot be copied before it is migrated: there are already 1000 copies of commit \(sequence)"
    )
  }

  /// Removes the file if it belongs to a snapshot store. Waits for a commit that is being written.
  func remove(timeout: Duration) throws(StoreError) {
    guard try bytes() != nil else { return }
    let lock = try SnapshotLock(location, timeout: timeout)
    defer { withExtendedLifetime(lock) {} }
    guard let (bytes, _) = try bytes() else { return }
    guard bytes.starts(with: SnapshotFile.magic.prefix(6)) else {
      throw location.refusal(.notAStore, "it is not a snapshot of a graph; it was not removed")
    }
    guard unlink(location.path) == 0 || errno == ENOENT else {
      throw location.refusal(.unavailableStore, "it cannot be removed: \(StoreLocation.systemError())")
    }
  }

  private static func body(_ memory: TableMemory, _ id: String, _ history: ModelHistory) -> [UInt8] {
    let schema = memory.schema
    let stored = StoreLayout(schema).withoutIndexes
    var layout = SnapshotLayout(
      sequence: memory.sequence,
      tables: zip(stored.tables, memory.tables).map { table, contents in
        SnapshotLayout.Table(
          name: table.name, entities: table.entities,
          columns: table.columns.map { SnapshotLayout.Column(name: $0.name, content: stored.word($0.content)) },
          lastID: contents.lastID, rows: contents.places.count)
      },
      links: zip(schema.links, memory.links).map { SnapshotLayout.Link(name: $0.name, links: $1.all.count) })
    layout.id = id
    layout.layout = stored.text
    layout.history = history.text
    layout.model = schema.model.fileText
    let text = layout.text
    var bytes: [UInt8] = []
    bytes.append(UInt64(text.count))
    bytes += text
    for (table, contents) in zip(schema.tables, memory.tables) { append(table, contents, to: &bytes) }
    for links in memory.links {
      for link in links.all.sorted(by: { ($0.owner, $0.member) < ($1.owner, $1.member) }) {
        for number in [link.owner, link.member, link.position, link.inversePosition] {
          bytes.append(UInt64(bitPattern: number))
        }
      }
    }
    return bytes
  }

  private static func append(_ table: StoreSchema.Table, _ contents: TableMemory.Table, to bytes: inout [UInt8]) {
    for (_, place) in contents.places.entries.sorted(by: { $0.key < $1.key }) {
      let (rows, row) = contents.rows.chunk(of: place)
      let header = rows.headers[row]
      bytes.append(UInt64(bitPattern: header.id))
      bytes.append(UInt64(bitPattern: header.version))
      bytes.append(UInt64(header.entity) << 2 | (header.isBare ? 2 : 0) | (header.isPlaceholder ? 1 : 0))
      for (column, content) in table.columns.enumerated() {
        if rows.values.isNil(row: row, column: column) {
          bytes.append(0 as UInt8)
          continue
        }
        bytes.append(1 as UInt8)
        if content.isText {
          let text = rows.values.text(row: row, column: column) ?? []
          bytes.append(UInt64(text.count))
          bytes += text
        } else {
          bytes.append(rows.values.word(row: row, column: column))
        }
      }
    }
  }

  static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    let seeds = IdentityHash.Seeds(first: 0x9E37_79B9_7F4A_7C15, second: 0xD1B5_4A32_D192_ED03)
    return LentBytes.with(bytes) { $0.baseAddress == nil ? 0 : seeds.bytes($0) }
  }
}
