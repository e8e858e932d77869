import Foundation
import Testing

@testable import Graft

// After an intended change, `GRAFT_RECORD=1 swift test --filter BadPayloadTests` rewrites the expected output. Read every line of the
// difference as if you had never seen the payload.
@Suite("The catalog of faulty payloads") struct BadPayloadTests {
  @Test("I10, I11: a faulty payload causes its expected output, and changes nothing", arguments: BadPayload.all)
  func output(payload: BadPayload) throws {
    let context = try payload.context()
    let before = context.dumpBytes()
    guard let error = try payload.error(in: context) else {
      Issue.record("\(payload) is imported")
      return
    }
    #expect(context.dumpBytes() == before && context.checkInvariants() == [] && !context.hasChanges)
    let output = DiagnosticRenderer().render(error.diagnostics) + "\n"
    if ProcessInfo.processInfo.environment["GRAFT_RECORD"] != nil {
      try output.write(to: payload.expectedFile, atomically: true, encoding: .utf8)
    }
    let expected = (try? String(contentsOf: payload.expectedFile, encoding: .utf8)) ?? ""
    if output != expected { Issue.record("\(payload): expected\n\(expected)found\n\(output)") }
  }

  @Test("I11: there are at least 120 cases, and the folder contains no other files")
  func cases() throws {
    #expect(BadPayload.all.count >= 120)
    let names = Set(
      try FileManager.default.subpathsOfDirectory(atPath: BadPayload.folder.path).filter { $0.contains("/") })
    let topics = Set(BadPayload.all.map(\.topic))
    let needed = Set(BadPayload.all.flatMap { ["\($0).expected", "\($0).json"] } + topics.map { "\($0)/model.json" })
    let possible = Set(BadPayload.all.map { "\($0).options" } + topics.map { "\($0)/existing.json" })
    #expect(needed.subtracting(names) == [] && names.subtracting(needed).subtracting(possible) == [])
  }

  @Test("I11: every error code of an import has a case")
  func codes() throws {
    // No file can contain a Swift value that is not JSON. Files, streams, warnings and tolerant imports have their own tests:
    // ErrorCodeTests, StreamContextTests, StreamTests, SurroundingTests, ImportWarningTests, TolerantImportTests.
    let elsewhere: [DiagnosticCode] = [
      .notJSON, .openStream, .streamWithoutDocument, .stopped, .contradiction, .noMappedKey, .nearUnmappedKey,
      .lostOrder, .lostLink, .repeatedElement, .emptyReference, .limitFaultyElements,
      .unlistedValue, .skippedDictionary,
    ]
    let seen = Set(
      try BadPayload.all.flatMap { try $0.error(in: $0.context())?.diagnostics.map(\.code) ?? [] } + elsewhere)
    let declared = try DeclaredCode.all(in: "DiagnosticCode+Imports.swift").map(\.code)
    let shared: [DiagnosticCode] = [.syntaxError, .duplicateKey, .unknownKey, .unknownEntity, .wrongType]
    #expect((declared + shared).filter { !seen.contains($0) } == [])
  }
}
