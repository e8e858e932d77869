import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Export: pieces and files") struct ExportPiecesTests {
  private struct Stopped: Error {}

  /// Notes whose text is written by a transformer that refuses the text "odd".
  private func notes(_ count: Int, key: String = "id") throws -> [ManagedObject] {
    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Even") { (text: String) in
      text
    } reverse: { (text: String) throws -> String in
      if text == "odd" { throw Stopped() }
      return text
    }
    let context = try Fixture.context(
      #"""
      "Note": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64", "JSONKeyPath": "\#(key)"},
        "text": {"type": "string", "optional": true, "JSONTransformerName": "Even"}}}
      """#,
      transformers: transformers)
    let notes = (0..<count).map { _ in context.insert(ofEntity: "Note") }
    for (id, note) in notes.enumerated() {
      try note.setValue(id, of: "id")
      note["text"] = "note \(id), [\"in\"] {quotes\\"
    }
    return notes
  }

  private func pieces(_ objects: [ManagedObject], _ options: ExportOptions = ExportOptions()) throws -> [Data] {
    var pieces: [Data] = []
    try writeJSON(from: objects, options: options) { pieces.append($0) }
    return pieces
  }

  @Test(
    "E1: the pieces together are the export, and no piece is much longer than an object",
    arguments: ["id", "@key"], [false, true])
  func pieces(key: String, indents: Bool) throws {
    let notes = try notes(9_000, key: key)
    let options = ExportOptions(indents: indents)
    let pieces = try pieces(notes, options)
    #expect(pieces.count > 4 && pieces.allSatisfy { $0.count < 1 << 18 })
    #expect(Data(pieces.joined()) == (try jsonData(from: notes, options: options)))
    for count in 0...2 {
      let some = Array(notes.prefix(count))
      #expect(try self.pieces(some, options) == [jsonData(from: some, options: options)])
    }
  }

  @Test(
    "E1: JSON Lines have one line for each object, even for keyed objects, in pieces, and without objects",
    arguments: ["id", "@key"])
  func lines(key: String) throws {
    let notes = try notes(9_000, key: key)
    let options = ExportOptions(indents: true, writesLines: true)
    let pieces = try pieces(notes, options)
    #expect(pieces.count > 4 && pieces.allSatisfy { $0.last == UInt8(ascii: "\n") })
    let text = String(decoding: Data(pieces.joined()), as: UTF8.self)
    #expect(try text == jsonString(from: notes, options: options))
    #expect(try text == notes.map { try jsonString(from: $0) + "\n" }.joined())
    #expect(try text.hasPrefix(jsonString(from: notes[0], options: options)))
    #expect(try jsonString(from: [], options: options) == "" && self.pieces([], options) == [Data()])
    // The location of a fault is within its line.
    notes[8_999]["text"] = "odd"
    let error = try #require(throws: ExportError.self) { try self.pieces(notes, options) }
    #expect(error.diagnostics[0].path == (key == "id" ? "$.text" : "$['8999'].text"), "\(error)")
  }

  @Test("E1: an import reads each line as the right entity, and positions are preserved")
  func readAsEntity() throws {
    let context = try Fixture.context(
      #"""
      "B": {"identityAttributes": "id", "entityMapper": {"JSONKeyPath": "t", "entities": {"s": "S"}},
        "attributes": {"id": {"type": "string", "JSONKeyPath": "id"}}},
      "S": {"parent": "B", "attributes": {"x": {"type": "string", "optional": true, "JSONKeyPath": "@key"}}},
      "E": {"identityAttributes": "id", "attributes": {"id": {"type": "integer64", "JSONKeyPath": "id"},
        "i": {"type": "integer64", "optional": true, "JSONKeyPath": "@index"}}}
      """#)
    try context.importJSON(#"[{"id": "1"}, {"id": "2", "t": "s"}]"#, ofEntity: "B")
    let options = ExportOptions(writesLines: true)
    let all = try context.fetch(ofEntity: "B", sortedBy: .ascending("id"))
    #expect(
      try jsonString(from: all, options: options) == "{\"id\":\"1\"}\n{\"t\":\"s\",\"id\":\"2\"}\n")
    all[1]["x"] = "q"
    let misplaced = try #require(throws: ExportError.self) { try jsonString(from: all, options: options) }
    #expect(misplaced.diagnostics.map(\.code) == [.misplacedKey])
    try context.importJSON(#"[{"id": 5}]"#, ofEntity: "E")
    let element = try context.fetch(ofEntity: "E")
    let error = try #require(throws: ExportError.self) { try jsonString(from: element, options: options) }
    #expect(error.diagnostics.map(\.code) == [.misplacedObject])
  }

  @Test("E2: limits and paths include the pieces that were already written", arguments: ["id", "@key"])
  func faults(key: String) throws {
    let notes = try notes(4_000, key: key)
    let length = try jsonData(from: notes).count
    #expect(try pieces(notes, ExportOptions(maxBytes: length)).count > 1)
    #expect(throws: ExportError.self) { try pieces(notes, ExportOptions(maxBytes: length - 100)) }

    notes[3_999]["text"] = "odd"
    let expected = #expect(throws: ExportError.self) { try jsonData(from: notes) }
    let found = #expect(throws: ExportError.self) { try pieces(notes) }
    #expect(found?.diagnostics.first?.path == (key == "id" ? "$[3999].text" : "$['3999'].text"))
    #expect(found?.description == expected?.description)
    #expect(found?.underlyingError is Stopped)
  }

  @Test("E1: an error thrown by the closure ends the export, and the context can be used again")
  func stopped() throws {
    let notes = try notes(4_000)
    var count = 0
    let error = #expect(throws: ExportError.self) {
      try writeJSON(from: notes) { _ in
        count += 1
        throw Stopped()
      }
    }
    #expect(error?.diagnostics.map(\.code) == [.unwritableFile] && error?.underlyingError is Stopped && count == 1)
    #expect(try pieces(Array(notes.prefix(1))).count == 1)
  }

  @Test("T5: the closure that receives the pieces cannot change the context")
  func reentrant() throws {
    let notes = try notes(4_000)
    let context = notes[0].context
    let error = #expect(throws: ExportError.self) {
      try writeJSON(from: notes) { _ in try context.commit() }
    }
    #expect(error?.diagnostics.map(\.code) == [.reentrantCall])
    #expect(try context.hasChanges && context.count(ofEntity: "Note") == 4_000)
  }

  @Test("E2: roots are written in one piece")
  func roots() throws {
    let notes = try notes(4_000)
    #expect(try pieces(notes, ExportOptions(rootsOnly: true)) == [jsonData(from: notes)])
  }

  @Test("E1: an existing file is replaced only by a complete export")
  func file() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let file = folder.file("notes.json")
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }

    let notes = try notes(4_000)
    let whole = try jsonData(from: notes)
    try writeJSON(from: notes, to: file)
    #expect(try Data(contentsOf: file) == whole && names() == ["notes.json"])

    notes[3_999]["text"] = "odd"
    #expect(throws: ExportError.self) { try writeJSON(from: notes, to: file) }
    #expect(try Data(contentsOf: file) == whole && names() == ["notes.json"])

    let link = folder.file("link.json")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    try writeJSON(from: [], to: link)
    #expect(try String(contentsOf: file, encoding: .utf8) == "[]" && names() == ["link.json", "notes.json"])
  }

  @Test("E1: the error for a file that cannot be written names the file and the reason")
  func unwritable() throws {
    let missing = URL(fileURLWithPath: "/no/such/folder/notes.json")
    let remote = try #require(URL(string: "https://example.org/notes.json"))
    for (file, reason) in [
      (missing, "its folder does not exist; create it first"),
      (URL(fileURLWithPath: "/dev/full"), "it is not a regular file"),
      (remote, "it is not a file"),
    ] {
      let error = #expect(throws: ExportError.self) { try writeJSON(from: try notes(1), to: file) }
      #expect(error?.diagnostics.map(\.code) == [.unwritableFile])
      let message = error?.diagnostics.first?.message ?? ""
      #expect(message.hasPrefix("the file '") && message.hasSuffix("' cannot be written: \(reason)"), "\(message)")
    }
  }
}
