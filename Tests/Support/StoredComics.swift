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

  /// Returns a new context that has no objects in memory.
  package func context() throws -> ManagedObjectContext { try source.context() }

  /// The dump of the store's graph.
  package var dump: String {
    get throws {
      let context = try context()
      let dump = String(decoding: context.dump(), as: UTF8.self)
      // The commit throws the errors that occurred while objects were loaded.
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
