#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ManagedObject {
  /// The object as a plain value: what decoding its export gives (C4).
  ///
  ///     struct HeroRow: Decodable {
  ///       var id: String
  ///       var name: String
  ///       var publisher: PublisherRow?
  ///     }
  ///     let row = try hero.decoded(as: HeroRow.self)
  ///
  /// Keys and forms are those of JSON, so that one type serves payloads and objects: a value is what its transformer makes of
  /// it on export, and an object that is already being written further up is an identifier (E2). Dates are read from RFC 3339
  /// text; where they have another form, hand over a decoder that reads it. Costs an export and a decoding.
  ///
  /// - Throws: an ``ExportError``, or a `DecodingError` if the export has not what the type asks for.
  public func decoded<Value: Decodable>(
    as type: Value.Type = Value.self, options: ExportOptions = ExportOptions(), using decoder: JSONDecoder? = nil
  ) throws -> Value {
    try (decoder ?? .ofExports).decode(type, from: Exporter.data(of: self, options))
  }
}

extension JSONDecoder {
  /// Reads dates in the form that exports have.
  fileprivate static var ofExports: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      var text = try decoder.singleValueContainer().decode(String.self)
      if let microseconds = text.withUTF8({ DateText.microseconds($0) }) {
        return Date(microsecondsSince1970: microseconds)
      }
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "expected a date as RFC 3339 has it, found \(FoundPhrase.string(text.utf8))"))
    }
    return decoder
  }
}
