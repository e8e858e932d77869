import Graft

/// The cases of an enum for an attribute's values.
///
///     "open", "in progress", "16:9", "default", "A", "A+", ""
///     open, inProgress, value16_9, default, a, aPlusSign, empty
///
/// A case's name depends only on the preceding values, so appending values does not rename any case.
struct EnumCases {
  /// The names with their raw values, in model order.
  let cases: [(name: String, rawValue: String)]

  init(_ values: [String]) {
    var known: Set<String> = []
    cases = values.map { value in
      let plain = EnumCases.name(SwiftName.words(value))
      let spelled = EnumCases.name(SwiftName.words(value, spellsSeparators: true))
      var name = known.contains(plain) ? spelled : plain
      var number = 2
      while known.contains(name) {
        name = "\(plain)\(plain.hasSuffix("_") ? "" : "_")\(number)"
        number += 1
      }
      known.insert(name)
      return (name, value)
    }
  }

  private static func name(_ words: [String]) -> String {
    guard !words.isEmpty else { return "empty" }
    let joined = SwiftName.camelCase(words, isUpper: false)
    let name = NameRules.isSwiftIdentifier(joined) ? joined : "value" + joined
    return SwiftName.takenCases.contains(name) ? name + "_" : name
  }
}
