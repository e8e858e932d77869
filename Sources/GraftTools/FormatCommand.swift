import Graft

/// `graft format`: formats model files in canonical layout.
package struct FormatCommand {
  package static let options: [Arguments.Option] = [
    .init(name: "--check", summary: "change nothing; list the files that differ")
  ]

  let paths: [String]
  /// Whether to list the files that differ instead of writing them.
  let isCheck: Bool

  /// The result for a file.
  private enum Outcome {
    case same, different, failed(ExitStatus)
  }

  package init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: FormatCommand.options)
    paths = arguments.operands
    isCheck = arguments.has("--check")
    guard !paths.isEmpty else { throw .usage("no model is given: MODEL...") }
    guard paths.count(where: { $0 == "-" }) < 2 else { throw .usage("standard input can be read only once") }
  }

  /// Formats every file that can be formatted, and reports the rest.
  package func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    var different = 0
    var failures: [ExitStatus] = []
    for path in paths {
      switch try format(path, streams) {
      case .same: break
      case .different: different += 1
      case .failed(let status): failures.append(status)
      }
    }
    if let summary = summary(different, formatted: paths.count - failures.count) { streams.say(summary) }
    if failures.contains(.unusableFile) { return .unusableFile }
    return !failures.isEmpty || isCheck && different > 0 ? .failed : .done
  }

  /// Formats a file. A failure of one file does not prevent other files from being formatted; a failure of the output does.
  private func format(_ path: String, _ streams: Streams) throws(Failure) -> Outcome {
    let name = FileReader.displayName(path)
    let bytes: [UInt8]
    let formatted: [UInt8]
    do throws(Failure) {
      var reader = FileReader(streams)
      bytes = try reader.read(path)
      formatted = try FormatCommand.formatted(SourceText(name: name, bytes: bytes))
    } catch {
      return FormatCommand.report(error, streams)
    }
    let differs = bytes != formatted
    if isCheck {
      if differs { try streams.write(name.escapedForDisplay() + "\n") }
    } else if path == "-" {
      try streams.writeOutput(formatted)
    } else if differs {
      do throws(Failure) {
        try FileWriter.write([(path, formatted)])
      } catch {
        return FormatCommand.report(error, streams)
      }
    }
    return differs ? .different : .same
  }

  private static func formatted(_ source: SourceText) throws(Failure) -> [UInt8] {
    do throws(ModelError) {
      return try ModelFileFormatter.format(source)
    } catch {
      throw .diagnostics(error.diagnostics) { "\($0) in '\(source.name)'; it is left unchanged" }
    }
  }

  private static func report(_ failure: Failure, _ streams: Streams) -> Outcome {
    streams.say(failure, name: "graft format")
    return .failed(failure.status)
  }

  /// Returns a summary. As a filter, the command prints messages only if it fails.
  private func summary(_ different: Int, formatted: Int) -> String? {
    guard formatted > 0, isCheck || paths != ["-"] else { return nil }
    let files = counted(formatted, "model file")
    if different == 0 { return "nothing to change in \(files)\n" }
    return isCheck ? "\(different) of \(files) to format\n" : "\(different) of \(files) formatted\n"
  }
}
