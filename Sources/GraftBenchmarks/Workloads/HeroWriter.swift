/// Heroes with 2 to 8 of usually 600 shared powers and one of usually 60 shared publishers, written in full at each mention.
struct HeroWriter: RecordWriter {
  private var fields: HeroFields
  private let powers: [[UInt8]]
  private let publishers: [[UInt8]]

  init(seed: UInt64, sharing: Double) {
    fields = HeroFields(seed: seed, sharing: sharing)
    powers = (0..<fields.powers).map { Self.nested($0, seed: seed &+ 1, words: 1...3) }
    publishers = (0..<fields.publishers).map { Self.nested($0, seed: seed &+ 2, words: 2...3) }
  }

  mutating func write(record: Int, revision: Int, to text: inout JSONText) {
    fields.write(record: record, revision: revision, to: &text, power: powers, publisher: publishers)
  }

  private static func nested(_ number: Int, seed: UInt64, words: ClosedRange<Int>) -> [UInt8] {
    var random = SplitMix64(seed: seed, record: number)
    var text = JSONText()
    text.raw(#"{"id":""# as StaticString)
    text.integer(number + 1)
    text.raw(#"","name":"# as StaticString)
    text.prose(words: words.lowerBound + random.below(words.count), &random)
    text.raw("}" as StaticString)
    return text.bytes
  }
}

/// The same heroes, with identifiers for powers and publisher.
struct HeroReferenceWriter: RecordWriter {
  private var fields: HeroFields
  private let identifiers: [[UInt8]]

  init(seed: UInt64, sharing: Double) {
    fields = HeroFields(seed: seed, sharing: sharing)
    identifiers = (0..<fields.powers).map { Array("\"\($0 + 1)\"".utf8) }
  }

  mutating func write(record: Int, revision: Int, to text: inout JSONText) {
    fields.write(record: record, revision: revision, to: &text, power: identifiers, publisher: identifiers)
  }
}

/// The attributes of a hero.
private struct HeroFields {
  /// At least as many as a hero has.
  let powers: Int
  let publishers: Int

  private static let genders = ["male", "female", "non-binary", "unknown"]
  private static let alignments = ["good", "bad", "neutral"]
  let seed: UInt64
  private var chosen: [Int] = []

  init(seed: UInt64, sharing: Double) {
    self.seed = seed
    powers = max(8, Int(600 * sharing))
    publishers = max(1, Int(60 * sharing))
  }

  mutating func write(
    record: Int, revision: Int, to text: inout JSONText, power: [[UInt8]], publisher: [[UInt8]]
  ) {
    var random = SplitMix64(seed: seed, record: record)
    var changing = SplitMix64(seed: seed, record: record, revision: revision + 1)
    text.raw(#"{"id":""# as StaticString)
    text.integer(1000 + record * 3)
    text.raw(#"","name":"# as StaticString)
    text.prose(words: 1 + random.below(3), &random)
    text.raw(#","real_name":"# as StaticString)
    if random.chance(percent: 10) { text.raw("null" as StaticString) } else { text.prose(words: 2, &random) }
    text.raw(#","gender":"# as StaticString)
    text.string(Self.genders[random.below(4)])
    text.raw(#","alignment":"# as StaticString)
    text.string(Self.alignments[random.below(3)])
    text.raw(#","appearances":"# as StaticString)
    text.integer(changing.below(10_000))
    text.raw(#","height":"# as StaticString)
    text.number(Double(1200 + random.below(1200)) / 10)
    text.raw(#","created_at":"# as StaticString)
    text.date(&random)
    text.raw(#","deck":"# as StaticString)
    text.prose(words: 6 + changing.below(20), &changing)
    text.raw(#","powers":["# as StaticString)
    choosePowers(2 + changing.below(7), &changing)
    for (index, number) in chosen.enumerated() {
      if index > 0 { text.raw("," as StaticString) }
      text.raw(power[number])
    }
    text.raw(#"],"publisher":"# as StaticString)
    if random.chance(percent: 5) {
      text.raw("null" as StaticString)
    } else {
      text.raw(publisher[random.below(publishers)])
    }
    text.raw("}" as StaticString)
  }

  /// Chooses powers without repeats, because an import would collapse them (I5).
  private mutating func choosePowers(_ count: Int, _ random: inout SplitMix64) {
    chosen.removeAll(keepingCapacity: true)
    while chosen.count < count {
      let number = random.below(powers)
      if !chosen.contains(number) { chosen.append(number) }
    }
  }
}
