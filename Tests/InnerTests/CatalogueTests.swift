import Foundation
import Testing

/// The documentation catalogue: everything public is reached from its landing page, and its examples are those of the README,
/// which are compiled.
///
/// The sources are read as text. What begins in the first column is a declaration of its own; what is nested in a type or an
/// extension is indented, and stands on the page of its type. Which of several overloads a link means, is not looked at: only
/// that there are as many links as overloads.
@Suite("Catalogue") struct CatalogueTests {
  static let folder = ArchitectureTests.sources.appendingPathComponent("Graft.docc", isDirectory: true)

  /// The public types, functions, operators and variables of a file, as links name them.
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

  /// The labels of a parameter list: `_:fromJSON:in:`.
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

  /// The symbols that lists of a page lead to, without what tells overloads apart; members of types are passed over.
  static func links(_ page: String) -> [String] {
    page.matches(of: /(?m)^- ``([^\s`\/(\-]+(?:\([^)]*\))?)[^\s`\/]*``$/).map { String($0.1) }
  }

  @Test("Catalogue: the landing page names each public symbol once, and nothing else")
  func symbols() throws {
    let declared = try ArchitectureTests.files().flatMap { Self.declarations($0.code) }
    let linked = Self.links(try String(contentsOf: Self.folder.appendingPathComponent("Graft.md"), encoding: .utf8))
    #expect(declared.count > 50)
    #expect(linked.sorted().difference(from: declared.sorted()).map { "\($0)" } == [])
  }

  @Test("Catalogue: each example stands in the README")
  func examples() throws {
    let readme = try String(
      contentsOf: ArchitectureTests.sources.appendingPathComponent("../../README.md"), encoding: .utf8)
    var count = 0
    for page in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) where page.hasSuffix(".md") {
      let text = try String(contentsOf: Self.folder.appendingPathComponent(page), encoding: .utf8)
      for block in text.matches(of: /(?m)^```\w+\n((?s:.*?))^```$/) {
        count += 1
        #expect(readme.contains(block.1), "\(page): \(block.1)")
      }
    }
    #expect(count >= 3)
  }

  @Test("Catalogue: the test sees what it should see")
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
    #expect(Self.declarations(ArchitectureTests.code(of: code)) == names)
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
