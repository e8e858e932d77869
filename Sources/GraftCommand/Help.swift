import GraftTools

/// The text that `--help` prints. Examples come first, because most readers need nothing else.
enum Help {
  static let overview = """
    graft: merges JSON into a graph of unique objects, as a model file says

    Examples:
      graft infer heroes.json --output Comics.json
      graft lint Comics.json
      graft import --model Comics.json Hero=heroes.json
      graft import --model Comics.json Hero=heroes.json --export Hero=-
      graft format Comics.json

    Commands:
    \(Program<Command>.commandList)

    Options:
      --help, -h   show this; behind a command, show how it is used
      --version    show the version

    Data goes to the standard output, messages to the standard error stream. On a
    terminal, errors are coloured, unless NO_COLOR is set.

    Exit status: 0 done; 1 findings, or an import that failed; 2 wrong usage; 3 a
    file that cannot be read or written.

    """

  static let infer = """
    graft infer: makes a first model of sample payloads

    Examples:
      graft infer heroes.json --output Comics.json
      graft infer Hero=monday.json Hero=tuesday.json --output Comics.json
      graft infer Hero=new.json --update Comics.json
      some-service | graft infer Hero=- --at data.items > Comics.json

    Usage: graft infer [ENTITY=]PAYLOAD... [OPTIONS]

      PAYLOAD              a JSON file; '-' is the standard input. Several samples
                           of one entity refine each other: what one of them lacks
                           is optional
      ENTITY               the name of the entity that the file holds objects of.
                           Without it, the name of the key or of the file decides
      --output MODEL       where the model file goes; without it, to the standard
                           output
      --at KEYPATH         where the objects are, such as data.items; '.' is the
                           whole document. Given once it counts for all payloads;
                           given once for each, the first belongs to the first
      --lines              payloads are JSON Lines: each line is a document, or
                           blank
      --update MODEL       add to this model what the payloads show: new keys, keys
                           that are optional, new values of enums, new entities.
                           Everything else in the file stays, comments included

    The model has an entity for each kind of object. Names and values of keys show
    what identifies objects, which keys are optional, the types of values, and which
    values identify other objects. Comments in the model mark what was guessed.

    The model is then checked as 'graft lint' does, and the samples are imported
    with it. If that fails with some of the guesses, they are given up. The result,
    and the command that imports the samples, go to the standard error stream.

    Exit status: 0 done; 1 a payload that is not JSON or has no objects, or one that
    no model can import; 2 wrong usage; 3 a file that cannot be read or written.

    """

  static let `import` = """
    graft import: merges JSON payloads into one graph of unique objects

    Examples:
      graft import --model Comics.json Hero=heroes.json
      graft import --model Comics.json Hero=h.json Power=p.json --export Hero=-
      graft import --model Twitter.json Tweet=t.json --at statuses --dump graph.json
      graft import --model Events.json Event=e.jsonl --lines --batch-size 10000
      some-service | graft import --model Comics.json Hero=- --dry-run --report json
      graft import --model Comics.json --store comics.graft Hero=heroes.json
      graft import --model Comics.json Hero=heroes.json --trace 'Hero(101)'

    Usage: graft import --model MODEL ENTITY=PAYLOAD... [OPTIONS]

    The payloads are imported as one: if any fails, none is imported and nothing is
    written, unless --batch-size is given. Their order decides only which of two
    contradicting values wins: the later one. '-' stands for the standard input or
    output.

      --model MODEL        the model file
      ENTITY=PAYLOAD       the file that holds objects of an entity
      ENTITY@KEYPATH=FILE  the same, and where they are, as --at says it: several
                           parts of one file can be imported together
      --store FILE         keep the graph in this file, an SQLite database, and
                           merge into what it contains; a new file is created.
                           Without it, the graph is in memory only
      --assume NAME=WORD   what stands in for a transformer or mapper that only your
                           program has: for a value transformer, a built-in one such
                           as StringToInteger; for all of them, asIs, which leaves
                           the value, the object or its entity as it is. Repeatable

    What is read:
      --at KEYPATH         where the objects are, such as data.items; '.' is the
                           whole document, '["a.b", "c"]' keys that contain dots.
                           Given once it counts for all payloads; given once for
                           each, the first belongs to the first
      --lines              payloads are JSON Lines: each line is a document, or
                           blank
      --batch-size N       import at most N objects at once, as a payload of their
                           own; those before a fault stay. Arrays and lines of any
                           length are read in bounded memory
      --unknown-keys WORD  keys that the model does not map: ignore (the default),
                           report, or error
      --skip-faulty        import an array, a collection by keys, or lines without
                           the elements that contain a fault; name them, with all
                           their faults
      --missing WORD       objects of a payload's entity that no payload mentions:
                           keep (the default), or delete, if payloads are the whole
                           lists of what exists
      --warnings WORD      what is probably a mistake, although it can be imported:
                           show (the default), error, or none

    What is written:
      --dry-run            report, export and dump the graph as it would be
      --report FORMAT      what happened to how many objects: text (the default), or
                           json, which also says what changed in which object, and
                           which lost a link (unlinked); on the standard output.
                           Text gives way to a document that goes there, and goes to
                           the standard error stream. If the import fails, json
                           contains the errors, in the form of 'graft lint'
      --trace 'ENTITY(ID)' after the report, every mention of an object in the
                           payloads, in the order in which they are applied: how it
                           was found, what each dictionary set or changed, from
                           which key, by which transformer or inverse. Repeatable.
                           Also shown if the import fails
      --progress           show on the terminal at once how far --lines or
                           --batch-size have come, not only after a second
      --quiet              neither report nor warnings; errors are always shown
      --export ENTITY=FILE all objects of an entity and its sub-entities as JSON;
                           may be repeated
      --indent             export indented JSON, which people can read
      --omit-nil           leave out what has no value, instead of null
      --roots              export only objects that no other one of their entity
                           contains: those at the top of a tree
      --once               export a shared object once for each root, then as its
                           identifier
      --depth N            export arrays and objects at most N levels deep, all that
                           lies within; an object below is written as its identifier
      --representation Hero.powers=WORD
                           how a relationship is exported, whatever the model says:
                           object, identifier, or none. Repeatable
      --incomplete WORD    what to do with a relationship that cannot be exported
                           completely: omit it with its key (omit, the default), or
                           export nothing and name it (error)
      --dump FILE          the whole graph as one JSON document

    Files are written when everything has succeeded. With --batch-size, exports and
    the dump are written after a fault, too, and hold what was kept; the exit status
    is 1 all the same. Each file is there as a whole or not at all.

    Exit status: 0 done; 1 a model with errors, or an import that failed; 2 wrong
    usage; 3 a file that cannot be read or written.

    """

  static let export = """
    graft export: writes the objects of a store as JSON

    Examples:
      graft export --store comics.graft Hero
      graft export --store comics.graft Hero --depth 1 --output heroes.json
      graft export --store comics.graft Hero --where 'publisher.name = "DC"'
      graft export --store comics.graft Hero --sort=-appearances,name --limit 10

    Usage: graft export --store FILE ENTITY [OPTIONS]

      ENTITY               all objects of this entity and its sub-entities
      --store FILE         the store
      --model MODEL        the model file; without it, the model with which the
                           store was written. What another one adds is added to the
                           store; one that removes something is refused
      --where CONDITION    only the objects that meet a condition; see below
      --sort NAMES         sort by attributes, separated by commas; a minus before a
                           name puts the largest first. Without it, objects are
                           sorted by identity. A missing value comes last
      --limit N            write at most N objects
      --skip-damaged       write the readable rows of a damaged store, list what is
                           lost, and end with the exit status 1
      --output FILE        where to write; without it, to the standard output
      --indent             write indented JSON, which people can read
      --omit-nil           leave out what has no value, instead of null
      --roots              write only objects that no other one of them contains:
                           those at the top of a tree
      --once               write a shared object once for each root, then as its
                           identifier
      --depth N            write arrays and objects at most N levels deep, all that
                           lies within; an object below is written as its identifier
      --representation Hero.powers=WORD
                           how a relationship is written, whatever the model says:
                           object, identifier, or none. Repeatable
      --incomplete WORD    what to do with a relationship that cannot be written
                           completely: omit it with its key (omit, the default), or
                           write nothing and name it (error)

    A condition compares properties with values, and combines comparisons:

      name = "Batman" and publisher.name != 'DC' or not (appearances < 10)
      name beginsWith "Bat" and realName contains "Wayne"
      born >= "1939-05-01T00:00:00Z" and rank not in ("a", "b") and realName is null
      isActive and publisher = "DC" and powers.count > 2
      some powers (name = "Agility") and every powers (level >= 3)

    Values are written as in JSON, texts, dates and UUIDs in quotes. Texts are
    compared by their bytes. A to-one relationship leads to the properties of its
    object, and is equal to its identifier. A comparison with a missing value is
    false, except for = and !=. A name that is not a word, or that is a word of this
    language, needs backquotes: `not`.

    Exit status: 0 done; 1 a model with errors, or an export that failed; 2 wrong
    usage; 3 a file that cannot be read or written.

    """

  static let store = """
    graft store: describes, checks, migrates, copies or salvages a store

    Examples:
      graft store info comics.graft
      graft store verify comics.graft
      graft store migrate comics.graft --model Comics.json --plan
      graft store migrate comics.graft --model Comics.json --remove Hero.nickname
      graft store backup comics.graft --output monday.graft
      graft store salvage comics.graft --output saved.graft

    Usage: graft store ACTION FILE [OPTIONS]

      info       the model, the number of commits, and how many objects there are
      verify     look for damage: reads everything, half a minute for a gigabyte
      migrate    change the store to another version of its model, and list the
                 changes. A copy is kept if something is rewritten. If data would be
                 lost without consent, nothing is changed and each reason is named
      backup     copy the store as it is now, while others may use it
      salvage    copy the readable rows of a damaged store, and list what is lost

      --model MODEL    the model file to migrate to; or that of a damaged store,
                       if its own model cannot be read
      --plan           only list what a migration would change
      --remove NAME    remove this entity or Entity.property although the store has
                       objects or values of it; may be repeated. A model file can
                       list such names under 'removed'
      --no-backup      keep no copy of the store
      --output FILE    the copy; there must be no such file

    Exit status: 0 done; 1 damage, a model with errors, or a migration that is not
    possible; 2 wrong usage; 3 a file that cannot be read or written.

    """

  static let diff = """
    graft diff: compares two versions of a model, for stores and payloads

    Examples:
      graft diff Comics-1.json Comics-2.json
      git show HEAD:Comics.json | graft diff - Comics.json
      graft diff comics.graft Comics-2.json
      graft diff Comics-1.json Comics-2.json --format json

    Usage: graft diff OLD NEW [OPTIONS]

      OLD, NEW           the model files; '-' is the standard input. Of a store, the
                         model with which it was written last is compared, not its
                         objects
      --format FORMAT    text (the default), or json: an object with what happens to
                         a store, and an array of what happens to payloads

    It shows what a store of the old version changes by itself when it is opened
    with the new one, what it changes only if it does not have certain objects, and
    what it cannot change. 'graft store migrate' follows the same plan. If a
    property was removed while one of the same type was added, it shows how to keep
    the data.

    It also shows what matters to payloads that were written for the old version:
    what makes an import reject them, and what is read differently.

    Exit status: 0 every store can be migrated; 1 not every store can, or a model
    has errors; 2 wrong usage; 3 a file that cannot be read.

    """

  static let schema = """
    graft schema: prints the JSON Schema of model files, or of payloads

    Examples:
      graft schema > model.schema.json
      graft schema --payload Comics.json Hero > hero.schema.json

    Usage: graft schema
           graft schema --payload MODEL ENTITY
           graft schema --export MODEL ENTITY

      --payload    print the schema of an entity's payloads as imports read them.
                   It accepts whatever imports without errors, unless mentions of
                   an object contradict each other. It accepts unknown keys and
                   what transformers read, and does not notice missing values of
                   objects with an identity, which another mention may give
      --export     print the schema of what exports of the entity write

    Editors that know JSON Schema (2020-12) then complete the words of a model file,
    explain them where the pointer rests, and underline most mistakes. A model names
    the schema in its first line:

      { "$schema": "./model.schema.json", "entities": {} }

    'graft lint' sees more: whether names lead anywhere, and whether the parts fit
    together.

    Exit status: 0 done; 1 a model with errors; 2 wrong usage; 3 a file that cannot
    be read, or a standard output that cannot be written.

    """

  static let explain = """
    graft explain: describes a model, the code of an error, or a rule, in words

    Examples:
      graft explain Comics.json
      graft explain Comics.json Hero
      graft explain wrong-type
      graft explain M12

    Usage: graft explain MODEL [ENTITY]
           graft explain CODE
           graft explain RULE
           graft explain --codes

      MODEL      a model file; '-' is the standard input
      ENTITY     the entity to explain; without it, all of them
      CODE       the code of an error or a warning, as in the output of
                 'graft lint --format json': what it means, an example, and the fix
      RULE       the number of a rule that a message or the documentation cites
      --codes    print the explanations of all codes, as Markdown

    For each entity: what tells its objects apart, where each property stands in
    JSON, what reads it, what is allowed, what null and absence do, and an example
    payload. The example has been imported into an empty graph before it is printed.
    Where none can be made, the reason stands there instead.

    Exit status: 0 done; 1 a model with errors; 2 wrong usage; 3 a file that cannot
    be read.

    """

  static let diagram = """
    graft diagram: draws a model

    Examples:
      graft diagram Comics.json
      graft diagram Comics.json --format svg > Comics.svg
      graft diagram Comics.json --format dot | dot -Tpdf > Comics.pdf

    Usage: graft diagram MODEL [OPTIONS]

      MODEL              a model file; '-' is the standard input
      --format FORMAT    mermaid (the default): a class diagram that many sites and
                         editors show in Markdown. dot: a graph for Graphviz. svg: a
                         picture, ready to look at

    Each entity shows what it declares itself: its attributes with their types ('?':
    may be nil), the identity marked, and its relationships. A relationship and its
    inverse are one line; at each end stands how many objects of that end belong to
    one at the other. A hollow arrow leads to the parent.

    Exit status: 0 done; 1 a model with errors; 2 wrong usage; 3 a file that cannot
    be read, or a standard output that cannot be written.

    """

  static let convert = """
    graft convert: makes a model file of a Core Data model

    Examples:
      graft convert Comics.xcdatamodeld --output Comics.json
      graft convert Comics.xcdatamodeld --key-strategy snakeCase
      graft convert 'Comics.xcdatamodeld/Comics 2.xcdatamodel' | graft explain -

    Usage: graft convert CORE-DATA-MODEL [OPTIONS]

      CORE-DATA-MODEL        an .xcdatamodeld, of which the current version is read;
                             an .xcdatamodel; or the 'contents' in it. '-' reads
                             such contents from the standard input
      --output FILE          where the model file goes; without it, to the standard
                             output
      --key-strategy WORD    where properties without a key path stand in JSON:
                             explicit (nowhere), sameName or snakeCase. Without it,
                             the annotations decide

    Annotations in user info become words of the model file: Groot's (JSONKeyPath,
    JSONTransformerName, JSONDictionaryTransformerName, identityAttributes,
    entityMapperName), MagicalRecord's (mappedKeyName, relatedByAttribute,
    dateFormat), or Sync's (sync.remoteKey, sync.isPrimaryKey; or hyper.). All other
    user info is kept. Where nothing else says what identifies an entity, its
    uniqueness constraint does.

    What has no counterpart, and what was chosen for it, is said on the standard
    error stream, a line for each, with its place. Then the result is checked as
    'graft lint' does. A result with errors is written all the same, to be mended by
    hand.

    The model file names its JSON Schema, model.schema.json; 'graft schema' prints
    it.

    Exit status: 0 done; 1 no Core Data model, or a result with errors; 2 wrong
    usage; 3 a file that cannot be read or written, such as a model in the binary
    format of Xcode 3.

    """

  static let completions = """
    graft completions: prints a script that completes what is typed after 'graft'

    Examples:
      echo 'source <(graft completions bash)' >> ~/.bashrc
      graft completions zsh > ~/.zsh/completions/_graft
      graft completions fish > ~/.config/fish/completions/graft.fish

    Usage: graft completions bash|zsh|fish

      bash, zsh, fish    the shell. bash 3.2 and later; for zsh, the folder of the
                         script has to be in 'fpath' before 'compinit' runs; fish
                         finds the script by itself
      --complete         print what may stand in place of the last of the words
                         behind '--': this is what the scripts ask, so that they
                         need no change when the program has one

    Completed are commands, options, their words, model files, and the names of a
    model's entities.

    Exit status: 0 done; 2 wrong usage; 3 the standard output cannot be written.

    """
}
