import Foundation
import Testing

@Suite("graft convert") struct ConvertTests {
  private static let folder = "Tests/Fixtures/core-data"

  /// The models in the folder, each with the expected model file and messages.
  private static let models = [
    "Library.xcdatamodeld", "EveryType.xcdatamodel", "Groot.xcdatamodel", "MagicalRecord.xcdatamodel",
    "Sync.xcdatamodel", "Losses.xcdatamodel",
  ]

  /// To record the expected results again, run GRAFT_RECORD=1 swift test --filter ConvertTests, and check the differences.
  private static let isRecording = ProcessInfo.processInfo.environment["GRAFT_RECORD"] != nil

  private static func check(_ text: String, _ name: String) throws {
    let url = Invocation.root.appendingPathComponent("\(folder)/\(name)")
    if isRecording { try Data(text.utf8).write(to: url) }
    #expect(text == (try String(contentsOf: url, encoding: .utf8)))
  }

  @Test(
    "A Core Data model becomes a model file, and parts without a counterpart are reported", arguments: models)
  func golden(model: String) throws {
    let graft = try Invocation("convert \(ConvertTests.folder)/\(model)")
    let name = model.prefix { $0 != "." }
    try ConvertTests.check(graft.output, "\(name).json")
    try ConvertTests.check(graft.messages, "\(name).messages")
    #expect(graft.status == 0)
  }

  @Test("The converted model has the canonical layout and no errors", arguments: models)
  func canonical(model: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Model.json")
    #expect(try Invocation("convert \(ConvertTests.folder)/\(model) --output \(path)").output == "")
    #expect(try Invocation(["format", "--check", path]).status == 0)
    let findings = try Invocation(["lint", "--format", "json", path])
    #expect(!findings.output.contains("\"error\"") && findings.status == 0)
  }

  /// Converts a model, imports a payload with the converted model, and returns the graph.
  private static func graph(
    _ model: String, _ entity: String, _ payload: String, options: [String] = []
  ) throws -> String {
    let folder = try TemporaryFolder()
    let path = folder.path("Model.json")
    let converted = try Invocation(["convert", "\(Self.folder)/\(model)", "--output", path] + options)
    #expect(converted.status == 0)
    let graft = try Invocation(
      ["import", "--model", path, "\(entity)=-", "--quiet", "--dump", "-"], input: payload)
    #expect(graft.messages == "")
    return graft.output
  }

  @Test("Groot: a converted model imports the JSON that its Core Data annotations describe")
  func grootImport() throws {
    let graph = try ConvertTests.graph(
      "Library.xcdatamodeld", "Book",
      """
      [
        {"origin": {"country": "IS", "number": 1}, "title": "Tides", "author": {"id": "7", "name": "Ada"}},
        {"origin": {"country": "IS", "number": 2}, "title": "Storms", "author": "7"},
        {"origin": {"country": "IS", "number": 1}, "title": "Tides, revised"}
      ]
      """)
    #expect(
      graph == """
        {
          "Author": [
            {"id": "Author(7)", "placeholder": false,
             "attributes": {"identifier": 7, "name": "Ada"},
             "relationships": {"books": ["Book(IS,1)", "Book(IS,2)"]}}
          ],
          "Book": [
            {"id": "Book(IS,1)", "placeholder": false,
             "attributes": {"country": "IS", "number": 1, "shelf": "A 1", "title": "Tides, revised"},
             "relationships": {"author": "Author(7)"}},
            {"id": "Book(IS,2)", "placeholder": false,
             "attributes": {"country": "IS", "number": 2, "shelf": "A 1", "title": "Storms"},
             "relationships": {"author": "Author(7)"}}
          ]
        }

        """)
  }

  @Test("MagicalRecord: aliases, date formats and identity work in the converted model")
  func magicalRecordImport() throws {
    let graph = try ConvertTests.graph(
      "MagicalRecord.xcdatamodel", "Article",
      """
      [
        {"id": 1, "title": "Fog", "published": "22.09.2024 08:30", "edited": 1726998000000, "note": 5,
         "writer": {"login": "mina"}, "tags": [{"slug": "sea", "label": "Sea"}, "wind"]},
        {"id": 1, "head": {"line": "Fog lifts"}, "tags": ["rain"]}
      ]
      """)
    #expect(
      graph == """
        {
          "Article": [
            {"id": "Article(1)", "placeholder": false,
             "attributes": {"articleID": 1, "edited": "2024-09-22T09:40:00Z", "headline": "Fog lifts", "note": null, "published": "2024-09-22T08:30:00Z", "words": 0},
             "relationships": {"author": "Author(mina)", "tags": ["Tag(rain)", "Tag(sea)", "Tag(wind)"]}}
          ],
          "Author": [
            {"id": "Author(mina)", "placeholder": false,
             "attributes": {"login": "mina"},
             "relationships": {"articles": ["Article(1)"]}}
          ],
          "Tag": [
            {"id": "Tag(rain)", "placeholder": true,
             "attributes": {"label": null, "slug": "rain"},
             "relationships": {}},
            {"id": "Tag(sea)", "placeholder": false,
             "attributes": {"label": "Sea", "slug": "sea"},
             "relationships": {}},
            {"id": "Tag(wind)", "placeholder": true,
             "attributes": {"label": null, "slug": "wind"},
             "relationships": {}}
          ]
        }

        """)
  }

  @Test("Sync: snake case, primary keys and identifier keys work in the converted model")
  func syncImport() throws {
    let graph = try ConvertTests.graph(
      "Sync.xcdatamodel", "User",
      """
      [
        {"id": 6, "nickname": "Shawn", "profile": {"company_name": "Ovium"}, "image_url": "https://example.org/6",
         "created_at": "2014-02-14T04:30:10+00:00", "company": {"contract": "C1", "type": "ltd", "offices": ["Oslo"]},
         "notes": [{"id": 0, "text": "One"}]},
        {"id": 7, "company_id": "C1", "notes_ids": [1]}
      ]
      """)
    #expect(
      graph == """
        {
          "Company": [
            {"id": "Company(C1)", "placeholder": false,
             "attributes": {"contractID": "C1", "companyType": "ltd", "offices": ["Oslo"]},
             "relationships": {"users": ["User(6)", "User(7)"]}}
          ],
          "Note": [
            {"id": "Note(0)", "placeholder": false,
             "attributes": {"id": 0, "text": "One"},
             "relationships": {"user": "User(6)"}},
            {"id": "Note(1)", "placeholder": true,
             "attributes": {"id": 1, "text": null},
             "relationships": {"user": "User(7)"}}
          ],
          "User": [
            {"id": "User(6)", "placeholder": false,
             "attributes": {"remoteID": 6, "companyName": "Ovium", "createdAt": "2014-02-14T04:30:10Z", "imageURL": "https://example.org/6", "nickname": "shawn"},
             "relationships": {"company": "Company(C1)", "notes": ["Note(0)"]}},
            {"id": "User(7)", "placeholder": false,
             "attributes": {"remoteID": 7, "companyName": null, "createdAt": null, "imageURL": null, "nickname": null},
             "relationships": {"company": "Company(C1)", "notes": ["Note(1)"]}}
          ]
        }

        """)
  }

  @Test("Every Core Data type stores its values, and new objects get the default values")
  func everyType() throws {
    let graph = try ConvertTests.graph(
      "EveryType.xcdatamodel", "Sample",
      #"{"id": "00000000-0000-0000-0000-000000000001", "binary": "AQID", "place": {"latitude": 1.5}, "tint": "red"}"#,
      options: ["--key-strategy", "sameName"])
    #expect(
      graph == """
        {
          "Sample": [
            {"id": "Sample(00000000-0000-0000-0000-000000000001)", "placeholder": false,
             "attributes": {"binary": "AQID", "boolean": true, "date": "2000-12-30T23:59:59.5Z", "decimal": 0.1, "double": 1, "float": 0.25, "id": "00000000-0000-0000-0000-000000000001", "integer16": 0, "integer32": 2147483647, "integer64": -9223372036854775808, "place": {"latitude":1.5}, "string": "", "tint": "red", "uri": "https://example.org/a?b&c", "uuid": "123e4567-e89b-12d3-a456-426614174000"},
             "relationships": {}}
          ]
        }

        """)
  }

  @Test("Core Data's regular expressions match the whole string")
  func pattern() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Model.json")
    _ = try Invocation([
      "convert", "\(ConvertTests.folder)/EveryType.xcdatamodel", "--output", path, "--key-strategy", "sameName",
    ])
    let id = "00000000-0000-0000-0000-000000000001"
    for (text, status) in [("abc", 0), ("-", 0), ("", 0), ("a-", 1), ("Abc", 1), ("a\\nb", 1)] {
      let payload = #"{"id": "\#(id)", "string": "\#(text)"}"#
      let graft = try Invocation(["import", "--model", path, "Sample=-", "--quiet"], input: payload)
      #expect(graft.status == status, "\(text)")
    }
  }

  @Test("A converted model with errors is written, and each error is shown with its location in that model")
  func findings() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Model.json")
    let graft = try Invocation(
      ["convert", "-", "--output", path],
      input: """
        <model><entity name="Hero"><userInfo><entry key="identityAttributes" value="idd"/></userInfo>
          <attribute name="id" attributeType="String"><userInfo><entry key="JSONKeyPath" value="id"/></userInfo></attribute>
        </entity></model>
        """)
    #expect(
      graft.messages == """
        \(path):6:30: error: the identity attribute 'idd' is not an attribute of entity 'Hero'; did you mean 'id'?
        6 |       "identityAttributes": "idd",
          |                              ^~~
        1 error in the model file, which was written anyway

        """)
    #expect(graft.status == 1)
    #expect(try folder.text("Model.json").contains(#""identityAttributes": "idd""#))
  }

  @Test("If a model uses several conventions, one is applied, and annotations of the other conventions are kept")
  func severalConventions() throws {
    let graft = try Invocation(
      "convert -",
      input: """
        <model><entity name="A"><attribute name="a" optional="YES" attributeType="String"><userInfo>
        <entry key="mappedKeyName" value="m"/>
        <entry key="JSONKeyPath" value="g"/>
        </userInfo></attribute></entity></model>
        """)
    #expect(
      graft.output.contains(
        #""a": { "type": "string", "optional": true, "JSONKeyPath": "g", "userInfo": { "mappedKeyName": "m" } }"#))
    #expect(
      graft.messages == """
        <stdin>:2:1: warning: there are also annotations of MagicalRecord; the annotations of Groot are used, and the others are kept as \
        user info

        """)
    #expect(graft.status == 0)
  }

  @Test("The Core Data model is never overwritten by its own conversion")
  func overSource() throws {
    let folder = try TemporaryFolder()
    let source = ConvertTests.folder + "/EveryType.xcdatamodel/contents"
    let text = try String(contentsOf: Invocation.root.appendingPathComponent(source), encoding: .utf8)
    let path = try folder.file("contents", text)
    let graft = try Invocation(["convert", path, "--output", path])
    #expect(graft.messages.contains("'\(path)' is the model") && graft.status == 2, "\(graft.messages)")
    #expect(try folder.text("contents") == text)
  }

  @Test("No file of a Core Data model is overwritten", arguments: ["", "/"])
  func insideSource(_ end: String) throws {
    let folder = try TemporaryFolder()
    let version = folder.path("A.xcdatamodeld/A.xcdatamodel")
    try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
    let source = Invocation.root.appendingPathComponent(ConvertTests.folder + "/EveryType.xcdatamodel/contents")
    try FileManager.default.copyItem(atPath: source.path, toPath: version + "/contents")
    let words = ["convert", folder.path("A.xcdatamodeld") + end, "--output"]
    for name in ["/A.xcdatamodel/contents", "/.xccurrentversion"] {
      let graft = try Invocation(words + [folder.path("A.xcdatamodeld") + name])
      #expect(graft.status == 2, "\(graft.messages)")
    }
    #expect(FileManager.default.contentsEqual(atPath: source.path, andPath: version + "/contents"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("A.xcdatamodeld/.xccurrentversion")))
    #expect(try Invocation(words + [folder.path("A.json")]).status == 0)
    #expect(try Invocation(words + ["-"]).status == 0)
  }
}
