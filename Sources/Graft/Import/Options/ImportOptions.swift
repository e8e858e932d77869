/// The options of an import. Every option has a safe default.
///
///     try objects(Hero.self, fromJSON: data, in: context, options: ImportOptions(sourceName: "heroes.json"))
public struct ImportOptions: Sendable {
  /// What to do about keys that the model does not map (I13).
  public enum UnknownKeys: String, Sendable, CaseIterable {
    /// Skip the keys and their values, which must be valid JSON.
    case ignore
    /// Skip the keys, and list them in the report.
    case report
    /// Reject the payload, with an error for each unknown key.
    case error
  }

  /// What to do about elements of a payload's outermost list that contain errors (I18).
  public enum FaultyElements: String, Sendable, CaseIterable {
    /// Reject the payload, with all errors.
    case error
    /// Import the payload without these elements. ``ImportReport/faultyElements`` lists them, with all their errors.
    case skip
  }

  /// What to do about probable mistakes in a payload that can be imported (I19).
  public enum Warnings: String, Sendable, CaseIterable {
    /// List the warnings in ``ImportReport/warnings``.
    case report
    /// Reject the payload.
    case error
    /// Do not look for probable mistakes.
    case ignore
  }

  /// The name of the payload in messages, usually a file name.
  public var sourceName: String
  /// What to do about keys that the model does not map.
  public var unknownKeys: UnknownKeys
  /// What to do about elements of the payload's outermost list that contain errors: a wrong value, a missing value, an error
  /// thrown by a closure. A syntax error, an exceeded limit and an error outside these elements always fail the import.
  ///
  ///     let report = try context.importJSON(data, into: Hero.self, options: ImportOptions(faultyElements: .skip))
  ///     for element in report.faultyElements { print(element.path, element.diagnostics) }
  ///
  /// The result is exactly the same as for the payload without these elements, including for ``ImportPart/missing``: an object that only a
  /// skipped element mentions is deleted. The outermost list is the array or the collection by keys that holds the payload's
  /// objects, or the lines of JSON Lines. A payload that is a single object has no such list.
  ///
  /// A payload without errors costs nothing extra. Otherwise, it is imported again without its faulty elements, up to 100
  /// times, because an element may depend on one that is skipped. Closures and hooks are called again each time.
  public var faultyElements: FaultyElements
  /// What to do about warnings: dictionaries with the same identity that contradict each other, dictionaries without any mapped
  /// key, unmapped keys that resemble the keys of absent properties, and arrays whose order is lost.
  ///
  ///     let report = try context.importJSON(data, into: Hero.self)
  ///     print(DiagnosticRenderer().render(report.warnings))
  ///
  /// Only imports that return a report look for warnings, unless warnings are errors.
  public var warnings: Warnings
  /// Whether the report lists what happened to each object, with old and new values, instead of only how many objects were affected (I12).
  /// This costs time and memory for each new or changed object.
  public var reportsDetails: Bool
  /// The limits of a payload.
  public var limits: ImportLimits

  /// The names of these options in messages.
  package var words = OptionWords.library
  /// The objects whose mentions are recorded.
  package var traces: [ImportTrace] = []

  /// Creates options, with default values for omitted parameters.
  public init(
    sourceName: String = "<payload>", unknownKeys: UnknownKeys = .ignore,
    faultyElements: FaultyElements = .error, warnings: Warnings = .report, reportsDetails: Bool = false,
    limits: ImportLimits = ImportLimits()
  ) {
    self.sourceName = sourceName
    self.unknownKeys = unknownKeys
    self.faultyElements = faultyElements
    self.warnings = warnings
    self.reportsDetails = reportsDetails
    self.limits = limits
  }
}

/// The limits of a payload (I15). Exceeding a limit is an error that names it, reported before memory is allocated.
public struct ImportLimits: Sendable {
  /// The maximum number of bytes of a payload. 1 GiB by default.
  public var bytes: Int
  /// The maximum nesting depth of arrays and objects. 512 by default; values above 1,024 are treated as 1,024.
  public var depth: Int
  /// The maximum number of objects that a payload may insert, including placeholders. 16 million by default.
  public var objects: Int
  /// The maximum number of bytes of a string that an attribute reads; a `json` value is treated as one string. 64 MiB by default.
  public var stringBytes: Int
  /// The maximum number of bytes of a number that an attribute reads. 1,024 by default.
  public var numberBytes: Int
  /// The maximum number of errors that are reported before the import stops. 20 by default. More than three errors that differ
  /// only in location and value are reported, and counted here, as one (``Diagnostic/count``). The import also stops after 50
  /// times as many errors of all kinds.
  public var errors: Int
  /// The maximum number of elements that may be skipped with ``ImportOptions/faultyElements``. 10,000 by default. If more
  /// contain errors, the import fails.
  public var faultyElements: Int

  /// Creates limits, with default values for omitted parameters.
  public init(
    bytes: Int = 1 << 30, depth: Int = 512, objects: Int = 1 << 24, stringBytes: Int = 1 << 26,
    numberBytes: Int = 1 << 10, errors: Int = 20, faultyElements: Int = 10_000
  ) {
    self.bytes = bytes
    self.depth = depth
    self.objects = objects
    self.stringBytes = stringBytes
    self.numberBytes = numberBytes
    self.errors = errors
    self.faultyElements = faultyElements
  }
}
