extension JSON: Codable {
  /// Reads any value. A decoder of numbers gives what it has: from `JSONDecoder` up to 38 digits, and members in the order of
  /// their keys' bytes.
  ///
  /// - Throws: a `DecodingError` for what JSON does not have.
  public init(from decoder: any Decoder) throws {
    var reader = DecoderReader<DecodedJSON>()
    self = try reader.read(decoder)
  }

  /// Writes the value. Numbers are written as the first type that holds them: `Int64`, `UInt64`, `Double`, `Decimal`.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws { try EncoderWriter.write(self, to: encoder) }
}

extension JSONNumber: Codable {
  /// Reads a number.
  ///
  /// - Throws: a `DecodingError` if the decoder holds something else.
  public init(from decoder: any Decoder) throws {
    guard case .number(let number) = try JSON(from: decoder) else {
      throw DecodingError.typeMismatch(
        JSONNumber.self, DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "expected a number"))
    }
    self = number
  }

  /// Writes the number as the first type that holds it: `Int64`, `UInt64`, `Double`, `Decimal`.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws { try JSON.number(self).encode(to: encoder) }
}

extension JSONObject: Codable {
  /// Reads an object; its members come in the order of their keys' bytes.
  ///
  /// - Throws: a `DecodingError` if the decoder holds something else.
  public init(from decoder: any Decoder) throws {
    guard case .object(let object) = try JSON(from: decoder) else {
      throw DecodingError.typeMismatch(
        JSONObject.self, DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "expected an object"))
    }
    self = object
  }

  /// Writes the members.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws { try JSON.object(self).encode(to: encoder) }
}
