extension LintCommand {
  /// The purpose, for the list of commands.
  package static let summary = "check model files"

  /// The text that `graft lint --help` prints.
  package static let help = """
    graft lint: checks model files

    Examples:
      graft lint Comics.json
      graft lint Comics.json Messages.json --format json
      graft lint --fix Comics.json
      graft lint --watch Comics.json

    Usage: graft lint MODEL... [OPTIONS]

      MODEL                a model file; '-' is standard input
      --format FORMAT      text (the default): each finding with its location,
                           an excerpt, and the probable correct name. json: an
                           array of objects with file, line, column, length, path,
                           severity, code, message, suggestion and notes
      --fix                correct mistakes that have only one possible correction:
                           misspelled names, missing inverses, quotes and commas.
                           Comments and layout are kept. Each fix is listed,
                           then the findings that remain. With '-', the model goes
                           to standard output
      --watch              check again whenever a file changes, until interrupted
      --quiet              write findings only: nothing if there are none

    A transformer or mapper that is not built in is a warning here, since a program
    may register it; 'graft import' has no program and reports an error.
    Advice, for example about attributes that no payload can set, follows if a model
    has no errors.

    Exit status: 0 no errors, but possibly warnings; 1 errors; 2 wrong usage; 3 a
    file that cannot be read or written.

    """
}
