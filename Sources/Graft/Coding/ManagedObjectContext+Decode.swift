#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ManagedObjectContext {
  /// Decodes a type that holds managed objects, all or nothing (C4, I10).
  ///
  ///     struct Page: Decodable {
  ///       var heroes: [Hero]
  ///       var next: URL?
  ///     }
  ///     let page = try context.decode(Page.self, from: data)
  ///
  /// When it succeeds the changes are committed, as those of an import are; when anything in it fails, the context is as it
  /// was. The decoder's own strategies hold for all but the managed objects.
  ///
  /// - Throws: a `DecodingError`; for managed objects `DecodingError.importError` holds the diagnostics.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from data: Data, using decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    let outer = decoder.userInfo
    defer { decoder.userInfo = outer }
    decoder.userInfo[.managedObjectContext] = self
    return try decoding { try decoder.decode(type, from: data) }
  }

  /// Decodes a type that holds managed objects from a property list, all or nothing (C4, I10).
  ///
  /// - Throws: a `DecodingError`; for managed objects `DecodingError.importError` holds the diagnostics.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from data: Data, using decoder: PropertyListDecoder
  ) throws -> Value {
    let outer = decoder.userInfo
    defer { decoder.userInfo = outer }
    decoder.userInfo[.managedObjectContext] = self
    return try decoding { try decoder.decode(type, from: data) }
  }

  /// Runs what decodes managed objects with a decoder of any kind as one unit: it is committed when it succeeds, and when it
  /// throws, the context is as it was (I10).
  ///
  ///     let page = try context.decoding {
  ///       try YAMLDecoder().decode(Page.self, from: text, userInfo: [.managedObjectContext: context])
  ///     }
  ///
  /// What a setter refuses in it, such as a number that an attribute cannot hold, is thrown at its end and does not stop the
  /// program.
  ///
  /// - Throws: what the closure throws, or a ``PropertyError`` that says what a setter refused.
  public func decoding<Value>(_ body: () throws -> Value) throws -> Value {
    let value = try unit(body)
    commitUnlessNested()
    return value
  }
}
