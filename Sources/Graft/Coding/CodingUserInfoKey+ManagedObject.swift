extension CodingUserInfoKey {
  /// The context that managed objects are decoded into (C4).
  ///
  ///     let decoder = JSONDecoder()
  ///     decoder.userInfo[.managedObjectContext] = context
  ///
  /// A decoder that holds a context belongs to the isolation of the context.
  public static let managedObjectContext = CodingUserInfoKey("managedObjectContext")

  /// How payloads are read while objects are decoded: ``ImportOptions``. The default options, where there are none.
  public static let managedObjectImportOptions = CodingUserInfoKey("managedObjectImportOptions")

  /// How objects are written while they are encoded: ``ExportOptions``. The default options, where there are none.
  ///
  ///     encoder.userInfo[.managedObjectExportOptions] = ExportOptions(omitsNil: true)
  public static let managedObjectExportOptions = CodingUserInfoKey("managedObjectExportOptions")

  private init(_ name: StaticString) {
    // It is never nil; the protocol that the initializer comes from only allows for it.
    self.init(rawValue: "\(name)")!
  }
}

extension Dictionary where Key == CodingUserInfoKey, Value == any Sendable {
  /// The context in the `userInfo` of a decoder, whose values are `Sendable` by type, which a context is not (C3). Set here,
  /// it draws no warning: a decoder calls nobody but on the spot.
  ///
  ///     decoder.userInfo[.managedObjectContext] = context
  public subscript<Context: ManagedObjectContext>(key: CodingUserInfoKey) -> Context? {
    get { (self as [CodingUserInfoKey: Any])[key] as? Context }
    set {
      // `Sendable` is a marker: both existentials are one reference.
      let value: (any Sendable)? = newValue.map {
        unsafeBitCast($0 as AnyObject, to: (any AnyObject & Sendable).self)
      }
      self[key] = value
    }
  }
}

extension Decoder {
  /// The context in the decoder's `userInfo`, for what is decoded by hand.
  ///
  /// - Throws: a `DecodingError` that says how to set it, if there is none.
  public func managedObjectContext() throws -> ManagedObjectContext {
    if let context = userInfo[.managedObjectContext] as? ManagedObjectContext { return context }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription:
          "the decoder has no context to decode managed objects into: set 'decoder.userInfo[.managedObjectContext]'"))
  }
}
