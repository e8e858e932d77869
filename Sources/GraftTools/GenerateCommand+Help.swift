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

      MODEL                the model file; '-' is the standard input
      --output FOLDER      a file for each entity, such as Hero.generated.swift, and
                           one for the model. Extensions of a class stand beside it,
                           in files of their own
      --output FILE.swift  all in one file; '-' is the standard output
      --access WORD        who may use the classes: internal (the default), package
                           or public
      --non-optional WORD  which attributes are not optionals in Swift: none (the
                           default), identity (the required ones that tell objects
                           apart) or required (all that are not "optional"). Reading
                           one that has no value stops the program
      --integers WORD      int (the default): integers are Int. declared: Int16,
                           Int32 or Int64, as the model declares them
      --namespace NAME     put the classes into an enum of this name: Comics.Hero
      --prefix WORD        begin the names of classes with this: ComicsHero;
                           classes that the model names ("class") keep theirs
      --loader NAME        the name of the enum that loads the model
      --options FILE       read more of these options from a file, such as
                           {"access": "public"}; those of one model are under the
                           name of its file: {"Shop.json": {"prefix": "Shop"}}
      --check              change nothing; list the files that differ

    An attribute is an optional even if the model requires it: a placeholder has
    only its identity, and an object that was just inserted, or deleted, not even
    that. So by default no payload can make reading a property fail.

    The enum that loads the model is named after the model ("name"), or else its
    file up to the first dot, in upper camel case, with Model at the end:
    ComicsModel. It is never in the namespace and has no prefix.

    Files that are the same already are not written. A file that was generated from
    this model and belongs to no entity any more is removed; one that was not
    generated is never touched.

      // The model's text is part of the generated source.
      let model = try ComicsModel.load()
      let batman = Hero.find(identifier: 1699, in: context)

    Exit status: 0 done; 1 a model with errors, names that Swift cannot tell apart,
    or files that differ (with --check); 2 wrong usage; 3 a file that cannot be read
    or written.

    """
}
