#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The verbs. Every way in comes in two forms: generic over the class of the objects, and by the entity's name; and in five
// shapes of payload. A text literal must mean JSON text and not a JSON string that identifies an object, so the overloads for
// dictionaries and bytes are disfavoured.

// MARK: - One object

/// Merges JSON text into the graph and gives the one object it stands for.
///
///     let batman: Hero = try object(fromJSON: #"{"id": "1699", "name": "Batman"}"#, in: context)
///
/// The payload is one object, or an identifier; the object is found by its identity, or inserted (I2).
///
/// - Parameters:
///   - type: the class of the object; most often it follows from what is done with the result.
///   - text: the payload.
///   - context: where the object is found or inserted.
///   - keyPath: where in the document the object stands: `data.item`.
///   - options: limits, and what to call the payload in messages.
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@discardableResult
public func object<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromJSON text: String, in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> Object {
  try Verbs(context).one(
    try Verbs(context, isSingle: true).rows(Object.entityName, text: text, keyPath, options), Object.entityName)
}

/// Merges JSON into the graph and gives the one object it stands for.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@discardableResult
public func object<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromJSON json: JSON, in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> Object {
  try Verbs(context).one(
    try Verbs(context, isSingle: true).rows(Object.entityName, json: json, keyPath, options), Object.entityName)
}

/// Merges JSON in UTF-8 into the graph and gives the one object it stands for.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@_disfavoredOverload @discardableResult
public func object<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromJSON data: Data, in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> Object {
  try Verbs(context).one(
    try Verbs(context, isSingle: true).rows(Object.entityName, data: data, keyPath, options), Object.entityName)
}

/// Merges JSON in UTF-8 into the graph and gives the one object it stands for.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@_disfavoredOverload @discardableResult
public func object<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromJSON bytes: [UInt8], in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> Object {
  try Verbs(context).one(
    try Verbs(context, isSingle: true).rows(Object.entityName, bytes: bytes, keyPath, options), Object.entityName)
}

/// Merges a dictionary, as JSONSerialization gives it, into the graph and gives the object it stands for.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@_disfavoredOverload @discardableResult
public func object<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromJSON dictionary: [String: Any], in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> Object {
  try Verbs(context).one(
    try Verbs(context, isSingle: true).rows(Object.entityName, foundation: dictionary, keyPath, options),
    Object.entityName)
}

/// Merges JSON text into the graph and gives the one object of an entity it stands for.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@discardableResult
public func object(
  ofEntity entityName: String, fromJSON text: String, in context: ManagedObjectContext, at keyPath: JSONKeyPath? = nil,
  options: ImportOptions = ImportOptions()
) throws(ImportError) -> ManagedObject {
  try Verbs(context).one(try Verbs(context, isSingle: true).rows(entityName, text: text, keyPath, options), entityName)
}

/// Merges JSON into the graph and gives the one object of an entity it stands for.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@discardableResult
public func object(
  ofEntity entityName: String, fromJSON json: JSON, in context: ManagedObjectContext, at keyPath: JSONKeyPath? = nil,
  options: ImportOptions = ImportOptions()
) throws(ImportError) -> ManagedObject {
  try Verbs(context).one(try Verbs(context, isSingle: true).rows(entityName, json: json, keyPath, options), entityName)
}

/// Merges JSON in UTF-8 into the graph and gives the one object of an entity it stands for.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@_disfavoredOverload @discardableResult
public func object(
  ofEntity entityName: String, fromJSON data: Data, in context: ManagedObjectContext, at keyPath: JSONKeyPath? = nil,
  options: ImportOptions = ImportOptions()
) throws(ImportError) -> ManagedObject {
  try Verbs(context).one(try Verbs(context, isSingle: true).rows(entityName, data: data, keyPath, options), entityName)
}

/// Merges JSON in UTF-8 into the graph and gives the one object of an entity it stands for.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@_disfavoredOverload @discardableResult
public func object(
  ofEntity entityName: String, fromJSON bytes: [UInt8], in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> ManagedObject {
  try Verbs(context).one(
    try Verbs(context, isSingle: true).rows(entityName, bytes: bytes, keyPath, options), entityName)
}

/// Merges a dictionary, as JSONSerialization gives it, into the graph and gives the object of an entity it stands for.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@_disfavoredOverload @discardableResult
public func object(
  ofEntity entityName: String, fromJSON dictionary: [String: Any], in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> ManagedObject {
  try Verbs(context).one(
    try Verbs(context, isSingle: true).rows(entityName, foundation: dictionary, keyPath, options), entityName)
}

// MARK: - Many objects

/// Merges JSON text into the graph and gives its objects in payload order, nulls passed over (I1).
///
///     let powers = try objects(Power.self, fromJSON: text, in: context, at: "data.powers")
///
/// The payload is an array of objects and identifiers, one object, or a collection of objects by their keys (M11). An object
/// that is mentioned twice stands twice.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@discardableResult
public func objects<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromJSON text: String, in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> [Object] {
  Verbs(context).all(try Verbs(context).rows(Object.entityName, text: text, keyPath, options))
}

/// Merges JSON into the graph and gives its objects in payload order.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@discardableResult
public func objects<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromJSON json: JSON, in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> [Object] {
  Verbs(context).all(try Verbs(context).rows(Object.entityName, json: json, keyPath, options))
}

/// Merges JSON in UTF-8 into the graph and gives its objects in payload order.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@_disfavoredOverload @discardableResult
public func objects<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromJSON data: Data, in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> [Object] {
  Verbs(context).all(try Verbs(context).rows(Object.entityName, data: data, keyPath, options))
}

/// Merges JSON in UTF-8 into the graph and gives its objects in payload order.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@_disfavoredOverload @discardableResult
public func objects<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromJSON bytes: [UInt8], in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> [Object] {
  Verbs(context).all(try Verbs(context).rows(Object.entityName, bytes: bytes, keyPath, options))
}

/// Merges dictionaries and identifiers, as JSONSerialization gives them, into the graph and gives their objects in order.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@_disfavoredOverload @discardableResult
public func objects<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromJSON array: [Any], in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> [Object] {
  Verbs(context).all(try Verbs(context).rows(Object.entityName, foundation: array, keyPath, options))
}

/// Merges a dictionary, as JSONSerialization gives it, into the graph: one object, a collection by keys, or what `at:` leads
/// to.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@_disfavoredOverload @discardableResult
public func objects<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromJSON dictionary: [String: Any], in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> [Object] {
  Verbs(context).all(try Verbs(context).rows(Object.entityName, foundation: dictionary, keyPath, options))
}

/// Merges JSON text into the graph and gives its objects of an entity in payload order.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@discardableResult
public func objects(
  ofEntity entityName: String, fromJSON text: String, in context: ManagedObjectContext, at keyPath: JSONKeyPath? = nil,
  options: ImportOptions = ImportOptions()
) throws(ImportError) -> [ManagedObject] {
  Verbs(context).all(try Verbs(context).rows(entityName, text: text, keyPath, options))
}

/// Merges JSON into the graph and gives its objects of an entity in payload order.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@discardableResult
public func objects(
  ofEntity entityName: String, fromJSON json: JSON, in context: ManagedObjectContext, at keyPath: JSONKeyPath? = nil,
  options: ImportOptions = ImportOptions()
) throws(ImportError) -> [ManagedObject] {
  Verbs(context).all(try Verbs(context).rows(entityName, json: json, keyPath, options))
}

/// Merges JSON in UTF-8 into the graph and gives its objects of an entity in payload order.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@_disfavoredOverload @discardableResult
public func objects(
  ofEntity entityName: String, fromJSON data: Data, in context: ManagedObjectContext, at keyPath: JSONKeyPath? = nil,
  options: ImportOptions = ImportOptions()
) throws(ImportError) -> [ManagedObject] {
  Verbs(context).all(try Verbs(context).rows(entityName, data: data, keyPath, options))
}

/// Merges JSON in UTF-8 into the graph and gives its objects of an entity in payload order.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@_disfavoredOverload @discardableResult
public func objects(
  ofEntity entityName: String, fromJSON bytes: [UInt8], in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> [ManagedObject] {
  Verbs(context).all(try Verbs(context).rows(entityName, bytes: bytes, keyPath, options))
}

/// Merges dictionaries and identifiers, as JSONSerialization gives them, into the graph and gives their objects in order.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@_disfavoredOverload @discardableResult
public func objects(
  ofEntity entityName: String, fromJSON array: [Any], in context: ManagedObjectContext, at keyPath: JSONKeyPath? = nil,
  options: ImportOptions = ImportOptions()
) throws(ImportError) -> [ManagedObject] {
  Verbs(context).all(try Verbs(context).rows(entityName, foundation: array, keyPath, options))
}

/// Merges a dictionary, as JSONSerialization gives it, into the graph: one object, a collection by keys, or what `at:` leads
/// to.
///
/// - Throws: an ``ImportError`` with everything that is wrong; the context is as it was then (I10).
@_disfavoredOverload @discardableResult
public func objects(
  ofEntity entityName: String, fromJSON dictionary: [String: Any], in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> [ManagedObject] {
  Verbs(context).all(try Verbs(context).rows(entityName, foundation: dictionary, keyPath, options))
}

// MARK: - Export

/// An object as a dictionary, as JSONSerialization would give it (E1).
///
///     let dictionary = try json(from: batman)
///
/// A variable of the same name hides the function in its own scope: `let json = try json(from: batman)` does not compile. Name
/// it otherwise, or write `Graft.json(from: batman)`.
///
/// - Throws: an ``ExportError`` if a limit is reached or a transformer fails.
public func json(from object: ManagedObject, options: ExportOptions = ExportOptions()) throws(ExportError) -> [String:
  Any]
{
  try Exporter.foundation(try jsonData(from: object, options: options)) as? [String: Any] ?? [:]
}

/// Objects as an array of dictionaries, as JSONSerialization would give it (E1).
///
/// - Throws: an ``ExportError`` if a limit is reached or a transformer fails.
public func json(from objects: [ManagedObject], options: ExportOptions = ExportOptions()) throws(ExportError) -> [Any] {
  let value = try Exporter.foundation(try jsonData(from: objects, options: options))
  return value as? [Any] ?? [value]
}

/// An object as JSON in UTF-8 (E1).
///
///     try jsonData(from: batman)
///
/// - Throws: an ``ExportError`` if a limit is reached or a transformer fails.
public func jsonData(from object: ManagedObject, options: ExportOptions = ExportOptions()) throws(ExportError) -> Data {
  try Exporter.data(of: object, options)
}

/// Objects as JSON in UTF-8: an array; or, where `@key` is the key path of an attribute of theirs, an object (M11).
///
/// - Throws: an ``ExportError`` if a limit is reached or a transformer fails.
public func jsonData(from objects: [ManagedObject], options: ExportOptions = ExportOptions()) throws(ExportError)
  -> Data
{
  try Exporter.data(of: objects, options)
}

/// What the verbs share.
private struct Verbs {
  let context: ManagedObjectContext
  let isSingle: Bool

  init(_ context: ManagedObjectContext, isSingle: Bool = false) {
    self.context = context
    self.isSingle = isSingle
  }

  struct Rows {
    var table: Int
    var rows: [UInt32]
  }

  private func run(
    _ name: String, _ bytes: UnsafeBufferPointer<UInt8>, _ path: JSONKeyPath?, _ options: ImportOptions,
    isText: Bool = true,
    faults: [ImportFault] = [], wholeText: (() -> [UInt8])? = nil
  ) throws(ImportError) -> Rows {
    let entity = try context.importedEntity(name)
    var source = PayloadSource(bytes, options)
    source.isText = isText
    source.faults = faults
    source.wholeText = wholeText
    let rows = try ImportRun(context: context, isSingle: isSingle).rows(
      source, [PlannedPart(entity: entity.index, keyPath: path)])
    return Rows(table: context.model.plan.layouts[entity.index].table, rows: rows)
  }

  func rows(_ name: String, text: String, _ path: JSONKeyPath?, _ options: ImportOptions) throws(ImportError) -> Rows {
    try Payload.withBytes(of: text) { bytes throws(ImportError) in try run(name, bytes, path, options) }
  }

  func rows(_ name: String, data: Data, _ path: JSONKeyPath?, _ options: ImportOptions) throws(ImportError) -> Rows {
    try Payload.withBytes(of: data) { bytes throws(ImportError) in try run(name, bytes, path, options) }
  }

  func rows(_ name: String, bytes: [UInt8], _ path: JSONKeyPath?, _ options: ImportOptions) throws(ImportError) -> Rows
  {
    try ImportRun.withBytes(bytes) { bytes throws(ImportError) in try run(name, bytes, path, options) }
  }

  func rows(_ name: String, json: JSON, _ path: JSONKeyPath?, _ options: ImportOptions) throws(ImportError) -> Rows {
    var bytes: [UInt8] = []
    JSONWriter().append(json, to: &bytes)
    return try ImportRun.withBytes(bytes) { bytes throws(ImportError) in
      try run(name, bytes, path, options, isText: false)
    }
  }

  func rows(
    _ name: String, foundation: Any, _ path: JSONKeyPath?, _ options: ImportOptions
  ) throws(ImportError) -> Rows {
    let entity = try context.importedEntity(name)
    let text = DictionaryPayload.text(of: foundation, entity, context.model.plan, at: path, options)
    return try ImportRun.withBytes(text.bytes) { bytes throws(ImportError) in
      try run(name, bytes, path, options, isText: false, faults: text.faults) { [plan = context.model.plan] in
        DictionaryPayload.wholeText(of: foundation, entity, plan, at: path)
      }
    }
  }

  func all<Object: ManagedObject>(_ rows: Rows) -> [Object] {
    rows.rows.map { context.object(rows.table, $0, as: Object.self) }
  }

  func one<Object: ManagedObject>(_ rows: Rows, _ entityName: String) throws(ImportError) -> Object {
    guard let row = rows.rows.first else {
      throw ImportError(code: "no-object", "expected an object of '\(entityName)' in the payload, found none")
    }
    return context.object(rows.table, row, as: Object.self)
  }
}
