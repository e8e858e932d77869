// swift-tools-version: 6.1
import PackageDescription

// A package that uses Graft as yours would. Only the path differs: in yours, write the URL or folder of Graft.
let package = Package(
  name: "ComicShop",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Graft", path: "../..")],
  targets: [
    .executableTarget(
      name: "ComicShop",
      dependencies: [.product(name: "Graft", package: "Graft")],
      plugins: [
        // Generates the classes that main.swift uses from Shop.model.json, in the build folder. Nothing needs to be checked
        // in.
        .plugin(name: "GenerateClasses", package: "Graft"),
        // Shows the model's errors and warnings at their lines.
        .plugin(name: "LintModels", package: "Graft"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
