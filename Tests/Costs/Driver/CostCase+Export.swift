import Foundation
import Graft

extension CostCase {
  /// Exports and dumps.
  static let exportCases: [CostCase] = [
    export("export-data", 1_500) { try jsonData(from: $1).count },
    export("export-hub", 400) { context, _ in
      try context.count(ofEntity: "Hub") == 0 ? 0 : try jsonData(from: context.hub()).count
    },
    export("export-dictionaries", 150) { try json(from: $1).count },
    export("export-identifiers", 1_500) { _, members in
      var options = ExportOptions()
      options.identifiersOnly = true
      return try jsonData(from: members, options: options).count
    },
    export("dump", 200) { context, _ in context.dump().count },
    CostCase("json-foundation", 1_000) { size in
      let value = JSON.array((0..<size).map { .object(["id": .number(JSONNumber($0)), "name": "x"]) })
      var back = JSON.null
      return Work {
        back = try JSON(foundation: value.foundationValue)
      } check: {
        try expect(back == value, "another value came back")
      }
    },
  ]

  /// Exports n members, and returns the number of bytes or elements.
  private static func export(
    _ name: String, _ size: Int, _ body: @escaping @Sendable (ManagedObjectContext, [ManagedObject]) throws -> Int
  ) -> CostCase {
    CostCase(name, size) { size in
      let context = try CostModel.context()
      // The parts have no identity and lists contain lists, so no object is written twice.
      let text = CostModel.array(size) { #"{"id":\#($0),"name":"member \#($0)","rank":\#($0),"data":[1,{"a":"b"}]}"# }
      let members = try objects(ofEntity: "Member", fromJSON: text, in: context)
      if size > 0 { try context.load(#"{"id":1,"members":\#(CostModel.array(size, String.init))}"#, "Hub") }
      var count = 0
      return Work {
        count = try body(context, members)
      } check: {
        try expect(count >= size, "only \(count) came out")
      }
    }
  }
}
