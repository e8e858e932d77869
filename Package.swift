// swift-tools-version: 6.1
import PackageDescription

/// One small program for each model: what a newcomer reads first. See Examples/README.md.
let examples = ["Comics", "Posts", "Cards", "Timetable", "Messages", "Twitter", "GitHubEvents", "Catalog"].map { name in
  Target.executableTarget(
    name: "\(name)Example", dependencies: ["Graft"], path: "Examples/\(name)", exclude: ["expected-output.txt"],
    packageAccess: false)
}

/// The example with a store.
let feed = Target.executableTarget(
  name: "FeedExample", dependencies: ["Graft", "GraftSQLite"], path: "Examples/Feed",
  exclude: ["expected-output.txt", "Feed.model.json"], packageAccess: false)

/// The example for servers: an HTTP service whose processes share a database.
let service = Target.executableTarget(
  name: "ServiceExample", dependencies: ["Graft", "GraftPostgreSQL", "GraftSQLite"], path: "Examples/Service",
  exclude: ["expected-output.txt", "measure", "run", "Service.model.json"], packageAccess: false)

/// What a package that uses Graft does when it is built, or by a command. All of it is the program's work.
let allPlugins: [(name: String, capability: Target.PluginCapability)] = [
  ("GenerateClasses", .buildTool()),
  ("LintModels", .buildTool()),
  ("GraftLint", .command(intent: .custom(verb: "graft-lint", description: "Check model files"))),
  (
    "GraftFormat",
    .command(
      intent: .custom(verb: "graft-format", description: "Lay out model files"),
      permissions: [.writeToPackageDirectory(reason: "to lay out model files")])
  ),
  (
    "GraftGenerate",
    .command(
      intent: .custom(verb: "graft-generate", description: "Write typed classes of a model"),
      permissions: [.writeToPackageDirectory(reason: "to write the classes")])
  ),
]

// A plugin's tool is compiled for the machine that builds, so with the plugins, Graft is compiled twice. Tests/run builds without
// them, and tries them in a package of their own.
let plugins = Context.environment["GRAFT_PLUGINS"] == "no" ? [] : allPlugins

// Apple's SDKs contain SQLite. A second one, such as Homebrew's, would not fit their library.
#if canImport(Darwin)
  let sqliteConfiguration: String? = nil
#else
  let sqliteConfiguration: String? = "sqlite3"
#endif

let package = Package(
  name: "Graft",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "Graft", targets: ["Graft"]),
    .library(name: "GraftSQLite", targets: ["GraftSQLite"]),
    .library(name: "GraftPostgreSQL", targets: ["GraftPostgreSQL"]),
    .executable(name: "graft", targets: ["GraftCommand"]),
  ] + plugins.map { .plugin(name: $0.name, targets: [$0.name]) },
  targets: [
    .target(name: "Graft"),
    .systemLibrary(
      name: "CSQLite", pkgConfig: sqliteConfiguration,
      providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"]), .brew(["sqlite"])]),
    // What stores in databases share: tables, statements, how changes are written.
    .target(name: "GraftSQL", dependencies: ["Graft"]),
    .target(name: "GraftSQLite", dependencies: ["Graft", "GraftSQL", "CSQLite"]),
    .target(name: "GraftPostgreSQL", dependencies: ["Graft", "GraftSQL"]),
    .target(name: "GraftTools", dependencies: ["Graft"]),
    .executableTarget(
      name: "GraftCommand", dependencies: ["Graft", "GraftSQLite", "GraftPostgreSQL", "GraftTools"]),
    // Its own program, so that packages that use the plugins build neither SQLite nor the commands that plugins do not run.
    .executableTarget(name: "GraftPluginTool", dependencies: ["GraftTools"]),
    .executableTarget(
      name: "graft-bench", dependencies: ["Graft", "GraftPostgreSQL", "GraftSQLite", "CSQLite"],
      path: "Sources/GraftBenchmarks"),
    .executableTarget(name: "GraftCosts", dependencies: ["Graft"], path: "Tests/Costs/Driver"),
    .executableTarget(
      name: "GraftCrashes", dependencies: ["Graft", "GraftPostgreSQL", "GraftSQLite", "GraftTestSupport", "CSQLite"],
      path: "Tests/Crash/Driver"),
    .executableTarget(
      name: "GraftFuzz", dependencies: ["Graft", "GraftSQLite", "GraftPostgreSQL", "GraftTestSupport"],
      path: "Tests/Fuzz/Driver"),
    .target(
      name: "GraftTestSupport", dependencies: ["Graft", "GraftPostgreSQL", "GraftSQLite"], path: "Tests/Support",
      exclude: ["cluster.bash"]),
    .testTarget(
      name: "GraftTests", dependencies: ["Graft", "GraftSQLite", "GraftTestSupport"]),
    .testTarget(
      name: "StoreTests", dependencies: ["Graft", "GraftSQLite", "GraftTestSupport"]),
    .testTarget(
      name: "LawTests", dependencies: ["Graft", "GraftSQLite", "GraftPostgreSQL", "GraftTools", "GraftTestSupport"]),
    .testTarget(name: "InnerTests", dependencies: ["Graft", "GraftTestSupport"]),
    .testTarget(
      name: "CommandTests",
      dependencies: ["Graft", "GraftSQLite", "GraftPostgreSQL", "GraftTools", "GraftTestSupport"]),
    .testTarget(
      name: "SQLiteTests", dependencies: ["Graft", "GraftSQL", "GraftSQLite", "GraftTestSupport", "CSQLite"]),
    .testTarget(
      name: "PostgreSQLTests", dependencies: ["Graft", "GraftSQL", "GraftPostgreSQL", "GraftTestSupport"]),
    .testTarget(
      name: "CrashTests", dependencies: ["GraftCrashes", "GraftTestSupport"], path: "Tests/Crash/Tests"),
    .testTarget(name: "FuzzReplayTests", dependencies: ["GraftFuzz"], path: "Tests/Fuzz/Tests"),
    .testTarget(name: "ExampleTests"),
    // What a program of its own can do: without the package's inner declarations.
    .testTarget(name: "PublicTests", dependencies: ["Graft"], packageAccess: false),
  ] + examples + [feed, service]
    + plugins.map { name, capability in
      .plugin(
        name: name, capability: capability, dependencies: ["GraftPluginTool"], path: "Sources/Plugins/\(name)")
    },
  swiftLanguageModes: [.v6]
)

// The short tests, 'bash Tests/run', are those of the library: they need neither the program nor the examples, and no other tests.
if Context.environment["GRAFT_TARGETS"] == "short" {
  let short: Set = [
    "Graft", "CSQLite", "GraftSQL", "GraftSQLite", "GraftPostgreSQL", "GraftTestSupport", "GraftTests",
    "InnerTests",
    "PublicTests",
  ]
  package.targets.removeAll { !short.contains($0.name) }
  package.products.removeAll { !short.contains($0.name) }
}

// What later versions of the language require: `any` before protocols, imports that are no part of the interface unless they say so,
// and an import in each file for what it uses.
for target in package.targets where target.type != .plugin && target.type != .system {
  target.swiftSettings = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
    .map { .enableUpcomingFeature($0) }
}
