import Foundation
import Graft
import GraftTestSupport
import Testing

private final class Event: ManagedObject {
  var start: Int { self["start"] ?? 0 }
  var end: Int { self["end"] ?? 0 }
  var guests: RelatedObjects<ManagedObject> { self["guests"] }
}

/// A log of the arguments that closures receive, in order.
private final class Log: Sendable {
  private let storage = Locked<[String]>([])
  var lines: [String] { storage.withLock { $0 } }
  func note(_ line: String) { storage.withLock { $0.append(line) } }
}

@Suite("Registered validations") struct RegisteredValidationTests {
  private static let entities = """
    "Event": {
      "identityAttributes": "id",
      "attributes": {
        "id": "integer64",
        "code": {"type": "string", "optional": true, "maxLength": 5},
        "start": {"type": "integer64", "optional": true},
        "end": {"type": "integer64", "optional": true}
      },
      "relationships": {"guests": {"destination": "Guest", "toMany": true, "inverse": "events"}}
    },
    "Concert": {"parent": "Event", "attributes": {"band": {"type": "string", "optional": true}}},
    "Guest": {
      "identityAttributes": "id", "attributes": {"id": "integer64"},
      "relationships": {"events": {"destination": "Event", "toMany": true, "inverse": "guests"}}
    }
    """

  private static func registry(_ log: Log = Log()) -> TransformerRegistry {
    var registry = TransformerRegistry.standard
    registry.registerValidation(ofEntity: "Event", attribute: "code") { (code: String) in
      log.note("code \(code)")
      guard code.hasPrefix("E") else { throw ValidationFailure("codes begin with E") }
    }
    registry.registerValidation(of: Event.self) { event in
      log.note("event \(event.start)...\(event.end)")
      if event.end < event.start { throw ValidationFailure("it ends before it begins", of: "end") }
      if event.guests.count > 2 { throw ValidationFailure("more than two guests, \(event.guests.count)") }
    }
    return registry
  }

  private static func guarded(_ log: Log = Log()) throws -> ManagedObjectContext {
    try Fixture.context(entities, transformers: registry(log), classes: [Event.self])
  }

  @Test("I9: registered validations reject merged values, with each value's location and line of the model")
  func located() throws {
    let context = try Self.guarded()
    #expect(
      refusals(
        """
        [
          {"id": 1, "code": 1️⃣"X1"}, {"id": 2, "start": 5, "end": 2️⃣3}, 3️⃣{"id": 3, "guests": [1, 2, 3]},
          {"id": 4, "start": 9, "end": 4️⃣1}, {"id": 4, "start": 2}, {"id": 5, "code": 5️⃣"too long"}
        ]
        """, of: "Event", in: context, withNotes: true) == [
          "1️⃣ error: 'Event.code' is not valid: codes begin with E (at $[0].code)",
          "  m.json:6:5: note: 'code' is declared here",
          "2️⃣ error: 'Event.end' is not valid: it ends before it begins (at $[1].end)",
          "  m.json:8:5: note: 'end' is declared here",
          "3️⃣ error: 'Event(3)' is not valid: more than two guests, 3 (at $[2])",
          "  m.json:2:1: note: 'Event' is declared here",
          "4️⃣ error: 'Event.end' is not valid: it ends before it begins (at $[3].end)",
          "  m.json:8:5: note: 'end' is declared here",
          "5️⃣ error: expected at most 5 characters for 'Event.code', found 8 (at $[5].code)",
          "  m.json:6:63: note: 'code' is declared here",
        ])
  }

  @Test(
    "I9: a validation runs once for each touched object, on merged values, but not on nil or on rejected values")
  func calls() throws {
    let log = Log()
    let context = try Self.guarded(log)
    try objects(
      ofEntity: "Event",
      fromJSON: #"[{"id": 1, "code": "bad", "start": 7}, {"id": 1, "code": "E1", "end": 8}, {"id": 2}, 3]"#, in: context
    )
    #expect(log.lines == ["code E1", "event 7...8", "event 0...0"])
    // A link through the inverse touches an event; a placeholder is not validated.
    try objects(ofEntity: "Guest", fromJSON: #"[{"id": 1, "events": [1, 3]}]"#, in: context)
    #expect(log.lines == ["code E1", "event 7...8", "event 0...0", "code E1", "event 7...8"])
    _ = refusals(#"[{"id": 2, "code": "far too long"}]"#, of: "Event", in: context)
    #expect(log.lines.count == 5)
  }

  @Test("M8: sub-entities inherit validations and add their own")
  func inherited() throws {
    var registry = Self.registry()
    registry.registerValidation(ofEntity: "Concert", attribute: "code") { (code: String) in
      if code.count != 2 { throw ValidationFailure("codes of concerts have two letters") }
    }
    let context = try Fixture.context(Self.entities, transformers: registry, classes: [Event.self])
    #expect(
      refusals(#"[{"id": 1, "code": 1️⃣"X11"}, {"id": 2, "start": 2, "end": 2️⃣1}]"#, of: "Concert", in: context) == [
        "1️⃣ error: 'Concert.code' is not valid: codes begin with E (at $[0].code)",
        "1️⃣ error: 'Concert.code' is not valid: codes of concerts have two letters (at $[0].code)",
        "2️⃣ error: 'Concert.end' is not valid: it ends before it begins (at $[1].end)",
      ])
    #expect(refusals(#"[{"id": 1, "code": "E11"}]"#, of: "Event", in: context) == [])
  }

  private struct Complaint: Error, Equatable {
    var number: Int
  }

  @Test("T3: a validation's error is the message, and the first such error is the cause of the import's error")
  func cause() throws {
    var registry = TransformerRegistry.standard
    registry.registerValidation(ofEntity: "T", attribute: "x") { (x: Int) in if x > 1 { throw Complaint(number: x) } }
    let context = try Fixture.context(#""T": {"attributes": {"x": "integer64"}}"#, transformers: registry)
    let error = #expect(throws: ImportError.self) {
      try objects(ofEntity: "T", fromJSON: #"[{"x": 1}, {"x": 7}, {"x": 8}]"#, in: context)
    }
    #expect(error?.underlyingError as? Complaint == Complaint(number: 7))
    #expect(
      error?.diagnostics.map(\.message) == [
        "'T.x' is not valid: Complaint(number: 7)", "'T.x' is not valid: Complaint(number: 8)",
      ])
    #expect(context.drawing == "")
  }

  private enum Side: String, AttributeConvertible, CaseIterable { case good, evil }

  @Test("T1: validations have typed values; the error for a value that the enum type lacks lists the type's values")
  func enums() throws {
    var registry = TransformerRegistry.standard
    registry.registerValidation(ofEntity: "T", attribute: "side") { (_: Side) in }
    let context = try Fixture.context(#""T": {"attributes": {"side": "string"}}"#, transformers: registry)
    #expect(
      refusals(#"[{"side": "good"}, {"side": 1️⃣"odd"}]"#, of: "T", in: context) == [
        #"1️⃣ error: expected one of "good", "evil" for 'T.side', found the string "odd" (at $[1].side)"#
      ])
  }

  @Test("M9: the names and types of all validations are checked when the model is loaded")
  func checked() {
    var registry = TransformerRegistry.standard
    registry.registerValidation(ofEntity: "Evnt", attribute: "id") { (_: Int) in }
    registry.registerValidation(ofEntity: "Event", attribute: "cod") { (_: String) in }
    registry.registerValidation(ofEntity: "Event", attribute: "guests") { (_: JSON) in }
    registry.registerValidation(ofEntity: "Event", attribute: "start") { (_: String) in }
    registry.registerValidation(ofEntity: "Concert", attribute: "start") { (_: Int16) in }
    registry.registerValidation(of: Event.self) { _ in }
    registry.registerValidation(ofEntity: "Gest") { _ in }
    let error = #expect(throws: ModelError.self) { try Fixture.context(Self.entities, transformers: registry) }
    #expect(
      error?.diagnostics.map(\.description) == [
        "error: a validation is registered for 'Evnt', which the model does not have; did you mean 'Event'?",
        "m.json:2:1: error: a validation is registered for 'Event.cod', but 'Event' has no such attribute; did you mean 'code'?",
        "m.json:10:21: error: a validation is registered for 'Event.guests', which is a relationship: validate it in a validation of the entity",
        "m.json:7:23: error: the validation of 'Event.start' takes String, but 'start' is declared integer64",
        "m.json:2:1: error: the validation of 'Event' takes Event, but its objects are of class ManagedObject: pass the class to the model",
        "error: a validation is registered for 'Gest', which the model does not have; did you mean 'Guest'?",
      ])
    #expect(
      error?.diagnostics.map(\.code) == [
        .unknownEntity, .unknownAttribute, .unknownAttribute, .unfitValidation, .unfitValidation,
        .unknownEntity,
      ])
  }

  /// A box that lets closures access the context, although a context is not Sendable. This is safe because closures run in the isolation of
  /// the import.
  private final class Reach: @unchecked Sendable {
    var context: ManagedObjectContext?
    var errors: [String] = []
  }

  @Test(
    "T5: a validation that changes, deletes or imports makes the import fail, but a validation can read other objects")
  func reentrant() throws {
    let reach = Reach()
    var registry = TransformerRegistry.standard
    registry.registerValidation(ofEntity: "T") { object in
      for meddle in [
        { try object.setValue(.integer(9), of: "x") }, { try object.context.delete(object) },
        { _ = try objects(ofEntity: "T", fromJSON: "[7]", in: object.context) },
      ] as [() throws -> Void] {
        do {
          try meddle()
          reach.errors.append("accepted")
        } catch {
          reach.errors.append("\(error)")
        }
      }
      if let one = try object.context.find(ofEntity: "T", identity: 1), one["x"] == 5 { reach.errors.append("read") }
    }
    let context = try Fixture.context(
      #""T": {"identityAttributes": "id", "attributes": {"id": "integer64", "x": {"type": "integer64", "optional": true}}}"#,
      transformers: registry)
    #expect(
      refusals(#"[1️⃣{"id": 1, "x": 5}]"#, of: "T", in: context) == [
        "1️⃣ error: a validation of 'T' must not set a property: the context is in the middle of an import (at $[0])"
      ])
    #expect(reach.errors.count == 4 && reach.errors.last == "read")
    #expect(reach.errors.dropLast().allSatisfy { $0.contains("in the middle of an import") })
    #expect(context.drawing == "")
  }

  @Test("I10: an import that a validation rejects changes nothing and inserts no object")
  func atomic() throws {
    let context = try Self.guarded()
    try objects(ofEntity: "Event", fromJSON: #"[{"id": 1, "start": 1, "end": 2, "guests": [1]}]"#, in: context)
    let before = context.dump()
    #expect(throws: ImportError.self) {
      try objects(ofEntity: "Event", fromJSON: #"[{"id": 9}, {"id": 1, "start": 5, "guests": [2]}]"#, in: context)
    }
    #expect(context.dump() == before)
    #expect(try context.find(Event.self, identity: 9) == nil)
  }

  @Test(
    "T1: in merged registries, the later registration of a name wins, and the validations of both registries run")
  func composed() throws {
    let log = Log()
    var catalog = TransformerRegistry.standard
    catalog.registerValueTransformer(named: "Own") { (text: String) in text + "1" }
    catalog.registerValidation(ofEntity: "T", attribute: "x") { (x: String) in log.note("first \(x)") }
    var billing = TransformerRegistry.standard
    billing.registerValueTransformer(named: "Own") { (text: String) in text + "2" }
    billing.registerValueTransformer(named: "Lowercase") { (text: String) in text.uppercased() }
    billing.registerDictionaryTransformer(named: "D") { $0["t"] as? [String: Any] }
    billing.registerEntityMapper(named: "M") { _ in "T" }
    billing.registerValidation(ofEntity: "T", attribute: "x") { (x: String) in log.note("second \(x)") }
    var merged = TransformerRegistry.standard
    merged.merge(catalog)
    merged.merge(billing)
    #expect(merged.valueTransformerNames.contains("Own"))
    #expect(merged.dictionaryTransformerNames == ["D"] && merged.entityMapperNames == ["M"])
    let context = try Fixture.context(
      """
      "T": {
        "JSONDictionaryTransformerName": "D", "entityMapperName": "M",
        "attributes": {
          "x": {"type": "string", "JSONTransformerName": "Own"}, "y": {"type": "string", "JSONTransformerName": "Lowercase"}
        }
      }
      """, transformers: merged)
    try objects(ofEntity: "T", fromJSON: #"[{"t": {"x": "a", "y": "b"}}]"#, in: context)
    #expect(context.drawing.contains(#"x="a2" y="B""#))
    #expect(log.lines == ["first a2", "second a2"])
  }

  @Test("I9: an object that was edited in code can be validated on request")
  func byHand() throws {
    let context = try Self.guarded()
    let event = context.insert(Event.self)
    #expect(throws: PropertyError.self) { try event.validate() }
    event["id"] = 1
    try event.validate()
    event["code"] = "abcdefg"
    event["start"] = 3
    #expect(message { try event.validate() } == "expected at most 5 characters for 'Event.code', found 7")
    event["code"] = "X"
    #expect(message { try event.validate() } == "'Event.code' is not valid: codes begin with E")
    event["code"] = String?.none
    #expect(message { try event.validate() } == "'Event.end' is not valid: it ends before it begins")
    event["end"] = 4
    try event.validate()
    let guest = try object(ofEntity: "Guest", fromJSON: #"{"id": 1, "events": [2]}"#, in: context)
    #expect(try context.placeholders.count == 1)
    try context.placeholders[0].validate()
    try context.delete(guest)
    #expect(message { try guest.validate() }?.contains("was deleted") == true)
  }

  private func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
