import Foundation
import Graft
import GraftTools
import Testing

/// Cases that users reported, if they are on the machine: folders named `infer-...`, each with payloads.
@Suite("Inference: reported cases") struct InferCaseTests {
  /// The folder `cases` in the folder that `GRAFT_TEST_DATA` names, or `cases` next to the package.
  static let folder: URL? = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    let data =
      ProcessInfo.processInfo.environment["GRAFT_TEST_DATA"].map { URL(fileURLWithPath: $0) }
      ?? package.appendingPathComponent("../shared/data")
    let cases = data.appendingPathComponent("cases").standardizedFileURL
    if FileManager.default.fileExists(atPath: cases.path) { return cases }
    print("GRAFT_TEST_DATA is not set: inference is not tried on reported cases")
    return nil
  }()

  private func bytes(_ name: String, _ file: String = "payload.json") throws -> [UInt8]? {
    guard let folder = Self.folder else { return nil }
    return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name).appendingPathComponent(file)))
  }

  private func infer(_ payloads: (name: String?, bytes: [UInt8])...) throws -> InferredModel {
    let samples = payloads.map {
      ModelInference.Sample(SourceText(name: "payload.json", bytes: $0.bytes), entityName: $0.name)
    }
    let model = try ModelInference(samples).run()
    #expect(model.findings == [] && !model.isSimplified, "\(model.text)")
    return model
  }

  @Test(
    "The export of an imported payload equals the payload",
    arguments: [
      ("infer-entity-without-properties", "Box"), ("infer-foreign-key-as-identity", "Customer"),
      ("infer-fraction-of-zero", "Order"), ("infer-free-tags", "Place"), ("infer-gives-up-everything", "Book"),
      ("infer-members-shared-later", "Album"), ("infer-update-keeps-a-wrong-date", "Release"),
      ("infer-json-api", nil), ("infer-same-kind-in-two-lists", nil),
    ] as [(String, String?)])
  func roundTrip(name: String, entity: String?) throws {
    guard let bytes = try bytes(name) else { return }
    let model = try infer((entity, bytes))
    #expect(try Coverage.losses(of: bytes, with: model) == [], "\(model.text)")
  }

  @Test(
    "The next document can be imported with the model of the first document without losing values",
    arguments: [
      ("infer-fraction-of-zero", "Order"), ("infer-free-tags", "Place"), ("infer-members-shared-later", "Album"),
    ])
  func next(name: String, entity: String) throws {
    guard let first = try bytes(name), let second = try bytes(name, "payload-2.json") else { return }
    let model = try infer((entity, first))
    #expect(try Coverage.losses(of: second, with: model) == [], "\(model.text)")
    let context = ManagedObjectContext(model: try ManagedObjectModel(text: model.text))
    for bytes in [first, second] {
      let sample = ModelInference.Sample(SourceText(name: "payload.json", bytes: bytes))
      let report = try model.importSamples([sample], into: context)
      #expect(report.warnings == [] && report.unlinked.isEmpty)
    }
  }

  @Test("JSON:API: there is one hierarchy, and included objects fill the references to them")
  func resources() throws {
    guard let bytes = try bytes("infer-json-api") else { return }
    let model = try infer((nil, bytes))
    #expect(Set(model.description.entities.map(\.name)) == ["Resource", "Article", "Person", "Comment"])
    let context = ManagedObjectContext(model: try ManagedObjectModel(text: model.text))
    let sample = ModelInference.Sample(SourceText(name: "payload.json", bytes: bytes))
    let report = try model.importSamples([sample], into: context)
    #expect(report.inserted == ["Article": 2, "Person": 2, "Comment": 2] && report.placeholders.isEmpty)
  }

  @Test("A key that refers to another object is not an identity")
  func foreignKeys() throws {
    for file in ["payload.json", "payload-2.json"] {
      guard let bytes = try bytes("infer-foreign-key-as-identity", file) else { return }
      let model = try infer(("Customer", bytes))
      #expect(model.description.entities.allSatisfy { $0.identityAttributes.isEmpty == ($0.name != "Customer") })
    }
  }

  @Test("Objects in several lists become one entity")
  func oneKind() throws {
    guard let thread = try bytes("infer-same-kind-in-two-lists"),
      let user = try bytes("infer-same-kind-in-two-lists", "payload-2.json")
    else { return }
    let entities = try infer((nil, thread)).description.entities
    #expect(entities.count == 1)
    #expect(entities[0].relationships.first { $0.keyPath == "in_reply_to_id" }?.destinationName == entities[0].name)
    #expect(try infer(("User", user)).description.entities.map(\.name) == ["User"])
  }

  @Test("Names that the user gives are kept")
  func names() throws {
    guard let issue = try bytes("infer-names-of-the-user"),
      let label = try bytes("infer-names-of-the-user", "payload-2.json")
    else { return }
    let model = try infer(("Issue", issue), ("Label", label))
    #expect(model.parts.map(\.entityName) == ["Issue", "Label"], "\(model.text)")
    let type = try infer(("Type", label))
    #expect(type.description.entities.map(\.name) == ["Type"])
  }

  @Test("An update replaces a guess that a later sample disproves")
  func update() throws {
    guard let folder = Self.folder?.appendingPathComponent("infer-update-keeps-a-wrong-date").path else { return }
    let files = try TemporaryFolder()
    let model = files.path("m.json")
    #expect(try Invocation(["infer", "Release=\(folder)/payload.json", "--output", model]).status == 0)
    let update = try Invocation(["infer", "Release=\(folder)/payload-2.json", "--update", model])
    #expect(update.status == 0, "\(update.messages)")
    #expect(update.messages.contains("'Release.date' is now string, because the samples refute a guess"))
    #expect(try !files.text("m.json").contains("Guess:"))
    for file in ["payload.json", "payload-2.json"] {
      #expect(try Invocation(["import", "--model", model, "Release=\(folder)/\(file)"]).status == 0)
    }
  }
}
