import Foundation
import Graft
import Testing

extension GuideTests {
  @Test("Codable: decoding errors have the same diagnostics as imports")
  func decodingErrors() throws {
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }
    let context = try Self.context()
    let faulty = Data(#"{"data": [{"id": "31", "title": "Late Strings"}]}"#.utf8)

    struct ConcertPage: Decodable {
      var data: ManagedObjectsUpsert<Concert>
    }

    do {
      _ = try context.decode(ConcertPage.self, from: faulty)
    } catch let error as DecodingError {
      for diagnostic in error.importError?.diagnostics ?? [] {
        print(diagnostic.path ?? "", diagnostic.code)
      }
    }
    #expect(printed.take().contains("$.data[0].id wrong-type"))
  }

  @Test("Codable: structs are decoded from objects, objects from structs, and objects inside Codable types")
  func structs() throws {
    let printed = Printed()
    func print(_ items: Any...) { printed(items) }
    let context = try Self.context()
    let concert = try #require(try Concert.find(id: 31, in: context))

    struct ConcertRow: Codable {
      struct VenueRow: Codable { var name: String }
      var id: Int
      var title: String
      var price: Decimal
      var venue: VenueRow?
    }

    let row = try concert.decoded(as: ConcertRow.self)
    print(row.title, row.price, row.venue?.name ?? "?")  // Late Strings 18.5 Boathouse
    #expect(printed.take() == "Late Strings 18.5 Boathouse")

    struct Prices: Decodable { var price: String }
    #expect(try concert.decoded(as: Prices.self).price == "18.5")

    struct NewConcert: Encodable {
      var id: Int
      var title: String
      var startsAt: Date
      var price: String
      var artists: [Int]
    }

    let snakeCase = JSONEncoder()
    snakeCase.keyEncodingStrategy = .convertToSnakeCase  // startsAt is the key starts_at
    snakeCase.dateEncodingStrategy = .iso8601  // the form that the model declares
    let encore = NewConcert(id: 40, title: "Encore", startsAt: .now, price: "5.00", artists: [7])
    let stored = try object(Concert.self, fromEncodable: encore, in: context, using: snakeCase)
    print(stored.artists.map { $0.name ?? "?" })  // ["Ada Brandt"]
    #expect(printed.take() == #"["Ada Brandt"]"#)

    struct Announcement: Encodable {
      var channel: String
      var concert: Concert
    }

    let encoder = JSONEncoder()
    encoder.userInfo[.managedObjectExportOptions] = ExportOptions(omitsNil: true)
    let body = try encoder.encode(Announcement(channel: "news", concert: concert))
    #expect(String(decoding: body, as: UTF8.self).contains(#""title":"Late Strings""#))
  }
}
