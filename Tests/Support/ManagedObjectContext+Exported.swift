package import Graft

extension ManagedObjectContext {
  /// Exports the objects that a program selects, as JSON text.
  package func exported(_ selection: ObjectSelection, of entityName: String, options: ExportOptions) throws -> String {
    var bytes: [UInt8] = []
    try export(selection, of: entityName, options: options) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}
