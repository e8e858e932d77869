#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Payloads in files. Messages name the file, as compilers do: `heroes.json:7:15: error: ...`.

/// Merges a JSON file into the graph and gives the one object it stands for.
///
///     let batman: Hero = try object(fromJSONFile: url, in: context)
///
/// - Parameters:
///   - type: the class of the object; most often it follows from what is done with the result.
///   - url: the file. It is read as a whole.
///   - context: where the object is found or inserted.
///   - keyPath: where in the document the object stands: `data.item`.
///   - options: limits, and what to call the file in messages, if not by its path.
/// - Throws: an ``ImportError`` with everything that is wrong, also if the file cannot be read; the context is as it was then
///   (I10).
@discardableResult
public func object<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromJSONFile url: URL, in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> Object {
  let file = try PayloadFile(url, options)
  return try object(type, fromJSON: file.data, in: context, at: keyPath, options: file.options)
}

/// Merges a JSON file into the graph and gives the one object of an entity it stands for.
///
/// - Throws: an ``ImportError`` with everything that is wrong, also if the file cannot be read; the context is as it was then
///   (I10).
@discardableResult
public func object(
  ofEntity entityName: String, fromJSONFile url: URL, in context: ManagedObjectContext, at keyPath: JSONKeyPath? = nil,
  options: ImportOptions = ImportOptions()
) throws(ImportError) -> ManagedObject {
  let file = try PayloadFile(url, options)
  return try object(ofEntity: entityName, fromJSON: file.data, in: context, at: keyPath, options: file.options)
}

/// Merges a JSON file into the graph and gives its objects in payload order, nulls passed over (I1).
///
///     let heroes = try objects(Hero.self, fromJSONFile: url, in: context, at: "data.heroes")
///
/// - Parameters:
///   - type: the class of the objects.
///   - url: the file. It is read as a whole.
///   - context: where the objects are found or inserted.
///   - keyPath: where in the document the objects stand.
///   - options: limits, and what to call the file in messages, if not by its path.
/// - Throws: an ``ImportError`` with everything that is wrong, also if the file cannot be read; the context is as it was then
///   (I10).
@discardableResult
public func objects<Object: ManagedObject>(
  _ type: Object.Type = Object.self, fromJSONFile url: URL, in context: ManagedObjectContext,
  at keyPath: JSONKeyPath? = nil, options: ImportOptions = ImportOptions()
) throws(ImportError) -> [Object] {
  let file = try PayloadFile(url, options)
  return try objects(type, fromJSON: file.data, in: context, at: keyPath, options: file.options)
}

/// Merges a JSON file into the graph and gives its objects of an entity in payload order.
///
/// - Throws: an ``ImportError`` with everything that is wrong, also if the file cannot be read; the context is as it was then
///   (I10).
@discardableResult
public func objects(
  ofEntity entityName: String, fromJSONFile url: URL, in context: ManagedObjectContext, at keyPath: JSONKeyPath? = nil,
  options: ImportOptions = ImportOptions()
) throws(ImportError) -> [ManagedObject] {
  let file = try PayloadFile(url, options)
  return try objects(ofEntity: entityName, fromJSON: file.data, in: context, at: keyPath, options: file.options)
}

/// A payload in a file, read.
private struct PayloadFile {
  let data: Data
  var options: ImportOptions

  init(_ url: URL, _ options: ImportOptions) throws(ImportError) {
    self.options = options
    if options.sourceName == ImportOptions().sourceName { self.options.sourceName = url.relativePath }
    data = try PayloadFile.read(url, name: self.options.sourceName, limit: options.limits.bytes)
  }

  private static func read(_ url: URL, name: String, limit: Int) throws(ImportError) -> Data {
    guard url.isFileURL else {
      throw ImportError(code: "unreadable-file", "'\(url.absoluteString)' is no file: fetch it, and import the bytes")
    }
    let size: Int
    let data: Data
    do {
      size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
      // A limit is checked before the memory is taken (I15).
      data = size > limit ? Data() : try Data(contentsOf: url)
    } catch {
      throw ImportError(
        code: "unreadable-file", "the payload file '\(name)' cannot be read: \(FileFault.reason(error))")
    }
    guard size <= limit else {
      throw ImportError(
        code: "limit-bytes",
        "the payload file '\(name)' has \(size) bytes, more than the limit 'bytes' of \(limit) allows")
    }
    return data
  }
}
