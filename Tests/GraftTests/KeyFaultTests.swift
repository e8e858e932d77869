import Graft
import Testing

@Suite("Faults in collection keys") struct KeyFaultTests {
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

  @Test("M11, I11: the error for an invalid key has the key's location")
  func key() {
    #expect(
      message(#"{"41": "Stalls", "42b": "Balcony"}"#) == #"""
        areas.json:1:18: error: expected a key that spells an integer for 'Area.id', found the key "42b"
          at $['42b']
        1 | {"41": "Stalls", "42b": "Balcony"}
          |                  ^~~~~
        <model>:7:53: note: 'id' is read from the key (@key) here
        """#)
  }

  @Test(
    "M11, T2: the error for a key that StringToInteger cannot read has the reason and a suggested fix",
    arguments: [
      ("04", "an integer for 'Seat.id', found the key \"04\", which has a leading zero"),
      ("-007", "an integer for 'Seat.id', found the key \"-007\", which has a leading zero"),
      ("-0", "an integer for 'Seat.id', found the key \"-0\", which must be written \"0\""),
      ("40000", "an integer for 'Seat.id', found the key \"40000\", which is not between -32768 and 32767"),
      ("4a", "an integer for 'Seat.id', found the key \"4a\""), ("", "an integer for 'Seat.id', found the key \"\""),
    ])
  func stringToInteger(key: String, message: String) throws {
    for transformer in [#", "JSONTransformerName": "StringToInteger""#, ""] {
      let model = try ManagedObjectModel(
        text: """
          {"entities": {"Seat": {"identityAttributes": "id", "attributes": {
            "id": {"type": "integer16", "JSONKeyPath": "@key"\(transformer)}}}}}
          """)
      let error = #expect(throws: ImportError.self) {
        try objects(ofEntity: "Seat", fromJSON: #"{"\#(key)": {}}"#, in: ManagedObjectContext(model: model))
      }
      #expect(error?.diagnostics.map(\.message) == ["expected a key that spells \(message)"])
      let wayOut = error?.diagnostics.first?.notes.contains {
        $0.message == #"to keep such keys as they are, declare 'id' with "type": "string""#
      }
      #expect(wayOut == message.hasSuffix("a leading zero"))
    }
  }

  @Test("M11, T3: the error for a key that a transformer cannot read has the key's location")
  func transformer() throws {
    let model = try ManagedObjectModel(
      text: """
        {"entities": {"Seat": {"identityAttributes": "id", "attributes": {
          "id": {"type": "date", "JSONKeyPath": "@key", "JSONTransformerName": "UnixTime"}}}}}
        """)
    let payload = "{\n \"4 4\":\n\n {}}"
    let error = #expect(throws: ImportError.self) {
      try objects(ofEntity: "Seat", fromJSON: payload, in: ManagedObjectContext(model: model))
    }
    let location = error?.diagnostics.first?.location
    #expect(location?.line == 2 && location?.column == 2 && location?.length == 5)
  }

  @Test("I11: messages with a count of one use the singular")
  func singular() {
    #expect(message(#"{"41": ""}"#)?.contains("expected at least 1 character for 'Area.name', found 0") == true)
  }
}
