import Foundation
import Graft

/// `graft generate`: typed classes of a model.
struct GenerateCommand {
  static let options: [Arguments.Option] = [
    .init(name: "--output", value: "FOLDER", summary: "where the classes go; a name in '.swift' is one file"),
    .init(name: "--access", value: "internal|package|public", summary: "who may use the classes"),
    .init(name: "--non-optional", value: "none|identity|required", summary: "which attributes are no optionals"),
    .init(name: "--check", summary: "only list the files that differ"),
  ]

  let path: String
  /// A folder, a file of Swift, or `-`.
  let output: String
  let choices: ClassGenerator.Options
  /// Whether to say which files differ instead of writing them.
  let isCheck: Bool

  init(_ words: [String]) throws(Failure) {
    let arguments = try Arguments(words, options: GenerateCommand.options)
    choices = ClassGenerator.Options(
      access: try arguments.choice(of: "--access") ?? .internal,
      nonOptional: try arguments.choice(of: "--non-optional") ?? .none)
    isCheck = arguments.has("--check")
    guard let path = arguments.operands.first else { throw .usage("no model is given: MODEL") }
    self.path = path
    guard arguments.operands.count == 1 else {
      throw .usage("it takes one model, found '\(arguments.operands[1])' behind it; other models are other commands")
    }
    guard let output = arguments.value(of: "--output") else {
      throw .usage("where to write is not given: --output FOLDER, --output FILE.swift, or --output -")
    }
    self.output = output
    guard output != "-" || !isCheck else { throw .usage("'--check' compares files: it takes no '--output -'") }
  }

  /// Writes what differs, or says what does.
  func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    let generator = try generator(streams)
    guard output != "-" else {
      try streams.write(generator.file())
      return .done
    }
    let isFile = output.hasSuffix(".swift")
    let files = isFile ? [(output, generator.file())] : generator.files().map { (inFolder($0.name), $0.text) }
    let changes = try GeneratedFiles(
      files.map { (path: $0.0, bytes: Array($0.1.utf8)) }, folder: isFile ? nil : output, firstLine: generator.firstLine
    )
    if isCheck { return try check(changes, streams) }
    try changes.write()
    for path in changes.stale {
      streams.say("'\(path.escapedForDisplay())' is removed: nothing in the model gives it\n")
    }
    // Like a compiler, a build of one file is silent.
    if !isFile { streams.say(changes.summary) }
    return .done
  }

  private func generator(_ streams: Streams) throws(Failure) -> ClassGenerator {
    var reader = FileReader(streams)
    let source = SourceText(name: FileReader.displayName(path), bytes: try reader.read(path))
    // Names that only a program registers do not matter here.
    let (model, findings) = ModelFile.read(source, transformers: .standard, unregisteredNames: .warning)
    guard let model else { throw .diagnostics(findings) { "\($0) in '\(source.name)'; nothing is generated" } }
    let file = path.parts(between: "/").last { !$0.isEmpty } ?? path
    return try ClassGenerator(
      model, file: path == "-" ? source.name : file, text: String(decoding: source.bytes, as: UTF8.self),
      options: choices)
  }

  private func inFolder(_ name: String) -> String { output.hasSuffix("/") ? output + name : "\(output)/\(name)" }

  private func check(_ changes: GeneratedFiles, _ streams: Streams) throws(Failure) -> ExitStatus {
    for path in changes.different.map(\.path) + changes.stale { try streams.write(path.escapedForDisplay() + "\n") }
    streams.say(changes.checkSummary)
    return changes.isEmpty ? .done : .failed
  }
}
