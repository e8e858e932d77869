import Graft

/// An empty context for a model that is given by its entities.
///
///     let context = try context(#""Power": {"identityAttributes": "id", "attributes": {"id": "integer64"}}"#)
///
/// Properties stand under their own names in JSON, so that models stay short.
package func context(
  _ entities: String, transformers: TransformerRegistry = .standard, classes: [ManagedObject.Type] = []
) throws -> ManagedObjectContext {
  let text = "{\"keyStrategy\": \"sameName\", \"entities\": {\n\(entities)\n}}"
  return ManagedObjectContext(
    model: try ManagedObjectModel(text: text, name: "m.json", transformers: transformers, classes: classes))
}

/// What the import of a payload complains about, a line for each error: a marker of the payload in place of the place.
///
///     refusals(#"[{"id": 1️⃣"4"}]"#, of: "Power", in: context)
///     // ["1️⃣ error: expected an integer for 'Power.id', found the string \"4\" (at $[0].id)"]
///
/// Empty: the payload was accepted. A refused import that changed the context says so in a line of its own (I10).
package func refusals(
  _ marked: String, of entity: String, in context: ManagedObjectContext, at keyPath: JSONKeyPath? = nil,
  options: ImportOptions = ImportOptions(), withNotes: Bool = false
) -> [String] {
  let marked = MarkedText(marked)
  var options = options
  options.sourceName = "p.json"
  let before = context.dump()
  do {
    try objects(ofEntity: entity, fromJSON: marked.text, in: context, at: keyPath, options: options)
    return []
  } catch {
    let lines = error.diagnostics.flatMap { diagnostic in
      [marked.naming(diagnostic.description, file: "p.json") + (diagnostic.path.map { " (at \($0))" } ?? "")]
        + (withNotes ? diagnostic.notes.map { "  \($0)" } : [])
    }
    return context.dump() == before ? lines : lines + ["the failed import changed the context"]
  }
}

/// What the import of dictionaries complains about, a line for each error.
package func refusals(_ array: [Any], of entity: String, in context: ManagedObjectContext) -> [String] {
  let before = context.dump()
  do {
    try objects(ofEntity: entity, fromJSON: array, in: context)
    return []
  } catch {
    let lines = error.diagnostics.map(\.description)
    return context.dump() == before ? lines : lines + ["the failed import changed the context"]
  }
}
