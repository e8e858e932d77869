import Foundation
import Graft

/// `graft generate`: generates a model's typed classes.
package struct GenerateCommand {
  package static let options: [Arguments.Option] = [
    .init(name: "--output", value: "FOLDER", summary: "where to write the classes; a name in '.swift' is one file"),
    .init(name: "--access", value: "internal|package|public", summary: "the access level of the classes"),
    .init(name: "--non-optional", value: "none|identity|required", summary: "which attributes are not optionals"),
    .init(name: "--integers", value: "int|declared", summary: "which integer types attributes have"),
    .init(name: "--prefix", value: "WORD", summary: "the prefix of the class names"),
    .init(name: "--namespace", value: "NAME", summary: "the enum that contains the classes"),
    .init(name: "--loader", value: "NAME", summary: "the enum that loads the model"),
    .init(name: "--options", value: "FILE", summary: "a file with more of these options"),
    .init(name: "--check", summary: "only list the files that differ"),
  ]

  let path: String
  /// A folder, a Swift file, or `-`.
  let output: String
  let choices: ClassGenerator.Options
  /// Whether to list the files that differ instead of writing them.
  let isCheck: Bool

  package init(_ words: [String]) throws(Failure) {
    let arguments = try GenerateCommand.arguments(words)
    choices = ClassGenerator.Options(
      access: try arguments.choice(of: "--access") ?? .internal,
      nonOptional: try arguments.choice(of: "--non-optional") ?? .none,
      integers: try arguments.choice(of: "--integers") ?? .int,
      prefix: try GenerateCommand.typeName("--prefix", arguments) ?? "",
      namespace: try GenerateCommand.typeName("--namespace", arguments),
      loader: try GenerateCommand.typeName("--loader", arguments))
    isCheck = arguments.has("--check")
    guard let path = arguments.operands.first else {
      throw .usage(
        "no model is given; name a model file and a folder, as in 'graft generate App.json --output Classes'")
    }
    self.path = path
    guard arguments.operands.count == 1 else {
      throw .usage("expected one model, found '\(arguments.operands[1])' after it; run it once for each model")
    }
    guard let output = arguments.value(of: "--output") else {
      throw .usage("no output is given: --output FOLDER, --output FILE.swift, or --output -")
    }
    self.output = output
    guard output != "-" || !isCheck else { throw .usage("'--check' compares files, so it takes no '--output -'") }
  }

  /// Returns the arguments, including the options in the file that `--options` names.
  private static func arguments(_ words: [String]) throws(Failure) -> Arguments {
    let arguments = try Arguments(words, options: options)
    guard let path = arguments.value(of: "--options"), let model = arguments.operands.first else { return arguments }
    let more = try GenerateOptionsFile(path: path).words(forModel: model, besides: arguments)
    return try Arguments(more + words, options: options)
  }

  /// Returns the value of an option that is part of a Swift name.
  private static func typeName(_ option: String, _ arguments: Arguments) throws(Failure) -> String? {
    guard let name = arguments.value(of: option) else { return nil }
    // A lowercase name could collide with a property.
    guard NameRules.isSwiftTypeName(name), name.first?.isLowercase != true, !SwiftName.takenTypes.contains(name) else {
      throw .usage(
        "'\(option)' expects a name that Swift does not use and that begins with a capital letter, found '\(name)'")
    }
    return name
  }

  /// Writes the files that differ, or lists them.
  package func run(_ streams: Streams) throws(Failure) -> ExitStatus {
    let generator = try generator(streams)
    streams.say(generator.names.warnings)
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
      streams.say("'\(FilePath.shown(path).escapedForDisplay())' is removed: the model no longer generates it\n")
    }
    // A build of one file prints nothing, like a compiler.
    if !isFile { streams.say(changes.summary) }
    return .done
  }

  private func generator(_ streams: Streams) throws(Failure) -> ClassGenerator {
    var reader = FileReader(streams)
    let source = SourceText(name: FileReader.displayName(path), bytes: try reader.read(path))
    // Unregistered names do not matter here.
    let (model, findings) = ModelFile.read(source, transformers: .standard, unregisteredNames: .warning)
    guard let model else { throw .diagnostics(findings) { "\($0) in '\(source.name)'; nothing is generated" } }
    let file = source.name.parts(between: "/").last { !$0.isEmpty } ?? source.name
    return try ClassGenerator(
      model, file: file, text: String(decoding: source.bytes, as: UTF8.self),
      options: choices)
  }

  private func inFolder(_ name: String) -> String { output.hasSuffix("/") ? output + name : "\(output)/\(name)" }

  private func check(_ changes: GeneratedFiles, _ streams: Streams) throws(Failure) -> ExitStatus {
    for path in changes.different.map(\.path) + changes.stale {
      try streams.write(FilePath.shown(path).escapedForDisplay() + "\n")
    }
    streams.say(changes.checkSummary)
    return changes.isEmpty ? .done : .failed
  }
}
