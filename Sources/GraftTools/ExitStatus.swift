/// The exit statuses of the program.
package enum ExitStatus: Int32 {
  /// Success.
  case done = 0
  /// A model with errors, or an import that failed.
  case failed = 1
  /// A usage error.
  case wrongUsage = 2
  /// A file that cannot be read or written.
  case unusableFile = 3
}
