import GraftTools

/// The text that `--help` prints. Examples come first, because most readers need nothing else.
enum Help {
  static let overview = """
    graft: merges JSON into a graph of unique objects, as a model file declares

    Examples:
      graft infer heroes.json --output Comics.json
      graft lint Comics.json
      graft import --model Comics.json Hero=heroes.json
      graft import --model Comics.json Hero=heroes.json --export Hero=-
      graft format Comics.json

    Commands:
    \(Program<Command>.commandList)

    Options:
      --help, -h   show this; after a command, show its help
      --version    show the version

    Data goes to standard output, messages to standard error. On a terminal, errors
    are colored unless NO_COLOR is set.

    Exit status: 0 success; 1 findings, or an import that failed; 2 wrong usage; 3 a
    file that cannot be read or written.

    """

  static let infer = """
    graft infer: drafts a model from sample payloads

    Examples:
      graft infer heroes.json --output Comics.json
      graft infer Hero=monday.json Hero=tuesday.json --output Comics.json
      graft infer Hero=new.json --update Comics.json
      some-service | graft infer Hero=- --at data.items > Comics.json

    Usage: graft infer [ENTITY=]PAYLOAD... [OPTIONS]

      PAYLOAD              a JSON file; '-' is standard input. Several samples
                           of one entity refine each other: a key that one of them
                           lacks is optional
      ENTITY               the name of the entity of the objects in the file.
                           By default, it follows the name of the key or the
                           file; with --update, it is an entity of the model that
                           reads most of their keys
      --output MODEL       where to write the model file; by default, to
                           standard output
      --at KEYPATH         where the objects are, such as data.items or
                           entry[].resource; '.' is the whole document. Give it
                           once for all payloads, or once for each, in the same
                           order
      --lines              payloads are JSON Lines: each line is a document, or
                           blank
      --without GUESS      a kind of guess not to make: digits (numbers and
                           booleans in text), dates or enums; repeatable
      --update MODEL       add to this model what the payloads show: new keys, keys
                           that are optional, new values of enums, new kinds and
                           other entities. Attributes get fractions, text instead
                           of URIs and UUIDs, or 'Lenient' if the payloads need
                           it; other types become plainer only if a comment
                           marks them as a guess that the payloads refute. The
                           rest of the file is kept, including comments. Warnings
                           name what an import of the payloads still loses

    The model has an entity for each kind of object. Names and values of keys show
    what identifies objects, which keys are optional, the types of values, and which
    values identify other objects. Comments in the model mark guesses.

    The model is then checked as with 'graft lint', the samples are imported with
    it, and an export is compared with them. A guess that makes this fail is
    discarded, and a comment gives the reason. The result, and the command that
    imports the samples, go to standard error.

    Exit status: 0 success; 1 a payload that is not JSON, has no objects, or cannot
    be imported by any model; 2 wrong usage; 3 a file that cannot be read or
    written.

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

    The payloads are imported together: if any fails, none is imported and nothing
    is written, unless --batch-size is given. Their order matters only if values
    contradict each other: the later one wins. '-' is standard input or output.

      --model MODEL        the model file
      ENTITY=PAYLOAD       a file with objects of an entity
      ENTITY@KEYPATH=FILE  the same, with the key path of the objects, as for --at:
                           several parts of one file can be imported together.
                           'ENTITY@KEYPATH?=FILE' is a part that may be absent
      'ENTITY(ID).NAME=FILE'
                           the value of a relationship of one object:
                           'Album(9).photos=p.json' contains photos of album 9
      --store STORE        keep the graph in this store, and merge into what it
                           contains: a file, which is an SQLite database, or
                           postgresql://HOST/DATABASE. If there is none, it is
                           created. Without --store, the graph is in memory only
      --assume NAME=WORD   a replacement for a transformer or mapper that only your
                           program has: for a value transformer, a built-in one such
                           as StringToInteger; for any of them, asIs, which keeps
                           the value, object or entity unchanged. Repeatable

    Input:
      --at KEYPATH         where the objects are, such as data.items; '.' is the
                           whole document, '["a.b", "c"]' keys that contain dots.
                           Give it once for all payloads, or once for each, in the
                           same order. 'included?' may be absent
      --lines              payloads are JSON Lines: each line is a document, or
                           blank
      --batch-size N       import at most N objects at a time, as a separate
                           payload; batches before an error are kept. Arrays and
                           lines of any length are read in bounded memory
      --unknown-keys WORD  keys that the model does not map: ignore (the default),
                           report, or error
      --skip-faulty        import an array, a collection by keys, or lines without
                           the elements that contain errors; list them, with all
                           their errors
      --missing WORD       objects of a payload's entity that no payload mentions:
                           keep (the default), or delete, if payloads are complete
                           lists
      --warnings WORD      probable mistakes that can be imported: show (the
                           default), error, or none

    Output:
      --dry-run            report, export and dump the graph as it would be
      --report FORMAT      how many objects were inserted, updated and so on: text
                           (the default), or json, which also lists the changes of
                           each object and the lost links (unlinked). It goes to
                           standard output or, as text, to standard error if a
                           document goes there. If the import fails, json contains
                           the errors, in the format of 'graft lint'
      --trace 'ENTITY(ID)' after the report, every mention of an object in the
                           payloads, in the order in which they are applied: how it
                           was found, what each dictionary set or changed, from
                           which key, by which transformer or inverse. Repeatable.
                           Also shown if the import fails
      --progress           show the progress of --lines or --batch-size on the
                           terminal immediately, not only after a second
      --quiet              show neither report nor warnings, only errors
      --export ENTITY=FILE all objects of an entity and its sub-entities as JSON;
                           may be repeated
      --indent             export indented, readable JSON
      --omit-nil           omit properties without a value, instead of writing null
      --roots              export only objects that no other object of their entity
                           contains: those at the top of a tree
      --once               export a shared object once for each root, then as its
                           identifier
      --depth N            export arrays and objects at most N levels deep; objects
                           below that are written as their identifiers
      --representation Hero.powers=WORD
                           how a relationship is exported, overriding the model:
                           object, identifier, or none. Repeatable
      --incomplete WORD    what to do with a relationship that cannot be exported
                           completely: omit it with its key (omit, the default), or
                           export nothing and report it (error)
      --dump FILE          the whole graph as one JSON document

    Files are written after everything has succeeded. With --batch-size, exports and
    the dump are also written after an error, with the objects that were kept; the
    exit status is still 1. Each file is written completely or not at all.

    Exit status: 0 success; 1 a model with errors, or an import that failed; 2 wrong
    usage; 3 a file that cannot be read or written.

    """

  static let export = """
    graft export: writes the objects of a store as JSON

    Examples:
      graft export --store comics.graft Hero
      graft export --store comics.graft Hero --depth 1 --output heroes.json
      graft export --store comics.graft Hero --where 'publisher.name = "DC"'
      graft export --store comics.graft Hero --sort=-appearances,name --limit 10

    Usage: graft export --store STORE ENTITY [OPTIONS]

      ENTITY               all objects of this entity and its sub-entities
      --store STORE        the store: a file, or postgresql://HOST/DATABASE
      --model MODEL        the model file; by default, the model with which the
                           store was written. One that needs a migration is rejected
      --where CONDITION    only the objects that satisfy a condition; see below
      --sort NAMES         sort by attributes, separated by commas; a minus before a
                           name puts the largest first. By default, objects are
                           sorted by identity. Missing values come last
      --limit N            write at most N objects
      --lines              write JSON Lines: each object as a document on a line of
                           its own
      --skip-damaged       write the readable rows of a damaged store, list what is
                           lost, and end with exit status 1
      --output FILE        where to write; by default, to standard output
      --indent             write indented, readable JSON
      --omit-nil           omit properties without a value, instead of writing null
      --roots              write only objects that no other exported object
                           contains: those at the top of a tree
      --once               write a shared object once for each root, then as its
                           identifier
      --depth N            write arrays and objects at most N levels deep; objects
                           below that are written as their identifiers
      --representation Hero.powers=WORD
                           how a relationship is written, overriding the model:
                           object, identifier, or none. Repeatable
      --incomplete WORD    what to do with a relationship that cannot be written
                           completely: omit it with its key (omit, the default), or
                           write nothing and report it (error)

    A condition compares properties with values, and combines comparisons:

      name = "Batman" and publisher.name != 'DC' or not (appearances < 10)
      name beginsWith "Bat" and realName contains "Wayne"
      born >= "1939-05-01T00:00:00Z" and rank not in ("a", "b") and realName is null
      isActive and publisher = "DC" and powers.count > 2
      some powers (name = "Agility") and every powers (level >= 3)

    Values are written as in JSON: strings, dates and UUIDs in quotes. Strings are
    compared by their bytes. A to-one relationship gives access to the properties of
    its object, and compares with its identifier. A comparison with a missing value
    is false, except for = and !=. A name that is not a word, or that is a keyword,
    must be in backquotes: `not`.

    Exit status: 0 success; 1 a model with errors, or an export that failed; 2 wrong
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
      PGPASSWORD=... graft store info postgresql://ann@db.example.com/comics

    Usage: graft store ACTION STORE [OPTIONS]

    A store is a file, or a PostgreSQL database: postgresql://USER@HOST/DATABASE,
    with all parameters of libpq. Passwords are read from PGPASSWORD or ~/.pgpass,
    never from the URL, which other users could see.

      info       show the model, the number of commits and the number of objects
      verify     look for damage: reads everything, half a minute for a gigabyte
      migrate    change the store to another version of its model, and list the
                 changes. A copy of a file is kept if something is rewritten. If
                 data would be lost without consent, nothing is changed and each
                 reason is listed
      backup     copy the current store, even while it is in use; for a database,
                 use pg_dump
      salvage    copy the readable rows of a damaged file, and list lost rows

      --model MODEL    the model file to migrate to; or the model of a damaged
                       store, if its own model cannot be read
      --plan           only list what a migration would change
      --remove NAME    remove this entity or Entity.property even if the store has
                       objects or values of it; may be repeated. A model file can
                       list such names under 'removed'
      --no-backup      do not keep a copy of the store
      --output FILE    the copy; the file must not exist

    Exit status: 0 success; 1 damage, a model with errors, or an impossible
    migration; 2 wrong usage; 3 a file that cannot be read or written.

    """

  static let diff = """
    graft diff: compares two versions of a model, for stores and payloads

    Examples:
      graft diff Comics-1.json Comics-2.json
      git show HEAD:Comics.json | graft diff - Comics.json
      graft diff comics.graft Comics-2.json
      graft diff Comics-1.json Comics-2.json --format json

    Usage: graft diff OLD NEW [OPTIONS]

      OLD, NEW           the model files; '-' is standard input. For a store, its
                         latest model is compared, not its objects
      --format FORMAT    text (the default), or json: an object with what happens to
                         a store, and an array of what happens to payloads

    It shows how a store of the old version is migrated when it is opened with the
    new one, which changes are possible only if it does not contain certain objects,
    and which are not possible. 'graft store migrate' follows the same plan. If a
    property was removed and one of the same type added, it shows how to keep the
    data.

    It also shows what affects payloads that were written for the old version: why
    an import rejects them, and what it reads differently.

    Exit status: 0 every store can be migrated; 1 not every store can be migrated,
    or a model has errors; 2 wrong usage; 3 a file that cannot be read.

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
                   It accepts every payload that imports without errors, unless
                   mentions of an object contradict each other. It accepts unknown
                   keys, and what a schema cannot check: see below
      --export     print the schema of what exports of the entity write

    The schema of payloads cannot check whether another mention provides a value
    of an object with an identity, whether an identifier has an object, what
    closures of a program read, rules about values that transformers make and
    about numbers of objects, limits, and keys that occur twice in one object.

    Editors that support JSON Schema (2020-12) complete the words of a model file,
    explain them on hover, and underline most mistakes. A model names the schema in
    its first line:

      { "$schema": "./model.schema.json", "entities": {} }

    'graft lint' checks more: whether names exist, and whether declarations agree.

    Exit status: 0 success; 1 a model with errors; 2 wrong usage; 3 a file that
    cannot be read, or standard output that cannot be written.

    """

  static let explain = """
    graft explain: explains a model, an error code or a rule

    Examples:
      graft explain Comics.json
      graft explain Comics.json Hero
      graft explain wrong-type
      graft explain M12

    Usage: graft explain MODEL [ENTITY]
           graft explain CODE
           graft explain RULE
           graft explain --codes

      MODEL      a model file; '-' is standard input
      ENTITY     the entity to explain; without it, all of them
      CODE       the code of an error or a warning, as in the output of
                 'graft lint --format json': what it means, an example, and the fix
      RULE       the number of a rule that a message or the documentation cites
      --codes    print the explanations of all codes, as Markdown

    For each entity, it shows the identity of its objects, the key path of each
    property, its transformer and its legal values, the effect of null and absence,
    and an example payload. The example has been imported into an empty graph before
    it is printed. If no example can be generated, the reason is shown instead.

    Exit status: 0 success; 1 a model with errors; 2 wrong usage; 3 a file that
    cannot be read.

    """

  static let diagram = """
    graft diagram: draws a model

    Examples:
      graft diagram Comics.json
      graft diagram Comics.json --format svg > Comics.svg
      graft diagram Comics.json --format dot | dot -Tpdf > Comics.pdf

    Usage: graft diagram MODEL [OPTIONS]

      MODEL              a model file; '-' is standard input
      --format FORMAT    mermaid (the default): a class diagram that many sites and
                         editors show in Markdown. dot: a graph for Graphviz. svg:
                         an image

    Each entity shows its own declarations: its attributes with their types ('?':
    may be nil), with the identity marked, and its relationships. A relationship and
    its inverse are one line; each end shows how many objects of that end belong to
    one object at the other end. A hollow arrow points to the parent.

    Exit status: 0 success; 1 a model with errors; 2 wrong usage; 3 a file that
    cannot be read, or standard output that cannot be written.

    """

  static let convert = """
    graft convert: creates a model file from a Core Data model

    Examples:
      graft convert Comics.xcdatamodeld --output Comics.json
      graft convert Comics.xcdatamodeld --key-strategy snakeCase
      graft convert 'Comics.xcdatamodeld/Comics 2.xcdatamodel' | graft explain -

    Usage: graft convert CORE-DATA-MODEL [OPTIONS]

      CORE-DATA-MODEL        an .xcdatamodeld, whose current version is read; an
                             .xcdatamodel; or the 'contents' in it. '-' reads such
                             contents from standard input
      --output FILE          where to write the model file; by default, to
                             standard output
      --key-strategy WORD    the keys of properties without a key path: explicit
                             (none), sameName or snakeCase. By default, the
                             annotations decide

    Annotations in user info become keys of the model file: Groot's (JSONKeyPath,
    JSONTransformerName, JSONDictionaryTransformerName, identityAttributes,
    entityMapperName), MagicalRecord's (mappedKeyName, relatedByAttribute,
    dateFormat), or Sync's (sync.remoteKey, sync.isPrimaryKey; or hyper.). All other
    user info is kept. If nothing else identifies an entity, its uniqueness
    constraint becomes its identity.

    Everything without a counterpart, and its replacement, is reported on standard
    error, one line each, with its location. Then the result is checked as with
    'graft lint'. A result with errors is written anyway, so that you can fix it by
    hand.

    The model file names its JSON Schema, model.schema.json; 'graft schema' prints
    it.

    Exit status: 0 success; 1 no Core Data model, or a result with errors; 2 wrong
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

      bash, zsh, fish    the shell: bash 3.2 or later; for zsh, the folder of the
                         script must be in 'fpath' before 'compinit' runs; fish
                         finds the script by itself
      --complete         print completions of the last word after '--'.
                         The scripts call this, so they do not change when the
                         program does

    The script completes commands, options and their values, model files, and the
    names of a model's entities.

    Exit status: 0 success; 2 wrong usage; 3 standard output cannot be written.

    """
}
