#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The error for a store that cannot be opened, read or written, or for a fetch that the model does not allow, such as a fetch of an
/// unknown entity.
///
///     do {
///       try context.commit()
///     } catch let error as StoreError {
///       print(error)          // error: the store 'shop.graft' cannot be written: the disk is full; free some space and try again
///     }
///
/// The context is unchanged, and the call can be repeated.
public struct StoreError: DiagnosticError {
  /// The diagnostics.
  public let diagnostics: [Diagnostic]

  /// Creates an error.
  public init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  /// Creates an error with one diagnostic.
  public init(_ code: DiagnosticCode, _ message: String, notes: [String] = []) {
    self.init([Diagnostic(code: code, message, notes: notes.map { Diagnostic.Note($0) })])
  }
}

/// Fetches that the model does not allow. Not inlined, so calls without an error stay small.
extension StoreError {
  @inline(never)
  static func unknownEntity(_ name: String, _ plan: Plan) -> StoreError {
    let near = Suggestion.nearest(to: name, among: plan.entities.map(\.name))
    return StoreError([Diagnostic(code: .unknownEntity, "the model has no entity '\(name)'", suggestion: near)])
  }

  @inline(never)
  static func negative(_ name: String, _ value: Int) -> StoreError {
    StoreError(.negativeLimit, "the \(name) is \(value): it must not be negative")
  }

  @inline(never)
  static func wrongIdentity(_ entity: EntityPlan, attributes: Int, values: Int) -> StoreError {
    StoreError(.wrongIdentifier, "'\(entity.name)' has \(attributes) identity attributes, not \(values)")
  }

  @inline(never)
  static func wrongIdentity(_ entity: EntityPlan, _ attribute: AttributeDescription, _ value: AttributeValue)
    -> StoreError
  {
    StoreError(
      .wrongIdentifier,
      "'\(entity.name).\(attribute.name)' is declared \(attribute.type.rawValue): no object is identified by \(attribute.isSensitive ? HiddenValue.text : value.foundPhrase)"
    )
  }
}
