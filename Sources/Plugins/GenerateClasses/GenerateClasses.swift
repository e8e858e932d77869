import Foundation
import PackagePlugin

/// Generates typed classes for every `*.model.json` of a target at build time, with `graft generate`.
///
/// Options are in `graft-generate.json` in the target's folder. `{"access": "public"}` means `--access=public`. Options for one
/// model are under the name of its file: `{"Shop.model.json": {"namespace": "Shop"}}`. The program reads the file, which is an
/// input of its command: changing the options generates the classes again.
@main
struct GenerateClasses: BuildToolPlugin {
  static let optionsFile = "graft-generate.json"

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    let file = module.directoryURL.appending(path: Self.optionsFile)
    return commands(
      files: module.sourceFiles.map(\.url),
      optionsFile: FileManager.default.fileExists(atPath: file.path) ? file : nil,
      graft: try context.tool(named: "GraftPluginTool").url, folder: context.pluginWorkDirectoryURL)
  }

  /// Returns a command for each model among the given files.
  private func commands(files: [URL], optionsFile: URL?, graft: URL, folder: URL) -> [Command] {
    return files.filter { $0.lastPathComponent.hasSuffix(".model.json") }.map { model in
      let name = model.lastPathComponent.dropLast(".model.json".count) + ".generated.swift"
      let source = folder.appending(path: String(name))
      return .buildCommand(
        displayName: "Generating the classes of \(model.lastPathComponent)", executable: graft,
        arguments: ["generate", model.path, "--output", source.path]
          + (optionsFile.map { ["--options", $0.path] } ?? []),
        inputFiles: [model] + [optionsFile].compactMap(\.self), outputFiles: [source])
    }
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension GenerateClasses: XcodeBuildToolPlugin {
    /// In an Xcode project, models and options are files of the target.
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let files = target.inputFiles.map(\.url)
      return commands(
        files: files, optionsFile: files.first { $0.lastPathComponent == Self.optionsFile },
        graft: try context.tool(named: "GraftPluginTool").url, folder: context.pluginWorkDirectoryURL)
    }
  }
#endif
