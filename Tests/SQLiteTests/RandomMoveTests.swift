import Foundation
import Graft
import GraftTestSupport
import Testing

@testable import GraftSQLite

/// All stores treat commits that are based on older commits in the same way.
@Suite("Stores: random commits") struct RandomMoveTests {
  private enum Outcome: Equatable {
    case written(Int64, [Int: Int64])
    case moved, failed

    init(_ store: any StoreBackend, _ changes: StoreChanges, _ base: Int64) {
      switch try? store.write(changes, basedOn: base) {
      case .written(let sequence, let firstIDs): self = .written(sequence, firstIDs)
      case .moved: self = .moved
      case nil: self = .failed
      }
    }
  }

  /// Changes random rows as they are in a snapshot.
  private struct Writer {
    var random: SeededRandom
    let schema: StoreSchema

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    private mutating func values(_ makers: [Int64]) -> [String: Value] {
      var values: [String: Value] = ["title": .init("title \(Int.random(in: 0..<100, using: &random))")]
      if !chance(3) { values["number"] = chance(6) ? nil : .integer(.random(in: 0..<25, using: &random)) }
      if chance(3) {
        let maker = makers.randomElement(using: &random)
        values["maker"] = maker.map { .integer($0) } ?? .null
        values["maker_position"] = maker == nil ? .null : 5
      }
      return values
    }

    mutating func changes(_ base: any StoreSnapshot) throws -> StoreChanges {
      func rows(_ table: String) throws -> StoredRows {
        try base.rows(selectedBy: StoreQuery(table: schema.table(table)))
      }
      let (items, tags, makers) = (try rows("Item"), try rows("Tag"), try rows("Maker"))
      let makerIDs = makers.headers.map(\.id)
      var changes = StoreChanges()
      for row in items.headers.indices.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)) {
        if chance(3) {
          changes.delete(schema, "Item", [items.headers[row]])
        } else {
          changes.update(schema, "Item", items, row, values(makerIDs))
        }
      }
      for _ in 0..<Int.random(in: 0...2, using: &random) { changes.insert(schema, "Item", values(makerIDs)) }
      for (name, rows, column) in [("Maker", makers, "name"), ("Tag", tags, "word")] {
        if chance(4), let header = rows.headers.randomElement(using: &random) {
          changes.delete(schema, name, [header])
        } else if chance(2) {
          let word = Value("\(Int.random(in: 0..<8, using: &random))")
          changes.insert(schema, name, name == "Tag" ? ["group": "g", column: word] : [column: word])
        }
      }
      func links() -> [StoredLink] {
        var links: [StoredLink] = []
        for _ in 0..<Int.random(in: 0...2, using: &random) {
          guard let owner = items.headers.randomElement(using: &random),
            let member = tags.headers.randomElement(using: &random),
            !links.contains(where: { $0.owner == owner.id && $0.member == member.id })
          else { continue }
          links.append(
            StoredLink(owner: owner.id, member: member.id, position: .random(in: 0..<10, using: &random)))
        }
        return links
      }
      let removed = links()
      changes.link(
        schema, "Item_tags",
        links().filter { link in !removed.contains { $0.owner == link.owner && $0.member == link.member } },
        removing: removed)
      if chance(3), let row = items.headers.randomElement(using: &random) {
        changes.watch.rows[schema.table("Item")] = [row.id]
      }
      if chance(8) { changes.watch.tables = [schema.table("Tag")] }
      return changes
    }
  }

  @Test("S15: stores of all kinds accept, refuse and write the same changes", arguments: 0..<8)
  func alike(_ seed: Int) throws {
    let model = try Shop.model()
    let stores: [any StoreBackend] = [try SQLiteStore.inMemory(model: model), SnapshotStore.inMemory(model: model)]
    var writer = Writer(random: SeededRandom(seed: UInt64(seed)), schema: stores[0].schema)
    var bases = try stores.map { [try $0.snapshot()] }
    var counts = [0, 0, 0]
    for step in 0..<100 {
      let index = max(0, bases[0].count - 1 - Int.random(in: 0..<4, using: &writer.random))
      let base = bases[0][index]
      #expect(bases[1][index].sequence == base.sequence)
      let changes = try writer.changes(base)
      let outcomes = stores.map { Outcome($0, changes, base.sequence) }
      #expect(outcomes[0] == outcomes[1], "step \(step)")
      switch outcomes[0] {
      case .written: counts[0] += 1
      case .moved: counts[1] += 1
      case .failed: counts[2] += 1
      }
      let contents = try stores.map { try MoveTests.contents(of: $0) }
      #expect(contents[0] == contents[1], "step \(step)")
      let logs = try stores.map { try $0.changes(since: base.sequence) }
      let texts = logs.map { "\($0.written.sorted { $0.key < $1.key }) \($0.deleted.sorted { $0.key < $1.key })" }
      #expect(texts[0] == texts[1], "step \(step)")
      guard outcomes[0] == outcomes[1], contents[0] == contents[1], texts[0] == texts[1] else { return }
      for store in stores.indices { bases[store].append(try stores[store].snapshot()) }
      if bases[0].count > 6 { for store in stores.indices { bases[store].removeFirst() } }
    }
    #expect(counts[0] > 10 && counts[1] > 10, "\(counts)")
    #expect(try (stores[0] as? SQLiteStore)?.verify() == [])
  }
}
