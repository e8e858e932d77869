import Foundation
import PackagePlugin

/// Generates typed classes for every `*.model.json` of a target at build time, with `graft generate`.
///
/// Options are in `graft-generate.json` in the target's folder. `{"access": "public"}` means `--access=public`. A model's own
/// options are under its file name: `{"Shop.model.json": {"namespace": "Shop"}}`. SwiftPM runs the plugin again only if files
/// of the package are added or removed, or its manifest changes.
@main
struct GenerateClasses: BuildToolPlugin {
  static let optionsFile = "graft-generate.json"

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    let file = module.directoryURL.appending(path: Self.optionsFile)
    return try commands(
      files: module.sourceFiles.map(\.url),
      optionsFile: FileManager.default.fileExists(atPath: file.path) ? file : nil,
      graft: context.tool(named: "GraftCommand").url, folder: context.pluginWorkDirectoryURL)
  }

  /// Returns a command for each model among the files.
  private func commands(files: [URL], optionsFile: URL?, graft: URL, folder: URL) throws -> [Command] {
    let options = try optionsFile.map { try GenerateOptions(contentsOf: $0) }
    return files.filter { $0.lastPathComponent.hasSuffix(".model.json") }.map { model in
      let name = model.lastPathComponent.dropLast(".model.json".count) + ".generated.swift"
      let source = folder.appending(path: String(name))
      return .buildCommand(
        displayName: "Generating the classes of \(model.lastPathComponent)", executable: graft,
        arguments: ["generate", model.path, "--output", source.path]
          + (options?.arguments(forModel: model.lastPathComponent) ?? []),
        inputFiles: [model] + [optionsFile].compactMap(\.self), outputFiles: [source])
    }
  }
}

/// The contents of `graft-generate.json`.
struct GenerateOptions {
  private enum Value: Decodable {
    case word(String)
    case model([String: String])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let word = try? container.decode(String.self) {
        self = .word(word)
      } else {
        self = .model(try container.decode([String: String].self))
      }
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let values: [String: Value]

  init(contentsOf file: URL) throws {
    do {
      values = try JSONDecoder().decode([String: Value].self, from: Data(contentsOf: file))
    } catch {
      throw Failure(
        description:
          "\(file.path): expected an object of options, such as {\"access\": \"public\"}, or of options of one "
          + "model, such as {\"Shop.model.json\": {\"namespace\": \"Shop\"}}")
    }
  }

  /// The options of a model: its own, and the general ones that it does not override.
  func arguments(forModel name: String) -> [String] {
    var options: [String: String] = [:]
    for case (let key, .word(let word)) in values { options[key] = word }
    if case .model(let own)? = values[name] { options.merge(own) { $1 } }
    return options.sorted { $0.key < $1.key }.map { "--\($0.key)=\($0.value)" }
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension GenerateClasses: XcodeBuildToolPlugin {
    /// In an Xcode project, models and options are files of the target.
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let files = target.inputFiles.map(\.url)
      return try commands(
        files: files, optionsFile: files.first { $0.lastPathComponent == Self.optionsFile },
        graft: context.tool(named: "GraftCommand").url, folder: context.pluginWorkDirectoryURL)
    }
  }
#endif
