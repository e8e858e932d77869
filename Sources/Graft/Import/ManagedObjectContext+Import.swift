#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ManagedObjectContext {
  // As with the verbs, a literal means text or JSON.

  /// Merges JSON text and says what that did. No handles are made: the fastest way in.
  ///
  ///     let report = try context.importJSON(text, into: "Hero")
  ///
  /// When it succeeds, it is permanent, and so is what was changed by hand before it, which is not validated: commit that first, with
  /// ``commit()``.
  ///
  /// - Parameters:
  ///   - text: one object, an array of objects and identifiers, or a collection of objects by their keys.
  ///   - entityName: the entity of the payload's objects.
  ///   - keyPath: where in the document they stand.
  ///   - options: limits, and what to call the payload in messages.
  /// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
  @discardableResult
  public func importJSON(
    _ text: String, into entityName: String, at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    try importJSON(text, [.entity(entityName, at: keyPath)], options: options)
  }

  /// Merges JSON and says what that did.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
  @discardableResult
  public func importJSON(
    _ json: JSON, into entityName: String, at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    try importJSON(json, [.entity(entityName, at: keyPath)], options: options)
  }

  /// Merges JSON in UTF-8 and says what that did.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
  @_disfavoredOverload @discardableResult
  public func importJSON(
    _ data: Data, into entityName: String, at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    try importJSON(data, [.entity(entityName, at: keyPath)], options: options)
  }

  /// Merges JSON in UTF-8 and says what that did.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
  @_disfavoredOverload @discardableResult
  public func importJSON(
    _ bytes: [UInt8], into entityName: String, at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    try importJSON(bytes, [.entity(entityName, at: keyPath)], options: options)
  }

  /// Merges dictionaries and identifiers, as JSONSerialization gives them, and says what that did.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
  @_disfavoredOverload @discardableResult
  public func importJSON(
    _ array: [Any], into entityName: String, at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    try importFoundation(array, into: entityName, at: keyPath, options)
  }

  /// Merges a dictionary, as JSONSerialization gives it, and says what that did.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
  @_disfavoredOverload @discardableResult
  public func importJSON(
    _ dictionary: [String: Any], into entityName: String, at keyPath: JSONKeyPath? = nil,
    options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    try importFoundation(dictionary, into: entityName, at: keyPath, options)
  }

  // MARK: Several entities of one document

  /// Merges the objects of several entities that one document holds, all or nothing, and says what that did.
  ///
  ///     try context.importJSON(text, [.entity("Hero", at: "heroes"), .entity("Power", at: "powers")])
  ///
  /// The parts are read in their order; what is known, and what is valid, is asked at the end of all of them (D1, I9). The document
  /// is read once for each part: a part passes over what belongs to the others.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
  @discardableResult
  public func importJSON(
    _ text: String, _ parts: [ImportPart], options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    let parts = try planned(parts)
    return try Payload.withBytes(of: text) { bytes throws(ImportError) in
      try ImportRun(context: self).report(PayloadSource(bytes, options), parts)
    }
  }

  /// Merges the objects of several entities that one document holds, all or nothing, and says what that did.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
  @discardableResult
  public func importJSON(
    _ json: JSON, _ parts: [ImportPart], options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    let parts = try planned(parts)
    var bytes: [UInt8] = []
    JSONWriter().append(json, to: &bytes)
    return try ImportRun.withBytes(bytes) { bytes throws(ImportError) in
      var source = PayloadSource(bytes, options)
      source.isText = false
      return try ImportRun(context: self).report(source, parts)
    }
  }

  /// Merges the objects of several entities that one document in UTF-8 holds, all or nothing, and says what that did.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
  @_disfavoredOverload @discardableResult
  public func importJSON(
    _ data: Data, _ parts: [ImportPart], options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    let parts = try planned(parts)
    return try Payload.withBytes(of: data) { bytes throws(ImportError) in
      try ImportRun(context: self).report(PayloadSource(bytes, options), parts)
    }
  }

  /// Merges the objects of several entities that one document in UTF-8 holds, all or nothing, and says what that did.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
  @_disfavoredOverload @discardableResult
  public func importJSON(
    _ bytes: [UInt8], _ parts: [ImportPart], options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ImportReport {
    let parts = try planned(parts)
    return try ImportRun.withBytes(bytes) { bytes throws(ImportError) in
      try ImportRun(context: self).report(PayloadSource(bytes, options), parts)
    }
  }

  private func importFoundation(
    _ payload: Any, into entityName: String, at keyPath: JSONKeyPath?, _ options: ImportOptions
  ) throws(ImportError) -> ImportReport {
    let entity = try importedEntity(entityName)
    let text = DictionaryPayload.text(of: payload, entity, model.plan, at: keyPath, options)
    return try ImportRun.withBytes(text.bytes) { bytes throws(ImportError) in
      var source = PayloadSource(bytes, options)
      source.isText = false
      source.faults = text.faults
      return try ImportRun(context: self).report(source, [PlannedPart(entity: entity.index, keyPath: keyPath)])
    }
  }

  /// Merges several payloads as one: their order does not decide what is known, and if any fails, none is imported.
  package func importPayloads(_ payloads: [ImportPayload]) throws(ImportError) -> ImportReport {
    try ImportRun(context: self).run(payloads)
  }

  private func planned(_ parts: [ImportPart]) throws(ImportError) -> [PlannedPart] {
    var planned: [PlannedPart] = []
    for part in parts {
      let entity = try importedEntity(part.entityName)
      var plan = PlannedPart(entity: entity.index, keyPath: part.keyPath, isRequired: part.isRequired)
      switch part.missing {
      case .keep: break
      case .delete: plan.isDoomed = { _, _ in true }
      case .deleteWhere(let isDoomed): plan.isDoomed = { isDoomed(self.object($0, $1)) }
      }
      planned.append(plan)
    }
    return planned
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
