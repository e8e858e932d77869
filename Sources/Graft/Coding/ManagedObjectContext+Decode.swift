#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ManagedObjectContext {
  /// Decodes a type that contains managed objects, as one transaction ([C4](doc:Rules#C4), [I10](doc:Rules#I10)).
  ///
  ///     struct Page: Decodable {
  ///       var heroes: [Hero]
  ///       var next: URL?
  ///     }
  ///     let page = try context.decode(Page.self, from: data)
  ///
  /// On success, the changes are committed, as after an import. If anything fails, the context is unchanged. The
  /// decoder's own strategies apply to everything except the managed objects.
  ///
  /// - Throws: a `DecodingError`. For managed objects, `DecodingError.importError` has the diagnostics. If the commit to a store fails, the
  ///   error is also a `DecodingError`, with the ``StoreError`` or ``ConflictError`` as its underlying error. If a setter refuses a value,
  ///   the error is a ``PropertyError``.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from data: Data, using decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    let outer = decoder.userInfo
    defer { decoder.userInfo = outer }
    decoder.userInfo[.managedObjectContext] = self
    return try decodingErrors { try decoder.decode(type, from: data) }
  }

  /// Decodes a type that contains managed objects from a property list, as one transaction ([C4](doc:Rules#C4),
  /// [I10](doc:Rules#I10)).
  ///
  /// - Throws: a `DecodingError`. For managed objects, `DecodingError.importError` has the diagnostics.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from data: Data, using decoder: PropertyListDecoder
  ) throws -> Value {
    let outer = decoder.userInfo
    defer { decoder.userInfo = outer }
    decoder.userInfo[.managedObjectContext] = self
    return try decodingErrors { try decoder.decode(type, from: data) }
  }

  /// Runs a closure that decodes managed objects. A failed commit is also thrown as a decoding error; a value that a setter refuses is
  /// thrown as an error of its own.
  private func decodingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try decoding(body) } catch let error as any DiagnosticError where !(error is PropertyError) {
      let cause: any Error = (error as? ValidationError).map { ImportError($0) } ?? error
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "\(error)", underlyingError: cause))
    }
  }

  /// Runs a closure that decodes managed objects with any kind of decoder, as one transaction. It is committed on success. If
  /// the closure throws, the context is unchanged ([I10](doc:Rules#I10)).
  ///
  ///     let page = try context.decoding {
  ///       try YAMLDecoder().decode(Page.self, from: text, userInfo: [.managedObjectContext: context])
  ///     }
  ///
  /// If a setter refuses a value in the closure, such as a number that an attribute cannot hold, it does not trap. The error is
  /// thrown at the end of the closure.
  ///
  /// - Throws: the closure's error, or the ``PropertyError`` of a refused value.
  public func decoding<Value>(_ body: () throws -> Value) throws -> Value {
    let value = try unit(isCommitted: true, body)
    commitUnlessNested()
    return value
  }
}
