package import Graft

/// Heroes, powers and publishers in a store, or in a parent context.
package struct StoredComics {
  package let model: ManagedObjectModel
  package let source: ContextSource

  package init(_ kind: ContextSource.Kind, _ payload: String? = nil) throws {
    model = try ManagedObjectModel(
      text: "{\"keyStrategy\": \"sameName\", \"entities\": {\n\(Fixture.comics)\n}}", name: "m.json")
    source = try ContextSource(kind, model)
    if let payload { try context().load(payload, "Hero") }
  }

  /// A new context, with nothing in memory.
  package func context() throws -> ManagedObjectContext { try source.context() }

  /// The graph of the store.
  package var dump: String {
    get throws {
      let context = try context()
      let dump = String(decoding: context.dump(), as: UTF8.self)
      // Errors of loading are thrown here.
      try context.commit()
      return dump
    }
  }

  package static let heroes = """
    [{"id": 1, "name": "Heron", "powers": [{"id": 1, "name": "Flight"}, {"id": 2, "name": "Silence"}],
      "publisher": {"id": 9, "name": "Marsh"}},
     {"id": 2, "name": "Otter", "powers": [2], "publisher": 9},
     {"id": 3, "name": "Newt", "publisher": 8}]
    """
}
