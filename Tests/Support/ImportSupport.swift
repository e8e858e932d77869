package import Graft

/// Returns the errors of an import, one per line, with the payload's markers as locations.
///
///     refusals(#"[{"id": 1️⃣"4"}]"#, of: "Power", in: context)
///     // ["1️⃣ error: expected an integer for 'Power.id', found the string \"4\" (at $[0].id)"]
///
/// The result is empty if the payload is accepted. If a rejected import changes the context, an extra line reports it (I10).
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

/// Returns the errors of an import of dictionaries, one error per line.
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
