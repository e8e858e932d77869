import Foundation
import Graft
import GraftSQLite
import Testing

extension GuideTests {
  /// Returns the URL of a store in a separate folder.
  private static func store() throws -> (TemporaryFolder, URL) {
    let folder = try TemporaryFolder()
    return (folder, URL(fileURLWithPath: folder.path("concerts.graft")))
  }

  @Test("Coming from Core Data: the ported program works as shown")
  @MainActor func fromCoreData() async throws {
    let (folder, url) = try Self.store()
    let response = try Self.payloads().concerts
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }

    let store = try SQLiteStore(at: url, model: ConcertsModel.load())
    let context = ManagedObjectContext(store: store)
    let background = try BackgroundContext(model: store.model, store: store)

    try await background.importJSON(response, into: Concert.self, at: "data")
    try context.merge()

    let list = try context.results(
      Concert.self, where: #Predicate { $0.venue?.name == "Boathouse" }, sortedBy: \.startsAt)
    print(list.map { $0.title ?? "?" })  // ["Late Strings", "Brass at Noon"]

    #expect(printed.take() == #"["Late Strings", "Brass at Noon"]"#)
    withExtendedLifetime(folder) {}
  }

  @Test("Coming from SwiftData: the ported program works as shown")
  func fromSwiftData() async throws {
    let (folder, url) = try Self.store()
    let response = try Self.payloads().concerts
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }

    let store = try SQLiteStore(at: url, model: ConcertsModel.load())
    try await BackgroundContext(model: store.model, store: store).importJSON(response, into: Concert.self, at: "data")

    let concerts = try ManagedObjectContext(store: store).fetch(
      Concert.self, where: #Predicate { $0.venue?.name == "Boathouse" }, sortedBy: \.startsAt)
    print(concerts.compactMap(\.title))  // ["Late Strings", "Brass at Noon"]

    #expect(printed.take() == #"["Late Strings", "Brass at Noon"]"#)
    withExtendedLifetime(folder) {}
  }

  @Test("Coming from Realm: the ported program works as shown")
  @MainActor func fromRealm() async throws {
    let (folder, url) = try Self.store()
    let response = try Self.payloads().concerts
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }

    let context = ManagedObjectContext(store: try SQLiteStore(at: url, model: ConcertsModel.load()))
    let list = try context.results(
      Concert.self, where: #Predicate { $0.venue?.name == "Boathouse" }, sortedBy: \.startsAt)
    var updates = list.updates().makeAsyncIterator()

    try context.importJSON(response, into: Concert.self, at: "data")
    if let changes = await updates.next() {
      print(changes)  // + Concert(31) at 0, + Concert(32) at 1
    }

    #expect(printed.take().replacing("\n", with: ", ") == "+ Concert(31) at 0, + Concert(32) at 1")
    withExtendedLifetime(folder) {}
  }

  @Test("Coming from GRDB: the ported program works as shown")
  func fromGRDB() throws {
    let (folder, url) = try Self.store()
    let response = try Self.payloads().concerts
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }

    let context = ManagedObjectContext(store: try SQLiteStore(at: url, model: ConcertsModel.load()))
    try context.importJSON(response, into: Concert.self, at: "data")

    let isThere = #Predicate<Concert> { $0.venue?.name == "Boathouse" }
    print(try context.fetch(Concert.self, where: isThere, sortedBy: \.startsAt).compactMap(\.title))

    #expect(printed.take() == #"["Late Strings", "Brass at Noon"]"#)
    withExtendedLifetime(folder) {}
  }

  @Test("Coming from MagicalRecord: the ported program works as shown")
  func fromMagicalRecord() throws {
    let (folder, url) = try Self.store()
    let old = ManagedObjectContext(store: try SQLiteStore(at: url, model: ConcertsModel.load()))
    try old.importJSON(#"[{"id": 5, "name": "Old"}]"#, into: Artist.self)
    let response = try Self.payloads().artists
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }

    let context = ManagedObjectContext(store: try SQLiteStore(at: url, model: ConcertsModel.load()))
    let report = try context.importJSON(response, [.objects(Artist.self, at: "data", missing: .delete)])
    print(report)

    print(try context.fetch(Artist.self, sortedBy: \.name).compactMap(\.name))

    #expect(report.inserted == ["Artist": 2] && report.deleted == ["Artist": 1])
    #expect(printed.take().hasSuffix(#"["Ada Brandt", "The Ferrymen"]"#))
    withExtendedLifetime(folder) {}
  }

  @Test("Coming from Groot: the ported program works as shown")
  func fromGroot() throws {
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }
    let model = try ManagedObjectModel(
      text: try #require(ReadmeTests.blocks("jsonc", in: ReadmeTests.file("README.md")).first),
      transformers: transformers, classes: [Hero.self, Power.self, Publisher.self])

    let context = ManagedObjectContext(model: model)

    let heron: Hero = try object(
      fromJSON: ["id": "101", "name": "Night Heron", "powers": ["1", "2"], "publisher": "10"], in: context)
    let _: [Power] = try objects(
      fromJSON: [["id": "1", "name": "Silent flight"], ["id": "2", "name": "Night vision"]], in: context)
    print(try json(from: heron))

    #expect(heron.powers.compactMap(\.name) == ["Silent flight", "Night vision"])
    #expect(printed.take().contains("Night vision"))
  }

  @Test("Coming from Codable: the hand-written program and the ported program have the same result")
  func fromCodable() throws {
    let (concertData, artistData) = (Data(try Self.payloads().concerts.utf8), Data(try Self.payloads().artists.utf8))
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }
    func byHand() throws {
      struct Response<Row: Decodable>: Decodable { var data: [Row] }
      struct VenueRow: Decodable { var id: Int, name: String }
      struct ConcertRow: Decodable { var id: Int, title: String, venue: VenueRow, artists: [Int] }
      struct ArtistRow: Decodable { var id: Int, name: String }

      final class Venue { var name = "", concerts: [Concert] = [] }
      final class Artist { var name: String?, concerts: [Concert] = [] }
      final class Concert { var title = "", venue: Venue?, artists: [Artist] = [] }

      var (venues, artists, concerts) = ([Int: Venue](), [Int: Artist](), [Int: Concert]())

      func artist(_ id: Int) -> Artist {
        let artist = artists[id] ?? Artist()
        artists[id] = artist
        return artist
      }

      func mergeConcerts(_ data: Data) throws {
        let response = try JSONDecoder().decode(Response<ConcertRow>.self, from: data)
        for row in response.data {
          let venue = venues[row.venue.id] ?? Venue()
          venues[row.venue.id] = venue
          venue.name = row.venue.name

          let concert = concerts[row.id] ?? Concert()
          concerts[row.id] = concert
          concert.title = row.title
          if concert.venue !== venue {
            concert.venue?.concerts.removeAll { $0 === concert }
            concert.venue = venue
            venue.concerts.append(concert)
          }
          for artist in concert.artists { artist.concerts.removeAll { $0 === concert } }
          concert.artists = row.artists.map(artist)
          for artist in concert.artists { artist.concerts.append(concert) }
        }
      }

      func mergeArtists(_ data: Data) throws {
        let response = try JSONDecoder().decode(Response<ArtistRow>.self, from: data)
        for row in response.data {
          artist(row.id).name = row.name
        }
      }

      try mergeConcerts(concertData)
      try mergeArtists(artistData)
      print(artists[9]?.concerts.map(\.title) ?? [])  // ["Late Strings", "Brass at Noon"]
    }
    try byHand()
    let result = printed.take()

    let context = ManagedObjectContext(model: try ConcertsModel.load())
    try context.importJSON(concertData, into: Concert.self, at: "data")
    try context.importJSON(artistData, into: Artist.self, at: "data")
    print(try Artist.find(id: 9, in: context)?.concerts.compactMap(\.title) ?? [])  // ["Late Strings", "Brass at Noon"]

    #expect(result == #"["Late Strings", "Brass at Noon"]"# && printed.take() == result)
  }
}
