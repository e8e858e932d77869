import Graft

/// The words that libFuzzer inserts into inputs.
enum FuzzWords {
  private static let tokens = [
    "null", "true", "false", "{", "}", "[", "]", ":", ",", "\"\"", "[]", "{}", "//", "/*", "*/", "-0", "1e999", "1.50",
    "9223372036854775808", "-9223372036854775809", "9007199254740993", "0.1", "\\u0000", "\\ud83d\\ude00", "\\ud83d",
    "\u{FEFF}", "\u{E9}", "e\u{301}", "\\\"", "\\\\", "\n",
  ]
  private static let conditions = [
    " and ", " or ", "not ", "some ", "every ", " in (", " is null", " is not null", " contains ", " beginsWith ",
    "[cd]", "!=", "<=", ">=", "==", "&&", "||", "`", "'", ".count", "name", "age", "team.members", "rival.",
  ]
  private static let values = [
    "StringToInteger", "StringToDecimal", "UnixTime", "UnixTimeMilliseconds", "DateFormat(yyyy-MM-dd)", "StringToURL",
    "StringToUUID", "Lowercase", "IntegerToBoolean", "StringToBoolean", "LastPathSegment", "Split(,)", "Lenient",
    "Blank",
    "@key", "@value", "@index", "explicit", "sameName", "snakeCase", "nullify", "cascade", "deny", "replace", "union",
    "placeholder", "skip", "error", "identifier", "object", "import", "export", "both", "a.b", "a[].b", "id",
    "2014-08-31T00:29:15Z", "2014-08-31", "6b29fc40-ca47-1067-b31d-00dd010662da", "AAEC", "https://example.com",
  ]

  /// The words in the format of a libFuzzer dictionary.
  static var dictionary: String {
    let quoted = ModelFileKey.allCases.map(\.rawValue) + AttributeType.allCases.map(\.rawValue) + values
    return (tokens + conditions + quoted.map { "\"\($0)\"" }).map(line).joined()
  }

  private static func line(_ word: String) -> String {
    let hexadecimal = Array("0123456789ABCDEF")
    let bytes = word.utf8.map { "\\x\(hexadecimal[Int($0 >> 4)])\(hexadecimal[Int($0 & 15)])" }
    return "\"\(bytes.joined())\"\n"
  }
}
