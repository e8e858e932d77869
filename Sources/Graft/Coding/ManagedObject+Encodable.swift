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
      json = try LentBytes.with(Exporter.data(of: self, options)) { try JSONBuilder.json($0) }
    } catch {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "\(error)", underlyingError: error))
    }
    try json.encode(to: encoder)
  }
}
