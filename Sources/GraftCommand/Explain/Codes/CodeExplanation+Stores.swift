import Graft

extension CodeExplanation {
  static let stores = [
    CodeExplanation(
      .notAStore, "A file is not a store, or contains something other than a graph. It was not changed.",
      example: "graft store info photo.jpg", fix: "Give the path of a store, or of a file that does not exist yet."),
    CodeExplanation(
      .newerStore, "A store was written by a newer version of the library. It was not changed.",
      example: "A store of version 2, opened with version 1.", fix: "Update the library and the program."),
    CodeExplanation(
      .damagedStore, "A store contains data that the library never writes. The store was not changed.",
      example: "A file that was partly overwritten, or copied while it was written.",
      fix:
        "Restore a backup. `graft store verify` lists the damage, and `graft store salvage` copies the readable rows."),
    CodeExplanation(
      .unavailableStore,
      "A store cannot be opened, read or written. The context is unchanged, and the call can be repeated.",
      example: "The disk is full, the file is read-only, or another process keeps the store busy.",
      fix: "Remove the cause that the message names, and try again."),
    CodeExplanation(
      .unstorableValue, "A store cannot hold a value that the model allows. Nothing was written.",
      example: #"{"name": "a\u0000b"} imported into PostgreSQL, whose text cannot contain U+0000."#,
      fix: "Use a transformer to remove what cannot be stored, or declare a validation that refuses it."),
    CodeExplanation(
      .incompatibleModel,
      "The model differs from the store's model in a way that would lose data, or is older than the store's model, so the store is not migrated.",
      example: #""age": "integer64" was "age": "string" when the store was written."#,
      fix:
        "Change the model back, or give the property another name. If data may be lost, list the name under `removed` in the model file. `graft store migrate --plan` lists the differences."
    ),
    CodeExplanation(
      .failedMigration,
      "A migration step failed, does not fit the model, or left objects that violate the model. The store was not changed.",
      example: #"StoreMigration(to: "2") { step in throw MyError() }"#,
      fix:
        "Correct the step in the program's code, as the following messages describe. In the meantime, the store can be opened with the old program and model."
    ),
    CodeExplanation(
      .commitConflict, "Another context or process changed the objects that a commit writes. Nothing was written.",
      example: "Two processes rename the same hero.",
      fix: "Roll back, merge and try again, or set `conflictPolicy` to determine which changes win."),
    CodeExplanation(
      .untranslatablePredicate, "A predicate uses something that a store cannot evaluate.",
      example: "#Predicate<Hero> { $0.name?.uppercased() == wanted }",
      fix: "Write the predicate without it, or filter with a closure."),
    CodeExplanation(
      .invalidCondition, "The text of a condition has an error, or names a property that the entity does not have.",
      example: "graft export --store comics.graft Hero --where 'name = Batman'",
      fix:
        "Quote strings, and use the names from the model. `graft export --help` describes conditions; in Swift, interpolate values."
    ),
    CodeExplanation(
      .negativeLimit, "The limit or the offset of a fetch is negative.",
      example: "try context.fetch(Hero.self, limit: -1)", fix: "Check numbers that come from a request."),
  ]
}
