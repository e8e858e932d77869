extension JSONText {
  /// Appends a string with a number of words. 5 % of the strings contain non-ASCII text, and 2 % contain escapes.
  mutating func prose(words: Int, _ random: inout SplitMix64) {
    let dice = random.below(100)
    byte(UInt8(ascii: "\""))
    for index in 0..<words {
      if index > 0 {
        if dice >= 5, dice < 7, index % 4 == 1 {
          raw(Prose.escapes[random.below(Prose.escapes.count)])
        } else {
          byte(UInt8(ascii: " "))
        }
      }
      if dice < 5, index % 3 == 0 {
        raw(Prose.foreign[random.below(Prose.foreign.count)])
      } else {
        raw(Prose.plain[random.below(Prose.plain.count)])
      }
    }
    // A string of one word has no gap for an escape.
    if words == 1, dice >= 5, dice < 7 { raw(Prose.escapes[random.below(Prose.escapes.count)]) }
    byte(UInt8(ascii: "\""))
  }
}

/// Words as the bytes between two quotes.
enum Prose {
  static let plain = split(
    """
    the of and a to in hero city night shadow iron silver crimson golden captain doctor agent falcon tiger wolf raven \
    storm thunder ocean river mountain forest desert winter summer ancient modern secret hidden broken silent endless \
    strength speed flight vision armor shield hammer sword arrow signal engine reactor crystal energy gravity magnetic \
    telepathy illusion invisibility regeneration transformation born raised trained fought saved lost found left joined \
    returned against before after during without between family friend enemy brother sister mother father teacher \
    student scientist journalist pilot soldier lawyer detective universe planet galaxy dimension kingdom republic
    """)
  static let foreign = split("Zoë façade naïve Ærøskøbing Łódź Дмитрий Αθήνα 日本語 東京都 서울 مرحبا नमस्ते 🦸‍♀️ 🚀✨ crème÷brûlée")
  static let escapes = split(#"\" \n \\ \t \u00e9 \/ \ud83d\ude80"#)

  private static func split(_ text: String) -> [[UInt8]] {
    text.split(separator: " ").map { Array($0.utf8) }
  }
}
