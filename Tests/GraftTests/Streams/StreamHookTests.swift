import Foundation
import Graft
import GraftTestSupport
import Testing

private final class Parcel: ManagedObject, ImportObserving {
  func didImport(_ payload: JSON) throws {
    let id = self["id"] as Int? ?? 0
    switch id % 4 {
    case 0: context.atomically { self["note"] = "changed" }
    case 1: context.dryRun { self["note"] = "tried" }
    case 2:
      try? context.atomically {
        self["note"] = "thrown away"
        throw CancellationError()
      }
    default: context.atomically { context.atomically { context.insert(ofEntity: "Label")["id"] = id } }
    }
  }
}

@Suite("Streams: hooks with transactions") struct StreamHookTests {
  private static func context(_ store: Bool) throws -> ManagedObjectContext {
    let model = try ManagedObjectModel(
      text: #"""
        {"keyStrategy": "sameName", "entities": {
          "Parcel": {"identityAttributes": "id",
            "attributes": {"id": "integer64", "note": {"type": "string", "optional": true}}},
          "Label": {"identityAttributes": "id", "attributes": {"id": "integer64"}}}}
        """#, classes: [Parcel.self])
    return store
      ? try ManagedObjectContext(model: model, store: SnapshotStore.inMemory(model: model))
      : ManagedObjectContext(model: model)
  }

  @Test(
    "I20: a hook can run transactions in streams as in other imports", arguments: ImportBatches.Atomicity.allCases,
    [false, true])
  func transactions(atomicity: ImportBatches.Atomicity, hasStore: Bool) throws {
    let lines = (1...9).map { #"{"id": \#($0), "note": "new"}"# }
    let once = try Self.context(hasStore)
    let expected = try once.importJSON("[\(lines.joined(separator: ","))]", ofEntity: "Parcel")
    #expect(try once.count(ofEntity: "Label") == 2)
    for faultyElements in [ImportOptions.FaultyElements.error, .skip] {
      for size in [1, 4, 100] {
        let context = try Self.context(hasStore)
        let options = ImportOptions(faultyElements: faultyElements)
        let stream = try ImportStream(
          ofEntity: "Parcel", in: context, format: .lines,
          batches: ImportBatches(size: size, atomicity: atomicity),
          options: options)
        for line in lines { try stream.append("\(line)\n".utf8) }
        let report = try stream.finish()
        #expect(report.description == expected.description)
        #expect(context.dumpText == once.dumpText)
        #expect(context.checkInvariants() == [])
        // After the stream, there is nothing left to roll back.
        context.rollBack()
        #expect(context.dumpText == once.dumpText)
      }
    }
  }
}
