/// Events of a code forge: usually 1,000 shared actors, 400 shared repositories and 50 shared organizations. Each event has its
/// own commits.
struct EventWriter: RecordWriter {
  private static let types = ["PushEvent", "CreateEvent", "PullRequestEvent", "IssueCommentEvent", "WatchEvent"]
  private static let branches = ["main", "develop", "release/1.0", "feature/search"]
  private static let host = "https://api.example.com"
  private let seed: UInt64
  private let actors: [[UInt8]]
  private let repositories: [[UInt8]]
  private let organisations: [[UInt8]]

  init(seed: UInt64, sharing: Double) {
    self.seed = seed
    let numbers = { (usual: Double) in 0..<max(1, Int(usual * sharing)) }
    actors = numbers(1000).map { Self.actor($0, seed: seed &+ 1) }
    repositories = numbers(400).map { Self.repository($0, seed: seed &+ 2) }
    organisations = numbers(50).map { Self.organisation($0, seed: seed &+ 3) }
  }

  mutating func write(record: Int, revision: Int, to text: inout JSONText) {
    var random = SplitMix64(seed: seed, record: record)
    var changing = SplitMix64(seed: seed, record: record, revision: revision + 1)
    text.raw(#"{"id":""# as StaticString)
    text.integer(20_000_000_000 + record * 7)
    text.raw(#"","type":"# as StaticString)
    text.string(Self.types[random.below(Self.types.count)])
    text.raw(#","actor":"# as StaticString)
    text.raw(actors[random.below(actors.count)])
    text.raw(#","repo":"# as StaticString)
    text.raw(repositories[random.below(repositories.count)])
    text.raw(#","payload":{"push_id":"# as StaticString)
    text.integer(9_000_000_000 + random.below(1_000_000_000))
    let commits = random.below(4)
    text.raw(#","size":"# as StaticString)
    text.integer(changing.below(1000))
    text.raw(#","ref":"refs/heads/"# as StaticString)
    text.raw(Self.branches[changing.below(Self.branches.count)])
    text.raw(#"","commits":["# as StaticString)
    for index in 0..<commits {
      if index > 0 { text.raw("," as StaticString) }
      Self.commit(&random, message: &changing, to: &text)
    }
    text.raw(#"]},"public":"# as StaticString)
    text.boolean(random.chance(percent: 95))
    text.raw(#","created_at":"# as StaticString)
    text.date(&random)
    text.raw(#","org":"# as StaticString)
    if random.chance(percent: 50) {
      text.raw("null" as StaticString)
    } else {
      text.raw(organisations[random.below(organisations.count)])
    }
    text.raw("}" as StaticString)
  }

  private static func commit(_ random: inout SplitMix64, message: inout SplitMix64, to text: inout JSONText) {
    let author = random.below(1000)
    var sha = ""
    for _ in 0..<5 { sha += hexadecimal(random.next() >> 32) }
    text.raw(#"{"sha":"# as StaticString)
    text.string(sha)
    text.raw(#","author":{"name":"# as StaticString)
    text.prose(words: 2, &random)
    text.raw(#","email":"author"# as StaticString)
    text.integer(author)
    text.raw(#"@example.com"},"message":"# as StaticString)
    text.prose(words: 4 + message.below(12), &message)
    text.raw(#","distinct":"# as StaticString)
    text.boolean(random.chance(percent: 90))
    text.raw(#","url":"# as StaticString)
    text.string("\(host)/repos/team\(author % 100)/project-\(author % 400)/commits/\(sha)")
    text.raw("}" as StaticString)
  }

  private static func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  private static func actor(_ number: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed, record: number)
    let login = "developer\(random.below(10_000))"
    return Array(
      """
      {"id":\(5000 + number * 11),"login":"\(login)","gravatar_id":"","url":"\(host)/users/\(login)",\
      "avatar_url":"https://avatars.example.com/u/\(5000 + number * 11)?v=4"}
      """.utf8)
  }

  private static func repository(_ number: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed, record: number)
    let name = "team\(random.below(100))/project-\(number)"
    return Array(#"{"id":\#(700_000 + number * 13),"name":"\#(name)","url":"\#(host)/repos/\#(name)"}"#.utf8)
  }

  private static func organisation(_ number: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed, record: number)
    let login = "org\(random.below(1000))"
    return Array(#"{"id":\#(90_000 + number * 17),"login":"\#(login)","url":"\#(host)/orgs/\#(login)"}"#.utf8)
  }
}
