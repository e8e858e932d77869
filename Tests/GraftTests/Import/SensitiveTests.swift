import Foundation
import Graft
import GraftTestSupport
import Testing

/// Sensitive values in each kind of output (M29).
@Suite("Sensitive values") struct SensitiveTests {
  private struct Refusal: Error, CustomStringConvertible {
    var description: String
  }

  private static let text = """
    {"entities": {
      "User": {
        "identityAttributes": "email",
        "attributes": {
          "email": {"type": "string", "JSONKeyPath": "email", "sensitive": true},
          "age": {"type": "integer16", "optional": true, "JSONKeyPath": "age", "sensitive": true, "maximum": 150},
          "born": {"type": "date", "optional": true, "JSONKeyPath": "born", "sensitive": true,
            "JSONTransformerName": "Birthday"},
          "raw": {"type": "json", "optional": true, "JSONKeyPath": "raw", "sensitive": true},
          "city": {"type": "string", "optional": true, "JSONKeyPath": "city", "maxLength": 10}
        },
        "relationships": {
          "friend": {"destination": "User", "JSONKeyPath": "friend"},
          "orders": {"destination": "Order", "toMany": true, "inverse": "user", "JSONKeyPath": "orders"}
        }
      },
      "Order": {
        "identityAttributes": ["user", "number"],
        "attributes": {"number": {"type": "integer16", "JSONKeyPath": "number"}},
        "relationships": {"user": {"destination": "User", "inverse": "orders", "JSONKeyPath": "user"}}
      }
    }}
    """

  private static func model(_ text: String = text) throws -> ManagedObjectModel {
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Birthday") { (text: String) throws -> Date? in
      throw Refusal(description: "cannot read \(text)")
    }
    return try ManagedObjectModel(text: text, transformers: registry)
  }

  private static func context() throws -> ManagedObjectContext { ManagedObjectContext(model: try model()) }

  /// The error that importing a payload throws, as it is displayed.
  private static func error(_ payload: String, _ context: ManagedObjectContext? = nil) throws -> String {
    let context = try context ?? Self.context()
    do {
      try context.importJSON(payload, ofEntity: "User")
      return "no error"
    } catch {
      let text = DiagnosticRenderer(isColored: false).render(error.diagnostics)
      #expect(!text.contains("ann@example.com") && !text.contains("666"), "\(text)")
      return text
    }
  }

  @Test("M29: errors of an import hide sensitive values and excerpts, but have lines, columns and paths")
  func importErrors() throws {
    #expect(
      try Self.error(#"[{"email": "ann@example.com", "age": "666", "city": "a city with a long name"}]"#).hasPrefix(
        """
        <payload>:1:38: error: expected an integer for 'User.age', found <hidden>
          at $[0].age
        """))
    // Values of other attributes are shown, but not the line.
    let city = try Self.error(#"[{"email": "a", "city": "a city with a long name"}]"#)
    #expect(city.contains("expected at most 10 characters for 'User.city', found 23") && !city.contains("| "))
    #expect(
      try Self.error(#"[{"email": "ann@example.com", "age": 6667}]"#).contains(
        "expected at most 150 for 'User.age', found <hidden>"))
    #expect(
      try Self.error(#"[{"email": "ann@example.com", "friend": 666}]"#).contains("for 'User.email', found <hidden>"))
    #expect(
      try Self.error(#"[{"email": "ann@example.com", "born": "666"}]"#).contains(
        "the transformer 'Birthday' of 'User.born' failed: an error of type 'Refusal', whose text may contain sensitive values"
      ))
    let json = try Self.error(#"[{"email": "b", "raw": {"a": {"ann@example.com": 1, "ann@example.com": 2}}}]"#)
    #expect(json.hasPrefix("<payload>:1:53: error: a key occurs twice in one object") && !json.contains("$"), "\(json)")
    #expect(try !Self.error(#"[{"email": "b", "raw": {"ann@example.com": [1,}}]"#).contains("$"))
  }

  @Test("M29: a closure's error is the cause of the import's error, exactly as it was thrown")
  func causes() throws {
    do {
      try Self.context().importJSON(#"[{"email": "a", "born": "666"}]"#, ofEntity: "User")
      Issue.record("no error")
    } catch let error as ImportError {
      #expect((error.underlyingError as? Refusal)?.description == "cannot read 666")
    }
  }

  @Test("M29: names hide identities that contain a sensitive value, even if the value is in the owner's identity")
  func names() throws {
    let context = try Self.context()
    var options = ImportOptions()
    options.reportsDetails = true
    let payload = #"[{"email": "ann@example.com", "age": 30, "orders": [{"number": 1}]}]"#
    let report = try context.importJSON(payload, ofEntity: "User", options: options)
    #expect(Set(report.details.map(\.name)) == ["User(<hidden>)", "Order(<hidden>)"])
    let user = try #require(try context.find(ofEntity: "User", identity: "ann@example.com"))
    #expect(user.description == "User(<hidden>)" && user.objectID.description == "User(<hidden>)")
    #expect(user.objectID.identity == ["ann@example.com"])
    let encoded = try JSONEncoder().encode(user.objectID)
    let decoded = try JSONDecoder().decode(ManagedObjectID.self, from: encoded)
    #expect(decoded == user.objectID && decoded.description == "User(<hidden>)")
    let dump = String(decoding: context.dump(), as: UTF8.self)
    #expect(
      dump.contains(#""email": "<hidden>", "age": "<hidden>", "born": null, "raw": null, "city": null"#), "\(dump)")
    #expect(String(decoding: try jsonData(from: [user]), as: UTF8.self).contains("ann@example.com"))
  }

  @Test("M29: reports and changes show that a sensitive value changed, but not the value")
  func changes() throws {
    let context = try Self.context()
    try context.importJSON(#"[{"email": "ann@example.com", "age": 30, "city": "Rome"}]"#, ofEntity: "User")
    var options = ImportOptions()
    options.reportsDetails = true
    let report = try context.importJSON(
      #"[{"email": "ann@example.com", "age": 31, "raw": 1, "city": "Oslo"}]"#, ofEntity: "User", options: options)
    let changes = try #require(report.details.first?.changes)
    #expect(changes.map(\.old) == ["<hidden>", nil, "Rome"] && changes.map(\.new) == ["<hidden>", "<hidden>", "Oslo"])
    let user = try #require(try context.find(ofEntity: "User", identity: "ann@example.com"))
    try user.setValue(AttributeValue.integer(32), of: "age")
    try user.setValue(AttributeValue.string("Lima"), of: "city")
    let update = try #require(context.changes.updated.first)
    #expect(update.description == #"User(<hidden>) age: <hidden> -> <hidden>, city: "Oslo" -> "Lima""#)
    var text = ""
    dump(context.changes.updated, to: &text)
    #expect(!text.contains("32") && !text.contains("ann@"))
  }

  @Test("M29: errors of setters, validations and searches hide sensitive values")
  func others() throws {
    let context = try Self.context()
    try context.importJSON(#"[{"email": "ann@example.com"}]"#, ofEntity: "User")
    let user = try #require(try context.find(ofEntity: "User", identity: "ann@example.com"))
    func message(_ body: () throws -> Void) -> String {
      do {
        try body()
        return "no error"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      message { try user.setValue(AttributeValue.string("ann@example.com"), of: "age") }.contains(
        "cannot hold <hidden>"))
    #expect(message { _ = try context.find(ofEntity: "User", identity: 666) }.contains("identified by <hidden>"))
    try user.setValue(AttributeValue.integer(666), of: "age")
    let invalid = message { try context.commit() }
    #expect(invalid.contains("expected at most 150 for 'User.age', found <hidden> (User(<hidden>))"), "\(invalid)")
  }

  @Test("M29: errors about a store's conflicts and migrations hide sensitive values")
  func stores() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let file = folder.file("users.graft")
    let store = try SnapshotStore(at: file, model: Self.model())
    let (first, second) = (ManagedObjectContext(store: store), ManagedObjectContext(store: store))
    try first.importJSON(#"[{"email": "ann@example.com", "age": 66}]"#, ofEntity: "User")
    try second.merge()
    for (context, age) in [(first, 67), (second, 68)] as [(ManagedObjectContext, Int64)] {
      try context.find(ofEntity: "User", identity: "ann@example.com")?.setValue(AttributeValue.integer(age), of: "age")
    }
    try first.commit()
    do {
      try second.commit()
      Issue.record("no conflict")
    } catch let error as ConflictError {
      #expect("\(error)".contains("'User(<hidden>)' was changed in the store") && !"\(error)".contains("6"), "\(error)")
    }
    let stricter = try Self.model(Self.text.replacingOccurrences(of: #""maximum": 150"#, with: #""maximum": 50"#))
    do {
      _ = try SnapshotStore(at: file, model: stricter)
      Issue.record("no refusal")
    } catch {
      // The path of the folder might contain the number.
      let text = "\(error)".replacingOccurrences(of: folder.url.path, with: "folder")
      #expect(text.contains("the object User(<hidden>) violates the rules of the model"), "\(text)")
      #expect(text.contains("found <hidden>") && !text.contains("67"), "\(text)")
    }
  }

  @Test("M29: a model without sensitive attributes shows values and excerpts")
  func insensitive() throws {
    let model = try Self.model(Self.text.replacingOccurrences(of: #", "sensitive": true"#, with: ""))
    let context = ManagedObjectContext(model: model)
    let payload = #"[{"email": "bob", "age": "x"}]"#
    do {
      try context.importJSON(payload, ofEntity: "User")
      Issue.record("no error")
    } catch {
      let text = DiagnosticRenderer(isColored: false).render(error.diagnostics)
      #expect(text.contains(#"found the string "x""#) && text.contains("1 | \(payload)"))
    }
    try context.importJSON(#"{"email": "bob"}"#, ofEntity: "User")
    #expect(try context.find(ofEntity: "User", identity: "bob")?.description == "User(bob)")
  }

  @Test("M29, T5: an error of a relationship's reverse transformer is reported like an attribute's, with hidden values")
  func reversedIdentifier() throws {
    let text = """
      {"entities": {
        "User": {"identityAttributes": "email", "attributes": {"email": {"type": "string", "JSONKeyPath": "email", "sensitive": true}},
          "relationships": {"friend": {"destination": "User", "JSONKeyPath": "friend", "JSONTransformerName": "Who"}}}
      }}
      """
    let inner = Locked<ManagedObjectContext?>(nil)
    var registry = TransformerRegistry.standard
    registry.registerValueTransformer(named: "Who") { (text: String) -> String? in
      text
    } reverse: { (text: String) throws -> String? in
      if let context = inner.withLock({ $0 }) { _ = try context.importJSON("[]", ofEntity: "User") }
      throw Refusal(description: "cannot write \(text)")
    }
    let context = ManagedObjectContext(model: try ManagedObjectModel(text: text, transformers: registry))
    let payload = #"[{"email": "a", "friend": "ann@example.com"}]"#
    let user = try #require(try objects(ofEntity: "User", fromJSON: payload, in: context).first)
    let failed = try #require(throws: ExportError.self) { try jsonData(from: user) }
    #expect(failed.diagnostics.map(\.code) == [.transformerFailed])
    #expect(!"\(failed)".contains("ann@example.com"), "\(failed)")
    #expect((failed.underlyingError as? Refusal)?.description == "cannot write ann@example.com")
    inner.withLock { $0 = context }
    let refused = try #require(throws: ExportError.self) { try jsonData(from: user) }
    #expect(refused.diagnostics.map(\.code) == [.reentrantCall])
  }
}
