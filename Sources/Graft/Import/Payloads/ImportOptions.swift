/// How a payload is read. Every option has a safe default.
///
///     try objects(Hero.self, fromJSON: data, in: context, options: ImportOptions(sourceName: "heroes.json"))
public struct ImportOptions: Sendable {
  /// What to do about keys that the model does not map (I13).
  public enum UnknownKeys: String, Sendable, CaseIterable {
    /// Skip them; they must be valid JSON.
    case ignore
    /// Skip them, and name them in the report.
    case report
    /// Refuse the payload, naming each of them.
    case error
  }

  /// What to do about elements of a payload's outermost list that contain a fault (I18).
  public enum FaultyElements: String, Sendable, CaseIterable {
    /// Refuse the payload, with all faults.
    case error
    /// Import the payload without these elements. ``ImportReport/faultyElements`` lists them, with all their faults.
    case skip
  }

  /// What to do about what is probably a mistake, although the payload can be imported (I19).
  public enum Warnings: String, Sendable, CaseIterable {
    /// List it in ``ImportReport/warnings``.
    case report
    /// Refuse the payload.
    case error
    /// Do not look for it.
    case ignore
  }

  /// What to call the payload in messages, most often a file name.
  public var sourceName: String
  /// What to do about keys that the model does not map.
  public var unknownKeys: UnknownKeys
  /// What to do about elements of the payload's outermost list that contain a fault: a wrong value, a missing one, a refusal by a
  /// closure. A syntax error, an exceeded limit and a fault outside of these elements always fail the import.
  ///
  ///     let report = try context.importJSON(data, into: Hero.self, options: ImportOptions(faultyElements: .skip))
  ///     for element in report.faultyElements { print(element.path, element.diagnostics) }
  ///
  /// The result is exactly that of the payload without these elements, also for ``ImportPart/missing``: an object that only a
  /// skipped element mentions is deleted. The outermost list is the array or the collection by keys that holds the payload's
  /// objects, or the lines of JSON Lines. A payload that is a single object has none.
  ///
  /// A payload without faults costs nothing extra. Otherwise, it is imported again without its faulty elements, up to 100 times,
  /// because an element may depend on one that is skipped. Closures and hooks are called again each time.
  public var faultyElements: FaultyElements
  /// What to do about warnings: dictionaries with one identity that contradict each other, dictionaries without any mapped key,
  /// unmapped keys that are almost those of absent properties, and arrays whose order is lost.
  ///
  ///     let report = try context.importJSON(data, into: Hero.self)
  ///     print(DiagnosticRenderer().render(report.warnings))
  ///
  /// Only imports that return a report look for them, unless they are errors.
  public var warnings: Warnings
  /// Whether the report says what happened to which object, with old and new values, and not only to how many (I12). That costs
  /// time and memory for each object that is new or changed.
  public var reportsDetails: Bool
  /// How much a payload may ask for.
  public var limits: ImportLimits

  /// What messages call these options.
  package var words = OptionWords.library
  /// The objects whose mentions are recorded.
  package var traces: [ImportTrace] = []

  /// The default options, but for those that are given.
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

/// How much a payload may ask for (I15). A breach is an error that names the limit, before the memory is taken.
public struct ImportLimits: Sendable {
  /// The most bytes of a payload. 1 GiB by default.
  public var bytes = 1 << 30
  /// The deepest nesting of arrays and objects. 512 by default; values above 1,024 count as 1,024.
  public var depth = 512
  /// The most objects that one payload may insert, placeholders included. 16 million by default.
  public var objects = 1 << 24
  /// The most bytes of one string that an attribute takes; a `json` value counts as one. 64 MiB by default.
  public var stringBytes = 1 << 26
  /// The most bytes of one number that an attribute takes. 1,024 by default.
  public var numberBytes = 1 << 10
  /// The most errors that are reported before the import gives up. 20 by default. More than three that differ only in the place and
  /// the value are reported, and counted here, as one (``Diagnostic/count``); after 50 times as many of all kinds the import
  /// gives up as well.
  public var errors = 20
  /// The most elements that a payload may lose with ``ImportOptions/faultyElements``. 10,000 by default. If more contain a fault,
  /// the import fails.
  public var faultyElements = 10_000

  /// The default limits.
  public init() {}
}
