/// What the program tells the shell when it ends.
enum ExitStatus: Int32 {
  /// All went well.
  case done = 0
  /// A model with errors, or an import that failed.
  case failed = 1
  /// Words that the program does not understand.
  case wrongUsage = 2
  /// A file that cannot be read or written.
  case unusableFile = 3
}
