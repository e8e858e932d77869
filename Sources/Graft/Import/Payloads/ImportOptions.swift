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

  /// What to call the payload in messages, most often a file name.
  public var sourceName: String
  /// What to do about keys that the model does not map.
  public var unknownKeys: UnknownKeys
  /// Whether the report says what happened to which object, with old and new values, and not only to how many (I12). That costs
  /// time and memory for each object that is new or changed.
  public var reportsDetails: Bool
  /// How much a payload may ask for.
  public var limits: ImportLimits

  /// What messages call these options.
  package var words = OptionWords.library

  /// The default options, but for those that are given.
  public init(
    sourceName: String = "<payload>", unknownKeys: UnknownKeys = .ignore, reportsDetails: Bool = false,
    limits: ImportLimits = ImportLimits()
  ) {
    self.sourceName = sourceName
    self.unknownKeys = unknownKeys
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

  /// The default limits.
  public init() {}
}
