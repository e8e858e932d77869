#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ManagedObject {
  /// The object as a plain value, in the shape of its export (C4).
  ///
  ///     struct HeroRow: Decodable {
  ///       var id: String
  ///       var name: String
  ///       var publisher: PublisherRow?
  ///     }
  ///     let row = try hero.decoded(as: HeroRow.self)
  ///
  /// Keys and structure are those of the export, and an object that is already being written further up is an identifier (E2).
  /// Each value is offered as it is stored, and if the type does not take that, in the form that its transformer writes: an
  /// identifier that JSON has as text is an `Int` or a `String`, whichever the type declares, and a date is a `Date` whatever
  /// JSON has in its place. So one type serves payloads and objects. Costs an export and a decoding.
  ///
  /// - Parameter decoder: reads the export in place of this, by its own strategies. It gets JSON, and nothing that is stored.
  /// - Throws: an ``ExportError``, or a `DecodingError` if the type accepts neither form.
  public func decoded<Value: Decodable>(
    as type: Value.Type = Value.self, options: ExportOptions = ExportOptions(), using decoder: JSONDecoder? = nil
  ) throws -> Value {
    guard let decoder else { return try ExportDecoder.decode(type, self, options) }
    return try decoder.decode(type, from: Exporter.data(of: self, options))
  }
}
