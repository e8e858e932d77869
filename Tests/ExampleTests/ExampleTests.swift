import Foundation
import Testing

// After an intended change, GRAFT_RECORD=1 swift test --filter ExampleTests rewrites the expected output.

@Suite("Examples") struct ExampleTests {
  @Test("An example prints its expected output", arguments: Example.all)
  func output(example: Example) throws {
    let (output, messages, status) = try example.run()
    #expect(messages == "" && status == 0)
    if ProcessInfo.processInfo.environment["GRAFT_RECORD"] != nil {
      try output.write(to: example.expectedOutput, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: example.expectedOutput, encoding: .utf8)
    #expect(output == expected)
  }

  @Test("Each model has an example, only Feed and Service have models of their own, and the guide lists all examples")
  func guide() throws {
    let models = try FileManager.default.contentsOfDirectory(atPath: Package.folder.appending(path: "Models").path)
      .filter { $0.hasSuffix(".json") && !$0.contains("schema") }.map { String($0.dropLast(".json".count)) }
    #expect((models + ["Feed", "Service"]).sorted() == Example.all.map(\.name))
    let guide = try String(contentsOf: Package.folder.appending(path: "Examples/README.md"), encoding: .utf8)
    for example in Example.all {
      #expect(guide.contains("(\(example.name)/main.swift)") && guide.contains("swift run \(example.name)Example"))
    }
  }

  @Test("An example fits on one page, and begins with its purpose and the command that runs it", arguments: Example.all)
  func head(example: Example) throws {
    let lines = try String(contentsOf: example.file("main.swift"), encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 90)
    #expect(lines[0].hasPrefix("// \(example.name): "))
    #expect(lines.contains("//     swift run \(example.name)Example"))
  }
}
