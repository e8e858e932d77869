import Foundation
import Graft

extension CostCase {
  /// Imports of correct payloads.
  static let importCases: [CostCase] = [
    load("import-flat", 600, "Member") { CostModel.memberText($0) },
    load("import-nested", 400, "Member", root: "Hub") { size in
      CostModel.array(size / 4) { hub in
        let members = CostModel.array(4) { #"{"id":\#(hub * 4 + $0),"name":"member \#($0)"}"# }
        return #"{"id":\#(hub),"members":\#(members)}"#
      }
    },
    load("import-ids", 1_500, "Member", root: "Hub") { size in
      CostModel.array(size / 4) { hub in
        #"{"id":\#(hub),"members":\#(CostModel.array(4) { String(hub * 4 + $0) })}"#
      }
    },
    load("import-keyed", 600, "Keyed") { size in
      "{" + (0..<size).map { #""key \#($0)":{"name":"name \#($0)"}"# }.joined(separator: ",") + "}"
    },
    load("import-union", 3_000, "Tag", root: "Hub") { size in CostModel.array(size) { #"{"id":1,"tags":[\#($0)]}"# } },
    load("import-owners", 2_000, "Member", root: "Hub") { size in
      #"[{"id":1,"members":\#(CostModel.array(size, String.init))}]"#
    },
    load("import-mapper", 400, "Shape") { size in
      CostModel.array(size) { #"{"id":"\#($0)","value":[1,2,3],"label":"x","type":"circle"}"# }
    },
    CostCase("import-dictionaries", 300) { size in
      let context = try CostModel.context()
      let payload: [Any] = (0..<size).map { ["id": $0, "name": "member \($0)", "hub": ["id": 1]] as [String: Any] }
      return Work {
        try objects(ofEntity: "Member", fromJSON: payload, in: context)
      } check: {
        try expectEqual(context.count(ofEntity: "Member"), size)
      }
    },
    CostCase("import-again", 600) { size in
      let context = try CostModel.context()
      let text = CostModel.memberText(size)
      try context.load(text, "Member")
      let before = context.dump()
      return Work {
        try context.load(text, "Member")
      } check: {
        try expect(context.dump() == before, "the import changed something")
      }
    },
    CostCase("import-moves", 1_500) { size in
      let (context, _) = try CostModel.members(size)
      let text = CostModel.array(size) { #"{"id":\#($0 * 7 % max(1, size)),"hub":2}"# }
      return Work {
        try context.load(text, "Member")
      } check: {
        let hub = try context.find(ofEntity: "Hub", identity: 2)
        let members: [ManagedObject] = hub?["members"] ?? []
        try expect(members.count * 8 >= size, "only \(members.count) members moved")
      }
    },
    CostCase("import-report", 400) { size in
      let (context, _) = try CostModel.members(size)
      let text = CostModel.array(size) { #"{"id":\#($0),"name":"new","more \#($0 % 10)":1}"# }
      var report = ImportReport()
      return Work {
        let options = ImportOptions(unknownKeys: .report, reportsDetails: true)
        report = try context.importJSON(Array(text.utf8), ofEntity: "Member", options: options)
      } check: {
        try expectEqual(report.updated["Member"] ?? 0, size)
        try expectEqual(report.unknownKeys.count, min(size, 10))
      }
    },
    CostCase("import-orphans", 800) { size in
      let context = try CostModel.context()
      try context.load(#"{"id":1,"lines":\#(CostModel.array(size, String.init))}"#, "Hub")
      return Work {
        try context.load(#"{"id":1,"lines":[]}"#, "Hub")
      } check: {
        try expectEqual(context.count(ofEntity: "Line"), 0)
      }
    },
    CostCase("import-missing", 1_600) { size in
      let (context, _) = try CostModel.members(size)
      let text = #"{"members":\#(CostModel.array(size / 2) { #"{"id":\#($0)}"# })}"#
      return Work {
        try context.importJSON(Array(text.utf8), [.objects(ofEntity: "Member", at: "members", missing: .delete)])
      } check: {
        try expectEqual(context.count(ofEntity: "Member"), size / 2)
      }
    },
    CostCase("import-skipped", 1_500) { size in
      let context = try CostModel.context()
      return Work {
        try context.load(CostModel.array(size) { #"{"id":1,"known":[\#($0)]}"# }, "Hub")
      } check: {
        try expectEqual(context.count(ofEntity: "Tag"), 0)
      }
    },
    stream("stream-lines", .lines, ImportBatches(size: 50)) { size in
      (0..<size).map { #"{"id":\#($0),"name":"member \#($0)"}"# + "\n" }.joined()
    },
    stream("stream-array", .document, ImportBatches(size: 50)) { size in
      CostModel.array(size) { #"{"id":\#($0),"name":"member \#($0)"}"# }
    },
    // When batches add members to a long list, the new members are not compared with the whole list.
    stream("stream-described-hub", .lines, ImportBatches(size: 50)) { size in
      (0..<size).map { #"{"id":\#($0),"name":"member \#($0)","hub":{"id":1}}"# + "\n" }.joined()
    },
    stream("stream-whole", .lines, ImportBatches(size: 50, atomicity: .whole)) { size in
      (0..<size).map { #"{"id":\#($0),"name":"member \#($0)","hub":1}"# + "\n" }.joined()
    },
    CostCase("decode", 100) { size in
      let context = try CostModel.context()
      let data = Data(CostModel.memberText(size).utf8)
      return Work {
        _ = try context.decode([CostMember].self, from: data)
      } check: {
        try expectEqual(context.count(CostMember.self), size)
      }
    },
  ]

  /// Imports text, which results in n objects of an entity.
  private static func load(
    _ name: String, _ size: Int, _ entity: String, root: String? = nil, _ text: @escaping @Sendable (Int) -> String
  ) -> CostCase {
    CostCase(name, size) { size in
      let context = try CostModel.context()
      let text = text(size)
      return Work {
        try context.load(text, root ?? entity)
      } check: {
        try expectEqual(context.count(ofEntity: entity), size)
      }
    }
  }

  /// Imports a stream of n members in small pieces.
  private static func stream(
    _ name: String, _ format: ImportStream.Format, _ batches: ImportBatches, _ text: @escaping @Sendable (Int) -> String
  ) -> CostCase {
    CostCase(name, 500) { size in
      let context = try CostModel.context()
      let bytes = Array(text(size).utf8)
      var report = ImportReport()
      return Work {
        let stream = try ImportStream(ofEntity: "Member", in: context, format: format, batches: batches)
        for start in stride(from: 0, to: bytes.count, by: 1_000) {
          try stream.append(bytes[start..<min(bytes.count, start + 1_000)])
        }
        if !bytes.isEmpty { report = try stream.finish() }
      } check: {
        try expectEqual(context.count(ofEntity: "Member"), size)
        try expectEqual(report.inserted["Member"] ?? 0, size)
      }
    }
  }
}
