import Foundation
import Graft

extension CostCase {
  /// Records in the form in which services send them, with dates, decimals, strings with escapes, and nested objects that many records
  /// share.
  static let recordCases: [CostCase] = [
    records("records-import") { context, text in
      Work {
        try context.importJSON(text, ofEntity: "Order")
      } check: {
      }
    },
    records("records-again") { context, text in
      try context.importJSON(text, ofEntity: "Order")
      return Work {
        try context.importJSON(text, ofEntity: "Order")
      } check: {
      }
    },
    records("records-changed") { context, text in
      try context.importJSON(text, ofEntity: "Order")
      let changed = text.replacingOccurrences(of: "99.50", with: "89.50")
      var report = ImportReport()
      return Work {
        report = try context.importJSON(changed, ofEntity: "Order")
      } check: {
        try expectEqual(report.updated["Order"] ?? 0, (context.count(ofEntity: "Order") + 9) / 10)
      }
    },
    records("records-details") { context, text in
      Work {
        try context.importJSON(text, ofEntity: "Order", options: ImportOptions(reportsDetails: true))
      } check: {
      }
    },
    records("records-dictionaries") { context, text in
      let dictionaries = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any] ?? []
      return Work {
        try context.importJSON(dictionaries, ofEntity: "Order")
      } check: {
      }
    },
    records("records-export") { context, text in
      let orders = try objects(ofEntity: "Order", fromJSON: text, in: context)
      var data = Data()
      return Work {
        data = try jsonData(from: orders)
      } check: {
        try expect(data.count >= orders.count * 300, "only \(data.count) bytes")
      }
    },
  ]

  /// An operation on the text of n orders. Afterwards, there are n orders with their items.
  private static func records(
    _ name: String, _ body: @escaping @Sendable (ManagedObjectContext, String) throws -> Work
  ) -> CostCase {
    CostCase(name, 200) { size in
      let context = ManagedObjectContext(model: try model.get())
      let work = try body(context, text(size))
      return Work {
        try work.body()
      } check: {
        try expectEqual(context.count(ofEntity: "Order"), size)
        try expectEqual(context.count(ofEntity: "Item"), min(size * 3, 50))
        try work.check()
      }
    }
  }

  private static func text(_ size: Int) -> String {
    CostModel.array(size) { number in
      let items = CostModel.array(3) { item in
        let sku = (number * 3 + item) % 50
        return #"{"sku":"item-\#(sku)","title":"Item \#(sku) \"caf\u00e9\"","price":"\#(sku).95"}"#
      }
      return #"""
        {"id":"\#(100_000 + number * 7)","note":"Order number \#(number)\nto be delivered","total":\#(number % 10 == 0 ? "99.50" : "12.25"),\#
        "weight":\#(Double(number) / 7),"paid":\#(number % 2 == 0),"placed_at":"2024-03-\#(10 + number % 18)T12:\#(10 + number % 50):00Z",\#
        "customer":{"number":\#(number % 40),"name":"Customer \#(number % 40)","address":{"city":"Zürich"}},"items":\#(items)}
        """#
    }
  }

  private static let model = Result { () throws(ModelError) in
    try ManagedObjectModel(
      text: #"""
        {
          "keyStrategy": "snakeCase",
          "entities": {
            "Order": {
              "identityAttributes": "identifier",
              "attributes": {
                "identifier": {"type": "integer64", "JSONKeyPath": "id", "JSONTransformerName": "StringToInteger"},
                "note": {"type": "string", "maxLength": 100},
                "total": "decimal",
                "weight": "double",
                "paid": "boolean",
                "placedAt": "date"
              },
              "relationships": {
                "customer": {"destination": "Customer", "inverse": "orders"},
                "items": {"destination": "Item", "toMany": true, "ordered": true, "inverse": "orders"}
              }
            },
            "Customer": {
              "identityAttributes": "number",
              "attributes": {
                "number": "integer64", "name": "string", "city": {"type": "string", "JSONKeyPath": "address.city"}
              },
              "relationships": {
                "orders": {"destination": "Order", "toMany": true, "inverse": "customer", "JSONKeyPath": null}
              }
            },
            "Item": {
              "identityAttributes": "sku",
              "attributes": {
                "sku": "string", "title": "string",
                "price": {"type": "decimal", "JSONTransformerName": "StringToDecimal"}
              },
              "relationships": {
                "orders": {"destination": "Order", "toMany": true, "inverse": "items", "JSONKeyPath": null}
              }
            }
          }
        }
        """#, name: "Orders.json")
  }
}
