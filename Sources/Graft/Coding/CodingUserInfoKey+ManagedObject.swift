extension CodingUserInfoKey {
  /// The context that managed objects are decoded into ([C4](doc:Rules#C4)).
  ///
  ///     let decoder = JSONDecoder()
  ///     decoder.userInfo[.managedObjectContext] = context
  ///
  /// A decoder that holds a context belongs to the isolation of that context.
  public static let managedObjectContext = CodingUserInfoKey("managedObjectContext")

  /// The ``ImportOptions`` for decoding objects. If absent, the default options apply.
  public static let managedObjectImportOptions = CodingUserInfoKey("managedObjectImportOptions")

  /// The ``ExportOptions`` for encoding objects. If absent, the default options apply.
  ///
  ///     encoder.userInfo[.managedObjectExportOptions] = ExportOptions(omitsNil: true)
  public static let managedObjectExportOptions = CodingUserInfoKey("managedObjectExportOptions")

  private init(_ name: StaticString) {
    // The initializer never returns nil, although the protocol's initializer is failable.
    self.init(rawValue: "\(name)")!
  }
}

extension Dictionary where Key == CodingUserInfoKey, Value == any Sendable {
  /// The context in the `userInfo` of a decoder. Values in a `userInfo` must be `Sendable`. A context is not, so this subscript sets it
  /// without a warning. This is safe because a decoder calls the program's code only synchronously.
  ///
  ///     decoder.userInfo[.managedObjectContext] = context
  public subscript<Context: ManagedObjectContext>(key: CodingUserInfoKey) -> Context? {
    get { (self as [CodingUserInfoKey: Any])[key] as? Context }
    set {
      // `Sendable` is a marker protocol, so both existentials are a single reference.
      let value: (any Sendable)? = newValue.map {
        unsafeBitCast($0 as AnyObject, to: (any AnyObject & Sendable).self)
      }
      self[key] = value
    }
  }
}

extension Decoder {
  /// Returns the context in the decoder's `userInfo`, for handwritten decoding.
  ///
  /// - Throws: a `DecodingError` that explains how to set the context, if there is none.
  public func managedObjectContext() throws -> ManagedObjectContext {
    if let context = userInfo[.managedObjectContext] as? ManagedObjectContext { return context }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription:
          "the decoder has no context to decode managed objects into: set 'decoder.userInfo[.managedObjectContext]'"))
  }
}
