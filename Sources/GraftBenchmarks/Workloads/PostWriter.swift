/// Flat records: ten scalars, among them two dates and a double of full precision.
struct PostWriter: RecordWriter {
  private let seed: UInt64

  /// Posts share nothing.
  init(seed: UInt64, sharing: Double) { self.seed = seed }

  mutating func write(record: Int, revision: Int, to text: inout JSONText) {
    var random = SplitMix64(seed: seed, record: record)
    var changing = SplitMix64(seed: seed, record: record, revision: revision + 1)
    text.raw(#"{"id":"# as StaticString)
    text.integer(1 + record)
    text.raw(#","user_id":"# as StaticString)
    text.integer(1 + random.below(50_000))
    text.raw(#","title":"# as StaticString)
    text.prose(words: 3 + random.below(8), &random)
    text.raw(#","slug":""# as StaticString)
    for _ in 0..<3 {
      text.raw(Prose.plain[random.below(Prose.plain.count)])
      text.raw("-" as StaticString)
    }
    text.integer(record)
    text.raw(#"","body":"# as StaticString)
    text.prose(words: 8 + changing.below(20), &changing)
    text.raw(#","score":"# as StaticString)
    text.number(changing.fraction() * 100)
    text.raw(#","rating":"# as StaticString)
    text.number(Double(random.below(51)) / 10)
    text.raw(#","published":"# as StaticString)
    text.boolean(random.chance(percent: 80))
    text.raw(#","created_at":"# as StaticString)
    text.date(&random)
    text.raw(#","updated_at":"# as StaticString)
    text.date(&changing)
    text.raw("}" as StaticString)
  }
}
