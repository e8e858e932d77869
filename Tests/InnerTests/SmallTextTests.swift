import Foundation
import Testing

@testable import Graft

@Suite("base64, UUIDs and URIs as strings") struct SmallTextTests {
  @Test(
    "D9: base64 is read and written",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"), ("\u{3F}\u{3E}\u{7F}", "Pz5/"),
    ])
  func base64(value: String, text: String) {
    #expect(text.bytes { Base64Text.decode($0) } == Array(value.utf8))
    #expect(String(decoding: Base64Text.encode(value.utf8), as: UTF8.self) == text)
  }

  @Test(
    "D9: base64 that does not follow the strict format is refused",
    arguments: [
      "Z", "Zg", "Zg=", "Zg===", "Zm9", "Zm9vZg", "Zh==", "Zm9=", "Zm 9v", "Zm9v\n", "=", "====", "Z===", "Zg==Zg==",
      "Zm-_", "Zm9é", "=Zm9", "Z=g=", "Zg=a",
    ])
  func notBase64(text: String) {
    #expect(text.bytes { Base64Text.decode($0) } == nil)
  }

  @Test("D9: random data is written as Foundation writes it, and round-trips")
  func randomBase64() {
    var generator = SeededGenerator(seed: 4)
    for count in 0..<300 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let text = Base64Text.encode(bytes)
      #expect(String(decoding: text, as: UTF8.self) == Data(bytes).base64EncodedString())
      #expect(LentBytes.with(text) { Base64Text.decode($0) } == bytes)
    }
  }

  @Test("D9: a UUID is read in uppercase or lowercase and written in lowercase")
  func uuid() throws {
    let lower = "123e4567-e89b-12d3-a456-42661417400f"
    let value = try #require(lower.bytes { UUIDText.parse($0) })
    #expect(value == UUID(uuidString: lower))
    #expect(lower.uppercased().bytes { UUIDText.parse($0) } == value)
    #expect(UUIDText.text(value) == lower)
  }

  @Test(
    "D9: a string that does not have the form 8-4-4-4-12 is not read as a UUID",
    arguments: [
      "", "123e4567e89b12d3a45642661417400f", "{123e4567-e89b-12d3-a456-42661417400f}",
      "123e4567-e89b-12d3-a456-42661417400", "123e4567-e89b-12d3-a456-42661417400g",
      "123e4567-e89b-12d3-a456_42661417400f", " 23e4567-e89b-12d3-a456-42661417400f",
      "123e4567-e89b-12d3-a456-42661417400f ", "123e-4567e89b-12d3-a456-42661417400f",
    ])
  func notUUID(text: String) {
    #expect(text.bytes { UUIDText.parse($0) } == nil)
  }

  @Test(
    "D9: a string that URL accepts is a URI if it has no spaces or control characters",
    arguments: [
      "http://a.b/c", "https://example.com", "https://example.com/", "http://a.b:80/", "mailto:x@y", "//x", "/path",
      "path", "http://[::1]/", "urn:isbn:0451450523", "https://de.wikipedia.org/wiki/Österreich", "http://a/?q=%20#f",
      "file:///tmp/x", "http://u:p@h/", "?", "#", "data:,x", "https://x.y/a?b=c&d=e,f;g:h@i!j~k_l+m",
    ])
  func uri(text: String) {
    #expect(text.bytes { URIText.isValid($0) })
  }

  @Test(
    "D9: a string is not a URI if URL rejects it, or if it has spaces or control characters",
    arguments: [
      "", " ", "a b", "http://a b/", "http://a.b/\n", "http://a.b/\u{7F}", "http://a.b/\u{85}", "http://a.b/\u{A0}",
      "http://a.b/\u{2028}", "1:b", "http://a:x/", "http://a\\b",
    ])
  func notURI(text: String) {
    #expect(!text.bytes { URIText.isValid($0) })
  }

  @Test("D9: the fast path for URIs never accepts a string that URL rejects")
  func plainURIs() {
    var generator = SeededGenerator(seed: 5)
    let pieces = [
      "a", "-", ".", "/", "?", ":", "@", "_", "%", "#", "b.c", "8", "~", "=", "&", "//", "+", ";", "!", ",",
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...8, using: &generator)
      let text =
        (Bool.random(using: &generator) ? "http://" : "https://")
        + (0..<count).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
      if text.bytes({ URIText.isValid($0) }) != (URL(string: text) != nil) { Issue.record("\(text)") }
    }
  }
}
