extension FormatCommand {
  /// The purpose, for the list of commands.
  package static let summary = "format model files; comments are kept"

  /// The text that `graft format --help` prints.
  package static let help = """
    graft format: formats model files

    Examples:
      graft format Comics.json
      graft format --check Models/*.json
      graft format - < Comics.json

    Usage: graft format MODEL... [OPTIONS]

      MODEL      a model file; '-' reads standard input and writes to standard
                 output
      --check    change nothing; list the files that differ from their canonical
                 layout

    Keys have a fixed order. A property is on one line if it fits in 120 columns;
    otherwise, each of its members is on its own line. Comments stay with what they
    describe, blank lines between members stay, and strings and numbers are kept
    exactly as written. The meaning of the model does not change.

    A file that differs is replaced as a whole. A file with syntax errors is left
    unchanged, and the errors are shown; 'graft lint' shows all other errors of a
    model.

    Exit status: 0 success; 1 files that differ (with --check), or syntax errors; 2
    wrong usage; 3 a file that cannot be read or written.

    """
}
