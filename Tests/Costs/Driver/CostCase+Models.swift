import Graft

extension CostCase {
  /// Models with n entities.
  static let modelCases: [CostCase] = [
    CostCase("load-model", 25) { size in
      let text = model(size) { #""id": {"type": "integer64", "JSONKeyPath": "id\#($0)"}"# }
      var model: ManagedObjectModel?
      return Work {
        model = try ManagedObjectModel(text: text)
      } check: {
        try expectEqual(model?.entities.count, size + 1)
      }
    },
    // One entity with n attributes under one key.
    CostCase("load-flat-model", 100) { size in
      let attributes = (0..<size).map {
        #""a\#($0)": {"type": "string", "optional": true, "JSONKeyPath": "a.b\#($0)"}"#
      }
      let text =
        #"{"entities": {"E": {"attributes": {\#((attributes + [#""id": "string""#]).joined(separator: ", "))}}}}"#
      var model: ManagedObjectModel?
      return Work {
        model = try ManagedObjectModel(text: text)
      } check: {
        try expectEqual(model?.entities.first?.attributes.count, size + 1)
      }
    },
    CostCase("load-faulty-model", 25) { size in
      let text = model(size) { _ in #""id": {"type": "integer65"}"# }
      var error: ModelError?
      return Work {
        do throws(ModelError) {
          _ = try ManagedObjectModel(text: text)
        } catch let thrown {
          error = thrown
        }
      } check: {
        try expect((error?.diagnostics.count ?? 0) >= size, "only \(error?.diagnostics.count ?? 0) findings")
      }
    },
    CostCase("format-model", 25) { size in
      let text = model(size) { #""id": {"type": "integer64", "JSONKeyPath": "id\#($0)"}"# }
      var formatted = ""
      return Work {
        formatted = try ModelFileFormatter.format(text)
      } check: {
        try expect(formatted.utf8.count > size * 100, "too short: \(formatted.utf8.count)")
      }
    },
  ]

  /// Entities in a ring. Each has one special attribute, six common attributes, and relationships to the next entity and back.
  private static func model(_ size: Int, _ attribute: (Int) -> String) -> String {
    let count = size + 1
    let entities = (0..<count).map { number in
      let others = (0..<6).map { #""a\#($0)": {"type": "string", "optional": true, "JSONKeyPath": "a\#($0)"}"# }
      return #"""
        "Entity\#(number)": {
          "identityAttributes": "id",
          "attributes": {\#(([attribute(number)] + others).joined(separator: ", "))},
          "relationships": {
            "next": {"destination": "Entity\#((number + 1) % count)", "inverse": "previous", "JSONKeyPath": "next"},
            "previous": {"destination": "Entity\#((number + count - 1) % count)", "inverse": "next"}
          }
        }
        """#
    }
    return "{\"entities\": {\n\(entities.joined(separator: ",\n"))\n}}"
  }
}
