/// The commands of a program.
package protocol ProgramCommand: RawRepresentable<String>, CaseIterable {
  /// The purpose, for the list of commands.
  var summary: String { get }
  /// The text that `--help` prints.
  var help: String { get }
  /// Runs the command with the words after its name.
  func run(_ words: [String], _ streams: Streams) throws(Failure) -> ExitStatus
}
