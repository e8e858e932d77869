#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs transformers on their own, for tests (T7).
extension TransformerRegistry {
  /// Returns the value that a transformer produces from a JSON value, as an import would store it.
  ///
  ///     try transformers.value("Slug", from: "Bat Man")                  // .string("bat-man")
  ///     try transformers.value("Lenient", from: "007", as: .integer16)   // .integer(7)
  ///
  /// Returns nil if the closure returns nil. As in imports, the closure is not called with `null`, for which the result is nil
  /// ([T3](doc:Rules#T3)).
  ///
  /// - Parameters:
  ///   - name: the name of a registered or built-in value transformer.
  ///   - json: the value in the payload.
  ///   - type: the type of the attribute. If it is nil, the value is returned as the closure's type. `Lenient` reads the
  ///     forms of this type.
  /// - Throws: A ``TransformerError`` if there is no such transformer, if it does not accept the JSON value, or if the
  ///   attribute cannot hold what it returns. Errors that the closure throws are rethrown.
  public func value(_ name: String, from json: JSON, as type: AttributeType? = nil) throws -> AttributeValue? {
    let transformer = try transformer(name, for: type)
    guard !json.isNull else { return nil }
    let value: AttributeValue?
    do { value = try transformer.forward(json) } catch let error as TransformerInputError {
      throw TransformerError(
        .wrongTransformerInput,
        "expected \(error.expected), which the transformer '\(name)' takes, found \(FoundPhrase.of(json))")
    }
    guard let value, let type else { return value }
    do { return try value.converted(to: type) } catch {
      throw TransformerError(
        .wrongTransformerOutput,
        "the transformer '\(name)' returned \(value.foundPhrase), which an attribute of type '\(type.rawValue)' cannot hold"
      )
    }
  }

  /// Returns the JSON value that a transformer produces from a stored value, as an export would write it.
  ///
  ///     try transformers.json("UnixTime", from: .date(Date(timeIntervalSince1970: 60)))      // 60
  ///
  /// Without a reverse closure, the stored value is written. If the value is nil, or the closure returns nil, the result is `null`
  /// ([T4](doc:Rules#T4)).
  ///
  /// - Parameters:
  ///   - name: the name of a registered or built-in value transformer.
  ///   - value: the stored value.
  /// - Throws: A ``TransformerError`` if there is no such transformer, or if its reverse does not accept the value. Errors that
  ///   the closure throws are rethrown.
  public func json(_ name: String, from value: AttributeValue?) throws -> JSON {
    let transformer = try transformer(name, for: nil)
    guard let value else { return .null }
    guard let reverse = transformer.reverse else { return value.jsonValue }
    do { return try reverse(value) ?? .null } catch let error as TransformerInputError {
      throw TransformerError(
        .wrongTransformerInput,
        "expected \(error.expected), which the reverse of the transformer '\(name)' takes, found \(value.foundPhrase)")
    }
  }

  private func transformer(_ name: String, for type: AttributeType?) throws -> ValueTransformer {
    if let transformer = valueTransformer(named: name, for: type ?? .json) { return transformer }
    if let reason = fault(ofValueTransformerNamed: name) {
      throw TransformerError(.unknownTransformer, "the transformer \(name.quoted) is malformed: \(reason)")
    }
    throw TransformerError(
      .unknownTransformer, "there is no value transformer named \(name.quoted)",
      suggestion: Suggestion.nearest(to: name, among: valueTransformerNames))
  }
}

/// The error thrown by a value transformer that is run on its own.
///
///     do {
///       _ = try transformers.value("StringToInteger", from: true)
///     } catch {
///       print(error)    // expected a string of digits, …, which the transformer 'StringToInteger' takes, found true
///     }
public struct TransformerError: DiagnosticError {
  /// The diagnostics: exactly one error.
  public let diagnostics: [Diagnostic]

  init(_ code: DiagnosticCode, _ message: String, suggestion: String? = nil) {
    diagnostics = [Diagnostic(code: code, message, suggestion: suggestion)]
  }

  /// The messages of the diagnostics.
  public var description: String { diagnostics.map(\.words).joined(separator: "; ") }

  /// The messages of the diagnostics.
  public var errorDescription: String? { description }
}
