#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The file of a snapshot store.
///
///     | "Graft 1\n" | checksum | length of the layout | layout as JSON | tables | links |
///
/// Numbers have 8 bytes, least significant first. The checksum covers everything after it.
struct SnapshotFile {
  private static let magic = Array("Graft 1\n".utf8)
  let url: URL

  init(_ url: URL) { self.url = url }

  private func error(_ code: DiagnosticCode, _ what: String) -> StoreError {
    StoreError(code, "the store '\(url.relativePath)' \(what)")
  }

  // MARK: Reading

  /// Reads the file; nil if there is none.
  func read(_ schema: StoreSchema) throws(StoreError) -> TableMemory? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      let isDenied = (error as? CocoaError)?.code == .fileReadNoPermission
      throw self.error(
        .unavailableStore,
        "cannot be read: \(FileFault.reason(error))\(isDenied ? "; \(DurableFile.permissionHint)" : "")")
    }
    let bytes = Array(data)
    guard bytes.starts(with: SnapshotFile.magic) else {
      throw error(
        bytes.starts(with: "Graft ".utf8) ? .newerStore : .notAStore,
        bytes.starts(with: "Graft ".utf8)
          ? "was written by a newer version of the library; update the library to open it"
          : "is not a snapshot of a graph; it was not changed")
    }
    var reader = ByteReader(bytes, from: SnapshotFile.magic.count)
    guard let checksum = reader.word(), checksum == SnapshotFile.checksum(bytes[reader.offset...]),
      let memory = try contents(&reader, schema)
    else { throw error(.damagedStore, "is damaged; restore it from a backup") }
    return memory
  }

  private func contents(_ reader: inout ByteReader, _ schema: StoreSchema) throws(StoreError) -> TableMemory? {
    guard let length = reader.word(), let text = reader.bytes(Int(clamping: length)),
      let layout = SnapshotLayout(text)
    else { return nil }
    try check(layout, schema)
    var rows = schema.tables.indices.map {
      ChunkedRows(table: $0, columnCount: schema.tables[$0].columns.count)
    }
    var lastIDs = Array(repeating: Int64(0), count: schema.tables.count)
    for table in layout.tables {
      let target = schema.tables.firstIndex { $0.name == table.name }
      if let target { lastIDs[target] = table.lastID }
      guard read(table, &reader, target.map { (schema.tables[$0], $0) }, &rows) else { return nil }
    }
    var links = schema.links.map { _ in LinkMemory() }
    for link in layout.links {
      let target = schema.links.firstIndex { $0.name == link.name }
      for _ in 0..<link.links {
        guard let owner = reader.word(), let member = reader.word(), let position = reader.word(),
          let inverse = reader.word()
        else { return nil }
        guard let target else { continue }
        links[target].insert(
          StoredLink(
            owner: Int64(bitPattern: owner), member: Int64(bitPattern: member), position: Int64(bitPattern: position),
            inversePosition: Int64(bitPattern: inverse)))
      }
    }
    guard reader.isAtEnd else { return nil }
    var memory = TableMemory(schema)
    memory.fill(rows, links, sequence: layout.sequence, lastIDs: lastIDs)
    return memory
  }

  /// Refuses a model whose columns have the same names as those of the file, and contain something else.
  private func check(_ layout: SnapshotLayout, _ schema: StoreSchema) throws(StoreError) {
    for table in layout.tables {
      guard let target = schema.tables.first(where: { $0.name == table.name }) else { continue }
      for column in table.columns {
        guard let other = target.columns.first(where: { $0.name == column.name }) else { continue }
        let content = SnapshotFile.word(other.content, schema)
        if content != column.content {
          throw error(
            .incompatibleModel,
            "has '\(table.name).\(column.name)' as \(column.content), the model as \(content); give the property another name, or change it back"
          )
        }
      }
    }
  }

  private func read(
    _ table: SnapshotLayout.Table, _ reader: inout ByteReader, _ target: (table: StoreSchema.Table, index: Int)?,
    _ rows: inout [ChunkedRows]
  ) -> Bool {
    let columns = table.columns.map { column in target?.table.columns.firstIndex { $0.name == column.name } }
    let entities = table.entities.map { name in target?.table.entityNames.firstIndex(of: name) }
    let texts = table.columns.map { SnapshotFile.textContents.contains($0.content) }
    for _ in 0..<table.rows {
      guard let id = reader.word(), let version = reader.word(), let flags = reader.word(),
        Int(flags >> 2) < entities.count
      else { return false }
      // Objects of entities that the model no longer has are dropped.
      let entity = entities[Int(flags >> 2)]
      let place = target.flatMap { entity == nil ? nil : $0.index }
      if let place {
        rows[place].append(
          StoredRows.Header(
            id: Int64(bitPattern: id), version: Int64(bitPattern: version), entity: entity ?? 0,
            isPlaceholder: flags & 1 != 0, isBare: flags & 2 != 0))
      }
      for (index, column) in columns.enumerated() {
        guard let isPresent = reader.byte() else { return false }
        if isPresent == 0 { continue }
        guard let word = reader.word() else { return false }
        if texts[index] {
          guard let bytes = reader.bytes(Int(clamping: word)) else { return false }
          guard let place, let column else { continue }
          rows[place].change(rows[place].count - 1) { rows, row in
            bytes.withUnsafeBufferPointer { rows.values.setText($0, row: row, column: column) }
          }
        } else if let place, let column {
          rows[place].change(rows[place].count - 1) { rows, row in
            rows.values.setWord(word, row: row, column: column)
          }
        }
      }
    }
    return true
  }

  // MARK: Writing

  /// Replaces the file.
  func write(_ memory: TableMemory) throws(StoreError) {
    let body = body(memory)
    var bytes = SnapshotFile.magic
    bytes.reserveCapacity(body.count + 16)
    bytes.append(SnapshotFile.checksum(body[...]))
    bytes += body
    if let reason = DurableFile(path: url.path).replace(with: bytes) {
      throw error(.unavailableStore, "cannot be written: \(reason)")
    }
  }

  private func body(_ memory: TableMemory) -> [UInt8] {
    let schema = memory.schema
    let layout = SnapshotLayout(
      sequence: memory.sequence,
      tables: zip(schema.tables, memory.tables).map { table, contents in
        SnapshotLayout.Table(
          name: table.name, entities: table.entityNames,
          columns: table.columns.map {
            SnapshotLayout.Column(name: $0.name, content: SnapshotFile.word($0.content, schema))
          }, lastID: contents.lastID, rows: contents.places.count)
      },
      links: zip(schema.links, memory.links).map { SnapshotLayout.Link(name: $0.name, links: $1.all.count) })
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

  private func append(_ table: StoreSchema.Table, _ contents: TableMemory.Table, to bytes: inout [UInt8]) {
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

  // MARK: Words

  private static let textContents: Set<String> = ["string", "decimal", "binary", "uuid", "uri", "json"]

  private static func word(_ content: StoreSchema.Content, _ schema: StoreSchema) -> String {
    switch content {
    case .attribute(let type): type.rawValue
    case .reference(let table): "-> \(schema.tables[table].name)"
    case .position: "position"
    }
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    let seeds = IdentityHash.Seeds(first: 0x9E37_79B9_7F4A_7C15, second: 0xD1B5_4A32_D192_ED03)
    return LentBytes.with(bytes) { $0.baseAddress == nil ? 0 : seeds.bytes($0) }
  }
}

/// Reads numbers and bytes one after the other; nil beyond the end.
private struct ByteReader {
  let all: [UInt8]
  private(set) var offset: Int

  init(_ bytes: [UInt8], from offset: Int) {
    all = bytes
    self.offset = offset
  }

  var isAtEnd: Bool { offset == all.count }

  mutating func byte() -> UInt8? {
    guard offset < all.count else { return nil }
    offset += 1
    return all[offset - 1]
  }

  mutating func word() -> UInt64? {
    guard let bytes = bytes(8) else { return nil }
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= all.count - offset else { return nil }
    offset += count
    return all[offset - count..<offset]
  }
}

extension [UInt8] {
  /// Appends a number, least significant byte first.
  fileprivate mutating func append(_ word: UInt64) {
    for shift in 0..<8 { append(UInt8(truncatingIfNeeded: word >> UInt64(shift * 8))) }
  }
}
