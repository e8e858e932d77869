/// Writes a JSON value into any encoder, without recursion: `frames` holds the open containers.
struct EncoderWriter {
  private enum Frame {
    case array(any UnkeyedEncodingContainer, IndexingIterator<[JSON]>)
    case object(KeyedEncodingContainer<DecodedKey>, IndexingIterator<[JSONObject.Member]>)
  }

  static func write(_ value: JSON, to encoder: any Encoder) throws {
    var frames: [Frame] = []
    var root = EncodedRoot(encoder: encoder)
    if let frame = try write(value, at: &root) { frames.append(frame) }
    while let top = frames.popLast() {
      switch top {
      case .array(let container, var elements):
        guard let element = elements.next() else { continue }
        var place = EncodedElement(container: container)
        let inner = try write(element, at: &place)
        frames.append(.array(place.container, elements))
        if let inner { frames.append(inner) }
      case .object(let container, var members):
        guard let member = members.next() else { continue }
        var place = EncodedMember(container: container, key: DecodedKey(stringValue: member.key))
        let inner = try write(member.value, at: &place)
        frames.append(.object(place.container, members))
        if let inner { frames.append(inner) }
      }
    }
  }

  /// Writes a scalar, or opens an array or object.
  private static func write(_ value: JSON, at place: inout some EncodedPlace) throws -> Frame? {
    switch value {
    case .null: try place.encodeNull()
    case .boolean(let value): try place.encode(value)
    case .string(let value): try place.encode(value)
    case .number(let number):
      switch number.foundationValue {
      case let value as Int: try place.encode(value)
      case let value as UInt64: try place.encode(value)
      case let value as any Encodable: try place.encode(value)
      default: break
      }
    case .array(let elements): return .array(place.array(), elements.makeIterator())
    case .object(let object): return .object(place.object(), object.members.makeIterator())
    }
    return nil
  }
}

/// A location in an encoder that takes one value: the root, a member or an element.
private protocol EncodedPlace {
  mutating func encodeNull() throws
  mutating func encode(_ value: some Encodable) throws
  mutating func array() -> any UnkeyedEncodingContainer
  mutating func object() -> KeyedEncodingContainer<DecodedKey>
}

private struct EncodedRoot: EncodedPlace {
  let encoder: any Encoder
  func encodeNull() throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
  func encode(_ value: some Encodable) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
  func array() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
  func object() -> KeyedEncodingContainer<DecodedKey> { encoder.container(keyedBy: DecodedKey.self) }
}

private struct EncodedElement: EncodedPlace {
  var container: any UnkeyedEncodingContainer
  mutating func encodeNull() throws { try container.encodeNil() }
  mutating func encode(_ value: some Encodable) throws { try container.encode(value) }
  mutating func array() -> any UnkeyedEncodingContainer { container.nestedUnkeyedContainer() }
  mutating func object() -> KeyedEncodingContainer<DecodedKey> {
    container.nestedContainer(keyedBy: DecodedKey.self)
  }
}

private struct EncodedMember: EncodedPlace {
  var container: KeyedEncodingContainer<DecodedKey>
  let key: DecodedKey
  mutating func encodeNull() throws { try container.encodeNil(forKey: key) }
  mutating func encode(_ value: some Encodable) throws { try container.encode(value, forKey: key) }
  mutating func array() -> any UnkeyedEncodingContainer { container.nestedUnkeyedContainer(forKey: key) }
  mutating func object() -> KeyedEncodingContainer<DecodedKey> {
    container.nestedContainer(keyedBy: DecodedKey.self, forKey: key)
  }
}
