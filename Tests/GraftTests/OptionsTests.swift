import Foundation
import Graft
import Testing

@Suite("Options and reports") struct OptionsTests {
  let context: ManagedObjectContext

  init() throws {
    context = ManagedObjectContext(
      model: try ManagedObjectModel(
        text: """
          {
            "name": "Powers",
            "keyStrategy": "sameName",
            "entities": { "Power": { "identityAttributes": "id", "attributes": { "id": "integer64", "name": "string" } } }
          }
          """))
  }

  @Test("I1: options can be passed to an import")
  func importOptions() {
    let options = ImportOptions(sourceName: "powers.json", unknownKeys: .error)
    let error = #expect(throws: ImportError.self) {
      try objects(ofEntity: "Power", fromJSON: #"[{"id": 1, "nam": "Flight"}]"#, in: context, options: options)
    }
    #expect(error?.diagnostics.first?.location?.file == "powers.json")
  }

  @Test("E1: an export can be indented")
  func indents() throws {
    let power = try object(ofEntity: "Power", fromJSON: #"{"id": 1, "name": "Flight"}"#, in: context)
    let data = try jsonData(from: power, options: ExportOptions(indents: true))
    #expect(
      String(decoding: data, as: UTF8.self) == """
        {
          "id": 1,
          "name": "Flight"
        }
        """)
  }

  @Test("D10: the description of an empty report states that there are no objects")
  func report() throws {
    let report = try context.importJSON("[]", ofEntity: "Power")
    #expect(report.inserted.isEmpty && report.description == "no objects")
    #expect(try context.importJSON("[1, 2]", ofEntity: "Power").description == "Power: 2 placeholders")
  }

  @Test("C2: the name of a deleted object without an identity contains no number")
  func deletedName() throws {
    let power = context.insert(ofEntity: "Power")
    #expect(power.description == "Power#1")
    try context.delete(power)
    #expect(power.description == "Power (deleted)")
  }

  @Test("I1: imports that return a report accept the same payloads as imports that return objects")
  func forms() throws {
    let text = #"{"id": 1, "name": "Flight"}"#
    let value: JSON = ["id": 1, "name": "Flight"]
    let dictionary: [String: Any] = ["id": 1, "name": "Flight"]
    let reports = [
      try context.importJSON(text, ofEntity: "Power"), try context.importJSON(value, ofEntity: "Power"),
      try context.importJSON(Data(text.utf8), ofEntity: "Power"),
      try context.importJSON(Array(text.utf8), ofEntity: "Power"),
      try context.importJSON(dictionary, ofEntity: "Power"), try context.importJSON([dictionary], ofEntity: "Power"),
      try context.importJSON(["id": 1, "name": "Flight"], ofEntity: "Power"),
      try context.importJSON([["id": 1, "name": "Flight"]], ofEntity: "Power"),
      try context.importJSON(#"[{"id": 1}, 1]"#, ofEntity: "Power"),
    ]
    #expect(reports[0].inserted == ["Power": 1])
    for report in reports.dropFirst() { #expect(report.unchanged == ["Power": 1] && report.updated.isEmpty) }
  }

  @Test("C2: a number that does not fit the identity's type finds no object")
  func find() throws {
    try context.importJSON("[1, 2]", ofEntity: "Power")
    #expect(try context.find(ofEntity: "Power", identity: 2)?.description == "Power(2)")
    #expect(
      try context.find(ofEntity: "Power", identity: UInt64.max) == nil
        && context.find(ofEntity: "Power", identity: 1.5) == nil)
  }

  @Test("M9: the error for a model file that cannot be read has the reason")
  func unreadable() {
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(contentsOf: URL(filePath: "None.json", relativeTo: URL(filePath: "/none/")))
    }
    #expect(error?.description == "error: the model file 'None.json' cannot be read: there is no such file")
  }
}
