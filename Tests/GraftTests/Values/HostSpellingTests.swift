import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

/// A URI preserves its text; the `URL` that is read from the URI spells a non-ASCII host as `xn--...`.
@Suite("URIs with non-ASCII hosts") struct HostSpellingTests {
  final class Page: ManagedObject {
    override class var queryableProperties: [QueryableProperty] { [.init(\Page.url, "url")] }
    var url: URL? { self["url"] }
  }

  static let texts = [
    "https://exämple.org/", "https://exämple.org/ü?q=ö#é", "https://xn--exmple-cua.org/ü", "https://exämple.org/%C3%BC",
    "https://ä.org/ü%20b", "https://ä.org/a%20b", "https://bücher.例え.jp/%C3%BC", "https://faß.de", "https://☃.net",
    "https://user@ä.org:80/?x", "//exämple.org/a", "ftp://www.münchen-ost.de/@x:y", "https://xn--.org/",
    "https://xn--99999999.org/", "https://例え.テスト/", "https://a.xn--b-ö.org/",
  ]

  @Test("I2: an object is found by the URL that is read from the object", arguments: texts)
  func finds(_ text: String) throws {
    // Text that is not a valid URL is also not a valid URI.
    let url = try #require(URL(string: text) ?? URL(string: "https://example.org"))
    guard URL(string: text) != nil else { return }
    let model = try Fixture.context(
      #""Page": {"identityAttributes": "url", "attributes": {"url": "uri"}}, "Link": {"identityAttributes": ["from", "to"], "attributes": {"from": "uri", "to": "uri"}}"#,
      classes: [Page.self]
    ).model
    let store = try ManagedObjectContext(model: model, store: SQLiteStore.inMemory(model: model))
    for context in [ManagedObjectContext(model: model), store, store.makeChild()] {
      let page = try #require(try context.load(#"{"url": "\#(text)"}"#, "Page")[0] as? Page)
      #expect(page.url == url && page.objectID.identity == [.string(text)])
      #expect(try context.find(Page.self, identity: url) === page)
      #expect(try context.find(page.objectID) === page)
      #expect(try context.fetch(Page.self, where: #Predicate { $0.url == url }) == [page])
      #expect(try context.fetch(Page.self, where: #Predicate { $0.url != url }) == [])
      let id = page.objectID
      #expect(try context.fetch(Page.self, where: #Predicate { $0.objectID == id }) == [page])
      #expect(try context.exported("Page").contains(text.replacing("/", with: "/")))
      // Both values change their spelling when they are read as URLs.
      let link = try context.load(#"{"from": "\#(text)", "to": "https://a.b/ö"}"#, "Link")[0]
      let (from, to): (URL?, URL?) = (link["from"], link["to"])
      #expect(try context.find(ofEntity: "Link", identity: #require(from), #require(to)) === link)
      #expect(try context.find(ofEntity: "Page", identity: #require(URL(string: "https://exomple.org/"))) == nil)
    }
  }
}
