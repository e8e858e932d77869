import Foundation
import PackagePlugin

/// `swift package graft-generate MODEL --output FOLDER [OPTIONS]`: generates classes that are kept with the sources, for
/// packages whose build does not generate them. The arguments are the same as for `graft generate`.
@main
struct GraftGenerate: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    try run(context.tool(named: "GraftPluginTool").url, arguments, in: context.package.directoryURL) {
      context.package.targets.compactMap(\.sourceModule).flatMap(\.sourceFiles).map(\.url)
    }
  }

  /// - Parameter files: all files of the package or project, which may include a model.
  private func run(_ graft: URL, _ arguments: [String], in folder: URL, files: () -> [URL]) throws {
    var extractor = ArgumentExtractor(arguments)
    _ = extractor.extractOption(named: "target")
    let words = extractor.remainingArguments
    guard words.contains(where: { $0.hasSuffix(".json") || $0 == "--help" || $0 == "-h" }) else {
      let model = files().map(\.path).first { $0.hasSuffix(".model.json") } ?? "Sources/App/App.model.json"
      let inside = folder.path + "/"
      let path = model.hasPrefix(inside) ? String(model.dropFirst(inside.count)) : model
      return Diagnostics.error(
        """
        no model is given; name a model file and a folder for its classes, as in \
        'swift package --allow-writing-to-package-directory graft-generate \(path) --output Classes', or let the build \
        generate the classes with the plugin GenerateClasses
        """)
    }
    let process = try Process.run(graft, arguments: ["generate"] + words)
    process.waitUntilExit()
    if process.terminationStatus != 0 { Diagnostics.error("graft generate wrote nothing") }
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension GraftGenerate: XcodeCommandPlugin {
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
      try run(context.tool(named: "GraftPluginTool").url, arguments, in: context.xcodeProject.directoryURL) {
        context.xcodeProject.targets.flatMap { $0.inputFiles.map(\.url) }
      }
    }
  }
#endif
