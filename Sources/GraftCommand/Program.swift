import Graft

/// The program: finds the command, runs it, and reports failures.
enum Program {
  /// The version that `--version` prints.
  static let version = "0.1.0-dev"

  /// Runs the program with its arguments.
  static func run(_ words: [String], _ streams: Streams) -> ExitStatus {
    do throws(Failure) {
      return try start(words, streams)
    } catch {
      say(error, command: words.first.flatMap(Command.init(rawValue:)), streams)
      return error.status
    }
  }

  private static func start(_ words: [String], _ streams: Streams) throws(Failure) -> ExitStatus {
    guard let word = words.first else {
      streams.say(Help.overview)
      return .wrongUsage
    }
    let rest = Array(words.dropFirst())
    switch word {
    case "--help", "-h": try streams.write(Help.overview)
    case "--version": try streams.write("graft \(version)\n")
    case "help": try streams.write(help(on: rest))
    default:
      let command = try command(word)
      guard !asksForHelp(rest) else {
        try streams.write(command.help)
        return .done
      }
      return try command.run(rest, streams)
    }
    return .done
  }

  private static func command(_ word: String) throws(Failure) -> Command {
    if let command = Command(rawValue: word) { return command }
    let known = Command.allCases.map(\.rawValue) + ["help", "--help", "--version"]
    throw .usage(
      word.hasPrefix("-") ? "unknown option '\(word)'" : "unknown command '\(word)'",
      suggestion: Suggestion.nearest(to: word, among: known))
  }

  private static func help(on words: [String]) throws(Failure) -> String {
    guard let word = words.first else { return Help.overview }
    guard words.count == 1 else { throw .usage("'help' takes one command, found '\(words[1])' behind it") }
    return word == "help" ? Help.overview : try command(word).help
  }

  /// A request for help takes precedence over any usage error.
  private static func asksForHelp(_ words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  private static func say(_ failure: Failure, command: Command?, _ streams: Streams) {
    let name = command.map { "graft \($0.rawValue)" } ?? "graft"
    streams.say(failure, name: name)
    if failure.status == .wrongUsage { streams.say("Try '\(name) --help'.\n") }
  }
}
