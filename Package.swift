// swift-tools-version: 6.1
import PackageDescription

/// One small program for each model: what a newcomer reads first. See Examples/README.md.
let examples = ["Comics", "Posts", "Cards", "Timetable", "Messages", "Twitter", "GitHubEvents", "Catalog"].map { name in
  Target.executableTarget(
    name: "\(name)Example", dependencies: ["Graft"], path: "Examples/\(name)", exclude: ["expected-output.txt"])
}

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
    .testTarget(name: "ExampleTests"),
  ] + examples,
  swiftLanguageModes: [.v6]
)
