import Foundation
import Testing

@testable import Graft

// After an intended change, `GRAFT_RECORD=1 swift test --filter BadModelTests` rewrites the expected output. Read every line of the
// difference as if you had never seen the format.
@Suite("The catalog of faulty models") struct BadModelTests {
  @Test("M9: a faulty model causes its expected output", arguments: BadModel.all)
  func output(model: BadModel) throws {
    let output = try model.output()
    if ProcessInfo.processInfo.environment["GRAFT_RECORD"] != nil {
      try output.write(to: model.expectedFile, atomically: true, encoding: .utf8)
    }
    let expected = (try? String(contentsOf: model.expectedFile, encoding: .utf8)) ?? ""
    if output != expected {
      Issue.record("\(model): the output is not as expected\n\(difference(expected, output))")
    }
  }

  @Test("M9: there are at least 120 cases, each with a finding, and the folder contains no other files")
  func cases() throws {
    #expect(BadModel.all.count >= 120)
    for model in BadModel.all { #expect(try !model.findings().isEmpty, "\(model)") }
    let names = try FileManager.default.subpathsOfDirectory(atPath: BadModel.folder.path).filter { $0.contains("/") }
    let expected = BadModel.all.flatMap { ["\($0).expected", "\($0).json"] }
    #expect(names.sorted() == expected.sorted())
  }

  @Test("M9: every error code of a model has a case")
  func codes() throws {
    // In a file, a value that a mapper lists twice is a duplicate key; BuiltModelTests has a model that is built in Swift. A model that is
    // too large would require a large file; see ModelSizeTests.
    let elsewhere: [DiagnosticCode] = [.duplicateDiscriminator, .tooLarge]
    let seen = Set(try BadModel.all.flatMap { try $0.findings().map(\.code) } + elsewhere)
    let declared = try DeclaredCode.all(in: "DiagnosticCode+Models.swift").map(\.code)
    #expect(declared.count > 50)
    #expect((declared + [.syntaxError, .wrongEncoding, .duplicateKey]).filter { !seen.contains($0) } == [])
  }

  /// Parts of messages that no file of the catalog can cause: only models built in Swift cause them, or files with more than a thousand
  /// findings.
  private static let elsewhere = [
    "the model has", "entities: the limit is", "entities without a parent: the limit is",
    "properties, including inherited ones: the limit is", "twice",
    "more findings are not shown: fix these and run again",
  ]

  @Test("M9: every message has a case")
  func messages() throws {
    let all = try BadModel.all.map { try $0.output() }.joined()
    let folder = ArchitectureTests.sources.appendingPathComponent("ModelFile/Findings", isDirectory: true)
    var missing: [String] = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasPrefix("ModelFinding+") {
      let source = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      for piece in literals(in: source) where !all.contains(piece) && !Self.elsewhere.contains(piece) {
        missing.append("\(file): \(piece)")
      }
    }
    #expect(missing == [])
  }

  /// The pieces of the string literals of a source file, between interpolations, that are long enough to be distinctive.
  private func literals(in source: String) -> [String] {
    let lines = source.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    return lines.flatMap { pieces(of: Array($0)) }.map { $0.trimmingCharacters(in: .whitespaces) }.filter {
      $0.count > 8
    }
  }

  private func pieces(of line: [Character]) -> [String] {
    var pieces: [String] = []
    var piece = ""
    var isRaw = false
    // 0 in code; 1 in a literal; 2 or more in an interpolation, depending on its parentheses.
    var depth = 0
    var index = 0
    while index < line.count {
      let (here, next) = (line[index], index + 1 < line.count ? line[index + 1] : " ")
      index += 1
      switch (depth, here) {
      case (0, "\""): (depth, isRaw) = (1, index > 1 && line[index - 2] == "#")
      case (1, "\"") where !isRaw || next == "#":
        pieces.append(piece)
        (piece, depth) = ("", 0)
      case (1, "\\") where !isRaw && next == "(":
        pieces.append(piece)
        (piece, depth, index) = ("", 2, index + 1)
      case (1, "\\") where !isRaw:
        piece.append(next)
        index += 1
      case (1, _): piece.append(here)
      case (2..., "("): depth += 1
      case (2..., ")"): depth -= 1
      default: break
      }
    }
    return pieces
  }

  /// The lines that are in only one of two texts.
  private func difference(_ expected: String, _ found: String) -> String {
    let (old, new) = (expected.components(separatedBy: "\n"), found.components(separatedBy: "\n"))
    let changes = new.difference(from: old)
    return changes.map { change in
      switch change {
      case .remove(let line, let text, _): "- \(line + 1): \(text)"
      case .insert(let line, let text, _): "+ \(line + 1): \(text)"
      }
    }.joined(separator: "\n")
  }
}
