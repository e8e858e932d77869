/// What `--help` prints. Examples come first: most people need no more.
enum Help {
  static let overview = """
    graft: merges JSON into a graph of unique objects, as a model file says

    Examples:
      graft import --model Comics.json Hero=heroes.json
      graft import --model Comics.json Hero=heroes.json --export Hero=-
      graft lint Comics.json
      graft format Comics.json

    Commands:
      import    merge JSON payloads into one graph; report, export or dump it
      lint      check model files
      format    lay out model files; comments stay
      schema    print the JSON Schema of model files, for editors
      explain   say in words what a model file means, with payloads that import
      diagram   draw a model: entities, attributes, relationships, inheritance
      help      show this, or what 'graft help COMMAND' asks for

    Options:
      --help, -h   show this; behind a command, show how it is used
      --version    show the version

    Data goes to the standard output, messages to the standard error stream.

    Exit status: 0 done; 1 findings, or an import that failed; 2 wrong usage; 3 a file that cannot
    be read or written.

    """

  static let `import` = """
    graft import: merges JSON payloads into one graph of unique objects

    Examples:
      graft import --model Comics.json Hero=heroes.json
      graft import --model Comics.json Hero=heroes.json Power=powers.json --export Hero=-
      graft import --model Twitter.json Tweet=twitter.json --at statuses --dump graph.json
      some-service | graft import --model Comics.json Hero=- --report json

    Usage: graft import --model MODEL ENTITY=PAYLOAD... [OPTIONS]

    The payloads are merged in order, as one unit: when one fails, nothing of any is kept or
    written. '-' stands for the standard input or output.

      --model MODEL        the model file
      ENTITY=PAYLOAD       the file that holds objects of an entity

    What is read:
      --at KEYPATH         where the objects stand, such as data.items; '.' is the whole document,
                           '["a.b", "c"]' keys that hold dots. Given once it counts for all
                           payloads; given once for each, the first belongs to the first
      --unknown-keys WORD  keys that the model does not map: ignore (the default), or error

    What is written:
      --report FORMAT      what happened to how many objects: text (the default) or json, on the
                           standard output. Text gives way to a document that goes there, and goes
                           to the standard error stream
      --quiet              neither report nor warnings; errors are always shown
      --export ENTITY=FILE all objects of an entity and its sub-entities as JSON; may be repeated
      --once               export a shared object once for each root, then as its identifier
      --depth N            export arrays and objects at most N levels deep; what lies below is
                           written as its identifier
      --dump FILE          the whole graph as one JSON document

    Files are written when everything has succeeded, and each is there as a whole or not at all.

    Exit status: 0 done; 1 a model with errors, or an import that failed; 2 wrong usage;
    3 a file that cannot be read or written.

    """

  static let lint = """
    graft lint: checks model files

    Examples:
      graft lint Comics.json
      graft lint Comics.json Messages.json --format json

    Usage: graft lint MODEL... [OPTIONS]

      MODEL                a model file; '-' is the standard input
      --format FORMAT      text (the default): each finding with its place, an excerpt, and the name
                           that was probably meant. json: an array of objects with file, line,
                           column, length, path, severity, code, message, suggestion and notes

    A transformer or mapper that is not built in is a warning here, since a program may register
    it; 'graft import' has no program behind it, and calls it an error.

    Exit status: 0 no errors, at most warnings; 1 errors; 2 wrong usage; 3 a file that cannot be
    read.

    """

  static let format = """
    graft format: lays out model files

    Examples:
      graft format Comics.json
      graft format --check Models/*.json
      graft format - < Comics.json

    Usage: graft format MODEL... [OPTIONS]

      MODEL      a model file; '-' reads the standard input and writes to the standard output
      --check    change nothing; list the files that differ from their canonical layout

    Keys come in one order. A property stands on one line where 120 columns hold it, and otherwise
    on a line for each of its members. Comments stay with what they belong to, blank lines between
    members stay, strings and numbers stay letter for letter; what the model means does not change.

    A file that differs is replaced as a whole. A file whose syntax is wrong is left as it is, and
    what is wrong is shown; 'graft lint' shows everything else that is wrong with a model.

    Exit status: 0 done; 1 files that differ (with --check), or wrong syntax; 2 wrong usage; 3 a
    file that cannot be read or written.

    """

  static let schema = """
    graft schema: prints the JSON Schema of model files

    Examples:
      graft schema > model.schema.json

    Usage: graft schema

    Editors that know JSON Schema (2020-12) then complete the words of a model file, explain them
    where the pointer rests, and underline most mistakes. A model names the schema in its first line:

      { "$schema": "./model.schema.json", "entities": {} }

    'graft lint' sees more: whether names lead anywhere, and whether the parts fit together.

    Exit status: 0 done; 2 wrong usage; 3 the standard output cannot be written.

    """

  static let explain = """
    graft explain: says in words what a model file means

    Examples:
      graft explain Comics.json
      graft explain Comics.json Hero

    Usage: graft explain MODEL [ENTITY]

      MODEL      a model file; '-' is the standard input
      ENTITY     the entity to explain; without it, all of them

    For each entity: what tells its objects apart, where each property stands in JSON, what reads it,
    what is allowed, what null and absence do, and an example payload. The example has been imported
    into an empty graph before it is printed. Where none can be made, the reason stands there instead.

    Exit status: 0 done; 1 a model with errors; 2 wrong usage; 3 a file that cannot be read.

    """

  static let diagram = """
    graft diagram: draws a model

    Examples:
      graft diagram Comics.json
      graft diagram Comics.json --format svg > Comics.svg
      graft diagram Comics.json --format dot | dot -Tpdf > Comics.pdf

    Usage: graft diagram MODEL [OPTIONS]

      MODEL              a model file; '-' is the standard input
      --format FORMAT    mermaid (the default): a class diagram that many sites and editors show in
                         Markdown. dot: a graph for Graphviz. svg: a picture, ready to look at

    Each entity shows what it declares itself: its attributes with their types ('?': may be nil),
    the identity marked, and its relationships. A relationship and its inverse are one line; at each
    end stands how many objects of that end belong to one at the other. A hollow arrow leads to the
    parent.

    Exit status: 0 done; 1 a model with errors; 2 wrong usage; 3 a file that cannot be read, or a
    standard output that cannot be written.

    """
}
