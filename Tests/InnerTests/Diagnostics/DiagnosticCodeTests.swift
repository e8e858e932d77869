import Foundation
import Testing

@testable import Graft

@Suite("Diagnostic codes") struct DiagnosticCodeTests {
  @Test("Each code is declared once, with its name and a line of documentation")
  func constants() throws {
    let codes = try DeclaredCode.all()
    #expect(codes.count > 100)
    #expect(Set(codes.map(\.code)).count == codes.count && Set(codes.map(\.name)).count == codes.count)
    for code in codes {
      let words = code.code.rawValue.split(separator: "-").map(String.init)
      let name = words[0] + words.dropFirst().map { $0 == "json" ? "JSON" : $0.capitalized }.joined()
      #expect(code.name == name)
      #expect(code.documentation.hasSuffix("."), "\(code.name)")
    }
  }

  @Test("Each code is used, and no code is written as a string elsewhere")
  func uses() throws {
    let root = ArchitectureTests.sources.deletingLastPathComponent()
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter {
      $0.hasSuffix(".swift") && !$0.contains("/Codes/")
    }
    var text = ""
    for path in paths { text += try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) }
    let used = Set(text.matches(of: /\.(\w+)/).map { String($0.1) })
    let codes = try DeclaredCode.all()
    #expect(codes.map(\.name).filter { !used.contains($0) } == [])
    let literals = text.matches(of: /(?:[cC]ode(?: ==|:)|DiagnosticCode\(rawValue:) "/)
    #expect(literals.map { "\($0.0)" } == [])
  }

  @Test("Each code has a section on the page of codes, and the page has no other sections")
  func page() throws {
    let page = try String(
      contentsOf: DocumentationCatalogTests.folder.appendingPathComponent("DiagnosticCodes.md"), encoding: .utf8)
    let sections = page.matches(of: /(?m)^### (\S+)$/).map { String($0.1) }
    #expect(sections.sorted() == (try DeclaredCode.all()).map(\.code.rawValue).sorted())
  }
}
