import Graft
import Testing

@Suite("Keys that are values") struct KeyFaultTests {
  let context: ManagedObjectContext

  init() throws {
    context = ManagedObjectContext(
      model: try ManagedObjectModel(
        text: """
          {
            "name": "Areas",
            "entities": {
              "Area": {
                "identityAttributes": "id",
                "attributes": {
                  "id": { "type": "integer64", "JSONKeyPath": "@key" },
                  "name": { "type": "string", "JSONKeyPath": "@value", "minLength": 1 }
                }
              }
            }
          }
          """))
  }

  private func message(_ payload: String) -> String? {
    let error = #expect(throws: ImportError.self) {
      try objects(ofEntity: "Area", fromJSON: payload, in: context, options: ImportOptions(sourceName: "areas.json"))
    }
    return error.flatMap { $0.diagnostics.first }.map { DiagnosticRenderer().render($0) }
  }

  @Test("M11, I11: a key that does not fit is shown where it stands")
  func key() {
    #expect(
      message(#"{"41": "Stalls", "42b": "Balcony"}"#) == #"""
        areas.json:1:18: error: expected a key that spells an integer for 'Area.id', found the key "42b"
          at $['42b']
        1 | {"41": "Stalls", "42b": "Balcony"}
          |                  ^~~~~
        <model>:7:53: note: 'id' is the key of its object (@key) here
        """#)
  }

  @Test("I11: one character is no plural")
  func singular() {
    #expect(message(#"{"41": ""}"#)?.contains("expected at least 1 character for 'Area.name', found 0") == true)
  }
}
