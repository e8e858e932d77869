import Foundation
import Graft
import GraftTestSupport
import Testing

/// Imports lines as one payload, in pieces of the given number of lines.
private func whole(
  _ lines: [String], _ entity: String, into context: ManagedObjectContext, piece: Int,
  options: ImportOptions = ImportOptions(sourceName: "p.jsonl"), rereads: Bool = false, keptBytes: Int = 16 << 20,
  progress: @escaping (ImportProgress) throws -> Void = { _ in }
) throws(ImportError) -> ImportReport {
  let bytes = Array(lines.joined(separator: "\n").utf8)
  let stream = try ImportStream(
    after: nil, ofEntity: entity, in: context, at: nil, format: .lines,
    batches: ImportBatches(size: piece, atomicity: .whole), options: options, totalBytes: nil,
    rereads: rereads ? { Array(bytes[$0.clamped(to: 0..<bytes.count)]) } : nil, keptBytes: keptBytes, progress: progress
  )
  try stream.append(bytes)
  return try stream.finish()
}

@Suite("Whole streams") struct WholeStreamTests {
  private static let graph = #"""
    "Node": {
      "identityAttributes": "id",
      "attributes": {"id": "integer64", "name": {"type": "string", "optional": true, "minLength": 2}},
      "relationships": {
        "next": {"destination": "Node", "unresolvedRule": "skip"},
        "needs": {"destination": "Node", "unresolvedRule": "deny"},
        "owner": {"destination": "Owner", "optional": false, "inverse": "nodes"}
      }
    },
    "Owner": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {
        "nodes": {"destination": "Node", "toMany": true, "inverse": "owner", "deleteOrphans": true}
      }
    }
    """#

  @Test("I17: links to objects that come many pieces later are not skipped or rejected", arguments: [1, 3, 1_000])
  func forward(piece: Int) throws {
    let context = try Fixture.context(Self.graph)
    let lines = (1...50).map { number in
      let next = number < 50 ? #", "next": \#(number + 1), "needs": \#(51 - number)"# : ""
      return #"{"id": \#(number), "owner": {"id": 1}\#(next)}"#
    }
    let report = try whole(lines, "Node", into: context, piece: piece)
    #expect(report.inserted == ["Node": 50, "Owner": 1] && report.skipped.isEmpty && report.placeholders.isEmpty)
    for number in 1..<50 {
      let node = try context.find(ofEntity: "Node", identity: number)
      #expect((node?["next"] as ManagedObject?)?["id"] == number + 1)
      #expect((node?["needs"] as ManagedObject?)?["id"] == 51 - number)
    }
    #expect(context.checkInvariants() == [] && !context.hasChanges)
  }

  @Test("I15: the object limit applies to the whole stream, regardless of how it is split", arguments: [1, 3, 1_000])
  func objectLimit(piece: Int) throws {
    let context = try Fixture.context(Self.graph)
    let lines = (1...10).map { #"{"id": \#($0), "owner": {"id": 1}}"# }
    var options = ImportOptions()
    options.limits.objects = 10
    let error = #expect(throws: ImportError.self) {
      try whole(lines, "Node", into: context, piece: piece, options: options)
    }
    #expect(try error?.diagnostics.map(\.code) == [.limitObjects] && context.count(ofEntity: "Node") == 0)
    options.limits.objects = 11
    #expect(try whole(lines, "Node", into: context, piece: piece, options: options).inserted["Node"] == 10)
  }

  @Test(
    "I17: an orphan that a later line adopts is not deleted, regardless of the lines in between",
    arguments: [1, 2, 1_000])
  func orphans(piece: Int) throws {
    let context = try Fixture.context(Self.graph)
    try context.load(#"[{"id": 1, "nodes": [{"id": 7, "name": "seven"}, {"id": 8}]}]"#, "Owner")
    let lines = [#"{"id": 1, "nodes": []}"#] + (10..<20).map { "{\"id\": \($0)}" } + [#"{"id": 2, "nodes": [7]}"#]
    let report = try whole(lines, "Owner", into: context, piece: piece)
    #expect(
      try context.find(ofEntity: "Node", identity: 7)?["name"] == "seven"
        && context.find(ofEntity: "Node", identity: 8) == nil)
    #expect(report.deleted == ["Node": 1] && context.checkInvariants() == [])
  }

  @Test(
    "I17, M10: changes made in code between two pieces do not affect the orphans of the stream",
    arguments: [true, false])
  func orphansAmongChanges(deletes: Bool) throws {
    let context = try Fixture.context(Self.graph)
    try context.load(#"[{"id": 1, "nodes": [{"id": 7}, {"id": 8}]}, {"id": 2, "nodes": [{"id": 9}]}]"#, "Owner")
    let lines = [#"{"id": 1, "nodes": [8]}"#] + (10..<20).map { "{\"id\": \($0)}" }
    let node = try #require(try context.find(ofEntity: "Node", identity: 9))
    var isDone = false
    let report = try whole(lines, "Owner", into: context, piece: 1) { _ in
      if isDone { return }
      isDone = true
      if deletes { try context.delete(node) } else { node["next"] = try context.find(ofEntity: "Node", identity: 8) }
    }
    #expect(try isDone && context.find(ofEntity: "Node", identity: 7) == nil)
    #expect(report.deleted["Node"] ?? 0 > 0 && context.checkInvariants() == [])
  }

  @Test("I17: a required link is not missing if its inverse is set at the end of the stream", arguments: [1, 1_000])
  func required(piece: Int) throws {
    let context = try Fixture.context(
      #"""
      "Item": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "box": {"destination": "Box", "inverse": "items", "optional": false, "JSONKeyPath": null},
        "boxes": {"destination": "Box", "toMany": true}}},
      "Box": {"identityAttributes": "id", "attributes": {"id": "integer64"}, "relationships": {
        "items": {"destination": "Item", "toMany": true, "inverse": "box"}}}
      """#)
    let lines = (1...20).map { "{\"id\": \($0)}" }
    let last = #"{"id": 21, "boxes": [{"id": 1, "items": [\#((1...21).map(String.init).joined(separator: ", "))]}]}"#
    #expect(try whole(lines + [last], "Item", into: context, piece: piece).inserted == ["Item": 21, "Box": 1])
    #expect(context.checkInvariants() == [])
  }

  private static let faulty =
    [
      #"{"id": 1, "owner": {"id": 1}, "needs": 99}"#, #"{"id": 2, "name": "é", "owner": 1}"#,
      #"{"id": 3, "name": 5, "owner": 1}"#, #"{"id": 4, "name": "four"}"#,
    ] + (10..<30).map { #"{"id": \#($0), "owner": 1}"# }

  private static let found = [
    "1:40 $.needs unresolved-identifier", "2:19 $.name invalid-value", "3:19 $.name wrong-type",
    "4:1 $.owner missing-value",
  ]

  private func faults(_ error: ImportError?) -> [String] {
    (error?.diagnostics ?? []).map {
      "\($0.location?.line ?? 0):\($0.location?.column ?? 0) \($0.path ?? "-") \($0.code)"
    }
  }

  @Test("I17: a fault found at the end of a stream is located by rereading the stream or from kept text")
  func places() throws {
    for piece in [1, 2, 1_000] {
      for rereads in [true, false] {
        let context = try Fixture.context(Self.graph)
        let error = #expect(throws: ImportError.self) {
          try whole(Self.faulty, "Node", into: context, piece: piece, rereads: rereads)
        }
        #expect(faults(error) == Self.found)
        #expect(error?.diagnostics[0].location?.excerpt == Self.faulty[0])
        #expect(error?.diagnostics.last?.notes.last?.message == "nothing from the stream is kept")
        #expect(try context.count(ofEntity: "Node") == 0 && !context.hasChanges)
      }
    }
  }

  @Test("I17: if text of a stream is discarded, missing values still have locations, but faults found later have none")
  func placesGone() throws {
    let context = try Fixture.context(Self.graph)
    let error = #expect(throws: ImportError.self) {
      try whole(Self.faulty, "Node", into: context, piece: 1, keptBytes: 50)
    }
    #expect(
      faults(error) == [
        "1:40 $.needs unresolved-identifier", "0:0 - invalid-value", "3:19 $.name wrong-type",
        "4:1 $.owner missing-value",
      ])
    #expect(error?.diagnostics[3].location?.excerpt == "")
    let gone = #expect(throws: ImportError.self) {
      try whole(Self.faulty, "Node", into: context, piece: 1, keptBytes: 0)
    }
    #expect(faults(gone) == faults(error))
    #expect(
      error?.diagnostics[1].notes.last?.message
        == "the location is unknown: this part of the stream is no longer in memory")
  }

  @Test("I17: a file is reread to locate faults found at its end, and for the details of the report")
  func file() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "graft-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(Self.faulty.joined(separator: "\n").utf8).write(to: url)
    let context = try Fixture.context(Self.graph)
    let batches = ImportBatches(size: 1, atomicity: .whole)
    let error = #expect(throws: ImportError.self) {
      try context.importStream(contentsOf: url, ofEntity: "Node", format: .lines, batches: batches)
    }
    #expect(faults(error) == Self.found && error?.diagnostics[1].location?.excerpt == Self.faulty[1])
    try Data(Self.faulty[4...].joined(separator: "\n").utf8).write(to: url)
    let report = try context.importStream(
      contentsOf: url, ofEntity: "Node", format: .lines, batches: batches, options: ImportOptions(reportsDetails: true))
    #expect(report.details.filter { $0.entityName == "Node" }.map(\.line) == Array(1...20))
  }

  @Test("I17: a file that changed before it is reread never causes a crash")
  func changedFile() throws {
    let bytes = Array(Self.faulty.joined(separator: "\n").utf8)
    let others: [(Range<Int>) -> [UInt8]?] = [
      { _ in nil }, { _ in [] }, { Array(repeating: 0x7B, count: $0.count) },
      { Array(repeating: 0xFF, count: $0.count) },
    ]
    for other in others {
      let context = try Fixture.context(Self.graph)
      let stream = try ImportStream(
        after: nil, ofEntity: "Node", in: context, at: nil, format: .lines,
        batches: ImportBatches(size: 1, atomicity: .whole), options: ImportOptions(), totalBytes: nil, rereads: other
      ) { _ in }
      try stream.append(bytes)
      let error = #expect(throws: ImportError.self) { try stream.finish() }
      #expect(try error?.diagnostics.count == 4 && context.count(ofEntity: "Node") == 0)
    }
  }

  @Test("I17: several streams, or several payloads of a run, can be one payload, in any order")
  func runs() throws {
    let nodes = (1...5).map { #"{"id": \#($0), "needs": \#($0 % 5 + 1), "next": \#(6 - $0)}"# }
    let owners = [#"{"id": 1, "nodes": [1, 2, 3]}"#, #"{"id": 2, "nodes": [4, 5]}"#]
    let parts = [("Node", nodes), ("Owner", owners)]
    var dumps: Set<String> = []
    for order in [[0, 1], [1, 0]] {
      let together = try Fixture.context(Self.graph)
      let payloads = order.map {
        ImportPayload(parts[$0].0, bytes: Array("[\(parts[$0].1.joined(separator: ","))]".utf8))
      }
      #expect(try together.importPayloads(payloads).inserted == ["Node": 5, "Owner": 2])
      dumps.insert(together.dumpText)

      let streamed = try Fixture.context(Self.graph)
      var last: ImportStream?
      for index in order {
        let stream = try ImportStream(
          after: last, ofEntity: parts[index].0, in: streamed, at: nil, format: .lines,
          batches: ImportBatches(size: 1, atomicity: .whole), options: ImportOptions(), totalBytes: nil, rereads: nil
        ) { _ in }
        try stream.append(parts[index].1.joined(separator: "\n").utf8)
        try stream.end()
        last = stream
      }
      #expect(try last?.finish().inserted == ["Node": 5, "Owner": 2])
      #expect(!streamed.hasChanges && streamed.checkInvariants() == [])
      dumps.insert(streamed.dumpText)
    }
    #expect(dumps.count == 1)
  }

  @Test("I17: faults in all payloads of a run are reported, each with its file")
  func faultsOfRun() throws {
    let context = try Fixture.context(Self.graph)
    func payload(_ name: String, _ text: String, _ entity: String) -> ImportPayload {
      ImportPayload(entity, bytes: Array(text.utf8), options: ImportOptions(sourceName: name))
    }
    let error = #expect(throws: ImportError.self) {
      try context.importPayloads([
        payload("a.json", #"[{"id": 1, "needs": 9, "owner": {"id": 1}}]"#, "Node"),
        payload("b.json", "{\n\"id\": 2,\n\"name\": 1}", "Node"), payload("c.json", #"[{"id": "x"}]"#, "Owner"),
      ])
    }
    #expect(
      error?.diagnostics.map {
        "\($0.location?.file ?? ""):\($0.location?.line ?? 0):\($0.location?.column ?? 0) \($0.path ?? "") \($0.code)"
      } == [
        "a.json:1:21 $[0].needs unresolved-identifier", "b.json:1:1 $.owner missing-value",
        "b.json:3:9 $.name wrong-type", "c.json:1:9 $[0].id wrong-type",
      ])
  }

  @Test("I16: a misplaced comma is reported together with all faults before it")
  func commas() throws {
    for text in [#"[{"id": "x"}, {"id": 2},, {"id": 3}]"#, #"[{"id": "x"}, {"id": 2}, ]"#] {
      let document = try Fixture.context(Fixture.comics)
      let expected = #expect(throws: ImportError.self) { try document.importJSON(text, ofEntity: "Hero") }
      #expect(faults(expected).count == 2)
      for batch in [1, 2, 100] {
        let context = try Fixture.context(Fixture.comics)
        let error = #expect(throws: ImportError.self) {
          try stream(text, into: context, chunk: 7, batch: batch, atomicity: .whole)
        }
        #expect(faults(error) == faults(expected))
      }
    }
  }
}
