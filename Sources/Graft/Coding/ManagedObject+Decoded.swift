#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ManagedObject {
  /// Decodes a plain value from the object, in the shape of its export ([C4](doc:Rules#C4)).
  ///
  ///     struct HeroRow: Decodable {
  ///       var id: String
  ///       var name: String
  ///       var publisher: PublisherRow?
  ///     }
  ///     let row = try hero.decoded(as: HeroRow.self)
  ///
  /// Keys and structure are the same as in the export. An object that is already being written at an outer level is represented by its
  /// identifier ([E2](doc:Rules#E2)).
  ///
  /// Each value is decoded from its stored form. If the type does not accept it, the value is decoded from the form that its
  /// transformer writes. An identifier that is a string in JSON can therefore be an `Int` or a `String`, and a date can be a `Date`
  /// regardless of its form in JSON. This lets one type serve payloads and objects. The cost is one export and one decoding.
  ///
  /// - Parameters:
  ///   - type: the type of the result.
  ///   - options: what is exported, and to what depth.
  ///   - decoder: a decoder that reads the export instead, with its own strategies. It reads only JSON, not stored values.
  /// - Throws: an ``ExportError``, or a `DecodingError` if the type accepts neither form.
  public func decoded<Value: Decodable>(
    as type: Value.Type = Value.self, options: ExportOptions = ExportOptions(), using decoder: JSONDecoder? = nil
  ) throws -> Value {
    guard let decoder else { return try ExportDecoder.decode(type, self, options) }
    return try decoder.decode(type, from: Exporter.data(of: self, options))
  }
}
