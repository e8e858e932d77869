import Foundation
import GraftTestSupport
import Testing

@testable import Graft

@Suite("Scanner: random bytes") struct ScannerDifferentialTests {
  static let seeds =
    [
      #"{"id":101,"name":"Batman","powers":[{"id":4,"name":"Flight"},5,null],"publisher":{"id":1},"é":"\ud83d\ude00 \u00e9\n"}"#,
      #"[0,-0,1.5,1e10,-2.5E-3,123456789012345678901234567890,true,false,null,"","a",[],{},[[[]]],{"a":{"b":{"c":[]}}}]"#,
      "  { \"deep\" : [ [ [ { \"x\" : [ 1 , 2 , { \"y\" : null } ] } ] ] ] ,\r\n\t\"text\" : \"0123456789abcdefghij\" }  ",
      "\u{FEFF}[\"日本語\",\"\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"\u{1F600}\u{10FFFF}\u{7FF}\u{FFFF}\"]",
      #"{"a":1,"b":2,"c":{"a":1,"b":2,"a ":3},"aa":[{"a":1},{"a":1}],"":"","a\u0000b":"\u0000"}"#,
    ].map { Array($0.utf8) } + [
      Array((String(repeating: #"{"k":["#, count: 70) + "1" + String(repeating: "]}", count: 70)).utf8)
    ]

  private func check(_ bytes: [UInt8], _ seed: UInt64, maxDepth: Int) {
    let verdicts = Readers.read(bytes, maxDepth: maxDepth)
    guard verdicts.agree else {
      Issue.record(
        "seed \(seed): \(String(decoding: bytes, as: UTF8.self).debugDescription): skip \(verdicts.skip as Any), build \(verdicts.build as Any), compact \(verdicts.compact as Any)"
      )
      return
    }
    for error in [verdicts.skip, verdicts.build, verdicts.compact] {
      if let error, !(0...bytes.count).contains(error.offset) { Issue.record("seed \(seed): location not in text") }
    }
    guard let tree = verdicts.tree, verdicts.compact == nil else { return }
    // The original and the copy have the same meaning, and a copy of the copy equals the copy.
    let again = Readers.read(verdicts.text, maxDepth: maxDepth)
    if again.tree != tree || again.text != verdicts.text
      || JSONWriter.text(of: tree) != String(decoding: verdicts.text, as: UTF8.self)
    {
      Issue.record(
        "seed \(seed): the compact copy of \(String(decoding: bytes, as: UTF8.self).debugDescription) differs")
    }
  }

  @Test(
    "D8: all readers agree on any bytes, and no reader reads beyond the end (GRAFT_FUZZ_CASES)",
    arguments: 0..<6)
  func mutations(seed: Int) {
    let cases = (ProcessInfo.processInfo.environment["GRAFT_FUZZ_CASES"].flatMap(Int.init) ?? 120_000) / 6
    var random = SeededRandom(seed: UInt64(seed))
    for number in 0..<cases {
      var bytes = Self.seeds[number % Self.seeds.count]
      random.mutate(&bytes)
      check(bytes, UInt64(seed), maxDepth: number % 3 == 0 ? 8 : 512)
    }
  }

  @Test("D8: truncated text is rejected at or before its end", arguments: seeds)
  func cut(text: [UInt8]) {
    for count in 0..<text.count {
      let verdicts = Readers.read(Array(text[..<count]))
      // The text is still valid only if nothing but trailing whitespace is missing.
      let rest = text[count...].allSatisfy { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
      #expect(verdicts.agree && (verdicts.skip == nil) == rest)
    }
  }

  @Test("D8: all readers agree on whether random JSON characters are valid JSON")
  func noise() {
    var random = SeededRandom(seed: 99)
    let alphabet = Array(#"{}[]",:\ 01-.eEtrufalsn"#.utf8)
    for _ in 0..<40_000 {
      let bytes = (0..<Int.random(in: 0...14, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      check(bytes, 99, maxDepth: 4)
    }
  }
}
