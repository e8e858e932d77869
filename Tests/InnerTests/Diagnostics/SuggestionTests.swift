import GraftTestSupport
import Testing

@testable import Graft

@Suite("Suggestions") struct SuggestionTests {
  @Test(
    "M9: the most similar name is suggested if it is similar enough",
    arguments: [
      ("Teem", ["Hero", "Team"], "Team"), ("tema", ["team"], "team"), ("TEAM", ["teams", "team"], "team"),
      ("identifer", ["identifier", "identity"], "identifier"), ("nam", ["name", "nom"], "name"),
      ("StringToInt", ["StringToURL", "StringToInteger"], "StringToInteger"), ("ab", ["cd"], nil), ("a", ["b"], nil),
      ("abc", ["axy"], nil), ("", ["a"], nil), ("Hero", ["Hero"], nil), ("Hero", [], nil), ("héro", ["hero"], "hero"),
      ("publisherName", ["publisherNames", "name"], "publisherNames"), ("cat", ["a", "dog"], nil),
    ] as [(String, [String], String?)])
  func nearest(name: String, candidates: [String], expected: String?) {
    #expect(Suggestion.nearest(to: name, among: candidates) == expected)
  }

  @Test("M9: the search for similar names is fast even for very long names")
  func long() {
    let name = String(repeating: "a", count: 1_000_000)
    let time = ProcessorClock().measure {
      #expect(Suggestion.nearest(to: name, among: Array(repeating: name + "b", count: 100)) == nil)
      #expect(Suggestion.nearest(to: "aaaa", among: Array(repeating: name, count: 100)) == nil)
    }
    #expect(time < .seconds(60))
  }
}
