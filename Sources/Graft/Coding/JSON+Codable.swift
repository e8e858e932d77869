extension JSON: Codable {
  /// Decodes any value. The precision of numbers depends on the decoder; `JSONDecoder` preserves up to 38 digits. Members
  /// are sorted by the bytes of their keys.
  ///
  /// - Throws: a `DecodingError` if the decoder contains a value that JSON cannot represent.
  public init(from decoder: any Decoder) throws {
    var reader = DecoderReader<DecodedJSON>()
    self = try reader.read(decoder)
  }

  /// Encodes the value. Numbers are encoded as the first of these types that holds them: `Int64`, `UInt64`, `Double`,
  /// `Decimal`.
  ///
  /// - Throws: any error that the encoder throws.
  public func encode(to encoder: any Encoder) throws { try EncoderWriter.write(self, to: encoder) }
}

extension JSONNumber: Codable {
  /// Decodes a number.
  ///
  /// - Throws: a `DecodingError` if the decoder does not contain a number.
  public init(from decoder: any Decoder) throws {
    guard case .number(let number) = try JSON(from: decoder) else {
      throw DecodingError.typeMismatch(
        JSONNumber.self, DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "expected a number"))
    }
    self = number
  }

  /// Encodes the number as the first of these types that holds it: `Int64`, `UInt64`, `Double`, `Decimal`.
  ///
  /// - Throws: any error that the encoder throws.
  public func encode(to encoder: any Encoder) throws { try JSON.number(self).encode(to: encoder) }
}

extension JSONObject: Codable {
  /// Decodes an object. Its members are sorted by the bytes of their keys.
  ///
  /// - Throws: a `DecodingError` if the decoder does not contain an object.
  public init(from decoder: any Decoder) throws {
    guard case .object(let object) = try JSON(from: decoder) else {
      throw DecodingError.typeMismatch(
        JSONObject.self, DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "expected an object"))
    }
    self = object
  }

  /// Encodes the members.
  ///
  /// - Throws: any error that the encoder throws.
  public func encode(to encoder: any Encoder) throws { try JSON.object(self).encode(to: encoder) }
}
