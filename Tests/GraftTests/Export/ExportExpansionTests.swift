import Foundation
import Graft
import GraftTestSupport
import Testing

@Suite("Export: cycles, sharing and limits") struct ExportExpansionTests {
  private func options(_ change: (inout ExportOptions) -> Void) -> ExportOptions {
    var options = ExportOptions()
    change(&options)
    return options
  }

  private func nodes(inverse: Bool = false) throws -> ManagedObjectContext {
    try Fixture.context(
      inverse
        ? #"""
        "Node": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "next": {"destination": "Node", "inverse": "previous"}, "previous": {"destination": "Node", "inverse": "next"}}}
        """#
        : #"""
        "Node": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
          "next": {"destination": "Node"}}}
        """#)
  }

  private func ring(_ context: ManagedObjectContext, _ count: Int) throws -> [ManagedObject] {
    let text = (0..<count).map { "{\"id\":\($0),\"next\":\(($0 + 1) % count)}" }.joined(separator: ",")
    return try context.load("[\(text)]", "Node")
  }

  private func ringText(_ count: Int, inverse: Bool = false) throws -> String {
    let context = try nodes(inverse: inverse)
    return try context.text(ring(context, count)[0])
  }

  @Test("E2: an object that is already being written at an outer level is written as its identifier")
  func smallCycles() throws {
    #expect(try ringText(1) == #"{"id":0,"next":0}"#)
    #expect(try ringText(2) == #"{"id":0,"next":{"id":1,"next":0}}"#)
    #expect(try ringText(3) == #"{"id":0,"next":{"id":1,"next":{"id":2,"next":0}}}"#)
  }

  @Test("E2: an export of a cycle ends even though each object omits the inverse through which it was reached")
  func smallCyclesWithInverses() throws {
    #expect(try ringText(1, inverse: true) == #"{"id":0,"next":0,"previous":0}"#)
    #expect(
      try ringText(2, inverse: true) == #"{"id":0,"next":{"id":1,"next":0},"previous":{"id":1,"previous":0}}"#)
    #expect(
      try ringText(3, inverse: true)
        == #"{"id":0,"next":{"id":1,"next":{"id":2,"next":0}},"previous":{"id":2,"previous":{"id":1,"previous":0}}}"#)
  }

  @Test(
    "D15: the export of a cycle of objects without identity omits the relationship that closes the cycle")
  func anonymousCycle() throws {
    let context = try Fixture.context(
      #""Node": {"attributes": {"id": "integer64"}, "relationships": {"next": {"destination": "Node"}, "all": {"destination": "Node", "toMany": true}}}"#
    )
    let node = try context.load(#"{"id": 1, "next": {"id": 2}}"#, "Node")[0]
    let other: ManagedObject? = node["next"]
    other?["next"] = node
    other?["all"] = [node]
    #expect(try context.text(node) == #"{"id":1,"next":{"id":2},"all":[]}"#)
  }

  @Test(
    "E2: a cycle of 30,000 objects is written up to the depth limit, and importing the export changes nothing",
    arguments: [false, true])
  func longCycle(hasInverse: Bool) throws {
    let context = try nodes(inverse: hasInverse)
    let first = try ring(context, 30_000)[0]
    let text = try context.text(first)
    #expect(text.utf8.count < 100_000)
    #expect(text.hasPrefix(#"{"id":0,"next":{"id":1,"next":{"id":2,"#))
    let report = try context.importJSON(Array(text.utf8), ofEntity: "Node")
    #expect(report.updated.isEmpty && report.inserted.isEmpty && report.unchanged["Node"] ?? 0 > 500)
  }

  @Test("E2: an object below the depth limit is written as its identifier")
  func depth() throws {
    let context = try nodes()
    let first = try ring(context, 6)[0]
    #expect(try context.text(first, options { $0.maxDepth = 1 }) == #"{"id":0,"next":1}"#)
    var previous = 0
    for depth in [4, 5, 6, 7, 20] {
      let text = try context.text(first, options { $0.maxDepth = depth })
      let braces = text.utf8.filter { $0 == UInt8(ascii: "{") }.count
      #expect(braces <= depth)
      #expect(braces >= previous)
      previous = braces
    }
    #expect(previous == 6)
  }

  // MARK: Sharing

  /// Each node refers twice to the next: 2^(count - 1) paths.
  private func diamond(_ count: Int) throws -> (ManagedObjectContext, ManagedObject) {
    let context = try Fixture.context(
      #"""
      "Node": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "left": {"destination": "Node"}, "right": {"destination": "Node"}}}
      """#)
    let text = (0..<count).map { index in
      index + 1 == count ? "{\"id\":\(index)}" : "{\"id\":\(index),\"left\":\(index + 1),\"right\":\(index + 1)}"
    }
    return (context, try context.load("[\(text.joined(separator: ","))]", "Node")[0])
  }

  @Test("E2: a shared object is written in full for each path that leads to it")
  func shared() throws {
    let (context, root) = try diamond(2)
    #expect(
      try context.text(root)
        == #"{"id":0,"left":{"id":1,"left":null,"right":null},"right":{"id":1,"left":null,"right":null}}"#)
  }

  @Test("E2: `.once` writes a shared object in full once for each root, and then as its identifier")
  func once() throws {
    let (context, root) = try diamond(3)
    let once = options { $0.sharedObjects = .once }
    let text = #"{"id":0,"left":{"id":1,"left":{"id":2,"left":null,"right":null},"right":2},"right":1}"#
    #expect(try context.text(root, once) == text)
    #expect(String(decoding: try jsonData(from: [root, root], options: once), as: UTF8.self) == "[\(text),\(text)]")
    #expect(context.checkInvariants() == [])
  }

  @Test("E2: an export of 2^40 paths stops with an error that names the option; `.once` writes them in linear size")
  func explosion() throws {
    let (context, root) = try diamond(41)
    let error = try #require(throws: ExportError.self) {
      try jsonData(from: root, options: options { $0.maxObjects = 5_000 })
    }
    #expect(error.diagnostics.map(\.code) == [.limitObjects])
    #expect(error.diagnostics[0].message.contains("sharedObjects: .once"))
    #expect(error.diagnostics[0].message.contains("5000 objects"))
    #expect(context.checkInvariants() == [])
    let text = try context.text(root, options { $0.sharedObjects = .once })
    #expect(text.utf8.count < 41 * 40)
    let copy = ManagedObjectContext(model: context.model)
    try copy.load(text, "Node")
    #expect(copy.dumpText == context.dumpText)
  }

  @Test("E2: an export can by default contain a million objects, plus 16 times the number of objects in the graph")
  func defaultLimit() throws {
    let (context, root) = try diamond(41)
    let error = try #require(throws: ExportError.self) { try jsonData(from: root) }
    #expect(error.diagnostics[0].message.contains("\(1_000_000 + 16 * 41) objects"))
    #expect(context.checkInvariants() == [])
  }

  @Test("E2: an export that exceeds the byte limit stops with an error that names the option")
  func byteLimit() throws {
    let context = try nodes()
    let first = try ring(context, 50)[0]
    let length = try jsonData(from: first).count
    #expect(throws: Never.self) { try jsonData(from: first, options: options { $0.maxBytes = length }) }
    let error = try #require(throws: ExportError.self) {
      try jsonData(from: first, options: options { $0.maxBytes = length - 1 })
    }
    #expect(error.diagnostics[0].message.contains("maxBytes"))
    #expect(context.checkInvariants() == [])
  }

  @Test("E2: one object more than the limit stops the export")
  func objectLimit() throws {
    let context = try nodes()
    let first = try ring(context, 3)[0]
    #expect(throws: Never.self) { try jsonData(from: first, options: options { $0.maxObjects = 3 }) }
    #expect(throws: ExportError.self) { try jsonData(from: first, options: options { $0.maxObjects = 2 }) }
    #expect(context.checkInvariants() == [])
  }

  @Test("E2: one long string that exceeds the byte limit is rejected before the whole string is written")
  func longString() throws {
    let context = try Fixture.context(#""X": {"attributes": {"text": "string"}}"#)
    let object = try context.load("{\"text\": \"\(String(repeating: "x", count: 100_000))\"}", "X")[0]
    #expect(throws: ExportError.self) {
      try jsonData(from: [object, object], options: options { $0.maxBytes = 1_000 })
    }
  }

  @Test("E2: a failed export does not affect which objects the next export writes")
  func failedOnce() throws {
    let context = try Fixture.context(Fixture.comics)
    try context.load(#"[{"id": 1, "powers": [{"id": 4}]}]"#, "Hero")
    var options = ExportOptions()
    options.sharedObjects = .once
    let whole = try context.exported("Hero", options)
    options.maxBytes = 1
    #expect(throws: ExportError.self) { try context.exported("Hero", options) }
    options.maxBytes = nil
    #expect(try context.exported("Hero", options) == whole)
  }
}
