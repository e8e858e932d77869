extension GenerateCommand {
  /// The purpose, for the list of commands.
  package static let summary = "write typed classes of a model, as Swift source"

  /// The text that `graft generate --help` prints.
  package static let help = """
    graft generate: writes typed classes of a model, as Swift source

    Examples:
      graft generate Comics.json --output Sources/App/Comics
      graft generate Comics.json --output Sources/App/Comics --check
      graft generate Comics.json --output Comics.generated.swift --access public
      graft generate Comics.json --output Sources/App/Comics --namespace Comics

    Usage: graft generate MODEL --output FOLDER|FILE.swift [OPTIONS]

      MODEL                the model file; '-' is standard input
      --output FOLDER      a file for each entity, such as Hero.generated.swift, and
                           one for the model. Write extensions of a class in
                           separate files next to them
      --output FILE.swift  all in one file; '-' is standard output
      --access WORD        the access level of the classes: internal (the default),
                           package or public
      --non-optional WORD  which attributes are not optionals in Swift: none (the
                           default), identity (the required identity attributes)
                           or required (all that are not "optional"). Reading such
                           an attribute traps if it has no value
      --integers WORD      int (the default): integers are Int. declared: Int16,
                           Int32 or Int64, as the model declares them
      --namespace NAME     put the classes into an enum of this name: Comics.Hero
      --prefix WORD        the prefix of class names: ComicsHero; names that the
                           model gives ("class") have no prefix
      --loader NAME        the name of the enum that loads the model
      --options FILE       read more of these options from a file, such as
                           {"access": "public"}; the options of one model are under
                           the name of its file: {"Shop.json": {"prefix": "Shop"}}
      --check              change nothing; list the files that differ

    An attribute is an optional even if the model requires it, because a placeholder
    has only its identity, and a new or deleted object not even that. By default,
    therefore, no payload can make reading a property fail.

    The enum that loads the model is named after the model ("name") or, without a
    name, after its file up to the first dot, in upper camel case, followed by
    Model: ComicsModel. It is never in the namespace and has no prefix.

    Files that would not change are not written. A file that was generated from this
    model but no longer belongs to an entity is removed. Files that were not
    generated are never changed.

      // The model's text is part of the generated source.
      let model = try ComicsModel.load()
      let batman = try Hero.find(identifier: 1699, in: context)

    Exit status: 0 success; 1 a model with errors, names that are the same in Swift,
    or files that differ (with --check); 2 wrong usage; 3 a file that cannot be read
    or written.

    """
}
