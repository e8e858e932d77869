extension FormatCommand {
  /// The purpose, for the list of commands.
  package static let summary = "lay out model files; comments stay"

  /// The text that `graft format --help` prints.
  package static let help = """
    graft format: lays out model files

    Examples:
      graft format Comics.json
      graft format --check Models/*.json
      graft format - < Comics.json

    Usage: graft format MODEL... [OPTIONS]

      MODEL      a model file; '-' reads the standard input and writes to the
                 standard output
      --check    change nothing; list the files that differ from their canonical
                 layout

    Keys come in one order. A property stands on one line where 120 columns hold it,
    and otherwise on a line for each of its members. Comments stay with what they
    belong to, blank lines between members stay, strings and numbers stay letter for
    letter; what the model means does not change.

    A file that differs is replaced as a whole. A file whose syntax is wrong is left
    as it is, and what is wrong is shown; 'graft lint' shows everything else that is
    wrong with a model.

    Exit status: 0 done; 1 files that differ (with --check), or wrong syntax; 2
    wrong usage; 3 a file that cannot be read or written.

    """
}
