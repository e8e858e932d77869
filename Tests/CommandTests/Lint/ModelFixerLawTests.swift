import Foundation
import Graft
import GraftTestSupport
import GraftTools
import Testing

/// Laws of fixes, on models with random mistakes. `GRAFT_FIX_CASES` sets the number of mutations of each model.
@Suite("Laws of fixes") struct ModelFixerLawTests {
  private static let count =
    ProcessInfo.processInfo.environment["GRAFT_FIX_CASES"].flatMap(Int.init) ?? 2

  /// Every model in the repository, valid or not.
  private static let files: [(name: String, bytes: [UInt8])] = {
    let folders = ["Models", "Tests/Fixtures/bad-models"].map { Invocation.root.appendingPathComponent($0) }
    let urls = folders.flatMap { folder in
      (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? [])
        .filter { $0.pathExtension == "json" && !$0.lastPathComponent.hasSuffix(".schema.json") }
    }
    let files = urls.sorted { $0.path < $1.path }.compactMap { url in
      (try? Data(contentsOf: url)).map { (url.lastPathComponent, [UInt8]($0)) }
    }
    return [("every word", Array(everyWordOfTheModelFile.utf8))] + files
  }()

  private static func errors(_ findings: [Diagnostic]) -> Int { findings.count { $0.severity == .error } }

  private static func comments(_ bytes: [UInt8]) -> [String] {
    let tree = ModelFileParser.parse(SourceText(name: "m.json", bytes: bytes)).tree
    return (tree?.comments ?? []).map { String(decoding: bytes[$0.offset..<$0.offset + $0.length], as: UTF8.self) }
  }

  /// Checks all laws for one model file, and returns whether the fix changed the file.
  private static func check(_ bytes: [UInt8], _ name: String) -> Bool {
    let source = SourceText(name: name, bytes: bytes)
    let before = ModelFixer.findings(in: source)
    let fixed = ModelFixer.fix(source)
    let again = ModelFixer.fix(SourceText(name: name, bytes: fixed.bytes))
    let lost = comments(bytes).reduce(into: comments(fixed.bytes).reduce(into: [:]) { $0[$1, default: 0] += 1 }) {
      $0[$1, default: 0] -= 1
    }
    var faults: [String] = []
    if errors(fixed.findings) > errors(before) { faults.append("more errors") }
    if before.isEmpty, fixed.bytes != bytes { faults.append("a clean file was changed") }
    if fixed.findings != ModelFixer.findings(in: SourceText(name: name, bytes: fixed.bytes)) {
      faults.append("the findings are not those of the result")
    }
    if again.bytes != fixed.bytes { faults.append("fixing again changes the file") }
    if lost.contains(where: { $0.value < 0 }) { faults.append("a comment is lost") }
    if fixed.fixes.isEmpty != (fixed.bytes == bytes) { faults.append("the list of fixes does not agree") }
    if !faults.isEmpty {
      Issue.record(
        "\(name): \(faults)\n\(String(decoding: bytes, as: UTF8.self))\n-----\n\(String(decoding: fixed.bytes, as: UTF8.self))"
      )
    }
    return fixed.bytes != bytes
  }

  @Test("A fix adds no error, keeps all comments, and leaves nothing to fix, regardless of the mistakes")
  func damaged() {
    var changed = 0
    for (number, (name, bytes)) in Self.files.enumerated() {
      if Self.check(bytes, name) { changed += 1 }
      var random = SeededRandom(seed: UInt64(number))
      for _ in 0..<Self.count {
        var damaged = bytes
        if random.chance(percent: 30) {
          random.mutate(&damaged)
        } else {
          for _ in 0...random.below(4) { damaged = Mistake.random(&random).applied(to: damaged, &random) }
        }
        if Self.check(damaged, name) { changed += 1 }
      }
    }
    print("\(changed) of \(Self.files.count * (Self.count + 1)) models with mistakes were changed by fixes")
    #expect(changed > Self.files.count * Self.count / 2)
  }

  @Test("A syntax mistake whose meaning is clear is undone by its fix", arguments: Mistake.ofSyntax)
  fileprivate func undone(mistake: Mistake) throws {
    var count = 0
    for (number, (name, bytes)) in Self.files.enumerated() {
      let source = SourceText(name: name, bytes: bytes)
      guard Self.errors(ModelFixer.findings(in: source)) == 0 else { continue }
      // Some models have warnings that can be fixed.
      let original = try ModelFileFormatter.format(SourceText(name: name, bytes: ModelFixer.fix(source).bytes))
      var random = SeededRandom(seed: UInt64(number))
      for _ in 0..<2 * Self.count {
        let damaged = mistake.applied(to: bytes, &random)
        let fixed = ModelFixer.fix(SourceText(name: name, bytes: damaged))
        guard Self.errors(fixed.findings) == 0, damaged != bytes else { continue }
        // A mistake inside a comment has no effect.
        guard Self.comments(damaged) == Self.comments(bytes) else { continue }
        count += 1
        let result = try ModelFileFormatter.format(SourceText(name: name, bytes: fixed.bytes))
        if result != original {
          Issue.record(
            "\(mistake) in \(name):\n\(String(decoding: damaged, as: UTF8.self))\n-----\n\(String(decoding: fixed.bytes, as: UTF8.self))"
          )
        }
      }
    }
    #expect(count > 20)
  }
}

/// A mistake that people make when they edit a model by hand.
private enum Mistake: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case missingComma, extraComma, semicolon, singleQuotes, bareWord, equalsSign, capitalizedWord, hashComment
  case swappedLetters, lostLetter, missingInverse, otherCase

  /// The mistakes that a fix undoes completely.
  static let ofSyntax: [Mistake] = [
    .missingComma, .extraComma, .semicolon, .singleQuotes, .bareWord, .equalsSign, .capitalizedWord,
  ]

  var testDescription: String { rawValue }

  static func random(_ random: inout SeededRandom) -> Mistake { random.pick(allCases) }

  /// Returns the text with the mistake in a random location, or the unchanged text if there is no suitable location.
  func applied(to bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    switch self {
    case .missingComma: return replace(/["}\]],(?=\s*")/, in: text, &random) { String($0.dropLast()) }
    case .extraComma: return replace(/["}\]],(?=\s)/, in: text, &random) { "\($0)," }
    case .semicolon: return replace(/["}\]],(?=\s*")/, in: text, &random) { $0.dropLast() + ";" }
    case .singleQuotes: return replace(/"\w+"/, in: text, &random) { "'\($0.dropFirst().dropLast())'" }
    case .bareWord: return replace(/"[a-zA-Z]+"(?=\s*:)/, in: text, &random) { "\($0.dropFirst().dropLast())" }
    case .equalsSign: return replace(/":(?=\s)/, in: text, &random) { _ in "\" =" }
    case .capitalizedWord: return replace(/\b(?:true|false)\b/, in: text, &random) { $0.capitalized }
    case .hashComment: return replace(/\/\//, in: text, &random) { _ in "#" }
    case .swappedLetters:
      return replace(/"\w{5,}"/, in: text, &random) { word in
        var letters = Array(word)
        letters.swapAt(3, 4)
        return String(letters)
      }
    case .lostLetter: return replace(/"\w{4,}"/, in: text, &random) { "\"" + $0.dropFirst(3) }
    case .missingInverse: return replace(/"inverse": *"\w+",? */, in: text, &random) { _ in "" }
    case .otherCase: return replace(/"\w+"/, in: text, &random) { $0.uppercased() }
    }
  }

  private func replace(
    _ pattern: Regex<Substring>, in text: String, _ random: inout SeededRandom, _ change: (Substring) -> String
  ) -> [UInt8] {
    let places = text.ranges(of: pattern)
    guard !places.isEmpty else { return Array(text.utf8) }
    let place = random.pick(places)
    return Array((text[..<place.lowerBound] + change(text[place]) + text[place.upperBound...]).utf8)
  }
}
