import Graft

/// Chooses the type of an attribute, its transformer, and its limits.
struct AttributeFinder {
  /// A choice, and the reason for it where it is a guess.
  struct Choice {
    var type: AttributeType
    /// Whether the values are arrays of the type.
    var isList = false
    var transformer: String?
    /// The known values of an enum, which stays open: the next document may have another one.
    var allowedValues: [AttributeValue]?
    /// Values that mean null.
    var nulls: [JSON]?
    /// Whether an element represents a list of one.
    var isLenient = false
    var note: String?
  }

  /// Whether guesses that a value of a later payload could contradict are allowed.
  let isBold: Bool
  /// Guesses that are not made.
  var omitted: OptionalGuesses = []
  /// Whether numbers are only numbers, and strings only text.
  var isPlain = false

  /// Returns the type for the values of a shape, which are neither objects nor arrays.
  func choice(for shape: SampleShape, isIdentity: Bool, isKey: Bool = false) -> Choice {
    let words = KeyNames.lowercaseWords(shape.key)
    if isBold, !isIdentity, let choice = choice(withNulls: shape, words) { return choice }
    let kinds = [
      (shape.booleans > 0, "booleans"), (shape.numbers.count > 0, "numbers"), (shape.texts.count > 0, "strings"),
    ]
    .filter(\.0).map(\.1)
    guard kinds.count < 2 else {
      return Choice(type: .json, note: "The samples have \(kinds.joined(separator: " and ")) here.")
    }
    if shape.booleans > 0 { return Choice(type: .boolean) }
    if shape.numbers.count > 0 { return number(shape.numbers, words, isIdentity: isIdentity) }
    if isKey { return key(shape.texts) }
    return text(shape.texts, words, isIdentity: isIdentity)
  }

  // MARK: Nulls

  /// The choice for values among which empty text, or `false`, represents null; nil if all values are of one kind.
  private func choice(withNulls shape: SampleShape, _ words: [String]) -> Choice? {
    let (texts, empties) = (shape.texts, shape.texts.empties)
    let hasFalse = shape.booleans > 0 && shape.booleans == shape.falses
    guard !isPlain, empties > 0 || hasFalse, shape.booleans == 0 || hasFalse else { return nil }
    var choice: Choice
    if shape.numbers.count > 0 {
      guard texts.count == empties else { return nil }
      choice = number(shape.numbers, words, isIdentity: false)
    } else {
      guard texts.count > empties else { return nil }
      // Empty text among other text is text.
      choice = text(texts, words, isIdentity: false, ignoresEmpty: true)
      guard choice.type != .string || hasFalse else { return nil }
    }
    guard choice.type != .json else { return nil }
    var nulls: [JSON] = []
    if empties > 0, choice.type != .string { nulls.append("") }
    if hasFalse { nulls.append(false) }
    choice.nulls = nulls
    let shown = nulls.map(\.description).joined(separator: " and ")
    choice.note = ["Guess: \(shown) means null.", choice.note].compactMap(\.self).joined(separator: " ")
    return choice
  }

  // MARK: Numbers

  private static let timeWords: Set<String> = [
    "at", "time", "date", "timestamp", "created", "updated", "modified", "expires", "start", "end", "begin", "epoch",
    "on",
    "since", "until", "published",
  ]
  private static let moneyWords: Set<String> = [
    "price", "amount", "total", "cost", "balance", "fee", "tax", "subtotal", "discount", "salary", "revenue",
  ]
  /// Words for quantities that are measured, not counted. If such a number is whole, this is a coincidence.
  private static let measureWords: Set<String> = [
    "altitude", "average", "avg", "cost", "distance", "elevation", "height", "humidity", "lat", "latitude", "lng",
    "lon",
    "longitude", "mean", "percent", "percentage", "pressure", "price", "rate", "rating", "ratio", "speed", "temp",
    "temperature", "value", "weight",
  ]
  /// The measure words whose values may have more digits than a double.
  private static let exactWords: Set<String> = ["cost", "price", "rate", "value"]
  /// Words for numbers that count or order, even next to a measure word.
  private static let integerWords: Set<String> = ["count", "counts", "id", "ids", "index", "level", "number", "rank"]
  /// With fewer whole numbers than this, the next may have a fraction.
  private static let manyMeasures = 10
  private static let booleanWords: Set<String> = ["is", "has", "can", "was", "should", "allows", "enabled", "active"]

  private func number(_ facts: NumberFacts, _ words: [String], isIdentity: Bool) -> Choice {
    if facts.areIntegers {
      if isPlain { return Choice(type: .integer64) }
      if !isIdentity, isBold, !omitted.contains(.dates), words.contains(where: Self.timeWords.contains) {
        // From the year 2000 to 2100.
        let (first, last): (Int64, Int64) = (946_684_800, 4_102_444_800)
        if facts.least >= first, facts.most < last {
          return Choice(type: .date, transformer: "UnixTime", note: "Guess: seconds since 1970.")
        }
        if facts.least >= first * 1_000, facts.most < last * 1_000 {
          return Choice(type: .date, transformer: "UnixTimeMilliseconds", note: "Guess: milliseconds since 1970.")
        }
      }
      if !isIdentity, isBold, facts.least >= 0, facts.most <= 1, let first = words.first,
        Self.booleanWords.contains(first)
      {
        return Choice(type: .boolean, transformer: "IntegerToBoolean", note: "Guess: 0 and 1 mean false and true.")
      }
      if !isIdentity, isBold, facts.count < Self.manyMeasures, facts.areDoubles,
        words.contains(where: Self.measureWords.contains), !words.contains(where: Self.integerWords.contains)
      {
        return Choice(
          type: words.contains(where: Self.exactWords.contains) ? .decimal : .double,
          note: "Guess: other samples may have a fraction.")
      }
      return Choice(type: .integer64)
    }
    // From the year 2010 to 2031: JSONEncoder writes a date like this if no strategy is set.
    if !isPlain, !isIdentity, isBold, !omitted.contains(.dates), facts.areDoubles, facts.smallest >= 283_996_800,
      facts.largest < 946_684_800, words.contains(where: Self.timeWords.contains)
    {
      return Choice(
        type: .date, transformer: "ReferenceTime", note: "Guess: seconds since 2001, as JSONEncoder writes dates.")
    }
    if facts.areDecimals, words.contains(where: Self.moneyWords.contains) || !facts.areDoubles {
      return Choice(type: .decimal)
    }
    if facts.areDoubles { return Choice(type: .double) }
    return Choice(type: .json, note: "No number type holds these numbers exactly.")
  }

  // MARK: Strings

  private func key(_ facts: TextFacts) -> Choice {
    if facts.formats.contains(.integer) { return Choice(type: .integer64) }
    return Choice(type: facts.formats.contains(.uuid) ? .uuid : .string)
  }

  private static let countWords: Set<String> = [
    "count", "total", "size", "amount", "quantity", "qty", "price", "age", "year", "position", "index", "rank", "score",
    "width", "height", "length", "weight",
  ]
  /// Fewer strings than this do not show that all of them are numbers.
  private static let manyNumbers = 3

  private func text(
    _ facts: TextFacts, _ words: [String], isIdentity: Bool, ignoresEmpty: Bool = false
  ) -> Choice {
    if isPlain || facts.empties > 0 && !ignoresEmpty { return Choice(type: .string) }
    if facts.formats.contains(.uuid) { return Choice(type: .uuid) }
    if facts.formats.contains(.uri) { return Choice(type: .uri) }
    if !isIdentity {
      if facts.formats.contains(.instant), !omitted.contains(.dates) { return Choice(type: .date) }
      if let first = facts.datePatterns.first, isBold, !omitted.contains(.dates) {
        let format = DatePatterns.all[first]
        let others = facts.datePatterns.dropFirst().map { DatePatterns.all[$0].pattern }
        let zone = format.hasZone ? "Guess: always a date of this form." : "Guess: a date in UTC."
        let rival = others.first.map { "Guess: it could also be \($0)." }
        return Choice(type: .date, transformer: "DateFormat(\(format.pattern))", note: rival ?? zone)
      }
      if facts.formats.contains(.boolean), !omitted.contains(.digits) {
        return Choice(type: .boolean, transformer: "StringToBoolean", note: "Guess: always true or false.")
      }
    }
    // IDs in text remain text, because the next ID may have leading zeros, or letters.
    if isBold, !isIdentity, !omitted.contains(.digits), facts.count - facts.empties >= Self.manyNumbers,
      let last = words.last, Self.countWords.contains(last)
    {
      if facts.formats.contains(.integer) {
        return Choice(type: .integer64, transformer: "StringToInteger", note: "Guess: always digits.")
      }
      if facts.formats.contains(.decimal) {
        return Choice(type: .decimal, transformer: "StringToDecimal", note: "Guess: always a number.")
      }
    }
    if !isIdentity, isBold, !omitted.contains(.enums), let values = enumValues(facts, words) {
      return Choice(
        type: .string, allowedValues: values.map { .string($0) },
        note: "Guess: the samples have only these values; others are kept, with a warning.")
    }
    return Choice(type: .string)
  }

  private static let enumWords: Set<String> = [
    "type", "kind", "status", "state", "gender", "role", "level", "category", "priority", "severity", "mode", "sex",
    "visibility", "action", "currency", "unit", "medium", "resize",
  ]

  /// The values of an enum: few short words, each of which occurs often.
  private func enumValues(_ facts: TextFacts, _ words: [String]) -> [String]? {
    guard let last = words.last, Self.enumWords.contains(last), facts.count >= 4, !facts.hasMoreDistinct,
      (2...12).contains(facts.distinct.count), facts.distinct.count * 2 <= facts.count
    else { return nil }
    let areWords = facts.distinct.allSatisfy { text in
      (1...24).contains(text.utf8.count)
        && text.utf8.allSatisfy { (65...90).contains($0 & 0xDF) || $0 == 95 || $0 == 45 }
    }
    return areWords ? facts.distinct : nil
  }
}
