import Foundation
import GraftFuzz
import Testing

/// Replays findings of fuzzing and valid inputs without libFuzzer. `Tests/Fuzz/run` does the fuzzing.
@Suite("Fuzz: findings", .serialized) struct FuzzReplayTests {
  private static let findings = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Findings")

  @Test("I10, I11, M9, S10: the laws hold for all inputs that once broke a law", arguments: FuzzTarget.allCases)
  func findings(_ target: FuzzTarget) throws {
    let folder = Self.findings.appendingPathComponent(target.rawValue)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names.sorted() {
      let input = Array(try Data(contentsOf: folder.appendingPathComponent(name)))
      #expect(throws: Never.self, "\(target.rawValue)/\(name)") { try target.check(input) }
    }
  }

  @Test("I10, I11, M9, S10: the laws hold for valid and for damaged inputs", arguments: FuzzTarget.allCases)
  func seeds(_ target: FuzzTarget) throws {
    let seeds = try target.seeds()
    #expect(!seeds.isEmpty)
    for (number, seed) in seeds.enumerated() {
      for input in [seed, Array(seed.dropLast(1)), seed + [0x5D]] {
        #expect(throws: Never.self, "\(target.rawValue), seed \(number)") { try target.check(input) }
      }
    }
  }

  @Test("Each folder of findings is named after a target")
  func folders() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.findings.path).filter { $0 != "README.md" }
    #expect(folders.allSatisfy { FuzzTarget(rawValue: $0) != nil }, "\(folders)")
  }
}
