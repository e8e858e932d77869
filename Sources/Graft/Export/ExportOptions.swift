/// How objects are written (E1, E2).
///
///     var options = ExportOptions()
///     options.sharedObjects = .once
///     options.omitsNil = true
public struct ExportOptions: Sendable {
  /// What to do with an object that is reached more than once.
  public enum SharedObjects: String, Sendable, CaseIterable {
    /// Write it in full each time, so that importing the export gives the same graph (E4).
    case full
    /// Write it once for each root, and as its identifier after that: linear size.
    case once
  }

  /// What to do with an object that is reached more than once.
  public var sharedObjects = SharedObjects.full
  /// Whether nil attributes and empty to-one relationships are left out; otherwise they are null.
  public var omitsNil = false
  /// Whether keys are sorted by their bytes; otherwise they stand in model order.
  public var sortsKeys = false
  /// Whether related objects are written as their identifiers only.
  public var identifiersOnly = false
  /// The properties to write, by entity name (of the entity or one of its parents); entities that are not named are written
  /// whole. Identity attributes are always written.
  public var properties: [String: Set<String>] = [:]
  /// How deep arrays and objects may nest; what lies below is written as its identifier. 512 by default, which is also
  /// what an import reads.
  public var maxDepth = 512
  /// The most objects to write, counted each time they are written; nil: 1,000,000 plus 16 times the objects in the graph.
  public var maxObjects: Int?
  /// The most bytes to write; nil: no limit.
  public var maxBytes: Int?

  /// The default options.
  public init() {}
}

/// An export that was stopped: by a limit, or by a transformer that failed.
public struct ExportError: DiagnosticError {
  /// What went wrong; one error.
  public let diagnostics: [Diagnostic]
  /// The error that a transformer threw, if one did.
  public let underlyingError: (any Error)?

  package init(code: String, _ message: String, underlyingError: (any Error)? = nil) {
    diagnostics = [Diagnostic(.error, code: code, message)]
    self.underlyingError = underlyingError
  }
}
