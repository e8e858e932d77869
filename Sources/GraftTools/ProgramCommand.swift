/// The commands of a program.
package protocol ProgramCommand: RawRepresentable<String>, CaseIterable {
  /// The purpose, for the list of commands.
  var summary: String { get }
  /// The text that `--help` prints.
  var help: String { get }
  /// Returns the command that a word after the program's name probably means, such as `store migrate` for `migrate`, or nil if the
  /// nearest name is used.
  static func meaning(of word: String) -> String?
  /// Runs the command with the words after its name.
  func run(_ words: [String], _ streams: Streams) throws(Failure) -> ExitStatus
}

extension ProgramCommand {
  package static func meaning(of word: String) -> String? { nil }
}
