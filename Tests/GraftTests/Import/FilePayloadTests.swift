import Foundation
import Graft
import GraftTestSupport
import Testing

private final class Hero: ManagedObject {
  var name: String? { self["name"] }
}

@Suite("Payloads in files") struct FilePayloadTests {
  /// Writes text to a file, passes the file to a closure, and then removes the file's folder.
  private func withFile(_ text: String, _ body: (URL) throws -> Void) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let url = folder.file("héroes & co.json")
    try Data(text.utf8).write(to: url)
    try body(url)
  }

  @Test("I1: a file is read like its bytes, by class and by entity, as one object or as several objects")
  func files() throws {
    let context = try Fixture.context(Fixture.comics, classes: [Hero.self])
    try withFile(#"{"data": {"item": {"id": 1, "name": "Batman"}, "all": [{"id": 1}, {"id": 2, "name": "Robin"}]}}"#) {
      url in
      let hero: Hero = try object(fromJSON: url, in: context, at: "data.item")
      #expect(hero.name == "Batman")
      #expect(
        try objects(Hero.self, fromJSON: url, in: context, at: "data.all").map(\.name) == ["Batman", "Robin"])
      #expect(try object(ofEntity: "Hero", fromJSON: url, in: context, at: "data.item") === hero)
      #expect(try objects(ofEntity: "Hero", fromJSON: url, in: context, at: "data.all").count == 2)
    }
  }

  @Test("I11: a mistake in a file is reported with the file's name, or with the source name in the options")
  func mistakes() throws {
    let context = try Fixture.context(Fixture.comics)
    try withFile("[{\"id\": 1},\n {\"id\": \"2\"}]") { url in
      let error = try #require(throws: ImportError.self) {
        try objects(ofEntity: "Hero", fromJSON: url, in: context)
      }
      #expect(
        error.diagnostics.map(\.description) == [
          "\(url.relativePath):2:9: error: expected an integer for 'Hero.id', found the string \"2\""
        ])
      let named = try #require(throws: ImportError.self) {
        try objects(ofEntity: "Hero", fromJSON: url, in: context, options: ImportOptions(sourceName: "download"))
      }
      #expect(named.diagnostics[0].location?.file == "download")
      #expect(try context.count(ofEntity: "Hero") == 0)
    }
  }

  @Test("I15: a path that cannot be read, is not a file, or exceeds the limit causes an error that names the path")
  func unreadable() throws {
    let context = try Fixture.context(Fixture.comics)
    func message(_ url: URL, _ options: ImportOptions = ImportOptions()) -> String {
      do {
        try object(ofEntity: "Hero", fromJSON: url, in: context, options: options)
        return "no error"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      message(URL(fileURLWithPath: "/nowhere/heroes.json"))
        == "error: the payload file '/nowhere/heroes.json' cannot be read: there is no such file")
    #expect(
      message(try #require(URL(string: "https://example.org/a.json")))
        == "error: 'https://example.org/a.json' is not a file: download it and import the bytes")
    #expect(message(FileManager.default.temporaryDirectory).hasPrefix("error: the payload file '"))
    var options = ImportOptions(sourceName: "big.json")
    options.limits.bytes = 5
    try withFile(#"{"id": 1}"#) { url in
      #expect(
        message(url, options)
          == "error: the payload file 'big.json' has 9 bytes, which exceeds the limit 'bytes' of 5")
    }
  }
}
