import Testing

@testable import Graft

@Suite("Ignoring case and accents") struct TextFoldingTests {
  private func folded(_ text: String, _ folding: TextFolding) -> String {
    String(decoding: folding.folded(Array(text.utf8)), as: UTF8.self)
  }

  @Test(
    "Case and accents can be ignored separately or together",
    arguments: [
      ("Batman", "batman", "Batman", "batman"), ("", "", "", ""),
      ("Ångström", "ångström", "Angstrom", "angstrom"),
      ("A\u{30A}ngstro\u{308}m", "a\u{30A}ngstro\u{308}m", "Angstrom", "angstrom"),
      ("ÉCOLE", "école", "ECOLE", "ecole"), ("Ǻ", "ǻ", "A", "a"), ("Ἀθῆναι", "ἀθῆναι", "Αθηναι", "αθηναι"),
      ("ΟΔΟΣ", "οδοσ", "ΟΔΟΣ", "οδοσ"), ("Ёж", "ёж", "Еж", "еж"), ("İ", "i\u{307}", "I", "i"),
      ("Straße", "straße", "Straße", "straße"), ("Øl", "øl", "Øl", "øl"),
      ("か\u{3099}", "か\u{3099}", "か\u{3099}", "か\u{3099}"),
      ("が", "が", "が", "が"), ("한글", "한글", "한글", "한글"), ("👩‍👩‍👧", "👩‍👩‍👧", "👩‍👩‍👧", "👩‍👩‍👧"),
    ])
  func folding(text: String, case: String, accents: String, both: String) {
    func isSame(_ left: String, _ right: String) -> Bool { Array(left.utf8) == Array(right.utf8) }
    #expect(isSame(folded(text, []), text))
    #expect(isSame(folded(text, .ignoringCase), `case`))
    #expect(isSame(folded(text, .ignoringAccents), accents))
    #expect(isSame(folded(text, [.ignoringCase, .ignoringAccents]), both))
  }

  @Test("Folding a string a second time changes nothing")
  func again() {
    let both: TextFolding = [.ignoringCase, .ignoringAccents]
    for value in UInt32(0)..<0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let once = folded(String(Character(scalar)), both)
      #expect(Array(folded(once, both).utf8) == Array(once.utf8), "U+\(String(value, radix: 16))")
    }
  }
}
