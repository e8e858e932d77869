// swift-tools-version: 6.1
import PackageDescription

// A package of its own that uses Graft as yours would. Only the path is special: yours names Graft's folder or repository.
let package = Package(
  name: "ComicShop",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Graft", path: "../..")],
  targets: [
    .executableTarget(
      name: "ComicShop",
      dependencies: [.product(name: "Graft", package: "Graft")],
      plugins: [
        // Shop.model.json becomes the classes that main.swift uses, in the build folder: nothing to check in.
        .plugin(name: "GenerateClasses", package: "Graft"),
        // Shows what is wrong with the model, where it is, and warnings, too.
        .plugin(name: "LintModels", package: "Graft"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
