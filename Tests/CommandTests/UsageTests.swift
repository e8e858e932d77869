import Testing

@Suite("Usage errors") struct UsageTests {
  /// Command lines, each with the error that it causes.
  static let cases: [(words: String, message: String)] = [
    ("impotr", "graft: unknown command 'impotr'; did you mean 'import'?"),
    ("migrate a.graft", "graft: unknown command 'migrate'; did you mean 'store migrate'?"),
    (
      "store migrate a.graft",
      "graft store: no model is given to migrate to: add '--model' MODEL, the new version of the model"
    ),
    (
      "store a.sqlite info",
      "graft store: 'a.sqlite' is not one of the actions info, verify, migrate, backup, salvage; did you mean "
        + "'graft store info a.sqlite'?"
    ),
    ("publish Models/Comics.json", "graft: unknown command 'publish'"),
    ("fromat Models/Comics.json", "graft: unknown command 'fromat'; did you mean 'format'?"),
    ("--verison", "graft: unknown option '--verison'; did you mean '--version'?"),
    ("help lnt", "graft: unknown command 'lnt'; did you mean 'lint'?"),
    ("help lint import", "graft: expected one command for 'help', found 'import' after it"),
    ("infer", "graft infer: no payload is given: [ENTITY=]PAYLOAD..."),
    ("infer - -", "graft infer: standard input can be read only once"),
    ("infer - --update -", "graft infer: standard input can be read only once"),
    ("infer a.json --at a..b", "graft infer: 'a..b' is not a key path: it has an empty key"),
    ("infer a.json --lins", "graft infer: unknown option '--lins'; did you mean '--lines'?"),
    ("lint", "graft lint: no model is given: MODEL..."),
    ("lint - -", "graft lint: standard input can be read only once"),
    ("lint --format xml a.json", "graft lint: '--format' expects 'text' or 'json', found 'xml'"),
    ("lint --format jsn a.json", "graft lint: '--format' expects 'text' or 'json', found 'jsn'; did you mean 'json'?"),
    ("lint --format", "graft lint: '--format' requires a value: text|json"),
    ("lint --format= a.json", "graft lint: '--format' requires a value: text|json"),
    ("lint --format text --format json a.json", "graft lint: '--format' is given twice"),
    ("lint --fromat json a.json", "graft lint: unknown option '--fromat'; did you mean '--format'?"),
    ("lint -x a.json", "graft lint: unknown option '-x'"),
    ("shcema", "graft: unknown command 'shcema'; did you mean 'schema'?"),
    (
      "schema Models/Comics.json",
      "graft schema: expected no arguments without '--payload' or '--export', found 'Models/Comics.json'"
    ),
    ("schema --format json", "graft schema: unknown option '--format'"),
    ("explian", "graft: unknown command 'explian'; did you mean 'explain'?"),
    ("explain", "graft explain: no model or code is given: MODEL or CODE"),
    ("explain a.json A B", "graft explain: expected a model and one entity, found 'B' after them"),
    ("explain wrong-typ", "graft explain: there is no code 'wrong-typ'; did you mean 'wrong-type'?"),
    ("explain no-such-code-at-all", "graft explain: there is no code 'no-such-code-at-all'"),
    ("explain --codes wrong-type", "graft explain: expected no operands with '--codes', found 'wrong-type'"),
    ("explain --all a.json", "graft explain: unknown option '--all'"),
    (
      "explain Models/Comics.json Heroe", "graft explain: the model has no entity 'Heroe'; did you mean 'Hero'?"
    ),
    ("digram Models/Comics.json", "graft: unknown command 'digram'; did you mean 'diagram'?"),
    ("diagram", "graft diagram: no model is given: MODEL"),
    ("diagram a.json b.json", "graft diagram: expected one model, found 'b.json' after it"),
    (
      "diagram a.json --format sgv",
      "graft diagram: '--format' expects 'mermaid', 'dot' or 'svg', found 'sgv'; did you mean 'svg'?"
    ),
    ("diagram a.json --format", "graft diagram: '--format' requires a value: mermaid|dot|svg"),
    ("diagram --output a.svg a.json", "graft diagram: unknown option '--output'"),
    ("covnert a.xcdatamodeld", "graft: unknown command 'covnert'; did you mean 'convert'?"),
    ("convert", "graft convert: no Core Data model is given: CORE-DATA-MODEL"),
    ("convert a.xcdatamodeld b.xcdatamodeld", "graft convert: expected one model, found 'b.xcdatamodeld' after it"),
    (
      "convert a.xcdatamodeld --key-strategy camelCase",
      "graft convert: '--key-strategy' expects 'explicit', 'sameName' or 'snakeCase', found 'camelCase'"
    ),
    ("completions", "graft completions: no shell is given: 'bash', 'zsh' or 'fish'"),
    (
      "completions bsh",
      "graft completions: there are completions for 'bash', 'zsh' and 'fish', not for 'bsh'; did you mean 'bash'?"
    ),
    ("completions bash zsh", "graft completions: expected one shell, found 'zsh' after it"),
    ("format", "graft format: no model is given: MODEL..."),
    ("format - -", "graft format: standard input can be read only once"),
    ("format --chek a.json", "graft format: unknown option '--chek'; did you mean '--check'?"),
    ("format --check=yes a.json", "graft format: '--check' takes no value"),
    ("import Hero=a.json", "graft import: no model is given: '--model' MODEL"),
    ("import --model m.json", "graft import: no payload is given: ENTITY=PAYLOAD"),
    ("import --model --quiet Hero=a.json", "graft import: '--model' requires a value: MODEL"),
    (
      "import --model m.json heroes.json",
      "graft import: expected ENTITY=PAYLOAD, such as 'Hero=heroes.json', found 'heroes.json'"
    ),
    ("import --model m.json =a", "graft import: expected ENTITY=PAYLOAD, such as 'Hero=heroes.json', found '=a'"),
    ("import --model m.json Hero=", "graft import: expected ENTITY=PAYLOAD, such as 'Hero=heroes.json', found 'Hero='"),
    ("import --model m.json A=- B=-", "graft import: standard input can be read only once"),
    ("import --model - A=-", "graft import: standard input can be read only once"),
    ("import --model m.json --at a..b A=a", "graft import: 'a..b' is not a key path: it has an empty key"),
    (
      "import --model m.json --at [] A=a --at [1] A=b",
      "graft import: '[]' is not a key path: it is not an array of strings"
    ),
    (
      "import --model m.json --at a --at b A=a",
      "graft import: '--at' is given 2 times for 1 payload; expected once, or once for each"
    ),
    (
      "import --model m.json --at a --at b A=a B=b C=c",
      "graft import: '--at' is given 2 times for 3 payloads; expected once, or once for each"
    ),
    (
      "import --model m.json --unknown-keys drop A=a",
      "graft import: '--unknown-keys' expects 'ignore', 'report' or 'error', found 'drop'"
    ),
    ("import --model m.json --report yaml A=a", "graft import: '--report' expects 'text' or 'json', found 'yaml'"),
    ("import --model m.json --report text --quiet A=a", "graft import: '--quiet' and '--report' exclude each other"),
    ("import --model m.json --quiet=yes A=a", "graft import: '--quiet' takes no value"),
    (
      "import --model m.json --export Hero A=a",
      "graft import: expected '--export' ENTITY=FILE, such as '--export Hero=heroes.json', found 'Hero'"
    ),
    ("import --model m.json --once A=a", "graft import: '--once' is an option of exports: it requires '--export'"),
    ("import --model m.json --depth 3 A=a", "graft import: '--depth' is an option of exports: it requires '--export'"),
    (
      "import --model m.json --incomplete error A=a",
      "graft import: '--incomplete' is an option of exports: it requires '--export'"
    ),
    ("import --model m.json --indent A=a", "graft import: '--indent' is an option of exports: it requires '--export'"),
    (
      "import --model m.json --export A=b --representation A A=a",
      "graft import: expected '--representation' ENTITY.RELATIONSHIP=WORD, such as 'Hero.powers=identifier', found 'A'"
    ),
    (
      "import --model m.json --export A=b --representation A.b=identifer A=a",
      "graft import: '--representation' expects 'object', 'identifier' or 'none' after the equals sign, found 'identifer'; "
        + "did you mean 'identifier'?"
    ),
    (
      "import --model m.json --missing delete --lines A=a",
      "graft import: '--missing delete' is for payloads that are complete lists, but '--lines' reads parts of one"
    ),
    (
      "import --model m.json --at b A@a=a",
      "graft import: '--at' applies to no payload: each has its own key path"
    ),
    ("import --model m.json A@=a", "graft import: '' is not a key path: it has an empty key"),
    ("import --model m.json --lines A@a=- B@b=-", "graft import: standard input can be read only once"),
    ("import --model - A=-", "graft import: standard input can be read only once"),
    ("import --model m.json --missing drop A=a", "graft import: '--missing' expects 'keep' or 'delete', found 'drop'"),
    (
      "import --model m.json --export A=b --depth 0 A=a",
      "graft import: '--depth' expects a positive integer, found '0'"
    ),
    (
      "import --model m.json --export A=b --depth x A=a",
      "graft import: '--depth' expects a positive integer, found 'x'"
    ),
    ("import --model m.json --export A=- --dump - A=a", "graft import: two outputs go to standard output"),
    ("import --model m.json --export A=- --export B=- A=a", "graft import: two outputs go to standard output"),
    ("import --model m.json --report json --dump - A=a", "graft import: two outputs go to standard output"),
    ("import --model m.json --export A=x/../b.json --dump b.json A=a", "graft import: two outputs go to 'b.json'"),
    ("import --model m.json --tidy A=a", "graft import: unknown option '--tidy'"),
    (
      "import --model Models/Comics.json Heor=Examples/Payloads/comics.json",
      "graft import: the model has no entity 'Heor'; did you mean 'Hero'?"
    ),
    (
      "import --model Models/Comics.json Hero=Examples/Payloads/comics.json --export Powers=-",
      "graft import: the model has no entity 'Powers'; did you mean 'Power'?"
    ),
    (
      "import --model Models/Comics.json Villain=Examples/Payloads/comics.json",
      "graft import: the model has no entity 'Villain'; it has 'Hero', 'Power', 'Publisher'"
    ),
  ]

  @Test("A usage error ends with status 2, one line about the mistake, and a pointer to the help", arguments: cases)
  func wrongUsage(words: String, message: String) throws {
    let graft = try Invocation(words)
    let command = message.prefix { $0 != ":" }
    #expect(graft.messages == "\(message)\nTry '\(command) --help'.\n")
    #expect(graft.output == "")
    #expect(graft.status == 2)
  }

  @Test("Without arguments, the program shows its help as an error message")
  func nothing() throws {
    let graft = try Invocation([])
    #expect(graft.output == "" && graft.status == 2)
    let help = try Invocation("--help")
    #expect(graft.messages == help.output)
  }

  @Test("Arguments after -- are not treated as options")
  func operandsOnly() throws {
    let graft = try Invocation("lint -- --help")
    #expect(graft.messages.hasPrefix("graft lint: cannot read '--help': No such file or directory\n"))
    #expect(graft.status == 3)
  }
}
