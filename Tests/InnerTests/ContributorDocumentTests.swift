import Foundation
import Testing

/// Checks that the files and test suites that the documents for contributors mention exist.
@Suite("Documents for contributors") struct ContributorDocumentTests {
  static let names = ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"]
  static let root = ArchitectureTests.sources.deletingLastPathComponent().deletingLastPathComponent()

  /// Whether a word looks like the path of a file or folder: it contains a slash or has the extension of a file.
  static func isPath(_ word: String) -> Bool {
    word.wholeMatch(of: #/[\w.+/\-]+/#) != nil && word.contains(#/(?:/|\.(?:swift|md|txt|yml|py)$)/#)
  }

  /// The paths that exist neither in the package nor in `Sources/Graft`. Paths are words in backticks, and words that begin with a folder
  /// of the package.
  static func missingPaths(_ quoted: [String], _ text: String) -> [String] {
    let begun = text.matches(of: #/\b(?:Sources|Tests|Examples|Models)/[\w.+/\-]*\w/#).map { String($0.0) }
    return Set(quoted.filter(isPath) + begun).sorted().filter { path in
      [root, ArchitectureTests.sources].allSatisfy { folder in
        !FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
      }
    }
  }

  /// The paths and suites in a document that do not exist. A suite has the name of its file, with or without its target:
  /// `SQLiteTests.RowTests`.
  static func missing(_ text: String) throws -> [String] {
    let quoted = text.matches(of: /`([^`\n]+)`/).flatMap { $0.1.split(separator: " ").map(String.init) }
    let tests = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent("Tests").path)
    let suites = quoted.compactMap { $0.wholeMatch(of: /(?:(\w+)\.)?(\w+Tests)/) }
    let lost = suites.filter { suite in
      !tests.contains { test in
        test.split(separator: "/").last == "\(suite.2).swift" && suite.1.map { test.hasPrefix("\($0)/") } ?? true
      }
    }
    return missingPaths(quoted, text) + lost.map { String($0.0) }
  }

  @Test("Documents: the files and suites that the documents mention exist", arguments: names)
  func document(name: String) throws {
    let text = try String(contentsOf: Self.root.appendingPathComponent(name), encoding: .utf8)
    #expect(text.contains("Sources/Graft/"))
    #expect(try Self.missing(text) == [])
  }

  @Test("Documents: the test detects missing files and suites")
  func itself() throws {
    let text =
      "`Rows/Row.swift`, `No.md`, `f(a:)`, `bash Tests/run`, `InnerTests.RowTests`, `X.RowTests`, `NoTests`\n\n    bash Tests/none"
    #expect(try Self.missing(text) == ["No.md", "Tests/none", "X.RowTests", "NoTests"])
  }
}
