import Foundation
import Graft
import Testing

// The classes of the README, as they stand there.

final class Hero: ManagedObject {
  var name: String? {
    get { self["name"] }
    set { self["name"] = newValue }
  }
  var publisher: Publisher? {
    get { self["publisher"] }
    set { self["publisher"] = newValue }
  }
  var powers: RelatedObjects<Power> { self["powers"] }
}

final class Power: ManagedObject {
  var name: String? { self["name"] }
  var heroes: Set<Hero> { self["heroes"] }
}

final class Publisher: ManagedObject {
  var name: String? {
    get { self["name"] }
    set { self["name"] = newValue }
  }
}

@Suite("README") struct ReadmeTests {
  private static func file(_ path: String) throws -> String {
    try String(contentsOf: Invocation.root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The blocks of code in a language.
  private static func blocks(_ language: String) throws -> [String] {
    try file("README.md").components(separatedBy: "\n```\(language)\n").dropFirst().map { part in
      part.components(separatedBy: "\n```\n")[0]
    }
  }

  /// The lines without their indentation.
  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: true)
      .map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
  }

  @Test("The program in the README compiles, and does what the README says")
  func program() throws {
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: try folder.file("Heroes.json", try #require(ReadmeTests.blocks("jsonc").first)))
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    var transformers = TransformerRegistry.standard
    transformers.registerValueTransformer(named: "Slug") { (text: String) in text.lowercased() }

    let model = try ManagedObjectModel(
      contentsOf: url, transformers: transformers, classes: [Hero.self, Power.self, Publisher.self])
    let context = ManagedObjectContext(model: model)

    let heron: Hero = try object(
      fromJSON: """
        {"id": "101", "name": "Night Heron", "powers": [{"id": "1", "name": "Silent flight"}, "2"], "publisher": "10"}
        """, in: context)

    // Power 2 and publisher 10 are known by identifier only. Later payloads fill them, whatever their order.
    try objects(Power.self, fromJSON: #"[{"id": "2", "name": "Night vision"}]"#, in: context)
    try object(ofEntity: "Publisher", fromJSON: ["id": "10", "name": "Lantern Press"], in: context)

    print(heron.powers.count, heron.publisher?.name ?? "?")  // 2 Lantern Press
    heron.name = "Old Heron"
    print(String(decoding: try jsonData(from: heron), as: UTF8.self))

    #expect(
      printed == [
        "2 Lantern Press",
        #"{"id":"101","name":"Old Heron","real_name":null,"slug":null,"powers":[{"id":"1","name":"Silent flight"},"#
          + #"{"id":"2","name":"Night vision"}],"publisher":{"id":"10","name":"Lantern Press"}}"#,
      ])
    #expect(model.warnings.map(\.code) == ["one-way-transformer"])
    #expect(context.placeholders.isEmpty)
  }

  @Test("The first model in the README reads the payload beside it")
  func firstModel() throws {
    let folder = try TemporaryFolder()
    let readme = try ReadmeTests.file("README.md")
    let payload = try #require(readme.firstMatch(of: /`feed\.json`: `(.*)`\./)).1
    let model = try folder.file("Feed.json", try ReadmeTests.blocks("jsonc")[1])
    let feed = try folder.file("feed.json", String(payload))
    #expect(try Invocation(["lint", model]).messages == "no findings in 1 model file\n")
    #expect(try Invocation(["explain", model, "Item"]).output.contains("Example, imported as Item:"))
    let graft = try Invocation(["import", "--model", model, "Item=\(feed)", "--at", "items"])
    #expect(graft.output == "Imported 1 payload\n  Item    1 inserted\n  Author  1 inserted\n")
  }

  @Test("The Swift code in the README stands in this file word for word")
  func code() throws {
    let own = ReadmeTests.lines(try ReadmeTests.file("Tests/CommandTests/ReadmeTests.swift"))
    let blocks = try ReadmeTests.blocks("swift")
    #expect(blocks.count == 2)
    for block in blocks {
      let lines = ReadmeTests.lines(block)
      #expect(own.indices.contains { own[$0...].starts(with: lines) }, "\(block)")
    }
  }

  @Test("What the README shows of the program is what it prints")
  func console() throws {
    let blocks = try ReadmeTests.blocks("console")
    #expect(!blocks.isEmpty)
    for block in blocks {
      let parts = block.split(separator: "\n", maxSplits: 1).map(String.init)
      let words = try #require(parts.first)
      #expect(words.hasPrefix("$ graft "))
      let graft = try Invocation(String(words.dropFirst("$ graft ".count)))
      #expect(parts.last.map { $0 + "\n" } == graft.output + graft.messages)
    }
  }

  @Test("The model in the README is formatted")
  func layout() throws {
    for block in try ReadmeTests.blocks("jsonc") { #expect(try ModelFileFormatter.format(block) == block + "\n") }
  }

  @Test("The README knows every word of a model file, every type, and every built-in transformer")
  func words() throws {
    let readme = try ReadmeTests.file("README.md")
    let old = ModelFileKey.identityAttribute
    for key in ModelFileKey.allCases where key != old { #expect(readme.contains("`\(key.rawValue)`"), "\(key)") }
    for type in AttributeType.allCases { #expect(readme.contains("`\(type.rawValue)`"), "\(type)") }
    for name in TransformerRegistry.standard.valueTransformerNames { #expect(readme.contains("`\(name)`"), "\(name)") }
  }

  @Test("The README names the limits as they are")
  func limits() throws {
    let readme = try ReadmeTests.file("README.md")
    let limits = ImportLimits()
    #expect(limits.bytes == 1 << 30 && readme.contains("| bytes of a payload | 1 GiB |"))
    #expect(limits.depth == 512 && readme.contains("| nesting | 512 levels |"))
    #expect(limits.objects == 16_777_216 && readme.contains("| new objects of a payload | 16,777,216 |"))
    #expect(limits.stringBytes == 64 << 20 && readme.contains("| bytes of a string | 64 MiB |"))
    #expect(limits.numberBytes == 1024 && readme.contains("| bytes of a number | 1,024 |"))
    #expect(limits.errors == 20 && readme.contains("| errors that are collected | 20 |"))
  }

  @Test("The files that the README points to exist")
  func links() throws {
    let readme = try ReadmeTests.file("README.md")
    for match in readme.matches(of: #/\]\(([^)#:]+)\)/#) {
      let path = Invocation.root.appendingPathComponent(String(match.1)).path
      #expect(FileManager.default.fileExists(atPath: path), "\(match.1)")
    }
  }
}
