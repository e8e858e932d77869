import Foundation
import Testing

/// The rules of the contract, and the error codes of the library, against the names and the text of all tests.
@Suite("The contract") struct ContractTests {
  /// The last rule of each chapter.
  private static let chapters: KeyValuePairs = ["M": 11, "T": 5, "I": 16, "E": 4, "C": 4, "D": 11]
  /// Rules that are being built, and have no test yet.
  private static let waived: [String] = []

  private static let rules = chapters.flatMap { letter, last in (1...last).map { "\(letter)\($0)" } }

  /// Every Swift file of the tests.
  private static func sources() throws -> [(path: String, text: String)] {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let paths = try FileManager.default.subpathsOfDirectory(atPath: tests.path).filter { $0.hasSuffix(".swift") }
    return try paths.sorted().map {
      ($0, try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8))
    }
  }

  /// The rules that the name of some test cites: `M5, D9: ...`, or `... (D6)`.
  private static func citedRules() throws -> Set<String> {
    let name = /@Test\(\s*"((?:\\.|[^"\\])*)"/
    let names = try sources().flatMap { $0.text.matches(of: name).map { String($0.1) } }
    return Set(names.flatMap { $0.matches(of: /\b[A-Z]\d+\b/).map { String($0.output) } })
  }

  @Test("Every rule of the contract is cited by a test's name, except rules under construction")
  func rules() throws {
    let cited = try Self.citedRules()
    #expect(cited.count > 40)
    #expect(Self.rules.filter { !cited.contains($0) && !Self.waived.contains($0) } == [])
    #expect(Self.waived.filter { cited.contains($0) || !Self.rules.contains($0) } == [])
  }

  @Test("A test names every error code of imports, exports and models")
  func codes() throws {
    let tests = try Self.sources().filter { !$0.path.hasSuffix("ContractTests.swift") }.map(\.text).joined()
    var codes: Set<String> = ["limit-depth", "limit-string-bytes", "limit-number-bytes", "syntax"]
    for file in try ArchitectureTests.files() {
      let text = try String(
        contentsOf: ArchitectureTests.sources.appendingPathComponent(file.path), encoding: .utf8)
      for match in text.matches(of: /code: "([A-Za-z-]+)"/) { codes.insert(String(match.1)) }
    }
    #expect(codes.count > 30)
    #expect(codes.sorted().filter { !tests.contains("\"\($0)\"") } == [])
  }
}
