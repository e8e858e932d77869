#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Exports dictionaries and arrays, which are built from the text of an export. In this text, most attributes are represented by the
/// positions of their values:
///
///     {"name":0,"powers":[{"name":0}]}      and, separately,  "Batman", "Rich"
extension Exporter {
  static func foundation(of object: ManagedObject, _ options: ExportOptions) throws(ExportError) -> Any {
    var exporter = try Exporter(object.context, options)
    defer { exporter.free() }
    exporter.keepValues()
    try exporter.write(object)
    return try exporter.foundation()
  }

  /// The error for an export whose form is not the form that its function returns.
  static func otherForm(_ words: String) -> ExportError {
    ExportError(
      code: .otherForm, "\(words): write it with 'jsonData(from:)', and read that with 'JSONSerialization'")
  }

  static func foundation(of objects: [ManagedObject], _ options: ExportOptions) throws(ExportError) -> Any {
    var options = options
    options.writesLines = false
    guard let context = objects.first?.context, !options.rootsOnly else {
      return try foundation(try data(of: objects, options), ReadyValues())
    }
    try check(objects)
    let places = objects.map { (table: $0.table, row: $0.number) }
    var exporter = try Exporter(context, options)
    defer { exporter.free() }
    exporter.keepValues()
    try exporter.write(
      places, as: commonEntity(places, in: context), isKeyed: true, mayRepeat: true, isReadAsEntity: false)
    return try exporter.foundation()
  }

  /// Keeps values instead of writing them, unless their text is needed to check its length, or because other objects read it (M19).
  private mutating func keepValues() {
    if source.options.maxBytes == nil, !source.plan.features.hasSurroundingPaths { output.beginKeepingValues() }
  }

  private mutating func foundation() throws(ExportError) -> Any {
    let ready = output.takeValues()
    return try Exporter.foundation(output.takeData(), ready)
  }

  private static func foundation(_ data: Data, _ ready: consuming ReadyValues<Any>) throws(ExportError) -> Any {
    do {
      return try LentBytes.with(data) { bytes in
        try JSONBuilder.whole(bytes, maxDepth: 8192, FoundationTree.self, ready: ready)
      }
    } catch {
      throw ExportError(code: .invalidExport, "a reverse transformer returned invalid JSON: \(error)")
    }
  }
}
