import Graft
import GraftTestSupport
import GraftTools
import Testing

@Suite("Inference: costs") struct InferCostTests {
  /// Returns a document of posts with authors, mentions and tags.
  private func posts(_ count: Int) -> [UInt8] {
    let posts = (0..<count).map { number in
      let user = number * 7 % (count / 4)
      return """
        {"id": \(number), "user": {"id": \(user), "name": "user \(user)", "url": "https://example.org/\(user)"},
        "mentions": [{"id": \(user), "indices": [0, \(number)]}, {"id": \(user + 1), "indices": [2, \(number)]}],
        "tags": [{"text": "tag \(number % 50)", "at": \(number)}], "day": "2024-05-01"}
        """
    }
    return Array("{\"posts\": [\(posts.joined(separator: ","))]}".utf8)
  }

  private func time(_ bytes: [UInt8]) throws -> Duration {
    var best = Duration.seconds(1_000)
    for _ in 0..<3 {
      let sample = ModelInference.Sample(SourceText(name: "posts.json", bytes: bytes))
      best = min(best, try ProcessorClock().measure { _ = try ModelInference([sample]).run() })
    }
    return best
  }

  @Test("Inference takes time proportional to the size of its samples")
  func proportion() throws {
    let (small, large) = (try time(posts(200)), try time(posts(1_600)))
    #expect(large < small * 20, "\(large) for 8 times as much as in \(small)")
  }

  @Test("Inference takes time proportional to the number of objects, even if each object has a unique key")
  func ownKeys() throws {
    for value in ["true", "\(7)", "\"x\""] {
      func document(_ count: Int) -> [UInt8] {
        Array(
          "[\((0..<count).map { "{\"id\": \($0), \"likes\": {\"u\($0)\": \(value)}}" }.joined(separator: ","))]".utf8)
      }
      let (small, large) = (try time(document(200)), try time(document(1_600)))
      #expect(large < small * 20, "\(value): \(large) for 8 times as much as in \(small)")
      let sample = ModelInference.Sample(SourceText(name: "posts.json", bytes: document(200)))
      let model = try ModelInference([sample]).run()
      #expect(model.text.contains("\"likes\"") && !model.text.contains("\"u7\""), "\(model.text)")
    }
  }
}
