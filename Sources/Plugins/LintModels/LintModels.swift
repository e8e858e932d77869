import Foundation
import PackagePlugin

/// Checks every `*.model.json` of a target when it is built: `graft lint`. Errors fail the build, and editors show all
/// findings where they are.
@main
struct LintModels: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    let graft = try context.tool(named: "GraftCommand").url
    return module.sourceFiles.map(\.url).filter { $0.lastPathComponent.hasSuffix(".model.json") }.map { model in
      .buildCommand(
        displayName: "Linting \(model.lastPathComponent)", executable: graft, arguments: ["lint", model.path],
        inputFiles: [model], outputFiles: [])
    }
  }
}
