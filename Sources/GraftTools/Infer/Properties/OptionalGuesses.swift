/// Guesses that a user can turn off.
package struct OptionalGuesses: OptionSet, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Numbers and booleans in text.
  package static let digits = OptionalGuesses(rawValue: 1)
  /// Dates, in text and in numbers.
  package static let dates = OptionalGuesses(rawValue: 2)
  package static let enums = OptionalGuesses(rawValue: 4)

  /// The words for them on the command line.
  package static let words: [(word: String, guess: OptionalGuesses)] = [
    ("digits", .digits), ("dates", .dates), ("enums", .enums),
  ]
}
