import Foundation
import Graft

extension CostCase {
  /// Faulty payloads: faults are found and reported in time proportional to the payload.
  static let faultCases: [CostCase] = [
    refused("faults-types", 500, code: "wrong-type") { size, _ in
      CostModel.array(size) { #"{"id":\#($0),"name":\#($0)}"# }
    },
    refused("faults-types-all", 300, code: "wrong-type") { size, limits in
      limits.errors = max(1, size)
      return CostModel.array(size) { #"{"id":\#($0),"name":\#($0)}"# }
    },
    refused("faults-missing-all", 300, code: "missing-value") { size, limits in
      limits.errors = max(1, size)
      return CostModel.array(size) { #"{"id":\#($0),"nam":"x"}"# }
    },
    refused("faults-values-all", 300, code: "invalid-value") { size, limits in
      limits.errors = max(1, size)
      return CostModel.array(size) { #"{"id":\#($0),"name":"x","size":0}"# }
    },
    refused("faults-lines-all", 300, code: "wrong-type") { size, limits in
      limits.errors = max(1, size)
      return (0..<size).map { #"{"id":\#($0),"name":\#($0)}"# + "\n" }.joined()
    },
    refused("faults-keys", 500, code: "duplicate-key") { size, _ in
      #"{"id":1,"name":"x","# + (0..<size).map { _ in #""id":1"# }.joined(separator: ",") + "}"
    },
    refused("limit-objects", 1_000, code: "limit-objects") { size, limits in
      limits.objects = size / 2
      return CostModel.array(size) { #"{"id":\#($0),"name":"x"}"# }
    },
    refused("limit-bytes", 1_000, code: "limit-bytes") { size, limits in
      limits.bytes = size
      return CostModel.array(size) { #"{"id":\#($0),"name":"x"}"# }
    },
    refused("limit-depth", 200, code: "limit-depth") { size, limits in
      limits.depth = size
      return #"{"id":1,"x":"# + String(repeating: "[", count: size) + String(repeating: "]", count: size) + "}"
    },
    refused("limit-string", 20_000, code: "limit-string-bytes") { size, limits in
      limits.stringBytes = size
      return #"{"id":1,"name":"\#(String(repeating: "x", count: size + 1))"}"#
    },
    refused("limit-number", 2_000, code: "limit-number-bytes") { size, limits in
      limits.numberBytes = size
      return #"{"id":1\#(String(repeating: "0", count: size))}"#
    },
    refused("unknown-keys", 500, code: "unknown-key", unknownKeys: .error) { size, limits in
      limits.errors = max(1, size)
      return #"{"id":1,"name":"x","# + (0..<size).map { #""key \#($0)":1"# }.joined(separator: ",") + "}"
    },
  ]

  /// An import into `Ruled` that fails, except at size 0, where there is no fault.
  private static func refused(
    _ name: String, _ size: Int, code: String, unknownKeys: ImportOptions.UnknownKeys = .ignore,
    _ text: @escaping @Sendable (Int, inout ImportLimits) -> String
  ) -> CostCase {
    CostCase(name, size) { size in
      let context = try CostModel.context()
      var options = ImportOptions(unknownKeys: unknownKeys)
      let text = size == 0 ? "[]" : text(size, &options.limits)
      // The cost of a faulty import does not include work that only the first successful import does.
      try context.load("[]", "Ruled")
      let isLines = text.first == "{" && text.last == "\n"
      var error: ImportError?
      return Work {
        do throws(ImportError) {
          if isLines {
            let stream = try ImportStream(ofEntity: "Ruled", in: context, format: .lines, options: options)
            try stream.append(text.utf8)
            try stream.finish()
          } else {
            try objects(ofEntity: "Ruled", fromJSON: text, in: context, options: options)
          }
        } catch let thrown {
          error = thrown
        }
      } check: {
        try expectEqual(context.count(ofEntity: "Ruled"), 0)
        try expectEqual(error?.diagnostics.first?.code.rawValue, size == 0 ? nil : code)
        // Equal faults are reported as one message with a count.
        if name.hasSuffix("-all") { try expectEqual(error?.diagnostics.reduce(0) { $0 + $1.count } ?? 0, size) }
      }
    }
  }
}
