import Foundation
import Testing

@Suite("graft convert: sources") struct ConvertSourceTests {
  private static let empty = "<model><entity name=\"A\"/></model>"

  /// Returns the messages of a conversion.
  private static func messages(_ text: String) throws -> String {
    let graft = try Invocation("convert -", input: text)
    #expect(graft.output == "" && graft.status == 1)
    return graft.messages
  }

  /// Converts a bundle with several versions. Returns the invocation, without the bundle's path in its messages.
  private static func convert(
    _ versions: [String], current: String? = nil, _ folder: TemporaryFolder
  ) throws -> (output: String, messages: String, status: Int32) {
    let bundle = folder.path("Zoo.xcdatamodeld")
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    for version in versions {
      let path = "\(bundle)/\(version).xcdatamodel"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Data("<model><entity name=\"\(version.filter { $0 != " " })\"/></model>".utf8)
        .write(to: URL(fileURLWithPath: "\(path)/contents"))
    }
    if let current {
      try Data(current.utf8).write(to: URL(fileURLWithPath: "\(bundle)/.xccurrentversion"))
    }
    let graft = try Invocation(["convert", bundle])
    let lines = graft.messages.split(separator: "\n").filter { !$0.contains("no property has a key path") }
    return (graft.output, lines.joined(separator: "\n").replacingOccurrences(of: bundle, with: "Zoo"), graft.status)
  }

  private static func plist(_ name: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(name)</string></dict></plist>
    """
  }

  @Test("The current version is converted or, if no version is marked as current, the last version in numeric order")
  func versions() throws {
    let names = ["Zoo", "Zoo 2", "Zoo 10"]
    let named = try Self.convert(names, current: Self.plist("Zoo 2.xcdatamodel"), TemporaryFolder())
    #expect(named.output.contains("\"Zoo2\"") && named.status == 0)
    #expect(named.messages == "note: 'Zoo 2.xcdatamodel' is converted, the current one of 3 versions")

    let last = try Self.convert(names, TemporaryFolder())
    #expect(last.output.contains("\"Zoo10\"") && last.status == 0)
    #expect(
      last.messages
        == "note: 'Zoo 10.xcdatamodel' is converted, the last of 3 versions: '.xccurrentversion' names none of them"
    )

    let garbled = try Self.convert(names, current: "<plist", TemporaryFolder())
    #expect(garbled.messages == last.messages)

    for missing in ["Zoo 7.xcdatamodel", "../../secret"] {
      let gone = try Self.convert(names, current: Self.plist(missing), TemporaryFolder())
      #expect(gone.output.contains("\"Zoo10\"") && gone.status == 0)
      #expect(
        gone.messages
          == "warning: '.xccurrentversion' names '\(missing)', which does not exist; 'Zoo 10.xcdatamodel' is converted instead"
      )
    }

    let only = try Self.convert(["Zoo"], TemporaryFolder())
    #expect(only.output.contains("\"name\": \"Zoo\"") && only.messages == "")
  }

  @Test("The source can also be a version, its contents file or standard input")
  func forms() throws {
    let model = "Tests/Fixtures/core-data/Library.xcdatamodeld"
    let bundle = try Invocation(["convert", model])
    for path in ["\(model)/", "\(model)/Library 2.xcdatamodel", "\(model)/Library 2.xcdatamodel/contents"] {
      let graft = try Invocation(["convert", path])
      #expect(graft.output == bundle.output && graft.status == 0)
    }
    let text = try String(
      contentsOf: Invocation.root.appendingPathComponent("\(model)/Library 2.xcdatamodel/contents"), encoding: .utf8)
    let piped = try Invocation("convert -", input: text)
    #expect(piped.output == bundle.output.replacingOccurrences(of: "  \"name\": \"Library\",\n", with: ""))
    #expect(piped.messages.hasPrefix("<stdin>:4:25: note: the default of 'Author.identifier'") && piped.status == 0)
  }

  @Test("A source that is not a Core Data model is rejected with advice")
  func refused() throws {
    let folder = try TemporaryFolder()
    func make(_ path: String, _ file: String? = nil) throws -> String {
      try FileManager.default.createDirectory(atPath: folder.path(path), withIntermediateDirectories: true)
      if let file { try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path("\(path)/\(file)"))) }
      return folder.path(path)
    }
    let cases = [
      (
        try make("Old.xcdatamodel", "elements"),
        "it is in the binary format of Xcode 3; open it in Xcode, choose a newer tools version in the File inspector, "
          + "and save it"
      ),
      (try make("Zoo.momd"), "it is a compiled model; convert the .xcdatamodeld from which it was compiled"),
      (try folder.file("Zoo.mom", "x"), "it is a compiled model; convert the .xcdatamodeld from which it was compiled"),
      (try make("Empty.xcdatamodeld"), "it contains no version of a model: no .xcdatamodel"),
      (try make("Empty.xcdatamodel"), "it contains no Core Data model: it has no 'contents'"),
      (folder.path("None.xcdatamodeld"), "No such file or directory"),
      (folder.path("None"), "No such file or directory"),
    ]
    for (path, reason) in cases {
      let graft = try Invocation(["convert", path])
      #expect(graft.messages == "graft convert: cannot read '\(path)': \(reason)\n")
      #expect(graft.output == "" && graft.status == 3)
    }
    let project = try make("Project")
    let model = try make("Project/Zoo.xcdatamodeld")
    #expect(
      try Invocation(["convert", project]).messages
        == "graft convert: cannot read '\(project)': it contains no Core Data model: it has no 'contents'; there is '\(model)'\n"
    )
  }

  /// Text that is not the XML of a Core Data model, and the first line of the error.
  static let malformedTexts: [(text: String, message: String)] = [
    ("", "1:1: error: expected the XML of a Core Data model, found no element"),
    ("{}", "1:1: error: expected the XML of a Core Data model, found no element"),
    (
      "bplist00",
      "1:1: error: this is a binary property list, as Xcode 3 wrote models: open the model in Xcode and save it again"
    ),
    (
      "<model>\n  <entity name=\"A\">",
      "2:19: error: malformed XML: the document ends too early, or continues after its root"
    ),
    ("<model>\n</modell>", "2:9: error: malformed XML: an end tag that does not match the start tag"),
    ("<model><entity name=A/></model>", "1:21: error: malformed XML: the value of an attribute has no quotes"),
    (
      "<model><entity name=\"a&b\"/></model>",
      "1:25: error: malformed XML: '&' does not begin an entity here; write '&amp;' for the character itself"
    ),
    ("<model a=\"1\" a=\"2\"/>", "1:19: error: malformed XML: the same attribute twice"),
    ("<model a=\"&nbsp;\"/>", "1:17: error: malformed XML: an entity that XML does not define"),
    ("<document/>", "1:1: error: expected <model>, the root of a Core Data model, found <document>"),
    (
      "<?xml version=\"1.0\" encoding=\"UTF-7\"?><model/>",
      "1:1: error: expected UTF-8, which Xcode writes, found another encoding"
    ),
    (
      "<!DOCTYPE m [<!ENTITY a \"b\">]><model a=\"&a;\"/>",
      "1:1: error: a Core Data model has no document type and declares no entities of its own"
    ),
    (
      "<!-- x --><!DOCTYPE m SYSTEM \"http://example.org/m.dtd\"><model/>",
      "1:11: error: a Core Data model has no document type and declares no entities of its own"
    ),
  ]

  @Test("Malformed XML is reported with its location", arguments: malformedTexts)
  func malformed(text: String, message: String) throws {
    let lines = try Self.messages(text).split(separator: "\n")
    #expect(lines.first == "<stdin>:\(message)")
    #expect(lines.last == "1 error; nothing was converted")
  }

  @Test("Unclosed and deeply nested elements are rejected quickly")
  func deep() throws {
    let deep = "<model>" + String(repeating: "<a>", count: 100_000)
    #expect(try Self.messages(deep).contains("nested deeper than 64 levels"))
    let bomb = """
      <!DOCTYPE x [<!ENTITY a "\(String(repeating: "&b;", count: 1000))"><!ENTITY b "\(String(repeating: "b", count: 1000))">]>
      <model name="&a;"/>
      """
    #expect(try Self.messages(bomb).contains("no document type"))
    let long = try Invocation("convert -", input: String(repeating: " ", count: 8 << 20) + Self.empty)
    #expect(long.messages == "graft convert: cannot read standard input: it is longer than 8388608 bytes\n")
    #expect(long.status == 3)
  }

  @Test("Locations are correct after comments, character data, quotes and wide characters")
  func places() throws {
    let graft = try Invocation(
      "convert -",
      input: """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- <entity name="X"> --><model>
        <![CDATA[ <attribute> ]]>
          <entity name='名前 > "x"'><attribute name="b>c"
              optional="YES" attributeType =  'Blob'/></entity>
          <!-- > <attribute/> -->
          <entity name="A"><attribute attributeType="Blob" name="d"/></entity>
        </model>
        """)
    let lines = graft.messages.split(separator: "\n").filter { $0.contains("Blob") }.map { $0.prefix { $0 != "w" } }
    #expect(lines == ["<stdin>:5:39: ", "<stdin>:7:45: "])
  }

  @Test("A model with damaged bytes is converted or rejected, and never crashes the program")
  func mutations() throws {
    let path = "Tests/Fixtures/core-data/MagicalRecord.xcdatamodel/contents"
    let bytes = [UInt8](try Data(contentsOf: Invocation.root.appendingPathComponent(path)))
    let folder = try TemporaryFolder()
    var number: UInt64 = 1
    for _ in 0..<60 {
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var mutated = bytes
      let position = Int(number >> 33) % bytes.count
      switch number >> 20 & 3 {
      case 0: mutated[position] = UInt8(truncatingIfNeeded: number >> 8)
      case 1: mutated.remove(at: position)
      case 2: mutated.removeLast(bytes.count - position)
      default: mutated.insert(contentsOf: bytes[position..<min(position + 60, bytes.count)], at: position)
      }
      try Data(mutated).write(to: URL(fileURLWithPath: folder.path("contents")))
      let graft = try Invocation(["convert", folder.path("contents")])
      #expect([0, 1].contains(graft.status), "seeded by position \(position)")
    }
  }
}
