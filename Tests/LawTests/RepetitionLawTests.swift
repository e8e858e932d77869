import Graft
import GraftTestSupport
import Testing

/// Objects that a payload repeats byte for byte are read once. This must not be noticeable: the same payload has the same effect if each
/// repetition has different white space.
///
/// `GRAFT_REPETITION_CASES` sets the number of cases, `GRAFT_LAW_SEED` selects one by its seed.
@Suite("Law: repeated objects") struct RepetitionLawTests {
  private static let seeds = LawSeeds.seeds("GRAFT_REPETITION_CASES", 120)

  private static let model = """
    {"keyStrategy": "sameName", "entities": {
      "Post": {
        "identityAttributes": "id",
        "attributes": {"id": "integer64", "title": {"type": "string", "optional": true}},
        "relationships": {
          "author": {"destination": "User", "inverse": "posts"},
          "readers": {"destination": "User", "toMany": true},
          "owner": {"destination": "Admin", "JSONKeyPath": "meta.owner"},
          "tags": {"destination": "Tag", "toMany": true, "ordered": true, "unresolvedRule": "skip"},
          "parts": {"destination": "Part", "toMany": true},
          "reply": {"destination": "Post"}}},
      "User": {
        "identityAttributes": "id",
        "attributes": {
          "id": "integer64", "name": {"type": "string", "optional": true, "JSONKeyPathAliases": ["login"]},
          "age": {"type": "integer16", "optional": true}, "score": {"type": "double", "optional": true},
          "born": {"type": "date", "optional": true}, "data": {"type": "json", "optional": true},
          "mail": {"type": "string", "default": "none"}},
        "relationships": {
          "posts": {"destination": "Post", "toMany": true, "inverse": "author"},
          "friend": {"destination": "User", "deleteRule": "nullify"}}},
      "Admin": {"parent": "User", "attributes": {"level": {"type": "integer16", "optional": true}}},
      "Tag": {
        "identityAttributes": "name",
        "attributes": {"name": "string", "note": {"type": "string", "optional": true, "maxLength": 3}}},
      "Part": {"attributes": {"name": {"type": "string", "optional": true}}}
    }}
    """

  @Test("I2: a payload has the same meaning whether or not its repeated objects have the same white space")
  func whiteSpace() throws {
    let model = try ManagedObjectModel(text: Self.model)
    var (succeeded, failed) = (0, 0)
    for seed in Self.seeds {
      var random = SeededRandom(seed: seed)
      let contexts = [ManagedObjectContext(model: model), ManagedObjectContext(model: model)]
      let options = ImportOptions(
        unknownKeys: random.chance(percent: 80) ? .ignore : random.chance(percent: 50) ? .report : .error,
        faultyElements: random.chance(percent: 30) ? .skip : .error,
        warnings: random.chance(percent: 50) ? .report : .ignore, reportsDetails: true)
      var writer = PostWriter(random: random)
      for _ in 0..<2 {
        let (plain, spaced) = writer.payload()
        let results = zip(contexts, [plain, spaced]).map { Self.result(of: $1, in: $0, options) }
        #expect(results[0] == results[1], "GRAFT_LAW_SEED=\(seed)\n\(plain)")
        #expect(contexts[0].dump() == contexts[1].dump(), "GRAFT_LAW_SEED=\(seed)\n\(plain)")
        #expect(contexts.flatMap { $0.checkInvariants() } == [])
        if results[0] != results[1] || contexts[0].dump() != contexts[1].dump() { return }
        if results[0].hasPrefix("failed") { failed += 1 } else { succeeded += 1 }
      }
    }
    if Self.seeds.count > 10 { #expect(succeeded > Self.seeds.count / 4 && failed > Self.seeds.count / 10) }
  }

  @Test("I15: an object that is repeated at a deeper level can be too deeply nested there", arguments: ["", " "])
  func depth(space: String) throws {
    let context = ManagedObjectContext(model: try ManagedObjectModel(text: Self.model))
    let posts = (0..<200).map { #"{"id": \#($0), "author": {"id": \#($0 % 2), "data": [[[0]]]}}"# }
    let deep = #"{"id": 500, "reply": {"id": 501, "author": {\#(space)"id": 1, "data": [[[0]]]}}}"#
    var options = ImportOptions()
    options.limits.depth = 6
    let error = #expect(throws: ImportError.self) {
      try context.importJSON("[\((posts + [deep]).joined(separator: ","))]", ofEntity: "Post", options: options)
    }
    #expect(error?.diagnostics.map(\.code) == [.limitDepth])
    #expect(error?.diagnostics.first?.path == "$[200].reply.author.data[0][0]")
    options.limits.depth = 7
    try context.importJSON("[\((posts + [deep]).joined(separator: ","))]", ofEntity: "Post", options: options)
  }

  /// The result of an import: its report or its errors, without lines and columns.
  private static func result(of payload: String, in context: ManagedObjectContext, _ options: ImportOptions) -> String {
    func words(_ diagnostics: [Diagnostic]) -> String {
      diagnostics.map { "\($0.code) \($0.message) at \($0.path ?? "") \($0.count) \($0.notes.map(\.message))\n" }
        .joined()
    }
    do throws(ImportError) {
      let report = try context.importJSON(payload, ofEntity: "Post", options: options)
      let faulty = report.faultyElements.map { "\($0.path) \(words($0.diagnostics))" }
      return "\(report)\n\(words(report.warnings))\(report.details)\(report.unknownKeys)\(faulty)"
    } catch {
      return "failed: \(words(error.diagnostics))"
    }
  }
}

/// Writes posts that have few different authors, readers and tags, which are usually described by the same bytes.
private struct PostWriter {
  var random: SeededRandom
  private var objects = 0
  private let faults: Int

  init(random: SeededRandom) {
    self.random = random
    faults = self.random.pick([0, 0, 1, 4])
  }

  /// A payload, and the same payload with different white space in each object.
  mutating func payload() -> (plain: String, spaced: String) {
    let posts = (0..<(40 + random.below(100))).map { _ in post(depth: 0) }
    let text = "[" + posts.joined(separator: ",") + "]"
    // A marker represents the white space.
    return (text.replacing("\u{1}", with: ""), spaced(text))
  }

  private mutating func spaced(_ text: String) -> String {
    var spaced = ""
    for part in text.split(separator: "\u{1}", omittingEmptySubsequences: false) {
      objects += 1
      spaced += part + String(objects, radix: 2).map { $0 == "0" ? " " : "\t" }.joined()
    }
    return spaced
  }

  private mutating func post(depth: Int) -> String {
    var members = ["\"id\":\(random.below(30))"]
    if random.chance(percent: 50) { members.append("\"title\":\"title \(random.below(3))\"") }
    if random.chance(percent: 80) { members.append("\"author\":\(user("User"))") }
    if random.chance(percent: 60) { members.append("\"readers\":\(list { $0.user("User") })") }
    if random.chance(percent: 30) { members.append("\"meta\":{\"owner\":\(user("Admin"))}") }
    if random.chance(percent: 60) { members.append("\"tags\":\(list { $0.tag() })") }
    if random.chance(percent: 20) { members.append("\"parts\":\(list { _ in "{\u{1}\"name\":\"p\"}" })") }
    if depth < 2, random.chance(percent: 10) { members.append("\"reply\":\(post(depth: depth + 1))") }
    return object(members)
  }

  private mutating func list(_ element: (inout PostWriter) -> String) -> String {
    "[" + (0..<random.below(4)).map { _ in element(&self) }.joined(separator: ",") + "]"
  }

  private mutating func user(_ entity: String) -> String {
    let id = entity == "Admin" && !random.chance(permille: faults) ? 10 + random.below(2) : random.below(4)
    if random.chance(percent: 10) { return "\(id)" }
    var members = ["\"id\":\(id)", "\"name\":\"user \(id)\""]
    if random.chance(percent: 10) { members.append("\"age\":\(random.below(2))") }
    if random.chance(percent: 5) { members[1] = "\"name\":\"other\"" }
    if random.chance(percent: 5) { members[1] = "\"login\":\"login\"" }
    if random.chance(percent: 5) { members.append("\"score\":1.5") }
    if random.chance(percent: 5) { members.append("\"name\":null") }
    if random.chance(percent: 5) { members.append("\"born\":\"2024-01-0\(1 + random.below(2))T00:00:00Z\"") }
    if random.chance(percent: 5) { members.append("\"data\":{\"a\":[1,{}]}") }
    if random.chance(percent: 5) { members.append("\"more\":{\"a\":1}") }
    if random.chance(percent: 3) { members.append("\"friend\":\(user("User"))") }
    if random.chance(permille: faults) { members.append("\"age\":\"young\"") }
    if random.chance(permille: faults) { members.append("\"age\":1,\"age\":1") }
    if random.chance(permille: faults) { members[0] = random.pick(["\"id\":null", "\"id\":\"x\"", "\"x\":1"]) }
    return object(members)
  }

  private mutating func tag() -> String {
    let name = random.pick(["red", "green", "blue"])
    if random.chance(percent: 10) { return "\"\(name)\"" }
    let note = random.chance(percent: 90) ? "n" : random.chance(permille: faults) ? "long" : "m"
    return object(["\"name\":\"\(name)\"", "\"note\":\"\(note)\""])
  }

  private func object(_ members: [String]) -> String { "{\u{1}" + members.joined(separator: ",") + "}" }
}

extension SeededRandom {
  fileprivate mutating func chance(permille: Int) -> Bool { below(1_000) < permille }
}
