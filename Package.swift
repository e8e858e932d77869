// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Graft",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Graft", targets: ["Graft"]),
    .executable(name: "graft", targets: ["GraftCommand"]),
    .executable(name: "graft-bench", targets: ["GraftBenchmarks"]),
  ],
  targets: [
    .target(name: "Graft"),
    .executableTarget(name: "GraftCommand", dependencies: ["Graft"]),
    .executableTarget(name: "GraftBenchmarks", dependencies: ["Graft"]),
    .target(name: "GraftTestSupport", dependencies: ["Graft"], path: "Tests/Support"),
    .testTarget(name: "GraftTests", dependencies: ["Graft", "GraftTestSupport"]),
    .testTarget(name: "InnerTests", dependencies: ["Graft", "GraftTestSupport"]),
    .testTarget(name: "CommandTests", dependencies: ["Graft"]),
  ],
  swiftLanguageModes: [.v6]
)
