import Foundation
import PackagePlugin

/// `swift package graft-format [--check] [MODEL...]`: formats the given model files, by default all model files of the package.
@main
struct GraftFormat: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    try run(context.tool(named: "GraftPluginTool").url, arguments) { targets in
      context.package.targets.filter { targets.isEmpty || targets.contains($0.name) }.compactMap(\.sourceModule)
        .flatMap(\.sourceFiles).map(\.url)
    }
  }

  /// - Parameter files: returns the files of the given targets, by default of all targets.
  private func run(_ graft: URL, _ arguments: [String], files: ([String]) -> [URL]) throws {
    var extractor = ArgumentExtractor(arguments)
    let targets = extractor.extractOption(named: "target")
    let words = extractor.remainingArguments
    let isNamed = words.contains { $0.hasSuffix(".json") }
    let models = isNamed ? [] : files(targets).map(\.path).filter { $0.hasSuffix(".model.json") }
    let process = try Process.run(graft, arguments: ["format"] + words + models)
    process.waitUntilExit()
    if process.terminationStatus != 0 { Diagnostics.error("graft format did not succeed for all files") }
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension GraftFormat: XcodeCommandPlugin {
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
      try run(context.tool(named: "GraftPluginTool").url, arguments) { targets in
        context.xcodeProject.targets.filter { targets.isEmpty || targets.contains($0.displayName) }
          .flatMap { $0.inputFiles.map(\.url) }
      }
    }
  }
#endif
