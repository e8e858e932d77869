import Testing

/// Checks the number of stored properties of each type, which a reader must keep in mind to read any method of the type.
@Suite("Architecture: state") struct StateTests {
  /// A type, and the number of its stored properties.
  struct Stored: Equatable {
    var type: String
    var count: Int
  }

  /// The number of stored properties of each struct and class; nested types are listed separately.
  static func stored(_ code: String) -> [Stored] {
    var found: [Stored] = []
    // The types that contain the current line, with the depth of their members and their positions in `found`.
    var open: [(index: Int, depth: Int)] = []
    var depth = 0
    for line in code.split(separator: "\n") {
      // Most lines need no regular expression, which would be slow.
      let mayDeclare = ["struct ", "class ", "actor "].contains { line.contains($0) }
      let declaration =
        mayDeclare ? line.firstMatch(of: /^\s*(?:[\w()@]+ )*?(?:struct|class|actor) (\w+)/) : nil
      if let type = open.last, type.depth == depth, !line.contains("static "),
        line.firstMatch(of: /^\s*(?:[\w()@]+ )*?(?:let|var) \w/) != nil,
        !line.contains("{") || line.firstMatch(of: /[^=!]=\s/) != nil
      {
        found[type.index].count += 1
      }
      if let declaration {
        open.append((found.count, depth + 1))
        found.append(Stored(type: String(declaration.1), count: 0))
      }
      for character in line {
        if character == "{" { depth += 1 }
        if character == "}" {
          depth -= 1
          if let type = open.last, depth < type.depth { open.removeLast() }
        }
      }
    }
    return found
  }

  /// Types with more stored properties, each with the reason.
  static let large = [
    "RelationshipDescription": "is public: what a model declares of a relationship",
    "AttributeDescription": "is public: what a model declares of an attribute",
    "EntityDescription": "is public: what a model declares of an entity",
    "EntityPlan": "is an entity of the model, compiled",
    "SlotPlan": "is a property of the model, compiled",
    "FieldPlan": "is a key of the model, compiled",
    "GraphState": "is a graph: its tables, texts, vectors and journal",
    "Frame": "is small, because one is made for each object that is exported",
    "LibPQ": "is a library: each property is one of its functions",
    "SampleShape": "is what the samples contain at one location: counts and hashes",
    "EntityDraft": "is an entity whose parts are found one by one",
    "Property": "is what a model file, or a draft of one, says about a property",
  ]

  @Test("State: a type has few stored properties, except for listed types, each of which has a reason")
  func state() throws {
    let types = try ArchitectureTests.allFiles().flatMap { Self.stored($0.code) }.filter { $0.count > 14 }
    #expect(types.filter { Self.large[$0.type] == nil } == [])
    #expect(Set(Self.large.keys).subtracting(types.map(\.type)) == [])
  }

  @Test("State: the test finds stored properties")
  func stateItself() {
    let code = """
      struct A {
        static let x = 1
        let a = 1
        private(set) var b: Int
        var c: Int { 3 }
        @inline(__always) var d: Int { 4 }
        struct B {
          var e = [1: { 2 }]
        }
        func f() {
          let g = 1
        }
        var h: (Int) -> Void
      }
      """
    #expect(Self.stored(code) == [Stored(type: "A", count: 3), Stored(type: "B", count: 1)])
  }
}
