#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ManagedObject {
  /// Encodes the object as an export writes it.
  func encodeExport(to encoder: any Encoder) throws {
    let options = encoder.userInfo[.managedObjectExportOptions] as? ExportOptions ?? ExportOptions()
    let json: JSON
    do {
      json = try exportedJSON(options)
    } catch {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "\(error)", underlyingError: error))
    }
    try json.encode(to: encoder)
  }

  /// Returns the export as JSON. A placeholder is exported as its identifier: a nested value need not be an object, and
  /// importing it changes nothing (E4).
  private func exportedJSON(_ options: ExportOptions) throws -> JSON {
    func read(_ data: Data) throws -> JSON {
      try LentBytes.with(data) { try JSONBuilder.json($0) }
    }
    if isPlaceholder, let identifier = try read(Exporter.data(of: [self], options))[0] { return identifier }
    return try read(Exporter.data(of: self, options))
  }
}
