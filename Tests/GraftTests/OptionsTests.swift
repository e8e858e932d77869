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

  @Test("I1: an option is named where the import is called")
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

  @Test("D10: a report of a run begins empty")
  func report() throws {
    var report = ImportReport()
    #expect(report.inserted.isEmpty)
    let text = #"[{"id": 1, "name": "Flight"}]"#
    report.merge(try context.importJSON(Data(text.utf8), into: "Power"))
    report.merge(try context.importJSON(Data(text.utf8), into: "Power"))
    #expect(report.inserted == ["Power": 1] && report.unchanged.isEmpty)
  }

  @Test("C2: a deleted object without an identity is no longer numbered")
  func deletedName() throws {
    let power = context.insert(entityNamed: "Power")
    context.commit()
    #expect(power.description == "Power#1")
    try context.delete(power)
    #expect(power.description == "Power (deleted)")
  }
}
