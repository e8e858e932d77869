import Foundation
import Testing

/// The rules of the contract, and the error codes of the library, against the names and the text of all tests.
@Suite("The contract") struct ContractTests {
  /// The last rule of each chapter.
  private static let chapters: KeyValuePairs = ["M": 11, "T": 7, "I": 20, "E": 4, "C": 4, "D": 11, "S": 5]
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

  @Test("A test names every code of a diagnostic")
  func codes() throws {
    let tests = try Self.sources().filter { !$0.path.hasSuffix("ContractTests.swift") }.map(\.text).joined()
    // The codes of model files have the catalogue of faulty models; those of the program are printed as text.
    let others = Set(
      try ["Models", "Program"].flatMap { try DeclaredCode.all(in: "DiagnosticCode+\($0).swift").map(\.code) })
    let codes = try DeclaredCode.all().filter { !others.contains($0.code) }
    #expect(codes.count > 40)
    let unnamed = codes.filter { !tests.contains("\"\($0.code)\"") && !tests.contains(".\($0.name)") }
    #expect(unnamed.map(\.name) == [])
  }
}
