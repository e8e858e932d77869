import Foundation
import Graft

/// A program: finds the command, runs it, and reports failures.
///
///     Program<Command>(overview: Help.overview).start()
package struct Program<Command: ProgramCommand> {
  /// The text that `--help` prints.
  private let overview: String

  package init(overview: String) { self.overview = overview }

  /// Runs the program with the arguments of the process, then ends the process.
  package func start() -> Never {
    UnfinishedFiles.follow()
    // If the reader closes the pipe, as in `graft import … --dump - | head`, the program ends silently.
    signal(SIGPIPE, SIG_DFL)
    // Do not use 'CommandLine.arguments', which loses the bytes of file names that are not UTF-8.
    let words = (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }.map { word in
      FilePath.text(UnsafeBufferPointer(start: word, count: strlen(word)).map { UInt8(bitPattern: $0) })
    }
    exit(run(words, .standard).rawValue)
  }

  /// Runs the program with the given arguments.
  package func run(_ words: [String], _ streams: Streams) -> ExitStatus {
    do throws(Failure) {
      return try start(words, streams)
    } catch {
      say(error, command: words.first.flatMap(Command.init(rawValue:)), streams)
      return error.status
    }
  }

  private func start(_ words: [String], _ streams: Streams) throws(Failure) -> ExitStatus {
    guard let word = words.first else {
      streams.say(overview)
      return .wrongUsage
    }
    let rest = Array(words.dropFirst())
    switch word {
    case "--help", "-h": try streams.write(overview)
    case "--version": try streams.write("graft \(programVersion)\n")
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

  private func command(_ word: String) throws(Failure) -> Command {
    if let command = Command(rawValue: word) { return command }
    let known = Command.allCases.map(\.rawValue) + ["help", "--help", "--version"]
    throw .usage(
      word.hasPrefix("-") ? "unknown option '\(word)'" : "unknown command '\(word)'",
      suggestion: Command.meaning(of: word) ?? Suggestion.nearest(to: word, among: known))
  }

  private func help(on words: [String]) throws(Failure) -> String {
    guard let word = words.first else { return overview }
    guard words.count == 1 else { throw .usage("expected one command for 'help', found '\(words[1])' after it") }
    return word == "help" ? overview : try command(word).help
  }

  /// Returns whether the words ask for help. Help is printed even if other words are wrong.
  private func asksForHelp(_ words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  private func say(_ failure: Failure, command: Command?, _ streams: Streams) {
    let name = command.map { "graft \($0.rawValue)" } ?? "graft"
    streams.say(failure, name: name)
    if Command(rawValue: "explain") != nil { streams.explain(failure.diagnostics) }
    if failure.status == .wrongUsage { streams.say("Try '\(name) --help'.\n") }
  }

  /// The commands and their purposes, one per line, for the overview.
  package static var commandList: String {
    let rows =
      Command.allCases.map { ($0.rawValue, $0.summary) } + [
        ("help", "show this help, or the help of a command")
      ]
    let width = (rows.map(\.0.count).max() ?? 0) + 3
    return rows.map { name, summary in
      "  " + name + String(repeating: " ", count: width - name.count) + summary
    }.joined(separator: "\n")
  }
}

/// The version that `--version` prints.
package let programVersion = "0.9.0"
