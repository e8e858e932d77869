#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// MARK: - Import

/// Merges JSON into the graph and returns the one object that it describes or identifies.
///
///     let batman: Hero = try object(fromJSON: #"{"id": "1699", "name": "Batman"}"#, in: context)
///
/// The object is found by its identity, or inserted ([I2](doc:Rules#I2)). To import several objects, call
/// ``objects(_:fromJSON:in:at:options:)``.
///
/// - Parameters:
///   - type: the class of the object; usually inferred from the result.
///   - payload: text, bytes, a dictionary, ``JSON`` or a file URL (see ``JSONPayload``). It holds one object or one identifier.
///   - context: the context in which the object is found or inserted.
///   - keyPath: the key path under which the document holds the object, such as `data.item`.
///   - options: limits, and the name of the payload in messages.
/// - Throws: an ``ImportError`` with everything that is wrong, including a file that cannot be read. The context is then unchanged
///   ([I10](doc:Rules#I10)).
@discardableResult
public func object<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromJSON payload: some JSONPayload, in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> Object {
  try Verbs(context, isSingle: true).one(Object.entityName, payload, keyPath, options)
}

/// Merges JSON into the graph and returns the one object of an entity that it describes or identifies.
///
///     let batman = try object(ofEntity: "Hero", fromJSON: ["id": 1699, "name": "Batman"], in: context)
///
/// The parameters are the same as for ``object(_:fromJSON:in:at:options:)``.
///
/// - Throws: an ``ImportError`` with everything that is wrong, including an entity that the model does not have. The context is
///   then unchanged ([I10](doc:Rules#I10)).
@discardableResult
public func object(
  ofEntity entityName: String, fromJSON payload: some JSONPayload, in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> ManagedObject {
  try Verbs(context, isSingle: true).one(entityName, payload, keyPath, options)
}

/// Merges JSON into the graph and returns its objects in payload order, without nulls ([I1](doc:Rules#I1)).
///
///     let powers = try objects(Power.self, fromJSON: data, in: context, at: "data.powers")
///
/// The payload is an array of objects and identifiers, one object, or an object whose values are the elements
/// ([M11](doc:Rules#M11)). An object that is mentioned twice is returned twice.
///
/// - Parameters:
///   - type: the class of the objects; usually inferred from the result.
///   - payload: text, bytes, dictionaries, an array, ``JSON`` or a file URL (see ``JSONPayload``).
///   - context: the context in which the objects are found or inserted.
///   - keyPath: the key path under which the document holds the objects, such as `data.items`.
///   - options: limits, and the name of the payload in messages.
/// - Throws: an ``ImportError`` with everything that is wrong, including a file that cannot be read. The context is then unchanged
///   ([I10](doc:Rules#I10)).
@discardableResult
public func objects<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromJSON payload: some JSONPayload, in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> [Object] {
  try Verbs(context).all(Object.entityName, payload, keyPath, options)
}

/// Merges JSON into the graph and returns the objects of an entity in payload order, without nulls.
///
///     let heroes = try objects(ofEntity: "Hero", fromJSON: URL(filePath: "heroes.json"), in: context)
///
/// The parameters are the same as for ``objects(_:fromJSON:in:at:options:)``.
///
/// - Throws: an ``ImportError`` with everything that is wrong, including an entity that the model does not have. The context is
///   then unchanged ([I10](doc:Rules#I10)).
@discardableResult
public func objects(
  ofEntity entityName: String, fromJSON payload: some JSONPayload, in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> [ManagedObject] {
  try Verbs(context).all(entityName, payload, keyPath, options)
}

/// The import functions as methods.
extension ManagedObjectContext {
  /// Merges JSON into the graph and returns the one object that it describes or identifies.
  ///
  ///     let batman: Hero = try context.object(fromJSON: #"{"id": "1699", "name": "Batman"}"#)
  ///
  /// The same as ``object(_:fromJSON:in:at:options:)``.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong. The context is then unchanged ([I10](doc:Rules#I10)).
  @discardableResult
  public func object<Object: ManagedObject>(
    _ type: Object.Type = Object.self, fromJSON payload: some JSONPayload, at keyPath: JSONKeyPath? = nil,
    options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> Object {
    try Verbs(self, isSingle: true).one(Object.entityName, payload, keyPath, options)
  }

  /// Merges JSON into the graph and returns the one object of an entity that it describes or identifies.
  ///
  /// The same as ``object(ofEntity:fromJSON:in:at:options:)``.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong. The context is then unchanged ([I10](doc:Rules#I10)).
  @discardableResult
  public func object(
    ofEntity entityName: String, fromJSON payload: some JSONPayload, at keyPath: JSONKeyPath? = nil,
    options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> ManagedObject {
    try Verbs(self, isSingle: true).one(entityName, payload, keyPath, options)
  }

  /// Merges JSON into the graph and returns its objects in payload order, without nulls ([I1](doc:Rules#I1)).
  ///
  ///     let powers = try context.objects(Power.self, fromJSON: data, at: "data.powers")
  ///
  /// The same as ``objects(_:fromJSON:in:at:options:)``.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong. The context is then unchanged ([I10](doc:Rules#I10)).
  @discardableResult
  public func objects<Object: ManagedObject>(
    _ type: Object.Type = Object.self, fromJSON payload: some JSONPayload, at keyPath: JSONKeyPath? = nil,
    options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> [Object] {
    try Verbs(self).all(Object.entityName, payload, keyPath, options)
  }

  /// Merges JSON into the graph and returns the objects of an entity in payload order, without nulls.
  ///
  /// The same as ``objects(ofEntity:fromJSON:in:at:options:)``.
  ///
  /// - Throws: an ``ImportError`` with everything that is wrong. The context is then unchanged ([I10](doc:Rules#I10)).
  @discardableResult
  public func objects(
    ofEntity entityName: String, fromJSON payload: some JSONPayload, at keyPath: JSONKeyPath? = nil,
    options: ImportOptions = ImportOptions()
  ) throws(ImportError) -> [ManagedObject] {
    try Verbs(self).all(entityName, payload, keyPath, options)
  }
}

// MARK: - Export

/// Returns an object as a dictionary, in the form that JSONSerialization returns ([E1](doc:Rules#E1)).
///
///     let dictionary = try json(from: batman)
///
/// A variable of the same name hides the function in its own scope: `let json = try json(from: batman)` does not compile. Use
/// another name, or write `Graft.json(from: batman)`.
///
/// If a number of a `json` attribute cannot be represented exactly by a Foundation type, it becomes the nearest `Double`, or infinity.
/// ``jsonData(from:options:)-(ManagedObject,_)`` writes it unchanged. A Swift dictionary contains only the last of several keys that are
/// canonically equivalent, such as `é` in two normalizations; bytes contain them all.
///
/// - Throws: an ``ExportError`` if a limit is reached, a transformer fails, or the export is not a dictionary. A placeholder is exported as
///   its identifier, and an object with a `@value` ([M23](doc:Rules#M23)) can be exported as any value.
public func json(from object: ManagedObject, options: ExportOptions = ExportOptions()) throws(ExportError) -> [String:
  Any]
{
  let value = try Exporter.foundation(of: object, options)
  guard let dictionary = value as? [String: Any] else {
    throw Exporter.otherForm("the export of '\(object)' is not a dictionary")
  }
  return dictionary
}

/// Returns objects as an array of dictionaries, in the form that JSONSerialization returns ([E1](doc:Rules#E1)).
///
/// - Throws: an ``ExportError`` if a limit is reached, a transformer fails, or the export is not an array. A collection by keys is
///   exported as one dictionary ([M11](doc:Rules#M11)).
public func json(from objects: [ManagedObject], options: ExportOptions = ExportOptions()) throws(ExportError) -> [Any] {
  guard let array = try Exporter.foundation(of: objects, options) as? [Any] else {
    throw Exporter.otherForm("the export of a collection by keys is a dictionary, not an array")
  }
  return array
}

/// Returns an object as JSON in UTF-8 ([E1](doc:Rules#E1)).
///
///     try jsonData(from: batman)
///
/// - Throws: an ``ExportError`` if a limit is reached or a transformer fails.
public func jsonData(from object: ManagedObject, options: ExportOptions = ExportOptions()) throws(ExportError) -> Data {
  try Exporter.data(of: object, options)
}

/// Returns objects as JSON in UTF-8: as an array or, if `@key` is the key path of one of their attributes, as an object
/// ([M11](doc:Rules#M11)).
///
/// - Throws: an ``ExportError`` if a limit is reached or a transformer fails.
public func jsonData(from objects: [ManagedObject], options: ExportOptions = ExportOptions()) throws(ExportError)
  -> Data
{
  try Exporter.data(of: objects, options)
}

/// Returns an object as JSON text ([E1](doc:Rules#E1)).
///
///     print(try jsonString(from: batman, options: ExportOptions(indents: true)))
///
/// - Throws: an ``ExportError`` if a limit is reached or a transformer fails.
public func jsonString(from object: ManagedObject, options: ExportOptions = ExportOptions()) throws(ExportError)
  -> String
{
  String(decoding: try Exporter.data(of: object, options), as: UTF8.self)
}

/// Returns objects as JSON text, in the form of ``jsonData(from:options:)-([ManagedObject],_)``.
///
/// - Throws: an ``ExportError`` if a limit is reached or a transformer fails.
public func jsonString(
  from objects: [ManagedObject], options: ExportOptions = ExportOptions()
) throws(ExportError) -> String {
  String(decoding: try Exporter.data(of: objects, options), as: UTF8.self)
}

/// Writes objects as JSON to a file, in the form of ``jsonData(from:options:)-([ManagedObject],_)``, without holding the text in
/// memory.
///
///     try writeJSON(from: context.fetch(Hero.self), to: URL(filePath: "heroes.json"))
///
/// The file is replaced only when the export is complete, so it never contains part of an export. Until then, the text is in a file
/// next to it whose name ends in `-new`. With ``ExportOptions/rootsOnly``, the whole text is held in memory.
///
/// - Throws: an ``ExportError`` if a limit is reached, a transformer fails, or the file cannot be written. The file is then
///   unchanged.
public func writeJSON(from objects: [ManagedObject], to file: URL, options: ExportOptions = ExportOptions())
  throws(ExportError)
{
  try Exporter.write(objects, to: file, options)
}

/// Writes objects as JSON in pieces of about 64 KB, in the form of ``jsonData(from:options:)-([ManagedObject],_)``, without
/// holding the text in memory: for server responses, pipes, and compression.
///
///     try writeJSON(from: heroes) { piece in try handle.write(contentsOf: piece) }
///
/// Each piece except the last ends after an object of the array. With ``ExportOptions/rootsOnly``, there is only one piece.
///
/// - Parameters:
///   - objects: objects of one context, in the order of the array.
///   - options: limits, depth and what to omit.
///   - receive: a closure that is called with each piece. It must not use the context ([T5](doc:Rules#T5)).
/// - Throws: an ``ExportError`` if a limit is reached, a transformer fails or the closure throws; the closure's error is the
///   ``ExportError/underlyingError``. The pieces received so far are the beginning of a document.
public func writeJSON(
  from objects: [ManagedObject], options: ExportOptions = ExportOptions(), to receive: (Data) throws -> Void
) throws(ExportError) {
  try Exporter.write(objects, options, to: receive)
}

/// The implementation that the import functions share.
private struct Verbs {
  let context: ManagedObjectContext
  let run: ImportRun

  init(_ context: ManagedObjectContext, isSingle: Bool = false) {
    self.context = context
    run = ImportRun(context: context, isSingle: isSingle)
  }

  func all<Object: ManagedObject>(
    _ entityName: String, _ payload: some JSONPayload, _ path: JSONKeyPath?, _ options: ImportOptions
  ) throws(ImportError) -> [Object] {
    let entity = try context.importedEntity(entityName)
    context.requireClass(Object.self, entity)
    let parts = [PlannedPart(entity: entity.index, keyPath: path)]
    let table = context.model.plan.layouts[entity.index].table
    return try payload.payloadContent.withSource(parts, context.model.plan, options) { source throws(ImportError) in
      try run.rows(source, parts)
    }.map { context.object(table, $0, as: Object.self) }
  }

  func one<Object: ManagedObject>(
    _ entityName: String, _ payload: some JSONPayload, _ path: JSONKeyPath?, _ options: ImportOptions
  ) throws(ImportError) -> Object {
    let objects: [Object] = try all(entityName, payload, path, options)
    guard let object = objects.first else {
      throw ImportFinding.noObject(entityName).error()
    }
    return object
  }
}

extension ManagedObject {
  /// The same as the function ``jsonString(from:options:)-(ManagedObject,_)``. Inside a managed object class, that function could otherwise
  /// only be called with the name of the module, because a hint for other libraries has the same name.
  public func jsonString(
    from object: ManagedObject, options: ExportOptions = ExportOptions()
  ) throws(ExportError) -> String { try Graft.jsonString(from: object, options: options) }
}
