import Graft
import GraftTestSupport
import Testing

@Suite("Laws of advice") struct AdviceLawTests {
  /// The location of a value.
  enum Place: String, CaseIterable {
    case attribute, optionalAttribute, element, identity, identifier
  }

  /// Values that services send in place of the expected values.
  private static let values: [JSON] = [
    "", " ", "-", "null", "None", "NaN", "N/A", "Infinity", false, true, 0, 1, 7, -1, 1.5, 70000, 9_999_999_999,
    1_550_102_400,
    1_550_102_400_000, "0", "1", "7", "007", "+7", "-0", "1.5", "1e3", "70000", "1550102400", "1550102400000", "True",
    "FALSE",
    "yes", "no", "on", "2015-04-24", "2015-04-24T14:20:01Z", "2015-04-24T14:20:01+0000", "2015-04-24T14:20:01.123",
    "2015-04-24 14:20:01", "24.04.2015", "04/24/2015", "20150424", "2020-02-30T00:00:00Z", "2020-02-30", "0000-00-00",
    "0000-00-00 00:00:00", "0000-00-00T00:00:00Z", "now", "x", "00000000-0000-0000-0000-00000000000a",
    "https://example.org/7",
  ]

  private static func transformers(of type: AttributeType) -> [[String]] {
    let plain = [
      "StringToInteger", "StringToDecimal", "StringToDouble", "UnixTime", "UnixTimeMilliseconds", "ReferenceTime",
      "StringToURL", "StringToUUID", "Lowercase", "IntegerToBoolean", "StringToBoolean", "LastPathSegment", "Lenient",
      "Blank",
      "DateFormat(yyyy-MM-dd)", "DateFormat(dd.MM.yyyy|yyyy-MM-dd HH:mm:ss)",
    ]
    let fitting = plain.filter { BuiltInTransformer(named: $0)?.attributeTypes.contains(type) == true }
    return [[]] + fitting.map { [$0] } + fitting.map { ["Blank", $0] }.filter { $0[1] != "Blank" }
  }

  /// Returns an attribute changed as the advice suggests; nil if the advice requires changes elsewhere.
  private static func follow(_ advice: String, _ attribute: JSONObject) throws -> JSONObject? {
    var attribute = attribute
    var isFollowed = false
    func set(_ key: String, _ value: JSON) {
      attribute[key] = value
      isFollowed = true
    }
    if advice.contains("such as \"JSONTransformerName\"") { return nil }
    if let name = advice.firstMatch(of: /"JSONTransformerName": ("[^"]*"|\[[^\]]*\])/) {
      set("JSONTransformerName", try JSON(text: String(name.1)))
    }
    if let nulls = advice.firstMatch(of: /"JSONNulls": (\[[^\]]*\])/) {
      set("JSONNulls", try JSON(text: String(nulls.1)))
    }
    if advice.contains(#""optional": true"#) { set("optional", true) }
    if advice.contains("'integer64' is large enough") { set("type", "integer64") }
    if advice.contains("use 'double'") { set("type", "double") }
    return isFollowed ? attribute : nil
  }

  private static func model(_ attribute: JSONObject, _ place: Place) -> ManagedObjectModel? {
    let isIdentity = place == .identity || place == .identifier
    var entity: JSONObject = ["attributes": ["x": .object(attribute)]]
    var other: JSONObject = [:]
    if isIdentity {
      entity["identityAttributes"] = "x"
      other["relationships"] = ["t": ["destination": "T"]]
    }
    let entities: JSON = ["T": .object(entity), "R": .object(other)]
    let text = JSON.object(["keyStrategy": "sameName", "entities": entities]).description
    return try? ManagedObjectModel(text: text, name: "m.json")
  }

  /// Returns the notes of an import's errors; nil if the import succeeds.
  private static func notes(_ value: JSON, _ place: Place, _ model: ManagedObjectModel) -> [String]? {
    let value = place == .element ? [value] : value
    let payload: JSON = place == .identifier ? ["t": value] : ["x": value]
    do {
      _ = try ManagedObjectContext(model: model).importJSON(
        payload.description, ofEntity: place == .identifier ? "R" : "T")
      return nil
    } catch {
      return error.diagnostics.flatMap { $0.notes.map(\.message) }
    }
  }

  @Test("I11: a model that follows the advice in a message reads the value", arguments: AttributeType.allCases)
  func followed(type: AttributeType) throws {
    var followed = 0
    for place in Place.allCases {
      for names in Self.transformers(of: type) {
        var attribute: JSONObject = ["type": .string(type.rawValue)]
        if place == .optionalAttribute { attribute["optional"] = true }
        if place == .element { attribute["list"] = true }
        if !names.isEmpty { attribute["JSONTransformerName"] = .array(names.map(JSON.string)) }
        guard let model = Self.model(attribute, place) else { continue }
        for (number, value) in Self.values.enumerated() {
          // Each value is tried in two or three locations.
          guard (number + (Place.allCases.firstIndex(of: place) ?? 0)) % 2 == 0 else { continue }
          guard let notes = Self.notes(value, place, model) else { continue }
          for note in notes {
            guard let better = try Self.follow(note, attribute) else { continue }
            followed += 1
            let followedModel = try #require(
              Self.model(better, place), "\(place), \(names), \(value): the model that follows '\(note)' is wrong")
            let rest = Self.notes(value, place, followedModel)
            #expect(rest == nil, "\(place), \(names), \(value): following '\(note)' gives \(rest ?? [])")
          }
        }
      }
    }
    let hasAdvice: Set<AttributeType> = [
      .integer16, .integer32, .integer64, .float, .double, .decimal, .boolean, .date, .string,
    ]
    #expect(followed > (hasAdvice.contains(type) ? 20 : -1), "\(followed) pieces of advice were followed")
  }

  @Test(
    "I11: advice on dates names the transformer that reads the dates, or the mistake in them",
    arguments: [
      (#""2015-04-24T14:20:01+0000""#, #"to read it, add "JSONTransformerName": "DateFormat(yyyy-MM-dd'T'HH:mm:ssZ)""#),
      (
        #""2015-04-24T14:20:01.123""#,
        #"to read it as UTC, add "JSONTransformerName": "DateFormat(yyyy-MM-dd'T'HH:mm:ss.SSS)""#
      ),
      ("1550102400000", #"to read it, add "JSONTransformerName": "UnixTimeMilliseconds""#),
      ("1550102400", #"to read it, add "JSONTransformerName": "UnixTime""#), ("1e30", nil),
      (
        "753345600.25",
        #"to read it, add "JSONTransformerName": "ReferenceTime" if it counts seconds from 2001, as JSONEncoder does, or "UnixTime" if from 1970"#
      ),
      (#""2020-02-30T00:00:00Z""#, "February 2020 has 29 days"),
      (#""""#, #"the text is empty; to read it as null, add "JSONNulls": [""] and "optional": true"#),
      (
        #""0000-00-00 00:00:00""#,
        #"there is no month 00; to read it as null, add "JSONNulls": ["0000-00-00 00:00:00"] and "optional": true"#
      ),
      ("false", #"to read it as null, add "JSONNulls": [false] and "optional": true"#), ("true", nil),
      (
        #""24.4.2015""#,
        #"to read another format, add a transformer such as "JSONTransformerName": "DateFormat(dd.MM.yyyy)""#
      ),
    ])
  func dates(value: String, advice: String?) throws {
    let context = try Fixture.context(#""T": {"attributes": {"x": "date"}}"#)
    let lines = refusals(#"{"x": \#(value)}"#, of: "T", in: context, withNotes: true)
    let note = "note: 'x' is declared date here" + (advice.map { "; \($0)" } ?? "")
    #expect(lines.last?.hasSuffix(note) == true, "\(lines)")
  }

  @Test(
    "I11: for a value that a transformer refuses, the advice keeps the values that the transformer reads, if possible",
    arguments: [
      (
        "date", "UnixTime", "1550102400000",
        #"to read such values, change this to "JSONTransformerName": "UnixTimeMilliseconds""#
      ),
      (
        "date", "DateFormat(yyyy-MM-dd)", #""2015-04-24T14:20:01Z""#,
        #"to read such values as well, change this to "JSONTransformerName": "DateFormat(yyyy-MM-dd'T'HH:mm:ssXXX|yyyy-MM-dd)""#
      ),
      (
        "date", "DateFormat(yyyy-MM-dd)", #""""#,
        #"the text is empty; to read it as null, add "JSONNulls": [""] and "optional": true"#
      ),
      ("date", "DateFormat(yyyy-MM-dd)", #""2015-02-29""#, "February 2015 has 28 days"),
      (
        "boolean", "StringToBoolean", #""yes""#,
        #"to read such values as well, change this to "JSONTransformerName": "Lenient""#
      ),
      (
        "boolean", "StringToBoolean", #""True""#,
        #"to read such values as well, change this to "JSONTransformerName": ["Lowercase", "StringToBoolean"]"#
      ),
      (
        "integer64", "StringToInteger", "7",
        #"to read such values as well, change this to "JSONTransformerName": "Lenient""#
      ),
      ("integer16", "StringToInteger", #""70000""#, "'integer64' is large enough"),
      (
        "double", "StringToDouble", #""NaN""#,
        #"to read it as null, add "JSONNulls": ["NaN"] and "optional": true"#
      ),
    ])
  func transformers(type: String, name: String, value: String, advice: String) throws {
    let context = try Fixture.context(
      #""T": {"attributes": {"x": {"type": "\#(type)", "JSONTransformerName": "\#(name)"}}}"#)
    let lines = refusals(#"{"x": \#(value)}"#, of: "T", in: context, withNotes: true)
    #expect(lines.last?.hasSuffix("note: 'x' is read by the transformer '\(name)' here; \(advice)") == true, "\(lines)")
  }

  @Test("T8: the note about a string that was split names the transformer")
  func split() throws {
    let context = try Fixture.context(
      #""T": {"attributes": {"x": {"type": "integer64", "list": true, "JSONTransformerName": "Split(,)"}}}"#)
    let lines = refusals(#"{"x": 1️⃣"1,b"}"#, of: "T", in: context, withNotes: true)
    #expect(lines.last?.hasSuffix("note: 'x' is read by the transformer 'Split(,)' here") == true, "\(lines)")
  }
}
