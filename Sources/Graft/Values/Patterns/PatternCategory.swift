/// Unicode's general categories, by their names in `\p{...}`.
enum PatternCategory {
  /// Returns the mask of a category or group of categories by its short or long name, or nil if the name is unknown.
  static func mask(named name: String) -> UInt32? {
    var mask: UInt32 = 0
    for (number, names) in names.enumerated() where names.short == name || names.long == name { mask |= 1 << number }
    guard mask == 0 else { return mask }
    if name == "LC" || name == "Cased_Letter" { return 0b111 }
    guard let initial = groups.first(where: { $0.short == name || $0.long == name })?.short else { return nil }
    for (number, names) in names.enumerated() where names.short.hasPrefix(initial) { mask |= 1 << number }
    return mask
  }

  /// The mask of all categories.
  static let all: UInt32 = 1 << UInt32(names.count) - 1

  /// Returns the mask of a character's category, a single bit.
  static func mask(of scalar: Unicode.Scalar) -> UInt32 { 1 << number(of: scalar.properties.generalCategory) }

  private static let groups: [(short: String, long: String)] = [
    ("L", "Letter"), ("M", "Mark"), ("N", "Number"), ("P", "Punctuation"), ("S", "Symbol"), ("Z", "Separator"),
    ("C", "Other"),
  ]

  /// The names in the order of ``number(of:)``.
  private static let names: [(short: String, long: String)] = [
    ("Lu", "Uppercase_Letter"), ("Ll", "Lowercase_Letter"), ("Lt", "Titlecase_Letter"), ("Lm", "Modifier_Letter"),
    ("Lo", "Other_Letter"), ("Mn", "Nonspacing_Mark"), ("Mc", "Spacing_Mark"), ("Me", "Enclosing_Mark"),
    ("Nd", "Decimal_Number"), ("Nl", "Letter_Number"), ("No", "Other_Number"), ("Pc", "Connector_Punctuation"),
    ("Pd", "Dash_Punctuation"), ("Ps", "Open_Punctuation"), ("Pe", "Close_Punctuation"), ("Pi", "Initial_Punctuation"),
    ("Pf", "Final_Punctuation"), ("Po", "Other_Punctuation"), ("Sm", "Math_Symbol"), ("Sc", "Currency_Symbol"),
    ("Sk", "Modifier_Symbol"), ("So", "Other_Symbol"), ("Zs", "Space_Separator"), ("Zl", "Line_Separator"),
    ("Zp", "Paragraph_Separator"), ("Cc", "Control"), ("Cf", "Format"), ("Cs", "Surrogate"), ("Co", "Private_Use"),
    ("Cn", "Unassigned"),
  ]

  private static func number(of category: Unicode.GeneralCategory) -> UInt32 {
    switch category {
    case .uppercaseLetter: 0
    case .lowercaseLetter: 1
    case .titlecaseLetter: 2
    case .modifierLetter: 3
    case .otherLetter: 4
    case .nonspacingMark: 5
    case .spacingMark: 6
    case .enclosingMark: 7
    case .decimalNumber: 8
    case .letterNumber: 9
    case .otherNumber: 10
    case .connectorPunctuation: 11
    case .dashPunctuation: 12
    case .openPunctuation: 13
    case .closePunctuation: 14
    case .initialPunctuation: 15
    case .finalPunctuation: 16
    case .otherPunctuation: 17
    case .mathSymbol: 18
    case .currencySymbol: 19
    case .modifierSymbol: 20
    case .otherSymbol: 21
    case .spaceSeparator: 22
    case .lineSeparator: 23
    case .paragraphSeparator: 24
    case .control: 25
    case .format: 26
    case .surrogate: 27
    case .privateUse: 28
    case .unassigned: 29
    @unknown default: 29
    }
  }
}
