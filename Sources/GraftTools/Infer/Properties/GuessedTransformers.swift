/// The built-in transformers that inferred models use. Each of them writes back what it read.
enum GuessedTransformers {
  private static let names: Set<String> = [
    "UnixTime", "UnixTimeMilliseconds", "IntegerToBoolean", "ReferenceTime", "StringToInteger", "StringToDecimal",
    "StringToBoolean",
  ]

  static func contains(_ name: String) -> Bool { name.hasPrefix("DateFormat(") || names.contains(name) }
}
