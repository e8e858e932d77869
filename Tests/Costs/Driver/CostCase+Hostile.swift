import Graft

extension CostCase {
  /// Payloads that are designed to be expensive: n levels around a value of n times 100 bytes. If each level read everything inside it, the
  /// cost would be quadratic.
  static let hostileCases: [CostCase] = [
    nested("nested-mapper", "Shape") {
      #"{"id":"\#($0)","child":"#
    } _: { _ in
      #","type":"circle"}"#
    },
    nested("nested-mapper-aliases", "Shape") { _ in
      #"{"child":"#
    } _: {
      #","label":"x","type":"circle","key":"\#($0)"}"#
    },
    nested("nested-mapper-unanswered", "Circle") { _ in
      #"{"child":"#
    } _: {
      #","type":"circle","key":"\#($0)"}"#
    },
    nested("nested-keyed", "Shape", size: 110) {
      #"{"children":{"\#($0)":"#
    } _: { _ in
      #"},"type":"square"}"#
    },
    nested("nested-aliases", "Named") {
      #"{"id":\#($0),"child":"#
    } _: { _ in
      #","label":"x"}"#
    },
    nested("nested-wide", "Named") {
      let wide = String(repeating: "w", count: 600)
      return #"{"id":\#($0),"\#(wide)":["\#(wide)"],"child":"#
    } _: { _ in
      #","label":"x"}"#
    },
    nested("nested-broken", "Shape", isBroken: true) {
      #"{"id":"\#($0)","child":"#
    } _: { _ in
      #","type":"circle"}"#
    },
    CostCase("collisions", 1_000) { size in
      let context = try CostModel.context()
      let text = CostModel.array(size) { #"{"id":\#(Int64($0) << 40)}"# }
      return Work {
        try context.load(text, "Tag")
      } check: {
        try expectEqual(context.count(ofEntity: "Tag"), size)
      }
    },
    CostCase("repeats", 2_000) { size in
      let context = try CostModel.context()
      let text = CostModel.array(size) { #"{"id":1,"members":[\#($0),\#($0),1],"tags":[1,1]}"# }
      return Work {
        try context.load(text, "Hub")
      } check: {
        try expectEqual(context.count(ofEntity: "Member"), size)
      }
    },
  ]

  /// n nested objects around a large value.
  private static func nested(
    _ name: String, _ entity: String, size: Int = 220, isBroken: Bool = false,
    _ open: @escaping @Sendable (Int) -> String,
    _ close: @escaping @Sendable (Int) -> String
  ) -> CostCase {
    CostCase(name, size) { size in
      let context = try CostModel.context()
      let value = CostModel.array(size) { _ in "[" + String(repeating: "1,", count: 48) + "1]" }
      let core =
        #"{"id":\#(entity == "Named" ? "1000" : #""core""#),"type":"circle","value":\#(value)\#(isBroken ? "" : "}")"#
      let levels = 0..<size
      let text = levels.map(open).joined() + core + levels.reversed().map(close).joined()
      return Work {
        do {
          try context.load(text, entity)
        } catch  where isBroken {
          // The import is expected to fail.
        }
      } check: {
        try expectEqual(context.count(ofEntity: entity), isBroken ? 0 : size + 1)
      }
    }
  }
}
