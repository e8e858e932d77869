import Graft
import Testing

@Suite("Errors in discriminators") struct DiscriminatorFaultTests {
  private func message(_ payload: String) throws -> String? {
    let context = ManagedObjectContext(
      model: try ManagedObjectModel(
        text: """
          {
            "name": "Shapes",
            "entities": {
              "Shape": {
                "abstract": true,
                "entityMapper": { "JSONKeyPath": "meta.kind", "entities": { "circle": "Circle", "square": "Square" } }
              },
              "Circle": { "parent": "Shape" },
              "Square": { "parent": "Shape" }
            }
          }
          """))
    let error = #expect(throws: ImportError.self) {
      try objects(ofEntity: "Shape", fromJSON: payload, in: context, options: ImportOptions(sourceName: "shapes.json"))
    }
    return error.map { DiagnosticRenderer().render($0.diagnostics) }
  }

  @Test("I11: the error for an unlisted discriminator has its location, and a suggestion")
  func unlisted() throws {
    #expect(
      try message(#"[{"meta": {"kind": "circel"}}]"#) == #"""
        shapes.json:1:20: error: expected one of "circle", "square" for 'meta.kind', which chooses the sub-entity of 'Shape', found the string "circel"; did you mean 'circle'?
          at $[0].meta.kind
        1 | [{"meta": {"kind": "circel"}}]
          |                    ^~~~~~~~
        <model>:6:23: note: 'Shape' is mapped to its sub-entities here
        """#)
    #expect(try message(#"{"meta": {"kind": 7}}"#)?.contains("found the number 7\n") == true)
  }

  @Test("I11: the error for a missing discriminator has the location of the object")
  func missing() throws {
    #expect(
      try message(#"[{"meta": {}}]"#) == #"""
        shapes.json:1:2: error: cannot tell which sub-entity of the abstract entity 'Shape' this object belongs to
          at $[0]
        1 | [{"meta": {}}]
          |  ^
        <model>:5:19: note: 'Shape' is declared abstract here
        note: expected 'meta.kind' to be one of "circle", "square"
        """#)
  }
}
