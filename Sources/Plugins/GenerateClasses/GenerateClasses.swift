import Foundation
import PackagePlugin

/// Generates typed classes of every `*.model.json` of a target, at build time: `graft generate`.
///
/// Options stand in `graft-generate.json` in the target's folder: `{"access": "public"}` means `--access=public`.
@main
struct GenerateClasses: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    let graft = try context.tool(named: "GraftCommand").url
    let (options, configuration) = try options(in: module.directoryURL)
    return module.sourceFiles.map(\.url).filter { $0.lastPathComponent.hasSuffix(".model.json") }.map { model in
      let name = model.lastPathComponent.dropLast(".model.json".count) + ".generated.swift"
      let source = context.pluginWorkDirectoryURL.appending(path: String(name))
      return .buildCommand(
        displayName: "Generating the classes of \(model.lastPathComponent)", executable: graft,
        arguments: ["generate", model.path, "--output", source.path] + options, inputFiles: [model] + configuration,
        outputFiles: [source])
    }
  }

  /// The options of a target, and the file that they come from.
  private func options(in folder: URL) throws -> (options: [String], files: [URL]) {
    let file = folder.appending(path: "graft-generate.json")
    guard FileManager.default.fileExists(atPath: file.path) else { return ([], []) }
    let options = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
    return (options.sorted { $0.key < $1.key }.map { "--\($0.key)=\($0.value)" }, [file])
  }
}
