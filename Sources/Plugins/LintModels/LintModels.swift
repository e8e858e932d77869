import Foundation
import PackagePlugin

/// Checks every `*.model.json` of a target at build time, with `graft lint`. Errors fail the build, and editors show all findings
/// at their locations.
@main
struct LintModels: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    return commands(files: module.sourceFiles.map(\.url), graft: try context.tool(named: "GraftPluginTool").url)
  }

  /// Returns a command for each model among the files.
  private func commands(files: [URL], graft: URL) -> [Command] {
    files.filter { $0.lastPathComponent.hasSuffix(".model.json") }.map { model in
      .buildCommand(
        displayName: "Linting \(model.lastPathComponent)", executable: graft,
        arguments: ["lint", "--quiet", model.path], inputFiles: [model], outputFiles: [])
    }
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension LintModels: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      commands(files: target.inputFiles.map(\.url), graft: try context.tool(named: "GraftPluginTool").url)
    }
  }
#endif
