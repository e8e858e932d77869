import Foundation
import Graft
import GraftSQLite
import Testing

extension GuideTests {
  @Test("The figures on 'Why it is fast' also appear on the performance page")
  func figures() throws {
    let rows = try ReadmeTests.page("WhyItIsFast").split(separator: "\n").filter {
      $0.hasPrefix("| P") || $0.hasPrefix("| S")
    }
    let measured = try ReadmeTests.page("Performance").split(separator: "\n")
    #expect(rows.count > 15)
    for row in rows { #expect(measured.contains { $0.hasPrefix(row) }, "\(row)") }
  }

  @Test("How it works: a context shows the version at its first read")
  func versions() throws {
    let store = try SQLiteStore.inMemory(model: ConcertsModel.load())
    let (early, late) = (ManagedObjectContext(store: store), ManagedObjectContext(store: store))
    #expect(try early.count(Concert.self) == 0)
    try ManagedObjectContext(store: store).importJSON(Self.payloads().concerts, into: Concert.self, at: "data")
    #expect(try early.count(Concert.self) == 0 && late.count(Concert.self) == 2)
    try early.merge()
    #expect(try early.count(Concert.self) == 2)
  }

  @Test("How it works: an import into a store validates earlier changes; without an import, they are kept unchanged")
  func earlierChanges() throws {
    for store in [nil, SnapshotStore.inMemory(model: try ConcertsModel.load())] as [SnapshotStore?] {
      let context =
        try store.map { ManagedObjectContext(store: $0) } ?? ManagedObjectContext(model: ConcertsModel.load())
      try context.importJSON(Self.payloads().concerts, into: Concert.self, at: "data")
      try Concert.find(id: 31, in: context)?.title = nil
      let artists = try Self.payloads().artists
      if store == nil {
        try context.importJSON(artists, into: Artist.self, at: "data")
      } else {
        let error = #expect(throws: ImportError.self) {
          try context.importJSON(artists, into: Artist.self, at: "data")
        }
        let message = error.map { "\($0)" } ?? ""
        #expect(message.contains("it was changed before the import, which also writes earlier changes"), "\(message)")
      }
    }
  }

  @Test("How it works: a row whose values were changed back is not written")
  func changedBack() throws {
    let store = try SQLiteStore.inMemory(model: ConcertsModel.load())
    let context = ManagedObjectContext(store: store)
    try context.importJSON(Self.payloads().concerts, into: Concert.self, at: "data")
    let commit = try store.latestCommit()
    let concert = try #require(try Concert.find(id: 31, in: context))
    concert.title = "Other"
    concert.title = "Late Strings"
    try context.commit()
    #expect(try store.latestCommit() == commit)
    concert.title = "Other"
    try context.commit()
    #expect(try store.latestCommit() > commit)
  }
}
