import Foundation
import Graft
import GraftSQLite
import GraftTestSupport
import Testing

@Suite("Hostile payloads: depth") struct DepthTests {
  /// The kinds of nesting.
  static let shapes: [(name: String, open: String, inner: String, close: String, outer: Int)] = [
    ("unmapped arrays", "[", "", "]", 1), ("unmapped objects", #"{"a":"#, "1", "}", 1),
    ("json arrays", "[", "1", "]", 1),
    ("json objects", #"{"a":"#, "null", "}", 1), ("mixed", #"[{"a":"#, "1", "}]", 1),
    ("to-one", #"{"id":"a","next":"#, #""b""#, "}", 0), ("to-many", #"{"id":"a","others":["#, #""b""#, "]}", 0),
    ("wrong type", "[", "", "]", 1),
  ]

  /// A payload with the given number of levels.
  static func payload(_ shape: Int, _ times: Int) -> [UInt8] {
    let (name, open, inner, close, _) = shapes[shape]
    let nested = String(repeating: open, count: times) + inner + String(repeating: close, count: times)
    let text =
      switch name {
      case "unmapped arrays", "unmapped objects", "mixed": #"{"id":"a","unmapped":\#(nested)}"#
      case "json arrays", "json objects": #"{"id":"a","value":\#(nested)}"#
      case "wrong type": #"{"id":"a","number":\#(nested)}"#
      default: nested
      }
    return Array(text.utf8)
  }

  private static func levels(_ shape: Int, _ times: Int) -> Int {
    shapes[shape].outer + times * (["mixed", "to-many"].contains(shapes[shape].name) ? 2 : 1)
  }

  @Test(
    "I15: 512 levels are accepted and 513 levels cause an error at the bracket, even with a 512 KB stack",
    arguments: shapes.indices)
  func limit(shape: Int) throws {
    // The maximum number of levels, and one level more.
    let most = (512 - Self.shapes[shape].outer) / (["mixed", "to-many"].contains(Self.shapes[shape].name) ? 2 : 1)
    let messages = try onSmallStack {
      try [most, most + 1].map { times -> String in
        let context = try HostileModel.context()
        let payload = Self.payload(shape, times)
        do {
          try objects(ofEntity: "Node", fromJSON: payload, in: context)
          // The objects are also released inside this closure, on the small stack.
          let node = try #require(try context.find(ofEntity: "Node", identity: "a"))
          let value: JSON? = node["value"]
          _ = try jsonData(from: context.fetch(ofEntity: "Node"))
          _ = try json(from: context.fetch(ofEntity: "Node"))
          return value == nil ? "accepted" : "accepted, with a value"
        } catch let error as ImportError {
          #expect(try context.count(ofEntity: "Node") == 0)
          #expect(error.diagnostics.last?.location?.offset ?? -1 < payload.count)
          return error.diagnostics.map(\.message).joined(separator: "; ")
        }
      }
    }
    #expect(Self.levels(shape, most) <= 512 && Self.levels(shape, most + 1) > 512)
    let isValue = Self.shapes[shape].name.hasPrefix("json")
    let isWrong = Self.shapes[shape].name == "wrong type"
    #expect(
      messages[0]
        == (isWrong
          ? "expected an integer for 'Node.number', found an array" : isValue ? "accepted, with a value" : "accepted"))
    #expect(messages[1] == "nested deeper than the limit of 512 levels ('depth')")
  }

  @Test("I15, G11: 100,000 and 1,000,000 levels are rejected quickly, with a 512 KB stack", arguments: shapes.indices)
  func deep(shape: Int) throws {
    for times in [100_000, 1_000_000] {
      let payload = Self.payload(shape, times)
      let (message, time) = try onSmallStack {
        var message = "accepted"
        let time = try ProcessorClock().measure {
          let context = try HostileModel.context()
          let error = #expect(throws: ImportError.self) {
            try objects(ofEntity: "Node", fromJSON: payload, in: context)
          }
          message = error?.diagnostics.last?.message ?? message
        }
        return (message, time)
      }
      #expect(message == "nested deeper than the limit of 512 levels ('depth')")
      #expect(time < .seconds(5))
    }
  }

  @Test("M23: with a store, dictionaries that several objects share can be nested, even with a 512 KB stack")
  func sharedDictionaries() throws {
    let model = try ManagedObjectModel(
      text: """
        {"keyStrategy": "sameName", "entities": {
          "Entry": {"attributes": {"note": {"type": "string", "optional": true}},
            "relationships": {"song": {"destination": "Song", "JSONKeyPath": "@value"}}},
          "Song": {"relationships": {"work": {"destination": "Work", "JSONKeyPath": "@value"}}},
          "Work": {"identityAttributes": "id", "attributes": {"id": "integer64"},
            "relationships": {"parts": {"destination": "Entry", "toMany": true}}}}}
        """)
    let levels = 200
    let payload =
      (0..<levels).map { #"{"note":"n","id":\#($0),"parts":["# }.joined() + String(repeating: "]}", count: levels)
    try onSmallStack {
      let store = try SQLiteStore.inMemory(model: model)
      try objects(ofEntity: "Entry", fromJSON: payload, in: ManagedObjectContext(store: store))
      let again = ManagedObjectContext(store: store)
      try objects(ofEntity: "Entry", fromJSON: payload, in: again)
      #expect(try again.count(ofEntity: "Work") == levels)
    }
  }

  @Test("I15: 1,024 levels are read ahead and loaded from a store with a 512 KB stack", arguments: shapes.indices)
  func stores(shape: Int) throws {
    guard Self.shapes[shape].name != "wrong type" else { return }
    let isDouble = ["mixed", "to-many"].contains(Self.shapes[shape].name)
    let payload = Self.payload(shape, isDouble ? 511 : 1023)
    try onSmallStack {
      var options = ImportOptions()
      options.limits.depth = 1 << 20
      let store = try SQLiteStore.inMemory(model: HostileModel.context().model)
      try objects(ofEntity: "Node", fromJSON: payload, in: ManagedObjectContext(store: store), options: options)
      let again = try ManagedObjectContext(store: store).importJSON(payload, ofEntity: "Node", options: options)
      #expect(again.updated.isEmpty && again.inserted.isEmpty && !again.unchanged.isEmpty)
      try objects(
        ofEntity: "Node", fromJSON: payload, in: ManagedObjectContext(store: store).makeChild(), options: options)
      #expect(throws: ImportError.self) {
        let context = ManagedObjectContext(store: store)
        try objects(ofEntity: "Node", fromJSON: Self.payload(shape, 5000), in: context, options: options)
      }
    }
  }

  @Test("I15: unclosed brackets cause errors, and so do dictionaries that are nested too deeply")
  func others() throws {
    for text in ["[", #"{"next":"#, #"{"others":["#, #"{"value":["#, #"[{"a":"#] {
      let error = #expect(throws: ImportError.self) {
        try objects(ofEntity: "Node", fromJSON: String(repeating: text, count: 100_000), in: HostileModel.context())
      }
      #expect(error?.diagnostics.isEmpty == false)
    }
    var nested: Any = 1
    for _ in 0..<600 { nested = ["a": [nested]] }
    let error = #expect(throws: ImportError.self) {
      try objects(
        ofEntity: "Node", fromJSON: ["id": "a", "value": nested] as [String: Any], in: HostileModel.context())
    }
    #expect(error?.diagnostics.first?.message == "nested deeper than the limit of 512 levels ('depth')")
  }

  @Test("I15: the limit is an option; 1,024 nested values, or 1,024 nested objects, work with a 512 KB stack")
  func raised() throws {
    try onSmallStack {
      var options = ImportOptions()
      options.limits.depth = 1 << 20
      for shape in Self.shapes.indices where Self.shapes[shape].name != "wrong type" {
        let isDouble = ["mixed", "to-many"].contains(Self.shapes[shape].name)
        let context = try HostileModel.context()
        try objects(
          ofEntity: "Node", fromJSON: Self.payload(shape, isDouble ? 511 : 1023), in: context, options: options)
        #expect(throws: ImportError.self) {
          try objects(ofEntity: "Node", fromJSON: Self.payload(shape, 5000), in: context, options: options)
        }
        let node = try #require(try context.find(ofEntity: "Node", identity: "a"))
        let value: JSON? = node["value"]
        #expect((value != nil) == Self.shapes[shape].name.hasPrefix("json"))
      }
      // The objects form a chain through identifiers, not through nested brackets.
      let chain = (0..<100_000).map { #"{"id":"\#($0)","next":"\#($0 + 1)"}"# }.joined(separator: ",")
      let context = try HostileModel.context()
      try objects(ofEntity: "Node", fromJSON: "[\(chain)]", in: context)
      #expect(try context.count(ofEntity: "Node") == 100_001)
      let first = try #require(try context.find(ofEntity: "Node", identity: "0"))
      #expect(try jsonData(from: first).count > 10_000)
    }
  }
}
