#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ManagedObjectContext {
  /// Merges a payload and says what that did. No handles are made: the fastest way in.
  ///
  ///     let report = try context.importJSON(data, into: "Hero")
  ///
  /// - Parameters:
  ///   - data: JSON in UTF-8.
  ///   - entityName: the entity of the payload's objects.
  ///   - keyPath: where in the document they stand.
  /// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
  @discardableResult
  public func importJSON(
    _ data: Data, into entityName: String, at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    let entity = try importedEntity(entityName)
    return try Payload.withBytes(of: data) { bytes throws(ImportError) in
      try ImportRun(context: self).report(bytes, into: entity, at: keyPath, options, isText: true)
    }
  }

  /// Merges a payload of UTF-8 bytes and says what that did.
  @discardableResult
  public func importJSON(
    _ bytes: [UInt8], into entityName: String, at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    let entity = try importedEntity(entityName)
    return try ImportRun.withBytes(bytes) { bytes throws(ImportError) in
      try ImportRun(context: self).report(bytes, into: entity, at: keyPath, options, isText: true)
    }
  }

  /// Merges a payload of dictionaries, as JSONSerialization gives them, and says what that did.
  @discardableResult
  public func importJSON(
    _ dictionaries: [Any], into entityName: String, at keyPath: JSONKeyPath? = nil,
    options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    let entity = try importedEntity(entityName)
    let text = DictionaryPayload.text(of: dictionaries, entity, model.plan, at: keyPath, options)
    return try ImportRun.withBytes(text.bytes) { bytes throws(ImportError) in
      try ImportRun(context: self).report(bytes, into: entity, at: keyPath, options, isText: false, faults: text.faults)
    }
  }

  /// Merges several payloads as one unit: when one fails, nothing of any is kept.
  package func importPayloads(_ payloads: [ImportPayload]) throws(ImportError) -> ImportReport {
    try ImportRun(context: self).run(payloads)
  }

  func importedEntity(_ name: String) throws(ImportError) -> EntityPlan {
    guard let entity = model.plan.entity(named: name) else {
      throw ImportError(
        code: "unknown-entity", "the model has no entity '\(name)'",
        suggestion: Suggestion.nearest(to: name, among: model.plan.entities.map(\.name)))
    }
    return entity
  }
}

/// Borrows the bytes of the forms that a payload comes in.
enum Payload {
  static func withBytes<Result>(
    of data: Data, _ body: (UnsafeBufferPointer<UInt8>) throws(ImportError) -> Result
  ) throws(ImportError) -> Result {
    var result: Swift.Result<Result, ImportError>?
    data.withUnsafeBytes { raw in
      let bytes = raw.bindMemory(to: UInt8.self)
      do throws(ImportError) {
        result = .success(try body(bytes))
      } catch {
        result = .failure(error)
      }
    }
    return try result.unsafelyUnwrapped.get()
  }

  static func withBytes<Result>(
    of text: String, _ body: (UnsafeBufferPointer<UInt8>) throws(ImportError) -> Result
  ) throws(ImportError) -> Result {
    var text = text
    var result: Swift.Result<Result, ImportError>?
    text.withUTF8 { bytes in
      do throws(ImportError) {
        result = .success(try body(bytes))
      } catch {
        result = .failure(error)
      }
    }
    return try result.unsafelyUnwrapped.get()
  }
}
