import Foundation
import Testing

/// Checks that the landing page of the documentation catalog links to all public symbols and all articles.
///
/// The sources are read as text. A declaration that begins in the first column is listed on the landing page; indented declarations are
/// members, which are on the page of their type. The tests do not check to which overload a link refers, only that there are as many links
/// as overloads.
@Suite("Documentation catalog") struct DocumentationCatalogTests {
  static let folder = ArchitectureTests.sources.appendingPathComponent("Graft.docc", isDirectory: true)

  /// The public types, functions, operators and variables of a file, in the spelling of documentation links.
  static func declarations(_ code: String) -> [String] {
    let declaration =
      /(?m)^(?:@\w+ )*(?:public|open) (?:\w+ )*?(?:(?:struct|class|enum|protocol|actor|typealias|let|var) (\w+)|func (\w+|[^\w\s(]+))/
    return code.matches(of: declaration).map { match in
      guard let function = match.2 else { return String(match.1 ?? "") }
      let labels = labels(code[match.range.upperBound...])
      // The operands of an operator have no labels.
      return "\(function)(\(function.contains(/\w/) ? labels : labels.replacing(/\w+/, with: "_")))"
    }
  }

  /// The labels of a parameter list, such as `_:fromJSON:in:`.
  static func labels(_ code: Substring) -> String {
    var parameters = ""
    var depth = 0
    for character in code.drop(while: { $0 != "(" }) {
      if ")]".contains(character) { depth -= 1 }
      if depth == 1 { parameters.append(character) }
      if "([".contains(character) { depth += 1 }
      if depth == 0 { break }
    }
    return parameters.split(separator: ",").map { parameter in
      "\(parameter.drop(while: \.isWhitespace).prefix { $0.isLetter || $0 == "_" }):"
    }.joined()
  }

  /// The symbols to which the lists of a page link, without the suffixes that distinguish overloads; members of types are skipped.
  static func links(_ page: String) -> [String] {
    page.matches(of: /(?m)^- ``([^\s`\/(\-]+(?:\([^)]*\))?)[^\s`\/]*``$/).map { String($0.1) }
  }

  @Test("Catalog: the landing page lists exactly the public symbols, each once")
  func symbols() throws {
    // The file 'OtherLibraryNames.swift' declares names that are unavailable, so they have no documentation.
    let files = try ArchitectureTests.files().filter { !$0.path.hasSuffix("OtherLibraryNames.swift") }
    let declared = files.flatMap { Self.declarations($0.code) }
    let linked = Self.links(try String(contentsOf: Self.folder.appendingPathComponent("Graft.md"), encoding: .utf8))
    #expect(declared.count > 50)
    #expect(linked.sorted().difference(from: declared.sorted()).map { "\($0)" } == [])
  }

  @Test("Catalog: the landing page links to each article")
  func articles() throws {
    let landing = try String(contentsOf: Self.folder.appendingPathComponent("Graft.md"), encoding: .utf8)
    let articles = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
      $0.hasSuffix(".md") && $0 != "Graft.md"
    }
    #expect(articles.count >= 9)
    for article in articles { #expect(landing.contains("<doc:\(article.dropLast(3))>"), "\(article)") }
  }

  @Test("Catalog: every rule that documentation comments link to is on the Rules page")
  func rules() throws {
    let page = try String(contentsOf: Self.folder.appendingPathComponent("Rules.md"), encoding: .utf8)
    let rules = Set(page.matches(of: /(?m)^### ([A-Z]\d+)$/).map { String($0.1) })
    #expect(rules.count >= 55)
    for match in try ArchitectureTests.files().flatMap({ $0.text.matches(of: /\[([A-Z]\d+)\]\(doc:Rules#([A-Z]\d+)\)/) }
    ) {
      #expect(match.1 == match.2 && rules.contains(String(match.1)), "\(match.0)")
    }
  }

  @Test("Catalog: the test detects missing links")
  func itself() {
    let code = """
      @frozen public indirect enum A { public struct Inner {} }
      public final class B {}
      struct Hidden {}
      @discardableResult
      public func object<Object: B>(
        _ type: Object.Type = Object.self, fromJSON data: [String: Any], then body: (Int, Int) -> Int = { $0 + $1 }
      ) -> B { B() }
      public func reset() {}
      public func == (left: A, right: A) -> Bool { true }
      extension A {
        public func inner() {}
      }
      """
    let names = ["A", "B", "object(_:fromJSON:then:)", "reset()", "==(_:_:)"]
    #expect(Self.declarations(SwiftCode.of(code)) == names)
    let page = """
      ``B``
      - ``A``
      - ``A/inner()``
      - ``object(_:in:)-(_,[String:Any])``
      - ``json(from:)->[Any]``
      - ``B-class``
      """
    #expect(Self.links(page) == ["A", "object(_:in:)", "json(from:)", "B"])
  }
}
