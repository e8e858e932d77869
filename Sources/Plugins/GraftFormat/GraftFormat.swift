import Foundation
import PackagePlugin

/// `swift package graft-format [--check] [MODEL...]`: lays out model files; those of the package where none is named.
@main
struct GraftFormat: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    var extractor = ArgumentExtractor(arguments)
    let targets = extractor.extractOption(named: "target")
    let words = extractor.remainingArguments
    let isNamed = words.contains { $0.hasSuffix(".json") }
    let process = try Process.run(
      context.tool(named: "GraftCommand").url,
      arguments: ["format"] + words + (isNamed ? [] : models(of: context.package, targets)))
    process.waitUntilExit()
    if process.terminationStatus != 0 { Diagnostics.error("graft format left something to do") }
  }

  /// Every `*.model.json` of the package, or of some of its targets.
  private func models(of package: Package, _ targets: [String]) -> [String] {
    package.targets.filter { targets.isEmpty || targets.contains($0.name) }.compactMap(\.sourceModule)
      .flatMap(\.sourceFiles).map(\.url.path).filter { $0.hasSuffix(".model.json") }
  }
}
