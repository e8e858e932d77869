import Foundation
import Testing

/// Checks that the names and code of all tests cover the rules of the contract and the error codes of the library.
@Suite("The contract") struct ContractTests {
  /// The rules, as listed on the page that defines them.
  private static func rules() throws -> [String] {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = package.appendingPathComponent("Sources/Graft/Graft.docc/Rules.md")
    let heading = /(?m)^### ([A-Z]\d+)$/
    return try String(contentsOf: page, encoding: .utf8).matches(of: heading).map { String($0.1) }
  }

  /// Every Swift file of the tests.
  private static func sources() throws -> [(path: String, text: String)] {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let paths = try FileManager.default.subpathsOfDirectory(atPath: tests.path).filter { $0.hasSuffix(".swift") }
    return try paths.sorted().map {
      ($0, try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8))
    }
  }

  /// The rules that the names of tests cite, as in `M5, D9: ...` or `... (D6)`.
  private static func citedRules() throws -> Set<String> {
    let name = /@Test\(\s*"((?:\\.|[^"\\])*)"/
    let names = try sources().flatMap { $0.text.matches(of: name).map { String($0.1) } }
    return Set(names.flatMap { $0.matches(of: /\b[A-Z]\d+\b/).map { String($0.output) } })
  }

  @Test("Every rule of the contract is cited by the name of a test")
  func rules() throws {
    let (rules, cited) = (try Self.rules(), try Self.citedRules())
    #expect(rules.count > 70 && Set(rules).count == rules.count)
    #expect(rules.filter { !cited.contains($0) } == [])
  }

  @Test("Every diagnostic code is mentioned in a test")
  func codes() throws {
    let tests = try Self.sources().filter { !$0.path.hasSuffix("ContractTests.swift") }.map(\.text).joined()
    // The catalog of faulty models covers the codes of model files; the codes of the command-line tool are tested as printed text.
    let others = Set(
      try ["Models", "Program"].flatMap { try DeclaredCode.all(in: "DiagnosticCode+\($0).swift").map(\.code) })
    let codes = try DeclaredCode.all().filter { !others.contains($0.code) }
    #expect(codes.count > 40)
    let unnamed = codes.filter { !tests.contains("\"\($0.code)\"") && !tests.contains(".\($0.name)") }
    #expect(unnamed.map(\.name) == [])
  }
}
