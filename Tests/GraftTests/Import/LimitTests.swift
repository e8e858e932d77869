import Foundation
import Graft
import GraftTestSupport
import Testing

private let entities = """
  "Node": {
    "identityAttributes": "id",
    "attributes": {
      "id": "integer64", "name": {"type": "string", "optional": true}, "price": {"type": "decimal", "optional": true},
      "size": {"type": "double", "optional": true}, "any": {"type": "json", "optional": true},
      "lower": {"type": "string", "optional": true, "JSONTransformerName": "Lowercase"},
      "time": {"type": "date", "optional": true, "JSONTransformerName": "UnixTime"},
      "data": {"type": "binary", "optional": true}
    },
    "relationships": {"next": {"destination": "Node"}, "all": {"destination": "Node", "toMany": true}}
  }
  """

@Suite("Limits") struct LimitTests {
  private static func options(_ change: (inout ImportLimits) -> Void) -> ImportOptions {
    var options = ImportOptions()
    change(&options.limits)
    return options
  }

  @Test("I15: a payload of exactly the byte limit is accepted, and one byte more is rejected")
  func bytes() throws {
    let context = try Fixture.context(entities)
    let text = #"[{"id": 1}]"#
    #expect(refusals(text, of: "Node", in: context, options: Self.options { $0.bytes = 11 }) == [])
    #expect(
      refusals("1️⃣" + text, of: "Node", in: context, options: Self.options { $0.bytes = 10 }) == [
        "1️⃣ error: the payload exceeds the limit 'bytes' of 10 (at $)"
      ])
  }

  @Test(
    "I15: the depth includes arrays and objects, whether or not they are mapped",
    arguments: [
      #"[{"next": {"next": {"id": 3}}}]"#, #"{"a": {"b": [[]]}}"#, #"{"any": [[[]]]}"#,
      #"{"id": 1, "x": {"y": {"z": {}}}}"#,
    ])
  func depth(text: String) throws {
    let context = try Fixture.context(
      entities.replacing(#""id": "integer64""#, with: #""id": {"type": "integer64", "optional": true}"#))
    #expect(refusals(text, of: "Node", in: context, options: Self.options { $0.depth = 4 }) == [])
    let lines = refusals(text, of: "Node", in: context, options: Self.options { $0.depth = 3 })
    #expect(lines.count == 1 && lines[0].contains("nested deeper than the limit of 3 levels ('depth')"), "\(lines)")
  }

  @Test("I15: the default depth is 512, and hostile nesting is rejected without recursion")
  func hostileDepth() throws {
    let context = try Fixture.context(entities)
    func nested(_ count: Int, _ open: String, _ close: String) -> String {
      String(repeating: open, count: count) + String(repeating: close, count: count)
    }
    #expect(refusals(#"{"id": 1, "x": "# + nested(511, "[", "]") + "}", of: "Node", in: context) == [])
    #expect(refusals(#"{"id": 1, "x": "# + nested(512, "[", "]") + "}", of: "Node", in: context).count == 1)
    for open in ["[", #"{"a":"#, #"{"next":"#, #"{"all":["#] {
      #expect(throws: ImportError.self) {
        try objects(ofEntity: "Node", fromJSON: String(repeating: open, count: 1_000_000), in: context)
      }
    }
    #expect(context.drawing == "Node(1)")
  }

  @Test("I15: objects nested up to the largest limit are read on a small stack, even from dictionaries")
  func deepObjects() async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      let thread = Thread {
        continuation.resume(
          with: Result {
            let context = try Fixture.context(entities)
            let options = Self.options { $0.depth = 1024 }
            let text =
              (1...1024).map { #"{"id": \#($0), "next": "# }.joined() + "null" + String(repeating: "}", count: 1024)
            try objects(ofEntity: "Node", fromJSON: text, in: context, options: options)
            #expect(try context.count(ofEntity: "Node") == 1024)
            // Swift itself releases dictionaries recursively, so the dictionaries are nested less deeply.
            var dictionary: [String: Any] = ["id": 500]
            for id in (1..<500).reversed() { dictionary = ["id": id, "next": dictionary] }
            try objects(ofEntity: "Node", fromJSON: dictionary, in: context, options: options)
            #expect(try context.count(ofEntity: "Node") == 1024)
          })
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  @Test("I15: the object limit includes inserted objects and placeholders")
  func objectCount() throws {
    let context = try Fixture.context(entities)
    try objects(ofEntity: "Node", fromJSON: #"[{"id": 1}, {"id": 2}]"#, in: context)
    let options = Self.options { $0.objects = 2 }
    #expect(
      refusals(
        #"[{"id": 1}, {"id": 2}, {"id": 3, "next": 4}, {"id": 3}, 4, 1]"#, of: "Node", in: context, options: options)
        == [])
    for text in [#"[{"id": 5}, {"id": 6}, {"id": 7}]"#, #"[{"id": 5, "next": 6, "all": [7]}]"#, "[5, 6, 7]"] {
      let lines = refusals(text, of: "Node", in: context, options: options)
      #expect(lines.count == 1 && lines[0].contains("the payload exceeds the limit 'objects' of 2"), "\(lines)")
    }
  }

  @Test(
    "I15: strings with more bytes than the limit are rejected",
    arguments: [
      #"{"id": 1, "name": "abcde"}"#, #"{"id": 1, "name": "\u00e4\u00e4a"}"#, #"{"id": 1, "any": {"a": "b"}}"#,
      #"{"id": 1, "lower": "abcde"}"#, #"{"id": 1, "data": "AAAAAAAA"}"#,
    ])
  func strings(text: String) throws {
    let context = try Fixture.context(entities)
    #expect(refusals(text, of: "Node", in: context, options: Self.options { $0.stringBytes = 30 }) == [])
    let lines = refusals(text, of: "Node", in: context, options: Self.options { $0.stringBytes = 4 })
    #expect(lines.count == 1 && lines[0].contains("the string exceeds the limit 'stringBytes' of 4"), "\(lines)")
  }

  @Test(
    "I15: numbers with more bytes than the limit are rejected",
    arguments: [
      #"{"id": 12345}"#, #"{"id": 1, "price": 1.234}"#, #"{"id": 1, "size": 1e-10}"#, #"{"id": 1, "time": 12345}"#,
    ])
  func numbers(text: String) throws {
    let context = try Fixture.context(entities)
    #expect(refusals(text, of: "Node", in: context, options: Self.options { $0.numberBytes = 5 }) == [])
    let lines = refusals(text, of: "Node", in: context, options: Self.options { $0.numberBytes = 4 })
    #expect(lines.count == 1 && lines[0].contains("the number exceeds the limit 'numberBytes' of 4"), "\(lines)")
  }

  @Test("I15: skipped strings, numbers and keys need no memory and are not limited")
  func passedOver() throws {
    let context = try Fixture.context(entities)
    let options = Self.options { ($0.stringBytes, $0.numberBytes) = (4, 4) }
    #expect(
      refusals(
        #"{"id": 1, "abcde": {"fghij": ["klmno", 12345]}, "name": "abcd"}"#, of: "Node", in: context, options: options)
        == [])
  }

  @Test("I15: the limits apply to dictionaries")
  func dictionaries() throws {
    let context = try Fixture.context(entities)
    func codes(_ dictionary: [String: Any], _ options: ImportOptions) -> [String] {
      do {
        try objects(ofEntity: "Node", fromJSON: dictionary, in: context, options: options)
        return []
      } catch {
        return error.diagnostics.map(\.code.rawValue)
      }
    }
    #expect(codes(["id": 1, "name": "abcde"], Self.options { $0.stringBytes = 4 }) == ["limit-string-bytes"])
    #expect(codes(["id": 12345], Self.options { $0.numberBytes = 4 }) == ["limit-number-bytes"])
    #expect(codes(["id": 1, "next": ["id": 2]], Self.options { $0.depth = 1 }) == ["limit-depth"])
    #expect(codes(["id": 1, "next": 2, "all": [3]], Self.options { $0.objects = 2 }) == ["limit-objects"])
    #expect(codes(["id": 1, "name": "abcde"], Self.options { $0.bytes = 10 }) == ["limit-bytes"])
    #expect(context.drawing == "")
  }
}
